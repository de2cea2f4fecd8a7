/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many connections there are, and the sums over all their directions of what they sent, lost
 * and sent again. A direction whose counter the capture can't show adds nothing; where that holds
 * for all of them the sum is unknown.
 */
#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/page/visibility.h"

/* What a counter needs to be visible */
enum need {
    NEED_ALL,
    NEED_PSN,
    NEED_ANSWERS,
    NEED_STEP,
    NEED_AETH,
    NEED_AFTER,
    NEED_ICRC,
    NEED_CNPS,
    NEED_COUNT,
};

struct member {
    const char *object; /* "rounds": the counter is a member of this object */
    const char *key;
    const char *title; /* NULL: for programs */
    size_t offset;     /* in struct flow_counters */
    uint8_t need;      /* enum need */
    bool bytes;
    uint8_t mood; /* of a sum above zero */
};

#define AT(member) offsetof(struct flow_counters, member)

static const struct member members[] = {
    {NULL, "packets", "Packets", AT(packets), NEED_ALL, false, REPORT_PLAIN},
    {NULL, "wire_bytes", "Bytes on the wire", AT(wire_bytes), NEED_ALL, true, REPORT_PLAIN},
    {NULL, "payload_bytes", "Payload", AT(payload_bytes), NEED_ALL, true, REPORT_PLAIN},
    {NULL, "lost_before_tap", "Lost before the capture point", AT(lost_before_tap), NEED_PSN, false,
     REPORT_BAD},
    {NULL, "lost_after_tap", "Lost behind the capture point", AT(lost_after_tap), NEED_AFTER, false,
     REPORT_BAD},
    {NULL, "not_captured", "Missed by the capture", AT(not_captured), NEED_ANSWERS, false,
     REPORT_WARNING},
    {NULL, "acked_unseen", NULL, AT(acked_unseen), NEED_ANSWERS, false, REPORT_WARNING},
    {NULL, "holes_open", NULL, AT(holes_open), NEED_PSN, false, REPORT_WARNING},
    {NULL, "dropped_messages", NULL, AT(dropped_messages), NEED_PSN, false, REPORT_BAD},
    {NULL, "retransmitted_packets", "Sent again", AT(retransmitted_packets), NEED_PSN, false,
     REPORT_WARNING},
    {NULL, "retransmitted_bytes", "Payload sent again", AT(retransmitted_bytes), NEED_PSN, true,
     REPORT_WARNING},
    {NULL, "spurious", "Sent again for nothing", AT(spurious), NEED_STEP, false, REPORT_WARNING},
    {NULL, "out_of_order", "Late (reordered)", AT(out_of_order), NEED_PSN, false, REPORT_WARNING},
    {NULL, "duplicates", "Copies", AT(duplicates), NEED_PSN, false, REPORT_WARNING},
    {NULL, "acks", NULL, AT(acks), NEED_AETH, false, REPORT_PLAIN},
    {NULL, "ect_packets", NULL, AT(ect_packets), NEED_ALL, false, REPORT_PLAIN},
    {NULL, "ce_packets", "Marked CE", AT(ce_packets), NEED_ALL, false, REPORT_WARNING},
    {NULL, "cnps_received", "CNPs", AT(cnps_sent), NEED_CNPS, false, REPORT_WARNING},
    {NULL, "icrc_bad", "Bad ICRC", AT(icrc_bad), NEED_ICRC, false, REPORT_BAD},
    {"rounds", "nak", "Rounds after a NAK", AT(rounds[FLOW_TRIGGER_NAK]), NEED_PSN, false,
     REPORT_WARNING},
    {"rounds", "rnr", "after an RNR NAK", AT(rounds[FLOW_TRIGGER_RNR]), NEED_PSN, false,
     REPORT_WARNING},
    {"rounds", "read", "after a lost response", AT(rounds[FLOW_TRIGGER_READ]), NEED_PSN, false,
     REPORT_WARNING},
    {"rounds", "timeout", "after a timeout", AT(rounds[FLOW_TRIGGER_TIMEOUT]), NEED_PSN, false,
     REPORT_BAD},
    {"rounds", "unknown", "unexplained", AT(rounds[FLOW_TRIGGER_UNKNOWN]), NEED_PSN, false,
     REPORT_WARNING},
    {"naks", "sequence", "NAKs: sequence error", AT(naks[RDC_NAK_SEQUENCE]), NEED_AETH, false,
     REPORT_WARNING},
    {"naks", "rnr", "receiver not ready", AT(rnr_naks), NEED_AETH, false, REPORT_WARNING},
    {"naks", "invalid_request", "invalid request", AT(naks[RDC_NAK_INVALID_REQUEST]), NEED_AETH,
     false, REPORT_BAD},
    {"naks", "access", "remote access error", AT(naks[RDC_NAK_REMOTE_ACCESS]), NEED_AETH, false,
     REPORT_BAD},
    {"naks", "operational", "remote operational error", AT(naks[RDC_NAK_REMOTE_OPERATIONAL]),
     NEED_AETH, false, REPORT_BAD},
    {"naks", "invalid_rd", "invalid RD request", AT(naks[RDC_NAK_INVALID_RD_REQUEST]), NEED_AETH,
     false, REPORT_BAD},
    {"naks", "reserved", "reserved code", AT(naks[FLOW_NAK_RESERVED]), NEED_AETH, false,
     REPORT_BAD},
};

struct totals {
    uint64_t sums[G_N_ELEMENTS(members)];
    bool known[NEED_COUNT];
    const char *why[NEED_COUNT]; /* not: of the latest direction */
    uint64_t messages[RDC_OP_COUNT];
    uint64_t damaged; /* packets with a bad ICRC, of InfiniBand and RoCE */
    bool any;
    bool loss_uncertain;
};

static void add_direction(struct totals *t, const struct flow_connection *c,
                          const struct flow_direction *d, const struct flow_direction *other)
{
    struct visibility v = visibility_of(c, d, other);
    const char *const why[NEED_COUNT] = {
        [NEED_ALL] = v.all,         [NEED_PSN] = v.psn,
        [NEED_ANSWERS] = v.answers, [NEED_AETH] = v.all != NULL ? v.all : v.aeth,
        [NEED_AFTER] = v.after,     [NEED_ICRC] = v.icrc,
        [NEED_STEP] = v.needless,   [NEED_CNPS] = v.cnps,
    };
    const char *counters[NEED_COUNT]; /* NULL: there is nothing to add */

    for (size_t need = 0; need < NEED_COUNT; need++) {
        counters[need] = (const char *)(need == NEED_CNPS ? other : d)->counters;
        if (why[need] == NULL) {
            t->known[need] = true;
        } else {
            t->why[need] = why[need];
            counters[need] = NULL;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++)
        if (counters[members[i].need] != NULL)
            t->sums[i] +=
                *(const uint64_t *)(const void *)(counters[members[i].need] + members[i].offset);
    for (unsigned op = 0; op < RDC_OP_COUNT && d->counters != NULL; op++)
        t->messages[op] += d->counters->messages[op];
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct totals *t = state;

    if (c == NULL)
        return;
    t->any = true;
    t->loss_uncertain |= connection_loss_uncertain(c, in->capture);
    if (c->transport != RDC_TRANSPORT_IWARP)
        t->damaged += flow_counters_of(c, true)->icrc_bad + flow_counters_of(c, false)->icrc_bad;
    add_direction(t, c, &c->a_to_b, &c->b_to_a);
    add_direction(t, c, &c->b_to_a, &c->a_to_b);
}

static void put_messages(struct report_node *section, const struct totals *t)
{
    const char *names[RDC_OP_COUNT];
    uint64_t counts[RDC_OP_COUNT];
    size_t n = 0;

    for (unsigned op = RDC_OP_SEND; op < RDC_OP_READ_RESPONSE; op++) {
        if (t->messages[op] == 0)
            continue;
        names[n] = rdc_operation_name((enum rdc_operation)op);
        counts[n++] = t->messages[op];
    }
    report_item(section, "messages", n > 0 ? "Messages" : NULL,
                t->any ? report_map(names, counts, n) : report_unknown("there are no connections"));
}

/* Damaged packets that made no stream */
static uint64_t damaged_elsewhere(const struct analysis_input *in, const struct totals *t)
{
    struct flow_summary summary;

    flow_summary_get(in->engine, &summary);
    return summary.icrc_unjudged == 0 && summary.icrc_bad > t->damaged
               ? summary.icrc_bad - t->damaged
               : 0;
}

/* People see what is there; programs see all. */
static void put(struct report_node *root, const struct analysis_input *in, const struct totals *t)
{
    uint64_t elsewhere = damaged_elsewhere(in, t);
    struct report_node *section = report_section(root, "totals", t->any ? "All connections" : NULL);
    struct report_node *inner = section;

    put_messages(section, t);
    report_item(section, "loss_uncertain", NULL, report_bool(t->loss_uncertain));
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct member *m = &members[i];
        uint64_t sum = t->sums[i] + (m->need == NEED_ICRC ? elsewhere : 0);
        bool known = t->known[m->need] || (m->need == NEED_ICRC && elsewhere > 0);
        struct report_value v = m->bytes ? report_bytes(sum) : report_count(sum);

        if (m->object == NULL)
            inner = section;
        else if (i == 0 || g_strcmp0(m->object, members[i - 1].object) != 0)
            inner = report_section(section, m->object, "");
        if (!known)
            v = report_unknown(t->any ? t->why[m->need] : "there are no connections");
        else if (sum > 0)
            v = report_mood(v, m->mood);
        report_item(inner, m->key, known && sum > 0 ? m->title : NULL, v);
    }
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    report_item(root, "connections", NULL, report_count(flow_connection_count(in->engine)));
    put(root, in, state);
}

const struct analysis an_totals = {
    .name = "totals",
    .summary = "sums over all connections",
    .state_size = sizeof(struct totals),
    .connection = connection,
    .report = report,
};
