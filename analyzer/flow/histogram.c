/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Log-linear histograms (see histogram.h).
 */
#include "flow/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "flow/arena.h"

enum {
    SUB = 1 << FLOW_HISTOGRAM_SUBBITS,
    CHUNK = 64, /* buckets by which the held range grows */
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

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): move() sets what it frees, one copy of a struct later */
static uint32_t count_at(const struct flow_histogram *h, unsigned i)
{
    switch (h->width) {
    case 1:
        return ((const uint8_t *)h->buckets)[i];
    case 2:
        return ((const uint16_t *)h->buckets)[i];
    default:
        return ((const uint32_t *)h->buckets)[i];
    }
}

static void set_count(struct flow_histogram *h, unsigned i, uint32_t count)
{
    if (h->width == 1)
        ((uint8_t *)h->buckets)[i] = (uint8_t)count;
    else if (h->width == 2)
        ((uint16_t *)h->buckets)[i] = (uint16_t)count;
    else
        ((uint32_t *)h->buckets)[i] = count;
}
/* NOLINTEND(clang-analyzer-unix.Malloc) */

static void drop(struct flow_histogram *h, struct flow_arena *arena)
{
    if (arena != NULL)
        flow_arena_drop(arena, h->buckets, (size_t)h->used * h->width);
    else
        free(h->buckets);
}

/* Moves the buckets to memory for [first, end), `width` bytes each. */
static bool move(struct flow_histogram *h, unsigned first, unsigned end, uint8_t width,
                 struct flow_arena *arena)
{
    struct flow_histogram to = *h;

    to.buckets = arena != NULL ? flow_arena_new(arena, (size_t)(end - first) * width)
                               : calloc(end - first, width);
    if (to.buckets == NULL)
        return false;
    to.first = (uint16_t)first;
    to.used = (uint16_t)(end - first);
    to.width = width;
    if (h->used > 0 && width == h->width)
        memcpy((uint8_t *)to.buckets + (size_t)(h->first - first) * width, h->buckets,
               (size_t)h->used * width);
    for (unsigned i = 0; i < h->used && width != h->width; i++)
        set_count(&to, h->first - first + i, count_at(h, i));
    drop(h, arena);
    *h = to;
    return true;
}

static bool cover(struct flow_histogram *h, unsigned bucket, struct flow_arena *arena)
{
    unsigned first = bucket / CHUNK * CHUNK, end = first + CHUNK;

    if (h->used == 0)
        return move(h, first, end, 1, arena);
    if (bucket >= h->first && bucket < (unsigned)h->first + h->used)
        return true;
    first = first < h->first ? first : h->first;
    end = end > (unsigned)h->first + h->used ? end : (unsigned)h->first + h->used;
    return move(h, first, end, h->width, arena);
}

static void add_to(struct flow_histogram *h, unsigned bucket, uint64_t n, struct flow_arena *arena)
{
    uint64_t sum = n + count_at(h, bucket - h->first);
    uint8_t width = sum > UINT16_MAX ? 4 : sum > UINT8_MAX ? 2 : 1;

    if (width > h->width && !move(h, h->first, (unsigned)h->first + h->used, width, arena))
        return;
    set_count(h, bucket - h->first, sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
}

/* Counts what waits in its bucket. */
static void settle(struct flow_histogram *h, struct flow_arena *arena)
{
    if (h->waiting > 0 && cover(h, h->latest, arena))
        add_to(h, h->latest, h->waiting, arena);
}

void flow_histogram_add(struct flow_histogram *h, int64_t value, struct flow_arena *arena)
{
    uint64_t v = value < 0 ? 0 : (uint64_t)value;
    unsigned bucket = bucket_of(v);

    h->count++;
    if (v > h->max)
        h->max = v;
    if (bucket != h->latest || h->waiting == UINT8_MAX) {
        settle(h, arena);
        h->latest = (uint16_t)bucket;
        h->waiting = 0;
    }
    h->waiting++;
}

/* Values in a bucket; those that wait are in theirs. */
static uint64_t held(const struct flow_histogram *h, unsigned bucket)
{
    uint64_t n = bucket == h->latest ? h->waiting : 0;

    if (bucket >= h->first && bucket < (unsigned)h->first + h->used)
        n += count_at(h, bucket - h->first);
    return n;
}

uint64_t flow_histogram_quantile(const struct flow_histogram *h, unsigned permille)
{
    unsigned first = h->used == 0 || h->latest < h->first ? h->latest : h->first;
    unsigned end = (unsigned)h->first + h->used;
    uint64_t all = 0, want, sum = 0;

    end = end > h->latest ? end : h->latest + 1u;
    for (unsigned i = first; i < end; i++)
        all += held(h, i);
    want = (all * permille + 999) / 1000;
    for (unsigned i = first; i < end; i++) {
        sum += held(h, i);
        if (sum >= want && sum > 0) {
            uint64_t v = upper_bound(i);

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

void flow_histogram_done(struct flow_histogram *h, struct flow_arena *arena)
{
    drop(h, arena);
    *h = (struct flow_histogram){0};
}
