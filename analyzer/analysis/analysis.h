/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An analysis is one question in one file. It keeps what it needs in a state of its own, and writes
 * its answer into the report. To add one: a file here, a row in registry.c.
 *
 * A packet costs what all analyses do with it, so each takes the least that answers its question:
 * those that count, groups of packets that are alike (alike.h); those that watch something else go
 * wrong, unusual packets; only what needs more, a batch of packets after the other.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/alike.h"
#include "analysis/capture.h"
#include "flow/flow.h"
#include "rdc/packet.h"
#include "report/report.h"

struct evidence;
struct analysis_run;
struct findings;

/* What is known when the last packet has been seen. Borrowed. */
struct analysis_input {
    const struct capture *capture;
    const struct flow_engine *engine; /* after flow_finish() */
    const struct evidence *evidence;  /* frames and rounds behind the engine's counters */
    const struct analysis_run *run;   /* the other analyses */
};

struct analysis {
    const char *name;
    const char *summary;
    size_t state_size; /* bytes, zeroed at the start */
    /* Before the first packet; NULL: needs nothing. `capture` is borrowed until the end. */
    void (*begin)(void *state, const struct capture *capture);
    /* Any of these is NULL when the analysis does not need it. The first three may run ahead of the
     * others, in another thread, and share nothing with them but the state's members. Reports see
     * all connections in one walk, as there may be more of them than the caches hold. */
    /* Packets that are alike, after the last of them */
    void (*alike)(void *state, const struct alike *group);
    /* Before them: what their times are to have in common (struct alike_reader) */
    void (*span)(void *state, const struct alike *group, int64_t time_ns, struct alike_span *span);
    /* All packets; NULL after the last */
    void (*ahead)(void *state, const struct flow_batch *batch);
    /* Packets of no stream, with notes, or refused: a few of most captures */
    void (*unusual)(void *state, const struct rdc_packet *pkt);
    /* All packets, and what they are to their connections. `unusual`: the set of those that are */
    void (*packets)(void *state, struct flow_batch *batch, uint64_t unusual);
    /* After the last packet: each connection, as they are numbered; NULL after the last. Borrowed
     * for the call, but for what is the engine's. */
    void (*connection)(void *state, const struct analysis_input *in,
                       const struct flow_connection *c);
    void (*report)(const void *state, const struct analysis_input *in, struct report_node *root);
    void (*done)(void *state); /* NULL: nothing to free */
};

/* In the order of the report; ends with NULL */
extern const struct analysis *const analyses[];

/* All analyses side by side, with their states. `capture` is borrowed. */
struct analysis_run *analysis_run_new(const struct capture *capture);
/* Every packet, once; may be called in another thread than the rest, ahead of it. */
void analysis_run_ahead(struct analysis_run *run, const struct flow_batch *batch);
/* After the engine has seen the packets */
void analysis_run_batch(struct analysis_run *run, struct flow_batch *batch);
/* After the last packet that came ahead; before that, states and report lack some of them. */
void analysis_run_settle(struct analysis_run *run);
/* Then: shows them and the findings all connections. Reports come after that. */
void analysis_run_connections(struct analysis_run *run, const struct analysis_input *in,
                              struct findings *findings);
void analysis_run_report(const struct analysis_run *run, const struct analysis_input *in,
                         struct report_node *root);
/* What one of the analyses keeps, for those that build on it */
const void *analysis_run_state(const struct analysis_run *run, const struct analysis *analysis);
/* NULL is accepted */
void analysis_run_free(struct analysis_run *run);

#endif
