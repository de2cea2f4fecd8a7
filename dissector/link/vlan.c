/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tags between an Ethernet header and what it carries.
 */
#include "link/vlan.h"

enum rdc_status rdc_vlan_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_VLAN_LEN, &p);
    uint16_t tpid = pkt->ethertype;
    uint16_t type;

    if (st != RDC_OK)
        return st;
    if (tpid != RDC_ETHERTYPE_CSIG) {
        rdc_mark(pkt, RDC_LAYER_VLAN);
        if (pkt->vlan_count < RDC_MAX_VLANS)
            pkt->vlans[pkt->vlan_count++] = rdc_vlan_from_wire(tpid, p);
        else
            pkt->notes |= RDC_NOTE_BIT(DEPTH);
    }
    type = rdc_be16(p + 2);
    pkt->ethertype = type < RDC_ETHERTYPE_MIN ? 0 : type;
    *next =
        (struct rdc_next){type < RDC_ETHERTYPE_MIN ? RDC_SPACE_NONE : RDC_SPACE_ETHERTYPE, type};
    return RDC_OK;
}
