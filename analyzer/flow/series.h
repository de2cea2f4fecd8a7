/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes over time: the busiest millisecond, the rate at any moment, and a fixed number of bins.
 * When a stream lasts longer than the bins reach, neighbours are added up and a bin is twice as
 * long.
 */
#ifndef FLOW_SERIES_H
#define FLOW_SERIES_H

#include <stdint.h>

enum {
    FLOW_SERIES_BINS = 64,
};

#define FLOW_SERIES_FIRST_BIN_NS INT64_C(1000000) /* a bin's length at the start */

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
    /* a packet needs this much */
    int64_t start_ns;      /* of bin 0: the first packet's time */
    int64_t window_ns;     /* of the running millisecond */
    uint64_t window_bytes; /* in it; not in a bin yet */
    uint64_t peak_bytes;   /* in the busiest one, the running one included */
    struct flow_recent recent;

    /* a millisecond that is over, this */
    int64_t bin_ns; /* 0: nothing was added */
    uint32_t used;  /* bins */
    uint64_t bytes[FLOW_SERIES_BINS];
};

/* Adds bytes at a time. Times before the start count in bin 0. */
void flow_series_add(struct flow_series *s, int64_t time_ns, uint32_t bytes);

/* The running millisecond goes to its bin: call before the bins are read. */
void flow_series_settle(struct flow_series *s);

/* Bytes in the millisecond that ends at `now`; bytes within a part count as spread evenly. */
uint64_t flow_recent_bytes(const struct flow_recent *r, int64_t now);

#endif
