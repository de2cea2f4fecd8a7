/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the rounds of a requester tell of its acknowledgement timeout, and of times in which nobody
 * answered. The timer is configured as an
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
    uint32_t pairs;  /* of timeouts in a row at one PSN */
    uint32_t longer; /* of these: the second was longer by a quarter */
    bool before;     /* the latest round was one: */
    uint32_t before_psn;
    int64_t before_ns;   /* its silence */
    int64_t shortest_ns; /* silence before a resend by timeout; 0: none */
    int64_t longest_ns;
};

/* What is to be said of them */
struct timer {
    int exponent_low; /* the configured one is in this range; -1: nothing tells */
    int exponent_high;
    bool grow; /* successive waits at one PSN get longer: exponential back-off */
};

/* The same PSN passed here three times or more, and no answer to it came past in between: the peer
 * did not answer, or nothing got through. Where answers came past, they got lost behind here. */
struct outage {
    uint32_t tries; /* transmissions of the PSN that are here; 0: there is no outage */
    uint32_t psn;
    int64_t from_ns; /* latest new request before, or the try behind the last answer */
    int64_t to_ns;   /* acknowledgement that ended it, else its last packet */
    bool ended;
};

struct outages {
    uint32_t count;
    uint32_t timeouts;   /* rounds of them */
    uint32_t seen;       /* rounds that count in lost_after_tap */
    uint64_t packets;    /* sent again in them */
    uint64_t vain;       /* packets sent again that nobody answered */
    struct outage worst; /* one that did not end, else the longest */
    struct {             /* tries at one PSN that may become one; outage.tries 0: none */
        uint32_t rounds, seen;
        uint64_t packets, vain;
        uint64_t latest; /* packets of the latest try, which may be answered yet */
        struct outage outage;
    } now;
};

/* The first sign of the loss behind a round: the gap, or the answer that tells of it */
static inline int64_t round_sign_ns(const struct flow_round *r)
{
    return r->start_ns - (r->resend_delay_ns > 0 ? r->resend_delay_ns : 0) -
           (r->nak_delay_ns > 0 ? r->nak_delay_ns : 0);
}

/* When the acknowledgement came that ended a round; of one without, its last packet */
static inline int64_t round_end_ns(const struct flow_round *r)
{
    int64_t sign = round_sign_ns(r);

    return r->recovery_ns >= 0 && sign + r->recovery_ns > r->last_ns ? sign + r->recovery_ns
                                                                     : r->last_ns;
}

/* Take the rounds of one stream, in order; all zero at first. */
void timeouts_add(struct timeouts *timeouts, const struct flow_round *round);
void outages_add(struct outages *outages, const struct flow_round *round);
/* A round from before the latest one proved to be a timeout: it counts, but not with its
 * neighbours. */
void timeouts_add_late(struct timeouts *timeouts, const struct flow_round *round);
/* Behind the last round */
void outages_end(struct outages *outages);
struct timer timeouts_timer(const struct timeouts *timeouts);
/* The exponents that a single silence allows, low and high; false: none does */
bool timeouts_range(int64_t silence_ns, int *low, int *high);

#endif
