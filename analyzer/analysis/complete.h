/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is what is reported all of it? Files that were not read to their end, and what there was no
 * memory to follow. Every command that reports tells it from here.
 */
#ifndef ANALYSIS_COMPLETE_H
#define ANALYSIS_COMPLETE_H

#include "analysis/capture.h"
#include "flow/flow.h"
#include "report/report.h"

struct analysis_input;

/* After flow_finish() */
struct complete_facts {
    const struct capture *capture;
    const struct flow_engine *engine;
    uint64_t rounds; /* that were not kept, by those who keep any */
    uint64_t
        counts; /* counts, first frames and pairs of hosts that were not kept, by those who do */
};

/* Of a run of all analyses */
struct complete_facts complete_of(const struct analysis_input *in);
/* What was not followed, a sentence; NULL when all was. g_free() it. */
char *complete_left_out(const struct complete_facts *facts);
/* For programs: `partial`, `damage`, `warnings`, `odd_records`, `limits_reached`,
 * `not_followed_packets`, `untimed_packets`. `title`: of the damage, for people; NULL */
void complete_items(struct report_node *section, const struct complete_facts *facts,
                    const char *title);
/* For people, on a page without a verdict of the capture: a paragraph for each thing missing */
void complete_paragraphs(struct report_node *root, const struct complete_facts *facts);

#endif
