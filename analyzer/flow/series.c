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

/* Index of the part that is so many before the newest one */
static uint32_t part_before(const struct flow_series *s, uint32_t age)
{
    return s->newest >= age ? s->newest - age : s->newest + FLOW_PARTS - age;
}

/* Empty ones follow the newest one, the last of which is the newest then. */
static void go_on(struct flow_series *s, int64_t parts)
{
    for (; parts > 0; parts--) {
        s->newest = s->newest + 1 < FLOW_PARTS ? s->newest + 1 : 0;
        s->parts[s->newest] = 0;
    }
}

static void add_part(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t ahead = time_ns / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;

    if (time_ns < 0 || ahead <= -FLOW_PARTS)
        return;
    if (ahead >= FLOW_PARTS)
        memset(s->parts, 0, sizeof(s->parts));
    else
        go_on(s, ahead);
    if (ahead > 0)
        s->part_ns = time_ns - time_ns % FLOW_PART_NS;
    flow_series_sum(&s->parts[part_before(s, ahead < 0 ? (uint32_t)-ahead : 0)], bytes);
}

uint64_t flow_series_recent(const struct flow_series *s, int64_t now)
{
    int64_t ahead = now / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;
    uint64_t sum = 0;

    for (int64_t i = 0; i < FLOW_PARTS; i++) {
        int64_t age = i + ahead; /* in parts, of the one that is i before the newest */
        uint64_t part = s->parts[part_before(s, (uint32_t)i)];

        if (age < 0 || age >= FLOW_PARTS)
            continue;
        sum += age == FLOW_PARTS - 1
                   ? part * (uint64_t)(FLOW_PART_NS - now % FLOW_PART_NS) / (uint64_t)FLOW_PART_NS
                   : part;
    }
    return sum;
}
