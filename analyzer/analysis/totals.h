/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All connections of a capture together: how many there are, and the sums of what they sent, lost
 * and sent again.
 */
#ifndef ANALYSIS_TOTALS_H
#define ANALYSIS_TOTALS_H

#include "flow/flow.h"
#include "report/report.h"

/* Adds `connections` (how many) and `totals`. */
void totals_report(struct report_node *root, const struct flow_engine *engine);

#endif
