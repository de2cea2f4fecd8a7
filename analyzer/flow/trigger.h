/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes a requester go back: NAKs and RNR NAKs that wait for their answer, answers beyond a
 * missing one, silence.
 */
#ifndef FLOW_TRIGGER_H
#define FLOW_TRIGGER_H

#include "flow/stream.h"

/* A NAK (sequence error) or RNR NAK for PSN u of s's requests came. */
void trigger_add(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u,
                 bool rnr);
/* Whether something explains that PSN u comes again now: a trigger that waits, a running round,
 * silence. `read_like`: the packet is a READ or atomic request. */
bool trigger_pending(const struct stream *s, const struct rdc_packet *pkt, int64_t u,
                     bool read_like);
/* A response for PSN u came; `ack`: without data. */
static inline void trigger_evidence(struct requester *r, int64_t u, uint64_t frame, int64_t time_ns,
                                    bool ack)
{
    if (u > r->evidence.beyond || (u == r->evidence.beyond && ack && !r->evidence.ack))
        r->evidence = (struct read_evidence){u, frame, time_ns, ack};
}

/* The same, told by the packet */
void trigger_response(struct requester *r, const struct rdc_packet *pkt, int64_t u);
/* Whether such responses show that the answer with data to PSN u was lost */
bool trigger_answer_missing(const struct requester *r, int64_t u);
/* Shorter pauses than this are no timeouts. */
int64_t trigger_least_silence(const struct stream *s);
/* The acknowledgement timeout: of the set-up, or learned; 0: not known */
int64_t trigger_timeout(const struct requester *r);
/* The NAK that explains a round that begins at PSN u, or NULL; valid until the next call */
const struct trigger *trigger_nak(const struct requester *r, int64_t u);
/* A NAK of a PSN in [u, end) that has not gone out again since, or NULL */
const struct trigger *trigger_within(const struct requester *r, int64_t u, int64_t end);
/* Whether a NAK of just this PSN, not older than that, waits */
bool trigger_waits(const struct requester *r, int64_t u, int64_t since_ns);
/* A round begins at PSN u. */
void trigger_answered(struct requester *r, int64_t u);
/* A round that began before sends PSN u again; `use_id`: IP identifications tell the order. */
void trigger_repeated(struct requester *r, const struct rdc_packet *pkt, int64_t u, bool use_id);
/* The stream sent PSN u, as new or within a round. */
void trigger_passed(struct requester *r, int64_t u);

#endif
