/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IPv6 and its extension headers (RFC 8200), one at a time.
 */
#include "link/ipv6.h"

enum {
    EXTENSION_LEN = 8, /* of the smallest; all begin with next header:8 length:8 */
    OFFSET_MASK = 0xfff8,
    MORE_FRAGMENTS = 0x0001,
};

static size_t extension_size(uint8_t protocol, const uint8_t *p);

enum rdc_status rdc_ipv6_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, RDC_IPV6_LEN, &p);

    if (st != RDC_OK)
        return st;
    if (p[0] >> 4 != 6)
        return RDC_MALFORMED;
    *cur = rest;
    /* 0: a jumbo payload (RFC 2675) or segmentation offload; both end with the frame */
    if (rdc_be16(p + 4) != 0)
        rdc_set_wire(cur, rdc_be16(p + 4), pkt);
    rdc_ipv6_fields(p, pkt);
    pkt->ip.protocol = p[6];
    pkt->ip.fragment = false;
    pkt->ip.later_fragment = false;
    pkt->ip.checksum_bad = false;
    rdc_ip_seen(pkt, RDC_LAYER_IPV6);
    *next = rdc_ip_next(pkt);
    return RDC_OK;
}

/*  fragment header: next header:8 reserved:8 offset:13 reserved:2 m:1 identification:32 */
enum rdc_status rdc_ip_extension_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                        struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *more;
    enum rdc_status st = rdc_take(&rest, EXTENSION_LEN, &p);

    if (st != RDC_OK)
        return st;
    st = rdc_take(&rest, extension_size(pkt->ip.protocol, p) - EXTENSION_LEN, &more);
    if (st != RDC_OK)
        return st;
    *cur = rest;
    if (pkt->ip.protocol == RDC_IP_FRAGMENT) {
        uint16_t word = rdc_be16(p + 2);

        pkt->ip.fragment = (word & (OFFSET_MASK | MORE_FRAGMENTS)) != 0;
        pkt->ip.later_fragment = (word & OFFSET_MASK) != 0;
    }
    pkt->ip.protocol = p[0];
    *next = rdc_ip_next(pkt);
    return RDC_OK;
}

/* The authentication header counts 4-byte words less 2 (RFC 4302, 2.2), the others 8-byte words
 * less 1; the fragment header is of fixed size. */
static size_t extension_size(uint8_t protocol, const uint8_t *p)
{
    size_t size = (p[1] + 1u) * 8;

    if (protocol == RDC_IP_FRAGMENT)
        return EXTENSION_LEN;
    if (protocol == RDC_IP_AH)
        size = (p[1] + 2u) * 4;
    return size < EXTENSION_LEN ? EXTENSION_LEN : size;
}
