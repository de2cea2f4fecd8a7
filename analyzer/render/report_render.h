/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Renderers of the report model: for people, for programs, for spreadsheets.
 */
#ifndef RENDER_REPORT_RENDER_H
#define RENDER_REPORT_RENDER_H

#include "render/buffer.h"
#include "report/report.h"

struct text_style {
    size_t width; /* columns of the page */
    bool color;
    bool all; /* every row of every table */
};

void report_render_text(struct buffer *out, const struct report *report,
                        const struct text_style *style);
/* One object, indented */
void report_render_json(struct buffer *out, const struct report *report);
/* One table, with a line of column names */
void report_render_csv(struct buffer *out, const struct report *report,
                       const struct report_node *table);
/* One table, an object a line */
void report_render_jsonl(struct buffer *out, const struct report *report,
                         const struct report_node *table);

#endif
