/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rate of a stream (see series.h).
 */
#include "flow/series.h"

#include <string.h>

#define RECENT_NS INT64_C(125000)

/* ------------------------------------------------------------------ the latest millisecond */

/* A time outside the newest part */
static void recent_part(struct flow_recent *r, int64_t time_ns, uint32_t bytes)
{
    int64_t bin = time_ns / RECENT_NS;

    if (bin < 0 || bin <= r->bin - FLOW_RECENT_BINS)
        return;
    if (bin - r->bin >= FLOW_RECENT_BINS)
        memset(r->bytes, 0, sizeof(r->bytes));
    else
        for (int64_t i = r->bin + 1; i <= bin; i++)
            r->bytes[i % FLOW_RECENT_BINS] = 0;
    r->bytes[bin % FLOW_RECENT_BINS] += bytes;
    if (bin > r->bin) {
        r->bin = bin;
        r->place = (uint32_t)(bin % FLOW_RECENT_BINS);
        r->start_ns = bin * RECENT_NS;
    }
}

static void add_recent(struct flow_recent *r, int64_t time_ns, uint32_t bytes)
{
    if (time_ns >= r->start_ns && time_ns - r->start_ns < RECENT_NS)
        r->bytes[r->place] += bytes;
    else
        recent_part(r, time_ns, bytes);
}

uint64_t flow_recent_bytes(const struct flow_recent *r, int64_t now)
{
    int64_t bin = now / RECENT_NS, oldest = bin - FLOW_RECENT_BINS + 1;
    uint64_t sum = 0;

    for (int64_t i = oldest; i <= bin; i++) {
        uint64_t bytes;

        if (i < 0 || i > r->bin || i <= r->bin - FLOW_RECENT_BINS)
            continue;
        bytes = r->bytes[i % FLOW_RECENT_BINS];
        if (i == oldest)
            bytes = bytes * (uint64_t)(RECENT_NS - now % RECENT_NS) / (uint64_t)RECENT_NS;
        sum += bytes;
    }
    return sum;
}

/* ------------------------------------------------------------------ the busiest one */

/* The millisecond that a later time is in becomes the running one. */
static void next_window(struct flow_series *s, int64_t time_ns)
{
    s->window_bytes = 0;
    s->window_ns = time_ns - (time_ns - s->start_ns) % FLOW_WINDOW_NS;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void flow_series_step(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    if (!s->begun) {
        s->begun = true;
        s->start_ns = s->window_ns = time_ns;
    }
    if (time_ns - s->window_ns >= FLOW_WINDOW_NS)
        next_window(s, time_ns);
    if (time_ns >= s->window_ns)
        s->window_bytes += bytes;
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
    add_recent(&s->recent, time_ns, bytes);
    s->from_ns = later(s->recent.start_ns, s->window_ns);
    s->until_ns = earlier(s->recent.start_ns + RECENT_NS, s->window_ns + FLOW_WINDOW_NS);
}
