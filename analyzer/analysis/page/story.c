/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One connection in full (see story.h): who, what each side sent and lost, what this capture can't
 * show, its timeouts, and the story.
 */
#include "analysis/page/story.h"

#include <string.h>

#include "analysis/connections.h"
#include "analysis/page/visibility.h"
#include "analysis/say.h"
#include "analysis/timeouts.h"
#include "rdc/cm.h"
#include "rdc/ib.h"

enum {
    ENTRIES_SHOWN = 40,
    NS_PER_S = 1000000000,
};

/* ------------------------------------------------------------------ who */

static void put(struct report_node *section, const char *title, char *text)
{
    report_item(section, NULL, title, report_text(text));
    g_free(text);
}

static void put_pairing(struct report_node *section, const struct flow_connection *c)
{
    const char *pairing = flow_pairing_name(c->paired_by);

    report_item(section, NULL, "Directions paired by",
                pairing != NULL ? report_text(pairing)
                                : report_unknown("nothing proves a pairing"));
    report_item(section, NULL, "Path MTU",
                c->pmtu_bytes != 0 ? report_number(c->pmtu_bytes)
                                   : report_unknown("no packet shows it"));
}

static void put_who(struct report_node *root, const struct flow_connection *c)
{
    struct report_node *section = report_section(root, NULL, "Connection");
    const char *ulp = c->service_id != 0 ? rdc_ulp_name(c->service_id) : NULL;
    char end[96];

    report_item(section, NULL, "Id", report_number(c->id));
    connection_endpoint_text(&c->a, end, sizeof(end));
    report_item(section, NULL, "a", report_text(end));
    connection_endpoint_text(&c->b, end, sizeof(end));
    report_item(section, NULL, "b", report_text(end));
    put(section, "Kind",
        g_strdup_printf("%s%s%s%s%s", rdc_transport_name(c->transport),
                        c->transport != RDC_TRANSPORT_IWARP ? ", " : "",
                        c->transport != RDC_TRANSPORT_IWARP ? connection_service_name(c) : "",
                        ulp != NULL ? ", " : "", ulp != NULL ? ulp : ""));
    if (c->transport != RDC_TRANSPORT_IWARP)
        put_pairing(section, c);
    report_item(section, NULL, "State",
                report_mood(report_text(flow_state_name(c->state)),
                            c->state >= FLOW_STATE_RETRY_EXHAUSTED ? REPORT_BAD : REPORT_PLAIN));
    report_item(section, NULL, "First frame", report_frame(c->first_frame));
    report_item(section, NULL, "Last frame", report_frame(c->last_frame));
    report_item(section, NULL, "Duration", report_ns(c->last_ns - c->first_ns));
}

/* ------------------------------------------------------------------ each side */

static void append_if(GString *text, uint64_t n, const char *what)
{
    if (n > 0)
        g_string_append_printf(text, "; %s %s", what, say_count(n).text);
}

/* What is told by the order of packets; what is not known to be lost is not called so. */
static void append_recovery(GString *text, const struct flow_counters *n, bool after_known,
                            bool unsure)
{
    append_if(text, n->retransmitted_packets, "sent again");
    append_if(text, n->spurious, "of them for nothing");
    append_if(text, n->lost_before_tap,
              unsure ? "lost before the capture point, or missed by the capture"
                     : "lost before the capture point");
    append_if(text, after_known ? n->lost_after_tap : 0, "lost behind it, about");
    append_if(text, n->not_captured, "missed by the capture");
    append_if(text, n->out_of_order, "late");
    append_if(text, n->duplicates, "copies");
}

static void put_side(struct report_node *section, const char *title, const struct story_input *in,
                     const struct flow_connection *c, bool a_to_b)
{
    static const char *const naks[FLOW_NAK_CODES] = {
        [RDC_NAK_SEQUENCE] = "NAKs (sequence error)",
        [RDC_NAK_INVALID_REQUEST] = "NAKs (invalid request)",
        [RDC_NAK_REMOTE_ACCESS] = "NAKs (remote access error)",
        [RDC_NAK_REMOTE_OPERATIONAL] = "NAKs (remote operational error)",
        [RDC_NAK_INVALID_RD_REQUEST] = "NAKs (invalid RD request)",
    };
    const struct flow_direction *d = a_to_b ? &c->a_to_b : &c->b_to_a;
    struct visibility v = visibility_of(c, d, a_to_b ? &c->b_to_a : &c->a_to_b);
    const struct flow_counters *n = d->counters;
    GString *text;

    if (v.all != NULL) {
        report_item(section, NULL, title, report_unknown(v.all));
        return;
    }
    text = g_string_new(say_many(n->packets, "packet").text);
    if (capture_disordered_reason(in->capture) == NULL)
        append_recovery(text, n, v.after == NULL, direction_loss_uncertain(c, n, in->capture));
    for (unsigned i = 0; i < FLOW_NAK_CODES; i++)
        append_if(text, n->naks[i], naks[i]);
    append_if(text, n->rnr_naks, "RNR NAKs");
    append_if(text, n->ce_packets, "CE");
    append_if(text, n->icrc_bad, "damaged");
    put(section, title, g_string_free(text, FALSE));
}

/* Where losses are sure */
static void put_amplification(struct report_node *section, const char *title,
                              const struct story_input *in, const struct flow_connection *c,
                              bool a_to_b)
{
    const struct flow_direction *d = a_to_b ? &c->a_to_b : &c->b_to_a;
    struct visibility v = visibility_of(c, d, a_to_b ? &c->b_to_a : &c->a_to_b);
    const struct flow_counters *n = flow_counters_of(c, a_to_b);
    uint64_t lost = n->lost_before_tap + (v.after == NULL ? n->lost_after_tap : 0);

    if (n->retransmitted_packets == 0 || lost == 0 || direction_loss_uncertain(c, n, in->capture))
        return;
    put(section, title,
        g_strdup_printf("%s packets for each lost one",
                        say_real((double)n->retransmitted_packets / (double)lost).text));
}

/* ------------------------------------------------------------------ congestion */

static void append_median(GString *text, const char *what, const struct flow_histogram *h,
                          bool rate)
{
    uint64_t median = h->count > 0 ? flow_histogram_quantile(h, 500) : 0;

    if (h->count > 0 && rate && median == 0)
        g_string_append_printf(text, "; %s: it sent nothing", what);
    else if (h->count > 0)
        g_string_append_printf(text, "; %s %s", what,
                               rate ? say_rate((double)median).text : say_ns((int64_t)median).text);
}

static void append_intervals(GString *text, const struct flow_notices *n)
{
    if (n == NULL || n->interval.count == 0)
        return;
    g_string_append_printf(text, ", one per %s (least %s, p99 %s)",
                           say_ns((int64_t)flow_histogram_quantile(&n->interval, 500)).text,
                           say_ns(n->interval_min_ns).text,
                           say_ns((int64_t)flow_histogram_quantile(&n->interval, 990)).text);
}

/* Marks on what it sent, the notifications that it got, and what its rate did then */
static void put_congestion(struct report_node *section, const char *title,
                           const struct flow_direction *d, const struct flow_direction *other)
{
    uint64_t cnps = other->counters != NULL ? other->counters->cnps_sent : 0;
    const struct flow_reaction *r = d->reaction;
    GString *text;

    if (d->counters == NULL || d->counters->ce_packets + cnps == 0)
        return;
    text = g_string_new(NULL);
    g_string_printf(
        text, "%s of its data marked; %s",
        say_pct(100.0 * (double)d->counters->ce_packets / (double)MAX(d->counters->data_packets, 1))
            .text,
        say_many(cnps, "CNP").text);
    append_intervals(text, other->notices);
    if (r != NULL) {
        append_median(text, "mark to CNP", &r->ce_to_cnp, false);
        append_median(text, "rate in the 1 ms before a CNP", &r->rate_before, true);
        append_median(text, "in the 1 ms after it", &r->rate_after, true);
        append_median(text, "90 % of it again after", &r->rate_recovery, false);
        append_if(text, r->slowed, "CNPs that slowed it");
        append_if(text, r->not_slowed, "that did not");
    }
    put(section, title, g_string_free(text, FALSE));
}

static void put_all_congestion(struct report_node *root, const struct flow_connection *c)
{
    struct report_node *section = report_section(root, NULL, NULL);

    put_congestion(section, "a", &c->a_to_b, &c->b_to_a);
    put_congestion(section, "b", &c->b_to_a, &c->a_to_b);
    if (section->first != NULL)
        section->title = "Congestion (medians; what was marked, and how it was told)";
}

static void put_sides(struct report_node *root, const struct story_input *in,
                      const struct flow_connection *c)
{
    struct report_node *section = report_section(root, NULL, "What it sent");

    put_side(section, "a", in, c, true);
    put_side(section, "b", in, c, false);
    put_amplification(section, "a repeated", in, c, true);
    put_amplification(section, "b repeated", in, c, false);
}

/* ------------------------------------------------------------------ timeouts */

static void put_timeouts(struct report_node *section, const char *title,
                         const struct event_log *log, uint32_t stream)
{
    GPtrArray *list = event_log_rounds(log, stream);
    struct timeouts t = {0};
    struct timer timer;

    for (guint i = 0; i < list->len; i++)
        timeouts_add(&t, list->pdata[i]);
    timer = timeouts_timer(&t);
    if (t.count > 0) {
        GString *text = g_string_new(say_many(t.count, "timeout").text);

        g_string_append_printf(text, ", after %s", say_ns(t.shortest_ns).text);
        if (t.longest_ns > t.shortest_ns)
            g_string_append_printf(text, " to %s", say_ns(t.longest_ns).text);
        if (timer.exponent_low >= 0)
            g_string_append_printf(text, "; configured exponent %d", timer.exponent_low);
        if (timer.exponent_low < timer.exponent_high)
            g_string_append_printf(text, " to %d", timer.exponent_high);
        g_string_append(text, timer.grow ? "; each is longer than the one before (back-off)" : "");
        put(section, title, g_string_free(text, FALSE));
    }
    g_ptr_array_unref(list);
}

static void put_all_timeouts(struct report_node *root, const struct event_log *log,
                             const struct flow_connection *c)
{
    struct report_node *section = report_section(root, NULL, NULL);

    put_timeouts(section, "a waited", log, c->a_to_b.stream);
    put_timeouts(section, "b waited", log, c->b_to_a.stream);
    if (c->ack_timeout_ns_known != 0)
        put(section, "CM set the timeout to",
            g_strdup_printf("%s; it may run out at one to four times that",
                            say_ns((int64_t)c->ack_timeout_ns).text));
    if (section->first != NULL)
        section->title = "Timeouts (4.096 us x 2^exponent, fires at one to four times that)";
}

/* ------------------------------------------------------------------ what can't be seen */

static void put_unknown(struct report_node *section, const char *who, const char *what,
                        const char *why)
{
    char *text;

    if (why == NULL)
        return;
    text = g_strdup_printf("%s: %s: %s.", who, what, why);
    report_line(section, text);
    g_free(text);
}

static void put_unknowns(struct report_node *root, const struct flow_connection *c)
{
    struct report_node *section = report_section(root, NULL, NULL);

    for (unsigned i = 0; i < 2; i++) {
        const struct flow_direction *d = i == 0 ? &c->a_to_b : &c->b_to_a;
        struct visibility v = visibility_of(c, d, i == 0 ? &c->b_to_a : &c->a_to_b);
        const char *who = i == 0 ? "a" : "b";

        if (v.all != NULL) {
            put_unknown(section, who, "nothing of it is known", v.all);
            continue;
        }
        put_unknown(section, who, "its sequence is not followed", v.psn);
        if (v.psn == NULL)
            put_unknown(section, who, "answers to it are unknown", v.answers);
        put_unknown(section, who, "what its answers say is not whole", v.aeth);
        put_unknown(section, who, "its ICRCs are not checked", v.icrc);
    }
    if (section->first != NULL)
        section->title = "What this capture can't show of it";
}

/* ------------------------------------------------------------------ the story */

static void put_untold(struct report_node *root, const char *disordered)
{
    char *text =
        g_strdup_printf("Not told: %s, and a story depends on the order of packets.", disordered);

    report_line(report_section(root, NULL, "Its story"), text);
    g_free(text);
}

static void put_story(struct report_node *root, const struct capture *capture,
                      const GArray *entries)
{
    static const struct report_column columns[] = {
        {NULL, "frame", false}, {NULL, "seconds", false}, {NULL, "what happened", false}};
    struct report_node *table = report_table(root, NULL, "Its story (a and b as above)",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    table->text_rows = ENTRIES_SHOWN;
    table->wraps = true;
    for (guint i = 0; i < entries->len; i++) {
        const struct story_entry *e = &g_array_index(entries, struct story_entry, i);
        int64_t ns = e->time_ns - capture->first_time_ns;
        uint64_t size = (uint64_t)(ns < 0 ? -ns : ns);
        char time[40];

        if (!capture_frame_is_timed(capture, e->frame))
            g_strlcpy(time, "-", sizeof(time));
        else
            g_snprintf(time, sizeof(time), "%s%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT,
                       ns < 0 ? "-" : "", size / NS_PER_S, size % NS_PER_S);
        report_row(table, (struct report_value[]){
                              report_frame(e->frame), report_text(time),
                              report_mood(report_text(e->text), (enum report_mood)e->mood)});
    }
    if (entries->len == 0)
        report_line(report_section(root, NULL, "Its story"), "Nothing went wrong that shows here.");
}

bool story_report(struct report_node *root, const struct story_input *in, GError **error)
{
    const char *disordered = capture_disordered_reason(in->capture);
    struct flow_connection c;
    GArray *entries;

    if (in->connection == 0 || in->connection > flow_connection_count(in->engine))
        return true;
    flow_connection_get(in->engine, in->connection - 1, &c);
    entries = story_entries(in, &c, error);
    if (entries == NULL)
        return false;
    put_who(root, &c);
    put_sides(root, in, &c);
    put_all_congestion(root, &c);
    if (disordered == NULL)
        put_all_timeouts(root, in->log, &c);
    put_unknowns(root, &c);
    if (disordered == NULL)
        put_story(root, in->capture, entries);
    else
        put_untold(root, disordered);
    story_rounds_table(root, in->log, &c);
    g_array_unref(entries);
    return true;
}
