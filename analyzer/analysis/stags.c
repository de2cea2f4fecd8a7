/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of STags (see stags.h).
 */
#include "analysis/stags.h"

#include <glib.h>
#include <stdlib.h>

#include "analysis/analyses.h"

enum {
    TEXT_ROWS = 20,
};

static int by_first_frame(const void *a, const void *b)
{
    const struct flow_stag *x = a, *y = b;

    if (x->first_frame != y->first_frame)
        return x->first_frame < y->first_frame ? -1 : 1;
    return x->own - y->own;
}

static struct report_value frame_or_none(uint64_t frame)
{
    return frame != 0 ? report_frame(frame) : report_none();
}

static void put_row(struct report_node *table, uint32_t connection, bool a_sends,
                    const struct flow_stag *s)
{
    char stag[16];

    g_snprintf(stag, sizeof(stag), "0x%08x", s->stag);
    report_row(table,
               (struct report_value[]){
                   report_number(connection), report_text(a_sends ? "a" : "b"), report_text(stag),
                   report_text(a_sends == s->own ? "a" : "b"), report_bytes(s->write_bytes),
                   report_count(s->reads), report_bytes(s->read_bytes),
                   report_bytes(s->read_answer_bytes), report_count(s->atomics),
                   report_count(s->invalidates), frame_or_none(s->invalidated_frame),
                   report_count(s->used_after), report_count(s->segments),
                   report_frame(s->first_frame), report_frame(s->last_frame)});
}

static void put_direction(struct report_node *table, uint32_t connection, bool a_sends,
                          const struct flow_iwarp *w)
{
    struct flow_stag list[FLOW_STAGS_MAX];

    if (w == NULL || w->stag_count == 0)
        return;
    memcpy(list, w->stags, w->stag_count * sizeof(list[0]));
    qsort(list, w->stag_count, sizeof(list[0]), by_first_frame);
    for (uint32_t i = 0; i < w->stag_count; i++)
        put_row(table, connection, a_sends, &list[i]);
}

void stags_table(struct report_node *root, const struct flow_engine *engine, uint32_t only_id,
                 const char *title)
{
    static const struct report_column columns[] = {
        {"connection", NULL, false},
        {"named_by", "named by", false},
        {"stag", "stag", false},
        {"buffer_of", "buffer of", false},
        {"write_bytes", "written", false},
        {"reads", "reads", true},
        {"read_bytes", "to read", false},
        {"read_answer_bytes", "answered", false},
        {"atomics", "atomics", true},
        {"invalidates", "invalidated", false},
        {"invalidated_frame", "in frame", true},
        {"used_after_invalidate", "used after", true},
        {"fpdus", "fpdus", true},
        {"first_frame", "first", true},
        {"last_frame", "last", true},
    };
    struct report_node *table;
    struct flow_connection c;

    if (flow_iwarp_count(engine) == 0)
        return;
    table = report_table(root, "stags", title, REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    table->text_rows = TEXT_ROWS;
    for (size_t i = 0; i < flow_connection_count(engine); i++) {
        flow_connection_get(engine, i, &c);
        if (only_id != 0 && c.id != only_id)
            continue;
        put_direction(table, c.id, true, c.a_to_b.iwarp);
        put_direction(table, c.id, false, c.b_to_a.iwarp);
    }
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    (void)state;
    stags_table(root, in->engine, 0, "STags");
}

const struct analysis an_stags = {
    .name = "stags",
    .summary = "STags of iWARP, by who names them",
    .state_size = 1,
    .report = report,
};
