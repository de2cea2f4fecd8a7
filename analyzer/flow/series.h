/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How fast a stream sends: the busiest millisecond, and the rate at any moment.
 */
#ifndef FLOW_SERIES_H
#define FLOW_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#define FLOW_WINDOW_NS INT64_C(1000000)

/* The latest millisecond in parts, to tell the rate at any moment */
enum {
    FLOW_RECENT_BINS = 9, /* eight of 125 us, and what is left of the one before */
};

struct flow_recent {
    int64_t bin;      /* number of the newest, since the epoch */
    int64_t start_ns; /* of it */
    uint32_t place;   /* of it in `bytes` */
    uint32_t bytes[FLOW_RECENT_BINS];
};

struct flow_series {
    bool begun;
    int64_t from_ns, until_ns; /* the running millisecond and the newest part have in common */
    int64_t start_ns;          /* the first packet's time: milliseconds count from it */
    int64_t window_ns;         /* of the running millisecond */
    uint64_t window_bytes;     /* in it */
    uint64_t peak_bytes;       /* in the busiest one, the running one included */
    struct flow_recent recent;
};

/* A time outside of what the running millisecond and the newest part have in common */
void flow_series_step(struct flow_series *s, int64_t time_ns, uint32_t bytes);

/* Adds bytes at a time. What comes late, in a millisecond that is over, counts for no peak. */
static inline void flow_series_add(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    if (time_ns < s->from_ns || time_ns >= s->until_ns) {
        flow_series_step(s, time_ns, bytes);
        return;
    }
    s->recent.bytes[s->recent.place] += bytes;
    s->window_bytes += bytes;
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
}

/* Bytes in the millisecond that ends at `now`; bytes within a part count as spread evenly. */
uint64_t flow_recent_bytes(const struct flow_recent *r, int64_t now);

#endif
