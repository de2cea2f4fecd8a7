/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The list of analyses, and running them all.
 */
#include <glib.h>

#include "analysis/analyses.h"

const struct analysis *const analyses[] = {
    &an_capture_quality, &an_transports, &an_opcodes, &an_congestion, &an_pause,
    &an_credits,         &an_priority,   &an_paths,   &an_mtu,        &an_incast,
    &an_setup,           &an_checksums,  &an_stags,   &an_notes,      NULL,
};

enum {
    ANALYSES = G_N_ELEMENTS(analyses) - 1,
    LINE = 64, /* bytes of a cache line: what two threads write should not share one */
};

/* Those that look at a kind of packets: a packet calls nobody who does not need it */
struct calls {
    size_t count;
    struct {
        const struct analysis *analysis;
        void *state;
    } of[ANALYSES];
};

struct analysis_run {
    struct calls packet, unusual, stream;
    void *states[ANALYSES];
};

static void add_call(struct calls *c, const struct analysis *a, void *state)
{
    c->of[c->count].analysis = a;
    c->of[c->count++].state = state;
}

struct analysis_run *analysis_run_new(const struct capture *capture)
{
    struct analysis_run *run = g_new0(struct analysis_run, 1);

    for (size_t i = 0; i < ANALYSES; i++) {
        const struct analysis *a = analyses[i];
        void *state = g_aligned_alloc0(1, a->state_size + LINE, LINE);

        run->states[i] = state;
        if (a->begin != NULL)
            a->begin(state, capture);
        if (a->packet != NULL)
            add_call(&run->packet, a, state);
        if (a->unusual != NULL)
            add_call(&run->unusual, a, state);
        if (a->stream != NULL)
            add_call(&run->stream, a, state);
    }
    return run;
}

void analysis_run_ahead(struct analysis_run *run, const struct rdc_packet *packets, size_t count)
{
    for (size_t i = 0; i < run->packet.count; i++) {
        void (*look)(void *state, const struct rdc_packet *pkt) =
            run->packet.of[i].analysis->packet;
        void *state = run->packet.of[i].state;

        for (size_t k = 0; k < count; k++)
            look(state, &packets[k]);
    }
}

void analysis_run_packet(struct analysis_run *run, const struct rdc_packet *pkt,
                         const struct flow_facts *facts)
{
    bool in_stream = facts->stream != FLOW_NO_STREAM;

    if (!in_stream || pkt->notes != 0 || pkt->refusal != RDC_REFUSAL_NONE)
        for (size_t i = 0; i < run->unusual.count; i++)
            run->unusual.of[i].analysis->unusual(run->unusual.of[i].state, pkt);
    if (in_stream)
        for (size_t i = 0; i < run->stream.count; i++)
            run->stream.of[i].analysis->stream(run->stream.of[i].state, pkt, facts);
}

void analysis_run_report(const struct analysis_run *run, const struct analysis_input *in,
                         struct report_node *root)
{
    for (size_t i = 0; i < ANALYSES; i++)
        analyses[i]->report(run->states[i], in, root);
}

const void *analysis_run_state(const struct analysis_run *run, const struct analysis *analysis)
{
    for (size_t i = 0; i < ANALYSES; i++)
        if (analyses[i] == analysis)
            return run->states[i];
    return NULL;
}

void analysis_run_free(struct analysis_run *run)
{
    if (run == NULL)
        return;
    for (size_t i = 0; i < ANALYSES; i++) {
        if (analyses[i]->done != NULL)
            analyses[i]->done(run->states[i]);
        g_aligned_free(run->states[i]);
    }
    g_free(run);
}
