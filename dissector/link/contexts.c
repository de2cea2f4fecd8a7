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
    const struct rdc_way *way = rdc_bucket_of(contexts, hash)->ways;

    for (size_t i = 0; i < RDC_WAYS; i++, way++)
        if (way->tag == (uint16_t)hash && rdc_context_is_of(contexts, way->number, in, shape))
            return way->number;
    return RDC_NO_CONTEXT;
}

void rdc_lookup_begin(const struct rdc_contexts *contexts, const struct rdc_input *in,
                      struct rdc_lookup *lookup)
{
    enum rdc_shape_kind kind = rdc_shape_of(in);

    lookup->shape = RDC_SHAPE_OTHER;
    if (kind == RDC_SHAPE_OTHER || !rdc_shape_is_captured(in, &rdc_shapes[kind]))
        return;
    lookup->shape = (uint8_t)kind;
    lookup->hash = rdc_context_hash(in, &rdc_shapes[kind]);
    __builtin_prefetch(rdc_bucket_of(contexts, lookup->hash));
}

/* The first way is mostly the right one: few headers have one hash. */
void rdc_lookup_go_on(const struct rdc_contexts *contexts, struct rdc_lookup *lookup)
{
    lookup->context = RDC_NO_CONTEXT;
    if (lookup->shape == RDC_SHAPE_OTHER)
        return;
    lookup->context = rdc_first_way(rdc_bucket_of(contexts, lookup->hash), lookup->hash);
    __builtin_prefetch(&contexts->contexts[lookup->context]);
    if (rdc_shapes[lookup->shape].size > RDC_HEAD_MAX)
        __builtin_prefetch(&contexts->tails[lookup->context]);
}

uint32_t rdc_contexts_learn(struct rdc_contexts *contexts, const struct rdc_input *in,
                            const struct rdc_packet *pkt)
{
    enum rdc_shape_kind kind = rdc_shape_of(in);
    const struct rdc_shape *shape = &rdc_shapes[kind];
    uint32_t hash, number;

    if (kind == RDC_SHAPE_OTHER || !rdc_shape_is_captured(in, shape))
        return RDC_NO_CONTEXT;
    hash = rdc_context_hash(in, shape);
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
    struct rdc_bucket *bucket = &contexts->buckets[hash >> 16 & contexts->bucket_mask];

    memmove(bucket->ways + 1, bucket->ways, sizeof bucket->ways - sizeof *bucket->ways);
    bucket->ways[0] = (struct rdc_way){(uint16_t)hash, (uint16_t)number};
}
