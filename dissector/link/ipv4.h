/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IPv4 (RFC 791): header with options, its checksum, fragments. In line, as nearly every packet has
 * one.
 */
#ifndef RDC_LINK_IPV4_H
#define RDC_LINK_IPV4_H

#include <string.h>

#include "link/ip.h"

enum {
    RDC_IPV4_LEN = 20,
    RDC_IPV4_DONT_FRAGMENT = 0x4000,
    RDC_IPV4_MORE_FRAGMENTS = 0x2000,
    RDC_IPV4_OFFSET_MASK = 0x1fff,
};

/* What any packet's header says. Member by member: a literal would be built aside and copied in
 * wider words than it was written in, for which the processor waits. */
static inline void rdc_ipv4_fields(const uint8_t *p, struct rdc_packet *restrict pkt)
{
    pkt->ip.id = rdc_be16(p + 4);
    pkt->ip.dscp = p[1] >> 2;
    pkt->ip.ecn = p[1] & 0x3;
    pkt->ip.ttl = p[8];
    pkt->ip.dont_fragment = (rdc_be16(p + 6) & RDC_IPV4_DONT_FRAGMENT) != 0;
    memcpy(pkt->src, p + 12, 4);
    memset(pkt->src + 4, 0, 12);
    memcpy(pkt->dst, p + 16, 4);
    memset(pkt->dst + 4, 0, 12);
}

static inline uint32_t rdc_ipv4_word(const uint8_t *p)
{
    uint32_t word;

    memcpy(&word, p, 4);
    return word;
}

/* The ones' complement sum of a good header is all ones: such sums are sums modulo 0xffff, and none
 * of an IPv4 header is 0. It does not depend on the byte order, nor on the width of the words that
 * are summed (RFC 1071, 2). */
static inline bool rdc_ipv4_sum_is_good(const uint8_t *p, size_t size)
{
    uint64_t sum = (uint64_t)rdc_ipv4_word(p) + rdc_ipv4_word(p + 4) + rdc_ipv4_word(p + 8) +
                   rdc_ipv4_word(p + 12) + rdc_ipv4_word(p + 16);

    for (size_t i = RDC_IPV4_LEN; i < size; i += 4)
        sum += rdc_ipv4_word(p + i);
    return sum % 0xffff == 0;
}

/* Zero in field or length stands for what the sender's adapter fills in only after the capture. */
static inline bool rdc_ipv4_checksum_is_bad(const uint8_t *p, size_t size)
{
    return rdc_be16(p + 10) != 0 && rdc_be16(p + 2) != 0 && !rdc_ipv4_sum_is_good(p, size);
}

/*  version:4 ihl:4 dscp:6 ecn:2 total length:16
 *  identification:16 reserved:1 df:1 mf:1 offset:13
 *  ttl:8 protocol:8 checksum:16 source:32 destination:32 options */
static inline enum rdc_status rdc_ipv4_decode(struct rdc_cursor *restrict cur,
                                              struct rdc_packet *restrict pkt,
                                              struct rdc_next *restrict next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *options;
    enum rdc_status st = rdc_take(&rest, RDC_IPV4_LEN, &p);
    size_t size, total;
    uint16_t flags;

    if (st != RDC_OK)
        return st;
    size = (p[0] & 0xfu) * 4;
    total = rdc_be16(p + 2);
    flags = rdc_be16(p + 6);
    if (p[0] >> 4 != 4 || size < RDC_IPV4_LEN || (total != 0 && total < size))
        return RDC_MALFORMED;
    st = rdc_take(&rest, size - RDC_IPV4_LEN, &options);
    if (st != RDC_OK)
        return st;
    *cur = rest;
    if (total != 0) /* 0: segmentation offload, the packet ends with the frame */
        rdc_set_wire(cur, total - size, pkt);
    rdc_ipv4_fields(p, pkt);
    pkt->ip.protocol = p[9];
    pkt->ip.fragment = (flags & (RDC_IPV4_MORE_FRAGMENTS | RDC_IPV4_OFFSET_MASK)) != 0;
    pkt->ip.later_fragment = (flags & RDC_IPV4_OFFSET_MASK) != 0;
    pkt->ip.checksum_bad = rdc_ipv4_checksum_is_bad(p, size);
    if (pkt->ip.checksum_bad)
        pkt->notes |= RDC_NOTE_BIT(IP_CHECKSUM_BAD);
    rdc_ip_seen(pkt, RDC_LAYER_IPV4);
    *next = rdc_ip_next(pkt);
    return RDC_OK;
}

#endif
