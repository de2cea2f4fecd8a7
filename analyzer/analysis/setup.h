/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How did connections come up and go? The handshakes of communication management (IBTA chapter 12).
 */
#ifndef ANALYSIS_SETUP_H
#define ANALYSIS_SETUP_H

#include "analysis/analyses.h"

enum setup_state {
    SETUP_REQUESTED, /* nobody answered */
    SETUP_REPLIED,   /* REP, but no RTU: the caller may still use it */
    SETUP_ESTABLISHED,
    SETUP_REJECTED,
    SETUP_CLOSED,
    SETUP_STATES,
};

enum {
    SETUP_FRAMES = 4, /* of a request, its first ones */
};

/* A request that goes out until it is answered: REQ, DREQ */
struct setup_asked {
    uint32_t tries;
    uint32_t unheard; /* of these: sent although the one before had been answered here */
    bool by_caller;
    int64_t first_ns, latest_ns;
    int64_t answer_ns;     /* INT64_MIN: no answer */
    int64_t heard_ns;      /* first answer behind the latest try; INT64_MIN: none */
    uint64_t answer_frame; /* of the first; 0: no answer */
    uint64_t frames[SETUP_FRAMES];
};

/* One attempt to connect */
struct setup_exchange {
    uint8_t address_kind;
    uint8_t caller[16], called[16];
    uint32_t comm_id[2];             /* the caller's, the called side's (when it answered) */
    uint32_t caller_qpn, called_qpn; /* called_qpn 0: not known */
    uint64_t transaction;            /* of REQ */
    struct flow_key key;             /* of its stream */
    uint32_t interface;              /* that saw it first: copies on others are no repetitions */
    uint64_t service_id;
    uint8_t state;     /* enum setup_state */
    bool reply_missed; /* what follows shows a REP that is not on the capture: RTU, DREQ, or packets
                          to the caller's queue pair */
    int64_t shown_ns;  /* then: when that came */
    uint8_t about;     /* REJ: the message it refuses */
    uint16_t reason;   /* REJ: rdc_cm_reason_text() */
    struct setup_asked connect, disconnect;
    uint64_t last_frame; /* of the message that brought it into its state */
    int64_t patience_ns; /* within which the caller wants an answer; 0: unknown */
};

/* State of an_setup */
size_t setup_count(const struct analysis_run *run);
/* Requests that there was no room for */
uint64_t setup_not_counted(const struct analysis_run *run);
const struct setup_exchange *setup_get(const struct analysis_run *run, size_t index);
/* The stream of data that one side sends, or FLOW_NO_STREAM */
uint32_t setup_stream(const struct flow_engine *engine, const struct setup_exchange *x);
/* Nobody answered in the time that the caller allows, or it asked again */
bool setup_unanswered(const struct setup_exchange *x, const struct capture *capture);

#endif
