/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is in the capture, by protocol? RDMA by transport, and everything else by name.
 */
#include <glib.h>
#include <string.h>

#include "analysis/analyses.h"

struct transports {
    struct {
        uint64_t packets;
        uint64_t bytes;
    } counts[RDC_TRANSPORT_COUNT];
};

static void alike(void *state, const struct alike *group)
{
    struct transports *t = state;

    t->counts[group->transport].packets += group->packets;
    t->counts[group->transport].bytes += group->bytes;
}

static const struct report_column columns[] = {
    {"name", "Protocol", false}, {"packets", "Packets", false}, {"bytes", "Bytes", false}};

static void put_row(struct report_node *table, const char *name, uint64_t packets, uint64_t bytes)
{
    report_row(table, (struct report_value[]){report_text(name), report_count(packets),
                                              report_bytes(bytes)});
}

/* MAC control stands in both tables for programs, and once for people. */
static bool stands_above(const struct transports *t, const struct capture_protocol *p)
{
    return strcmp(p->name, "MAC control") == 0 &&
           t->counts[RDC_TRANSPORT_MACCTRL].packets == p->packets;
}

/* `title`: for people; NULL: for programs */
static void put_others(struct report_node *root, const struct transports *t,
                       const struct capture *c, const char *title)
{
    struct report_node *table = NULL;

    if (title == NULL)
        table = report_table(root, "other_protocols", NULL, REPORT_KEYED, columns,
                             G_N_ELEMENTS(columns));
    for (size_t i = 0; i < c->protocol_count; i++) {
        const struct capture_protocol *p = &c->protocols[i];

        if (title != NULL && stands_above(t, p))
            continue;
        if (table == NULL)
            table = report_table(root, NULL, title, REPORT_KEYED, columns, G_N_ELEMENTS(columns));
        put_row(table, p->name, p->packets, p->bytes);
    }
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    const struct transports *t = state;
    bool pauses = t->counts[RDC_TRANSPORT_MACCTRL].packets > 0;
    struct report_node *table =
        report_table(root, "transports", pauses ? "RDMA, and MAC control (PFC, PAUSE)" : "RDMA",
                     REPORT_KEYED, columns, G_N_ELEMENTS(columns));
    struct flow_iwarp_traffic iwarp = flow_iwarp_traffic(in->engine);

    for (uint8_t i = RDC_TRANSPORT_NONE + 1; i < RDC_TRANSPORT_COUNT; i++)
        if (t->counts[i].packets > 0)
            put_row(table, rdc_transport_name(i), t->counts[i].packets, t->counts[i].bytes);
    if (iwarp.packets > 0)
        put_row(table, rdc_transport_name(RDC_TRANSPORT_IWARP), iwarp.packets, iwarp.wire_bytes);
    put_others(root, t, in->capture, "Not RDMA");
    put_others(root, t, in->capture, NULL);
}

const struct analysis an_transports = {
    .name = "transports",
    .summary = "what is in the capture, by protocol",
    .state_size = sizeof(struct transports),
    .alike = alike,
    .report = report,
};
