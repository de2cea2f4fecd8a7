/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of pauses: a row per port and priority (see pause.h).
 */
#include <glib.h>

#include "analysis/pause.h"

/* Connections, each once, in the order of their ids */
static size_t victims(const struct pause_row *r, const struct flow_engine *engine,
                      uint64_t ids[PAUSE_VICTIMS])
{
    uint32_t index;
    size_t n = 0;
    bool a_to_b;

    for (uint32_t i = 0; i < r->victim_count; i++) {
        size_t at = 0;

        if (!flow_stream_connection(engine, r->victims[i], &index, &a_to_b))
            continue;
        while (at < n && ids[at] < index + 1)
            at++;
        if (at < n && ids[at] == index + 1)
            continue;
        memmove(&ids[at + 1], &ids[at], (n - at) * sizeof(*ids));
        ids[at] = index + 1;
        n++;
    }
    return n;
}

struct rows {
    struct report_node *table;
    const struct flow_engine *engine;
};

static void put_row(void *context, const struct pause_row *r)
{
    struct rows *rows = context;
    uint64_t ids[PAUSE_VICTIMS + 1];
    struct report_value share = report_unknown("the capture has no length in time"), rate = share;
    struct report_value paused = report_ns(r->paused_ns), longest = report_ns(r->longest_ns);

    if (r->in_vain)
        share = paused = longest =
            report_unknown("packets that it should hold back went on as before: it was over at "
                           "once, or not meant for their sender");
    else if (r->paused_pct >= 0)
        share = report_from(report_pct(r->paused_pct), REPORT_CLOCKED);
    if (r->pauses_per_second >= 0)
        rate = report_from(report_real(r->pauses_per_second), REPORT_CLOCKED);
    report_row(
        rows->table,
        (struct report_value[]){
            report_mac(r->source),
            r->priority == PAUSE_GLOBAL ? report_none() : report_number((uint64_t)r->priority),
            report_number(r->link),
            report_mood(report_count(r->xoff_frames), REPORT_WARNING),
            report_count(r->xon_frames),
            report_count(r->pauses),
            rate,
            paused,
            share,
            longest,
            r->longest_frame != 0 ? report_frame(r->longest_frame) : report_none(),
            report_from(report_bps((double)r->rate.bps), REPORT_STATED),
            report_text(link_rate_source_name(r->rate.source)),
            report_bool(r->estimate),
            report_mood(report_count(r->storms), r->storms > 0 ? REPORT_BAD : REPORT_PLAIN),
            r->storm_frame != 0 ? report_frame(r->storm_frame) : report_none(),
            report_bool(r->paused_at_end),
            r->mutual_unknown != NULL ? report_unknown(r->mutual_unknown)
            : r->has_mutual           ? report_mac(r->mutual_with)
                                      : report_none(),
            tally_frames(&r->mutual),
            r->violations.unknown != NULL ? report_unknown(r->violations.unknown)
                                          : report_count(r->violations.violations),
            r->violations.frame != 0 ? report_frame(r->violations.frame) : report_none(),
            r->priority_from != NULL ? report_text(r->priority_from) : report_none(),
            report_numbers(ids, victims(r, rows->engine, ids)),
            r->first_xoff_frame != 0 ? report_frame(r->first_xoff_frame) : report_none(),
            tally_frames(&r->frames),
        });
}

void pause_report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"source", "Source", false},
        {"priority", "Priority", false},
        {"link", NULL, false},
        {"xoff_frames", "XOFF", false},
        {"xon_frames", "XON", false},
        {"pauses", NULL, false},
        {"pauses_per_second", NULL, false},
        {"paused_ns", "Paused", false},
        {"paused_pct", "Share", false},
        {"longest_pause_ns", "Longest", false},
        {"longest_pause_frame", NULL, false},
        {"link_rate_bps", "Link rate", false},
        {"link_rate_source", "Rate is", false},
        {"estimate", NULL, false},
        {"storms", "Storms", true},
        {"storm_frame", NULL, false},
        {"paused_at_end", NULL, false},
        {"mutual_with", "Mutual with", true},
        {"mutual_frames", NULL, false},
        {"violations", NULL, false},
        {"violation_frame", NULL, false},
        {"priority_from", NULL, false},
        {"victims", NULL, false},
        {"first_xoff_frame", NULL, false},
        {"frames", "First frames", true},
    };
    struct report_node *table =
        report_table(root, "pfc", "PFC and PAUSE", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    pause_rows(state, in, put_row, &(struct rows){table, in->engine});
    if (pause_row_count(state) == 0)
        report_item(root, "pfc_visible", NULL,
                    report_unknown("no PFC visible at this tap: MACs consume pause frames, and "
                                   "mirrors leave them out"));
    else
        report_item(root, "pfc_visible", NULL, report_bool(true));
    if (pause_not_counted(state) > 0)
        report_item(root, "pfc_frames_not_counted", "Pauses of more sources",
                    report_count(pause_not_counted(state)));
}
