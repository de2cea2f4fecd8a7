/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Learns contexts of packets in brief, and finds them again.
 */
#include "link/contexts.h"

#include "link/peel.h"

enum {
    QPN_MIN = 2, /* 0 and 1 are management's */
};

static bool is_plain(const struct rdc_input *in, const struct rdc_packet *pkt);
static uint32_t add(struct rdc_contexts *contexts, const struct rdc_input *in,
                    const struct rdc_shape *shape, uint32_t hash);
static void double_buckets(struct rdc_contexts *contexts);
static void put(struct rdc_contexts *contexts, uint32_t hash, uint32_t number);

static inline enum rdc_shape_kind shape_of(const struct rdc_input *in)
{
    const uint8_t *type = in->bytes + RDC_ETHERNET_LEN - 2;

    if (in->linktype != RDC_LINKTYPE_ETHERNET || in->captured < RDC_ETHERNET_LEN + RDC_VLAN_LEN)
        return RDC_SHAPE_OTHER;
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

static inline bool is_captured(const struct rdc_input *in, const struct rdc_shape *shape)
{
    return in->captured >= shape->size;
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
    return hash >> 16 & contexts->bucket_mask;
}

static inline uint16_t first_way(const struct rdc_bucket *bucket, uint32_t hash)
{
#pragma GCC unroll 1
    for (size_t i = 0; i < RDC_WAYS; i++)
        if (__builtin_expect(bucket->ways[i].tag == (uint16_t)hash, 1))
            return bucket->ways[i].number;
    return RDC_NO_CONTEXT;
}

size_t rdc_contexts_size(void)
{
    return sizeof(struct rdc_contexts);
}

const struct rdc_packet *rdc_context_packet(const struct rdc_contexts *contexts, uint32_t context)
{
    return &contexts->packets[context];
}

uint32_t rdc_contexts_find(const struct rdc_contexts *contexts, const struct rdc_input *in,
                           const struct rdc_shape *shape, uint32_t hash)
{
    const struct rdc_way *way = contexts->buckets[bucket_of(contexts, hash)].ways;

    for (size_t i = 0; i < RDC_WAYS; i++, way++)
        if (way->tag == (uint16_t)hash && rdc_context_is_of(contexts, way->number, in, shape))
            return way->number;
    return RDC_NO_CONTEXT;
}

void rdc_lookup_begin(const struct rdc_contexts *contexts, const struct rdc_input *in,
                      struct rdc_lookup *lookup)
{
    enum rdc_shape_kind kind = shape_of(in);

    lookup->shape = RDC_SHAPE_OTHER;
    if (kind == RDC_SHAPE_OTHER || !is_captured(in, &rdc_shapes[kind]))
        return;
    lookup->shape = (uint8_t)kind;
    lookup->hash = hash_of(in, &rdc_shapes[kind]);
    __builtin_prefetch(&contexts->buckets[bucket_of(contexts, lookup->hash)]);
}

/* The first way is mostly the right one: few headers have one hash. */
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
    enum rdc_shape_kind kind = shape_of(in);
    const struct rdc_shape *shape = &rdc_shapes[kind];
    uint32_t hash, number;

    if (kind == RDC_SHAPE_OTHER || !is_captured(in, shape))
        return RDC_NO_CONTEXT;
    hash = hash_of(in, shape);
    number = rdc_contexts_find(contexts, in, shape, hash);
    if (number != RDC_NO_CONTEXT || !is_plain(in, pkt))
        return number;
    number = add(contexts, in, shape, hash);
    contexts->packets[number] = *pkt;
    contexts->packets[number].ib.payload = NULL;
    return number;
}

/* Of a reliable connection, and as rdc_brief_decode() wants it. To decode it again costs little: it
 * is the first of its context. */
static bool is_plain(const struct rdc_input *in, const struct rdc_packet *pkt)
{
    static const struct rdc_config skip = {.skip_checksums = true};
    struct rdc_packet again;

    return pkt->kind == RDC_KIND_BTH && pkt->notes == 0 && pkt->ib.bth.dest_qpn >= QPN_MIN &&
           rdc_opcode_table[pkt->ib.bth.opcode].service == RDC_SERVICE_RC &&
           rdc_plain_decode(&skip, in, &again);
}

/* The number that comes `ahead` behind another one */
static uint32_t number_behind(uint32_t number, uint32_t ahead)
{
    return (number + ahead - 1) % (RDC_CONTEXTS - 1) + 1;
}

/* A context that makes way soon gets no more frames: without an ethertype, none is the same. */
static void retire(struct rdc_context *context)
{
    memset(context->headers, 0, RDC_ETHERNET_LEN);
}

static uint32_t add(struct rdc_contexts *contexts, const struct rdc_input *in,
                    const struct rdc_shape *shape, uint32_t hash)
{
    uint32_t number = number_behind(contexts->newest, 1);
    struct rdc_context *context = &contexts->contexts[number];

    context->interface = in->interface;
    contexts->hashes[number] = hash;
    for (size_t i = 0; i < shape->size && i < RDC_HEAD_MAX; i++)
        context->headers[i] = in->bytes[i] & shape->same[i];
    for (size_t i = RDC_TAIL_AT; i < shape->size; i++)
        contexts->tails[number].headers[i - RDC_TAIL_AT] = in->bytes[i] & shape->same[i];
    contexts->newest = number;
    retire(&contexts->contexts[number_behind(number, RDC_BRIEFS_LENT)]);
    if (number > contexts->bucket_mask && contexts->bucket_mask < RDC_BUCKETS - 1)
        double_buckets(contexts);
    put(contexts, hash, number);
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
        for (size_t k = RDC_WAYS; k-- > 0;)
            if (old.ways[k].number != RDC_NO_CONTEXT)
                put(contexts, contexts->hashes[old.ways[k].number], old.ways[k].number);
    }
}

static void put(struct rdc_contexts *contexts, uint32_t hash, uint32_t number)
{
    struct rdc_bucket *bucket = &contexts->buckets[bucket_of(contexts, hash)];

    memmove(bucket->ways + 1, bucket->ways, sizeof bucket->ways - sizeof *bucket->ways);
    bucket->ways[0] = (struct rdc_way){(uint16_t)hash, (uint16_t)number};
}
