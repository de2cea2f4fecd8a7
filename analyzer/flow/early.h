/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Acknowledgements of requests that were not seen yet. Either the capture missed these; or it
 * recorded the two directions out of step, with queues, ports or clocks of their own, and they are
 * right behind: then the acknowledgement was early, and nothing is missing.
 */
#ifndef FLOW_EARLY_H
#define FLOW_EARLY_H

#include <stdint.h>

#include "flow/arena.h"

struct flow_engine;
struct rdc_packet;
struct requester;
struct stream;

enum {
    EARLY_MAX = 256, /* of one requester that wait; more are what they seem to be */
};

/* One that was reported as FLOW_ACKED_UNSEEN */
struct early {
    int64_t from, end; /* PSNs that it was the first to acknowledge */
    uint64_t number;   /* of the event */
    uint64_t frame;
    int64_t time_ns;
    uint32_t stream; /* that sent it */
    uint32_t count;  /* as the event says */
};

struct early_acks {
    struct early *list; /* of the arena, in the order of their PSNs */
    uint32_t count, room;
};

/* A packet of the stream of index `by` acknowledges `count` PSNs of `s` from the next one on, which
 * the event of that number reported. Without memory for it, that is what it stays. Before
 * request_acked() */
void early_ack(struct flow_engine *e, struct stream *s, uint32_t by, const struct rdc_packet *pkt,
               uint64_t number, uint32_t count);

/* PSNs from `from` to `end` did not come when they should have: they are missing indeed. */
void early_hole(struct requester *r, int64_t from, int64_t end);

/* The requests of `s` came up to its next PSN. Acknowledgements of these were early, if it was not
 * long ago; else what came may be the resend of a packet that the capture missed. */
void early_request(struct flow_engine *e, struct stream *s, int64_t time_ns);

/* The capture ends. In a stream with early ones, what the latest of them acknowledge was recorded
 * behind its end. */
void early_finish(struct flow_engine *e, struct stream *s);

/* PSNs, or who answers them, begin anew: those that wait are what they seem to be. */
void early_forget(struct requester *r);

#endif
