/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Log-linear histograms of times: quantiles within a stated relative error, from bounded memory.
 * Each power of two has 32 buckets, so a quantile is at most 1/32 (3.1 %)
 * above the true value. Only the range of buckets that was used is held, in as few bytes a bucket
 * as will do.
 */
#ifndef FLOW_HISTOGRAM_H
#define FLOW_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_arena;

enum {
    FLOW_HISTOGRAM_SUBBITS = 5,
    FLOW_HISTOGRAM_BUCKETS = 64 << FLOW_HISTOGRAM_SUBBITS,
};

/* The latest values wait until one comes that is in another bucket: the memory that this takes is
 * known long before, and can be asked for (flow_histogram_fetch). */
struct flow_histogram {
    uint64_t count;
    uint64_t max;
    void *buckets; /* owned; of `used` buckets from `first` on */
    uint16_t first;
    uint16_t used;
    uint16_t latest; /* bucket of the values that wait */
    uint8_t waiting; /* how many they are */
    uint8_t width;   /* bytes of a bucket: 1, 2 or 4, as the fullest one needs */
};

/* A histogram that is all zero is empty. Its memory comes from the arena, always the same one;
 * NULL: from the system. Adds a value; negative values count as 0. Where memory is refused, values
 * only count in `count` and `max`. */
void flow_histogram_add(struct flow_histogram *h, int64_t value, struct flow_arena *arena);
/* The value that at least `permille` of 1000 values do not exceed: upper bound of its bucket, never
 * above the maximum. 0 when empty. */
uint64_t flow_histogram_quantile(const struct flow_histogram *h, unsigned permille);
/* The median of times, at most nine years, so that it can be multiplied. */
int64_t flow_histogram_median_ns(const struct flow_histogram *h);
void flow_histogram_done(struct flow_histogram *h, struct flow_arena *arena);

/* Asks for the memory that the next value needs. */
static inline void flow_histogram_fetch(const struct flow_histogram *h)
{
    if (h->used != 0 && h->latest >= h->first)
        __builtin_prefetch((const uint8_t *)h->buckets + (size_t)(h->latest - h->first) * h->width,
                           1);
}

#endif
