/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the rounds of a requester tell of its acknowledgement timeout. The timer is configured as an
 * exponent n: 4.096 us x 2^n, and it may run out at one to four times that (IBTA vol.
 * 1, 9.7.6.1.3).
 */
#ifndef ANALYSIS_TIMEOUTS_H
#define ANALYSIS_TIMEOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/flow.h"

struct timeouts {
    uint32_t count;
    int64_t shortest_ns; /* silence before a resend by timeout; 0: none */
    int64_t longest_ns;
    int exponent_low; /* the configured one is in this range; -1: nothing tells */
    int exponent_high;
    uint32_t unanswered; /* at the end: timeouts at one PSN, without an acknowledgement */
    bool grow;           /* successive waits at one PSN get longer: exponential back-off */
};

/* `rounds` of one stream, in order */
struct timeouts timeouts_of(const struct flow_round *rounds, size_t count);
/* The exponents that a single silence allows, low and high; false: none does */
bool timeouts_range(int64_t silence_ns, int *low, int *high);

#endif
