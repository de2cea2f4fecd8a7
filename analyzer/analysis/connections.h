/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The connections of a capture as a table of the report: one row each, all counters of both
 * directions for programs, a short line for people.
 */
#ifndef ANALYSIS_CONNECTIONS_H
#define ANALYSIS_CONNECTIONS_H

#include "analysis/capture.h"
#include "flow/flow.h"
#include "report/report.h"

enum connections_order {
    CONNECTIONS_WORST, /* most harm first */
    CONNECTIONS_ID,    /* order of appearance */
    CONNECTIONS_BYTES,
    CONNECTIONS_PACKETS,
    CONNECTIONS_RETRANSMITTED,
    CONNECTIONS_LOST,
    CONNECTIONS_RECOVERY,
    CONNECTIONS_ORDER_COUNT,
};

struct evidence;

struct connections_view {
    enum connections_order order;
    size_t top;        /* rows at the most; 0: all */
    uint32_t only_id;  /* one connection, for programs only; 0: all */
    bool page;         /* for people only: another part of the report speaks to programs */
    const char *title; /* NULL: "Connections" */
    /* Tells which packets nobody answered, so that these are not called lost. NULL: not known. */
    const struct evidence *evidence;
    const uint8_t *statuses;       /* of a page: enum connection_status by connection; else NULL */
    const uint64_t *weights;       /* the same: what they are ordered by; else NULL */
    uint32_t first;                /* id of one that comes before all others; 0: none does */
    const struct capture *capture; /* what it may have missed itself */
};

/* "worst", "id", ...; false: no such order */
bool connections_order_of(const char *name, enum connections_order *order);

/* Adds the table `connections`. */
struct report_node *connections_table(struct report_node *root, const struct flow_engine *engine,
                                      const struct connections_view *view);

/* How much a connection suffered; 0: nothing went wrong */
uint64_t connection_harm(const struct flow_connection *c);
/* "RC", ..., "iwarp" */
const char *connection_service_name(const struct flow_connection *c);
/* "10.0.0.1", "fe80::1", "lid:7" into text of at least 64 bytes */
void connection_address_text(const struct flow_endpoint *end, char *text, size_t size);
/* "10.0.0.1 qp 17" into text of at least 80 bytes */
void connection_endpoint_text(const struct flow_endpoint *end, char *text, size_t size);

#endif
