/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap stats: what is in this capture, and what went wrong? One screen for an incident review.
 */
#include "analysis/analysis.h"
#include "analysis/connections.h"
#include "analysis/totals.h"
#include "cmd/feed.h"
#include "cmd/output.h"
#include "render/report_render.h"

enum {
    CONNECTIONS_SHOWN = 5,
};

static struct report *look(struct feed *in, bool all);
static void render(struct buffer *out, const struct options *o, const struct report *report);

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct options options;
    enum exit_status status;
    struct feed *in = NULL;
    struct report *report;
    struct output out;

    if (options_parse(&options, self, NULL, argc, argv, &status))
        in = feed_open(&options, &status);
    if (in != NULL) {
        report = look(in, options.all);
        output_open(&out);
        render(&out.buffer, &options, report);
        report_free(report);
        status = output_close(&out, feed_close(in, status));
    }
    options_done(&options);
    return status;
}

/* Reads all packets; the report borrows from `in`. */
static struct report *look(struct feed *in, bool all)
{
    struct analysis_run *run = analysis_run_new(feed_capture(in));
    struct flow_engine *engine = flow_engine_new(NULL, NULL);
    struct analysis_input input = {.engine = engine, .run = run};
    struct rdc_packet pkt;
    struct report *report;

    while (feed_next(in, &pkt)) {
        analysis_run_packet(run, &pkt);
        flow_packet(engine, &pkt);
    }
    flow_finish(engine);
    input.capture = feed_capture(in); /* drop counters come last in a file */
    report = report_new("rdmapcap.stats/1", RDMAPCAP_VERSION, input.capture->files,
                        input.capture->file_count);
    analysis_run_report(run, &input, &report->root);
    totals_report(&report->root, engine);
    connections_table(&report->root, engine,
                      &(struct connections_view){.page = true,
                                                 .top = all ? 0 : CONNECTIONS_SHOWN,
                                                 .title = "Connections, worst first"});
    flow_engine_free(engine);
    analysis_run_free(run);
    return report;
}

static void render(struct buffer *out, const struct options *o, const struct report *report)
{
    if (o->format == FORMAT_JSON)
        report_render_json(out, report);
    else
        report_render_text(out, report, &(struct text_style){o->width, o->color, o->all});
}

const struct command cmd_stats = {
    .name = "stats",
    .summary = "What is in this capture, and what went wrong.",
    .usage = "FILE...",
    .formats = "text json",
    .details = "One screen for an incident review: how good the capture is, transports,\n"
               "operations, congestion marks, pauses and damaged packets, with the frames where\n"
               "each was seen first; what the connections lost and sent again, the worst first.\n",
    .example = "  rdmapcap stats capture.pcapng\n"
               "  rdmapcap stats -f json capture.pcap.gz | jq .totals\n",
    .run = run,
};
