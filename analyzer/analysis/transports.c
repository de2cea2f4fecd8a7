/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is in the capture, by protocol? RDMA by transport, and everything else by name.
 */
#include <glib.h>

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

static void put_row(struct report_node *table, const char *name, uint64_t packets, uint64_t bytes)
{
    report_row(table, (struct report_value[]){report_text(name), report_count(packets),
                                              report_bytes(bytes)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"name", "Protocol", false}, {"packets", "Packets", false}, {"bytes", "Bytes", false}};
    const struct transports *t = state;
    struct report_node *table =
        report_table(root, "transports", "RDMA", REPORT_KEYED, columns, G_N_ELEMENTS(columns));

    struct flow_iwarp_traffic iwarp = flow_iwarp_traffic(in->engine);

    for (uint8_t i = RDC_TRANSPORT_NONE + 1; i < RDC_TRANSPORT_COUNT; i++)
        if (t->counts[i].packets > 0)
            put_row(table, rdc_transport_name(i), t->counts[i].packets, t->counts[i].bytes);
    if (iwarp.packets > 0)
        put_row(table, rdc_transport_name(RDC_TRANSPORT_IWARP), iwarp.packets, iwarp.wire_bytes);
    table = report_table(root, "other_protocols", "Not RDMA", REPORT_KEYED, columns,
                         G_N_ELEMENTS(columns));
    for (size_t i = 0; i < in->capture->protocol_count; i++)
        put_row(table, in->capture->protocols[i].name, in->capture->protocols[i].packets,
                in->capture->protocols[i].bytes);
}

const struct analysis an_transports = {
    .name = "transports",
    .summary = "what is in the capture, by protocol",
    .state_size = sizeof(struct transports),
    .alike = alike,
    .report = report,
};
