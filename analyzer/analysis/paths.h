/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which ways does traffic take? Switches spread RoCEv2 over equal paths by addresses and ports, so
 * the UDP source ports say over how many at the most.
 */
#ifndef ANALYSIS_PATHS_H
#define ANALYSIS_PATHS_H

#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/directions.h"
#include "analysis/numbers.h"

/* From one host to another, RoCEv2 */
struct path_pair {
    uint8_t address_kind;
    uint8_t src[16], dst[16];
    uint64_t qps;   /* streams with data or acknowledgements */
    uint64_t ports; /* distinct UDP source ports */
    uint64_t bytes;
    double effective; /* 2^H of the ports' shares of bytes: flows that a hash can tell apart */
    guint shares;     /* the latest of its streams' shares; 0: none */
};

struct paths {
    size_t pair_count;
    struct path_pair *pairs; /* owned; most bytes first */
    uint64_t ports;          /* of all pairs */
    uint64_t tuples;         /* distinct (source, destination, port) */
    double port_bits;        /* entropy of the ports over the capture, weighted by bytes */
    double effective_ports;
    double effective_flows;  /* of the tuples */
    uint64_t one_port_pairs; /* pairs with several QPs that all use one port */
    uint64_t several_qp_pairs;
};

/* What is gathered of all directions */
struct path_shares {
    struct numbers numbers; /* of the pairs */
    GArray *pairs;          /* of struct path_pair, by number */
    GArray *list;           /* of struct path_share, chained by pair; the first is none */
};

/* Of an_paths */
const struct paths *paths_of(const struct analysis_run *run);

void path_shares_init(struct path_shares *shares);
void path_shares_add(struct path_shares *shares, const struct direction *d);
void path_shares_done(struct path_shares *shares);
/* From all shares; paths_done() frees it. */
void paths_find(struct paths *p, const struct path_shares *shares);
void paths_done(struct paths *p);

#endif
