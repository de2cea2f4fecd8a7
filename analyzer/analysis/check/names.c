/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Everything that `check` can limit, by name. To add one: a row here, with a counter of the engine
 * or a function (measure.c: counts; ratio.c: shares and times).
 */
#include <stddef.h>
#include <string.h>

#include "analysis/check/measure.h"

#define COUNTER(name, need, member, evidence, by_default, unit, meaning)                           \
    {                                                                                              \
        name, CHECK_SUM, unit, meaning, by_default, need, evidence,                                \
            offsetof(struct flow_counters, member), NULL, NULL                                     \
    }
#define SUM(name, need, function, evidence, by_default, unit, meaning)                             \
    {                                                                                              \
        name, CHECK_SUM, unit, meaning, by_default, need, evidence, 0, function, NULL              \
    }
#define EACH(name, need, function, evidence, unit, meaning)                                        \
    {                                                                                              \
        name, CHECK_EACH, unit, meaning, false, need, evidence, 0, function, NULL                  \
    }
#define OF_CAPTURE(name, function, evidence, unit, meaning)                                        \
    {                                                                                              \
        name, CHECK_CAPTURE, unit, meaning, false, CHECK_NEEDS_STREAM, evidence, 0, NULL, function \
    }
#define MARKS(name, meaning)                                                                       \
    {                                                                                              \
        name, CHECK_MARKS, "values", meaning, false, CHECK_NEEDS_STREAM, EVIDENCE_NONE, 0, NULL,   \
            NULL                                                                                   \
    }

/* clang-format off */
const struct check_measure check_measures[] = {
    SUM("psn_gaps", CHECK_NEEDS_PSN, check_gaps, EVIDENCE_GAP, true, "gaps",
        "runs of missing PSNs, but for packets that came late (out_of_order) or that were "
        "delivered and only missed by the capture (not_captured)"),
    COUNTER("retransmitted_packets", CHECK_NEEDS_PSN, retransmitted_packets, EVIDENCE_RETRANSMISSION,
            true, "packets", "packets sent again"),
    SUM("naks", CHECK_NEEDS_REFUSALS, check_naks, EVIDENCE_NAK, true, "packets",
        "NAKs of any code, but RNR NAKs; Terminate messages of iWARP"),
    COUNTER("rnr_naks", CHECK_NEEDS_AETH, rnr_naks, EVIDENCE_RNR_NAK, true, "packets",
            "NAKs because the receiver was not ready"),
    SUM("timeouts", CHECK_NEEDS_ROUNDS, check_timeouts, EVIDENCE_TIMEOUT, true, "rounds",
        "retransmission rounds that a timeout began"),
    SUM("icrc_bad", CHECK_NEEDS_ICRC, check_icrc_bad, EVIDENCE_ICRC_BAD, true, "packets",
        "packets with a bad ICRC or IPv4 header checksum, FPDUs of iWARP with a bad CRC"),
    SUM("remote_errors", CHECK_NEEDS_REFUSALS, check_remote_errors, EVIDENCE_REMOTE_ERROR, false,
        "packets", "NAKs that end a connection: invalid request, access, operational, invalid RD; Terminates"),
    SUM("retry_exhausted", CHECK_NEEDS_AETH, check_retry_exhausted, EVIDENCE_RETRY_EXHAUSTED,
        false, "events", "requesters that gave up"),
    COUNTER("spurious", CHECK_NEEDS_STEP, spurious, EVIDENCE_SPURIOUS, false, "packets",
            "packets sent again though they had been acknowledged"),
    COUNTER("out_of_order", CHECK_NEEDS_PSN, out_of_order, EVIDENCE_OUT_OF_ORDER, false, "packets",
            "packets that came late"),
    COUNTER("duplicates", CHECK_NEEDS_PSN, duplicates, EVIDENCE_DUPLICATE, false, "packets",
            "packets copied by the network or the mirror"),
    SUM("lost_packets", CHECK_NEEDS_AFTER, check_lost, EVIDENCE_LOST, false, "packets",
        "losses before the capture point and behind it; the latter are an estimate"),
    SUM("dropped_messages", CHECK_NEEDS_STREAM, check_dropped_messages, EVIDENCE_GAP, false,
        "messages", "UC messages that contain a gap, and of those that are missing whole, one a gap"),
    COUNTER("not_captured", CHECK_NEEDS_ANSWERS, not_captured, EVIDENCE_NOT_CAPTURED, false,
            "PSNs", "missing PSNs that were acknowledged: the capture is incomplete"),
    COUNTER("acked_unseen", CHECK_NEEDS_ANSWERS, acked_unseen, EVIDENCE_ACKED_UNSEEN, false,
            "packets", "acknowledgements of what is not on the capture"),
    COUNTER("ce_packets", CHECK_NEEDS_STREAM, ce_packets, EVIDENCE_CE, false, "packets",
            "packets with a congestion mark (CE, FECN)"),
    COUNTER("cnps", CHECK_NEEDS_CNPS, cnps_sent, EVIDENCE_CNP, false, "packets",
            "congestion notification packets"),
    SUM("unpaired_streams", CHECK_NEEDS_STREAM, check_unpaired, EVIDENCE_NONE, false, "streams",
        "reliable connections of which only one direction is known"),
    EACH("retransmitted_pct", CHECK_NEEDS_PSN, check_retransmitted_pct, EVIDENCE_RETRANSMISSION,
         "%", "packets sent again, of a direction's data packets"),
    EACH("loss_pct", CHECK_NEEDS_AFTER, check_loss_pct, EVIDENCE_LOST, "%",
         "lost_packets, of a direction's data packets"),
    EACH("icrc_bad_pct", CHECK_NEEDS_ICRC, check_icrc_bad_pct, EVIDENCE_ICRC_BAD, "%",
         "packets with a bad checksum, of a direction's packets"),
    EACH("ce_pct", CHECK_NEEDS_STREAM, check_ce_pct, EVIDENCE_CE, "%",
         "packets with a congestion mark, of a direction's data packets"),
    EACH("recovery_max_ms", CHECK_NEEDS_ANSWERS, check_recovery, EVIDENCE_RETRANSMISSION, "ms",
         "longest way from a loss to the acknowledgement of what was lost"),
    EACH("rtt_p99_us", CHECK_NEEDS_ANSWERS, check_rtt, EVIDENCE_NONE, "us",
         "request to its acknowledgement, from the capture point and back: 99 of 100 are shorter"),
    EACH("message_latency_p99_us", CHECK_NEEDS_ANSWERS, check_latency, EVIDENCE_NONE, "us",
         "first packet of a message to its acknowledgement: 99 of 100 are shorter"),
    OF_CAPTURE("pause_frames", check_pause_frames, EVIDENCE_PAUSE, "frames", "PFC and PAUSE frames"),
    OF_CAPTURE("capture_drops", check_capture_drops, EVIDENCE_NONE, "packets",
               "packets that the capture lost, where the file tells"),
    OF_CAPTURE("truncated_packets", check_truncated, EVIDENCE_NONE, "packets",
               "packets cut by the snap length"),
    OF_CAPTURE("time_disorder", check_time_disorder, EVIDENCE_NONE, "packets",
               "packets older than the one before"),
    OF_CAPTURE("connections", check_connections, EVIDENCE_NONE, "connections",
               "connections and unpaired streams"),
    OF_CAPTURE("packets", check_packets, EVIDENCE_NONE, "packets", "packets of any kind"),
    OF_CAPTURE("rdma_packets", check_rdma_packets, EVIDENCE_NONE, "packets", "packets of RDMA"),
    MARKS("dscp", "DSCP of RoCEv2 packets (--expect-dscp)"),
    MARKS("pcp", "priority of the innermost VLAN tag (--expect-pcp)"),
};
/* clang-format on */

const size_t check_measure_count = sizeof(check_measures) / sizeof(check_measures[0]);

/* Rows of zeros: the place in the array is the kind */
static const struct check_measure event_measures[FLOW_EVENT_KIND_COUNT];

const struct check_measure *check_measure_find(const char *name)
{
    for (size_t i = 0; i < check_measure_count; i++)
        if (strcmp(check_measures[i].name, name) == 0)
            return &check_measures[i];
    return NULL;
}

const struct check_measure *check_event_find(const char *kind)
{
    for (uint8_t k = 0; k < FLOW_EVENT_KIND_COUNT; k++)
        if (strcmp(flow_event_name(k), kind) == 0)
            return &event_measures[k];
    return NULL;
}

uint8_t check_event_kind(const struct check_measure *measure)
{
    return (uint8_t)(measure - event_measures);
}
