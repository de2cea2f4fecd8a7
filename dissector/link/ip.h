/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What IPv4 and IPv6 share once their header is read.
 */
#ifndef RDC_LINK_IP_H
#define RDC_LINK_IP_H

#include "link/link.h"

/* The innermost IP header is this one: ports seen before belonged to what carried it. */
static inline void rdc_ip_seen(struct rdc_packet *pkt, enum rdc_layer layer)
{
    bool v4 = layer == RDC_LAYER_IPV4;

    rdc_mark(pkt, layer);
    pkt->address_kind = v4 ? RDC_ADDRESS_IPV4 : RDC_ADDRESS_IPV6;
    pkt->ethertype = v4 ? RDC_ETHERTYPE_IPV4 : RDC_ETHERTYPE_IPV6;
    pkt->src_port = 0;
    pkt->dst_port = 0;
}

/* The first fragment has the headers of what it carries. Of a later one nothing can be known but
 * that, being UDP, it may be ours. */
static inline struct rdc_next rdc_ip_next(struct rdc_packet *pkt)
{
    if (pkt->ip.fragment)
        pkt->notes |= RDC_NOTE_BIT(IP_FRAGMENT);
    if (!pkt->ip.later_fragment)
        return (struct rdc_next){RDC_SPACE_IP_PROTOCOL, pkt->ip.protocol};
    if (pkt->ip.protocol == RDC_IP_UDP)
        pkt->refusal = RDC_REFUSAL_FRAGMENT;
    return (struct rdc_next){RDC_SPACE_NONE, 0};
}

#endif
