/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of connections (see connections.h). A counter that needs the other direction is unknown
 * where that was not captured.
 */
#include "analysis/connections.h"

#include <arpa/inet.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/say.h"
#include "analysis/status.h"
#include "analysis/visibility.h"
#include "rdc/cm.h"

/* ------------------------------------------------------------------ columns */

#define TIMES(p, name)                                                                             \
    {p name ".count", NULL, false}, {p name ".p50", NULL, false}, {p name ".p90", NULL, false},    \
        {p name ".p99", NULL, false}, {p name ".p999", NULL, false},                               \
    {                                                                                              \
        p name ".max", NULL, false                                                                 \
    }
#define MARKS(p, name)                                                                             \
    {p name ".start_time_ns", NULL, false}, {p name ".span_ns", NULL, false},                      \
        {p name ".packets", NULL, false}, {p name ".ect_packets", NULL, false},                    \
        {p name ".ce_packets", NULL, false},                                                       \
    {                                                                                              \
        p name ".cnps", NULL, false                                                                \
    }
#define ONE(p, name)                                                                               \
    {                                                                                              \
        p name, NULL, false                                                                        \
    }
#define DIRECTION(p)                                                                               \
    ONE(p, "packets"), ONE(p, "wire_bytes"), ONE(p, "payload_bytes"), ONE(p, "messages"),          \
        ONE(p, "message_bytes"), ONE(p, "dropped_messages"), ONE(p, "lost_before_tap"),            \
        ONE(p, "lost_after_tap"), ONE(p, "not_captured"), ONE(p, "gaps"), ONE(p, "gap_psns"),      \
        ONE(p, "holes_open"), ONE(p, "acked_unseen"), ONE(p, "retransmitted_packets"),             \
        ONE(p, "retransmitted_bytes"), ONE(p, "spurious"), ONE(p, "rounds.nak"),                   \
        ONE(p, "rounds.rnr"), ONE(p, "rounds.read"), ONE(p, "rounds.timeout"),                     \
        ONE(p, "rounds.unknown"), ONE(p, "out_of_order"), ONE(p, "duplicates"),                    \
        ONE(p, "naks.sequence"), ONE(p, "naks.rnr"), ONE(p, "naks.invalid_request"),               \
        ONE(p, "naks.access"), ONE(p, "naks.operational"), ONE(p, "naks.invalid_rd"),              \
        ONE(p, "acks"), ONE(p, "ect_packets"), ONE(p, "ce_packets"), ONE(p, "becn_packets"),       \
        ONE(p, "cnps_received"), ONE(p, "max_outstanding_psns"), ONE(p, "max_outstanding_bytes"),  \
        ONE(p, "throughput_bps"), ONE(p, "peak_1ms_bps"), TIMES(p, "rtt_ns"),                      \
        TIMES(p, "message_latency_ns"), TIMES(p, "nak_delay_ns"), TIMES(p, "resend_delay_ns"),     \
        TIMES(p, "recovery_ns"), TIMES(p, "message_size_bytes"), ONE(p, "icrc_bad"),               \
        ONE(p, "dscp"), ONE(p, "pcp"), ONE(p, "cnp_interval_ns.min"), TIMES(p, "cnp_interval_ns"), \
        TIMES(p, "ce_to_cnp_ns"), TIMES(p, "rate_before_bps"), TIMES(p, "rate_after_bps"),         \
        TIMES(p, "rate_recovery_ns"), ONE(p, "cnps_without_ce"), ONE(p, "ce_unanswered"),          \
        ONE(p, "cnps_slowed"), ONE(p, "cnps_not_slowed"), MARKS(p, "marks_over_time"),             \
        ONE(p, "full_packet_bytes"), ONE(p, "cm_pmtu_bytes"), ONE(p, "ttl"),                       \
        ONE(p, "ttl_changes"), ONE(p, "priority_changes"), ONE(p, "state"), ONE(p, "iwarp.fpdus"), \
        ONE(p, "iwarp.crc_ok"), ONE(p, "iwarp.crc_bad"), ONE(p, "iwarp.crc_off"),                  \
        ONE(p, "iwarp.crc_not_checked"), ONE(p, "iwarp.markers"), ONE(p, "iwarp.markers_bad"),     \
        ONE(p, "iwarp.framing_lost"), ONE(p, "iwarp.tcp_hole_bytes"), ONE(p, "iwarp.keep_alives"), \
        ONE(p, "iwarp.conflicting_segments"), ONE(p, "iwarp.zero_windows"),                        \
        ONE(p, "iwarp.msn_gaps"), ONE(p, "iwarp.terminates"), ONE(p, "iwarp.reads_unanswered"),    \
        ONE(p, "iwarp.max_outstanding_reads"), ONE(p, "iwarp.stags"),                              \
        ONE(p, "iwarp.stags_forgotten"), ONE(p, "iwarp.tcp_payload_bytes"),                        \
        ONE(p, "iwarp.zero_window_ns"), ONE(p, "iwarp.open_zero_window_ns"),                       \
        ONE(p, "iwarp.wants_markers"), ONE(p, "iwarp.rejects")

/* A page has a status in place of what needs more words to be understood. */
#define COLUMNS(detail, status)                                                                    \
    {                                                                                              \
        {"id", "id", false}, {NULL, detail("state"), true}, {NULL, status, false},                 \
            {"transport", "transport", true}, {"service", "svc", true},                            \
            {"a.address", NULL, false}, {"a.qpn", NULL, false}, {"a.tcp_port", NULL, false},       \
            {"a.udp_src_ports", NULL, false}, {"b.address", NULL, false}, {"b.qpn", NULL, false},  \
            {"b.tcp_port", NULL, false}, {"b.udp_src_ports", NULL, false}, {NULL, "a", false},     \
            {NULL, "b", false}, {"paired_by", detail("paired"), true},                             \
            {"pmtu_bytes", detail("pmtu"), true}, {"ulp", NULL, false}, {"epochs", NULL, false},   \
            {"tunnel", NULL, false}, {"state", NULL, false},                                       \
            {"first_frame", detail("first"), true}, {"last_frame", detail("last"), true},          \
            {"duration_ns", NULL, false}, {NULL, "packets", false}, {NULL, "resent", false},       \
            {NULL, "lost", false}, {NULL, "naks", true}, {NULL, "rnr", true},                      \
            {NULL, "timeouts", true}, {NULL, "late", true}, {NULL, "ce", true},                    \
            {NULL, "cnps", true}, {NULL, detail("rtt p50"), true},                                 \
            {NULL, detail("recovery"), false}, DIRECTION("a_to_b."), DIRECTION("b_to_a."),         \
    }
#define SHOWN(title) title
#define NOT_SHOWN(title) NULL

static const struct report_column columns[] = COLUMNS(SHOWN, NULL);
static const struct report_column page_columns[] = COLUMNS(NOT_SHOWN, "status");

struct row {
    struct report_value *next; /* the cell to be written */
    const struct evidence *evidence;
    const uint8_t *statuses;
    bool drops;
    bool unsure; /* a count of losses is */
    char text[2][96], ends[2][96];
    char lost[40];
    uint64_t ports[2][FLOW_MAX_PORTS];
    uint64_t dscp[2][64], pcp[2][8];
    const char *names[2][RDC_OP_COUNT];
    uint64_t counts[2][RDC_OP_COUNT];
    uint64_t marks[2][4][FLOW_MARK_BINS];
};

static void put(struct row *r, struct report_value v)
{
    *r->next++ = v;
}

/* ------------------------------------------------------------------ one direction */

static void put_count(struct row *r, uint64_t n, const char *unknown)
{
    put(r, unknown != NULL ? report_unknown(unknown) : report_count(n));
}

enum unit {
    UNIT_NS,
    UNIT_BYTES,
    UNIT_BPS,
};

static struct report_value measured(uint64_t n, enum unit unit)
{
    switch (unit) {
    case UNIT_BYTES:
        return report_bytes(n);
    case UNIT_BPS:
        return report_bps((double)n);
    case UNIT_NS:
        break;
    }
    return report_ns((int64_t)n);
}

static void put_times(struct row *r, const struct flow_histogram *h, enum unit unit,
                      const char *unknown)
{
    static const unsigned permille[] = {500, 900, 990, 999};

    if (h == NULL || h->count == 0 || unknown != NULL) {
        put(r, unknown != NULL ? report_unknown(unknown) : report_count(0));
        for (unsigned i = 0; i < G_N_ELEMENTS(permille) + 1; i++)
            put(r, report_none());
        return;
    }
    put(r, report_count(h->count));
    for (unsigned i = 0; i < G_N_ELEMENTS(permille); i++) {
        uint64_t q = flow_histogram_quantile(h, permille[i]);

        put(r, measured(q, unit));
    }
    put(r, measured(h->max, unit));
}

/* The mean over the direction's life, and the busiest millisecond */
static void put_throughput(struct row *r, const struct flow_direction *d, const char *unknown)
{
    int64_t life = d->last_ns - d->first_ns;

    if (unknown == NULL && (d->throughput == NULL || life <= 0))
        unknown = "too few packets";
    if (unknown != NULL) {
        put(r, report_unknown(unknown));
        put(r, report_unknown(unknown));
        return;
    }
    put(r, report_bps((double)d->counters->wire_bytes * 8e9 / (double)life));
    put(r, report_bps((double)d->throughput->peak_bytes * 8e9 / FLOW_WINDOW_NS));
}

static size_t bits(uint64_t set, uint64_t *list)
{
    size_t n = 0;

    for (unsigned i = 0; i < 64; i++)
        if ((set >> i & 1) != 0)
            list[n++] = i;
    return n;
}

static size_t messages(const struct flow_counters *c, const char **names, uint64_t *counts)
{
    size_t n = 0;

    for (unsigned op = RDC_OP_SEND; op < RDC_OP_READ_RESPONSE; op++) {
        if (c->messages[op] == 0)
            continue;
        names[n] = rdc_operation_name((enum rdc_operation)op);
        counts[n++] = c->messages[op];
    }
    return n;
}

static void put_marks(struct row *r, int i, const struct flow_marks *m)
{
    uint64_t(*list)[FLOW_MARK_BINS] = r->marks[i];

    for (uint32_t k = 0; k < m->used; k++) {
        list[0][k] = m->bins[k].packets;
        list[1][k] = m->bins[k].ect;
        list[2][k] = m->bins[k].ce;
        list[3][k] = m->bins[k].notices;
    }
    put(r, m->used > 0 ? report_time(m->start_ns) : report_none());
    put(r, m->used > 0 ? report_ns(m->bin_ns) : report_none());
    for (unsigned k = 0; k < 4; k++)
        put(r, report_numbers(list[k], m->used));
}

/* iWARP has no path of this kind */
static void put_path(struct row *r, const struct flow_direction *d, const char *unknown)
{
    static const struct flow_path_changes none;
    const struct flow_path *p = d->path;
    const struct flow_path_changes *n = p != NULL && p->changes != NULL ? p->changes : &none;

    if (unknown != NULL || d->path == NULL) {
        for (unsigned i = 0; i < 5; i++)
            put(r, unknown != NULL ? report_unknown(unknown) : report_none());
        return;
    }
    put(r, p->full_size != 0 ? report_bytes(p->full_size)
                             : report_unknown("there is no FIRST or MIDDLE packet"));
    put(r, d->cm_pmtu_bytes != 0 ? report_bytes(d->cm_pmtu_bytes)
                                 : report_unknown("no set-up message announces it"));
    put(r, p->ttl != 0 ? report_number(p->ttl) : report_none());
    put(r, report_count(n->ttl_changes));
    put(r, report_count(n->priority_changes));
}

static void put_congestion(struct row *r, int i, const struct flow_direction *d,
                           const struct flow_direction *other, const struct visibility *l)
{
    static const struct flow_reaction calm;
    const struct flow_reaction *n = d->reaction != NULL ? d->reaction : &calm;
    const struct flow_histogram *intervals =
        other->notices != NULL ? &other->notices->interval : NULL;
    const char *unknown = l->all != NULL ? l->all : l->cnps;

    if (l->cnps != NULL)
        put(r, report_unknown(l->cnps));
    else
        put(r, intervals != NULL && intervals->count > 0
                   ? report_ns(other->notices->interval_min_ns)
                   : report_none());
    put_times(r, intervals, UNIT_NS, l->cnps);
    put_times(r, &n->ce_to_cnp, UNIT_NS, unknown);
    put_times(r, &n->rate_before, UNIT_BPS, unknown);
    put_times(r, &n->rate_after, UNIT_BPS, unknown);
    put_times(r, &n->rate_recovery, UNIT_NS, unknown);
    put_count(r, n->notices_without_ce, unknown);
    put_count(r, n->ce_unanswered, unknown);
    put_count(r, n->slowed, unknown);
    put_count(r, n->not_slowed, unknown);
    put_marks(r, i, &n->marks);
    put_path(r, d, l->all);
}

/* Nothing of this exists where there is no TCP. */
static void put_iwarp(struct row *r, const struct flow_iwarp *w)
{
    static const struct flow_iwarp zero;
    const struct flow_iwarp *n = w != NULL ? w : &zero;
    const uint64_t counts[] = {
        n->fpdus,          n->crc_ok,          n->crc_bad,          n->crc_off,
        n->crc_unseen,     n->markers,         n->markers_bad,      n->framing_lost,
        n->tcp_hole_bytes, n->keep_alives,     n->conflicts,        n->zero_windows,
        n->msn_gaps,       n->terminates,      n->reads_unanswered, n->max_outstanding_reads,
        n->stag_count,     n->stags_forgotten,
    };

    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++)
        put(r, w != NULL ? report_count(counts[i]) : report_none());
    put(r, w != NULL ? report_bytes(n->tcp_payload_bytes) : report_none());
    put(r, w != NULL ? report_ns((int64_t)n->zero_window_ns) : report_none());
    put(r, w != NULL ? report_ns((int64_t)n->open_zero_window_ns) : report_none());
    put(r, w != NULL && n->mpa_seen ? report_bool(n->mpa.markers) : report_none());
    put(r, w != NULL && n->mpa_seen ? report_bool(n->mpa.reject) : report_none());
}

static void put_direction(struct row *r, int i, const struct flow_connection *c,
                          const struct flow_direction *d, const struct flow_direction *other)
{
    static const struct flow_counters zero;
    static const struct flow_times no_times;
    const struct flow_counters *n = d->counters != NULL ? d->counters : &zero;
    const struct flow_times *t = d->times != NULL ? d->times : &no_times;
    struct visibility l = visibility_of(c, d, other);
    const char *timing = l.answers;
    const char *naks = l.all != NULL ? l.all : l.roce != NULL ? l.roce : l.aeth;
    const char *rounds = l.roce != NULL ? l.roce : timing;

    put_count(r, n->packets, l.all);
    put(r, l.all != NULL ? report_unknown(l.all) : report_bytes(n->wire_bytes));
    put(r, l.all != NULL ? report_unknown(l.all) : report_bytes(n->payload_bytes));
    put(r, l.all != NULL
               ? report_unknown(l.all)
               : report_map(r->names[i], r->counts[i], messages(n, r->names[i], r->counts[i])));
    put(r, l.psn != NULL ? report_unknown(l.psn) : report_bytes(n->message_bytes));
    put(r, c->service == RDC_SERVICE_UC && l.all == NULL ? report_count(n->dropped_messages)
                                                         : report_none());
    put_count(r, n->lost_before_tap, l.psn);
    put_count(r, n->lost_after_tap, l.after);
    put_count(r, n->not_captured, l.answers);
    put_count(r, n->gaps, l.psn);
    put_count(r, n->gap_psns, l.roce != NULL ? l.roce : l.psn);
    put_count(r, n->holes_open, l.psn);
    put_count(r, n->acked_unseen, l.answers);
    put_count(r, n->retransmitted_packets, l.psn);
    put(r, l.psn != NULL ? report_unknown(l.psn) : report_bytes(n->retransmitted_bytes));
    put_count(r, n->spurious, l.answers);
    for (unsigned k = 0; k < FLOW_TRIGGER_COUNT; k++)
        put(r, l.roce != NULL  ? report_none() /* "unknown" would be there twice */
               : l.psn != NULL ? report_unknown(l.psn)
                               : report_count(n->rounds[k]));
    put_count(r, n->out_of_order, l.psn);
    put_count(r, n->duplicates, l.psn);
    put_count(r, n->naks[RDC_NAK_SEQUENCE], naks);
    put_count(r, n->rnr_naks, naks);
    for (unsigned k = RDC_NAK_INVALID_REQUEST; k < FLOW_NAK_CODES; k++)
        put_count(r, n->naks[k], naks);
    put_count(r, n->acks, l.all != NULL ? l.all : l.aeth);
    put_count(r, n->ect_packets, l.all);
    put_count(r, n->ce_packets, l.all);
    put_count(r, n->becn_packets, l.all != NULL ? l.all : l.roce);
    put_count(r, other->counters != NULL ? other->counters->cnps_sent : 0, l.cnps);
    put_count(r, n->max_outstanding_psns, rounds);
    put_count(r, n->max_outstanding_bytes, l.answers);
    put_throughput(r, d, l.all);
    put_times(r, &t->rtt, UNIT_NS, timing);
    put_times(r, &t->message_latency, UNIT_NS, timing);
    put_times(r, &t->nak_delay, UNIT_NS, rounds);
    put_times(r, &t->resend_delay, UNIT_NS, rounds);
    put_times(r, &t->recovery, UNIT_NS, timing);
    put_times(r, &t->message_size, UNIT_BYTES, l.psn);
    put_count(r, n->icrc_bad, l.icrc);
    put(r, report_numbers(r->dscp[i], bits(n->dscp_seen, r->dscp[i])));
    put(r, report_numbers(r->pcp[i], bits(n->pcp_seen, r->pcp[i])));
    put_congestion(r, i, d, other, &l);
    put(r, l.all != NULL ? report_unknown(l.all) : report_text(flow_state_name(d->state)));
    put_iwarp(r, d->iwarp);
}

/* ------------------------------------------------------------------ one row */

/* RFC 5952 for IPv6 and GIDs */
void connection_address_text(const struct flow_endpoint *end, char *text, size_t size)
{
    if (end->address_kind == RDC_ADDRESS_LID)
        g_snprintf(text, size, "lid:%u", (unsigned)end->address[0] << 8 | end->address[1]);
    else if (inet_ntop(end->address_kind == RDC_ADDRESS_IPV4 ? AF_INET : AF_INET6, end->address,
                       text, (socklen_t)size) == NULL)
        g_strlcpy(text, "?", size);
}

const char *connection_service_name(const struct flow_connection *c)
{
    if (c->transport == RDC_TRANSPORT_IWARP)
        return "iwarp";
    return rdc_service_name((enum rdc_service)c->service);
}

void connection_endpoint_text(const struct flow_endpoint *end, char *text, size_t size)
{
    char address[INET6_ADDRSTRLEN];

    connection_address_text(end, address, sizeof(address));
    if (end->has_port)
        g_snprintf(text, size, "%s port %u", address, end->port);
    else if (end->qpn_known)
        g_snprintf(text, size, "%s qp %u", address, end->qpn);
    else
        g_snprintf(text, size, "%s qp ?", address);
}

static void put_endpoint(struct row *r, int i, const struct flow_endpoint *end,
                         const struct flow_direction *sent)
{
    connection_address_text(end, r->text[i], sizeof(r->text[i]));
    put(r, report_text(r->text[i]));
    put(r, end->qpn_known  ? report_number(end->qpn)
           : end->has_port ? report_unknown("no packet of iWARP names it")
                           : report_unknown("a packet names only its destination's QPN"));
    put(r, end->has_port ? report_number(end->port) : report_none());
    for (unsigned k = 0; k < sent->port_count; k++)
        r->ports[i][k] = sent->ports[k];
    put(r, report_numbers(r->ports[i], sent->port_count));
}

/* Both directions' counter */
#define BOTH(c, member) (flow_counters_of(c, true)->member + flow_counters_of(c, false)->member)

static uint64_t lost(const struct flow_connection *c)
{
    return BOTH(c, lost_before_tap) + BOTH(c, lost_after_tap);
}

static uint64_t longest_recovery(const struct flow_connection *c)
{
    uint64_t a = c->a_to_b.times != NULL ? c->a_to_b.times->recovery.max : 0;
    uint64_t b = c->b_to_a.times != NULL ? c->b_to_a.times->recovery.max : 0;

    return MAX(a, b);
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

bool connection_loss_uncertain(const struct flow_connection *c, bool drops)
{
    return drops || BOTH(c, not_captured) + BOTH(c, acked_unseen) > 0 ||
           (BOTH(c, holes_open) > 0 && BOTH(c, holes_open) >= lost(c));
}

/* "3?" where the capture may have missed them */
static void put_lost(struct row *r, const struct flow_connection *c, uint64_t n)
{
    if (n == 0 || !connection_loss_uncertain(c, r->drops)) {
        put(r, bad_if(n, REPORT_BAD));
        return;
    }
    g_snprintf(r->lost, sizeof(r->lost), "%s?", say_count(n).text);
    put(r, report_mood(report_text(r->lost), REPORT_WARNING));
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
    return lost(c) - MIN(a->seen, flow_counters_of(c, true)->lost_after_tap) -
           MIN(b->seen, flow_counters_of(c, false)->lost_after_tap);
}

static struct report_value recovery(const struct flow_connection *c, const struct outages *a,
                                    const struct outages *b)
{
    uint64_t rounds = 0;

    if (c->state == FLOW_STATE_RETRY_EXHAUSTED || (a->count > 0 && !a->worst.ended) ||
        (b->count > 0 && !b->worst.ended))
        return report_mood(report_text("never"), REPORT_BAD);
    if (longest_recovery(c) > 0)
        return report_ns((int64_t)longest_recovery(c));
    for (unsigned i = 0; i < FLOW_TRIGGER_COUNT; i++)
        rounds += BOTH(c, rounds[i]);
    return rounds > 0 ? report_text("?") : report_none();
}

static void put_summary(struct row *r, const struct flow_connection *c)
{
    struct outages a = outages_in(r->evidence, c->a_to_b.stream);
    struct outages b = outages_in(r->evidence, c->b_to_a.stream);

    put(r, report_count(BOTH(c, packets)));
    put(r, bad_if(BOTH(c, retransmitted_packets), REPORT_WARNING));
    put_lost(r, c, lost_but_outages(c, &a, &b));
    put(r, bad_if(BOTH(c, naks[RDC_NAK_SEQUENCE]), REPORT_WARNING));
    put(r, bad_if(BOTH(c, rnr_naks), REPORT_WARNING));
    put(r, bad_if(BOTH(c, rounds[FLOW_TRIGGER_TIMEOUT]), REPORT_BAD));
    put(r, report_count(BOTH(c, out_of_order)));
    put(r, report_count(BOTH(c, ce_packets)));
    put(r, report_count(BOTH(c, cnps_sent)));
    put(r, typical_rtt(c));
    put(r, recovery(c, &a, &b));
}

static void put_row(struct row *r, const struct flow_connection *c)
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
    put_endpoint(r, 0, &c->a, &c->a_to_b);
    put_endpoint(r, 1, &c->b, &c->b_to_a);
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
    put_summary(r, c);
    put_direction(r, 0, c, &c->a_to_b, &c->b_to_a);
    put_direction(r, 1, c, &c->b_to_a, &c->a_to_b);
}

/* ------------------------------------------------------------------ order */

uint64_t connection_harm(const struct flow_connection *c)
{
    uint64_t harm = 0;

    if (c->state == FLOW_STATE_ERROR || c->state == FLOW_STATE_RETRY_EXHAUSTED)
        harm += (uint64_t)1 << 50;
    harm += MIN(longest_recovery(c) / 1000, (uint64_t)1 << 40);
    harm += BOTH(c, rounds[FLOW_TRIGGER_TIMEOUT]) * 100000;
    harm += BOTH(c, rnr_naks) * 10000;
    harm += lost(c) * 1000;
    harm += BOTH(c, retransmitted_packets) * 10 + BOTH(c, out_of_order) + BOTH(c, icrc_bad) * 100;
    return harm;
}

bool connections_order_of(const char *name, enum connections_order *order)
{
    static const char *const names[CONNECTIONS_ORDER_COUNT] = {
        [CONNECTIONS_WORST] = "worst",
        [CONNECTIONS_ID] = "id",
        [CONNECTIONS_BYTES] = "bytes",
        [CONNECTIONS_PACKETS] = "packets",
        [CONNECTIONS_RETRANSMITTED] = "retransmitted",
        [CONNECTIONS_LOST] = "lost",
        [CONNECTIONS_RECOVERY] = "recovery",
    };

    for (unsigned i = 0; i < CONNECTIONS_ORDER_COUNT; i++) {
        if (g_strcmp0(name, names[i]) == 0) {
            *order = (enum connections_order)i;
            return true;
        }
    }
    return false;
}

static uint64_t weight(const struct flow_connection *c, enum connections_order order)
{
    switch (order) {
    case CONNECTIONS_WORST:
        return connection_harm(c);
    case CONNECTIONS_BYTES:
        return BOTH(c, wire_bytes);
    case CONNECTIONS_PACKETS:
        return BOTH(c, packets);
    case CONNECTIONS_RETRANSMITTED:
        return BOTH(c, retransmitted_packets);
    case CONNECTIONS_LOST:
        return lost(c);
    case CONNECTIONS_RECOVERY:
        return longest_recovery(c);
    case CONNECTIONS_ID:
    case CONNECTIONS_ORDER_COUNT:
        break;
    }
    return 0;
}

#define PAUSED_WEIGHT ((uint64_t)1 << 49) /* less than what ended */

struct ranked {
    uint64_t weight;
    size_t index;
};

static int by_weight(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static struct ranked *rank(const struct flow_engine *engine, const struct connections_view *view)
{
    size_t count = flow_connection_count(engine);
    struct ranked *list = g_new(struct ranked, count + 1);
    struct flow_connection c;

    for (size_t i = 0; i < count; i++) {
        flow_connection_get(engine, i, &c);
        list[i] = (struct ranked){weight(&c, view->order), i};
        if (view->order == CONNECTIONS_WORST && view->statuses != NULL &&
            view->statuses[i] == FARED_PAUSED)
            list[i].weight += PAUSED_WEIGHT;
    }
    qsort(list, count, sizeof(*list), by_weight);
    return list;
}

/* ------------------------------------------------------------------ the table */

struct rows {
    const struct flow_engine *engine;
    struct ranked *order;
    size_t count;
    struct row row;
};

static void rows_free(void *context)
{
    struct rows *rows = context;

    g_free(rows->order);
    g_free(rows);
}

/* Those that the view shows, in its order */
static struct rows *rows_new(const struct flow_engine *engine, const struct connections_view *view)
{
    struct rows *rows = g_new0(struct rows, 1);
    size_t count = flow_connection_count(engine);

    rows->engine = engine;
    rows->row.evidence = view->evidence;
    rows->row.statuses = view->statuses;
    rows->row.drops = view->drops;
    rows->order = rank(engine, view);
    for (size_t i = 0; i < count && (view->top == 0 || rows->count < view->top); i++)
        if (view->only_id == 0 || rows->order[i].index + 1 == view->only_id)
            rows->order[rows->count++] = rows->order[i];
    return rows;
}

static void get_row(struct rows *rows, size_t row, struct flow_connection *c,
                    struct report_value *cells)
{
    flow_connection_get(rows->engine, rows->order[row].index, c);
    rows->row.next = cells;
    put_row(&rows->row, c);
    g_assert(rows->row.next == cells + G_N_ELEMENTS(columns));
}

static void make_row(void *context, size_t row, struct report_value *cells)
{
    struct flow_connection c;

    get_row(context, row, &c, cells);
}

/* What the lines below the table explain */
struct notes {
    uint32_t statuses; /* a bit each */
    bool resent, no_qp;
};

/* Of a page, which outlives the engine, the rows are kept. */
static struct notes look_at_rows(struct rows *rows, struct report_node *table, bool page)
{
    struct report_value cells[G_N_ELEMENTS(columns)];
    struct flow_connection c;
    struct notes n = {0};

    for (size_t i = 0; i < rows->count; i++) {
        get_row(rows, i, &c, cells);
        if (page)
            report_row(table, cells);
        n.no_qp |=
            strstr(rows->row.ends[0], "qp ?") != NULL || strstr(rows->row.ends[1], "qp ?") != NULL;
        if (rows->row.statuses != NULL)
            n.statuses |= UINT32_C(1) << rows->row.statuses[c.id - 1];
        n.resent |= BOTH(&c, retransmitted_packets) > 0;
    }
    return n;
}

struct report_node *connections_table(struct report_node *root, const struct flow_engine *engine,
                                      const struct connections_view *view)
{
    struct report_node *table = report_table(
        root, view->page ? NULL : "connections", view->title != NULL ? view->title : "Connections",
        REPORT_ARRAY, view->page ? page_columns : columns, G_N_ELEMENTS(columns));
    struct rows *rows = rows_new(engine, view);
    struct notes n = look_at_rows(rows, table, view->page);

    if (view->page || rows->row.unsure || n.no_qp)
        status_legend(root, n.statuses, rows->row.unsure, n.no_qp);
    if (n.resent && !view->page)
        report_line(root, "recovery: the longest time from the first sign of a loss until all "
                          "that had been sent was acknowledged; never: not by the end of the "
                          "capture; ?: not visible here; -: nothing was sent again.");
    if (view->page)
        rows_free(rows);
    else
        report_rows(table, rows->count, (struct report_maker){make_row, rows_free, rows});
    return table;
}
