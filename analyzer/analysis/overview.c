/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine and the analyses side by side (see overview.h).
 */
#include "analysis/overview.h"

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/evidence.h"
#include "analysis/findings/findings.h"
#include "analysis/page/page.h"

struct overview {
    const struct capture *capture;
    struct flow_engine *engine;
    struct analysis_run *run;
    struct evidence *evidence;
};

struct overview *overview_new(const struct capture *capture)
{
    struct overview *o = g_new0(struct overview, 1);
    struct flow_config config = {.reorder_window_ns = capture->reorder_window_ns};
    struct flow_sink sink;

    o->capture = capture;
    o->run = analysis_run_new(capture);
    o->evidence = evidence_new();
    sink = evidence_sink(o->evidence);
    o->engine = flow_engine_new(&config, &sink);
    return o;
}

void overview_free(struct overview *o)
{
    if (o == NULL)
        return;
    flow_engine_free(o->engine);
    evidence_free(o->evidence);
    analysis_run_free(o->run);
    g_free(o);
}

void overview_ahead(void *overview, const struct flow_batch *batch)
{
    struct overview *o = overview;

    analysis_run_ahead(o->run, batch);
}

void overview_batch(struct overview *o, struct flow_batch *batch)
{
    flow_batch(o->engine, batch);
    analysis_run_batch(o->run, batch);
}

const struct flow_engine *overview_engine(const struct overview *o)
{
    return o->engine;
}

/* The page for people first, everything that was counted behind it */
struct report *overview_report(struct overview *o, const char *tool_version, bool all)
{
    struct analysis_input input = {
        .capture = o->capture, .engine = o->engine, .evidence = o->evidence, .run = o->run};
    struct findings *findings;
    struct report_node *details;
    struct report *report;

    flow_finish(o->engine);
    analysis_run_settle(o->run);
    findings = findings_new(&input);
    analysis_run_connections(o->run, &input, findings);
    report =
        report_new("rdmapcap.stats/1", tool_version, o->capture->files, o->capture->file_count);
    report_without_times(report, capture_untimed_reason(o->capture));
    page_report(&report->root, &input, findings, all);
    details = report_section(&report->root, NULL, "");
    details->detail = true;
    analysis_run_report(o->run, &input, details);
    findings_free(findings);
    return report;
}
