/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Congestion control of one direction as the tap sees it (DCQCN, IBTA A17.9): from the mark on a
 * data packet to the notification, and what the sender's rate does then.
 *
 * Nothing is kept of streams without marks and notifications.
 */
#ifndef FLOW_CONGESTION_H
#define FLOW_CONGESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/histogram.h"
#include "flow/marks.h"
#include "flow/series.h"

enum {
    FLOW_CNP_CLOSE_NS = 4000, /* CNPs of one flow closer together are too many */
};

/* Of a stream that carries notifications (CNPs; BECN on InfiniBand and RoCEv1): they tell the other
 * side to slow down. */
struct flow_notices {
    uint64_t count;
    struct flow_histogram interval; /* from one to the next, ns */
    int64_t interval_min_ns;        /* valid when interval.count > 0 */
    uint64_t close;                 /* intervals below FLOW_CNP_CLOSE_NS */
    uint64_t close_frame;           /* the first one */
    int64_t last_ns;
};

/* Of a stream of data. Notifications count from the moment on at which the tap knows which stream
 * they mean. */
struct flow_reaction {
    struct flow_marks marks;             /* over time, from the first mark or notification on */
    struct flow_histogram ce_to_cnp;     /* first mark after the notification before, ns */
    struct flow_histogram rate_before;   /* sender's, in the 1 ms before a notification, bit/s */
    struct flow_histogram rate_after;    /* in the 1 ms after it */
    struct flow_histogram rate_recovery; /* until 90 % of the rate before are reached, ns */
    uint64_t notices;
    uint64_t notices_without_ce; /* marking may happen behind the tap */
    uint64_t ce_unanswered;      /* marks that no notification followed */
    uint64_t ce_unanswered_frame;
    uint64_t slowed;           /* notifications after which the rate was lower by 5 % or more */
    uint64_t not_slowed;       /* ... was not */
    uint64_t not_slowed_frame; /* the first of these */
    bool recovering;           /* a fall of the rate has not ended yet */
};

struct flow_engine;
struct stream;
struct congestion;
struct rdc_packet;

/* Fetches from memory what a report needs. */
void congestion_fetch_all(const struct congestion *c);
/* A data packet of `s` that is marked: before congestion_data() */
void congestion_mark(struct flow_engine *e, struct stream *s, uint64_t frame, int64_t time_ns);
/* A data packet of `s`, which has such state, after it was added to the stream's series. `ect`: it
 * may be marked, or is. */
void congestion_data(struct flow_engine *e, struct stream *s, int64_t time_ns, uint32_t wire_size,
                     bool ect, bool marked);
/* A notification in `s`: it throttles the peer. */
void congestion_notice(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt);
/* The capture ends. */
void congestion_finish(struct flow_engine *e, struct stream *s);
/* NULL: there are none */
const struct flow_notices *congestion_notices(const struct stream *s);
const struct flow_reaction *congestion_reaction(const struct stream *s);

#endif
