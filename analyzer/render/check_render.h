/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found, for people, programs and CI systems.
 */
#ifndef RENDER_CHECK_RENDER_H
#define RENDER_CHECK_RENDER_H

#include "render/buffer.h"
#include "report/check_result.h"

void check_render_text(struct buffer *out, const struct check_report *report, bool color, bool all);
/* One object, schema "rdmapcap.check/1" */
void check_render_json(struct buffer *out, const struct check_report *report);
/* JUnit XML: a suite, with a test case a capture */
void check_render_junit(struct buffer *out, const struct check_report *report);
/* SARIF 2.1.0 (OASIS): a result a violation; a capture has no lines, so frames are in its message
 * and properties */
void check_render_sarif(struct buffer *out, const struct check_report *report);
/* Workflow commands of GitHub Actions: an annotation a violation */
void check_render_github(struct buffer *out, const struct check_report *report);

#endif
