/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which operations? Packets by BTH opcode, FPDUs of iWARP by RDMAP opcode.
 */
#include <glib.h>

#include "analysis/analyses.h"
#include "rdc/iwarp.h"

enum {
    OPCODES = 256,
};

struct opcodes {
    uint64_t counts[OPCODES];
};

static void alike(void *state, const struct alike *group)
{
    struct opcodes *o = state;

    if (group->kind == RDC_KIND_BTH)
        o->counts[group->opcode] += group->packets;
}

static void put_fpdus(struct report_node *table, const struct flow_engine *engine)
{
    static const char *const names[] = {
        [RDC_RDMAP_WRITE] = "RDMAP_WRITE",
        [RDC_RDMAP_READ_REQUEST] = "RDMAP_READ_REQUEST",
        [RDC_RDMAP_READ_RESPONSE] = "RDMAP_READ_RESPONSE",
        [RDC_RDMAP_SEND] = "RDMAP_SEND",
        [RDC_RDMAP_SEND_INV] = "RDMAP_SEND_WITH_INVALIDATE",
        [RDC_RDMAP_SEND_SE] = "RDMAP_SEND_WITH_SE",
        [RDC_RDMAP_SEND_SE_INV] = "RDMAP_SEND_WITH_SE_AND_INVALIDATE",
        [RDC_RDMAP_TERMINATE] = "RDMAP_TERMINATE",
        [RDC_RDMAP_IMMEDIATE] = "RDMAP_IMMEDIATE",
        [RDC_RDMAP_IMMEDIATE_SE] = "RDMAP_IMMEDIATE_WITH_SE",
        [RDC_RDMAP_ATOMIC_REQUEST] = "RDMAP_ATOMIC_REQUEST",
        [RDC_RDMAP_ATOMIC_RESPONSE] = "RDMAP_ATOMIC_RESPONSE",
    };
    struct flow_iwarp_traffic iwarp = flow_iwarp_traffic(engine);

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (iwarp.fpdus[i] > 0)
            report_row(table, (struct report_value[]){report_text(names[i]),
                                                      report_count(iwarp.fpdus[i])});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {{"opcode", "Operation", false},
                                                   {"packets", "Packets", false}};
    const struct opcodes *o = state;
    struct report_node *table =
        report_table(root, "opcodes", "Operations", REPORT_PAIRS, columns, G_N_ELEMENTS(columns));

    for (size_t i = 0; i < OPCODES; i++)
        if (o->counts[i] > 0)
            report_row(table, (struct report_value[]){report_text(rdc_opcode_table[i].name),
                                                      report_count(o->counts[i])});
    put_fpdus(table, in->engine);
}

const struct analysis an_opcodes = {
    .name = "opcodes",
    .summary = "which operations",
    .state_size = sizeof(struct opcodes),
    .alike = alike,
    .report = report,
};
