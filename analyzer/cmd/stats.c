/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap stats: what is in this capture, and what went wrong? One screen for an incident review.
 */
#include "analysis/analysis.h"
#include "cmd/feed.h"
#include "cmd/output.h"
#include "render/report_render.h"

static void render(struct buffer *out, const struct options *o, const struct report *report);

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct rdc_packet pkt;
    enum exit_status status;
    struct feed *in = NULL;
    struct output out;

    if (options_parse(&options, self, NULL, argc, argv, &status))
        in = feed_open(&options, &status);
    if (in != NULL) {
        struct analysis_run *analyses_run = analysis_run_new();
        const struct capture *capture;
        struct report *report;

        while (feed_next(in, &pkt))
            analysis_run_packet(analyses_run, &pkt);
        capture = feed_capture(in); /* drop counters come last in a file */
        report =
            report_new("rdmapcap.stats/1", RDMAPCAP_VERSION, capture->files, capture->file_count);
        analysis_run_report(analyses_run, capture, &report->root);
        output_open(&out);
        render(&out.buffer, &options, report);
        report_free(report);
        analysis_run_free(analyses_run);
        status = output_close(&out, feed_close(in, status));
    }
    options_done(&options);
    return status;
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
