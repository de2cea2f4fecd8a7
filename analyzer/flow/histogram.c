/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Log-linear histograms (see histogram.h).
 */
#include "flow/histogram.h"

#include <stdlib.h>
#include <string.h>

enum {
    SUB = 1 << FLOW_HISTOGRAM_SUBBITS,
    CHUNK = 32, /* buckets by which the held range grows */
};

/* Values below 32 have a bucket each; above, the top five bits below the leading one choose it. */
static unsigned bucket_of(uint64_t v)
{
    unsigned shift;

    if (v < SUB)
        return (unsigned)v;
    shift = 63u - (unsigned)__builtin_clzll(v) - FLOW_HISTOGRAM_SUBBITS;
    return ((shift + 1) << FLOW_HISTOGRAM_SUBBITS) + (unsigned)((v >> shift) & (SUB - 1));
}

static uint64_t upper_bound(unsigned bucket)
{
    unsigned shift;

    if (bucket < SUB)
        return bucket;
    shift = (bucket >> FLOW_HISTOGRAM_SUBBITS) - 1;
    return ((uint64_t)(SUB + (bucket & (SUB - 1))) << shift) + ((1ull << shift) - 1);
}

static bool cover(struct flow_histogram *h, unsigned bucket)
{
    unsigned first = bucket / CHUNK * CHUNK, end = first + CHUNK;
    uint32_t *grown;

    if (h->used != 0) {
        if (bucket >= h->first && bucket < (unsigned)h->first + h->used)
            return true;
        first = first < h->first ? first : h->first;
        end = end > (unsigned)h->first + h->used ? end : (unsigned)h->first + h->used;
    }
    grown = calloc(end - first, sizeof(*grown));
    if (grown == NULL)
        return false;
    if (h->used != 0)
        memcpy(grown + (h->first - first), h->buckets, h->used * sizeof(*grown));
    free(h->buckets);
    h->buckets = grown;
    h->first = (uint16_t)first;
    h->used = (uint16_t)(end - first);
    return true;
}

void flow_histogram_add(struct flow_histogram *h, int64_t value)
{
    uint64_t v = value < 0 ? 0 : (uint64_t)value;
    unsigned bucket = bucket_of(v);

    h->count++;
    if (v > h->max)
        h->max = v;
    if (!cover(h, bucket))
        return;
    h->latest = (uint16_t)bucket;
    if (h->buckets[bucket - h->first] != UINT32_MAX)
        h->buckets[bucket - h->first]++;
}

void flow_histogram_merge(struct flow_histogram *h, const struct flow_histogram *other)
{
    h->count += other->count;
    if (other->max > h->max)
        h->max = other->max;
    for (unsigned i = 0; i < other->used; i++) {
        uint64_t sum;

        if (other->buckets[i] == 0 || !cover(h, other->first + i))
            continue;
        sum = (uint64_t)h->buckets[other->first + i - h->first] + other->buckets[i];
        h->buckets[other->first + i - h->first] = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
    }
}

uint64_t flow_histogram_quantile(const struct flow_histogram *h, unsigned permille)
{
    uint64_t held = 0, want, sum = 0;

    for (unsigned i = 0; i < h->used; i++)
        held += h->buckets[i];
    want = (held * permille + 999) / 1000;
    for (unsigned i = 0; i < h->used; i++) {
        sum += h->buckets[i];
        if (sum >= want && sum > 0) {
            uint64_t v = upper_bound(h->first + i);

            return v < h->max ? v : h->max;
        }
    }
    return h->max;
}

int64_t flow_histogram_median_ns(const struct flow_histogram *h)
{
    const uint64_t longest = (uint64_t)1 << 58;
    uint64_t median = flow_histogram_quantile(h, 500);

    return (int64_t)(median < longest ? median : longest);
}

void flow_histogram_done(struct flow_histogram *h)
{
    free(h->buckets);
    *h = (struct flow_histogram){0};
}
