/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap events: one record per event, in frame order.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/complete.h"
#include "analysis/event_log.h"
#include "cmd/closest.h"
#include "cmd/feed.h"
#include "cmd/message.h"
#include "cmd/option_value.h"
#include "cmd/output.h"
#include "flow/flow.h"
#include "render/event_record.h"
#include "render/safe.h"
#include "report/frame.h"

struct events {
    struct options options;
    char **kinds;
    char *connection_text;
    uint64_t connection; /* 0: all */
    bool wanted[FLOW_EVENT_KIND_COUNT];
    struct output out;
    const struct capture *capture;
    const struct flow_engine *engine;
    const struct event_log *log;
};

static void refuse_kind(const char *name)
{
    const char *names[FLOW_EVENT_KIND_COUNT + 1] = {NULL};
    char *hint;

    for (unsigned k = 0; k < FLOW_EVENT_KIND_COUNT; k++)
        names[k] = flow_event_name((uint8_t)k);
    hint = closest_hint(name, names);
    message_error("--kind \"%s\": no such kind of event%s See: rdmapcap help events", name,
                  hint[0] != '\0' ? hint : ".");
    g_free(hint);
}

static bool choose_kind(struct events *ev, const char *name)
{
    for (unsigned k = 0; k < FLOW_EVENT_KIND_COUNT; k++)
        if (strcmp(flow_event_name((uint8_t)k), name) == 0) {
            ev->wanted[k] = true;
            return true;
        }
    refuse_kind(name);
    return false;
}

static bool choose_kinds(struct events *ev)
{
    bool ok = true;

    for (unsigned k = 0; k < FLOW_EVENT_KIND_COUNT; k++)
        ev->wanted[k] = ev->kinds == NULL;
    for (size_t i = 0; ok && ev->kinds != NULL && ev->kinds[i] != NULL; i++) {
        /* GLib makes no words of an empty text, which would choose nothing */
        char **names = g_strsplit(ev->kinds[i][0] != '\0' ? ev->kinds[i] : ",", ",", -1);

        for (size_t n = 0; ok && names[n] != NULL; n++)
            ok = choose_kind(ev, names[n]);
        g_strfreev(names);
    }
    return ok;
}

static const char *file_of(const struct events *ev, uint64_t frame)
{
    return frame != 0 && ev->capture->file_count > 1 ? ev->capture->files[frame_file(frame)] : NULL;
}

static void set_frames(const struct events *ev, struct event_record *r)
{
    const struct flow_event *event = r->event;
    uint64_t trigger = r->round != NULL ? r->round->trigger_frame : 0;

    r->frame = frame_number(event->frame);
    r->original_frame = frame_number(event->original_frame);
    r->trigger_frame = frame_number(trigger);
    r->file = file_of(ev, event->frame);
    r->original_file = file_of(ev, event->original_frame);
    r->trigger_file = file_of(ev, trigger);
}

static void show(void *context, const struct flow_event *event)
{
    struct events *ev = context;
    struct event_record r = {.event = event, .round = event_log_round(ev->log, event)};
    uint32_t index;

    if (!ev->wanted[event->kind])
        return;
    if (flow_stream_connection(ev->engine, event->stream, &index, &r.a_to_b))
        r.connection = index + 1;
    r.one_way = r.connection == 0 || !flow_connection_paired(ev->engine, index);
    if (ev->connection != 0 && r.connection != ev->connection)
        return;
    set_frames(ev, &r);
    r.untimed = !capture_frame_is_timed(ev->capture, event->frame);
    r.lacks_times = ev->capture->untimed > 0;
    r.rel_ns = event->time_ns - ev->capture->first_time_ns;
    if (ev->options.format == FORMAT_JSONL)
        event_json(&ev->out.buffer, &r);
    else if (ev->options.format == FORMAT_CSV)
        event_csv(&ev->out.buffer, &r);
    else
        event_text(&ev->out.buffer, &r);
    output_record_done(&ev->out);
}

/* Behind the last event: what there may be no events of */
static void tell_missing(struct events *ev)
{
    const struct complete_facts complete = {ev->capture, ev->engine, event_log_refused(ev->log), 0};
    char *left_out = complete_left_out(&complete);

    for (const char *const *damage = ev->capture->damage; *damage != NULL; damage++) {
        buffer_string(&ev->out.buffer, "not all of it is here: ");
        safe_text(&ev->out.buffer, *damage);
        buffer_char(&ev->out.buffer, '\n');
    }
    for (size_t i = 0; i < ev->capture->odd_count; i++) {
        buffer_string(&ev->out.buffer, "strange: ");
        safe_text(&ev->out.buffer, ev->capture->odd[i].text);
        buffer_char(&ev->out.buffer, '\n');
    }
    if (left_out != NULL)
        buffer_printf(&ev->out.buffer, "not all of it was followed: %s\n", left_out);
    g_free(left_out);
}

static enum exit_status follow(struct events *ev, struct feed *in)
{
    struct event_log *log = event_log_new();
    struct flow_sink sink = event_log_sink(log);
    struct flow_engine *engine = flow_engine_new(&ev->options.flow, &sink);
    enum exit_status status = STATUS_OK;
    GError *error = NULL;
    const struct rdc_packet *packets;
    size_t count;

    while ((count = feed_next(in, &packets)) > 0)
        flow_packets(engine, packets, count);
    event_log_finishing(log);
    flow_finish(engine);
    feed_saw_iwarp(in, engine);
    ev->capture = feed_capture(in);
    ev->engine = engine;
    ev->log = log;
    if (ev->connection > flow_connection_count(engine)) {
        message_error("--connection %" PRIu64 ": no such connection; the last is %" G_GSIZE_FORMAT,
                      ev->connection, flow_connection_count(engine));
        flow_engine_free(engine);
        event_log_free(log);
        return STATUS_USAGE;
    }
    output_open(&ev->out);
    if (ev->options.format == FORMAT_CSV)
        event_csv_header(&ev->out.buffer);
    if (!event_log_walk(log, show, ev, &error)) {
        message_error("%s", error->message);
        g_error_free(error);
        status = STATUS_INPUT;
    }
    if (ev->options.format == FORMAT_TEXT)
        tell_missing(ev);
    status = output_close(&ev->out, status);
    feed_tell_limits(in, engine, event_log_refused(log));
    flow_engine_free(engine);
    event_log_free(log);
    return status;
}

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct events ev = {0};
    const GOptionEntry own[] = {
        {"kind", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &ev.kinds, "Only these kinds, by commas",
         "KIND"},
        {"connection", 'c', 0, G_OPTION_ARG_STRING, &ev.connection_text, "Only this connection",
         "ID"},
        {0},
    };
    enum exit_status status;
    struct feed *in = NULL;

    if (options_parse(&ev.options, self, own, argc, argv, &status)) {
        if (!choose_kinds(&ev) ||
            !option_number("--connection", ev.connection_text, 1, UINT32_MAX, &ev.connection))
            status = STATUS_USAGE;
        else
            in = feed_open(&ev.options, &status);
    }
    if (in != NULL) {
        status = follow(&ev, in);
        status = feed_close(in, status);
    }
    g_strfreev(ev.kinds);
    g_free(ev.connection_text);
    options_done(&ev.options);
    return status;
}

const struct command cmd_events = {
    .name = "events",
    .summary = "One record per event, in frame order.",
    .usage = "FILE...",
    .options = OPTIONS_FILES | OPTIONS_VERDICTS,
    .formats = "text jsonl csv",
    .details = "Gaps, resends with their reason, late packets, copies, NAKs, marks, CNPs,\n"
               "pauses, damaged packets, set-up and teardown. Each names its frame and its\n"
               "connection, as `rdmapcap flows` numbers them.\n"
               "Kinds: gap retransmission out_of_order duplicate hole_closed nak rnr_nak\n"
               "acked_unseen acked_early ce cnp pause icrc_bad cm teardown retry_exhausted\n"
               "iWARP: mpa framing tcp_retransmission tcp_out_of_order tcp_gap zero_window\n"
               "crc_bad msn_gap terminate\n",
    .example = "  rdmapcap events --kind retransmission,nak capture.pcapng\n"
               "  rdmapcap events -f jsonl --connection 3 capture.pcap.gz | jq -c .\n",
    .run = run,
};
