/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IPv4 (RFC 791): header with options, its checksum, fragments.
 */
#include <string.h>

#include "link/ip.h"

enum {
    IPV4_LEN = 20,
    DONT_FRAGMENT = 0x4000,
    MORE_FRAGMENTS = 0x2000,
    OFFSET_MASK = 0x1fff,
};

static void set_header(const uint8_t *p, struct rdc_ip *ip);
static bool checksum_is_bad(const uint8_t *p, size_t size);
static void set_length(struct rdc_cursor *cur, size_t header, struct rdc_packet *pkt,
                       const uint8_t *p);

/*  version:4 ihl:4 dscp:6 ecn:2 total length:16
 *  identification:16 reserved:1 df:1 mf:1 offset:13
 *  ttl:8 protocol:8 checksum:16 source:32 destination:32 options */
enum rdc_status rdc_ipv4_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *options;
    enum rdc_status st = rdc_take(&rest, IPV4_LEN, &p);
    size_t size, total;

    if (st != RDC_OK)
        return st;
    size = (p[0] & 0xfu) * 4;
    total = rdc_be16(p + 2);
    if (p[0] >> 4 != 4 || size < IPV4_LEN || (total != 0 && total < size))
        return RDC_MALFORMED;
    st = rdc_take(&rest, size - IPV4_LEN, &options);
    if (st != RDC_OK)
        return st;
    *cur = rest;
    set_length(cur, size, pkt, p);
    set_header(p, &pkt->ip);
    pkt->ip.checksum_bad = checksum_is_bad(p, size);
    if (pkt->ip.checksum_bad)
        pkt->notes |= RDC_NOTE_BIT(IP_CHECKSUM_BAD);
    memcpy(pkt->src, p + 12, 4);
    memset(pkt->src + 4, 0, 12);
    memcpy(pkt->dst, p + 16, 4);
    memset(pkt->dst + 4, 0, 12);
    rdc_ip_seen(pkt, RDC_LAYER_IPV4);
    *next = rdc_ip_next(pkt);
    return RDC_OK;
}

/* Member by member: a literal would be built aside and copied in wider words than it was written
 * in, for which the processor waits. */
static void set_header(const uint8_t *p, struct rdc_ip *ip)
{
    uint16_t flags = rdc_be16(p + 6);

    ip->dscp = p[1] >> 2;
    ip->ecn = p[1] & 0x3;
    ip->ttl = p[8];
    ip->protocol = p[9];
    ip->id = rdc_be16(p + 4);
    ip->fragment = (flags & (MORE_FRAGMENTS | OFFSET_MASK)) != 0;
    ip->later_fragment = (flags & OFFSET_MASK) != 0;
    ip->dont_fragment = (flags & DONT_FRAGMENT) != 0;
}

/* The ones' complement sum of a good header is all ones. It does not depend on the byte order, nor
 * on the width of the words that are summed (RFC 1071, 2). Zero in field or length stands for what
 * the sender's adapter fills in only after the capture. */
static bool checksum_is_bad(const uint8_t *p, size_t size)
{
    uint64_t sum = 0;

    if (rdc_be16(p + 10) == 0 || rdc_be16(p + 2) == 0)
        return false;
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;

        memcpy(&word, p + i, 4);
        sum += word;
    }
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return sum != 0xffff;
}

/* Total length 0: segmentation offload, the packet ends with the frame. */
static void set_length(struct rdc_cursor *cur, size_t header, struct rdc_packet *pkt,
                       const uint8_t *p)
{
    size_t total = rdc_be16(p + 2);

    if (total != 0)
        rdc_set_wire(cur, total - header, pkt);
}
