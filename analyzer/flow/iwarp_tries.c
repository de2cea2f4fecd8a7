/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes that a TCP sender sends again and again without an answer: its timer runs out (RFC 6298,
 * 5). From the second resend on each is told as a round, as those of InfiniBand and RoCE are. Other
 * resends of TCP are no rounds.
 */
#include "flow/iwarp.h"
#include "flow/stream.h"

enum {
    TOLD_FROM = 2, /* resends */
};

static void begin(struct iwarp_dir *d, const struct tcp_segment *seg, const struct tcp_verdict *v);
static void put_resend(struct iwarp_dir *d, const struct tcp_segment *seg,
                       const struct tcp_verdict *v, int64_t stall_ns);
static void join(struct iwarp_dir *d, const struct tcp_segment *seg);
static void tell(struct iwarp *w, struct iwarp_conn *conn, unsigned dir);

/* Go-back-N: what follows the bytes belongs to the try at them. A resend of what comes before them
 * shows that the sender began at the end (RFC 8985, 7: a tail loss probe), and now at the front. */
void iwarp_resent(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                  const struct tcp_segment *seg, const struct tcp_verdict *v)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct iwarp_tries *t = &d->tries;
    int64_t stall = seg->time_ns - t->latest.start_ns;

    if (t->resends == 0 || seg->pos < t->pos) {
        begin(d, seg, v);
    } else if (seg->pos > t->pos) {
        join(d, seg);
    } else if (tcp_track_timer_ran(&d->track, stall)) { /* else a copy, or asked for */
        if (t->resends == 1)
            t->first = t->latest;
        put_resend(d, seg, v, stall);
    }
    tell(w, conn, dir);
}

void iwarp_answered(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t acked)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct iwarp_tries *t = &d->tries;

    if (acked <= d->track.acked)
        d->answer_ns = w->pkt->time_ns;
    if (t->resends == 0 || (acked > d->track.acked && acked <= t->pos))
        return;
    t->latest.recovery_ns = w->pkt->time_ns - t->latest.start_ns;
    if (t->latest.recovery_ns < 0)
        t->latest.recovery_ns = 0;
    tell(w, conn, dir);
    t->resends = 0;
}

/* The copy before counts as a try when the timer ran since, and no answer came. */
static void begin(struct iwarp_dir *d, const struct tcp_segment *seg, const struct tcp_verdict *v)
{
    int64_t stall = v->unseen || v->latest_ns == 0 ? -1 : seg->time_ns - v->latest_ns;
    bool answered = stall >= 0 && d->answer_ns > v->latest_ns;

    d->tries.resends = 0;
    d->tries.pos = seg->pos;
    put_resend(d, seg, v, stall);
    d->tries.latest.answered = answered;
    d->tries.latest.original_seen = tcp_track_timer_ran(&d->track, stall) && !answered;
    if (!d->tries.latest.original_seen)
        d->tries.latest.stall_ns = -1;
}

static void put_resend(struct iwarp_dir *d, const struct tcp_segment *seg,
                       const struct tcp_verdict *v, int64_t stall_ns)
{
    d->tries.resends++;
    d->tries.latest = (struct flow_round){.trigger = FLOW_TRIGGER_TIMEOUT,
                                          .certain = v->certain,
                                          .original_seen = true,
                                          .lost = v->unseen ? FLOW_LOST_BEFORE : FLOW_LOST_REQUEST,
                                          .psn = (uint32_t)seg->pos,
                                          .end_psn = (uint32_t)(seg->pos + seg->size),
                                          .first_frame = seg->frame,
                                          .start_ns = seg->time_ns,
                                          .nak_delay_ns = -1,
                                          .resend_delay_ns = -1,
                                          .stall_ns = stall_ns,
                                          .recovery_ns = -1};
    join(d, seg);
}

static void join(struct iwarp_dir *d, const struct tcp_segment *seg)
{
    struct flow_round *r = &d->tries.latest;

    r->last_frame = seg->frame;
    r->last_ns = seg->time_ns;
    r->packets++;
    r->bytes += seg->size;
}

static void tell_round(struct iwarp *w, struct iwarp_dir *d, uint32_t stream, struct flow_round *r)
{
    r->stream = stream;
    if (r->number == 0)
        r->number = ++d->rounds;
    w->engine->sink.round(w->engine->sink.context, r);
}

static void tell(struct iwarp *w, struct iwarp_conn *conn, unsigned dir)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct iwarp_tries *t = &d->tries;

    if (w->engine->sink.round == NULL || !conn->mpa.known || t->resends < TOLD_FROM)
        return;
    if (t->first.number == 0)
        tell_round(w, d, iwarp_stream(conn, dir), &t->first);
    tell_round(w, d, iwarp_stream(conn, dir), &t->latest);
}
