/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * UDP (RFC 768): ports and length. The checksum says nothing about an RDMA packet, which has its
 * own. In line, as nearly every packet has one.
 */
#ifndef RDC_LINK_UDP_H
#define RDC_LINK_UDP_H

#include "link/link.h"

enum {
    RDC_UDP_LEN = 8,
};

/* Length 0 (jumbo payload, RFC 2675; offload) ends with the IP packet, and so does a length beyond
 * it: no receiver takes bytes from elsewhere. The length of a fragment is the whole datagram's. */
static inline void rdc_udp_set_length(struct rdc_cursor *restrict cur, size_t length,
                                      struct rdc_packet *restrict pkt)
{
    size_t size;

    if (length == 0)
        return;
    size = length - RDC_UDP_LEN;
    if (size == cur->wire || (pkt->ip.fragment && size > cur->wire))
        return;
    pkt->notes |= RDC_NOTE_BIT(LENGTH_MISMATCH);
    (void)!rdc_limit(cur, size);
}

/* source port:16 destination port:16 length:16 checksum:16 */
static inline enum rdc_status rdc_udp_decode(struct rdc_cursor *restrict cur,
                                             struct rdc_packet *restrict pkt,
                                             struct rdc_next *restrict next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, RDC_UDP_LEN, &p);
    uint16_t length;

    if (st != RDC_OK)
        return st;
    length = rdc_be16(p + 4);
    if (length != 0 && length < RDC_UDP_LEN)
        return RDC_MALFORMED;
    *cur = rest;
    rdc_udp_set_length(cur, length, pkt);
    pkt->src_port = rdc_be16(p);
    pkt->dst_port = rdc_be16(p + 2);
    rdc_mark(pkt, RDC_LAYER_UDP);
    *next = (struct rdc_next){RDC_SPACE_UDP_PORT, pkt->dst_port};
    return RDC_OK;
}

#endif
