/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is known of the pauses of a capture, for those that judge it: a row per port (source MAC
 * address on a link) and priority, in order of appearance.
 */
#ifndef ANALYSIS_PAUSE_H
#define ANALYSIS_PAUSE_H

#include "analysis/analyses.h"
#include "analysis/link_rate.h"
#include "analysis/pause_effect.h"

enum {
    PAUSE_GLOBAL = -1, /* 802.3x PAUSE: no priority, stops everything */
};

struct pause_row {
    uint8_t source[6];
    int priority; /* 0..7, PAUSE_GLOBAL */
    uint32_t link;
    uint64_t xoff_frames;
    uint64_t xon_frames;
    struct tally frames;
    uint64_t first_xoff_frame; /* 0: none */
    int64_t first_xoff_ns;
    uint64_t pauses; /* pauses that touch are one */
    int64_t paused_ns;
    double paused_pct;        /* of the capture; negative: not known */
    double pauses_per_second; /* negative: not known */
    int64_t longest_ns;
    uint64_t longest_frame; /* the XOFF that began it */
    uint64_t storms;
    uint64_t storm_frame; /* the XOFF that began the first one */
    struct link_rate rate;
    int64_t last_end_ns;     /* of the latest pause */
    bool paused_at_end;      /* when the capture ended */
    bool refreshed;          /* by a further XOFF, that pause */
    int64_t paused_since_ns; /* the pause that lasts: when it began */
    uint64_t paused_since_frame;
    bool is_host;               /* source or destination of data */
    unsigned partners;          /* hosts of which one is the link partner; 0: not known */
    uint8_t partner[2][6];      /* their MAC addresses */
    bool estimate;              /* the rate is inferred: times are upper bounds */
    bool in_vain;               /* packets to the port went on all the same: no time is known */
    bool has_mutual;            /* paused while the other port of the link paused it */
    uint8_t mutual_with[6];     /* that port */
    struct tally mutual;        /* XOFFs by which it happened, of this port */
    const char *mutual_unknown; /* NULL, or why it can't be said */
    struct pause_judgement violations;
    /* What tells the priority of packets: "pcp"; "dscp", by the usual mapping, its upper three
     * bits; NULL: there are none, or it needs none */
    const char *priority_from;
    uint32_t victims[PAUSE_VICTIMS]; /* streams of data that fell silent by it */
    int64_t victim_from_ns[PAUSE_VICTIMS], victim_to_ns[PAUSE_VICTIMS]; /* the longest silence */
    uint32_t victim_count;                                              /* at least */
};

/* Shows it all connections, where nobody calls analysis_run_connections(): before its rows are read
 */
void pause_connections(const struct analysis_run *run, const struct analysis_input *in);
/* `state` is that of an_pause: analysis_run_state(run, &an_pause) */
size_t pause_row_count(const void *state);
/* Each row; borrowed for the call */
void pause_rows(const void *state, const struct analysis_input *in,
                void (*visit)(void *context, const struct pause_row *row), void *context);
/* Rate of the link that an interface sees: known, or what its load infers */
struct link_rate pause_link_rate(const struct analysis_run *run, const struct capture *capture,
                                 uint32_t interface);
/* Frames of more ports than are told apart */
uint64_t pause_not_counted(const void *state);

void pause_report(const void *state, const struct analysis_input *in, struct report_node *root);

#endif
