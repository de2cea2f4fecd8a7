/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes over time (see series.h).
 */
#include "flow/series.h"

#include <string.h>

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
}
