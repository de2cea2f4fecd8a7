/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The STags that iWARP connections use: who names which buffer of whom, for what, and when it was
 * invalidated.
 */
#ifndef ANALYSIS_STAGS_H
#define ANALYSIS_STAGS_H

#include "flow/flow.h"
#include "report/report.h"

/* A table `stags` where there are iWARP connections; only_id 0: of all of them. `title`: NULL for
 * programs only. */
void stags_table(struct report_node *root, const struct flow_engine *engine, uint32_t only_id,
                 const char *title);

#endif
