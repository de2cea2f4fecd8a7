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

/* What nearly every packet needs comes first: the latest bin waits beside the others. */
struct flow_marks {
    int64_t from_ns;          /* of the latest bin */
    int64_t bin_ns;           /* length of a bin; 0: nothing was added */
    struct flow_mark_bin now; /* added to the latest bin since it was looked for */
    uint32_t bin;             /* its number */
    uint32_t used;            /* bins */
    int64_t start_ns;
    struct flow_mark_bin bins[FLOW_MARK_BINS];
};

/* A time that is not in the latest bin */
struct flow_mark_bin *flow_marks_find(struct flow_marks *m, int64_t time_ns);

/* What to add to at a time, until the next one; times before the start are in bin 0. */
static inline struct flow_mark_bin *flow_marks_at(struct flow_marks *m, int64_t time_ns)
{
    if ((uint64_t)time_ns - (uint64_t)m->from_ns >= (uint64_t)m->bin_ns)
        return flow_marks_find(m, time_ns);
    return &m->now;
}

/* Adds what waits to its bin: before the bins are read. */
void flow_marks_settle(struct flow_marks *m);

#endif
