/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entropy from running sums: H = log2(W) - sum(w log2 w) / W.
 */
#include "analysis/entropy.h"

#include <math.h>

void entropy_add(struct entropy *e, uint64_t weight)
{
    double w = (double)weight;

    if (weight == 0)
        return;
    e->sum += w;
    e->sum_log += w * log2(w);
}

double entropy_bits(const struct entropy *e)
{
    double bits;

    if (e->sum <= 0)
        return 0;
    bits = log2(e->sum) - e->sum_log / e->sum;
    return bits > 1e-9 ? bits : 0; /* what rounding leaves of nothing is nothing */
}

double entropy_effective(const struct entropy *e)
{
    return e->sum > 0 ? exp2(entropy_bits(e)) : 0;
}
