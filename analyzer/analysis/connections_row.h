/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the table of connections; private to connections*.c.
 */
#ifndef ANALYSIS_CONNECTIONS_ROW_H
#define ANALYSIS_CONNECTIONS_ROW_H

#include "analysis/connections.h"
#include "analysis/evidence.h"
#include "flow/marks.h"
#include "rdc/opcode.h"

/* The row at hand, and the texts and lists that its cells borrow */
struct row {
    struct report_value *next; /* the cell to be written */
    const struct evidence *evidence;
    const uint8_t *statuses;
    const struct capture *capture;
    bool unsure; /* a count is */
    char text[2][96], ends[2][96];
    char unsure_counts[4][40];
    size_t unsure_count;
    uint64_t ports[2][FLOW_MAX_PORTS];
    uint64_t dscp[2][64], pcp[2][8];
    const char *names[2][RDC_OP_COUNT];
    uint64_t counts[2][RDC_OP_COUNT];
    uint64_t marks[2][4][FLOW_MARK_BINS];
};

/* A connection in the order of a view */
struct ranked {
    uint64_t weight;
    size_t index;
};

/* Both directions' counter */
#define BOTH(c, member) (flow_counters_of(c, true)->member + flow_counters_of(c, false)->member)

static inline void put(struct row *r, struct report_value v)
{
    *r->next++ = v;
}

/* connections_direction.c: the cells of one direction; `i`: 0 for a_to_b, 1 for b_to_a */
void connections_put_direction(struct row *r, int i, const struct flow_connection *c,
                               const struct flow_direction *d, const struct flow_direction *other);
/* connections_row.c: all cells of a connection */
void connections_put_row(struct row *r, const struct flow_connection *c);
/* connections_order.c */
uint64_t connection_lost(const struct flow_connection *c);
uint64_t connection_longest_recovery(const struct flow_connection *c);
/* All connections in the order of the view; to be freed with g_free() */
struct ranked *connections_rank(const struct flow_engine *engine,
                                const struct connections_view *view);

#endif
