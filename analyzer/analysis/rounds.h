/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps the retransmission rounds of a stream as long as they may change, and what the settled ones
 * come to. Memory does not grow with the rounds of a stream, and is bounded for all streams.
 */
#ifndef ANALYSIS_ROUNDS_H
#define ANALYSIS_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/round_sums.h"

struct rounds;

/* What the rounds of all streams take */
struct rounds_memory {
    size_t bytes;
    uint64_t refused; /* rounds and changes that were not taken */
};

/* Takes a round as the engine tells it, new or changed. `*rounds` is NULL at first. */
void rounds_put(struct rounds **rounds, const struct flow_round *round,
                struct rounds_memory *memory);
/* NULL is accepted */
void rounds_free(struct rounds *rounds);
/* What they come to as they are now; NULL: zero */
void rounds_sums(const struct rounds *rounds, struct round_sums *out);
/* Of these, times without an answer */
struct outages rounds_outages(const struct rounds *rounds);
/* The latest ones that went back to a PSN */
struct round_tries rounds_tries(const struct rounds *rounds, uint32_t psn);

#endif
