/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What shows that a packet got lost. Findings and `check` ask it here, so that both name the frames
 * of what is counted.
 */
#ifndef ANALYSIS_LOSS_SIGNS_H
#define ANALYSIS_LOSS_SIGNS_H

#include "flow/event.h"
#include "rdc/opcode.h"

/* A resend whose original is not on the capture */
static inline bool loss_shows_in_resend(const struct flow_event *ev)
{
    return (ev->kind == FLOW_RETRANSMISSION || ev->kind == FLOW_TCP_RETRANSMISSION) &&
           ev->original_frame == 0;
}

/* A hole that nothing filled */
static inline bool loss_shows_in_hole(const struct flow_event *ev)
{
    return ev->kind == FLOW_HOLE_CLOSED && (ev->as == FLOW_HOLE_LOST || ev->as == FLOW_HOLE_OPEN);
}

/* The answer to an atomic came only when that had gone out again */
static inline bool loss_shows_in_atomic(const struct flow_event *ev)
{
    return ev->kind == FLOW_HOLE_CLOSED && ev->as == FLOW_HOLE_RETRANSMITTED &&
           ev->code == RDC_OP_ATOMIC_ACKNOWLEDGE;
}

/* What passed the capture point got lost behind it, so that a requester went back */
static inline bool loss_shows_in_round(const struct flow_round *round)
{
    return round->lost == FLOW_LOST_REQUEST || round->lost == FLOW_LOST_RESPONSE;
}

#endif
