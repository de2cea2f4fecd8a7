/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Ethernet II header, in line, as nearly every packet has one; its tags are in vlan.c. Trailer
 * bytes and the frame check sequence are cut off by the length fields of what is inside; 802.3
 * length frames carry nothing of ours.
 */
#ifndef RDC_LINK_ETHERNET_H
#define RDC_LINK_ETHERNET_H

#include <string.h>

#include "link/link.h"

enum {
    RDC_ETHERNET_LEN = 14,
};

/* destination:48 source:48 ethertype:16 (IEEE 802.3, 3.2) */
static inline enum rdc_status rdc_ethernet_decode(struct rdc_cursor *restrict cur,
                                                  struct rdc_packet *restrict pkt,
                                                  struct rdc_next *restrict next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_ETHERNET_LEN, &p);
    uint16_t type;

    if (st != RDC_OK)
        return st;
    memcpy(pkt->macs, p, sizeof pkt->macs);
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

#endif
