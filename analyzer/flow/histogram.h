/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Log-linear histograms of times: quantiles within a stated relative error, from bounded memory,
 * that can be added up. Each power of two has 32 buckets, so a quantile is at most 1/32 (3.1 %)
 * above the true value. Only the range of buckets that was used is held.
 */
#ifndef FLOW_HISTOGRAM_H
#define FLOW_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FLOW_HISTOGRAM_SUBBITS = 5,
    FLOW_HISTOGRAM_BUCKETS = 64 << FLOW_HISTOGRAM_SUBBITS,
};

struct flow_histogram {
    uint64_t count;
    uint64_t max;
    uint32_t *buckets; /* owned; of `used` buckets from `first` on */
    uint16_t first;
    uint16_t used;
    uint16_t latest; /* bucket of the latest value; the next one is often near */
};

/* A histogram that is all zero is empty. Adds a value; negative values count as 0. When memory is
 * refused the value only counts in `count` and `max`. */
void flow_histogram_add(struct flow_histogram *h, int64_t value);
void flow_histogram_merge(struct flow_histogram *h, const struct flow_histogram *other);
/* The value that at least `permille` of 1000 values do not exceed: upper bound of its bucket, never
 * above the maximum. 0 when empty. */
uint64_t flow_histogram_quantile(const struct flow_histogram *h, unsigned permille);
/* The median of times, at most nine years, so that it can be multiplied. */
int64_t flow_histogram_median_ns(const struct flow_histogram *h);
void flow_histogram_done(struct flow_histogram *h);

/* Asks for the memory that the next value is likely to need. */
static inline void flow_histogram_fetch(const struct flow_histogram *h)
{
    unsigned near = h->latest - h->first, line = 16;

    if (h->used == 0)
        return;
    __builtin_prefetch(&h->buckets[near], 1);
    __builtin_prefetch(&h->buckets[near < line ? 0 : near - line], 1);
    __builtin_prefetch(&h->buckets[near + line < h->used ? near + line : near], 1);
}

#endif
