/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Base Transport Header. What may follow it is the opcode's (opcode.c, exts.c).
 */
#ifndef RDC_IB_BTH_H
#define RDC_IB_BTH_H

#include "rdc/ib.h"

/* IBTA vol. 1, 9.2; FECN and BECN: A17.9:
 *   opcode:8  se:1 mig:1 pad:2 tver:4  pkey:16
 *   fecn:1 becn:1 resv:6  dest_qpn:24  ack_req:1 resv:7  psn:24
 * From its first 8 and last 4 bytes, all but the version; member by member: a literal would be
 * built aside and copied. */
static inline void rdc_bth_fields(uint64_t first, uint32_t last, struct rdc_bth *restrict out)
{
    out->opcode = (uint8_t)(first >> 56);
    out->solicited = (first >> 55 & 1) != 0;
    out->migrated = (first >> 54 & 1) != 0;
    out->pad = first >> 52 & 0x3;
    out->fecn = (first >> 31 & 1) != 0;
    out->becn = (first >> 30 & 1) != 0;
    out->ack_req = (last >> 31 & 1) != 0;
    out->dest_qpn = first & 0xffffff;
    out->psn = last & RDC_PSN_MASK;
    out->pkey = (uint16_t)(first >> 32);
}

#define RDC_BTH_VERSION UINT64_C(0x000f000000000000)
#define RDC_BTH_MARKS UINT64_C(0x00000000c0000000) /* FECN, BECN */
#define RDC_BTH_RESERVED UINT64_C(0x000000003f000000)
#define RDC_BTH_RESERVED_LAST 0x7f000000u

/* Fingerprint of a BTH and the `size` bytes of extension headers behind it. Multiply and fold; all
 * these headers are made of whole 32-bit words. FECN and BECN differ between two taps on the way of
 * one packet and are left out. */
static inline uint32_t rdc_headers_hash(uint64_t first, uint32_t last, const uint8_t *exts,
                                        size_t size)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (first & ~RDC_BTH_MARKS) * factor;

    hash = (hash ^ hash >> 32 ^ last) * factor;
    for (; size >= 8; exts += 8, size -= 8)
        hash = (hash ^ hash >> 32 ^ rdc_be64(exts)) * factor;
    if (size > 0)
        hash = (hash ^ hash >> 32 ^ rdc_be32(exts)) * factor;
    return (uint32_t)(hash >> 32);
}

#endif
