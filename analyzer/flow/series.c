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

static void count_window(struct flow_series *s, int64_t since_ns, uint32_t bytes)
{
    int64_t window = since_ns / FLOW_SERIES_FIRST_BIN_NS;

    if (window > s->window) {
        s->window = window;
        s->window_bytes = 0;
    }
    s->window_bytes += bytes;
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
}

void flow_series_add(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t since;

    if (s->bin_ns == 0) {
        s->start_ns = time_ns;
        s->bin_ns = FLOW_SERIES_FIRST_BIN_NS;
    }
    since = time_ns > s->start_ns ? time_ns - s->start_ns : 0;
    count_window(s, since, bytes);
    while (since / s->bin_ns >= FLOW_SERIES_BINS && s->bin_ns < INT64_MAX / 2)
        halve(s);
    since /= s->bin_ns;
    if (since >= FLOW_SERIES_BINS)
        since = FLOW_SERIES_BINS - 1;
    s->bytes[since] += bytes;
    if ((uint32_t)since >= s->used)
        s->used = (uint32_t)since + 1;
}
