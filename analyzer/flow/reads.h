/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Requests that are answered with data at their own PSNs: READ, atomics, FLUSH, ATOMIC WRITE. A
 * sorted ring of the latest of one requester; tells which PSNs the responder has to answer.
 */
#ifndef FLOW_READS_H
#define FLOW_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/arena.h"

enum {
    READS_MAX = 4096, /* found by halves; answers pass each of them once */
    REPEATS_KEPT = 4,
};

struct read_request {
    int64_t u; /* first PSN, unwrapped */
    int64_t end;
    uint64_t frame; /* first copy */
    int64_t time_ns;
    uint32_t length; /* DMALen; 0 for others than READ, or unknown */
    uint32_t round;  /* of the latest repeat; 0: none */
    uint32_t repeats;
    bool atomic;
    bool open_end;                  /* length or PMTU unknown: `end` is a lower bound */
    bool answered;                  /* its last response was seen */
    int64_t repeat_u[REPEATS_KEPT]; /* PSNs from which it was repeated, the latest ones */
    uint64_t repeat_frame[REPEATS_KEPT];
};

struct reads {
    struct read_request *list; /* of the arena, sorted by u */
    uint32_t count;
    uint32_t room;
    uint32_t hint; /* where the latest answer was looked for; any number may stand here */
};

/* Adds in order; the oldest are forgotten when they are answered, or when there are READS_MAX. NULL
 * when memory is refused. */
struct read_request *reads_add(struct reads *reads, const struct read_request *request,
                               struct flow_arena *arena);
/* The request that PSN u belongs to, or NULL */
struct read_request *reads_find(const struct reads *reads, int64_t u);
/* Index of the first request that ends behind u (count when there is none) */
uint32_t reads_from(const struct reads *reads, int64_t u);
/* A request was sent again in `frame`, from PSN u on. */
void reads_repeat(struct read_request *read, int64_t u, uint64_t frame, uint32_t round);
/* Frame of the latest copy of the request that asks for PSN u */
uint64_t reads_asked_in(const struct read_request *read, int64_t u);
/* How often the answer to PSN u was asked for again, as far as is remembered */
uint32_t reads_repeats(const struct read_request *read, int64_t u);

#endif
