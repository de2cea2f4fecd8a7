/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The list of analyses, and running them all.
 */
#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/findings/findings.h"

const struct analysis *const analyses[] = {
    &an_capture_quality, &an_transports, &an_opcodes, &an_congestion, &an_pause,  &an_credits,
    &an_priority,        &an_paths,      &an_mtu,     &an_incast,     &an_setup,  &an_checksums,
    &an_stags,           &an_notes,      &an_totals,  &an_contents,   &an_status, NULL,
};

enum {
    ANALYSES = G_N_ELEMENTS(analyses) - 1,
    LINE = 64, /* bytes of a cache line: what two threads write should not share one */
};

/* Those that have a function of a kind: a packet calls nobody who does not need it */
struct calls {
    size_t count;
    struct {
        const struct analysis *analysis;
        void *state;
    } of[ANALYSES];
};

struct analysis_run {
    struct alike_table *table;
    struct calls alike, span, ahead, unusual, packets, connection;
    void *states[ANALYSES];
};

static void begin_group(void *context, const struct alike *group, int64_t time_ns,
                        struct alike_span *span)
{
    const struct analysis_run *run = context;

    for (size_t i = 0; i < run->span.count; i++)
        run->span.of[i].analysis->span(run->span.of[i].state, group, time_ns, span);
}

static void count_group(void *context, const struct alike *group)
{
    const struct analysis_run *run = context;

    for (size_t i = 0; i < run->alike.count; i++)
        run->alike.of[i].analysis->alike(run->alike.of[i].state, group);
}

static void add_call(struct calls *c, bool wanted, const struct analysis *a, void *state)
{
    if (!wanted)
        return;
    c->of[c->count].analysis = a;
    c->of[c->count++].state = state;
}

struct analysis_run *analysis_run_new(const struct capture *capture)
{
    struct analysis_run *run = g_new0(struct analysis_run, 1);

    run->table = alike_new(&(struct alike_reader){run, begin_group, count_group});
    for (size_t i = 0; i < ANALYSES; i++) {
        const struct analysis *a = analyses[i];
        void *state = g_aligned_alloc0(1, a->state_size + LINE, LINE);

        run->states[i] = state;
        if (a->begin != NULL)
            a->begin(state, capture);
        add_call(&run->alike, a->alike != NULL, a, state);
        add_call(&run->span, a->span != NULL, a, state);
        add_call(&run->ahead, a->ahead != NULL, a, state);
        add_call(&run->unusual, a->unusual != NULL, a, state);
        add_call(&run->packets, a->packets != NULL, a, state);
        add_call(&run->connection, a->connection != NULL, a, state);
    }
    return run;
}

static void call_ahead(struct analysis_run *run, const struct flow_batch *batch)
{
    for (size_t i = 0; i < run->ahead.count; i++)
        run->ahead.of[i].analysis->ahead(run->ahead.of[i].state, batch);
}

void analysis_run_ahead(struct analysis_run *run, const struct flow_batch *batch)
{
    alike_batch(run->table, batch);
    call_ahead(run, batch);
}

void analysis_run_settle(struct analysis_run *run)
{
    alike_settle(run->table);
    call_ahead(run, NULL);
}

/* What came in brief has no notes and was not refused. */
static uint64_t unusual_of(const struct flow_batch *batch)
{
    uint64_t set = 0;

    for (size_t i = 0; i < batch->count; i++)
        if (batch->stream[i] == FLOW_NO_STREAM)
            set |= (uint64_t)1 << i;
    for (uint64_t whole = batch->whole; whole != 0; whole &= whole - 1) {
        const struct rdc_packet *pkt = &batch->packets[__builtin_ctzll(whole)];

        if (pkt->notes != 0 || pkt->refusal != RDC_REFUSAL_NONE)
            set |= whole & -whole;
    }
    return set;
}

static void unusual_packet(const struct analysis_run *run, const struct rdc_packet *pkt)
{
    for (size_t i = 0; i < run->unusual.count; i++)
        run->unusual.of[i].analysis->unusual(run->unusual.of[i].state, pkt);
}

void analysis_run_batch(struct analysis_run *run, struct flow_batch *batch)
{
    const uint64_t unusual = unusual_of(batch);

    for (uint64_t set = unusual; set != 0; set &= set - 1)
        unusual_packet(run, flow_batch_packet(batch, (size_t)__builtin_ctzll(set)));
    for (size_t i = 0; i < run->packets.count; i++)
        run->packets.of[i].analysis->packets(run->packets.of[i].state, batch, unusual);
}

static void show(const struct analysis_run *run, const struct analysis_input *in,
                 const struct flow_connection *c)
{
    for (size_t i = 0; i < run->connection.count; i++)
        run->connection.of[i].analysis->connection(run->connection.of[i].state, in, c);
}

void analysis_run_connections(struct analysis_run *run, const struct analysis_input *in,
                              struct findings *findings)
{
    struct flow_connection c;

    for (size_t i = 0; i < flow_connection_count(in->engine); i++) {
        flow_connection_get(in->engine, i, &c);
        show(run, in, &c);
        findings_look(findings, &c);
    }
    show(run, in, NULL);
    findings_end(findings);
}

void analysis_run_report(const struct analysis_run *run, const struct analysis_input *in,
                         struct report_node *root)
{
    for (size_t i = 0; i < ANALYSES; i++)
        if (analyses[i]->report != NULL)
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
    alike_free(run->table);
    g_free(run);
}
