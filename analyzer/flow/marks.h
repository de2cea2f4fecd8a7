/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shares of marked packets over time, in a fixed number of bins: when they do not reach, neighbours
 * are added up and a bin is twice as long.
 */
#ifndef FLOW_MARKS_H
#define FLOW_MARKS_H

#include <stdint.h>

enum {
    FLOW_MARK_BINS = 32,
};

#define FLOW_MARK_FIRST_BIN_NS 100000 /* a bin's length at the start */

struct flow_mark_bin {
    uint32_t packets; /* of data */
    uint32_t ect;     /* of them: that may be marked, or are */
    uint32_t ce;      /* of them: that are marked */
    uint32_t notices; /* CNPs */
};

struct flow_marks {
    int64_t from_ns, until_ns; /* the latest bin: other times are looked for */
    uint32_t bin;              /* its number */
    uint32_t used;             /* bins */
    int64_t start_ns;
    int64_t bin_ns; /* 0: nothing was added */
    struct flow_mark_bin bins[FLOW_MARK_BINS];
};

/* A time that is not in the latest bin */
struct flow_mark_bin *flow_marks_find(struct flow_marks *m, int64_t time_ns);

/* The bin of a time, to add to; times before the start are in bin 0. */
static inline struct flow_mark_bin *flow_marks_at(struct flow_marks *m, int64_t time_ns)
{
    if (time_ns < m->from_ns || time_ns >= m->until_ns)
        return flow_marks_find(m, time_ns);
    return &m->bins[m->bin];
}

#endif
