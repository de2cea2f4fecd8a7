/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How did a connection fare, in a word? For the page, so that its table agrees with the findings.
 */
#ifndef ANALYSIS_PAGE_STATUS_H
#define ANALYSIS_PAGE_STATUS_H

#include "analysis/findings/findings.h"
#include "report/report.h"

/* The worst that fits is told. */
enum connection_status {
    FARED_OK,
    FARED_ONE_WAY,
    FARED_FINDING,
    FARED_LATE,
    FARED_CONGESTED,
    FARED_UNCERTAIN,
    FARED_RECOVERED,
    FARED_RESENT,
    FARED_LOSSY,
    FARED_RNR,
    FARED_PAUSED,
    FARED_STALLED,
    FARED_NO_ANSWER,
    FARED_ERROR,
    FARED_COUNT,
};

/* One of each connection, by its index; free with g_free() */
uint8_t *statuses_find(const struct analysis_input *in, const struct findings *findings);
/* By index, of an_status: connection_harm(); bytes of both directions on the wire */
const uint64_t *status_harm(const struct analysis_run *run);
const uint64_t *status_bytes(const struct analysis_run *run);
/* How many connections acknowledge what they get */
size_t status_reliable(const struct analysis_run *run);
/* The cell of a table */
struct report_value status_value(uint8_t status);
/* Explains those of the set (bit: enum connection_status) below a table; nothing to explain: adds
 * nothing. `unsure`: a count has a question mark; `disordered`: why all that depends on the order
 * of packets has, NULL: only losses have; `no_qp`: why a queue pair has, NULL: none has. */
void status_legend(struct report_node *root, uint32_t set, bool unsure, const char *disordered,
                   const char *no_qp);

#endif
