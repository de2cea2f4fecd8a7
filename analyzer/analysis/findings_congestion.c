/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about ECN: marks, notifications, and whether the sender reacts (RFC 3168, IBTA A17.9,
 * DCQCN). The data is that of the sent direction.
 */
#include "analysis/findings_rules.h"

enum {
    MARKS_LIMIT = 5, /* fewer may be answered by a CNP that was lost */
    MARKED_LIMIT_PCT = 5,
    NOTICES_LIMIT = 3,
    NOT_SLOWED_LIMIT_PCT = 75,
};

static struct evidence_frames one_frame(uint64_t frame)
{
    return (struct evidence_frames){frame != 0, {frame}};
}

static void marks(const struct sight *s, struct findings *out)
{
    double share = share_pct(s->n->ce_packets, s->n->data_packets);
    struct finding f;

    if (s->n->ce_packets == 0 || s->n->data_packets == 0)
        return;
    f = sight_finding(s, FINDING_CONGESTION_MARKS, sight_frames(s, EVIDENCE_CE));
    if (share > MARKED_LIMIT_PCT)
        f.severity = SEVERITY_WARNING;
    f.value = report_pct(share);
    f.limit = report_pct(MARKED_LIMIT_PCT);
    f.weight = s->n->ce_packets;
    f.why = g_strdup_printf("%s from %s to %s (%s of the data) are marked CE.",
                            say_many(s->n->ce_packets, "packet").text, s->from, s->to,
                            say_pct(share).text);
    findings_add(out, &f);
}

static void ce_without_cnp(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (s->c->transport != RDC_TRANSPORT_ROCEV2 || s->v.cnps != NULL ||
        s->n->ce_packets <= MARKS_LIMIT || s->back->counters->cnps_sent > 0)
        return;
    f = sight_finding(s, FINDING_CE_WITHOUT_CNP, sight_frames(s, EVIDENCE_CE));
    f.value = report_count(s->n->ce_packets);
    f.limit = report_count(MARKS_LIMIT);
    f.weight = s->n->ce_packets;
    f.why = g_strdup_printf("%s from %s are marked CE; %s sent no CNP.",
                            say_many(s->n->ce_packets, "packet").text, s->from, s->to);
    findings_add(out, &f);
}

static void without_effect(const struct sight *s, struct findings *out)
{
    const struct flow_reaction *r = s->sent->reaction;
    struct evidence_frames frames;
    struct finding f;
    uint64_t judged;

    if (r == NULL || r->slowed + r->not_slowed < NOTICES_LIMIT)
        return;
    judged = r->slowed + r->not_slowed;
    if (share_pct(r->not_slowed, judged) < NOT_SLOWED_LIMIT_PCT)
        return;
    frames = one_frame(r->not_slowed_frame);
    f = sight_finding(s, FINDING_CNP_WITHOUT_EFFECT, &frames);
    f.value = report_pct(share_pct(r->not_slowed, judged));
    f.limit = report_pct(NOT_SLOWED_LIMIT_PCT);
    f.weight = r->not_slowed;
    f.why = g_strdup_printf("After %s of %s, %s sent as fast as before (1 ms before and after).",
                            say_count(r->not_slowed).text, say_many(judged, "CNP").text, s->from);
    findings_add(out, &f);
}

static void cnp_without_ce(const struct sight *s, struct findings *out)
{
    const struct flow_reaction *r = s->sent->reaction;
    struct finding f;

    if (r == NULL || r->notices_without_ce == 0 || s->n->ce_packets > 0)
        return;
    f = sight_finding(s, FINDING_CNP_WITHOUT_CE, s->proof_back->frames[EVIDENCE_CNP]);
    f.value = report_count(r->notices_without_ce);
    f.limit = report_count(0);
    f.weight = r->notices_without_ce;
    f.why = g_strdup_printf("%s sent %s, but no data from %s is marked here.", s->to,
                            say_many(r->notices_without_ce, "CNP").text, s->from);
    findings_add(out, &f);
}

/* Notifications in the sent direction */
static void too_close(const struct sight *s, struct findings *out)
{
    const struct flow_notices *n = s->sent->notices;
    struct evidence_frames frames;
    struct finding f;

    if (n == NULL || n->close == 0)
        return;
    frames = one_frame(n->close_frame);
    f = sight_finding(s, FINDING_CNP_TOO_CLOSE, &frames);
    f.value = report_count((uint64_t)n->interval_min_ns);
    f.limit = report_count(FLOW_CNP_CLOSE_NS);
    f.weight = n->close;
    f.why = g_strdup_printf("%s sent %s of %s less than 4 us after the one before.", s->from,
                            say_count(n->close).text, say_many(n->count, "CNP").text);
    findings_add(out, &f);
}

static bool sends_data(const struct flow_connection *c)
{
    return (c->a_to_b.counters != NULL && c->a_to_b.counters->data_packets > 0) ||
           (c->b_to_a.counters != NULL && c->b_to_a.counters->data_packets > 0);
}

static void not_ect(const struct analysis_input *in, struct findings *out)
{
    struct gathered unmarked = {0};
    struct flow_connection c;
    uint64_t connections = 0;
    struct finding f;

    for (size_t i = 0; i < flow_connection_count(in->engine); i++) {
        flow_connection_get(in->engine, i, &c);
        if (c.transport != RDC_TRANSPORT_ROCEV2 || !sends_data(&c))
            continue;
        connections++;
        if (flow_counters_of(&c, true)->ect_packets + flow_counters_of(&c, false)->ect_packets == 0)
            gather(&unmarked, &c,
                   flow_counters_of(&c, true)->data_packets +
                       flow_counters_of(&c, false)->data_packets,
                   NULL);
    }
    if (unmarked.connections == 0)
        return;
    f = gathered_finding(FINDING_NOT_ECT, &unmarked);
    if (unmarked.connections < connections)
        f.severity = SEVERITY_WARNING; /* ECN is in use here, but not by these */
    f.why = g_strdup_printf("%s of %s: %s that no switch can mark.",
                            say_count(unmarked.connections).text,
                            say_many(connections, "RoCEv2 connection").text,
                            say_many(unmarked.sum, "data packet").text);
    findings_add(out, &f);
}

direction_rule *const congestion_rules[] = {
    marks, ce_without_cnp, without_effect, cnp_without_ce, too_close, NULL,
};
capture_rule *const ecn_rules[] = {not_ect, NULL};
