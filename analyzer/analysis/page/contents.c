/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is in the capture: the part of the page (page.c) that a person needs before anything else
 * makes sense, in ten lines at most.
 */
#include "analysis/page/page.h"

#include <string.h>

#include "analysis/page/visibility.h"
#include "analysis/pause.h"
#include "analysis/say.h"
#include "analysis/timeouts.h"

enum {
    PROTOCOLS_SHOWN = 4,
};

/* Sums that a person wants; what can't be known of a connection adds nothing */
struct sums {
    uint64_t connections[RDC_TRANSPORT_COUNT];
    struct flow_counters all;
    uint64_t unanswered;      /* packets sent again while nobody answered */
    bool uncertain;           /* what is not here may be missed by the capture */
    uint64_t xoff[2], xon[2]; /* of PFC, by priority; of PAUSE */
    uint32_t ports;           /* that pause */
    uint8_t port[6];          /* the latest */
};

static void add(struct flow_counters *sum, const struct flow_counters *n)
{
    if (n == NULL)
        return;
    sum->packets += n->packets;
    sum->retransmitted_packets += n->retransmitted_packets;
    sum->lost_before_tap += n->lost_before_tap;
    sum->out_of_order += n->out_of_order;
    sum->duplicates += n->duplicates;
    sum->rnr_naks += n->rnr_naks;
    sum->ce_packets += n->ce_packets;
    sum->cnps_sent += n->cnps_sent;
    sum->icrc_bad += n->icrc_bad;
    for (unsigned i = 0; i < FLOW_NAK_CODES; i++)
        sum->naks[i] += n->naks[i];
    for (unsigned i = 0; i < FLOW_TRIGGER_COUNT; i++)
        sum->rounds[i] += n->rounds[i];
    for (unsigned i = 0; i < RDC_OP_COUNT; i++)
        sum->messages[i] += n->messages[i];
}

static void add_direction(struct sums *sums, const struct analysis_input *in,
                          const struct flow_connection *c, bool a_to_b)
{
    const struct flow_direction *d = a_to_b ? &c->a_to_b : &c->b_to_a;
    struct visibility v = visibility_of(c, d, a_to_b ? &c->b_to_a : &c->a_to_b);
    struct outages outages;

    if (d->counters == NULL)
        return;
    outages = evidence_outages(in->evidence, d->stream);
    add(&sums->all, d->counters);
    if (v.after == NULL)
        sums->all.lost_after_tap +=
            d->counters->lost_after_tap - MIN(outages.seen, d->counters->lost_after_tap);
    sums->unanswered += outages.vain;
}

static void add_pauses(void *context, const struct pause_row *r)
{
    struct sums *sums = context;

    sums->xoff[r->priority == PAUSE_GLOBAL] += r->xoff_frames;
    sums->xon[r->priority == PAUSE_GLOBAL] += r->xon_frames;
    if (sums->ports == 0 || memcmp(sums->port, r->source, 6) != 0)
        sums->ports++;
    memcpy(sums->port, r->source, 6);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct sums *sums = state;

    if (c == NULL)
        return;
    sums->connections[c->transport]++;
    add_direction(sums, in, c, true);
    add_direction(sums, in, c, false);
    sums->uncertain |= connection_loss_uncertain(c, in->capture);
}

static void put(struct report_node *section, const char *title, GString *text)
{
    if (text->len > 0)
        report_item(section, NULL, title, report_text(text->str));
    g_string_truncate(text, 0);
}

static void put_packets(struct report_node *section, const struct capture *c, GString *text)
{
    bool timed = capture_has_times(c);
    bool lasts = timed && c->last_time_ns != c->first_time_ns;

    if (c->packets == 0) {
        report_item(section, NULL, "Packets", report_text("none"));
        return;
    }
    g_string_append_printf(text, "%s%s%s, of them RDMA %s", say_count(c->packets).text,
                           lasts    ? " in "
                           : !timed ? " without times"
                                    : "",
                           lasts ? say_ns(c->last_time_ns - c->first_time_ns).text : "",
                           say_count(c->rdma_packets).text);
    for (size_t i = 0; i < c->protocol_count && i < PROTOCOLS_SHOWN; i++)
        g_string_append_printf(text, ", %s %s", c->protocols[i].name,
                               say_count(c->protocols[i].packets).text);
    put(section, "Packets", text);
    if (timed)
        report_item(section, NULL, "First packet",
                    report_from(report_time(c->first_time_ns), REPORT_STATED));
}

static void append_if(GString *text, uint64_t n, const char *what)
{
    if (n > 0)
        g_string_append_printf(text, "%s%s %s", text->len > 0 ? ", " : "", what, say_count(n).text);
}

/* What was lost and sent again: all of it depends on the order of packets. */
static void put_recovery(struct report_node *section, const struct sums *s, GString *text)
{
    const struct flow_counters *n = &s->all;

    if (n->retransmitted_packets > 0)
        g_string_append_printf(
            text, "%s of all %s of connections (%s)", say_count(n->retransmitted_packets).text,
            say_many(n->packets, "packet").text,
            say_pct(100.0 * (double)n->retransmitted_packets / (double)n->packets).text);
    if (s->unanswered > 0)
        g_string_append_printf(text, ", %s of them in vain: nobody answered",
                               say_count(s->unanswered).text);
    put(section, "Sent again", text);
    append_if(text, n->rounds[FLOW_TRIGGER_NAK], "NAK");
    append_if(text, n->rounds[FLOW_TRIGGER_RNR], "receiver not ready");
    append_if(text, n->rounds[FLOW_TRIGGER_READ], "lost response");
    append_if(text, n->rounds[FLOW_TRIGGER_TIMEOUT], "timeout");
    append_if(text, n->rounds[FLOW_TRIGGER_UNKNOWN], "unexplained");
    put(section, "Went back after", text);
    append_if(text, n->lost_before_tap,
              s->uncertain ? "before the capture point or not captured"
                           : "before the capture point");
    append_if(text, n->lost_after_tap,
              n->lost_before_tap > 0 ? "behind it, about" : "behind the capture point, about");
    put(section, "Packets lost", text);
}

static void put_sums(struct report_node *section, const struct sums *s, const char *disordered,
                     GString *text)
{
    const struct flow_counters *n = &s->all;

    for (uint8_t i = 0; i < RDC_TRANSPORT_COUNT; i++)
        append_if(text, s->connections[i], rdc_transport_name(i));
    put(section, "Connections", text);
    for (unsigned op = RDC_OP_SEND; op < RDC_OP_READ_RESPONSE; op++)
        append_if(text, n->messages[op], rdc_operation_name((enum rdc_operation)op));
    put(section, "Messages", text);
    if (disordered == NULL)
        put_recovery(section, s, text);
    else
        report_item(section, NULL, "Sent again, lost, late", report_unknown(disordered));
    append_if(text, s->xoff[0], "PFC XOFF");
    append_if(text, s->xon[0], "PFC XON");
    append_if(text, s->xoff[1], "PAUSE XOFF");
    append_if(text, s->xon[1], "PAUSE XON");
    if (text->len > 0)
        g_string_append_printf(text, ", from %s", say_many(s->ports, "port").text);
    put(section, "Pauses", text);
    append_if(text, disordered == NULL ? n->out_of_order : 0, "late");
    append_if(text, n->duplicates, "copies");
    append_if(text, n->icrc_bad, "damaged");
    append_if(text, n->ce_packets, "marked CE");
    append_if(text, n->cnps_sent, "CNPs");
    put(section, "Packets that were", text);
}

void page_contents(struct report_node *root, const struct analysis_input *in)
{
    struct report_node *section = report_section(root, NULL, "What is in it");
    struct sums sums = *(const struct sums *)analysis_run_state(in->run, &an_contents);
    GString *text = g_string_new(NULL);

    pause_rows(analysis_run_state(in->run, &an_pause), in, add_pauses, &sums);
    put_packets(section, in->capture, text);
    put_sums(section, &sums, capture_disordered_reason(in->capture), text);
    g_string_free(text, TRUE);
}

const struct analysis an_contents = {
    .name = "contents",
    .summary = "what a person wants to know first",
    .state_size = sizeof(struct sums),
    .connection = connection,
};
