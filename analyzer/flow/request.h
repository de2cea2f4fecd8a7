/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The request PSN space of a reliable stream (IBTA vol. 1, 9.7): gaps, resends, late originals,
 * copies.
 */
#ifndef FLOW_REQUEST_H
#define FLOW_REQUEST_H

#include "flow/stream.h"

enum {
    REQUEST_MARGIN = 64,  /* acknowledged PSNs that are remembered at least */
    REQUEST_UNACKED = 16, /* PSNs taken as not acknowledged where nothing tells */
};

/* A request packet whose PSN was not seen before */
struct request {
    uint64_t frame;
    int64_t time_ns;
    uint32_t print;
    uint32_t payload_size;
    uint16_t id;
    uint8_t opcode;
    bool asks; /* AckReq */
};

/* PSNs from here on have to be remembered when PSN u comes. */
static inline int64_t request_memory(const struct stream *s, int64_t u)
{
    const struct requester *r = s->requester;
    int64_t margin = (int64_t)s->c.max_outstanding_psns;
    int64_t from = r->acked == NEVER || r->acked > u ? u - REQUEST_UNACKED : r->acked;

    from -= margin > REQUEST_MARGIN ? margin : REQUEST_MARGIN;
    if (u < r->base) /* room for all from there to the latest */
        return r->next - u < REQUEST_MARGIN ? u - (r->next - u) : u;
    return from < r->base ? r->base : from;
}

/* Into its slot of the history (NULL: there is none) */
static inline void request_remember(struct requester *r, const struct request *q, int64_t u,
                                    struct seen *seen)
{
    bool wants_ack = q->asks || rdc_position_ends(rdc_opcode_table[q->opcode].position);

    r->bytes += q->payload_size;
    if (seen == NULL)
        return;
    history_set(seen, u, q->frame, q->time_ns, q->print, q->id,
                (uint8_t)((wants_ack ? SEEN_WANTS_ACK : 0) | (q->asks ? SEEN_ASKS : 0)));
    seen->bytes = (uint32_t)r->bytes;
}

/* `next` comes next, behind a new request. */
static inline void request_advance(struct stream *s, int64_t next, int64_t time_ns)
{
    struct requester *r = s->requester;

    r->next = next;
    r->last_new_ns = time_ns;
    if (r->acked == NEVER || next <= r->acked)
        return;
    if ((uint64_t)(next - r->acked) > s->c.max_outstanding_psns)
        s->c.max_outstanding_psns = (uint64_t)(next - r->acked);
    if (r->bytes - r->acked_bytes > s->c.max_outstanding_bytes)
        s->c.max_outstanding_bytes = r->bytes - r->acked_bytes;
}

/* The stream's requester, made when it has none; NULL when memory is refused. */
struct requester *request_state(struct flow_engine *e, struct stream *s);
/* A request packet of RC or XRC */
void request_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt);
/* Whether what the latest round repeated still waits for its acknowledgement */
static inline bool request_recovers(const struct requester *r)
{
    return r->round_count > 0 && !r->recovered;
}

/* request_acked.c: the peer acknowledged all PSNs below `acked` (`covered`: as far as a NAK implies
 * it). */
void request_acked(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                   int64_t acked, int64_t covered);
/* The same where it is the first to cover some, beside holes and rounds */
void request_covered(struct flow_engine *e, struct stream *s, int64_t time_ns, int64_t acked);
/* A new epoch: forgets PSNs, keeps counters. */
void request_restart(struct flow_engine *e, struct stream *s);
/* No more packets come. `end_ns`: time of the capture's last packet. */
void request_finish(struct flow_engine *e, struct stream *s);

#endif
