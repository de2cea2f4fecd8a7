/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap stats: what is in this capture, and what went wrong? One screen for an incident review.
 */
#include "analysis/analysis.h"
#include "cmd/feed.h"
#include "cmd/output.h"
#include "render/report_render.h"

static struct report *look(struct feed *in);
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
        report = look(in);
        output_open(&out);
        render(&out.buffer, &options, report);
        report_free(report);
        status = output_close(&out, feed_close(in, status));
    }
    options_done(&options);
    return status;
}

/* Reads all packets; the report borrows from `in`. */
static struct report *look(struct feed *in)
{
    struct analysis_run *run = analysis_run_new();
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
               "operations, NAKs, congestion marks, pauses and damaged packets, with the frames\n"
               "where each was seen first.\n",
    .example = "  rdmapcap stats capture.pcapng\n"
               "  rdmapcap stats -f json capture.pcap.gz | jq .naks\n",
    .run = run,
};
