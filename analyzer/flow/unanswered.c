/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a requester asked for last and got no answer to, and what a responder asked for again and
 * did not get. Whether that is a fault is for others to say: the capture may end before it could
 * come.
 */
#include "flow/flow.h"

#include "flow/history.h"
#include "flow/stream.h"

static void add(struct flow_unanswered *out, uint64_t frame, int64_t time_ns, int64_t u)
{
    if (out->count == 0) {
        out->from_ns = time_ns;
        out->psn = wire_psn(u);
    }
    if (out->count < FLOW_UNANSWERED_FRAMES)
        out->frames[out->count] = frame;
    out->count++;
}

/* The requester of a stream that neither gave up nor was closed, or NULL */
static const struct requester *open_requester(const struct flow_engine *e, uint32_t stream)
{
    const struct stream *s = stream < e->stream_count ? e->streams[stream] : NULL;
    const struct requester *r = s != NULL ? s->requester : NULL;

    if (r == NULL || !r->started || s->torn_down_ns != NEVER || s->state != FLOW_STATE_OPEN)
        return NULL;
    return r;
}

/* A NAK or an RNR NAK of the PSN is an answer, but the packets behind it have none. */
static void look(const struct requester *r, struct flow_unanswered *out)
{
    int64_t u = r->acked == NEVER || r->acked < r->base ? r->base : r->acked;

    u = u < r->next - HISTORY_MAX ? r->next - HISTORY_MAX : u;
    for (; u < r->next; u++) {
        const struct seen *seen = history_find(&r->seen, u);
        const struct read_request *read =
            seen == NULL || r->reads.count == 0 ? NULL : reads_find(&r->reads, u);

        if (read != NULL && read->answered)
            continue;
        if (seen != NULL && ((seen->flags & SEEN_ASKS) != 0 || read != NULL))
            add(out, seen->frame, seen->time_ns, u);
    }
}

bool flow_unanswered_get(const struct flow_engine *e, uint32_t stream, struct flow_unanswered *out)
{
    const struct requester *r = open_requester(e, stream);

    *out = (struct flow_unanswered){0};
    if (r == NULL)
        return false;
    if (r->retries.u != NEVER && r->retries.rnr_naks > 0)
        return false; /* the receiver had no buffer: it did answer */
    look(r, out);
    out->timeout_ns = r->timeout_ns;
    return out->count > 0;
}

/* Whether the packet that a NAK asks for is still missing: a late one may have come meanwhile. Not
 * said of packets from before the capture, or from before what the history holds. */
static bool still_waits(const struct requester *r, const struct trigger *t,
                        const struct seen *packet)
{
    return !t->rnr && !t->gone_back && !t->resent && t->u >= r->base &&
           t->u >= r->next - HISTORY_MAX && (r->acked == NEVER || r->acked <= t->u) &&
           (packet == NULL || packet->time_ns <= t->time_ns);
}

bool flow_open_nak_get(const struct flow_engine *e, uint32_t stream, struct flow_open_nak *out)
{
    const struct requester *r = open_requester(e, stream);

    *out = (struct flow_open_nak){0};
    for (uint32_t i = 0; r != NULL && i < r->trigger_count; i++) {
        const struct trigger *t = &r->recovery->triggers[i];
        const struct seen *packet = history_find(&r->seen, t->u);

        if (!still_waits(r, t, packet))
            continue;
        *out = (struct flow_open_nak){.frame = t->frame,
                                      .time_ns = t->time_ns,
                                      .psn = wire_psn(t->u),
                                      .packet_frame = packet != NULL ? packet->frame : 0};
        return true;
    }
    return false;
}
