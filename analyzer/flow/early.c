/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Acknowledgements that were recorded too early (see early.h).
 */
#include "flow/early.h"

#include <string.h>

#include "flow/message.h"
#include "flow/stream.h"

enum {
    FIRST_ROOM = 4,
};

static void forget(struct early_acks *acks, uint32_t count)
{
    acks->count -= count;
    memmove(acks->list, acks->list + count, acks->count * sizeof(*acks->list));
}

void early_ack(struct flow_engine *e, struct stream *s, uint32_t by, const struct rdc_packet *pkt,
               uint64_t number, int64_t end)
{
    struct early_acks *acks = &s->requester->early;
    int64_t next = s->requester->next;
    struct early *list;

    if (acks->count > 0 && acks->list[acks->count - 1].end > next)
        next = acks->list[acks->count - 1].end;
    if (acks->count == EARLY_MAX)
        forget(acks, 1);
    list =
        flow_arena_room(&e->arena, acks->list, sizeof(*list), acks->count, &acks->room, FIRST_ROOM);
    if (list == NULL)
        return;
    acks->list = list;
    list[acks->count++] = (struct early){.from = next,
                                         .end = end,
                                         .number = number,
                                         .frame = pkt->frame,
                                         .time_ns = pkt->time_ns,
                                         .stream = by};
}

void early_hole(struct early_acks *acks, int64_t from, int64_t end)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < acks->count; i++)
        if (acks->list[i].from >= end || acks->list[i].end <= from)
            acks->list[kept++] = acks->list[i];
    acks->count = kept;
}

/* When it was recorded tells nothing of when its messages were acknowledged. */
static void withdraw(struct flow_engine *e, struct stream *s, const struct early *early,
                     int64_t lag_ns)
{
    const struct flow_event event = {.kind = FLOW_ACKED_EARLY,
                                     .frame = early->frame,
                                     .time_ns = early->time_ns,
                                     .stream = early->stream,
                                     .psn = wire_psn(early->end - 1),
                                     .count = (uint32_t)(early->end - early->from),
                                     .certain = true};

    s->c.acked_unseen--;
    s->c.acked_early++;
    if (lag_ns > s->c.acked_early_ns)
        s->c.acked_early_ns = lag_ns;
    message_acked(&s->requester->messages, &e->arena, NULL, early->end, early->time_ns);
    if (e->sink.amend != NULL)
        e->sink.amend(e->sink.context, early->number, &event);
}

void early_request(struct flow_engine *e, struct stream *s, int64_t time_ns)
{
    struct early_acks *acks = &s->requester->early;
    uint32_t done = 0;

    for (; done < acks->count && acks->list[done].end <= s->requester->next; done++) {
        int64_t lag_ns = time_ns - acks->list[done].time_ns;

        if (lag_ns < SILENCE_NS)
            withdraw(e, s, &acks->list[done], lag_ns);
    }
    if (done > 0)
        forget(acks, done);
}
