/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rate of a stream (see series.h).
 */
#include "flow/series.h"

#include <string.h>

static void add_part(struct flow_series *s, int64_t time_ns, uint32_t bytes);

void flow_series_step(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    if (s->peak_bytes == 0)
        s->window_ns = time_ns;
    if (time_ns - s->window_ns >= FLOW_WINDOW_NS) {
        s->window_bytes = 0;
        s->window_ns = time_ns - (time_ns - s->window_ns) % FLOW_WINDOW_NS;
    }
    if (time_ns >= s->window_ns)
        flow_series_sum(&s->window_bytes, bytes);
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
    add_part(s, time_ns, bytes);
}

static void add_part(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t ahead = time_ns / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;

    if (time_ns < 0 || ahead <= -FLOW_PARTS)
        return;
    if (ahead >= FLOW_PARTS) {
        memset(s->parts, 0, sizeof(s->parts));
    } else if (ahead > 0) {
        memmove(s->parts + ahead, s->parts, (size_t)(FLOW_PARTS - ahead) * sizeof(s->parts[0]));
        memset(s->parts, 0, (size_t)ahead * sizeof(s->parts[0]));
    }
    if (ahead > 0)
        s->part_ns = time_ns - time_ns % FLOW_PART_NS;
    flow_series_sum(&s->parts[ahead < 0 ? -ahead : 0], bytes);
}

uint64_t flow_series_recent(const struct flow_series *s, int64_t now)
{
    int64_t ahead = now / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;
    uint64_t sum = 0;

    for (int64_t i = 0; i < FLOW_PARTS; i++) {
        int64_t age = i + ahead; /* in parts, of parts[i] */

        if (age < 0 || age >= FLOW_PARTS)
            continue;
        sum += age == FLOW_PARTS - 1
                   ? (uint64_t)s->parts[i] * (uint64_t)(FLOW_PART_NS - now % FLOW_PART_NS) /
                         (uint64_t)FLOW_PART_NS
                   : s->parts[i];
    }
    return sum;
}
