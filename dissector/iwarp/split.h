/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cutting a cursor in two, for parts that are worth decoding also where the snap length cut them.
 */
#ifndef IWARP_SPLIT_H
#define IWARP_SPLIT_H

#include "rdc/wire.h"

/* *part gets the first `wire` bytes, as far as they were captured; the cursor moves behind them */
RDC_CHECKED static inline enum rdc_status split(struct rdc_cursor *cur, size_t wire,
                                                struct rdc_cursor *part)
{
    struct rdc_cursor first = *cur;
    enum rdc_status st = rdc_limit(&first, wire);

    if (st != RDC_OK)
        return st;
    if (first.captured > 0)
        cur->at += first.captured;
    cur->captured -= first.captured;
    cur->wire -= wire;
    *part = first;
    return RDC_OK;
}

#endif
