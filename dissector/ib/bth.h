/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Base Transport Header. What may follow it is the opcode's (opcode.c, exts.c).
 */
#ifndef RDC_IB_BTH_H
#define RDC_IB_BTH_H

#include "rdc/ib.h"

/* IBTA vol. 1, 9.2; FECN and BECN: A17.9:
 *   opcode:8  se:1 mig:1 pad:2 tver:4  pkey:16
 *   fecn:1 becn:1 resv:6  dest_qpn:24  ack_req:1 resv:7  psn:24 */
static inline struct rdc_bth rdc_bth_from_wire(const uint8_t *p)
{
    return (struct rdc_bth){
        .opcode = p[0],
        .solicited = (p[1] & 0x80) != 0,
        .migrated = (p[1] & 0x40) != 0,
        .pad = p[1] >> 4 & 0x3,
        .tver = p[1] & 0xf,
        .pkey = rdc_be16(p + 2),
        .fecn = (p[4] & 0x80) != 0,
        .becn = (p[4] & 0x40) != 0,
        .dest_qpn = rdc_be24(p + 5),
        .ack_req = (p[8] & 0x80) != 0,
        .psn = rdc_be24(p + 9),
    };
}

#endif
