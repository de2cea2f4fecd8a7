/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes over time (see series.h).
 */
#include "flow/series.h"

#include <string.h>

#define RECENT_NS INT64_C(125000)

static void halve(struct flow_series *s)
{
    for (uint32_t i = 0; i < FLOW_SERIES_BINS / 2; i++)
        s->bytes[i] = s->bytes[2 * i] + s->bytes[2 * i + 1];
    memset(&s->bytes[FLOW_SERIES_BINS / 2], 0, sizeof(s->bytes) / 2);
    s->used = (s->used + 1) / 2;
    s->bin_ns *= 2;
}

/* The millisecond that the time is in becomes the running one. */
static void next_window(struct flow_series *s, int64_t since)
{
    s->window_bytes = 0;
    s->window_end = since / FLOW_SERIES_FIRST_BIN_NS * FLOW_SERIES_FIRST_BIN_NS;
    s->window_end += FLOW_SERIES_FIRST_BIN_NS < INT64_MAX - s->window_end
                         ? FLOW_SERIES_FIRST_BIN_NS
                         : INT64_MAX - s->window_end;
}

/* The bin of a time beyond those of the latest one */
static void find_bin(struct flow_series *s, int64_t since)
{
    while (since / s->bin_ns >= FLOW_SERIES_BINS && s->bin_ns < INT64_MAX / 2)
        halve(s);
    s->bin = (uint32_t)(since / s->bin_ns);
    if (s->bin >= FLOW_SERIES_BINS)
        s->bin = FLOW_SERIES_BINS - 1;
    if (s->bin >= s->used)
        s->used = s->bin + 1;
    s->bin_start = since - since % s->bin_ns;
}

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

void flow_series_add(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t since;

    if (s->bin_ns == 0) {
        s->start_ns = time_ns;
        s->bin_ns = FLOW_SERIES_FIRST_BIN_NS;
        find_bin(s, 0);
    }
    since = time_ns > s->start_ns ? time_ns - s->start_ns : 0;
    if (since >= s->window_end)
        next_window(s, since);
    s->window_bytes += bytes;
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
    if (since < s->bin_start || since - s->bin_start >= s->bin_ns)
        find_bin(s, since);
    s->bytes[s->bin] += bytes;
    add_recent(&s->recent, time_ns, bytes);
}
