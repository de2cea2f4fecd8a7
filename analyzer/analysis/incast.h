/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Do many send to one at the same moment? Distinct senders to each destination in windows of
 * 100 us, and what they send together against the link.
 */
#ifndef ANALYSIS_INCAST_H
#define ANALYSIS_INCAST_H

#include "analysis/analyses.h"
#include "analysis/link_rate.h"

#define INCAST_WINDOW_NS INT64_C(100000)

enum {
    INCAST_COUNTED = 64, /* senders; more in one window count as so many in quantiles */
};

struct incast_target {
    uint8_t address_kind;
    uint8_t address[16];
    uint32_t interface; /* the one that saw it first; others are left out */
    uint64_t windows;   /* in which it received data */
    uint64_t max_senders;
    int64_t max_ns;                          /* begin of the first window that had so many */
    uint64_t max_frame;                      /* that brought the last of them */
    uint64_t peak_bytes;                     /* in the window with most */
    uint64_t peak_senders;                   /* in that window */
    uint64_t of_senders[INCAST_COUNTED + 1]; /* windows by senders */
};

/* State of an_incast; targets in order of appearance */
size_t incast_count(const struct analysis_run *run);
/* Data packets of hosts that there was no room for */
uint64_t incast_not_counted(const struct analysis_run *run);
void incast_get(const struct analysis_run *run, size_t index, struct incast_target *out);

/* Senders that at least `permille` of 1000 windows do not exceed */
uint64_t incast_quantile(const struct incast_target *t, unsigned permille);
static inline double incast_peak_bps(const struct incast_target *t)
{
    return (double)t->peak_bytes * 8 * 1e9 / (double)INCAST_WINDOW_NS;
}

#endif
