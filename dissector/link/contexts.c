/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Learns contexts of packets in brief, and finds them again.
 */
#include "link/contexts.h"

#include "link/peel.h"

enum {
    MARKS_AT = 4, /* in the BTH; IBTA vol. 1, 9.2: fecn:1 becn:1 */
    MARKS = 0xc0,
    NO_ROUTE = 0,

    NUMBER_BITS = 18,
    TAG_BITS = 32 - NUMBER_BITS,
};

_Static_assert(RDC_CONTEXTS <= 1 << NUMBER_BITS && RDC_ROUTES <= RDC_CONTEXTS, "a way holds them");
_Static_assert(RDC_ROUTES <= UINT16_MAX + 1, "a brief holds them");

static bool is_plain(const struct rdc_input *in, const struct rdc_packet *pkt);
static uint32_t add(struct rdc_contexts *contexts, const struct rdc_input *in,
                    const struct rdc_shape *shape, uint32_t hash, uint32_t route);
static uint32_t route_of(struct rdc_contexts *contexts, const struct rdc_input *in,
                         const struct rdc_shape *shape, uint32_t packet_interface);
static void double_buckets(struct rdc_contexts *contexts);
static void put(struct rdc_bucket *bucket, uint32_t hash, uint32_t number);

static inline enum rdc_shape_kind shape_of_frame(const struct rdc_input *in)
{
    enum rdc_shape_kind kind;

    if (in->linktype != RDC_LINKTYPE_ETHERNET || in->interface == RDC_NOWHERE ||
        in->captured < RDC_ETHERNET_LEN + RDC_VLAN_LEN)
        return RDC_SHAPE_OTHER;
    kind = rdc_shape_of(in->bytes);
    return kind != RDC_SHAPE_OTHER && in->captured >= rdc_shapes[kind].size ? kind
                                                                            : RDC_SHAPE_OTHER;
}

/* Of addresses, ports, destination QPN and interface, in whatever order bytes have: multiply and
 * fold. */
static inline uint32_t hash_of(const struct rdc_input *in, const struct rdc_shape *shape)
{
    const uint64_t factors[] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93)};
    const uint8_t *ip = in->bytes + shape->ip, *udp = ip + shape->ip_size;
    const uint8_t *qpn = udp + RDC_UDP_LEN + 4;
    uint64_t hash = (uint64_t)(rdc_ipv4_word(udp) ^ in->interface) << 32 | rdc_ipv4_word(qpn);

    if (shape->ip_size == RDC_IPV4_LEN)
        hash += rdc_word_at(ip + 12) * factors[0];
    else
        hash += rdc_word_at(ip + 8) * factors[0] + rdc_word_at(ip + 16) * factors[1] +
                rdc_word_at(ip + 24) * factors[2] + rdc_word_at(ip + 32) * factors[3];
    return (uint32_t)((hash ^ hash >> 32) * factors[1] >> 32);
}

static inline uint32_t bucket_of(const struct rdc_contexts *contexts, uint32_t hash)
{
    return hash >> TAG_BITS & contexts->bucket_mask;
}

/* Its number where the way has the tag of the hash; else more than any */
static inline uint32_t number_of(uint32_t way, uint32_t hash)
{
    return way ^ hash << NUMBER_BITS;
}

static inline bool is_number(uint32_t number)
{
    return number < 1u << NUMBER_BITS;
}

/* Of the first ways, which a context mostly is in: in which one can't be foretold, so nothing
 * depends on a condition. */
static inline uint32_t first_way(const struct rdc_bucket *bucket, uint32_t hash)
{
    uint32_t found = RDC_NO_CONTEXT;

#pragma GCC unroll 8
    for (size_t i = RDC_WAYS / 2; i-- > 0;) {
        uint32_t number = number_of(bucket->ways[i], hash);

        found = is_number(number) ? number : found;
    }
    return found;
}

size_t rdc_contexts_size(void)
{
    return sizeof(struct rdc_contexts);
}

uint32_t rdc_contexts_find(const struct rdc_contexts *contexts, const struct rdc_input *in,
                           const struct rdc_shape *shape, uint32_t hash)
{
    const struct rdc_bucket *bucket = &contexts->buckets[bucket_of(contexts, hash)];

    for (size_t i = 0; i < RDC_WAYS; i++) {
        uint32_t number = number_of(bucket->ways[i], hash);

        if (is_number(number) && rdc_context_is_of(contexts, number, in, shape))
            return number;
    }
    return RDC_NO_CONTEXT;
}

void rdc_lookup_begin(const struct rdc_contexts *contexts, const struct rdc_input *in,
                      struct rdc_lookup *lookup)
{
    enum rdc_shape_kind kind = shape_of_frame(in);

    lookup->shape = (uint8_t)kind;
    if (kind == RDC_SHAPE_OTHER)
        return;
    lookup->hash = hash_of(in, &rdc_shapes[kind]);
    __builtin_prefetch(&contexts->buckets[bucket_of(contexts, lookup->hash)]);
}

void rdc_lookup_go_on(const struct rdc_contexts *contexts, struct rdc_lookup *lookup)
{
    lookup->context = RDC_NO_CONTEXT;
    if (lookup->shape == RDC_SHAPE_OTHER)
        return;
    lookup->context =
        first_way(&contexts->buckets[bucket_of(contexts, lookup->hash)], lookup->hash);
    __builtin_prefetch(&contexts->contexts[lookup->context]);
    if (rdc_shapes[lookup->shape].size > RDC_HEAD_MAX)
        __builtin_prefetch(&contexts->tails[lookup->context]);
}

uint32_t rdc_contexts_learn(struct rdc_contexts *contexts, const struct rdc_input *in,
                            const struct rdc_packet *pkt)
{
    enum rdc_shape_kind kind = shape_of_frame(in);
    const struct rdc_shape *shape = &rdc_shapes[kind];
    uint32_t hash, number, route;

    if (kind == RDC_SHAPE_OTHER)
        return RDC_NO_CONTEXT;
    hash = hash_of(in, shape);
    number = rdc_contexts_find(contexts, in, shape, hash);
    if (number != RDC_NO_CONTEXT || !is_plain(in, pkt))
        return number;
    route = route_of(contexts, in, shape, pkt->interface);
    return route != NO_ROUTE ? add(contexts, in, shape, hash, route) : RDC_NO_CONTEXT;
}

/* Of a reliable connection, and as rdc_brief_decode() wants it. To decode it again costs little: it
 * is the first of its context. */
static bool is_plain(const struct rdc_input *in, const struct rdc_packet *pkt)
{
    static const struct rdc_config skip = {.skip_checksums = true};
    struct rdc_packet again;

    return pkt->kind == RDC_KIND_BTH && pkt->notes == 0 && pkt->ib.bth.dest_qpn >= RDC_QPN_FIRST &&
           rdc_opcode_table[pkt->ib.bth.opcode].service == RDC_SERVICE_RC &&
           rdc_plain_decode(&skip, in, &again);
}

/* The number that comes `ahead` behind another one */
static uint32_t number_behind(uint32_t number, uint32_t ahead)
{
    return (number + ahead - 1) % (RDC_CONTEXTS - 1) + 1;
}

/* What of the headers from `from` on is the same in all packets of a stream */
static inline void copy_same(uint8_t *restrict to, const uint8_t *restrict frame,
                             const struct rdc_shape *shape, size_t from, size_t end)
{
    for (size_t at = from; at < end; at++)
        to[at - from] = frame[at] & shape->same[at];
}

static uint32_t add(struct rdc_contexts *contexts, const struct rdc_input *in,
                    const struct rdc_shape *shape, uint32_t hash, uint32_t route)
{
    uint32_t number = number_behind(contexts->newest, 1);
    struct rdc_context *context = &contexts->contexts[number];

    context->interface = in->interface;
    context->route = route;
    contexts->hashes[number] = hash;
    copy_same(context->headers, in->bytes, shape, 0,
              shape->size < RDC_HEAD_MAX ? shape->size : RDC_HEAD_MAX);
    copy_same(contexts->tails[number].headers, in->bytes, shape, RDC_HEAD_MAX, shape->size);
    contexts->newest = number;
    contexts->contexts[number_behind(number, RDC_BRIEFS_LENT)].interface = RDC_NOWHERE;
    if (number > contexts->bucket_mask && contexts->bucket_mask < RDC_BUCKETS - 1)
        double_buckets(contexts);
    put(&contexts->buckets[bucket_of(contexts, hash)], hash, number);
    return number;
}

/* One more bit of the hash tells where a context is: in its bucket, or in the new one that is as
 * far behind as there were buckets. No context has made way yet. */
static void double_buckets(struct rdc_contexts *contexts)
{
    uint32_t count = contexts->bucket_mask + 1;

    contexts->bucket_mask += count;
    for (uint32_t i = 0; i < count; i++) {
        const struct rdc_bucket old = contexts->buckets[i];

        contexts->buckets[i] = (struct rdc_bucket){0};
        for (size_t k = RDC_WAYS; k-- > 0;) {
            uint32_t number = old.ways[k] & ((1u << NUMBER_BITS) - 1);
            uint32_t hash = contexts->hashes[number];

            if (number != RDC_NO_CONTEXT)
                put(&contexts->buckets[bucket_of(contexts, hash)], hash, number);
        }
    }
}

static void put(struct rdc_bucket *bucket, uint32_t hash, uint32_t number)
{
    memmove(bucket->ways + 1, bucket->ways, sizeof bucket->ways - sizeof *bucket->ways);
    bucket->ways[0] = hash << NUMBER_BITS | number;
}

/* ------------------------------------------------------------------ routes */

static uint32_t hash_of_route(const struct rdc_route *route)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = route->interface;

    for (size_t at = 0; at < RDC_ROUTE_MAX; at += 8) {
        hash = (hash ^ rdc_word_at(route->headers + at)) * factor;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* It is a connection's, mostly. RFC 8200, 3: version:4 traffic class:8 flow label:20 */
static void forget_flow_label(uint8_t *ip)
{
    ip[1] &= 0xf0;
    ip[2] = ip[3] = 0;
}

/* One that was forgotten gets another number. */
static uint32_t route_of(struct rdc_contexts *contexts, const struct rdc_input *in,
                         const struct rdc_shape *shape, uint32_t packet_interface)
{
    struct rdc_route route = {.interface = in->interface, .packet_interface = packet_interface};
    struct rdc_bucket *bucket;
    uint32_t hash;

    copy_same(route.headers, in->bytes, shape, 0, shape->ip + shape->ip_size);
    if (shape->ip_size == RDC_IPV6_LEN)
        forget_flow_label(route.headers + shape->ip);
    route.marks = in->bytes[shape->size - RDC_BTH_SAME + MARKS_AT] & MARKS;
    hash = hash_of_route(&route);
    bucket = &contexts->route_buckets[hash >> TAG_BITS & (RDC_ROUTE_BUCKETS - 1)];
    for (size_t i = 0; i < RDC_WAYS; i++) {
        uint32_t number = number_of(bucket->ways[i], hash);

        if (number < RDC_ROUTES && memcmp(&contexts->routes[number], &route, sizeof route) == 0)
            return number;
    }
    if (contexts->route_count == RDC_ROUTES - 1)
        return NO_ROUTE;
    contexts->routes[++contexts->route_count] = route;
    put(bucket, hash, contexts->route_count);
    return contexts->route_count;
}
