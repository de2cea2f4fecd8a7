/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the analyses and the rules say about a sequence of packets (flow/sequence.h): as `stats`
 * would see it, without files. Hosts have MAC addresses that end like their addresses.
 */
#ifndef ANALYSIS_TEST_LOOKED_H
#define ANALYSIS_TEST_LOOKED_H

#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/evidence.h"
#include "analysis/findings/findings.h"
#include "flow/sequence.h"

struct looked {
    struct capture capture;
    struct analysis_input input;
    struct analysis_run *run;
    struct evidence *evidence;
    struct flow_engine *engine;
    struct findings *findings;
};

static inline void looked_whole(struct looked *l, const struct rdc_packet *pkt)
{
    struct flow_batch batch;

    flow_batch_init(&batch, pkt, 1);
    if (capture_count(&l->capture, &batch) > 0)
        capture_count_other(&l->capture, "MAC control", pkt->wire_size);
    analysis_run_ahead(l->run, &batch);
    flow_batch(l->engine, &batch);
    analysis_run_batch(l->run, &batch);
}

static inline void looked_packet(void *context, const struct rdc_packet *from)
{
    struct looked *l = context;
    struct rdc_packet pkt = *from;

    pkt.has_mac = true;
    memset(pkt.src_mac, 0, 6);
    memset(pkt.dst_mac, 0, 6);
    pkt.src_mac[5] = pkt.src[3];
    pkt.dst_mac[5] = pkt.dst[3];
    looked_whole(l, &pkt);
}

/* A PFC frame of host `host`, as if it stood in the sequence; quanta 0: XON */
static inline void looked_pause(struct looked *l, uint64_t frame, int64_t time_ns, uint8_t host,
                                unsigned priority, uint16_t quanta)
{
    struct rdc_packet pkt = {.frame = frame,
                             .time_ns = time_ns,
                             .kind = RDC_KIND_PAUSE,
                             .transport = RDC_TRANSPORT_MACCTRL,
                             .wire_size = 64,
                             .has_mac = true,
                             .src_mac = {[5] = host}};

    pkt.pause.pfc = true;
    pkt.pause.enabled = (uint8_t)(1u << priority);
    pkt.pause.quanta[priority] = quanta;
    looked_whole(l, &pkt);
}

static inline void looked_start(struct looked *l, const struct flow_config *config)
{
    struct flow_sink sink;

    *l = (struct looked){.evidence = evidence_new()};
    l->run = analysis_run_new(&l->capture);
    sink = evidence_sink(l->evidence);
    l->engine = flow_engine_new(config, &sink);
    l->input = (struct analysis_input){
        .capture = &l->capture, .engine = l->engine, .evidence = l->evidence, .run = l->run};
}

/* Feeds the packets of a sequence. */
static inline void looked_feed(struct looked *l, const char *packets)
{
    struct sequence *q = sequence_run_each(packets, NULL, looked_packet, l);

    sequence_done(q);
}

static inline void looked_finish(struct looked *l)
{
    flow_finish(l->engine);
    analysis_run_settle(l->run);
    l->findings = findings_new(&l->input);
    analysis_run_connections(l->run, &l->input, l->findings);
}

static inline void looked_at(struct looked *l, const char *packets)
{
    looked_start(l, NULL);
    looked_feed(l, packets);
    looked_finish(l);
}

static inline void looked_done(struct looked *l)
{
    findings_free(l->findings);
    flow_engine_free(l->engine);
    evidence_free(l->evidence);
    analysis_run_free(l->run);
}

#endif
