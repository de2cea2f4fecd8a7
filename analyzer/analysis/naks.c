/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What did receivers refuse, and why? NAKs by code and RNR NAKs, with their first frames (IBTA
 * vol. 1, 9.7.5.2). One with a bad ICRC was never received: it is not counted here.
 */
#include <glib.h>

#include "analysis/analyses.h"

enum {
    CODES = RDC_NAK_INVALID_RD_REQUEST + 1,
};

struct naks {
    struct tally codes[CODES];
    struct tally rnr;
    struct tally reserved;
};

static void packet(void *state, const struct rdc_packet *pkt)
{
    struct naks *n = state;
    const struct rdc_aeth *aeth = &pkt->ib.ext.aeth;

    if (pkt->kind != RDC_KIND_BTH || (pkt->ib.ext.present & RDC_EXT_AETH) == 0 ||
        pkt->ib.icrc_check == RDC_CHECK_BAD)
        return;
    if (aeth->kind == RDC_AETH_RNR_NAK)
        tally_add(&n->rnr, pkt->frame);
    else if (aeth->kind == RDC_AETH_NAK && aeth->value < CODES)
        tally_add(&n->codes[aeth->value], pkt->frame);
    else if (aeth->kind != RDC_AETH_ACK)
        tally_add(&n->reserved, pkt->frame);
}

static void put_row(struct report_node *table, const char *code, const struct tally *t)
{
    if (t->count > 0)
        report_row(table, (struct report_value[]){report_text(code),
                                                  report_mood(report_count(t->count), REPORT_BAD),
                                                  tally_frames(t)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"code", "NAK", false}, {"packets", "Packets", false}, {"frames", "First frames", false}};
    const struct naks *n = state;
    struct report_node *table =
        report_table(root, "naks", "NAKs", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    (void)in;
    for (uint8_t i = 0; i < CODES; i++)
        put_row(table, rdc_nak_name(i), &n->codes[i]);
    put_row(table, "rnr", &n->rnr);
    put_row(table, "reserved", &n->reserved);
}

const struct analysis an_naks = {
    .name = "naks",
    .summary = "what receivers refused, and why",
    .state_size = sizeof(struct naks),
    .packet = packet,
    .report = report,
};
