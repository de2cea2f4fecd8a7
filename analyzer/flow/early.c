/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Acknowledgements that were recorded too early (see early.h).
 */
#include "flow/early.h"

#include <string.h>

#include "flow/message.h"
#include "flow/stream.h"
#include "flow/trigger.h"

enum {
    FIRST_ROOM = 4,
};

static void take_out(struct requester *r, uint32_t count)
{
    struct early_acks *acks = &r->early;

    acks->count -= count;
    memmove(acks->list, acks->list + count, acks->count * sizeof(*acks->list));
    r->early_waits = acks->count > 0;
}

void early_ack(struct flow_engine *e, struct stream *s, uint32_t by, const struct rdc_packet *pkt,
               uint64_t number, uint32_t count)
{
    struct requester *r = s->requester;
    struct early_acks *acks = &r->early;
    struct early *list;

    if (acks->count == EARLY_MAX)
        return;
    list =
        flow_arena_room(&e->arena, acks->list, sizeof(*list), acks->count, &acks->room, FIRST_ROOM);
    if (list == NULL)
        return;
    acks->list = list;
    list[acks->count++] = (struct early){.from = r->acked > r->next ? r->acked : r->next,
                                         .end = r->next + count,
                                         .number = number,
                                         .frame = pkt->frame,
                                         .time_ns = pkt->time_ns,
                                         .stream = by,
                                         .count = count};
    r->early_waits = true;
}

void early_hole(struct requester *r, int64_t from, int64_t end)
{
    struct early_acks *acks = &r->early;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < acks->count; i++)
        if (acks->list[i].from >= end || acks->list[i].end <= from)
            acks->list[kept++] = acks->list[i];
    acks->count = kept;
    r->early_waits = kept > 0;
}

/* When it was recorded tells nothing of when its messages were acknowledged. */
static void withdraw(struct flow_engine *e, struct stream *s, const struct early *early)
{
    const struct flow_event event = {.kind = FLOW_ACKED_EARLY,
                                     .frame = early->frame,
                                     .time_ns = early->time_ns,
                                     .stream = early->stream,
                                     .psn = wire_psn(early->end - 1),
                                     .count = early->count,
                                     .certain = true};

    s->c.acked_unseen--;
    s->c.acked_early++;
    message_acked(&s->requester->messages, &e->arena, NULL, early->end, early->time_ns);
    if (e->sink.amend != NULL)
        e->sink.amend(e->sink.context, early->number, &event);
}

/* What it acknowledges came so much later: too soon for a resend, none of which was seen since, nor
 * is it another copy of what the capture missed. */
static bool was_early(const struct flow_engine *e, const struct requester *r,
                      const struct early *early, int64_t lag_ns)
{
    int64_t timeout_ns = trigger_timeout(r);
    int64_t limit_ns = timeout_ns > 0 && timeout_ns < SILENCE_NS ? timeout_ns : SILENCE_NS;

    return lag_ns >= 0 && lag_ns < limit_ns && !r->in_round && r->last_resent_ns < early->time_ns &&
           !engine_captured_twice(e);
}

void early_request(struct flow_engine *e, struct stream *s, int64_t time_ns)
{
    struct requester *r = s->requester;
    struct early_acks *acks = &r->early;
    uint32_t done = 0;

    for (; done < acks->count && acks->list[done].end <= r->next; done++) {
        int64_t lag_ns = time_ns - acks->list[done].time_ns;

        if (!was_early(e, r, &acks->list[done], lag_ns))
            continue;
        withdraw(e, s, &acks->list[done]);
        if (lag_ns > s->c.acked_early_ns)
            s->c.acked_early_ns = lag_ns;
    }
    if (done > 0)
        take_out(r, done);
}

void early_finish(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;

    if (r == NULL || !r->early_waits || s->c.acked_early == 0)
        return;
    for (uint32_t i = 0; i < r->early.count; i++) {
        const struct early *early = &r->early.list[i];

        if (e->summary.last_ns - early->time_ns > s->c.acked_early_ns)
            continue;
        withdraw(e, s, early);
        if (early->end == r->acked)
            r->acked = r->next;
    }
    early_forget(r);
}

void early_forget(struct requester *r)
{
    r->early.count = 0;
    r->early_waits = false;
}
