/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What got lost behind the tap, so that a requester went back: see "lost_after_tap" in
 * docs/analysis.md.
 */
#include "flow/round.h"
#include "flow/trigger.h"

/* A packet that went out again in the round before: did it pass here in that, `since` that frame?
 * If not, nothing says that it got lost behind this point. */
static bool passed_since(const struct history *h, const struct seen *seen, uint64_t since)
{
    return history_latest_frame(h, seen) >= since;
}

static bool is_in(const struct round_state *round, int64_t u)
{
    return round != NULL && u >= round->u && u < round->end;
}

/* Where the responses that answer a round begin: those before it may still be on their way when
 * its READ passes. */
static uint64_t first_response(const struct history *h, const struct round_state *round)
{
    const struct seen *first = history_find(h, round->u);
    uint64_t frame = first != NULL ? history_latest_frame(h, first) : 0;

    return frame > round->report.first_frame ? frame : round->report.first_frame;
}

/* A READ or atomic goes out again: its first response passed here, and got lost behind it. */
static bool lost_response(const struct requester *r, const struct history *responses,
                          const struct round_state *round, const struct round_state *before)
{
    const struct read_request *read = reads_find(&r->reads, round->u);
    const struct seen *seen = history_find(responses, round->u);

    return read != NULL && (!is_in(before, round->u) ||
                            passed_since(responses, seen, first_response(responses, before)));
}

/* Request u passed here, and got lost behind it. */
static bool got_lost(const struct requester *r, int64_t u, const struct round_state *before)
{
    const struct seen *seen = history_find(&r->seen, u);

    return seen != NULL && (!is_in(before, u) || u > before->pos ||
                            passed_since(&r->seen, seen, before->report.first_frame));
}

/* A copy that passes behind a NAK is not what the NAK misses. */
static bool passed_behind(const struct history *h, const struct trigger *nak)
{
    const struct seen *seen = history_find(h, nak->u);

    return seen != NULL && history_latest_frame(h, seen) > nak->frame;
}

static bool lost_request(const struct requester *r, const struct round_state *round,
                         const struct round_state *before)
{
    uint8_t trigger = round->report.trigger;
    const struct trigger *nak = trigger == FLOW_TRIGGER_NAK ? trigger_nak(r, round->u) : NULL;

    if (trigger == FLOW_TRIGGER_READ) { /* an answer was lost; was that all? */
        nak = trigger_within(r, round->u, round->end);
        return nak != NULL && got_lost(r, nak->u, before);
    }
    return round->report.original_seen &&
           (trigger == FLOW_TRIGGER_NAK || trigger == FLOW_TRIGGER_TIMEOUT) &&
           !(r->retries.u == round->u && r->retries.rnr_naks > 0) &&
           (nak == NULL || !passed_behind(&r->seen, nak)) &&
           got_lost(r, nak != NULL ? nak->u : round->u, before);
}

/* A requester goes back, after its timeout, to what was acknowledged: it missed that answer. Was it
 * a NAK, the packet that this asks for is lost, too. */
static uint8_t lost_answer(const struct requester *r, const struct round_state *before)
{
    const struct trigger *nak = trigger_nak(r, r->acked);

    return nak != NULL && !nak->rnr && got_lost(r, nak->u, before) ? FLOW_LOST_REQUEST
                                                                   : FLOW_LOST_ANSWER;
}

uint8_t round_loss(const struct stream *s, const struct stream *peer,
                   const struct round_state *round, const struct round_state *before,
                   bool read_like)
{
    const struct requester *r = s->requester;

    if (read_like && peer != NULL && peer->responder != NULL &&
        history_find(&peer->responder->seen, round->u) != NULL) {
        if (!lost_response(r, &peer->responder->seen, round, before))
            return FLOW_LOST_UNKNOWN;
        /* answers to atomics count in no sum of lost packets */
        return reads_find(&r->reads, round->u)->atomic ? FLOW_LOST_ANSWER : FLOW_LOST_RESPONSE;
    }
    if (!read_like && round->report.trigger == FLOW_TRIGGER_TIMEOUT && round->u < r->acked)
        return lost_answer(r, before);
    return lost_request(r, round, before) ? FLOW_LOST_REQUEST : FLOW_LOST_UNKNOWN;
}
