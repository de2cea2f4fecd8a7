/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Retransmission rounds of a requester: how far it went back, and how far it has come.
 */
#ifndef FLOW_ROUND_H
#define FLOW_ROUND_H

#include "flow/stream.h"

/* A new request, PSN [u, end), went out in sequence: what it passes is answered. */
void round_passed(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u);
/* What is kept of resends, made when there is nothing yet; NULL when memory is refused. */
struct recovery *recovery_state(struct flow_engine *e, struct requester *r);
/* A request packet [u, end) is a resend: returns the round it belongs to, a new one where it is a
 * step back; NULL when memory is refused. `original_seen`: an earlier copy, or the READ that it
 * asks for the rest of, is on the capture. */
struct round_state *round_resend(struct flow_engine *e, struct stream *s,
                                 const struct rdc_packet *pkt, int64_t u, int64_t end,
                                 bool original_seen, bool read_like, bool use_id);
/* That packet was lost before it came here, as is counted: so was the beginning of a round that
 * begins with it. */
void round_began_lost(struct flow_engine *e, struct requester *r, uint64_t frame);
/* PSN u filled a hole in the current round, number `round`, and comes again although nothing new
 * asks for it: the first was its late original, and the round begins only now. */
bool round_repeats(struct stream *s, const struct rdc_packet *pkt, int64_t u, uint16_t round);
/* The latest packet of the current round, PSN u, filled a hole, and may be a late original. `more`
 * is what the history tells of it. */
void round_filled(struct requester *r, int64_t u, struct seen_more *more);
/* What filled a hole in the current round was the late original, not a resend. */
void late_after_all(struct flow_engine *e, struct stream *s, struct seen *seen);
/* What filled a hole, and may prove late, closed it. */
void round_closed(struct flow_engine *e, struct requester *r, const struct closing *closing);
/* There are rounds that were not recovered. All PSNs below `acked` are acknowledged now: those that
 * waited for it are recovered. */
void round_acked(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                 int64_t acked, bool again);
/* A new epoch: nothing that comes answers or completes what there was. */
void round_restart(struct flow_engine *e, struct requester *r);

/* round_loss.c: what got lost behind the tap, as far as it shows (enum flow_round_loss): `round`
 * begins, `before` was the one before it, or NULL. `peer`: the stream that answers, or NULL. */
uint8_t round_loss(const struct stream *s, const struct stream *peer,
                   const struct round_state *round, const struct round_state *before,
                   bool read_like);

static inline struct round_state *round_current(struct requester *r)
{
    return r->round_count == 0 ? NULL : &r->recovery->rounds[r->round_count % ROUNDS_KEPT];
}

#endif
