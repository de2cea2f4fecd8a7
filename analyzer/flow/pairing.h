/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which two streams are the two directions of one queue pair couple. A packet names only its
 * destination QPN, so pairing is inferred; every pairing keeps what it rests on (enum flow_pairing)
 * and is undone when that is contradicted.
 */
#ifndef FLOW_PAIRING_H
#define FLOW_PAIRING_H

#include "flow/stream.h"

enum {
    PAIRING_RECENT = 1 << 16, /* PSNs behind the latest request that a response may answer */
};

/* Whether a response at PSN u answers none that is too old, or from before the capture */
static inline bool pairing_is_recent(const struct requester *r, int64_t u)
{
    return u >= r->base && u + PAIRING_RECENT >= r->next;
}

/* A response of t answers a request of its peer. */
static inline void pairing_confirmed(struct stream *t)
{
    t->matches++;
    t->misses = 0;
}

/* A stream of a service that has connections got its first packet. */
void pairing_new_stream(struct flow_engine *e, struct stream *s);
/* The port of the stream's first packet that is no CNP */
void pairing_new_port(struct flow_engine *e, struct stream *s, uint16_t port);
/* The stream uses a second port: that both sides use one port is no evidence any more. */
void pairing_second_port(struct flow_engine *e, struct stream *s);
/* A response came: evidence for or against the stream's pairing, or for a new one. */
void pairing_response(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt);
/* Pairs two streams of opposite directions. */
void pairing_make(struct flow_engine *e, struct stream *a, struct stream *b, enum flow_pairing by);
/* The UDP source port that both sides of a connection use when it follows from their QPNs, as the
 * Linux kernel and several adapters compute it */
uint16_t pairing_hashed_port(uint32_t qpn_a, uint32_t qpn_b);

#endif
