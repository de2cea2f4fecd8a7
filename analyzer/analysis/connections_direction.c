/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One direction in the table of connections. A counter that needs the other direction is unknown
 * where that was not captured.
 */
#include <glib.h>

#include "analysis/connections_row.h"
#include "analysis/page/visibility.h"

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

void connections_put_direction(struct row *r, int i, const struct flow_connection *c,
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
    put_count(r, n->spurious, l.needless);
    for (unsigned k = 0; k < FLOW_TRIGGER_COUNT; k++)
        put_count(r, n->rounds[k], l.roce != NULL ? l.roce : l.psn);
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
