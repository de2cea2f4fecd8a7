/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking ahead. With many streams, their state is larger than the caches near the processor, and
 * a packet after the other would wait for memory, line by line. So what a packet will need is asked
 * for some packets before its turn, step by step along the pointers that lead there, each when the
 * one before has had time to arrive. Nothing here changes the engine.
 */
#ifndef FLOW_AHEAD_H
#define FLOW_AHEAD_H

#include "flow/stream.h"

/* By what they need. Which kind comes next can't be foretold, and a processor that guesses wrong at
 * each step loses more than the steps take: so packets of a kind wait in a row of their own. */
enum ahead_kind {
    AHEAD_WITHIN,   /* requests within a message */
    AHEAD_EDGE,     /* requests that begin or end one */
    AHEAD_RESPONSE, /* and all others */
    AHEAD_KINDS,
};

enum {
    AHEAD_FARTHEST = 16, /* packets of its kind before its turn that one takes its first step */
};

struct ahead_places {
    size_t count, done;
    uint8_t packet[FLOW_BATCH + AHEAD_FARTHEST]; /* their places in the batch */
};

struct ahead {
    const struct flow_engine *engine;
    const struct flow_batch *batch;
    struct stream *stream[FLOW_BATCH]; /* most likely that of a packet; NULL: no idea */
    uint64_t hash[FLOW_BATCH];         /* of the key of a whole packet's stream */
    uint8_t kind[FLOW_BATCH];
    struct ahead_places places[AHEAD_KINDS];
};

/* Before the first packet */
void ahead_begin(struct ahead *x, const struct flow_engine *e, const struct flow_batch *b);
/* Before packet `at` */
void ahead_step(struct ahead *x, size_t at);

#endif
