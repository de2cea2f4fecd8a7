/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An analysis is one question in one file. It sees every packet, keeps what it needs in a state of
 * its own, and writes its answer into the report. To add one: a file here, a row in registry.c.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "analysis/capture.h"
#include "flow/flow.h"
#include "rdc/packet.h"
#include "report/report.h"

struct evidence;
struct analysis_run;

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
    /* Any of these is NULL when the analysis does not need it. All packets; it may run ahead of the
     * others, in another thread, and shares nothing with them but the state's members: */
    void (*packet)(void *state, const struct rdc_packet *pkt);
    /* Packets of no stream, with notes, or refused: a few of most captures */
    void (*unusual)(void *state, const struct rdc_packet *pkt);
    /* Packets of streams, and what they are to their connections */
    void (*stream)(void *state, const struct rdc_packet *pkt, const struct flow_facts *facts);
    void (*report)(const void *state, const struct analysis_input *in, struct report_node *root);
    void (*done)(void *state); /* NULL: nothing to free */
};

/* In the order of the report; ends with NULL */
extern const struct analysis *const analyses[];

/* All analyses side by side, with their states. `capture` is borrowed. */
struct analysis_run *analysis_run_new(const struct capture *capture);
/* Every packet, once; may be called in another thread than the rest, ahead of it. */
void analysis_run_ahead(struct analysis_run *run, const struct rdc_packet *packets, size_t count);
/* After the engine has seen the packet; `facts` are its last word on it. */
void analysis_run_packet(struct analysis_run *run, const struct rdc_packet *pkt,
                         const struct flow_facts *facts);
void analysis_run_report(const struct analysis_run *run, const struct analysis_input *in,
                         struct report_node *root);
/* What one of the analyses keeps, for those that build on it */
const void *analysis_run_state(const struct analysis_run *run, const struct analysis *analysis);
/* NULL is accepted */
void analysis_run_free(struct analysis_run *run);

#endif
