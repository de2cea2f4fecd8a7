/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Retransmission rounds of one connection: a sentence each for its story, a row each for programs.
 */
#include <string.h>

#include "analysis/page/story.h"
#include "analysis/say.h"
#include "analysis/timeouts.h"
#include "report/frame.h"

static void append_cause(GString *text, const struct flow_round *r, const char *other)
{
    int low, high;

    switch ((enum flow_trigger)r->trigger) {
    case FLOW_TRIGGER_NAK:
        g_string_append_printf(text, "because of %s's NAK", other);
        break;
    case FLOW_TRIGGER_RNR:
        g_string_append_printf(text, "because %s was not ready", other);
        break;
    case FLOW_TRIGGER_READ:
        g_string_append_printf(text, "because an answer of %s was missing", other);
        break;
    case FLOW_TRIGGER_TIMEOUT:
        g_string_append(text, "because its timeout ran out");
        if (r->stall_ns > 0 && timeouts_range(r->stall_ns, &low, &high))
            g_string_append_printf(text,
                                   low < high ? " (%s of silence: exponent %d to %d)"
                                              : " (%s of silence: exponent %d)",
                                   say_ns(r->stall_ns).text, low, high);
        break;
    case FLOW_TRIGGER_UNKNOWN:
    case FLOW_TRIGGER_COUNT:
        g_string_append(text, "and nothing here shows why");
        break;
    }
    if (r->trigger_frame != 0)
        g_string_append_printf(text, " in frame %" G_GUINT64_FORMAT,
                               frame_number(r->trigger_frame));
    if (r->trigger_frame != 0 && r->resend_delay_ns >= 0)
        g_string_append_printf(text, ", %s before", say_ns(r->resend_delay_ns).text);
    if (!r->certain)
        g_string_append(text, " (not certain)");
}

/* A NAK says itself that its sender misses the packet; where it got lost is open all the same when
 * the capture may have missed it. */
static const char *beginning(const struct flow_round *r, bool unsure)
{
    if (r->original_seen)
        return "The first had passed here before.";
    if (r->lost != FLOW_LOST_BEFORE)
        return "The first is new here; nothing tells whether it was lost or sent before the "
               "capture began.";
    if (!unsure)
        return "The first is new here: it was lost before the capture point.";
    return r->trigger == FLOW_TRIGGER_NAK && r->certain
               ? "The first is new here, and was lost: before the capture point, or behind it if "
                 "the capture missed it."
               : "The first is new here: it was lost before the capture point, or missed by the "
                 "capture.";
}

char *story_round_text(const struct flow_round *r, const struct story_counts *counts,
                       const char *who, const char *other)
{
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s goes back to PSN %u, ", who, r->psn);
    append_cause(text, r, other);
    g_string_append_printf(text, ": %s again", say_many(r->packets, "packet").text);
    if (r->last_frame != r->first_frame)
        g_string_append_printf(text, ", up to frame %" G_GUINT64_FORMAT,
                               frame_number(r->last_frame));
    g_string_append_printf(text, ". %s", beginning(r, counts->unsure));
    if (counts->spurious > 0)
        g_string_append_printf(text, " %s had been acknowledged.",
                               say_many(counts->spurious, "packet").text);
    if (counts->answers > 0)
        g_string_append_printf(text, " %s sends %s again.", other,
                               say_many(counts->answers, "answer").text);
    if (r->superseded)
        g_string_append(text, " The next step back cuts it short.");
    else if (r->recovery_ns >= 0)
        g_string_append_printf(text, " Recovered %s after the %s.", say_ns(r->recovery_ns).text,
                               r->trigger == FLOW_TRIGGER_RNR ? "refusal" : "loss showed");
    else
        g_string_append(text, " No acknowledgement of all of it is here.");
    return g_string_free(text, FALSE);
}

/* ------------------------------------------------------------------ for programs */

static struct report_value duration(int64_t ns, const char *why_unknown)
{
    return ns >= 0 ? report_ns(ns) : report_unknown(why_unknown);
}

static struct report_value exponent(const struct flow_round *r, bool high)
{
    int low_value, high_value;

    if (r->trigger != FLOW_TRIGGER_TIMEOUT || r->stall_ns <= 0 ||
        !timeouts_range(r->stall_ns, &low_value, &high_value))
        return report_none();
    return report_number((uint64_t)(high ? high_value : low_value));
}

static void put_round(struct report_node *table, const struct flow_round *r, bool a_to_b)
{
    report_row(table, (struct report_value[]){
                          report_text(a_to_b ? "a_to_b" : "b_to_a"),
                          report_number(r->number),
                          report_text(flow_trigger_name(r->trigger)),
                          r->trigger_frame != 0 ? report_frame(r->trigger_frame)
                                                : report_unknown("no packet here triggers it"),
                          report_bool(r->certain),
                          report_number(r->psn),
                          report_number(r->end_psn),
                          report_frame(r->first_frame),
                          report_frame(r->last_frame),
                          report_time(r->start_ns),
                          report_count(r->packets),
                          report_bytes(r->bytes),
                          report_bool(r->original_seen),
                          report_bool(r->complete),
                          report_bool(r->superseded),
                          duration(r->stall_ns, "no request before it is here"),
                          duration(r->nak_delay_ns, "the gap or the NAK is not here"),
                          duration(r->resend_delay_ns, "no packet here triggers it"),
                          duration(r->recovery_ns, "no acknowledgement here covers it"),
                          exponent(r, false),
                          exponent(r, true)});
}

void story_rounds_table(struct report_node *root, const struct event_log *log,
                        const struct flow_connection *c)
{
    static const struct report_column columns[] = {
        {"direction", NULL, false},
        {"round", NULL, false},
        {"trigger", NULL, false},
        {"trigger_frame", NULL, false},
        {"certain", NULL, false},
        {"psn", NULL, false},
        {"end_psn", NULL, false},
        {"first_frame", NULL, false},
        {"last_frame", NULL, false},
        {"time_ns", NULL, false},
        {"packets", NULL, false},
        {"bytes", NULL, false},
        {"original_seen", NULL, false},
        {"complete", NULL, false},
        {"superseded", NULL, false},
        {"stall_ns", NULL, false},
        {"nak_delay_ns", NULL, false},
        {"resend_delay_ns", NULL, false},
        {"recovery_ns", NULL, false},
        {"timeout_exponent.low", NULL, false},
        {"timeout_exponent.high", NULL, false},
    };
    const uint32_t streams[] = {c->a_to_b.stream, c->b_to_a.stream};
    struct report_node *table =
        report_table(root, "rounds", NULL, REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (size_t d = 0; d < G_N_ELEMENTS(streams); d++) {
        GPtrArray *rounds = event_log_rounds(log, streams[d]);

        for (guint i = 0; i < rounds->len; i++)
            if (!((const struct flow_round *)rounds->pdata[i])->cancelled)
                put_round(table, rounds->pdata[i], d == 0);
        g_ptr_array_unref(rounds);
    }
}
