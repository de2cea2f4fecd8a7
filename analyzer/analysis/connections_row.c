/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One row of the table of connections: who they are, what a person wants to know first, and both
 * directions.
 */
#include "analysis/connections_row.h"

#include <glib.h>

#include "analysis/page/status.h"
#include "analysis/page/visibility.h"
#include "analysis/say.h"
#include "rdc/cm.h"

static const char *why_no_qpn(const struct flow_connection *c, const struct flow_endpoint *end)
{
    return end->has_port                  ? "no packet of iWARP names it"
           : c->service == RDC_SERVICE_UD ? "UD has no pairs: a queue pair may hear many"
                                          : "a packet names only its destination's QPN";
}

static void put_endpoint(struct row *r, int i, const struct flow_connection *c,
                         const struct flow_endpoint *end, const struct flow_direction *sent)
{
    connection_address_text(end, r->text[i], sizeof(r->text[i]));
    put(r, report_text(r->text[i]));
    bool pairs = c->service != RDC_SERVICE_UD || end == &c->b;

    put(r, end->qpn_known && pairs ? report_number(end->qpn) : report_unknown(why_no_qpn(c, end)));
    if (end == &c->a)
        put(r, pairs            ? report_none()
               : end->qpn_known ? report_number(end->qpn)
                                : report_unknown("several send there, or headers are cut off"));
    put(r, end->has_port ? report_number(end->port) : report_none());
    for (unsigned k = 0; k < sent->port_count; k++)
        r->ports[i][k] = sent->ports[k];
    put(r, report_numbers(r->ports[i], sent->port_count));
}

static struct report_value typical_rtt(const struct flow_connection *c)
{
    const struct flow_times *a = c->a_to_b.times, *b = c->b_to_a.times;

    if (a != NULL && a->rtt.count > 0)
        return report_ns((int64_t)flow_histogram_quantile(&a->rtt, 500));
    if (b != NULL && b->rtt.count > 0)
        return report_ns((int64_t)flow_histogram_quantile(&b->rtt, 500));
    return report_none();
}

static struct report_value bad_if(uint64_t n, enum report_mood mood)
{
    return report_mood(report_count(n), n > 0 ? mood : REPORT_PLAIN);
}

/* "3?" where it is not sure */
static void put_count(struct row *r, uint64_t n, enum report_mood mood, bool sure)
{
    char *text = r->unsure_counts[r->unsure_count];

    if (n == 0 || sure) {
        put(r, bad_if(n, mood));
        return;
    }
    g_snprintf(text, sizeof(r->unsure_counts[0]), "%s?", say_count(n).text);
    put(r, report_mood(report_text(text), REPORT_WARNING));
    r->unsure_count++;
    r->unsure = true;
}

static struct outages outages_in(const struct evidence *evidence, uint32_t stream)
{
    return evidence != NULL ? evidence_outages(evidence, stream) : (struct outages){0};
}

/* What nobody answered is not lost packet by packet: nothing got through */
static uint64_t lost_but_outages(const struct flow_connection *c, const struct outages *a,
                                 const struct outages *b)
{
    return connection_lost(c) - MIN(a->seen, flow_counters_of(c, true)->lost_after_tap) -
           MIN(b->seen, flow_counters_of(c, false)->lost_after_tap);
}

static struct report_value recovery(const struct flow_connection *c, const struct outages *a,
                                    const struct outages *b)
{
    uint64_t rounds = 0;

    if (c->state == FLOW_STATE_RETRY_EXHAUSTED || (a->count > 0 && !a->worst.ended) ||
        (b->count > 0 && !b->worst.ended))
        return report_mood(report_text("never"), REPORT_BAD);
    if (connection_longest_recovery(c) > 0)
        return report_ns((int64_t)connection_longest_recovery(c));
    for (unsigned i = 0; i < FLOW_TRIGGER_COUNT; i++)
        rounds += BOTH(c, rounds[i]);
    return rounds > 0 ? report_text("?") : report_none();
}

/* All but RNR NAKs, which have a column of their own */
static uint64_t naks(const struct flow_connection *c)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < FLOW_NAK_CODES; i++)
        n += BOTH(c, naks[i]);
    return n;
}

static void put_summary(struct row *r, const struct flow_connection *c)
{
    struct outages a = outages_in(r->evidence, c->a_to_b.stream);
    struct outages b = outages_in(r->evidence, c->b_to_a.stream);
    bool ordered = r->capture->overlap_count == 0;

    r->unsure_count = 0;
    put(r, report_count(BOTH(c, packets)));
    put_count(r, BOTH(c, retransmitted_packets), REPORT_WARNING, ordered);
    put_count(r, lost_but_outages(c, &a, &b), REPORT_BAD,
              ordered && !connection_loss_uncertain(c, r->capture));
    put(r,
        bad_if(naks(c), naks(c) > BOTH(c, naks[RDC_NAK_SEQUENCE]) ? REPORT_BAD : REPORT_WARNING));
    put(r, bad_if(BOTH(c, rnr_naks), REPORT_WARNING));
    put_count(r, BOTH(c, rounds[FLOW_TRIGGER_TIMEOUT]), REPORT_BAD, ordered);
    put_count(r, BOTH(c, out_of_order), REPORT_PLAIN, ordered);
    put(r, report_count(BOTH(c, ce_packets)));
    put(r, report_count(BOTH(c, cnps_sent)));
    put(r, typical_rtt(c));
    put(r, ordered || BOTH(c, retransmitted_packets) == 0 ? recovery(c, &a, &b) : report_text("?"));
}

void connections_put_row(struct row *r, const struct flow_connection *c)
{
    static const char *const short_states[] = {[FLOW_STATE_OPEN] = "open",
                                               [FLOW_STATE_CLOSED] = "closed",
                                               [FLOW_STATE_RETRY_EXHAUSTED] = "gave up",
                                               [FLOW_STATE_ERROR] = "error"};
    const char *pairing = flow_pairing_name(c->paired_by);
    const char *ulp = c->service_id != 0 ? rdc_ulp_name(c->service_id) : NULL;
    bool failed = c->state == FLOW_STATE_ERROR || c->state == FLOW_STATE_RETRY_EXHAUSTED;

    put(r, report_number(c->id));
    put(r, report_mood(report_text(short_states[c->state]), failed ? REPORT_BAD : REPORT_PLAIN));
    put(r, r->statuses != NULL ? status_value(r->statuses[c->id - 1]) : report_none());
    put(r, report_text(rdc_transport_name(c->transport)));
    put(r, report_text(connection_service_name(c)));
    put_endpoint(r, 0, c, &c->a, &c->a_to_b);
    put_endpoint(r, 1, c, &c->b, &c->b_to_a);
    connection_endpoint_text(&c->a, r->ends[0], sizeof(r->ends[0]));
    connection_endpoint_text(&c->b, r->ends[1], sizeof(r->ends[1]));
    put(r, report_text(r->ends[0]));
    put(r, report_text(r->ends[1]));
    put(r, pairing != NULL ? report_text(pairing)
           : c->a.has_port ? report_unknown("both directions have the same ports")
                           : report_unknown("nothing proves a pairing"));
    put(r, c->pmtu_bytes != 0 ? report_number(c->pmtu_bytes)
                              : report_unknown("no packet shows the path MTU"));
    put(r, ulp != NULL ? report_text(ulp) : report_unknown("no set-up message names it"));
    put(r, report_number(c->epochs));
    put(r, c->has_tunnel ? report_text(rdc_tunnel_name(c->tunnel.kind)) : report_none());
    put(r, report_text(flow_state_name(c->state)));
    put(r, report_frame(c->first_frame));
    put(r, report_frame(c->last_frame));
    put(r, report_ns(c->last_ns - c->first_ns));
    put(r, report_bool(connection_loss_uncertain(c, r->capture)));
    put_summary(r, c);
    connections_put_direction(r, 0, c, &c->a_to_b, &c->b_to_a);
    connections_put_direction(r, 1, c, &c->b_to_a, &c->a_to_b);
}
