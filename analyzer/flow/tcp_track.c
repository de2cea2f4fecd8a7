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
static const struct tcp_sent *find(const struct tcp_track *t, const struct tcp_segment *seg,
                                   uint32_t print, bool copy);
static void remember(struct tcp_track *t, const struct tcp_segment *seg, uint32_t print,
                     bool again);
static void note_id(struct tcp_track *t, const struct tcp_segment *seg);
static void judge_fill(const struct tcp_track *t, const struct tcp_segment *seg,
                       const struct tcp_run *behind, struct tcp_verdict *v);

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
                                     const struct tcp_segment *seg)
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
        judge_fill(t, seg, behind, &v);
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
                       const struct tcp_run *behind, struct tcp_verdict *v)
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

static uint32_t print_of(const struct tcp_segment *seg)
{
    return rdc_crc32c_update(seg->size, seg->bytes, seg->captured);
}

/* The latest segment that covers the first byte. `copy`: the same packet, not sent again */
static const struct tcp_sent *find(const struct tcp_track *t, const struct tcp_segment *seg,
                                   uint32_t print, bool copy)
{
    uint64_t oldest = t->count > t->room ? t->count - t->room : 0;

    for (uint64_t i = t->count; i > oldest; i--) {
        const struct tcp_sent *sent = &t->ring[(i - 1) & (t->room - 1)];

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
                                                            .id = seg->id,
                                                            .again = again};
    if (again) /* what waits for it is acknowledged with it */
        for (uint64_t i = t->unacked; i < t->count; i++)
            t->ring[i & (t->room - 1)].again = true;
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

int64_t tcp_track_acked(struct tcp_track *t, int64_t pos, int64_t now_ns)
{
    int64_t sample = -1;

    if (pos <= t->acked)
        return -1;
    t->acked = pos;
    if (t->count > t->room && t->unacked < t->count - t->room)
        t->unacked = t->count - t->room;
    for (; t->unacked < t->count; t->unacked++) {
        const struct tcp_sent *sent = &t->ring[t->unacked & (t->room - 1)];

        if (sent->pos + sent->size > pos)
            break;
        sample = sent->again ? -1 : now_ns - sent->time_ns;
    }
    if (sample < 0)
        return -1;
    t->srtt_ns = t->srtt_ns == 0 ? sample : (7 * t->srtt_ns + sample) / 8;
    return sample;
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
