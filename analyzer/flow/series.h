/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fast a stream sends: the busiest millisecond, and the rate at any moment.
 */
#ifndef FLOW_SERIES_H
#define FLOW_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#define FLOW_WINDOW_NS INT64_C(1000000)
#define FLOW_PART_NS INT64_C(125000)

enum {
    FLOW_PARTS = 9, /* eight that make a millisecond, and what is left of the one before */
};

/* One cache line: nearly every packet adds to it. Bytes end at UINT32_MAX, as 34 Tbit/s do. */
struct flow_series {
    int64_t window_ns;          /* of the running millisecond; they count from the first packet */
    int64_t part_ns;            /* of the newest part; they count from the epoch */
    uint32_t window_bytes;      /* in the running millisecond */
    uint32_t peak_bytes;        /* in the busiest one, the running one included; 0: not begun */
    uint32_t parts[FLOW_PARTS]; /* bytes, a ring: to tell the rate at any moment */
    uint16_t newest;            /* index of the newest one; those before it are older */
    uint16_t begun;             /* set, 1 << how far before the newest one: the others are empty */
};

/* A time outside the running millisecond or the newest part */
void flow_series_step(struct flow_series *s, int64_t time_ns, uint32_t bytes);

static inline bool flow_series_is_within(int64_t start_ns, int64_t length_ns, int64_t time_ns)
{
    return (uint64_t)time_ns - (uint64_t)start_ns < (uint64_t)length_ns;
}

static inline void flow_series_sum(uint32_t *sum, uint32_t bytes)
{
    *sum = bytes < UINT32_MAX - *sum ? *sum + bytes : UINT32_MAX;
}

/* Adds bytes > 0 at a time. What comes late, in a millisecond that is over, counts for no peak. */
static inline void flow_series_add(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    if (!flow_series_is_within(s->part_ns, FLOW_PART_NS, time_ns) ||
        !flow_series_is_within(s->window_ns, FLOW_WINDOW_NS, time_ns) || s->peak_bytes == 0) {
        flow_series_step(s, time_ns, bytes);
        return;
    }
    flow_series_sum(&s->parts[s->newest], bytes);
    flow_series_sum(&s->window_bytes, bytes);
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
}

/* Bytes in the millisecond that ends at `now`; bytes within a part count as spread evenly. */
uint64_t flow_series_recent(const struct flow_series *s, int64_t now);

#endif
