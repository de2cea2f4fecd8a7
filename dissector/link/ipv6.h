/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fixed IPv6 header (RFC 8200, 3); lengths and what may follow are in ipv6.c.
 */
#ifndef RDC_LINK_IPV6_H
#define RDC_LINK_IPV6_H

#include <string.h>

#include "link/ip.h"

enum {
    RDC_IPV6_LEN = 40,
};

/*  version:4 dscp:6 ecn:2 flow label:20 payload length:16 next header:8 hop limit:8
 *  source:128 destination:128 */
static inline void rdc_ipv6_fields(const uint8_t *p, struct rdc_packet *restrict pkt)
{
    uint8_t tclass = (uint8_t)(rdc_be16(p) >> 4);

    pkt->ip.id = 0;
    pkt->ip.dscp = tclass >> 2;
    pkt->ip.ecn = tclass & 0x3;
    pkt->ip.ttl = p[7];
    pkt->ip.dont_fragment = false;
    memcpy(pkt->src, p + 8, 16);
    memcpy(pkt->dst, p + 24, 16);
}

#endif
