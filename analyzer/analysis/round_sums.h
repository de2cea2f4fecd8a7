/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the retransmission rounds of one requester come to: all that findings say of rounds, in a
 * size that does not grow with their number.
 */
#ifndef ANALYSIS_ROUND_SUMS_H
#define ANALYSIS_ROUND_SUMS_H

#include "analysis/first_frames.h"
#include "analysis/timeouts.h"

/* From when to when rounds were, and how the last of them ended */
struct round_span {
    uint64_t rounds;
    uint32_t last; /* number of the last one */
    int64_t from_ns, to_ns;
    int64_t last_ns; /* last packet of it */
    bool recovered;  /* it was */
    uint8_t trigger; /* of it */
};

enum round_spans {
    SPAN_ALL,
    SPAN_RNR,
    SPAN_READ,
    SPAN_TIMEOUT,
    SPAN_COUNT,
};

enum {
    TRIES_SHOWN = FIRST_FRAMES - 1,
};

/* Rounds in a row that went back to one PSN: since it was last answered here, if it was */
struct round_tries {
    uint32_t psn;
    uint32_t rounds;
    uint32_t answered;            /* tries before, of which answers came past */
    uint64_t frames[TRIES_SHOWN]; /* at which it went out again, the first of them */
    uint64_t least, most;         /* packets that one of them repeats */
};

/* Refused for want of a buffer */
struct round_refusals {
    uint64_t episodes; /* refusals of one packet after another are one */
    uint32_t psn;      /* of the latest */
    int64_t longest_ns;
    int64_t first_ns, last_ns; /* valid when there is an episode */
};

struct round_sums {
    uint64_t packets;         /* sent again */
    uint64_t packets_refused; /* of these, since the receiver was not ready */
    struct outages outages;
    struct timeouts timeouts;
    struct round_span spans[SPAN_COUNT];
    struct round_refusals refusals;
    struct round_tries now;             /* the latest in a row */
    struct round_tries worst;           /* those of the worst outage */
    struct first_frames timeout_frames; /* where timeouts began to resend */
    /* Where something seems to have got lost behind the capture point */
    struct first_frames request_frames, response_frames, answer_frames;
    uint64_t requests,
        requests_short;       /* of these; that began behind a request that wants no answer */
    uint64_t requests_missed; /* of these; that the receiver misses, as its NAK says */
    uint64_t answers;
};

/* Takes the rounds of one stream, in order; all zero at first. */
void round_sums_add(struct round_sums *sums, const struct flow_round *round);
/* A round that was added proved to be a timeout, not an answer to a NAK. */
void round_sums_timeout(struct round_sums *sums, const struct flow_round *round);
/* Behind the last round */
void round_sums_end(struct round_sums *sums);
void round_tries_add(struct round_tries *tries, const struct flow_round *round);

#endif
