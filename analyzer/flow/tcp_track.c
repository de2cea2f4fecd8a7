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
    RTTS_TRUSTED = 8, /* samples before the shortest one is believed */
};

#define COPY_NS ((int64_t)1000000000) /* longest delay of a copy */
#define LATE_NS ((int64_t)3000000)    /* longest delay of an original, when nothing else tells */

static uint32_t print_of(const struct tcp_segment *seg);
static const struct tcp_sent *find(const struct tcp_track *t, const struct tcp_segment *seg,
                                   uint32_t print, bool copy);
static void remember(struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                     bool again);
static void mark_waiting(struct tcp_track *t);
static void note_id(struct tcp_track *t, const struct tcp_segment *seg);
static void judge_fill(const struct tcp_track *t, const struct tcp_segment *seg,
                       const struct tcp_run *behind, int64_t reorder_window_ns,
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
        original = find(t, seg, print, true);
        v.class = original != NULL ? TCP_COPY : TCP_RESENT;
        if (original == NULL)
            original = find(t, seg, print, false);
        v.original_frame = original != NULL ? original->frame : 0;
        v.conflict = original != NULL && original->pos == seg->pos && original->size == seg->size &&
                     original->print != print;
    } else if (behind != NULL) {
        judge_fill(t, seg, behind, reorder_window_ns, &v);
    } else if (seg->pos > s->high) {
        v.class = TCP_AHEAD;
    }
    if (v.class != TCP_COPY) {
        remember(t, seg, print, v.class == TCP_RESENT || v.class == TCP_LATE);
        note_id(t, seg);
    }
    return v;
}

/* A segment that closes a hole was sent before the one that opened it, or again after it. What its
 * sender counts tells which: IPv4 identifications, then time stamps; else the time that passed. */
static void judge_fill(const struct tcp_track *t, const struct tcp_segment *seg,
                       const struct tcp_run *behind, int64_t reorder_window_ns,
                       struct tcp_verdict *v)
{
    bool counting = t->id_steps > 0 && t->id_near * 10ull >= t->id_steps * 9ull && t->id_sum > 0;
    int32_t id = rdc_id_diff(seg->id, behind->opened_id);
    int32_t ts = seg->has_ts ? rdc_seq_diff(seg->ts, behind->opened_ts) : 0;
    int64_t passed = seg->time_ns - behind->opened_ns;
    bool late;

    if (tcp_track_in_gap(t, seg->pos, seg->size))
        late = true; /* it was acknowledged before */
    else if (counting && seg->has_id && id != 0)
        late = id < 0;
    else if (ts != 0)
        late = ts < 0;
    else if (reorder_window_ns > 0)
        late = passed <= reorder_window_ns;
    else {
        late = passed < (t->srtt_ns > 0 && t->srtt_ns < LATE_NS ? t->srtt_ns : LATE_NS);
        v->certain = false;
    }
    v->class = late ? TCP_LATE : TCP_RESENT;
    v->unseen = true;
    v->late_packets = seg->number - behind->opened_number;
    v->late_ns = passed;
}

/* ------------------------------------------------------------------ the ring */

static uint64_t oldest(const struct tcp_track *t)
{
    return t->count > t->room ? t->count - t->room : 0;
}

static struct tcp_sent *sent_at(const struct tcp_track *t, uint64_t i)
{
    return &t->ring[i & (t->room - 1)];
}

static uint32_t print_of(const struct tcp_segment *seg)
{
    return rdc_crc32c_update(seg->size, seg->bytes, seg->captured);
}

/* The latest segment that covers the first byte. `copy`: the same packet, not sent again */
static const struct tcp_sent *find(const struct tcp_track *t, const struct tcp_segment *seg,
                                   uint32_t print, bool copy)
{
    for (uint64_t i = t->count; i > oldest(t); i--) {
        const struct tcp_sent *sent = sent_at(t, i - 1);

        if (copy) {
            if (sent->pos == seg->pos && sent->size == seg->size && sent->print == print &&
                seg->has_id && sent->id == seg->id && seg->time_ns - sent->time_ns <= COPY_NS)
                return sent;
        } else if (seg->pos >= sent->pos && seg->pos < sent->pos + sent->size) {
            return sent;
        }
    }
    return NULL;
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

static void remember(struct tcp_track *t, const struct tcp_segment *seg, uint32_t print, bool again)
{
    t->segments++;
    if (t->count >= t->room && t->room < TCP_SENT_MAX)
        grow(t);
    if (t->room == 0)
        return;
    t->ring[t->count++ & (t->room - 1)] = (struct tcp_sent){.pos = seg->pos,
                                                            .size = seg->size,
                                                            .print = print,
                                                            .frame = seg->frame,
                                                            .time_ns = seg->time_ns,
                                                            .ts = seg->has_ts ? seg->ts : 0,
                                                            .id = seg->id,
                                                            .again = again};
    if (again)
        mark_waiting(t);
}

/* What waits for a segment sent again is acknowledged with it. All that is not acknowledged was
 * marked up to the one before, so that each segment is marked once at most. */
static void mark_waiting(struct tcp_track *t)
{
    uint64_t first = t->unacked > t->marked ? t->unacked : t->marked;

    if (first < oldest(t))
        first = oldest(t);
    for (uint64_t i = first; i < t->count; i++)
        sent_at(t, i)->again = true;
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

/* ------------------------------------------------------------------ acknowledgements */

void tcp_track_doubt(struct tcp_track *t)
{
    if (t->count == 0)
        return;
    sent_at(t, t->count - 1)->need = TCP_NEED_WAITS;
    t->waiting++;
}

/* The copy of the first byte in question that an acknowledgement answers, by its time stamp; NULL
 * when several copies have that one, or none. */
static const struct tcp_sent *answered(const struct tcp_track *t, int64_t pos, uint32_t echo)
{
    const struct tcp_sent *found = NULL;

    for (uint64_t i = oldest(t); i < t->count; i++) {
        const struct tcp_sent *sent = sent_at(t, i);

        if (sent->pos > pos || sent->pos + sent->size <= pos || sent->ts != echo)
            continue;
        if (found != NULL)
            return NULL;
        found = sent;
    }
    return found;
}

/* An acknowledgement that answers an earlier copy (RFC 3522), or comes sooner than the way to the
 * receiver and back takes (RFC 8985, 6.2), says that the earlier copy arrived. */
static bool is_needless(const struct tcp_track *t, const struct tcp_sent *sent,
                        const struct tcp_acked *ack)
{
    bool first = sent->pos <= t->acked && t->acked < sent->pos + sent->size;

    if (first && ack->has_echo && ack->echo != 0 && sent->ts != 0 && sent->ts != ack->echo)
        return rdc_seq_diff(ack->echo, sent->ts) < 0;
    return t->rtts >= RTTS_TRUSTED && ack->time_ns - sent->time_ns < t->min_rtt_ns / 2;
}

static uint32_t settle(struct tcp_track *t, const struct tcp_acked *ack)
{
    uint32_t needless = 0;

    t->waiting = 0;
    for (uint64_t i = oldest(t); i < t->count; i++) {
        struct tcp_sent *sent = sent_at(t, i);

        if (sent->need != TCP_NEED_WAITS)
            continue;
        if (sent->pos + sent->size > ack->pos) {
            t->waiting++;
            continue;
        }
        sent->need = is_needless(t, sent, ack) ? TCP_NOT_ASKED : TCP_NEEDED;
        needless += sent->need == TCP_NOT_ASKED;
    }
    return needless;
}

static void note_rtt(struct tcp_track *t, int64_t sample)
{
    sample = sample < INT64_MAX / 8 ? sample : INT64_MAX / 8;
    t->srtt_ns = t->srtt_ns == 0 ? sample : (7 * t->srtt_ns + sample) / 8;
    if (t->rtts == 0 || sample < t->min_rtt_ns)
        t->min_rtt_ns = sample;
    t->rtts++;
}

struct tcp_answer tcp_track_acked(struct tcp_track *t, const struct tcp_acked *ack)
{
    struct tcp_answer answer = {.rtt_ns = -1};
    const struct tcp_sent *one;
    int64_t first = t->acked;
    bool again = false;

    if (ack->pos <= t->acked)
        return answer;
    if (t->unacked < oldest(t))
        t->unacked = oldest(t);
    if (t->acked == 0 && t->unacked < t->count)
        first = sent_at(t, t->unacked)->pos;
    if (t->waiting > 0)
        answer.needless = settle(t, ack);
    t->acked = ack->pos;
    for (; t->unacked < t->count; t->unacked++) {
        const struct tcp_sent *sent = sent_at(t, t->unacked);

        if (sent->pos + sent->size > ack->pos)
            break;
        again = sent->again;
        answer.rtt_ns = again ? -1 : ack->time_ns - sent->time_ns;
    }
    if (again && ack->has_echo && ack->echo != 0) {
        one = answered(t, first, ack->echo);
        answer.rtt_ns = one != NULL ? ack->time_ns - one->time_ns : -1;
    }
    if (answer.rtt_ns >= 0)
        note_rtt(t, answer.rtt_ns);
    return answer;
}

uint32_t tcp_track_twice(struct tcp_track *t, int64_t begin, int64_t end)
{
    uint32_t needless = 0;

    for (uint64_t i = t->count; i > oldest(t); i--) {
        struct tcp_sent *sent = sent_at(t, i - 1);

        if (sent->need == TCP_NOT_ASKED || sent->pos < begin || sent->pos + sent->size > end)
            continue;
        sent->need = TCP_NOT_ASKED;
        end = sent->pos; /* of several copies one was needless */
        needless++;
    }
    return needless;
}

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
