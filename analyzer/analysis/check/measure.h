/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The functions behind the names of names.c. What they can't see is in `unknown`; `value`
 * then is what can be seen.
 */
#ifndef ANALYSIS_CHECK_MEASURE_H
#define ANALYSIS_CHECK_MEASURE_H

#include "analysis/check/check.h"

typedef struct check_amount check_connection_fn(const struct check_measure *self,
                                                const struct check_facts *facts,
                                                const struct flow_connection *c);
typedef struct check_amount check_capture_fn(const struct check_facts *facts);

/* measure.c */
check_connection_fn check_gaps, check_naks, check_timeouts, check_icrc_bad, check_remote_errors,
    check_retry_exhausted, check_lost, check_dropped_messages, check_unpaired;
check_capture_fn check_pause_frames, check_capture_drops, check_truncated, check_time_disorder,
    check_connections, check_packets, check_rdma_packets;

/* ratio.c: of the worse direction */
check_connection_fn check_retransmitted_pct, check_loss_pct, check_icrc_bad_pct, check_ce_pct,
    check_recovery, check_rtt, check_latency;

/* What one direction that was captured adds */
typedef double check_direction_fn(const struct check_measure *self, const struct check_facts *facts,
                                  const struct flow_direction *d);
/* Both directions, as far as they can be seen: their sum, or the larger */
struct check_amount check_both(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_connection *c, check_direction_fn *amount,
                               bool larger);

#endif
