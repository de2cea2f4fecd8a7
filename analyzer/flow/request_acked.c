/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an acknowledgement means for the requests (see request.h).
 */
#include "flow/message.h"
#include "flow/request.h"
#include "flow/round.h"
#include "flow/verdict.h"

/* Holes that an acknowledgement covers were delivered: the capture missed them. */
static void close_delivered(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                            int64_t acked)
{
    struct requester *r = s->requester;

    for (uint32_t i = 0; i < r->holes.count && r->holes.list[i].u < acked; i++) {
        struct hole *hole = &r->holes.list[i];

        if (hole->not_captured || hole->nak)
            continue;
        if (acked < hole->end)
            return; /* partly covered: wait for the rest */
        hole_close(e, s, pkt, &r->holes, hole, hole->u, hole->end, FLOW_HOLE_NOT_CAPTURED, true);
    }
}

/* Tells the sink which packets an acknowledgement of all below `acked` is the first to cover */
static void tell_acked(struct flow_engine *e, const struct requester *r,
                       const struct rdc_packet *pkt, int64_t acked)
{
    int64_t end = acked < r->next ? acked : r->next;
    int64_t u = r->acked == NEVER || r->acked < r->base ? r->base : r->acked;

    for (u = u < end - HISTORY_MAX ? end - HISTORY_MAX : u; u < end; u++) {
        const struct seen *seen = history_find(&r->seen, u);
        uint64_t latest;

        if (seen == NULL)
            continue;
        latest = history_latest_frame(&r->seen, seen);
        e->sink.acknowledged(e->sink.context, seen->frame, pkt->frame);
        if (latest != seen->frame)
            e->sink.acknowledged(e->sink.context, latest, pkt->frame);
    }
}

void request_covered(struct flow_engine *e, struct stream *s, int64_t time_ns, int64_t acked)
{
    struct requester *r = s->requester;
    const struct seen *seen = history_find(&r->seen, acked - 1);

    if (r->retries.u != NEVER && acked > r->retries.u)
        r->retries = (struct retries){.u = NEVER};
    r->acked = acked;
    if (seen != NULL && (seen->flags & SEEN_UNCERTAIN) == 0) {
        uint64_t sent = r->bytes - ((uint32_t)r->bytes - seen->bytes);

        r->acked_bytes = sent > r->acked_bytes ? sent : r->acked_bytes;
    }
    if (r->messages.count > 0)
        message_acked(&r->messages, &e->arena, s->times, acked, time_ns);
}

void request_acked(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                   int64_t acked, int64_t covered)
{
    struct requester *r = s->requester;

    if (r->holes.open > 0)
        close_delivered(e, s, pkt, acked);
    if (covered > r->covered)
        r->covered = covered;
    if (acked <= r->acked) {
        if (request_recovers(r))
            round_acked(e, s, pkt, acked, true);
        return;
    }
    if (e->sink.acknowledged != NULL)
        tell_acked(e, r, pkt, acked);
    request_covered(e, s, pkt->time_ns, acked);
    if (request_recovers(r))
        round_acked(e, s, pkt, acked, false);
}
