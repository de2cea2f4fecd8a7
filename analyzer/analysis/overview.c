/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine and the analyses side by side (see overview.h).
 */
#include "analysis/overview.h"

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/connections.h"
#include "analysis/totals.h"

enum {
    CONNECTIONS_SHOWN = 5,
};

struct overview {
    const struct capture *capture;
    struct flow_engine *engine;
    struct analysis_run *run;
};

struct overview *overview_new(const struct capture *capture)
{
    struct overview *o = g_new0(struct overview, 1);

    o->capture = capture;
    o->run = analysis_run_new(capture);
    o->engine = flow_engine_new(NULL, NULL);
    return o;
}

void overview_free(struct overview *o)
{
    if (o == NULL)
        return;
    flow_engine_free(o->engine);
    analysis_run_free(o->run);
    g_free(o);
}

void overview_packet(struct overview *o, const struct rdc_packet *pkt)
{
    flow_packet(o->engine, pkt);
    analysis_run_packet(o->run, pkt, flow_latest_facts(o->engine));
}

struct report *overview_report(struct overview *o, const char *tool_version, bool all)
{
    struct analysis_input input = {.capture = o->capture, .engine = o->engine, .run = o->run};
    struct report *report;

    flow_finish(o->engine);
    report =
        report_new("rdmapcap.stats/1", tool_version, o->capture->files, o->capture->file_count);
    analysis_run_report(o->run, &input, &report->root);
    totals_report(&report->root, o->engine);
    connections_table(&report->root, o->engine,
                      &(struct connections_view){.page = true,
                                                 .top = all ? 0 : CONNECTIONS_SHOWN,
                                                 .title = "Connections, worst first"});
    return report;
}
