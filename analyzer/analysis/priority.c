/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Priorities of packets (see priority.h), directions whose priority changes, and notifications on
 * the priority of the data that they are to slow down.
 */
#include "analysis/priority.h"

#include <glib.h>

#include "analysis/directions.h"

enum {
    NO_DSCP = PRIORITY_DSCPS - 1,
    NO_PCP = PRIORITY_PCPS - 1,
};

/* A direction whose priority changes */
struct change {
    uint32_t connection;
    const char *name;
    uint64_t changes, frame;
};

struct priority {
    struct priority_counts counts;
    GArray *changes; /* of struct change, ROWS_MAX at the most */
    uint64_t changed, cnps_on_data;
    uint64_t ids[FIRST_FRAMES]; /* connections with cnps_on_data */
};

static void begin(void *state, const struct capture *capture)
{
    struct priority *p = state;

    (void)capture;
    p->changes = g_array_new(FALSE, FALSE, sizeof(struct change));
}

static void done(void *state)
{
    struct priority *p = state;

    g_array_free(p->changes, TRUE);
}

static enum priority_kind kind_of(const struct alike *group)
{
    if (group->management)
        return group->set_up ? PRIORITY_CM : PRIORITY_MANAGEMENT;
    switch (flow_opcode_class(group->opcode)) {
    case FLOW_CLASS_ACK:
        return PRIORITY_ACK;
    case FLOW_CLASS_CNP:
        return PRIORITY_CNP;
    case FLOW_CLASS_DATA:
    case FLOW_CLASS_COUNT:
        break;
    }
    return PRIORITY_DATA;
}

static void add(struct priority_count *sum, const struct priority_count *n)
{
    if (n->packets > 0 && (sum->packets == 0 || n->frame < sum->frame))
        sum->frame = n->frame;
    sum->packets += n->packets;
}

static void alike(void *state, const struct alike *group)
{
    struct priority *p = state;
    unsigned dscp = group->transport == RDC_TRANSPORT_ROCEV2 ? group->dscp & 63 : NO_DSCP;
    unsigned pcp = group->tagged ? group->pcp : NO_PCP;

    if (group->kind == RDC_KIND_BTH && group->transport != RDC_TRANSPORT_IB)
        add(&p->counts.of[kind_of(group)][dscp][pcp],
            &(struct priority_count){group->packets, group->first.frames[0]});
}

const struct priority_counts *priority_counts(const struct analysis_run *run)
{
    const struct priority *p = analysis_run_state(run, &an_priority);

    return &p->counts;
}

/* ------------------------------------------------------------------ judgements */

const char *priority_kind_name(enum priority_kind kind)
{
    static const char *const names[PRIORITY_KINDS] = {
        [PRIORITY_DATA] = "data",
        [PRIORITY_ACK] = "ack",
        [PRIORITY_CNP] = "cnp",
        [PRIORITY_CM] = "cm",
        [PRIORITY_MANAGEMENT] = "management",
    };

    return names[kind];
}

struct priority_count priority_default_data(const struct priority_counts *p)
{
    struct priority_count sum = {0};

    add(&sum, &p->of[PRIORITY_DATA][0][0]);
    add(&sum, &p->of[PRIORITY_DATA][0][NO_PCP]);
    add(&sum, &p->of[PRIORITY_DATA][NO_DSCP][0]);
    add(&sum, &p->of[PRIORITY_DATA][NO_DSCP][NO_PCP]);
    return sum;
}

bool priority_cnp_on_data(const struct flow_direction *notices, const struct flow_direction *data)
{
    const struct flow_path *n = notices->path, *d = data->path;

    if (n == NULL || d == NULL || n->pcp_seen[FLOW_CLASS_CNP] == 0 ||
        d->pcp_seen[FLOW_CLASS_DATA] == 0)
        return false;
    if (n->pcp[FLOW_CLASS_CNP] != FLOW_UNTAGGED && d->pcp[FLOW_CLASS_DATA] != FLOW_UNTAGGED)
        return n->pcp[FLOW_CLASS_CNP] == d->pcp[FLOW_CLASS_DATA];
    return n->dscp[FLOW_CLASS_CNP] == d->dscp[FLOW_CLASS_DATA];
}

/* ------------------------------------------------------------------ report */

/* ------------------------------------------------------------------ directions */

static void look_at(void *context, const struct direction *d)
{
    const struct flow_path_changes *n = d->sent->path->changes;
    struct priority *p = context;
    struct change change = {.connection = d->connection, .name = d->name};

    if (priority_cnp_on_data(d->other, d->sent) && p->cnps_on_data++ < FIRST_FRAMES)
        p->ids[p->cnps_on_data - 1] = d->connection;
    if (n == NULL || n->priority_changes == 0 || p->changed++ >= ROWS_MAX)
        return;
    change.changes = n->priority_changes;
    change.frame = n->priority_frame;
    g_array_append_val(p->changes, change);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    (void)in;
    if (c != NULL)
        directions_of(c, look_at, state);
}

static void put_kinds(const struct priority_counts *p, struct report_node *section)
{
    static const struct report_column columns[] = {{"kind", "Kind", false},
                                                   {"dscp", "DSCP", false},
                                                   {"pcp", "PCP", false},
                                                   {"packets", "Packets", false},
                                                   {"first_frame", "First frame", false}};
    struct report_node *table = report_table(section, "kinds", "Priorities by kind of packet",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (unsigned k = 0; k < PRIORITY_KINDS; k++)
        for (unsigned d = 0; d < PRIORITY_DSCPS; d++)
            for (unsigned v = 0; v < PRIORITY_PCPS; v++)
                if (p->of[k][d][v].packets > 0)
                    report_row(table, (struct report_value[]){
                                          report_text(priority_kind_name((enum priority_kind)k)),
                                          d == NO_DSCP ? report_none() : report_number(d),
                                          v == NO_PCP ? report_none() : report_number(v),
                                          report_count(p->of[k][d][v].packets),
                                          report_frame(p->of[k][d][v].frame)});
}

static bool any_cnp(const struct priority_counts *p)
{
    for (unsigned d = 0; d < PRIORITY_DSCPS; d++)
        for (unsigned v = 0; v < PRIORITY_PCPS; v++)
            if (p->of[PRIORITY_CNP][d][v].packets > 0)
                return true;
    return false;
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {{"connection", "Connection", false},
                                                   {"direction", "Direction", false},
                                                   {"changes", "Changes", false},
                                                   {"first_frame", "First frame", false}};
    const struct priority *p = state;
    struct priority_count plain = priority_default_data(&p->counts);
    struct report_node *section = report_section(root, "priority", "");
    struct report_node *changes;

    (void)in;
    put_kinds(&p->counts, section);
    changes = report_table(section, "changes", "Priorities that change", REPORT_ARRAY, columns,
                           G_N_ELEMENTS(columns));
    for (guint i = 0; i < p->changes->len; i++) {
        const struct change *n = &g_array_index(p->changes, struct change, i);

        report_row(changes,
                   (struct report_value[]){report_number(n->connection), report_text(n->name),
                                           report_count(n->changes), report_frame(n->frame)});
    }
    report_item(section, "changing_directions", NULL, report_count(p->changed));
    report_item(section, "default_priority_data_packets", NULL, report_count(plain.packets));
    report_item(section, "default_priority_first_frame", NULL,
                plain.packets > 0 ? report_frame(plain.frame) : report_none());
    report_item(section, "cnps_on_data_priority", NULL,
                any_cnp(&p->counts) ? report_count(p->cnps_on_data)
                                    : report_unknown("there are no CNPs on the capture"));
    report_item(section, "cnps_on_data_priority_connections", NULL,
                report_numbers(p->ids, (size_t)MIN(p->cnps_on_data, FIRST_FRAMES)));
}

const struct analysis an_priority = {
    .name = "priority",
    .summary = "PCP and DSCP by kind of packet",
    .state_size = sizeof(struct priority),
    .begin = begin,
    .alike = alike,
    .connection = connection,
    .report = report,
    .done = done,
};
