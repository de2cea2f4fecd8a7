/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Marks, notifications and rates (see congestion.h).
 */
#include "flow/congestion.h"

#include "flow/stream.h"

enum {
    PENDING_MAX = 24, /* notifications within 1 ms that wait for the rate after them */
};

#define WINDOW_NS INT64_C(1000000)

/* A notification whose millisecond is not over yet */
struct pending {
    int64_t time_ns;
    uint64_t frame;
    uint64_t bytes; /* of the stream, when it came */
    int64_t before; /* bit/s; -1: unknown */
};

/* What nearly every data packet looks at comes first. */
struct congestion {
    int64_t fell_from; /* bit/s; 0: no fall of the rate is going on */
    uint8_t first, count;
    bool fell; /* the rate was seen below 90 % */
    struct flow_reaction reaction;
    int64_t fell_ns;         /* the notification that began the fall */
    int64_t looked_at;       /* part of a millisecond in which it was last looked at */
    int64_t ce_ns;           /* first mark since the latest notification; NEVER */
    int64_t noticed_ns;      /* latest notification that throttled this stream; NEVER */
    struct pending *pending; /* owned, of PENDING_MAX; lazily */
    struct flow_notices notices;
};

static struct congestion *state(struct flow_engine *e, struct stream *s)
{
    if (s->congestion == NULL &&
        (s->congestion = flow_arena_new(&e->arena, sizeof(*s->congestion))) != NULL)
        s->congestion->ce_ns = s->congestion->noticed_ns = NEVER;
    return s->congestion;
}

static int64_t bits_per_second(uint64_t bytes)
{
    return (int64_t)(bytes * 8 * (1000000000 / WINDOW_NS));
}

/* ------------------------------------------------------------------ the sender's rate */

static void settle(struct congestion *c, const struct pending *p, uint64_t bytes,
                   struct flow_arena *arena)
{
    struct flow_reaction *r = &c->reaction;
    int64_t after = bits_per_second(bytes - p->bytes);

    flow_histogram_add(&r->rate_after, after, arena);
    if (p->before <= 0) /* who sends nothing can't slow down */
        return;
    if (after < p->before / 20 * 19)
        r->slowed++;
    else if (r->not_slowed++ == 0)
        r->not_slowed_frame = p->frame;
    if (c->fell_from != 0 && after < c->fell_from / 10 * 9)
        c->fell = true;
}

/* Notifications whose millisecond ended before this time; `bytes` were sent until then */
static void settle_pending(struct congestion *c, int64_t now, uint64_t bytes,
                           struct flow_arena *arena)
{
    while (c->count > 0 && now - c->pending[c->first].time_ns > WINDOW_NS) {
        settle(c, &c->pending[c->first], bytes, arena);
        c->first = (uint8_t)((c->first + 1) % PENDING_MAX);
        c->count--;
    }
}

static void recover(struct flow_engine *e, struct stream *s, struct congestion *c, int64_t now)
{
    if (now - c->fell_ns <= WINDOW_NS || c->looked_at == s->series->part_ns)
        return;
    c->looked_at = s->series->part_ns;
    if (!c->fell) { /* it never fell: nothing to recover from */
        if (c->count == 0)
            c->fell_from = 0;
    } else if (bits_per_second(flow_series_recent(s->series, now)) >= c->fell_from / 10 * 9) {
        flow_histogram_add(&c->reaction.rate_recovery, now - c->fell_ns, &e->arena);
        c->fell_from = 0;
        c->fell = false;
    }
    c->reaction.recovering = c->fell;
}

void congestion_fetch_all(const struct congestion *c)
{
    flow_arena_fetch(c, sizeof(*c));
}

void congestion_finish(struct flow_engine *e, struct stream *s)
{
    if (s->congestion != NULL)
        settle_pending(s->congestion, e->summary.last_ns, s->c.wire_bytes, &e->arena);
}

static void follow_rate(struct flow_engine *e, struct stream *s, struct congestion *c,
                        int64_t time_ns, uint32_t wire_size)
{
    if (c->count > 0)
        settle_pending(c, time_ns, s->c.wire_bytes - wire_size, &e->arena);
    if (c->fell_from != 0 && s->series != NULL)
        recover(e, s, c, time_ns);
}

/* -1: the capture does not show all of the millisecond */
static int64_t rate_before(const struct flow_engine *e, const struct stream *s, int64_t now)
{
    if (s->series == NULL || now - e->summary.first_ns < WINDOW_NS)
        return -1;
    return bits_per_second(flow_series_recent(s->series, now));
}

static void begin_window(struct flow_engine *e, struct stream *s, struct congestion *c,
                         const struct rdc_packet *pkt)
{
    struct pending p = {pkt->time_ns, pkt->frame, s->c.wire_bytes, rate_before(e, s, pkt->time_ns)};

    settle_pending(c, pkt->time_ns, s->c.wire_bytes, &e->arena);
    if (p.before >= 0)
        flow_histogram_add(&c->reaction.rate_before, p.before, &e->arena);
    if (c->fell_from == 0 && p.before > 0) {
        c->fell_from = p.before;
        c->fell_ns = pkt->time_ns;
        c->fell = false;
    }
    if (c->pending == NULL)
        c->pending = flow_arena_new(&e->arena, PENDING_MAX * sizeof(*c->pending));
    if (c->pending != NULL && c->count < PENDING_MAX)
        c->pending[(c->first + c->count++) % PENDING_MAX] = p;
}

/* ------------------------------------------------------------------ marks and notifications */

static void count_mark(struct congestion *c, int64_t time_ns, bool ect, bool marked)
{
    struct flow_mark_bin *bin = flow_marks_at(&c->reaction.marks, time_ns);

    bin->packets++;
    bin->ect += ect;
    bin->ce += marked;
}

void congestion_mark(struct flow_engine *e, struct stream *s, uint64_t frame, int64_t time_ns)
{
    struct congestion *c = state(e, s);

    if (c == NULL)
        return;
    if (c->reaction.ce_unanswered++ == 0)
        c->reaction.ce_unanswered_frame = frame;
    if (c->ce_ns == NEVER)
        c->ce_ns = time_ns;
}

void congestion_data(struct flow_engine *e, struct stream *s, int64_t time_ns, uint32_t wire_size,
                     bool ect, bool marked)
{
    count_mark(s->congestion, time_ns, ect, marked);
    follow_rate(e, s, s->congestion, time_ns, wire_size);
}

static void note_interval(struct flow_notices *n, const struct rdc_packet *pkt,
                          struct flow_arena *arena)
{
    int64_t interval = pkt->time_ns - n->last_ns;

    if (n->count++ > 0 && interval >= 0) {
        if (n->interval.count == 0 || interval < n->interval_min_ns)
            n->interval_min_ns = interval;
        if (interval < FLOW_CNP_CLOSE_NS && n->close++ == 0)
            n->close_frame = pkt->frame;
        flow_histogram_add(&n->interval, interval, arena);
    }
    n->last_ns = pkt->time_ns;
}

/* A mark from before the latest notification of a time when the stream it means was not known yet
 * tells nothing: another one may have answered it. */
static void note_delay(struct congestion *c, int64_t previous_ns, const struct rdc_packet *pkt,
                       struct flow_arena *arena)
{
    struct flow_reaction *r = &c->reaction;
    bool followed = c->noticed_ns == previous_ns;

    if (c->ce_ns != NEVER && (followed || c->ce_ns > previous_ns))
        flow_histogram_add(&r->ce_to_cnp, pkt->time_ns - c->ce_ns, arena);
    else if (c->ce_ns == NEVER)
        r->notices_without_ce++;
    r->notices++;
    r->ce_unanswered = r->ce_unanswered_frame = 0;
    c->ce_ns = NEVER;
    c->noticed_ns = pkt->time_ns;
}

void congestion_notice(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    struct stream *sender = stream_peer(e, s);
    struct congestion *c = state(e, s);
    int64_t previous_ns;

    if (c == NULL)
        return;
    previous_ns = c->notices.count > 0 ? c->notices.last_ns : NEVER;
    note_interval(&c->notices, pkt, &e->arena);
    if (sender == NULL || (c = state(e, sender)) == NULL)
        return;
    flow_marks_at(&c->reaction.marks, pkt->time_ns)->notices++;
    note_delay(c, previous_ns, pkt, &e->arena);
    begin_window(e, sender, c, pkt);
}

const struct flow_notices *congestion_notices(const struct stream *s)
{
    return s->congestion != NULL && s->congestion->notices.count > 0 ? &s->congestion->notices
                                                                     : NULL;
}

const struct flow_reaction *congestion_reaction(const struct stream *s)
{
    if (s->congestion == NULL)
        return NULL;
    flow_marks_settle(&s->congestion->reaction.marks);
    return &s->congestion->reaction;
}
