/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that is refused while packets come, at every place in turn: who keeps something of events
 * goes on without, keeps what it has, and counts what it could not keep.
 */
#ifndef UNIT_REFUSING_H
#define UNIT_REFUSING_H

#include <glib.h>

#include "support.h"

#include "flow/flow.h"

enum {
    STREAMS = 9, /* lists grow twice */
    ROUNDS = 3,
    WITHOUT_END = 1 << 30,
};

static unsigned granted; /* requests that are still granted */
static unsigned refusals;

/* In place of GLib's: the program's own come first */
static bool grant(void)
{
    if (granted > 0) {
        granted--;
        return true;
    }
    refusals++;
    return false;
}

gpointer g_try_malloc(gsize size)
{
    return grant() ? malloc(size) : NULL;
}

gpointer g_try_malloc0(gsize size)
{
    return grant() ? calloc(1, size) : NULL;
}

gpointer g_try_malloc_n(gsize count, gsize size)
{
    return grant() ? calloc(count, size) : NULL;
}

gpointer g_try_malloc0_n(gsize count, gsize size)
{
    return grant() ? calloc(count, size) : NULL;
}

gpointer g_try_realloc(gpointer old, gsize size)
{
    return grant() ? realloc(old, size) : NULL;
}

gpointer g_try_realloc_n(gpointer old, gsize count, gsize size)
{
    return grant() ? realloc(old, count * size) : NULL;
}

/* Of each stream a gap, a resend, a giving up and some rounds. The gap of the last one closes. */
static inline void tell(const struct flow_sink *sink)
{
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        struct flow_event ev = {.stream = stream, .frame = 10 * stream + 1, .count = 1};

        ev.kind = FLOW_GAP;
        sink->event(sink->context, &ev);
        ev.kind = FLOW_RETRANSMISSION;
        ev.frame++;
        ev.round = 1;
        ev.round_stream = stream;
        sink->event(sink->context, &ev);
        for (uint32_t number = 1; number <= ROUNDS; number++) {
            struct flow_round round = {.stream = stream,
                                       .number = number,
                                       .first_frame = ev.frame,
                                       .packets = 1,
                                       .trigger = FLOW_TRIGGER_TIMEOUT};

            sink->round(sink->context, &round);
        }
        ev.kind = FLOW_RETRY_EXHAUSTED;
        ev.frame++;
        sink->event(sink->context, &ev);
    }
    sink->event(sink->context, &(struct flow_event){.kind = FLOW_HOLE_CLOSED,
                                                    .stream = STREAMS - 1,
                                                    .count = 1,
                                                    .as = FLOW_HOLE_REORDERED});
}

/* What is there, and how often something was refused */
struct outcome {
    uint64_t there;
    uint64_t refused;
};

/* `all`: what is there when nothing is refused */
struct keeper {
    const char *name;
    struct outcome (*tell)(unsigned grants);
    uint64_t all;
};

static inline void refused_everywhere(void **state)
{
    const struct keeper *k = *state;
    struct outcome out = k->tell(WITHOUT_END);
    unsigned grants = 0;

    assert_int_equal(out.there, k->all);
    assert_int_equal(out.refused, 0);
    for (;; grants++) {
        refusals = 0;
        out = k->tell(grants);
        if (refusals == 0)
            break;
        assert_true(out.refused > 0);
        assert_true(out.there < k->all);
    }
    assert_int_equal(out.there, k->all);
    assert_true(grants > STREAMS);
}

#endif
