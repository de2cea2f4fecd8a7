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

struct ahead {
    const struct flow_engine *engine;
    const struct flow_batch *batch;
    struct stream *stream[FLOW_BATCH]; /* most likely that of a packet; NULL: no idea */
    uint64_t hash[FLOW_BATCH];         /* of the key of a whole packet's stream */
    uint8_t needs[FLOW_BATCH];         /* what a packet will need, by its opcode */
};

/* Before the first packet */
void ahead_begin(struct ahead *x, const struct flow_engine *e, const struct flow_batch *b);
/* Before packet `at` */
void ahead_step(struct ahead *x, size_t at);

#endif
