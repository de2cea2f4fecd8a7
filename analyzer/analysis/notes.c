/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is odd in packets that could be decoded all the same, and what looked like RDMA but was not
 * believed?
 */
#include <glib.h>

#include "analysis/analyses.h"

struct notes {
    struct tally notes[RDC_NOTE_COUNT];
    struct tally refusals[RDC_REFUSAL_COUNT];
};

static void unusual(void *state, const struct rdc_packet *pkt)
{
    struct notes *n = state;

    for (rdc_notes set = pkt->notes; set != 0; set &= set - 1)
        tally_add(&n->notes[__builtin_ctzll(set)], pkt->frame);
    if (pkt->refusal != RDC_REFUSAL_NONE)
        tally_add(&n->refusals[pkt->refusal], pkt->frame);
}

static void put_notes(const struct notes *n, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"id", NULL, false},
        {"severity", NULL, false},
        {"text", "What is odd", false},
        {"spec", "Specification", true},
        {"packets", "Packets", false},
        {"frames", "First frames", false},
    };
    static const char *const severities[] = {[RDC_SEVERITY_NOTE] = "note",
                                             [RDC_SEVERITY_WARNING] = "warning",
                                             [RDC_SEVERITY_ERROR] = "error"};
    static const uint8_t moods[] = {[RDC_SEVERITY_NOTE] = REPORT_PLAIN,
                                    [RDC_SEVERITY_WARNING] = REPORT_WARNING,
                                    [RDC_SEVERITY_ERROR] = REPORT_BAD};
    struct report_node *table =
        report_table(root, "notes", "Odd packets", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (size_t i = 0; i < RDC_NOTE_COUNT; i++) {
        const struct rdc_note_info *info = &rdc_note_table[i];

        if (n->notes[i].count > 0)
            report_row(table, (struct report_value[]){
                                  report_text(info->id), report_text(severities[info->severity]),
                                  report_text(info->text), report_text(info->spec),
                                  report_mood(report_count(n->notes[i].count),
                                              (enum report_mood)moods[info->severity]),
                                  tally_frames(&n->notes[i])});
    }
}

static void put_refusals(const struct notes *n, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"reason", "Why", false}, {"packets", "Packets", false}, {"frames", "First frames", false}};
    struct report_node *table =
        report_table(root, "refused", "Looked like RDMA, but was not believed", REPORT_ARRAY,
                     columns, G_N_ELEMENTS(columns));

    for (uint8_t i = RDC_REFUSAL_NONE + 1; i < RDC_REFUSAL_COUNT; i++)
        if (n->refusals[i].count > 0)
            report_row(table, (struct report_value[]){report_text(rdc_refusal_text(i)),
                                                      report_count(n->refusals[i].count),
                                                      tally_frames(&n->refusals[i])});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    (void)in;
    put_notes(state, root);
    put_refusals(state, root);
}

const struct analysis an_notes = {
    .name = "notes",
    .summary = "odd packets, and packets that were not believed",
    .state_size = sizeof(struct notes),
    .unusual = unusual,
    .report = report,
};
