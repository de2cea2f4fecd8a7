/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fields of a VLAN tag.
 */
#ifndef RDC_LINK_VLAN_H
#define RDC_LINK_VLAN_H

#include "link/link.h"

enum {
    RDC_VLAN_LEN = 4, /* TCI and the next ethertype: the TPID was the ethertype before */
};

/* pcp:3 dei:1 vid:12 ethertype:16 (IEEE 802.1Q, 9.6) */
static inline struct rdc_vlan rdc_vlan_from_wire(uint16_t tpid, const uint8_t *p)
{
    return (struct rdc_vlan){
        .tpid = tpid,
        .id = rdc_be16(p) & 0xfff,
        .pcp = p[0] >> 5,
        .dei = (p[0] & 0x10) != 0,
    };
}

#endif
