/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How evenly is something spread? The entropy H of the shares, and 2^H: that many equal shares
 * would be spread as evenly.
 */
#ifndef ANALYSIS_ENTROPY_H
#define ANALYSIS_ENTROPY_H

#include <stdint.h>

/* Weights are added one by one: a share of zero changes nothing. */
struct entropy {
    double sum;
    double sum_log; /* of w * log2(w) */
};

void entropy_add(struct entropy *e, uint64_t weight);
/* In bits; 0 when nothing or one thing was added */
double entropy_bits(const struct entropy *e);
/* 2^H; 0 when nothing was added */
double entropy_effective(const struct entropy *e);

#endif
