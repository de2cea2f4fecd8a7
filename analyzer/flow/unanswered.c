/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a requester asked for last and got no answer to. Whether that is a fault is for others to
 * say: the capture may end before the answer could come.
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
    const struct stream *s = stream < e->stream_count ? e->streams[stream] : NULL;
    const struct requester *r = s != NULL ? s->requester : NULL;

    *out = (struct flow_unanswered){0};
    if (r == NULL || !r->started || s->torn_down_ns != NEVER || s->state != FLOW_STATE_OPEN)
        return false;
    if (r->retries.u != NEVER && r->retries.rnr_naks > 0)
        return false; /* the receiver had no buffer: it did answer */
    look(r, out);
    out->timeout_ns = r->timeout_ns;
    return out->count > 0;
}
