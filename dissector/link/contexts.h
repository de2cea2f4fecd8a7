/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contexts of packets in brief (rdc/brief.h): what of a frame is compared, what is kept of it, and
 * the table that finds it. Comparing is in line, as it is done for every packet.
 *
 * A frame is one of a context when its bytes up to the eighth of the BTH are the context's, but for
 * those that differ between packets of a stream. Nothing else decides: the table, which is searched
 * by a hash, may forget contexts and remember some that have made way.
 */
#ifndef RDC_LINK_CONTEXTS_H
#define RDC_LINK_CONTEXTS_H

#include <string.h>

#include "link/ethernet.h"
#include "link/ipv4.h"
#include "link/ipv6.h"
#include "link/udp.h"
#include "link/vlan.h"
#include "rdc/brief.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    RDC_BTH_SAME = 8, /* bytes of the BTH that are compared */
    RDC_SHAPE_MAX = RDC_ETHERNET_LEN + RDC_VLAN_LEN + RDC_IPV6_LEN + RDC_UDP_LEN + RDC_BTH_SAME,

    RDC_HEAD_MAX = 56,  /* bytes of it in a context's line; words behind are in its tail */
    RDC_ROUTE_MAX = 64, /* in whole words: up to the end of IPv6 behind a VLAN tag */

    RDC_WAYS = 8,                /* contexts of a bucket */
    RDC_BUCKETS = RDC_CONTEXTS,  /* at most; one a context, so that a bucket is seldom full */
    RDC_ROUTE_BUCKETS = 1 << 14, /* four routes each */
};

/* As an interface: no frame is from there. */
#define RDC_NOWHERE UINT32_MAX

/* The kinds of frames. What of their headers is compared, in the order of the wire: the rest
 * differs between packets of a stream. */
struct rdc_shape {
    uint32_t ip; /* where its header begins */
    uint32_t ip_size;
    uint32_t size; /* bytes that are compared */
    uint8_t same[RDC_SHAPE_MAX];
};

#define ONES_4 0xff, 0xff, 0xff, 0xff
#define ONES_16 ONES_4, ONES_4, ONES_4, ONES_4
#define SAME_ETHERNET ONES_4, ONES_4, ONES_4, 0xff, 0xff
#define SAME_VLAN ONES_4
/* but ECN, total length, identification, checksum */
#define SAME_IPV4 0xff, 0xfc, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, ONES_4, ONES_4
/* but ECN, payload length */
#define SAME_IPV6 0xff, 0xcf, 0xff, 0xff, 0, 0, 0xff, 0xff, ONES_16, ONES_16
/* but length, checksum */
#define SAME_UDP ONES_4, 0, 0, 0, 0
/* but opcode, SE, pad; and the last word, which is not compared at all */
#define SAME_BTH 0, 0x4f, 0xff, 0xff, ONES_4
#define SHAPE(before, ip, ...)                                                                     \
    {                                                                                              \
        before, ip, before + ip + RDC_UDP_LEN + RDC_BTH_SAME,                                      \
        {                                                                                          \
            __VA_ARGS__, SAME_UDP, SAME_BTH                                                        \
        }                                                                                          \
    }

enum rdc_shape_kind {
    RDC_SHAPE_IPV4,
    RDC_SHAPE_IPV6,
    RDC_SHAPE_VLAN_IPV4,
    RDC_SHAPE_VLAN_IPV6,
    RDC_SHAPE_OTHER,
};
static const struct rdc_shape rdc_shapes[] = {
    [RDC_SHAPE_IPV4] = SHAPE(RDC_ETHERNET_LEN, RDC_IPV4_LEN, SAME_ETHERNET, SAME_IPV4),
    [RDC_SHAPE_IPV6] = SHAPE(RDC_ETHERNET_LEN, RDC_IPV6_LEN, SAME_ETHERNET, SAME_IPV6),
    [RDC_SHAPE_VLAN_IPV4] =
        SHAPE(RDC_ETHERNET_LEN + RDC_VLAN_LEN, RDC_IPV4_LEN, SAME_ETHERNET, SAME_VLAN, SAME_IPV4),
    [RDC_SHAPE_VLAN_IPV6] =
        SHAPE(RDC_ETHERNET_LEN + RDC_VLAN_LEN, RDC_IPV6_LEN, SAME_ETHERNET, SAME_VLAN, SAME_IPV6),
};

/* One cache line, which is all that is compared of IPv4. Headers are zeros where packets differ. */
struct rdc_context {
    uint32_t interface; /* of the input; RDC_NOWHERE: it makes way soon */
    uint32_t route;
    uint8_t headers[RDC_HEAD_MAX];
};

/* The rest of longer headers */
struct rdc_context_tail {
    uint8_t headers[RDC_SHAPE_MAX - RDC_HEAD_MAX];
};

struct rdc_route {
    uint32_t interface;             /* of the input */
    uint32_t packet_interface;      /* as the caller set it */
    uint32_t marks;                 /* FECN and BECN of the BTH */
    uint8_t headers[RDC_ROUTE_MAX]; /* up to the end of IP's, as in contexts; zeros behind */
};

/* Numbers by hash, the latest first: a number, and above it the lowest bits of the hash, which
 * don't choose the bucket */
struct rdc_bucket {
    uint32_t ways[RDC_WAYS];
};

struct rdc_contexts {
    uint32_t newest; /* its number; the oldest is behind it */
    uint32_t bucket_mask;
    uint32_t route_count; /* numbers 1 to it are given */
    uint32_t unused[9];   /* behind calloc()'s 16 bytes, contexts begin with a cache line */
    struct rdc_context contexts[RDC_CONTEXTS];
    struct rdc_context_tail tails[RDC_CONTEXTS];
    struct rdc_bucket buckets[RDC_BUCKETS];
    uint32_t hashes[RDC_CONTEXTS];
    struct rdc_route routes[RDC_ROUTES];
    struct rdc_bucket route_buckets[RDC_ROUTE_BUCKETS];
};

/* The number of the context of a frame, or RDC_NO_CONTEXT */
uint32_t rdc_contexts_find(const struct rdc_contexts *contexts, const struct rdc_input *in,
                           const struct rdc_shape *shape, uint32_t hash);

/* `headers` from Ethernet's on: RDC_ETHERNET_LEN + RDC_VLAN_LEN bytes */
INLINE enum rdc_shape_kind rdc_shape_of(const uint8_t *headers)
{
    const uint8_t *type = headers + RDC_ETHERNET_LEN - 2;

    switch (rdc_be16(type)) {
    case RDC_ETHERTYPE_IPV4:
        return RDC_SHAPE_IPV4;
    case RDC_ETHERTYPE_IPV6:
        return RDC_SHAPE_IPV6;
    case RDC_ETHERTYPE_VLAN:
        break;
    default:
        return RDC_SHAPE_OTHER;
    }
    switch (rdc_be16(type + RDC_VLAN_LEN)) {
    case RDC_ETHERTYPE_IPV4:
        return RDC_SHAPE_VLAN_IPV4;
    case RDC_ETHERTYPE_IPV6:
        return RDC_SHAPE_VLAN_IPV6;
    default:
        return RDC_SHAPE_OTHER;
    }
}

INLINE uint64_t rdc_word_at(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, 8);
    return word;
}

INLINE uint64_t rdc_context_differs(const struct rdc_contexts *contexts, uint32_t number,
                                    const uint8_t *frame, const struct rdc_shape *shape, size_t at)
{
    const uint8_t *kept = at + 8 <= RDC_HEAD_MAX
                              ? contexts->contexts[number].headers + at
                              : contexts->tails[number].headers + (at - RDC_HEAD_MAX);

    return (rdc_word_at(frame + at) & rdc_word_at(shape->same + at)) ^ rdc_word_at(kept);
}

/* In words, of which the last one overlaps with another. A context that is not used has no
 * ethertype, one that makes way is of RDC_NOWHERE: no frame is theirs. */
INLINE bool rdc_context_is_of(const struct rdc_contexts *contexts, uint32_t number,
                              const struct rdc_input *in, const struct rdc_shape *shape)
{
    uint64_t bits = rdc_context_differs(contexts, number, in->bytes, shape, shape->size - 8);

#pragma GCC unroll 9
    for (size_t at = 0; at < shape->size - 8; at += 8)
        bits |= rdc_context_differs(contexts, number, in->bytes, shape, at);
    return bits == 0 && contexts->contexts[number].interface == in->interface;
}

#endif
