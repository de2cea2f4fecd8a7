/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting and remembering events; see check_watch.h.
 */
#include "analysis/check_watch.h"

#include <glib.h>
#include <string.h>

#include "analysis/first_frames.h"
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
    uint32_t stream;
    GArray *waiting; /* struct gap */
};

struct check_watch {
    uint64_t events[FLOW_EVENT_KIND_COUNT];
    struct frame_index *lists; /* by stream and evidence */
    GHashTable *gaps;          /* struct stream_gaps, by stream */
};

static uint64_t on_event(void *context, const struct flow_event *event);
static void on_amend(void *context, uint64_t number, const struct flow_event *event);
static void on_round(void *context, const struct flow_round *round);
static void settle_stream(struct check_watch *w, struct stream_gaps *g, guint keep);

/* ------------------------------------------------------------------ tables */

static guint gaps_hash(gconstpointer key)
{
    return ((const struct stream_gaps *)key)->stream * 2654435761u;
}

static gboolean gaps_equal(gconstpointer a, gconstpointer b)
{
    return ((const struct stream_gaps *)a)->stream == ((const struct stream_gaps *)b)->stream;
}

static void gaps_free(gpointer data)
{
    struct stream_gaps *g = data;

    g_array_free(g->waiting, TRUE);
    g_free(g);
}

struct check_watch *check_watch_new(void)
{
    struct check_watch *w = g_new0(struct check_watch, 1);

    w->lists = frame_index_new(EVIDENCE_COUNT);
    w->gaps = g_hash_table_new_full(gaps_hash, gaps_equal, gaps_free, NULL);
    return w;
}

void check_watch_free(struct check_watch *w)
{
    if (w == NULL)
        return;
    frame_index_free(w->lists);
    g_hash_table_destroy(w->gaps);
    g_free(w);
}

struct flow_sink check_watch_sink(struct check_watch *w)
{
    return (struct flow_sink){
        .context = w, .event = on_event, .amend = on_amend, .round = on_round};
}

void check_watch_settle(struct check_watch *w)
{
    GHashTableIter i;
    gpointer g;

    g_hash_table_iter_init(&i, w->gaps);
    while (g_hash_table_iter_next(&i, &g, NULL))
        settle_stream(w, g, 0);
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

static struct stream_gaps *gaps_of(struct check_watch *w, uint32_t stream, bool create)
{
    struct stream_gaps key = {.stream = stream};
    struct stream_gaps *g = g_hash_table_lookup(w->gaps, &key);

    if (g == NULL && create) {
        g = g_new(struct stream_gaps, 1);
        *g = (struct stream_gaps){stream, g_array_new(FALSE, FALSE, sizeof(struct gap))};
        g_hash_table_add(w->gaps, g);
    }
    return g;
}

/* Decides about the oldest gaps until `keep` are left */
static void settle_stream(struct check_watch *w, struct stream_gaps *g, guint keep)
{
    guint old = g->waiting->len > keep ? g->waiting->len - keep : 0;

    for (guint i = 0; i < old; i++) {
        const struct gap *gap = &g_array_index(g->waiting, struct gap, i);

        if ((uint64_t)gap->late + gap->not_captured < gap->count)
            frame_index_add(w->lists, g->stream, EVIDENCE_GAP, gap->frame);
        if (gap->not_captured > 0)
            frame_index_add(w->lists, g->stream, EVIDENCE_NOT_CAPTURED, gap->frame);
    }
    if (old > 0)
        g_array_remove_range(g->waiting, 0, old);
}

static void gap_opened(struct check_watch *w, const struct flow_event *event)
{
    struct stream_gaps *g = gaps_of(w, event->stream, true);
    struct gap gap = {.frame = event->frame, .psn = event->psn, .count = event->count};

    if (g->waiting->len >= GAPS_WAITING * 2)
        settle_stream(w, g, GAPS_WAITING);
    g_array_append_val(g->waiting, gap);
}

/* The latest gap that holds a PSN. A stream's requests and responses have PSN spaces of their own:
 * should both have a hole at one number, the latest is a guess. */
static struct gap *gap_with(struct check_watch *w, uint32_t stream, uint32_t psn)
{
    struct stream_gaps *g = gaps_of(w, stream, false);

    for (guint i = g != NULL ? g->waiting->len : 0; i > 0; i--) {
        struct gap *gap = &g_array_index(g->waiting, struct gap, i - 1);

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
    if ((event->kind == FLOW_RETRANSMISSION || event->kind == FLOW_TCP_RETRANSMISSION) &&
        event->spurious)
        change(w->lists, event->stream, EVIDENCE_SPURIOUS, event->frame);
    if ((event->kind == FLOW_NAK && event->code != RDC_NAK_SEQUENCE) ||
        event->kind == FLOW_TERMINATE)
        change(w->lists, event->stream, EVIDENCE_REMOTE_ERROR, event->frame);
}

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
    return (uint64_t)event->spurious << 8 | event->kind;
}

static void on_amend(void *context, uint64_t number, const struct flow_event *event)
{
    struct check_watch *w = context;
    struct flow_event was = *event;

    was.kind = (uint8_t)number;
    was.spurious = (number >> 8 & 1) != 0;
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
}
