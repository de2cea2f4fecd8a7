/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Log-linear histograms of times: quantiles within a stated relative error, from bounded memory,
 * that can be added up. Each power of two has 32 buckets, so a quantile is at most 1/32 (3.1 %)
 * above the true value. Only the range of buckets that was used is held, in as few bytes a bucket
 * as will do.
 */
#ifndef FLOW_HISTOGRAM_H
#define FLOW_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FLOW_HISTOGRAM_SUBBITS = 5,
    FLOW_HISTOGRAM_BUCKETS = 64 << FLOW_HISTOGRAM_SUBBITS,
};

struct flow_histogram {
    uint64_t count;
    uint64_t max;
    void *buckets; /* owned; of `used` buckets from `first` on */
    uint16_t first;
    uint16_t used;
    uint16_t latest; /* bucket of the latest value; the next one is often near */
    uint8_t width;   /* bytes of a bucket: 1, 2 or 4, as the fullest one needs */
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
    const uint8_t *buckets = h->buckets;
    size_t at = (size_t)(h->latest - h->first) * h->width, size = (size_t)h->used * h->width;
    size_t line = 64;

    if (h->used == 0)
        return;
    __builtin_prefetch(buckets + at, 1);
    __builtin_prefetch(buckets + (at < line ? 0 : at - line), 1);
    __builtin_prefetch(buckets + (at + line < size ? at + line : at), 1);
}

#endif
