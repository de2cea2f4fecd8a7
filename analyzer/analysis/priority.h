/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which priority do packets travel on? PCP (VLAN) and DSCP (IP) by kind of packet, of RoCE:
 * InfiniBand has service levels instead.
 */
#ifndef ANALYSIS_PRIORITY_H
#define ANALYSIS_PRIORITY_H

#include "analysis/analyses.h"

enum priority_kind {
    PRIORITY_DATA,
    PRIORITY_ACK,
    PRIORITY_CNP,
    PRIORITY_CM,         /* set-up and teardown */
    PRIORITY_MANAGEMENT, /* the rest of QP0 and QP1 */
    PRIORITY_KINDS,
};

enum {
    PRIORITY_DSCPS = 65, /* the last: no IP header */
    PRIORITY_PCPS = 9,   /* the last: no VLAN tag */
};

struct priority_count {
    uint64_t packets;
    uint64_t frame; /* the first */
};

struct priority_counts {
    struct priority_count of[PRIORITY_KINDS][PRIORITY_DSCPS][PRIORITY_PCPS];
};

const char *priority_kind_name(enum priority_kind kind);

/* Of an_priority */
const struct priority_counts *priority_counts(const struct analysis_run *run);

/* Data on the default priority: no tag or PCP 0, and no IP header or DSCP 0 */
struct priority_count priority_default_data(const struct priority_counts *p);

/* Whether CNPs of `notices` (a direction) travel on the priority of the data that `data` sends;
 * false also where one of them is not there. A full queue holds back the cure with the illness. */
bool priority_cnp_on_data(const struct flow_direction *notices, const struct flow_direction *data);

#endif
