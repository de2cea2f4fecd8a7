/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap flows: a row per connection, worst first.
 */
#include "analysis/analyses.h"
#include "analysis/complete.h"
#include "analysis/connections.h"
#include "analysis/event_log.h"
#include "analysis/page/story.h"
#include "analysis/pause.h"
#include "analysis/stags.h"
#include "cmd/feed.h"
#include "cmd/message.h"
#include "cmd/option_value.h"
#include "cmd/output.h"
#include "flow/flow.h"
#include "render/report_render.h"

struct flows {
    struct options options;
    char *sort;
    char *top;
    char *connection;
    struct connections_view view;
};

static bool check(struct flows *f)
{
    uint64_t top = 0, connection = 0;

    if (f->sort != NULL && !connections_order_of(f->sort, &f->view.order)) {
        message_error("--sort %s: choose one of worst, id, bytes, packets, retransmitted, lost, "
                      "recovery",
                      option_shown(f->sort));
        return false;
    }
    if (f->sort == NULL && f->options.format != FORMAT_TEXT)
        f->view.order = CONNECTIONS_ID;
    if (!option_number("--top", f->top, 1, UINT64_MAX, &top) ||
        !option_number("--connection", f->connection, 1, UINT32_MAX, &connection))
        return false;
    f->view.top = (size_t)top;
    f->view.only_id = (uint32_t)connection;
    return true;
}

static void render(struct buffer *out, const struct options *o, const struct report *report)
{
    const struct report_node *table = report_find(&report->root, "connections");

    if (o->format == FORMAT_JSON)
        report_render_json(out, report);
    else if (o->format == FORMAT_CSV)
        report_render_csv(out, report, table);
    else
        report_render_text(out, report, &(struct text_style){o->width, o->color, o->all});
}

/* One connection in full needs all that the engine says; a table of all needs only its counters. */
struct reading {
    struct event_log *log; /* NULL: not kept */
    struct flow_engine *engine;
    struct analysis_run *run; /* the same; for the pauses that held it up */
};

static void read_table(struct reading *r, struct feed *in)
{
    struct flow_batch batch;

    while (feed_next_batch(in, &batch))
        flow_batch(r->engine, &batch);
}

static void read_in_full(struct reading *r, struct feed *in)
{
    struct flow_batch batch;

    r->run = analysis_run_new(feed_capture(in));
    while (feed_next_batch(in, &batch)) {
        analysis_run_ahead(r->run, &batch);
        flow_batch(r->engine, &batch);
        analysis_run_batch(r->run, &batch);
    }
    analysis_run_settle(r->run);
    event_log_finishing(r->log);
}

static void read_all(struct reading *r, struct feed *in, const struct flow_config *config,
                     bool in_full)
{
    struct flow_sink sink;

    if (in_full) {
        r->log = event_log_new();
        sink = event_log_sink(r->log);
    }
    r->engine = flow_engine_new(config, in_full ? &sink : NULL);
    if (in_full)
        read_in_full(r, in);
    else
        read_table(r, in);
    flow_finish(r->engine);
    feed_saw_iwarp(in, r->engine);
    if (r->run != NULL)
        pause_connections(r->run,
                          &(struct analysis_input){feed_capture(in), r->engine, NULL, r->run});
}

static enum exit_status fill(struct report *report, const struct flows *f, const struct reading *r,
                             const struct capture *capture)
{
    struct story_input story = {r->engine, capture, r->log, f->view.only_id,
                                r->run != NULL ? analysis_run_state(r->run, &an_pause) : NULL};
    const struct complete_facts complete = {capture, r->engine,
                                            r->log != NULL ? event_log_refused(r->log) : 0, 0};
    struct connections_view view = f->view;
    enum exit_status status = STATUS_OK;
    GError *error = NULL;

    view.capture = capture;
    complete_paragraphs(&report->root, &complete);
    complete_items(report_section(&report->root, "capture", NULL), &complete, NULL);
    connections_table(&report->root, r->engine, &view);
    if (r->log == NULL) {
        stags_table(&report->root, r->engine, 0, NULL);
        return STATUS_OK;
    }
    if (f->view.only_id > flow_connection_count(r->engine)) {
        message_error("--connection %u: no such connection; the last is %" G_GSIZE_FORMAT,
                      f->view.only_id, flow_connection_count(r->engine));
        status = STATUS_USAGE;
    } else if (!story_report(&report->root, &story, &error)) {
        message_error("%s", error->message);
        g_error_free(error);
        status = STATUS_INPUT;
    }
    stags_table(&report->root, r->engine, f->view.only_id, "STags that its messages name");
    return status;
}

static enum exit_status show(struct flows *f, struct feed *in)
{
    struct reading reading = {0};
    const struct capture *capture;
    enum exit_status status;
    struct report *report;
    struct output out;

    read_all(&reading, in, &f->options.flow, f->view.only_id != 0);
    capture = feed_capture(in);
    report = report_new("rdmapcap.flows/1", RDMAPCAP_VERSION, capture->files, capture->file_count);
    report_without_times(report, capture_untimed_reason(capture));
    status = fill(report, f, &reading, capture);
    if (status != STATUS_USAGE) {
        output_open(&out);
        render(&out.buffer, &f->options, report);
        status = output_close(&out, status);
        feed_tell_limits(in, reading.engine,
                         reading.log != NULL ? event_log_refused(reading.log) : 0);
    }
    report_free(report);
    flow_engine_free(reading.engine);
    event_log_free(reading.log);
    analysis_run_free(reading.run);
    return status;
}

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct flows f = {0};
    const GOptionEntry own[] = {
        {"sort", 0, 0, G_OPTION_ARG_STRING, &f.sort,
         "worst id bytes packets retransmitted lost recovery", "ORDER"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &f.top, "Only the first N rows", "N"},
        {"connection", 'c', 0, G_OPTION_ARG_STRING, &f.connection, "One connection in full", "ID"},
        {0},
    };
    enum exit_status status;
    struct feed *in = NULL;

    if (options_parse(&f.options, self, own, argc, argv, &status)) {
        if (!check(&f))
            status = STATUS_USAGE;
        else
            in = feed_open(&f.options, &status);
    }
    if (in != NULL) {
        status = show(&f, in);
        status = feed_close(in, status);
    }
    g_free(f.sort);
    g_free(f.top);
    g_free(f.connection);
    options_done(&f.options);
    return status;
}

const struct command cmd_flows = {
    .name = "flows",
    .summary = "A row per connection, worst first.",
    .usage = "FILE...",
    .options = OPTIONS_FILES | OPTIONS_VERDICTS | OPTIONS_LINK_RATE | OPTIONS_ROWS | OPTIONS_WIDTH |
               OPTIONS_COLOR,
    .formats = "text json csv",
    .details = "Both directions of each queue pair couple with their counters: losses before and\n"
               "behind the capture point, resends by reason, NAKs, marks, round trips, recovery.\n"
               "What the capture can't show is null, with the reason.\n",
    .example = "  rdmapcap flows --top 10 capture.pcapng\n"
               "  rdmapcap flows --connection 3 capture.pcapng\n",
    .run = run,
};
