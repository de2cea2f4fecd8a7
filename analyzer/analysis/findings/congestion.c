/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about ECN: marks, notifications, and whether the sender reacts (RFC 3168, IBTA A17.9,
 * DCQCN). The data is that of the sent direction.
 */
#include "analysis/connections.h"
#include "analysis/findings/rules.h"
#include "analysis/numbers.h"

enum {
    MARKS_LIMIT = 5, /* fewer may be answered by a CNP that was lost */
    MARKED_LIMIT_PCT = 5,
    NOTICES_LIMIT = 3,
    NOT_SLOWED_LIMIT_PCT = 75,
};

static struct first_frames one_frame(uint64_t frame)
{
    return (struct first_frames){frame != 0, {frame}};
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
    f.who = g_strdup_printf("%s, which does not tell the senders of congestion", sight_to(s).text);
    f.why = g_strdup_printf("%s from %s %s marked CE; %s sent no CNP.",
                            say_many(s->n->ce_packets, "packet").text, sight_from(s).text,
                            say_verb(s->n->ce_packets, "is", "are"), sight_to(s).text);
    findings_add(out, &f);
}

static void tell_without_effect(const struct sight *s, struct finding *f)
{
    const struct flow_reaction *r = s->sent->reaction;
    uint64_t judged = r->slowed + r->not_slowed;

    f->who = g_strdup_printf("%s, which does not slow down", sight_from(s).text);
    f->why = g_strdup_printf("After %s of %s, %s sent as fast as before (1 ms before and after).",
                             say_count(r->not_slowed).text, say_many(judged, "CNP").text,
                             sight_from(s).text);
}

static void without_effect(const struct sight *s, struct findings *out)
{
    const struct flow_reaction *r = s->sent->reaction;
    struct first_frames frames;
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
    f.tell = tell_without_effect;
    findings_add(out, &f);
}

static void tell_cnp_without_ce(const struct sight *s, struct finding *f)
{
    uint64_t notices = s->sent->reaction->notices_without_ce;

    f->why = g_strdup_printf("%s sent %s, but no data from %s is marked here.", sight_to(s).text,
                             say_many(notices, "CNP").text, sight_from(s).text);
}

static void cnp_without_ce(const struct sight *s, struct findings *out)
{
    const struct flow_reaction *r = s->sent->reaction;
    struct finding f;

    if (r == NULL || r->notices_without_ce == 0 || s->n->ce_packets > 0)
        return;
    f = sight_finding(s, FINDING_CNP_WITHOUT_CE,
                      evidence_frames(s->in->evidence, s->back->stream, EVIDENCE_CNP));
    f.value = report_count(r->notices_without_ce);
    f.limit = report_count(0);
    f.weight = r->notices_without_ce;
    f.tell = tell_cnp_without_ce;
    findings_add(out, &f);
}

/* Notifications in the sent direction */
static void tell_too_close(const struct sight *s, struct finding *f)
{
    const struct flow_notices *n = s->sent->notices;

    f->why =
        g_strdup_printf("%s sent %s of %s less than 4 us after the one before.", sight_from(s).text,
                        say_count(n->close).text, say_many(n->count, "CNP").text);
}

static void too_close(const struct sight *s, struct findings *out)
{
    const struct flow_notices *n = s->sent->notices;
    struct first_frames frames;
    struct finding f;

    if (n == NULL || n->close == 0)
        return;
    frames = one_frame(n->close_frame);
    f = sight_finding(s, FINDING_CNP_TOO_CLOSE, &frames);
    f.value = report_count((uint64_t)n->interval_min_ns);
    f.limit = report_count(FLOW_CNP_CLOSE_NS);
    f.weight = n->close;
    f.tell = tell_too_close;
    findings_add(out, &f);
}

/* ------------------------------------------------------------------ marks, by destination */

/* What is marked on its way to one host */
struct marked {
    const struct analysis_input *in;
    struct flow_endpoint to;
    struct gathered connections; /* directions, by their marked packets */
    uint64_t data, cnps;
    bool blind, sighted;         /* of some, CNPs could not come by here; of others, they could */
    uint64_t slowed, not_slowed; /* notifications by what the sender did after them */
    int64_t from_ns, to_ns;      /* of marks */
    int64_t bin_ns;              /* how exact that is */
    struct numbers senders;      /* of addresses */
};

/* All hosts that data goes to */
struct marks {
    struct numbers hosts; /* of struct finding_subject */
    GArray *list;         /* of struct marked, by number */
};

static struct marked *marked_of(struct marks *all, const struct analysis_input *in,
                                const struct flow_endpoint *to)
{
    struct marked m = {.in = in, .to = *to, .senders.key_size = sizeof(to->address)};
    struct finding_subject key = subject_host(to->address_kind, to->address);
    uint32_t number;

    if (all->list == NULL) {
        all->hosts.key_size = sizeof(key);
        all->list = g_array_new(FALSE, FALSE, sizeof(m));
    }
    number = numbers_surely(&all->hosts, &key);
    if (number == all->list->len)
        g_array_append_val(all->list, m);
    return &g_array_index(all->list, struct marked, number);
}

static void add_span(struct marked *m, const struct flow_reaction *r)
{
    uint32_t used;
    int64_t end;

    if (r == NULL || r->marks.used == 0)
        return;
    m->slowed += r->slowed;
    m->not_slowed += r->not_slowed;
    for (used = r->marks.used; used > 1 && r->marks.bins[used - 1].ce == 0;)
        used--;
    end = r->marks.start_ns + (int64_t)used * r->marks.bin_ns;
    m->from_ns = m->to_ns == 0 ? r->marks.start_ns : MIN(m->from_ns, r->marks.start_ns);
    m->to_ns = MAX(m->to_ns, MIN(end, m->in->capture->last_time_ns));
    m->bin_ns = MAX(m->bin_ns, r->marks.bin_ns);
}

static void add_marked(struct marks *all, const struct analysis_input *in,
                       const struct flow_connection *c, bool a_to_b)
{
    const struct flow_endpoint *from = a_to_b ? &c->a : &c->b, *to = a_to_b ? &c->b : &c->a;
    const struct flow_direction *sent = a_to_b ? &c->a_to_b : &c->b_to_a;
    const struct flow_counters *n = flow_counters_of(c, a_to_b);
    struct marked *m;

    if (n->data_packets == 0)
        return;
    m = marked_of(all, in, to);
    m->data += n->data_packets;
    if (n->ce_packets == 0)
        return;
    gather(&m->connections, c, n->ce_packets,
           evidence_frames(in->evidence, sent->stream, EVIDENCE_CE));
    m->cnps += flow_counters_of(c, !a_to_b)->cnps_sent;
    if (visibility_of(c, sent, a_to_b ? &c->b_to_a : &c->a_to_b).cnps != NULL)
        m->blind = true;
    else
        m->sighted = true;
    numbers_surely(&m->senders, from->address);
    add_span(m, sent->reaction);
}

/* Did the senders react? Empty where that was not measured */
static char *reaction_text(const struct marked *m)
{
    uint64_t judged = m->slowed + m->not_slowed;

    if (m->cnps == 0)
        return g_strdup("");
    return judged == 0
               ? g_strdup("; whether the senders slowed down was not measured")
               : g_strdup_printf("; the senders slowed down after %s of %s that were judged",
                                 say_count(m->slowed).text, say_count(judged).text);
}

/* What is known of CNPs, with the verb that they take */
static char *cnps_text(const struct marked *m, const char *verb)
{
    if (!m->sighted)
        return g_strdup_printf("whether CNPs%s can't be seen here", verb);
    return g_strdup_printf("%s%s%s", say_many(m->cnps, "CNP").text, verb,
                           m->blind ? " where that can be seen" : "");
}

static void raise_marked(const struct marked *m, struct findings *out)
{
    double share = share_pct(m->connections.sum, m->data);
    uint32_t senders = m->senders.count;
    char to[64], *reaction, *cnps, *came_back;
    struct finding f;

    if (m->connections.sum == 0)
        return;
    connection_address_text(&m->to, to, sizeof(to));
    f = gathered_finding(FINDING_CONGESTION_MARKS, &m->connections);
    if (share > MARKED_LIMIT_PCT)
        f.severity = SEVERITY_WARNING;
    f.value = report_pct(share);
    f.limit = report_pct(MARKED_LIMIT_PCT);
    f.target = subject_host(m->to.address_kind, m->to.address);
    f.from_ns = m->from_ns;
    f.to_ns = m->to_ns;
    if (share > MARKED_LIMIT_PCT)
        f.end = m->to_ns + m->bin_ns >= m->in->capture->last_time_ns ? FINDING_BROKEN
                                                                     : FINDING_RECOVERED;
    reaction = reaction_text(m);
    cnps = cnps_text(m, m->sighted ? "" : " came back");
    came_back = cnps_text(m, " came back");
    f.who = senders == 1
                ? g_strdup_printf("a queue on the way to %s, filled by what is not on this "
                                  "capture, or by a sender faster than a link behind it",
                                  to)
                : g_strdup_printf("%u senders that share the way to %s", senders, to);
    f.why = g_strdup_printf("%s to %s (%s of the data packets), from %s on %s, %s marked CE; %s%s.",
                            say_many(m->connections.sum, "packet").text, to, say_pct(share).text,
                            say_many(senders, "sender").text,
                            say_many(m->connections.connections, "connection").text,
                            say_verb(m->connections.sum, "is", "are"), came_back, reaction);
    f.brief = g_strdup_printf("%s marked CE (%s of the data packets to it), %s%s",
                              say_many(m->connections.sum, "packet").text, say_pct(share).text,
                              cnps, reaction);
    g_free(reaction);
    g_free(cnps);
    g_free(came_back);
    findings_add(out, &f);
}

static int by_address(gconstpointer a, gconstpointer b)
{
    return memcmp(((const struct marked *)a)->to.address, ((const struct marked *)b)->to.address,
                  16);
}

static void look_for_marks(void *gathered, const struct analysis_input *in,
                           const struct flow_connection *c)
{
    add_marked(gathered, in, c, true);
    add_marked(gathered, in, c, false);
}

static void marks(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    struct marks all = *(const struct marks *)gathered;

    (void)in;
    if (all.list == NULL)
        return;
    g_array_sort(all.list, by_address); /* the order of findings of one weight is fixed */
    for (guint i = 0; i < all.list->len; i++) {
        struct marked *m = &g_array_index(all.list, struct marked, i);

        raise_marked(m, out);
        numbers_done(&m->senders);
    }
    g_array_free(all.list, TRUE);
    numbers_done(&all.hosts);
}

/* ------------------------------------------------------------------ data that can't be marked */

static bool sends_data(const struct flow_connection *c)
{
    return (c->a_to_b.counters != NULL && c->a_to_b.counters->data_packets > 0) ||
           (c->b_to_a.counters != NULL && c->b_to_a.counters->data_packets > 0);
}

struct senders {
    uint64_t connections; /* of RoCEv2 that send data */
    struct gathered unmarked;
};

static void look_for_ect(void *gathered, const struct analysis_input *in,
                         const struct flow_connection *c)
{
    struct senders *all = gathered;

    (void)in;
    if (c->transport != RDC_TRANSPORT_ROCEV2 || !sends_data(c))
        return;
    all->connections++;
    if (flow_counters_of(c, true)->ect_packets + flow_counters_of(c, false)->ect_packets == 0)
        gather(&all->unmarked, c,
               flow_counters_of(c, true)->data_packets + flow_counters_of(c, false)->data_packets,
               NULL);
}

static void not_ect(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct senders *all = gathered;
    const struct gathered *unmarked = &all->unmarked;
    struct finding f;
    char *which;

    (void)in;
    if (unmarked->connections == 0)
        return;
    f = gathered_finding(FINDING_NOT_ECT, unmarked);
    if (unmarked->connections < all->connections)
        f.severity = SEVERITY_WARNING; /* ECN is in use here, but not by these */
    which = unmarked->connections == all->connections
                ? g_strdup("all RoCEv2 connections")
                : g_strdup_printf("%s of %s", say_count(unmarked->connections).text,
                                  say_many(all->connections, "RoCEv2 connection").text);
    f.why = g_strdup_printf("%s on %s %s.", say_many(unmarked->sum, "data packet").text, which,
                            say_verb(unmarked->sum, "is Not-ECT: no switch can mark it",
                                     "are Not-ECT: no switch can mark them"));
    g_free(which);
    findings_add(out, &f);
}

const struct direction_rule congestion_rules[] = {
    {ce_without_cnp, WITH(ce_packets)},
    {.raise = without_effect},
    {.raise = cnp_without_ce},
    {.raise = too_close},
    {0},
};
const struct capture_rule ecn_rules[] = {
    {marks, look_for_marks, sizeof(struct marks)},
    {not_ect, look_for_ect, sizeof(struct senders)},
    {0},
};
