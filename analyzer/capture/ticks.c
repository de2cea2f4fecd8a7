/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exact tick arithmetic: any resolution from seconds to 2^-127 or 10^-127, rounded down.
 */
#include "capture/ticks.h"

enum {
    NS_EXPONENT = 9,
    MAX_POWER = 19, /* 10^19 < 2^64 */
};

static const uint64_t ns_per_s = 1000000000;

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

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

int64_t ticks_to_ns_slowly(const struct ticks *t, uint64_t count)
{
    signed_wide ns;

    if (t->binary && t->exponent >= 94) /* 2^64 ticks are below a nanosecond */
        ns = 0;
    else if (t->binary)
        ns = (signed_wide)(((wide)count * ns_per_s) >> t->exponent);
    else if (t->exponent <= NS_EXPONENT)
        ns = (signed_wide)((wide)count * t->ns);
    else if (t->exponent - NS_EXPONENT > MAX_POWER)
        ns = 0;
    else
        ns = (signed_wide)(count / power_of_ten(t->exponent - NS_EXPONENT));
    ns += (signed_wide)t->offset_s * (signed_wide)ns_per_s;
    if (ns > INT64_MAX)
        return INT64_MAX;
    return ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}
