/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Streams that go on as they did. Nearly all packets of a healthy connection are the ones that come
 * next: a request with the next PSN, an acknowledgement of requests that wait, the next answer to a
 * READ. For those the rules of request.c and response.c come down to a few sums, which are made
 * here of the packet in brief. Whatever else comes is looked at whole; both ways lead to the same
 * state.
 */
#ifndef FLOW_STEADY_H
#define FLOW_STEADY_H

#include "flow/stream.h"
#include "rdc/brief.h"

/* What the engine knows of the packets of a context */
struct known {
    struct stream *stream; /* theirs; NULL: nothing is known of the context */
    uint64_t path;         /* their flow_path_word() */
    uint32_t number;       /* of the stream */
    uint32_t interface;
    uint16_t port; /* UDP source port */
};

/* Packet `index` of a batch, which is in brief; says what it is. False: it has to be looked at
 * whole, and nothing has changed. */
bool steady_packet(struct flow_engine *e, struct flow_batch *batch, size_t index);

/* The packet at hand, which was looked at whole, has a context. */
void steady_learn(struct flow_engine *e, uint32_t context, const struct rdc_packet *pkt);

#endif
