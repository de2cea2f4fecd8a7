/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Was there congestion on the way? CE marks (RFC 3168), CNPs (IBTA A17.9), FECN and BECN.
 */
#include <glib.h>

#include "analysis/analyses.h"

enum {
    ECN_CE = 3,
};

struct congestion {
    uint64_t roce; /* RoCEv2 packets but CNPs: they can be marked */
    uint64_t ect;  /* of them, allowed to be marked */
    struct tally ce;
    struct tally cnp;
    struct tally fecn;
    struct tally becn;       /* but CNPs */
    struct flow_marks marks; /* of RoCEv2 */
};

static bool is_cnp(const struct alike *group)
{
    return group->kind == RDC_KIND_BTH &&
           rdc_opcode_table[group->opcode].service == RDC_SERVICE_CNP;
}

/* A packet that marks over time count */
static bool is_in_marks(const struct alike *group)
{
    return group->transport == RDC_TRANSPORT_ROCEV2 ? group->kind == RDC_KIND_BTH : is_cnp(group);
}

/* Each packet that begins a group brings its bin about: later ones fall into the same. */
static void span(void *state, const struct alike *group, int64_t time_ns, struct alike_span *span)
{
    struct flow_marks *m = &((struct congestion *)state)->marks;

    if (!is_in_marks(group))
        return;
    flow_marks_at(m, time_ns);
    *span = (struct alike_span){m->from_ns, (uint64_t)m->bin_ns};
}

static void count_marks(struct flow_marks *m, const struct alike *group)
{
    struct flow_mark_bin *bin = flow_marks_at(m, group->span.from);
    uint32_t packets = (uint32_t)group->packets;

    if (is_cnp(group)) {
        bin->notices += packets;
        return;
    }
    bin->packets += packets;
    bin->ect += group->ecn != 0 ? packets : 0;
    bin->ce += group->ecn == ECN_CE ? packets : 0;
}

static void alike(void *state, const struct alike *group)
{
    struct congestion *c = state;
    bool cnp = is_cnp(group);

    if (is_in_marks(group))
        count_marks(&c->marks, group);
    if (cnp)
        tally_add_group(&c->cnp, group);
    else if (group->becn)
        tally_add_group(&c->becn, group);
    if (group->fecn)
        tally_add_group(&c->fecn, group);
    if (group->transport != RDC_TRANSPORT_ROCEV2 || group->kind != RDC_KIND_BTH || cnp)
        return;
    c->roce += group->packets;
    c->ect += group->ecn != 0 ? group->packets : 0;
    if (group->ecn == ECN_CE)
        tally_add_group(&c->ce, group);
}

static void put_row(struct report_node *table, const char *id, const char *name,
                    const struct tally *t)
{
    if (t->count > 0)
        report_row(table,
                   (struct report_value[]){report_text(id), report_text(name),
                                           report_mood(report_count(t->count), REPORT_WARNING),
                                           tally_frames(t)});
}

/* Shares over the length of the capture; where nothing was marked there is nothing to say */
static void put_over_time(const struct congestion *c, const struct capture *capture,
                          struct report_node *root)
{
    static const struct report_column columns[] = {
        {"rel_ns", "From", false},     {"span_ns", "For", false},   {"packets", "Packets", false},
        {"ect_packets", "ECT", false}, {"ce_packets", "CE", false}, {"cnps", "CNPs", false},
        {"ce_pct", "CE share", false}};
    struct report_node *table = report_table(root, "marks_over_time", "Marks over time",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    struct flow_marks marks = c->marks;
    int64_t start = marks.start_ns - capture->first_time_ns;

    flow_marks_settle(&marks);
    for (uint32_t i = 0; i < marks.used && c->ce.count + c->cnp.count > 0; i++) {
        const struct flow_mark_bin *b = &marks.bins[i];

        report_row(table,
                   (struct report_value[]){
                       report_ns(start + (int64_t)i * marks.bin_ns), report_ns(marks.bin_ns),
                       report_count(b->packets), report_count(b->ect), report_count(b->ce),
                       report_count(b->notices),
                       b->packets > 0 ? report_pct(100.0 * b->ce / b->packets) : report_none()});
    }
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {{"id", NULL, false},
                                                   {"name", "Mark", false},
                                                   {"packets", "Packets", false},
                                                   {"frames", "First frames", false}};
    const struct congestion *c = state;
    struct report_node *table = report_table(root, "congestion", "Congestion", REPORT_ARRAY,
                                             columns, G_N_ELEMENTS(columns));

    put_row(table, "ce", "CE marks", &c->ce);
    put_row(table, "cnp", "CNPs", &c->cnp);
    put_row(table, "fecn", "FECN", &c->fecn);
    put_row(table, "becn", "BECN (but CNPs)", &c->becn);
    report_item(root, "ecn_capable_packets", NULL,
                c->roce > 0 ? report_count(c->ect) : report_unknown("there are no RoCEv2 packets"));
    put_over_time(c, in->capture, root);
}

const struct analysis an_congestion = {
    .name = "congestion",
    .summary = "CE marks and congestion notification packets",
    .state_size = sizeof(struct congestion),
    .span = span,
    .alike = alike,
    .report = report,
};
