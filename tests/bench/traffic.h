/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The traffic that the generator writes, as a tap near the responders sees it: RC connections that
 * WRITE, SEND and READ messages; acknowledgements; lost requests with their NAK and go-back-N; CE
 * marks and CNPs. The same options give the same packets.
 */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

struct traffic_options {
    uint32_t flows;
    uint32_t hosts; /* on each side */
    uint32_t payload;
    uint32_t message; /* packets of a message */
    double loss;      /* of request packets, 0..1 */
    double ce;        /* of request packets */
    double cnp;       /* of CE marks */
    double read;      /* of messages */
    uint64_t seed;
};

struct traffic_counts {
    uint64_t requests;
    uint64_t responses; /* READ responses */
    uint64_t acks;
    uint64_t naks;
    uint64_t lost;          /* not in the capture */
    uint64_t retransmitted; /* requests sent again */
    uint64_t ce;
    uint64_t cnps;
};

struct traffic;

/* Returns owned; NULL without memory. */
struct traffic *traffic_new(const struct traffic_options *options);
void traffic_free(struct traffic *t);
/* The next packet of the capture. */
void traffic_next(struct traffic *t, struct frame *f);
const struct traffic_counts *traffic_counts(const struct traffic *t);

#endif
