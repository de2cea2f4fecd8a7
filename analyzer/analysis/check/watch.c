/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting and remembering events; see watch.h.
 */
#include "analysis/check/watch.h"

#include <glib.h>
#include <string.h>

#include "analysis/first_frames.h"
#include "analysis/loss_signs.h"
#include "analysis/try_list.h"
#include "rdc/wire.h"

enum {
    GAPS_WAITING =
        2048, /* of one stream, as many as the engine keeps open; then the oldest counts */
};

/* A run of PSNs that was jumped over */
struct gap {
    uint64_t frame;
    uint32_t psn;
    uint32_t count;
    uint32_t late;         /* PSNs of it that came late */
    uint32_t not_captured; /* that were delivered and only missed by the capture */
    uint64_t missed;       /* which of the first 64 these are */
};

struct stream_gaps {
    struct try_list waiting; /* of struct gap, not more than twice GAPS_WAITING */
    uint32_t count;
};

struct check_watch {
    uint64_t events[FLOW_EVENT_KIND_COUNT];
    struct frame_index *lists; /* by stream and evidence */
    struct try_list gaps;      /* struct stream_gaps *, by stream */
    uint64_t refused;          /* gaps that there was no memory for */
};

static uint64_t on_event(void *context, const struct flow_event *event);
static void on_amend(void *context, uint64_t number, const struct flow_event *event);
static void on_round(void *context, const struct flow_round *round);
static void settle_stream(struct check_watch *w, uint32_t stream, uint32_t keep);

/* ------------------------------------------------------------------ tables */

struct check_watch *check_watch_new(void)
{
    struct check_watch *w = g_new0(struct check_watch, 1);

    w->lists = frame_index_new();
    return w;
}

void check_watch_free(struct check_watch *w)
{
    if (w == NULL)
        return;
    frame_index_free(w->lists);
    for (uint32_t i = 0; i < w->gaps.room; i++) {
        struct stream_gaps *g = try_list_pointer(&w->gaps, i);

        if (g != NULL)
            try_list_done(&g->waiting);
        g_free(g);
    }
    try_list_done(&w->gaps);
    g_free(w);
}

struct flow_sink check_watch_sink(struct check_watch *w)
{
    return (struct flow_sink){
        .context = w, .event = on_event, .amend = on_amend, .round = on_round};
}

void check_watch_settle(struct check_watch *w)
{
    for (uint32_t stream = 0; stream < w->gaps.room; stream++)
        settle_stream(w, stream, 0);
}

uint64_t check_watch_refused(const struct check_watch *w)
{
    return w->refused + frame_index_refused(w->lists);
}

uint64_t check_watch_events(const struct check_watch *w, uint8_t kind)
{
    return w->events[kind];
}

uint64_t check_watch_count(const struct check_watch *w, uint32_t stream,
                           enum check_evidence evidence)
{
    const struct frame_list *list = frame_index_find(w->lists, stream, evidence);

    return list != NULL ? list->count : 0;
}

size_t check_watch_frames(const struct check_watch *w, uint32_t stream,
                          enum check_evidence evidence, uint64_t *frames, size_t count, size_t room)
{
    const struct frame_list *list = frame_index_find(w->lists, stream, evidence);

    for (size_t i = 0; list != NULL && i < list->first.count; i++)
        count = first_frames_insert(frames, count, room, list->first.frames[i]);
    return count;
}

/* ------------------------------------------------------------------ gaps */

static struct gap *gap_at(const struct stream_gaps *g, uint32_t i)
{
    return (struct gap *)g->waiting.entries + i;
}

/* Decides about the oldest gaps until `keep` are left */
static void settle_stream(struct check_watch *w, uint32_t stream, uint32_t keep)
{
    struct stream_gaps *g = try_list_pointer(&w->gaps, stream);
    uint32_t old = g != NULL && g->count > keep ? g->count - keep : 0;

    for (uint32_t i = 0; i < old; i++) {
        const struct gap *gap = gap_at(g, i);

        if ((uint64_t)gap->late + gap->not_captured < gap->count)
            frame_index_add(w->lists, stream, EVIDENCE_GAP, gap->frame);
        if (gap->not_captured > 0)
            frame_index_add(w->lists, stream, EVIDENCE_NOT_CAPTURED, gap->frame);
    }
    if (old == 0)
        return;
    g->count -= old;
    memmove(gap_at(g, 0), gap_at(g, old), g->count * sizeof(struct gap));
}

/* PSNs are of InfiniBand and RoCE: their streams are numbered from 0 */
static void gap_opened(struct check_watch *w, const struct flow_event *event)
{
    struct stream_gaps *g = try_list_made(&w->gaps, event->stream, sizeof(*g));

    if (g != NULL && g->count >= GAPS_WAITING * 2)
        settle_stream(w, event->stream, GAPS_WAITING);
    if (g == NULL || !try_list_reach(&g->waiting, g->count, sizeof(struct gap))) {
        w->refused++;
        return;
    }
    *gap_at(g, g->count++) =
        (struct gap){.frame = event->frame, .psn = event->psn, .count = event->count};
}

/* The latest gap that holds a PSN. A stream's requests and responses have PSN spaces of their own:
 * should both have a hole at one number, the latest is a guess. */
static struct gap *gap_with(const struct check_watch *w, uint32_t stream, uint32_t psn)
{
    const struct stream_gaps *g = try_list_pointer(&w->gaps, stream);

    for (uint32_t i = g != NULL ? g->count : 0; i > 0; i--) {
        struct gap *gap = gap_at(g, i - 1);

        if (((psn - gap->psn) & RDC_PSN_MASK) < gap->count)
            return gap;
    }
    return NULL;
}

/* PSNs from `first` on, as bits of `missed` */
static uint64_t bits(uint32_t first, uint32_t count)
{
    uint64_t run = count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;

    return first < 64 ? run << first : 0;
}

/* How many of these PSNs had closed as not captured; of long gaps, the most that it can be */
static uint32_t missed_among(const struct gap *gap, uint32_t first, uint32_t count)
{
    if (gap->count > 64)
        return MIN(gap->not_captured, count);
    return (uint32_t)__builtin_popcountll(gap->missed & bits(first, count));
}

/* A hole that closed as not captured may close again, when its packet comes late after all */
static void hole_closed(struct check_watch *w, const struct flow_event *event)
{
    struct gap *gap = gap_with(w, event->stream, event->psn);

    uint32_t first;

    if (gap == NULL)
        return;
    first = (event->psn - gap->psn) & RDC_PSN_MASK;
    if (event->as == FLOW_HOLE_NOT_CAPTURED) {
        gap->not_captured += event->count;
        gap->missed |= bits(first, event->count);
        return;
    }
    gap->not_captured -= missed_among(gap, first, event->count);
    if (event->as == FLOW_HOLE_REORDERED)
        gap->late += event->count;
}

/* ------------------------------------------------------------------ events */

static void keep(struct check_watch *w, const struct flow_event *event,
                 void (*change)(struct frame_index *, uint32_t, unsigned, uint64_t))
{
    static const uint8_t evidence[FLOW_EVENT_KIND_COUNT] = {
        [FLOW_RETRANSMISSION] = EVIDENCE_RETRANSMISSION,
        [FLOW_OUT_OF_ORDER] = EVIDENCE_OUT_OF_ORDER,
        [FLOW_DUPLICATE] = EVIDENCE_DUPLICATE,
        [FLOW_NAK] = EVIDENCE_NAK,
        [FLOW_RNR_NAK] = EVIDENCE_RNR_NAK,
        [FLOW_ACKED_UNSEEN] = EVIDENCE_ACKED_UNSEEN,
        [FLOW_CE] = EVIDENCE_CE,
        [FLOW_CNP] = EVIDENCE_CNP,
        [FLOW_PAUSE] = EVIDENCE_PAUSE,
        [FLOW_ICRC_BAD] = EVIDENCE_ICRC_BAD,
        [FLOW_RETRY_EXHAUSTED] = EVIDENCE_RETRY_EXHAUSTED,
        [FLOW_TCP_RETRANSMISSION] = EVIDENCE_RETRANSMISSION,
        [FLOW_TCP_OUT_OF_ORDER] = EVIDENCE_OUT_OF_ORDER,
        [FLOW_TCP_GAP] = EVIDENCE_NOT_CAPTURED,
        [FLOW_CRC_BAD] = EVIDENCE_ICRC_BAD,
        [FLOW_TERMINATE] = EVIDENCE_NAK,
    };

    if (evidence[event->kind] != EVIDENCE_NONE)
        change(w->lists, event->stream, evidence[event->kind], event->frame);
    if (loss_shows_in_resend(event) || loss_shows_in_hole(event))
        change(w->lists, event->stream, EVIDENCE_LOST, event->frame);
    if ((event->kind == FLOW_RETRANSMISSION || event->kind == FLOW_TCP_RETRANSMISSION) &&
        event->spurious)
        change(w->lists, event->stream, EVIDENCE_SPURIOUS, event->frame);
    if ((event->kind == FLOW_NAK && event->code != RDC_NAK_SEQUENCE) ||
        event->kind == FLOW_TERMINATE)
        change(w->lists, event->stream, EVIDENCE_REMOTE_ERROR, event->frame);
}

enum {
    WAS_SPURIOUS = 1 << 8,
    WAS_UNSEEN = 1 << 9,
};

/* The number of an event tells what it was, in case that it becomes something else */
static uint64_t on_event(void *context, const struct flow_event *event)
{
    struct check_watch *w = context;

    w->events[event->kind]++;
    keep(w, event, frame_index_add);
    if (event->kind == FLOW_GAP)
        gap_opened(w, event);
    else if (event->kind == FLOW_HOLE_CLOSED)
        hole_closed(w, event);
    return event->kind | (event->spurious ? WAS_SPURIOUS : 0u) |
           (event->original_frame == 0 ? WAS_UNSEEN : 0u);
}

static void on_amend(void *context, uint64_t number, const struct flow_event *event)
{
    struct check_watch *w = context;
    struct flow_event was = *event;

    was.kind = (uint8_t)number;
    was.spurious = (number & WAS_SPURIOUS) != 0;
    was.original_frame = (number & WAS_UNSEEN) == 0;
    w->events[was.kind]--;
    w->events[event->kind]++;
    keep(w, &was, frame_index_take_out);
    keep(w, event, frame_index_add);
    if (was.kind == FLOW_RETRANSMISSION && event->kind == FLOW_OUT_OF_ORDER) {
        struct gap *gap = gap_with(w, event->stream, event->psn);

        if (gap != NULL)
            gap->late++;
    }
}

/* A round is told of again when it changes */
static void on_round(void *context, const struct flow_round *round)
{
    struct check_watch *w = context;

    frame_index_mark(w->lists, round->stream, EVIDENCE_TIMEOUT, round->first_frame,
                     round->trigger == FLOW_TRIGGER_TIMEOUT && !round->cancelled);
    frame_index_mark(w->lists, round->stream, EVIDENCE_LOST_BEHIND, round->first_frame,
                     loss_shows_in_round(round));
}
