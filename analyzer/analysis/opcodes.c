/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which operations? Packets by BTH opcode.
 */
#include <glib.h>

#include "analysis/analyses.h"

enum {
    OPCODES = 256,
};

struct opcodes {
    uint64_t counts[OPCODES];
};

static void packet(void *state, const struct rdc_packet *pkt)
{
    struct opcodes *o = state;

    if (pkt->kind == RDC_KIND_BTH)
        o->counts[pkt->ib.bth.opcode]++;
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {{"opcode", "Operation", false},
                                                   {"packets", "Packets", false}};
    const struct opcodes *o = state;
    struct report_node *table =
        report_table(root, "opcodes", "Operations", REPORT_PAIRS, columns, G_N_ELEMENTS(columns));

    (void)in;
    for (size_t i = 0; i < OPCODES; i++)
        if (o->counts[i] > 0)
            report_row(table, (struct report_value[]){report_text(rdc_opcode_table[i].name),
                                                      report_count(o->counts[i])});
}

const struct analysis an_opcodes = {
    .name = "opcodes",
    .summary = "which operations",
    .state_size = sizeof(struct opcodes),
    .packet = packet,
    .report = report,
};
