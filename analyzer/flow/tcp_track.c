/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Segments of one side of a TCP connection (see tcp_track.h).
 */
#include "flow/tcp_track.h"

#include <stdlib.h>
#include <string.h>

#include "rdc/crc.h"
#include "rdc/wire.h"

enum {
    FIRST_ROOM = 8,
    ID_STEP = 4096,
};

#define COPY_NS ((int64_t)1000000000) /* longest delay of a copy */
#define LATE_NS ((int64_t)3000000)    /* longest delay of an original, when nothing else tells */

static uint32_t print_of(const struct tcp_segment *seg);
static const struct tcp_sent *same_packet(const struct tcp_track *t, const struct tcp_segment *seg,
                                          uint32_t print);
static void find_first(const struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                       struct tcp_verdict *v);
static bool is_late_original(struct tcp_track *t, const struct tcp_segment *seg,
                             struct tcp_verdict *v);
static void remember(struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                     const struct tcp_verdict *v);
static void mark_waiting(struct tcp_track *t);
static void note_id(struct tcp_track *t, const struct tcp_segment *seg);
static void judge_fill(const struct tcp_track *t, const struct tcp_segment *seg,
                       const struct tcp_mark *after, int64_t reorder_window_ns,
                       struct tcp_verdict *v);
static void judge_new(const struct tcp_track *t, const struct tcp_stream *s,
                      const struct tcp_segment *seg, int64_t reorder_window_ns,
                      struct tcp_verdict *v);

void tcp_track_done(struct tcp_track *t)
{
    free(t->ring);
    *t = (struct tcp_track){0};
}

void tcp_track_reset(struct tcp_track *t)
{
    struct tcp_sent *ring = t->ring;
    uint32_t room = t->room;

    *t = (struct tcp_track){.ring = ring, .room = room};
}

struct tcp_verdict tcp_track_segment(struct tcp_track *t, const struct tcp_stream *s,
                                     const struct tcp_segment *seg, int64_t reorder_window_ns)
{
    struct tcp_verdict v = {.class = TCP_IN_ORDER, .certain = true};
    uint32_t print = print_of(seg);
    const struct tcp_sent *original;
    struct tcp_run *behind;

    v.seen = tcp_stream_seen(s, seg->pos, seg->size, &behind);
    if (seg->pos + seg->size <= s->front->begin && behind != NULL &&
        !tcp_track_in_gap(t, seg->pos, seg->size))
        v.seen = seg->size; /* long ago */
    if (seg->size <= 1 && seg->pos == s->high - 1 && v.seen == seg->size) {
        v.class = TCP_KEEP_ALIVE;
        return v;
    }
    if (v.seen == 1 && seg->size > 1 && seg->pos + 1 == s->high)
        v.seen = 0; /* the byte that probed a closed window */
    if (v.seen > 0) {
        original = same_packet(t, seg, print);
        v.class = original != NULL ? TCP_COPY : TCP_RESENT;
        if (original != NULL)
            v.original_frame = original->frame;
        else if (v.seen == seg->size && is_late_original(t, seg, &v))
            v.class = TCP_LATE;
        else
            find_first(t, seg, print, &v);
    } else if (behind != NULL) {
        judge_fill(t, seg, &behind->opened, reorder_window_ns, &v);
    } else {
        judge_new(t, s, seg, reorder_window_ns, &v);
    }
    if (v.class != TCP_COPY) {
        remember(t, seg, print, &v);
        note_id(t, seg);
    }
    return v;
}

/* Was a segment sent before (< 0) or after a packet of these? IPv4 identifications tell where they
 * count, else time stamps; 0: neither tells. */
static int32_t sent_after(const struct tcp_track *t, const struct tcp_segment *seg, uint16_t id,
                          uint32_t ts)
{
    bool counting = t->id_steps > 0 && t->id_near * 10ull >= t->id_steps * 9ull && t->id_sum > 0;

    if (counting && seg->has_id && id != 0 && id != seg->id)
        return rdc_id_diff(seg->id, id);
    return seg->has_ts && ts != 0 ? rdc_seq_diff(seg->ts, ts) : 0;
}

/* A segment that closes a hole was sent before the packet that shows the hole, or again after it.
 * What its sender counts tells which; else the time that passed. */
static void judge_fill(const struct tcp_track *t, const struct tcp_segment *seg,
                       const struct tcp_mark *after, int64_t reorder_window_ns,
                       struct tcp_verdict *v)
{
    int32_t order = sent_after(t, seg, after->id, after->ts);
    int64_t passed = seg->time_ns - after->time_ns;
    bool late;

    if (tcp_track_in_gap(t, seg->pos, seg->size))
        late = true; /* it was acknowledged before */
    else if (order != 0)
        late = order < 0;
    else if (reorder_window_ns > 0)
        late = passed <= reorder_window_ns;
    else {
        late = passed < (t->srtt_ns > 0 && t->srtt_ns < LATE_NS ? t->srtt_ns : LATE_NS);
        v->certain = false;
    }
    v->class = late ? TCP_LATE : TCP_RESENT;
    v->unseen = !late;
    v->late_packets = seg->number - after->number;
    v->late_ns = passed;
}

/* Behind all bytes that were seen. The numbers of packets without bytes may tell that bytes there
 * had been sent (RFC 9293, 3.4: SND.NXT): a tail that was lost leaves no other trace. As nothing
 * behind it arrived, only a timer sends it again. */
static void judge_new(const struct tcp_track *t, const struct tcp_stream *s,
                      const struct tcp_segment *seg, int64_t reorder_window_ns,
                      struct tcp_verdict *v)
{
    int64_t end = seg->pos + seg->size;

    for (unsigned i = 0; i < t->told_count && end > t->acked; i++) {
        if (t->told[i].pos < end)
            continue;
        judge_fill(t, seg, &t->told[i].mark, reorder_window_ns, v);
        if (v->class == TCP_RESENT && tcp_track_timer_ran(t, v->late_ns))
            return;
        break; /* only a packet without bytes overtook it */
    }
    *v = (struct tcp_verdict){.class = seg->pos > s->high ? TCP_AHEAD : TCP_IN_ORDER,
                              .certain = true};
}

void tcp_track_told(struct tcp_track *t, const struct tcp_stream *s, int64_t pos,
                    const struct tcp_mark *mark)
{
    if (t->told_count > 0 && t->told[t->told_count - 1].pos <= s->high)
        t->told_count = 0;
    if (pos > s->high && t->told_count < TCP_TOLD_MAX &&
        (t->told_count == 0 || t->told[t->told_count - 1].pos < pos))
        t->told[t->told_count++] = (struct tcp_told){pos, *mark};
}

/* ------------------------------------------------------------------ the ring */

static uint32_t print_of(const struct tcp_segment *seg)
{
    return rdc_crc32c_update(seg->size, seg->bytes, seg->captured);
}

/* The packet that this one is a copy of, not sent again */
static const struct tcp_sent *same_packet(const struct tcp_track *t, const struct tcp_segment *seg,
                                          uint32_t print)
{
    for (uint64_t i = t->count; i > tcp_track_oldest(t) && seg->has_id; i--) {
        const struct tcp_sent *sent = tcp_track_sent(t, i - 1);

        if (sent->pos == seg->pos && sent->size == seg->size && sent->print == print &&
            sent->id == seg->id && seg->time_ns - sent->time_ns <= COPY_NS)
            return sent;
    }
    return NULL;
}

/* The first segment that had its first byte, when the last one did, and whether the first of its
 * bytes had others: those stay in the stream. */
static void find_first(const struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                       struct tcp_verdict *v)
{
    bool same = false;

    for (uint64_t i = tcp_track_oldest(t); i < t->count; i++) {
        const struct tcp_sent *sent = tcp_track_sent(t, i);

        if (seg->pos < sent->pos || seg->pos >= sent->pos + sent->size)
            continue;
        if (v->original_frame == 0)
            v->original_frame = sent->pos == seg->pos ? sent->first_frame : sent->frame;
        v->latest_ns = sent->time_ns;
        if (!same && sent->pos == seg->pos && sent->size == seg->size) {
            v->conflict = sent->print != print;
            same = true;
        }
    }
}

/* The original of bytes whose resend came sooner was sent before all of them, and before all that
 * follows them. */
static bool is_late_original(struct tcp_track *t, const struct tcp_segment *seg,
                             struct tcp_verdict *v)
{
    const struct tcp_sent *overtaker = NULL;
    struct tcp_sent *copy = NULL;

    for (uint64_t i = tcp_track_oldest(t); i < t->count; i++) {
        struct tcp_sent *sent = tcp_track_sent(t, i);
        int32_t order = sent_after(t, seg, sent->id, sent->ts);

        if (sent->pos + sent->size <= seg->pos)
            continue;
        if (order > 0 || (seg->has_ts && sent->ts != 0 && rdc_seq_diff(seg->ts, sent->ts) > 0))
            return false;
        if (copy == NULL && sent->pos <= seg->pos && order < 0)
            copy = sent;
        if (overtaker == NULL) {
            overtaker = sent;
            v->late_packets = t->count - i;
            v->late_ns = seg->time_ns - sent->time_ns;
        }
    }
    if (copy == NULL)
        return false;
    v->not_lost = copy->unseen;
    copy->unseen = false;
    return true;
}

static void grow(struct tcp_track *t)
{
    uint32_t room = t->room == 0 ? FIRST_ROOM : t->room * 2;
    struct tcp_sent *ring = malloc(room * sizeof(*ring));

    if (ring == NULL)
        return;
    for (uint64_t i = t->count - (t->room < t->count ? t->room : t->count); i < t->count; i++)
        ring[i & (room - 1)] = t->ring[i & (t->room - 1)];
    free(t->ring);
    t->ring = ring;
    t->room = room;
}

static void remember(struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                     const struct tcp_verdict *v)
{
    bool again = v->class == TCP_RESENT || v->class == TCP_LATE;

    t->segments++;
    if (t->count >= t->room && t->room < TCP_SENT_MAX)
        grow(t);
    if (t->room == 0)
        return;
    t->ring[t->count++ & (t->room - 1)] =
        (struct tcp_sent){.pos = seg->pos,
                          .size = seg->size,
                          .print = print,
                          .frame = seg->frame,
                          .first_frame = v->original_frame != 0 ? v->original_frame : seg->frame,
                          .time_ns = seg->time_ns,
                          .ts = seg->has_ts ? seg->ts : 0,
                          .id = seg->has_id ? seg->id : 0,
                          .again = again,
                          .unseen = v->class == TCP_RESENT && v->unseen};
    if (again)
        mark_waiting(t);
}

/* What waits for a segment sent again is acknowledged with it. All that is not acknowledged was
 * marked up to the one before, so that each segment is marked once at most. */
static void mark_waiting(struct tcp_track *t)
{
    uint64_t first = t->unacked > t->marked ? t->unacked : t->marked;

    if (first < tcp_track_oldest(t))
        first = tcp_track_oldest(t);
    for (uint64_t i = first; i < t->count; i++)
        tcp_track_sent(t, i)->again = true;
    t->marked = t->count;
}

static void note_id(struct tcp_track *t, const struct tcp_segment *seg)
{
    if (!seg->has_id)
        return;
    if (t->any_id && seg->id != t->last_id) {
        int32_t step = rdc_id_diff(seg->id, t->last_id);

        t->id_steps++;
        t->id_near += step <= ID_STEP && step >= -ID_STEP;
        t->id_sum += step;
    }
    t->any_id = true;
    t->last_id = seg->id;
}

/* ------------------------------------------------------------------ holes given up */

void tcp_track_gap(struct tcp_track *t, int64_t first, int64_t end)
{
    if (t->gap_count == TCP_GAPS_MAX) {
        memmove(t->gaps, t->gaps + 1, (TCP_GAPS_MAX - 1) * sizeof(t->gaps[0]));
        t->gap_count--;
    }
    t->gaps[t->gap_count++] = (struct tcp_gap){first, end};
}

bool tcp_track_in_gap(const struct tcp_track *t, int64_t pos, uint32_t size)
{
    for (unsigned i = 0; i < t->gap_count; i++)
        if (pos < t->gaps[i].end && pos + size > t->gaps[i].first)
            return true;
    return false;
}
