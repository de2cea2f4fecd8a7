/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Directions one by one: for analyses that ask each the same question.
 */
#ifndef ANALYSIS_DIRECTIONS_H
#define ANALYSIS_DIRECTIONS_H

#include "analysis/analysis.h"

enum {
    ROWS_MAX = 1000, /* of a table about directions; what is beyond is counted */
};

struct direction {
    uint32_t connection; /* id */
    const char *name;    /* "a_to_b", "b_to_a" */
    const struct flow_endpoint *from, *to;
    const struct flow_direction *sent, *other;
    uint8_t transport;
    uint8_t service;
    uint32_t pmtu_bytes; /* of the connection; 0: unknown */
};

/* Calls `visit` for each direction of a connection that was captured, but for those of iWARP: TCP
 * has ways of its own to deal with congestion. What it gets is borrowed for the call. */
void directions_of(const struct flow_connection *c,
                   void (*visit)(void *context, const struct direction *d), void *context);
/* The same of all connections */
void directions_visit(const struct flow_engine *engine,
                      void (*visit)(void *context, const struct direction *d), void *context);

#endif
