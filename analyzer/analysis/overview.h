/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report that answers "what is in this capture, and what went wrong": the engine and all
 * analyses over one run of packets. For the command line and for Wireshark.
 */
#ifndef ANALYSIS_OVERVIEW_H
#define ANALYSIS_OVERVIEW_H

#include "analysis/capture.h"
#include "flow/flow.h"
#include "rdc/packet.h"
#include "report/report.h"

struct overview;

/* `capture` is borrowed, and filled in by the caller as packets come. */
struct overview *overview_new(const struct capture *capture);
/* NULL is accepted */
void overview_free(struct overview *o);
/* Every packet of the capture, in its order, once by each of these. overview_ahead() may be called
 * in another thread, ahead of the other. */
void overview_ahead(void *overview, const struct flow_batch *batch);
void overview_batch(struct overview *o, struct flow_batch *batch);
/* Borrowed */
const struct flow_engine *overview_engine(const struct overview *o);
/* After the last packet, once. `all`: all connections. Owned by the caller; it borrows from the
 * capture. */
struct report *overview_report(struct overview *o, const char *tool_version, bool all);

#endif
