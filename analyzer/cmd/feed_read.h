/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reading side of a feed: records become decoded packets, block by block; where they may come
 * in brief, most do. It may run in a thread of its own (feed_ring.h).
 */
#ifndef CMD_FEED_READ_H
#define CMD_FEED_READ_H

#include <glib.h>

#include "analysis/capture.h"
#include "capture/source.h"
#include "cmd/feed.h"
#include "cmd/progress.h"

enum {
    FEED_BLOCK = 256, /* packets handed from thread to thread at a time */
    FEED_BATCHES = FEED_BLOCK / FEED_BATCH,
};

struct feed_block {
    size_t count;        /* 0: the end */
    GArray *interfaces;  /* of struct capture_interface: those described since the block before */
    GArray *untimed;     /* of struct capture_span: packets without a time, at most FEED_BLOCK */
    GByteArray *payload; /* what packets borrow, where blocks outlive the next one */
    const struct rdc_contexts *contexts; /* NULL: all packets are whole */
    uint64_t whole[FEED_BATCHES];        /* by batch, as in struct flow_batch */
    struct rdc_brief briefs[FEED_BLOCK];
    struct rdc_packet packets[FEED_BLOCK];
};

struct feed_read {
    const struct options *options;
    struct source *source;         /* owned */
    struct rdc_contexts *contexts; /* owned: free(); NULL: all packets are whole */
    int64_t credit;                /* of packets in brief for those that are not */
    uint64_t rested;               /* packets since it was used up */
    struct capture *capture;       /* counts and files; the rest of it is not touched */
    const char **files;            /* by place on the timeline; NULL: not reached yet */
    size_t entered;                /* files reached */
    uint32_t current;              /* index of the path of files[entered - 1] */
    size_t latest;                 /* place of the file with the latest packet before this file */
    int64_t latest_ns;             /* of that packet; valid when entered > 1 */
    GArray *links;              /* of uint32_t, by interface: the first that sees the same link */
    struct feed_observer first; /* sees packets before all others; or .packets NULL */
    struct progress progress;
    uint64_t blocks;
    bool has_time; /* some packet had one */
    struct source_record records[FEED_BLOCK];
};

/* Before the first block: packets may come in brief. */
void feed_read_in_brief(struct feed_read *r);

void feed_block_init(struct feed_block *block);
void feed_block_done(struct feed_block *block);

/* The packets of a block from `at` on, FEED_BATCH at most; the place of `at` is a batch's */
void feed_block_batch(struct feed_block *block, size_t at, struct flow_batch *batch);

/* Fills a block with at most `max` packets. `keep`: until it is filled again, else until anything
 * more is read. */
void feed_read_block(struct feed_read *r, struct feed_block *block, size_t max, bool keep);

#endif
