/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ethernet II headers and their tags. Trailer bytes and the frame check sequence are cut off by the
 * length fields of what is inside; 802.3 length frames carry nothing of ours.
 */
#include <string.h>

#include "link/link.h"

enum {
    ETHERNET_LEN = 14,
    TAG_LEN = 4, /* TCI and the next ethertype: the TPID was the ethertype before */
};

/* destination:48 source:48 ethertype:16 (IEEE 802.3, 3.2) */
enum rdc_status rdc_ethernet_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                    struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, ETHERNET_LEN, &p);
    uint16_t type;

    if (st != RDC_OK)
        return st;
    memcpy(pkt->dst_mac, p, 6);
    memcpy(pkt->src_mac, p + 6, 6);
    pkt->has_mac = true;
    rdc_mark(pkt, RDC_LAYER_ETHERNET);
    type = rdc_be16(p + 12);
    if (type < RDC_ETHERTYPE_MIN) {
        pkt->ethertype = 0;
        *next = (struct rdc_next){RDC_SPACE_NONE, 0};
        return RDC_OK;
    }
    pkt->ethertype = type;
    *next = (struct rdc_next){RDC_SPACE_ETHERTYPE, type};
    return RDC_OK;
}

/* pcp:3 dei:1 vid:12 ethertype:16 (IEEE 802.1Q, 9.6) */
enum rdc_status rdc_vlan_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, TAG_LEN, &p);
    uint16_t tpid = pkt->ethertype;
    uint16_t type;

    if (st != RDC_OK)
        return st;
    if (tpid != RDC_ETHERTYPE_CSIG) {
        rdc_mark(pkt, RDC_LAYER_VLAN);
        if (pkt->vlan_count < RDC_MAX_VLANS)
            pkt->vlans[pkt->vlan_count++] = (struct rdc_vlan){
                .tpid = tpid,
                .id = rdc_be16(p) & 0xfff,
                .pcp = p[0] >> 5,
                .dei = (p[0] & 0x10) != 0,
            };
        else
            pkt->notes |= RDC_NOTE_BIT(DEPTH);
    }
    type = rdc_be16(p + 2);
    pkt->ethertype = type < RDC_ETHERTYPE_MIN ? 0 : type;
    *next =
        (struct rdc_next){type < RDC_ETHERTYPE_MIN ? RDC_SPACE_NONE : RDC_SPACE_ETHERTYPE, type};
    return RDC_OK;
}
