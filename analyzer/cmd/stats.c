/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap stats: what is in this capture, and what went wrong? One screen for an incident review.
 */
#include "analysis/overview.h"
#include "cmd/feed.h"
#include "cmd/output.h"
#include "render/report_render.h"

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
    struct overview *overview = overview_new(feed_capture(in));
    struct flow_batch batch;
    struct report *report;

    feed_observe(in, &(struct feed_observer){overview_ahead, overview});
    while (feed_next_batch(in, &batch))
        overview_batch(overview, &batch);
    feed_saw_iwarp(in, overview_engine(overview));
    feed_capture(in); /* drop counters come last in a file */
    report = overview_report(overview, RDMAPCAP_VERSION, all);
    overview_free(overview);
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
    .options = OPTIONS_FILES | OPTIONS_VERDICTS | OPTIONS_LINK_RATE | OPTIONS_ROWS | OPTIONS_WIDTH |
               OPTIONS_COLOR,
    .formats = "text json",
    .details = "One screen for an incident review: can this capture be trusted; what is in it;\n"
               "what went wrong, worst first, with frames and the next step; the connections\n"
               "that hurt; where to look next. --all shows all that was counted besides.\n",
    .example = "  rdmapcap stats capture.pcapng\n"
               "  rdmapcap stats -f json capture.pcap.gz | jq '.findings[] | .title, .why'\n",
    .run = run,
};
