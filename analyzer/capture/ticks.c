/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exact tick arithmetic: any resolution from seconds to 2^-127 or 10^-127, rounded down.
 */
#include "capture/ticks.h"

#include "rdc/wide.h"

enum {
    NS_EXPONENT = 9,
    MAX_POWER = 19, /* 10^19 < 2^64 */
};

static const uint64_t ns_per_s = 1000000000;

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

struct ticks ticks_from_option(uint8_t resolution, int64_t offset_s)
{
    struct ticks t = {
        .binary = (resolution & 0x80) != 0, .exponent = resolution & 0x7f, .offset_s = offset_s};
    const int64_t offset_limit = INT64_MAX / 2 / (int64_t)ns_per_s;

    if (t.binary || t.exponent > NS_EXPONENT)
        return t;
    t.ns = power_of_ten(NS_EXPONENT - t.exponent);
    if (offset_s > offset_limit || offset_s < -offset_limit)
        return t;
    t.offset_ns = offset_s * (int64_t)ns_per_s;
    t.limit = INT64_MAX / 2 / t.ns;
    return t;
}

static struct rdc_wide shifted_right(struct rdc_wide w, unsigned bits)
{
    if (bits == 0)
        return w;
    if (bits >= 64)
        return (struct rdc_wide){0, w.high >> (bits - 64)};
    return (struct rdc_wide){w.high >> bits, w.high << (64 - bits) | w.low >> bits};
}

/* `w` as a signed number of 128 bits, plus that many seconds */
static struct rdc_wide plus_seconds(struct rdc_wide w, int64_t seconds)
{
    uint64_t size = seconds < 0 ? 0 - (uint64_t)seconds : (uint64_t)seconds;
    struct rdc_wide ns = rdc_wide_product(size, ns_per_s);

    if (seconds < 0)
        ns = (struct rdc_wide){~ns.high + (ns.low == 0), 0 - ns.low};
    ns.low += w.low;
    ns.high += w.high + (ns.low < w.low);
    return ns;
}

/* As a signed number, held within what fits into 64 bits */
static int64_t clamped(struct rdc_wide w)
{
    bool negative = w.high >> 63 != 0;

    if (w.high == (negative ? UINT64_MAX : 0) && w.low >> 63 == negative)
        return (int64_t)w.low;
    return negative ? INT64_MIN : INT64_MAX;
}

int64_t ticks_to_ns_slowly(const struct ticks *t, uint64_t count)
{
    struct rdc_wide ns = {0};

    if (t->binary && t->exponent < 94) /* beyond, 2^64 ticks are below a nanosecond */
        ns = shifted_right(rdc_wide_product(count, ns_per_s), t->exponent);
    else if (!t->binary && t->exponent <= NS_EXPONENT)
        ns = rdc_wide_product(count, t->ns);
    else if (!t->binary && t->exponent - NS_EXPONENT <= MAX_POWER)
        ns.low = count / power_of_ten(t->exponent - NS_EXPONENT);
    return clamped(plus_seconds(ns, t->offset_s));
}
