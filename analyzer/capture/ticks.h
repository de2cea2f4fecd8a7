/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the ticks of a pcapng interface (if_tsresol, if_tsoffset) to nanoseconds.
 */
#ifndef CAPTURE_TICKS_H
#define CAPTURE_TICKS_H

#include <stdbool.h>
#include <stdint.h>

struct ticks {
    uint64_t ns;    /* a tick has this many ns; 0: see the exponent */
    uint64_t limit; /* ticks below this can be multiplied */
    int64_t offset_s;
    int64_t offset_ns; /* the same; where it does not fit, `limit` is 0 */
    bool binary;       /* a tick is 2^-exponent s, else 10^-exponent s */
    uint8_t exponent;
};

/* `resolution` as in if_tsresol: bit 7 binary, bits 0-6 the exponent */
struct ticks ticks_from_option(uint8_t resolution, int64_t offset_s);
/* What the fast way can't do. A time outside +-292 years becomes the nearest that fits. */
int64_t ticks_to_ns_slowly(const struct ticks *t, uint64_t count);

static inline int64_t ticks_to_ns(const struct ticks *t, uint64_t count)
{
    if (count < t->limit)
        return (int64_t)(count * t->ns) + t->offset_ns;
    return ticks_to_ns_slowly(t, count);
}

#endif
