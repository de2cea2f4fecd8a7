/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The product of two 64-bit numbers, also where the compiler has no type of 128 bits.
 */
#ifndef RDC_WIDE_H
#define RDC_WIDE_H

#include <stdint.h>

struct rdc_wide {
    uint64_t high;
    uint64_t low;
};

/* By the four products of the halves */
static inline struct rdc_wide rdc_wide_product_of_halves(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);

    return (struct rdc_wide){(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32),
                             other << 32 | (low & UINT32_MAX)};
}

static inline struct rdc_wide rdc_wide_product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 u128;
    u128 product = (u128)a * b;

    return (struct rdc_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    return rdc_wide_product_of_halves(a, b);
#endif
}

#endif
