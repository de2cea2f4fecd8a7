/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine's terms as they are written everywhere.
 */
#include "flow/flow.h"

const char *flow_event_name(uint8_t kind)
{
    static const char *const names[FLOW_EVENT_KIND_COUNT] = {
        [FLOW_GAP] = "gap",
        [FLOW_RETRANSMISSION] = "retransmission",
        [FLOW_OUT_OF_ORDER] = "out_of_order",
        [FLOW_DUPLICATE] = "duplicate",
        [FLOW_HOLE_CLOSED] = "hole_closed",
        [FLOW_NAK] = "nak",
        [FLOW_RNR_NAK] = "rnr_nak",
        [FLOW_ACKED_UNSEEN] = "acked_unseen",
        [FLOW_ACKED_EARLY] = "acked_early",
        [FLOW_CE] = "ce",
        [FLOW_CNP] = "cnp",
        [FLOW_PAUSE] = "pause",
        [FLOW_ICRC_BAD] = "icrc_bad",
        [FLOW_CM] = "cm",
        [FLOW_TEARDOWN] = "teardown",
        [FLOW_RETRY_EXHAUSTED] = "retry_exhausted",
        [FLOW_TCP_RETRANSMISSION] = "tcp_retransmission",
        [FLOW_TCP_OUT_OF_ORDER] = "tcp_out_of_order",
        [FLOW_TCP_GAP] = "tcp_gap",
        [FLOW_ZERO_WINDOW] = "zero_window",
        [FLOW_MPA] = "mpa",
        [FLOW_FRAMING] = "framing",
        [FLOW_CRC_BAD] = "crc_bad",
        [FLOW_MSN_GAP] = "msn_gap",
        [FLOW_TERMINATE] = "terminate",
    };

    return kind < FLOW_EVENT_KIND_COUNT ? names[kind] : NULL;
}

const char *flow_trigger_name(uint8_t trigger)
{
    static const char *const names[FLOW_TRIGGER_COUNT] = {
        [FLOW_TRIGGER_NAK] = "nak",         [FLOW_TRIGGER_RNR] = "rnr",
        [FLOW_TRIGGER_READ] = "read",       [FLOW_TRIGGER_TIMEOUT] = "timeout",
        [FLOW_TRIGGER_UNKNOWN] = "unknown",
    };

    return trigger < FLOW_TRIGGER_COUNT ? names[trigger] : "unknown";
}

const char *flow_hole_end_name(uint8_t as)
{
    static const char *const names[FLOW_HOLE_END_COUNT] = {
        [FLOW_HOLE_RETRANSMITTED] = "retransmitted",
        [FLOW_HOLE_REORDERED] = "reordered",
        [FLOW_HOLE_NOT_CAPTURED] = "not-captured",
        [FLOW_HOLE_LOST] = "lost",
        [FLOW_HOLE_OPEN] = "open",
    };

    return as < FLOW_HOLE_END_COUNT ? names[as] : NULL;
}

const char *flow_pairing_name(uint8_t pairing)
{
    static const char *const names[] = {
        [FLOW_UNPAIRED] = NULL,    [FLOW_PAIRED_CM] = "cm",     [FLOW_PAIRED_SPORT] = "sport",
        [FLOW_PAIRED_PSN] = "psn", [FLOW_PAIRED_ONLY] = "only",
    };

    return pairing < sizeof(names) / sizeof(names[0]) ? names[pairing] : NULL;
}

const char *flow_state_name(uint8_t state)
{
    static const char *const names[] = {
        [FLOW_STATE_OPEN] = "open",
        [FLOW_STATE_CLOSED] = "closed",
        [FLOW_STATE_RETRY_EXHAUSTED] = "retry_exhausted",
        [FLOW_STATE_ERROR] = "error",
    };

    return state < sizeof(names) / sizeof(names[0]) ? names[state] : NULL;
}
