/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` remembers of an engine's events: how many of each kind, which gaps were real, and
 * the first frames of everything that a limit may be exceeded by.
 */
#ifndef ANALYSIS_CHECK_WATCH_H
#define ANALYSIS_CHECK_WATCH_H

#include "flow/flow.h"

enum check_evidence {
    EVIDENCE_NONE,
    EVIDENCE_GAP, /* whose PSNs neither came late nor were only missed by the capture */
    EVIDENCE_RETRANSMISSION,
    EVIDENCE_LOST,        /* what is not here: its resend, or what shows that nothing came of it */
    EVIDENCE_LOST_BEHIND, /* what passed here: the first packet of the round that it began */
    EVIDENCE_SPURIOUS,
    EVIDENCE_OUT_OF_ORDER,
    EVIDENCE_DUPLICATE,
    EVIDENCE_NAK, /* all but RNR; Terminate messages of iWARP */
    EVIDENCE_RNR_NAK,
    EVIDENCE_REMOTE_ERROR,
    EVIDENCE_NOT_CAPTURED,
    EVIDENCE_ACKED_UNSEEN,
    EVIDENCE_CE,
    EVIDENCE_CNP,
    EVIDENCE_ICRC_BAD,
    EVIDENCE_RETRY_EXHAUSTED,
    EVIDENCE_TIMEOUT, /* first resent packet of a round */
    EVIDENCE_PAUSE,
};

struct check_watch;

struct check_watch *check_watch_new(void);
/* NULL is accepted */
void check_watch_free(struct check_watch *watch);
/* The sink that an engine writes to; borrows the watch. */
struct flow_sink check_watch_sink(struct check_watch *watch);
/* After flow_finish(): decides about the gaps that are left */
void check_watch_settle(struct check_watch *watch);

/* How often there was no memory for what should have been counted or remembered */
uint64_t check_watch_refused(const struct check_watch *watch);
/* Events of a kind, as they were settled */
uint64_t check_watch_events(const struct check_watch *watch, uint8_t kind);
/* Of one stream (FLOW_NO_STREAM: of none) */
uint64_t check_watch_count(const struct check_watch *watch, uint32_t stream,
                           enum check_evidence evidence);
/* Adds its first frames to `frames`, which holds `count` in ascending order and has room for
 * `room`; returns how many it holds then. */
size_t check_watch_frames(const struct check_watch *watch, uint32_t stream,
                          enum check_evidence evidence, uint64_t *frames, size_t count,
                          size_t room);

#endif
