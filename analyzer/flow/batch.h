/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Some packets at a time, as they were read: nearly all of them in brief (rdc/brief.h).
 *
 * Who looks at every packet does so run by run, without asking of each which kind it is:
 *
 *     for (size_t i = 0; i < batch->count; i++) {
 *         size_t end = flow_batch_run(batch, i);
 *
 *         for (; i < end; i++)
 *             ... batch->briefs[i]
 *         if (i < batch->count)
 *             ... batch->packets[i]
 *     }
 */
#ifndef FLOW_BATCH_H
#define FLOW_BATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/brief.h"
#include "rdc/packet.h"

enum {
    FLOW_BATCH = 64, /* packets at a time where they come in batches: more would leave the caches */
};

static_assert(FLOW_BATCH == 64, "a set has a bit for each");

/* briefs[i] tells packet i, or where its context is RDC_NO_CONTEXT, packets[i] does. */
struct flow_batch {
    const struct rdc_contexts *contexts; /* NULL: all are whole */
    const struct rdc_brief *briefs;      /* NULL then */
    struct rdc_packet *packets;
    size_t count;   /* at most FLOW_BATCH */
    uint64_t whole; /* set of those that are in `packets`: bit 1 << index */
    /* what the engine says of each, as in struct flow_facts */
    uint32_t stream[FLOW_BATCH];
    int64_t silence_ns[FLOW_BATCH];
};

/* The set of the first `count` packets, one at least */
static inline uint64_t flow_batch_set(size_t count)
{
    return UINT64_MAX >> (FLOW_BATCH - count);
}

/* Packets that are all whole; they are not written. */
static inline void flow_batch_init(struct flow_batch *batch, const struct rdc_packet *packets,
                                   size_t count)
{
    batch->contexts = NULL;
    batch->briefs = NULL;
    batch->packets = (struct rdc_packet *)(uintptr_t)packets;
    batch->count = count;
    batch->whole = count > 0 ? flow_batch_set(count) : 0;
}

/* Whether it came in brief, even if it was made whole since */
static inline bool flow_batch_is_brief(const struct flow_batch *batch, size_t index)
{
    return batch->contexts != NULL && batch->briefs[index].context != RDC_NO_CONTEXT;
}

/* Where the briefs from `from` on end: at a whole packet, or behind the last one */
static inline size_t flow_batch_run(const struct flow_batch *batch, size_t from)
{
    uint64_t rest = batch->whole >> from;

    return rest != 0 ? from + (size_t)__builtin_ctzll(rest) : batch->count;
}

/* Of one that came whole: the context of those like it that follow, or RDC_NO_CONTEXT */
static inline uint32_t flow_batch_learned(const struct flow_batch *batch, size_t index)
{
    return batch->contexts != NULL ? batch->briefs[index].learned : RDC_NO_CONTEXT;
}

/* A packet, made whole where it is not yet. For what few packets need */
const struct rdc_packet *flow_batch_packet(struct flow_batch *batch, size_t index);

#endif
