/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The list of analyses, and running them all.
 */
#include <glib.h>

#include "analysis/analyses.h"

const struct analysis *const analyses[] = {
    &an_capture_quality, &an_transports, &an_opcodes, &an_congestion, &an_pause,
    &an_credits,         &an_priority,   &an_paths,   &an_mtu,        &an_incast,
    &an_setup,           &an_checksums,  &an_notes,   NULL,
};

struct analysis_run {
    size_t count;
    void *states[G_N_ELEMENTS(analyses)];
};

struct analysis_run *analysis_run_new(const struct capture *capture)
{
    struct analysis_run *run = g_new0(struct analysis_run, 1);

    for (; analyses[run->count] != NULL; run->count++) {
        const struct analysis *a = analyses[run->count];

        run->states[run->count] = g_malloc0(a->state_size);
        if (a->begin != NULL)
            a->begin(run->states[run->count], capture);
    }
    return run;
}

void analysis_run_packet(struct analysis_run *run, const struct rdc_packet *pkt,
                         const struct flow_facts *facts)
{
    bool in_stream = facts->stream != FLOW_NO_STREAM;

    for (size_t i = 0; i < run->count; i++) {
        const struct analysis *a = analyses[i];

        if (a->packet != NULL)
            a->packet(run->states[i], pkt);
        if (in_stream && a->stream != NULL)
            a->stream(run->states[i], pkt, facts);
    }
}

void analysis_run_report(const struct analysis_run *run, const struct analysis_input *in,
                         struct report_node *root)
{
    for (size_t i = 0; i < run->count; i++)
        analyses[i]->report(run->states[i], in, root);
}

const void *analysis_run_state(const struct analysis_run *run, const struct analysis *analysis)
{
    for (size_t i = 0; i < run->count; i++)
        if (analyses[i] == analysis)
            return run->states[i];
    return NULL;
}

void analysis_run_free(struct analysis_run *run)
{
    if (run == NULL)
        return;
    for (size_t i = 0; i < run->count; i++) {
        if (analyses[i]->done != NULL)
            analyses[i]->done(run->states[i]);
        g_free(run->states[i]);
    }
    g_free(run);
}
