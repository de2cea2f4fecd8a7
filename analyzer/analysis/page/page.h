/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page for an incident review: can this capture be trusted; what is in it; what went wrong;
 * the connections that hurt; where to look next.
 */
#ifndef ANALYSIS_PAGE_PAGE_H
#define ANALYSIS_PAGE_PAGE_H

#include "analysis/findings/findings.h"

/* Adds the sections. `all`: however long it gets. */
void page_report(struct report_node *root, const struct analysis_input *in,
                 const struct findings *findings, bool all);
/* Its second section: what is in the capture */
void page_contents(struct report_node *root, const struct analysis_input *in);
/* Its last section: commands that show more. `connection`: id of the one to look at; 0: there is
 * none */
void page_next(struct report_node *root, const struct analysis_input *in,
               const struct findings *findings, uint32_t connection);

#endif
