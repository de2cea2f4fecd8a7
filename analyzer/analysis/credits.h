/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Did a port of an InfiniBand link run out of credits? Flow control packets (IBTA 7.9.4) tell for
 * each virtual lane what was sent (FCTBS) and what may be sent (FCCL), in blocks of 64 bytes,
 * modulo 4096.
 */
#ifndef ANALYSIS_CREDITS_H
#define ANALYSIS_CREDITS_H

#include "analysis/analyses.h"

enum {
    CREDIT_BLOCK = 64, /* bytes */
    CREDIT_PORTS = 2,
    CREDIT_LANES = 16,
};

/* What one port tells of one lane: when it says what it sent, the latest limit of the other port
 * minus that is what it may still send. */
struct credit_port {
    bool seen;
    uint16_t fctbs, fccl;
    int64_t last_ns;
    uint64_t packets;
    uint64_t samples;  /* packets after which the credits left are known */
    uint32_t min, max; /* blocks */
    uint64_t sum;
    int64_t at_zero_ns; /* from a packet that shows none left to the next one */
    bool at_zero;
    uint64_t zeros;
    uint64_t zero_frame; /* the first */
};

struct credit_lane {
    struct credit_port ports[CREDIT_PORTS];
    unsigned latest; /* port of the latest packet */
};

/* A flow control packet; the packet does not say which of the two ports sent it: the one whose
 * numbers it continues. */
void credit_packet(struct credit_lane *lane, const struct rdc_flow_control *fc, uint64_t frame,
                   int64_t time_ns);

struct credits {
    struct credit_lane lanes[CREDIT_LANES];
    uint64_t packets;  /* flow control */
    struct tally vl15; /* management packets on VL 15, which needs no credits */
    uint64_t vl15_bytes;
    uint64_t ib_packets;
};

/* State of an_credits */
static inline const struct credits *credits_of(const struct analysis_run *run)
{
    return analysis_run_state(run, &an_credits);
}

#endif
