/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where it happened: the first frames behind each of the engine's counters, by stream, and what the
 * retransmission rounds come to. What a finding shows is taken from here. Memory is bounded: ten
 * frames a stream and kind, and what rounds.c allows.
 */
#ifndef ANALYSIS_EVIDENCE_H
#define ANALYSIS_EVIDENCE_H

#include <stddef.h>

#include "analysis/first_frames.h"
#include "analysis/rounds.h"
#include "flow/flow.h"
#include "rdc/packet.h"

#define RNR_LONGEST_NS 655360000 /* IBTA vol. 1, table 45: code 0 */

enum evidence_kind {
    EVIDENCE_GAP,
    EVIDENCE_RESENT,
    EVIDENCE_RESENT_UNSEEN, /* resent, and the original is not on the capture */
    EVIDENCE_SPURIOUS,
    EVIDENCE_LATE,
    EVIDENCE_DUPLICATE,
    EVIDENCE_NOT_CAPTURED,
    EVIDENCE_LOST,         /* holes that nothing filled */
    EVIDENCE_ATOMIC_AGAIN, /* the answer to an atomic, when it came only after that went out again
                            */
    EVIDENCE_ACKED_UNSEEN,
    EVIDENCE_ACKED_EARLY,
    EVIDENCE_RNR_NAK,
    EVIDENCE_RNR_LONGEST, /* of these, with the longest timer: code 0 */
    EVIDENCE_CE,
    EVIDENCE_CNP,
    EVIDENCE_ICRC_BAD,
    EVIDENCE_CRC_BAD, /* iWARP */
    EVIDENCE_TERMINATE,
    EVIDENCE_ZERO_WINDOW,
    EVIDENCE_MPA,
    EVIDENCE_FRAMING,
    EVIDENCE_MSN_GAP,
    EVIDENCE_NAK, /* and its code: FLOW_NAK_CODES of them */
    EVIDENCE_KIND_COUNT = EVIDENCE_NAK + FLOW_NAK_CODES,
};

/* A requester that gave up */
struct evidence_retries {
    uint64_t frame; /* of the last try; 0: it did not give up */
    uint32_t psn;
    uint32_t tries;
    bool rnr;                   /* the receiver was not ready */
    struct round_tries *rounds; /* owned; the rounds of these tries */
};

/* Resends of TCP, from the first sign of what made them to the last of them */
struct evidence_resends {
    uint64_t count; /* 0: none */
    int64_t from_ns, to_ns;
};

/* Of one stream */
struct evidence_stream {
    struct rounds *rounds; /* owned; NULL: none */
    struct evidence_retries retries;
    uint64_t rnr_timer_max_ns; /* of the RNR NAKs that it sent */
    uint64_t rnr_timer_min_ns;
    uint64_t late_packets_max;
    int64_t late_ns_max;
    struct flow_terminate terminate; /* iWARP: the latest whose reason is known */
    bool terminate_known;
    struct evidence_resends filling, repeating; /* iWARP: the first copy is not here, or is */
};

/* The first packet of a stream of InfiniBand or RoCE */
struct evidence_first {
    uint32_t psn, msn;
    bool known;
    bool midway;     /* it continues something older */
    bool in_message; /* it is a MIDDLE or LAST packet of a request */
    bool is_answer;  /* normal for the second direction of a connection only */
    bool has_msn;    /* it counts the messages that were received */
};

struct evidence;

struct evidence *evidence_new(void);
/* NULL is accepted */
void evidence_free(struct evidence *evidence);
/* For flow_engine_new(); borrows the evidence. */
struct flow_sink evidence_sink(struct evidence *evidence);
/* The first packet of a stream of InfiniBand or RoCE, as the sink is told of it */
void evidence_first_packet(struct evidence *evidence, uint32_t stream,
                           const struct rdc_packet *pkt);

/* Whether the first answer counts more messages than the requests from their first packet on can be
 */
bool evidence_counts_older(const struct evidence_first *requests,
                           const struct evidence_first *answers);

/* NULL: it is not known */
const struct evidence_first *evidence_first_of(const struct evidence *evidence, uint32_t stream);
/* NULL when there is nothing to tell of the stream: most have no events */
const struct evidence_stream *evidence_of(const struct evidence *evidence, uint32_t stream);
/* The first frames of a kind in a stream (FLOW_NO_STREAM: EVIDENCE_ICRC_BAD of none); NULL: there
 * are none */
const struct first_frames *evidence_frames(const struct evidence *evidence, uint32_t stream,
                                           unsigned kind);
/* How many there are of a kind */
uint64_t evidence_count(const struct evidence *evidence, uint32_t stream, unsigned kind);
/* What the rounds of a requester come to, in `room`; NULL: there were none */
const struct round_sums *evidence_rounds(const struct evidence *evidence, uint32_t stream,
                                         struct round_sums *room);
/* Of these, times without an answer; all zero: none */
struct outages evidence_outages(const struct evidence *evidence, uint32_t stream);
/* Rounds that were not kept */
uint64_t evidence_rounds_refused(const struct evidence *evidence);
/* How often there was no memory for something else: what is here may be too little */
uint64_t evidence_refused(const struct evidence *evidence);

#endif
