/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine's door: finds the stream of a packet, counts what every packet has, and hands it to
 * the machine of its service.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/ahead.h"
#include "flow/checksum.h"
#include "flow/congestion.h"
#include "flow/flow.h"
#include "flow/iwarp.h"
#include "flow/note.h"
#include "flow/pairing.h"
#include "flow/request.h"
#include "flow/response.h"
#include "flow/setup.h"
#include "flow/steady.h"
#include "flow/stream.h"
#include "flow/unreliable.h"
#include "flow/verdict.h"

enum {
    DEFAULT_STREAMS = 4 << 20,
};

#define DEFAULT_STATE_BYTES ((uint64_t)768 << 20)
#define DEFAULT_HELD_BYTES ((uint64_t)256 << 20)

/* ------------------------------------------------------------------ life */

struct flow_engine *flow_engine_new(const struct flow_config *config, const struct flow_sink *sink)
{
    struct flow_engine *e = calloc(1, sizeof(*e));

    if (e == NULL)
        return NULL;
    if (config != NULL)
        e->config = *config;
    if (e->config.max_streams == 0)
        e->config.max_streams = DEFAULT_STREAMS;
    if (e->config.max_state_bytes == 0)
        e->config.max_state_bytes = DEFAULT_STATE_BYTES;
    if (e->config.max_held_bytes == 0)
        e->config.max_held_bytes = DEFAULT_HELD_BYTES;
    if (sink != NULL)
        e->sink = *sink;
    e->search_credit = SEARCH_FIRST;
    flow_arena_init(&e->arena, e->config.max_state_bytes);
    flow_hash_key_init(&e->hash_key);
    return e;
}

void flow_engine_free(struct flow_engine *e)
{
    if (e == NULL)
        return;
    flow_table_done(&e->sender_table);
    free(e->connections);
    free(e->connection_of);
    free(e->known);
    setup_free(e->cm);
    iwarp_free(e->iwarp);
    flow_table_done(&e->stream_table);
    flow_table_done(&e->pair_table);
    flow_table_done(&e->port_table);
    flow_arena_done(&e->arena);
    free(e);
}

/* ------------------------------------------------------------------ helpers of all machines */

uint64_t engine_event(struct flow_engine *e, struct flow_event *event, const struct stream *s,
                      const struct rdc_packet *pkt)
{
    if (e->sink.event == NULL)
        return 0;
    event->stream = s != NULL ? s->index : FLOW_NO_STREAM;
    if (pkt != NULL) {
        event->frame = pkt->frame;
        event->time_ns = pkt->time_ns;
    } else if (event->frame == 0) {
        event->frame = s != NULL ? s->last_frame : 0;
        event->time_ns = s != NULL ? s->last_ns : e->summary.last_ns;
    }
    return e->sink.event(e->sink.context, event);
}

struct flow_times *stream_times(struct flow_engine *e, struct stream *s)
{
    if (s->times == NULL)
        s->times = flow_arena_new(&e->arena, sizeof(*s->times));
    return s->times;
}

/* ------------------------------------------------------------------ what every packet has */

static void note_port(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    s->last_port = pkt->src_port;
    for (unsigned i = 0; i < s->port_count; i++)
        if (s->ports[i] == pkt->src_port)
            return;
    if (s->port_count == FLOW_MAX_PORTS)
        return;
    s->ports[s->port_count++] = pkt->src_port;
    if (s->port_count > 1)
        pairing_second_port(e, s);
}

static bool marked(const struct rdc_packet *pkt)
{
    if (pkt->transport != RDC_TRANSPORT_ROCEV2)
        return pkt->ib.bth.fecn;
    if (pkt->ip.ecn == 3 || pkt->ip.ecn == 0)
        return pkt->ip.ecn == 3;
    for (unsigned i = 0; i < pkt->tunnel_count; i++)
        if (pkt->tunnels[i].ecn == 3)
            return true; /* RFC 6040: a mark on the outer header counts */
    return false;
}

void engine_mark(struct flow_engine *e, struct stream *s, uint64_t frame, int64_t time_ns)
{
    struct flow_event ev = {.kind = FLOW_CE, .certain = true, .frame = frame, .time_ns = time_ns};

    s->c.ce_packets++;
    engine_event(e, &ev, s, NULL);
}

static void note_notice(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                        bool cnp)
{
    s->c.becn_packets += !cnp;
    if (cnp || pkt->transport != RDC_TRANSPORT_ROCEV2)
        congestion_notice(e, s, pkt);
}

static void data_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    bool ect = pkt->transport == RDC_TRANSPORT_ROCEV2 && pkt->ip.ecn != 0;
    bool ce = marked(pkt);

    e->facts.silence_ns = note_data(s, pkt->time_ns, ect);
    if (ce)
        congestion_mark(e, s, pkt->frame, pkt->time_ns);
    if (s->congestion != NULL)
        congestion_data(e, s, pkt->time_ns, pkt->wire_size, ect, ce);
    if (ce)
        engine_mark(e, s, pkt->frame, pkt->time_ns);
}

void note_rate_begin(struct flow_engine *e, struct stream *s)
{
    s->series = flow_arena_new(&e->arena, sizeof(*s->series));
    if (s->series != NULL)
        flow_series_add(s->series, s->first_ns, (uint32_t)s->c.wire_bytes);
}

static void any_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    note_packet(s, pkt->frame, pkt->time_ns, pkt->wire_size, pkt->ib.payload_size, pkt->truncated);
    note_rate(e, s, pkt->time_ns, pkt->wire_size);
}

static void note_priority(struct stream *s, const struct rdc_packet *pkt)
{
    if (pkt->transport == RDC_TRANSPORT_ROCEV2)
        flow_counters_dscp(&s->c, pkt);
    flow_counters_pcp(&s->c, pkt);
}

/* ------------------------------------------------------------------ damage */

static void report_corrupt(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    struct flow_event ev = {.kind = FLOW_ICRC_BAD, .certain = true};

    e->summary.icrc_bad++;
    if (s != NULL) {
        s->c.icrc_bad++;
        note_priority(s, pkt);
    }
    engine_event(e, &ev, s, pkt);
}

/* ------------------------------------------------------------------ services */

static void infer_pmtu(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    uint8_t position = rdc_opcode_table[pkt->ib.bth.opcode].position;
    uint32_t size = pkt->ib.payload_size;

    if ((position == RDC_POS_FIRST || position == RDC_POS_MIDDLE) && size >= 256 && size <= 4096 &&
        (size & (size - 1)) == 0)
        stream_pmtu(e, s, size);
}

static void connected_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];

    if (s->pmtu == 0)
        infer_pmtu(e, s, pkt);
    flow_path_size(&s->path, pkt, s->pmtu, &e->arena);
    if (op->service == RDC_SERVICE_UC)
        unreliable_packet(e, s, pkt);
    else if (op->role == RDC_ROLE_REQUEST)
        request_packet(e, s, pkt);
    else if (op->role == RDC_ROLE_RESPONSE)
        response_packet(e, s, pkt);
    /* acknowledgements come again for their own reasons */
    if (op->service == RDC_SERVICE_UC ||
        (op->role != RDC_ROLE_NONE && op->operation != RDC_OP_ACKNOWLEDGE))
        e->tracked++;
}

static void cnp_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    struct flow_event ev = {.kind = FLOW_CNP, .certain = true};

    s->c.cnps_sent++;
    engine_event(e, &ev, s, pkt);
}

/* The service of a stream is that of its first packet that is no CNP. */
static void learn_service(struct flow_engine *e, struct stream *s, uint8_t service)
{
    if (service >= RDC_SERVICE_RESERVED)
        return;
    s->service = service;
    if (service == RDC_SERVICE_UD || service == RDC_SERVICE_RD)
        return;
    setup_new_stream(e, s);
    pairing_new_stream(e, s);
}

#define SEVERAL_QPNS UINT32_MAX /* a QPN has 24 bits */

/* UD: each packet names its sender (DETH; IBTA vol. 1, 9.3), and a receiver may have many. */
static void datagram(struct stream *s, const struct rdc_packet *pkt)
{
    uint32_t sender = pkt->ib.ext.deth.src_qpn;

    s->c.messages[rdc_opcode_table[pkt->ib.bth.opcode].operation]++;
    if ((pkt->ib.ext.present & RDC_EXT_DETH) == 0 || s->local_qpn == SEVERAL_QPNS)
        return;
    if (s->local_qpn_known && s->local_qpn != sender)
        sender = SEVERAL_QPNS;
    s->local_qpn = sender;
    s->local_qpn_known = sender != SEVERAL_QPNS;
}

/* A packet that its receiver accepts */
static void stream_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];
    enum flow_packet_class class = flow_packet_class(pkt);

    if (flow_path_packet(&s->path, pkt, class, &e->arena))
        note_priority(s, pkt);
    if (class == FLOW_CLASS_CNP || pkt->ib.bth.becn)
        note_notice(e, s, pkt, class == FLOW_CLASS_CNP);
    if (class == FLOW_CLASS_DATA)
        data_packet(e, s, pkt);
    note_id(s, packet_id(pkt));
    if (s->port_count == 0 || s->last_port != pkt->src_port)
        note_port(e, s, pkt);
    if (op->service == RDC_SERVICE_CNP) {
        cnp_packet(e, s, pkt);
        return;
    }
    if (s->service == RDC_SERVICE_RESERVED)
        learn_service(e, s, op->service);
    if (!s->port_tried && s->key.transport == RDC_TRANSPORT_ROCEV2)
        pairing_new_port(e, s, pkt->src_port);
    if (op->service != s->service)
        return;
    if (op->service == RDC_SERVICE_UD)
        datagram(s, pkt);
    else if (op->service != RDC_SERVICE_RD)
        connected_packet(e, s, pkt);
}

static void transport_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    struct stream *s = engine_stream(e, pkt, false);
    bool corrupt = checksum_corrupt(e, s, pkt);

    if (s == NULL && !corrupt)
        s = engine_stream(e, pkt, true);
    if (e->early != NULL)
        checksum_early(e, s, pkt);
    if (s != NULL) {
        e->facts.stream = s->index;
        any_packet(e, s, pkt);
    }
    if (corrupt)
        report_corrupt(e, s, pkt);
    else if (s != NULL)
        stream_packet(e, s, pkt);
    else
        e->summary.untracked_packets++;
}

static void ib_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    uint32_t qpn = pkt->ib.bth.dest_qpn;

    if (qpn == RDC_QPN_MULTICAST) {
        e->summary.multicast_packets++;
    } else if (qpn < RDC_QPN_FIRST &&
               rdc_opcode_table[pkt->ib.bth.opcode].service == RDC_SERVICE_UD) {
        struct flow_event ev = {.kind = FLOW_ICRC_BAD, .certain = true};

        e->summary.management_packets++;
        if (pkt->ib.icrc_check == RDC_CHECK_BAD) {
            e->summary.icrc_bad++;
            engine_event(e, &ev, NULL, pkt);
            return;
        }
        if (qpn == 1)
            setup_packet(e, pkt);
    } else {
        transport_packet(e, pkt);
    }
}

static void pause_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    struct flow_event ev = {.kind = FLOW_PAUSE, .certain = true};

    if (pkt->has_mac)
        memcpy(ev.pause.source, pkt->src_mac, sizeof(ev.pause.source));
    ev.pause.pfc = pkt->pause.pfc;
    ev.pause.enabled = pkt->pause.enabled;
    memcpy(ev.pause.quanta, pkt->pause.quanta, sizeof(ev.pause.quanta));
    engine_event(e, &ev, NULL, pkt);
}

static void tcp_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    if (e->iwarp == NULL)
        e->iwarp = iwarp_new(e);
    if (e->iwarp != NULL)
        iwarp_packet(e->iwarp, pkt);
    else
        e->summary.untracked_packets++;
}

static void count_packet(struct flow_summary *sum, const struct rdc_packet *pkt)
{
    if (sum->packets == 0)
        sum->first_ns = sum->last_ns = pkt->time_ns;
    if (pkt->time_ns < sum->last_ns) {
        sum->packets++;
        sum->time_disorder++;
        if (sum->last_ns - pkt->time_ns > sum->time_disorder_max_ns)
            sum->time_disorder_max_ns = sum->last_ns - pkt->time_ns;
    } else {
        note_time(sum, pkt->time_ns);
    }
    if (pkt->time_ns < sum->first_ns)
        sum->first_ns = pkt->time_ns;
}

/* `likely`: most likely its stream; NULL: no idea */
static void packet(struct flow_engine *e, const struct rdc_packet *pkt, struct stream *likely)
{
    e->likely = likely;
    count_packet(&e->summary, pkt);
    e->facts = (struct flow_facts){
        .frame = pkt->frame, .stream = FLOW_NO_STREAM, .rtt_ns = -1, .silence_ns = -1};
    if (pkt->kind == RDC_KIND_TCP)
        tcp_packet(e, pkt);
    else if (pkt->kind == RDC_KIND_BTH && !e->config.only_tcp)
        ib_packet(e, pkt);
    else if (pkt->kind == RDC_KIND_PAUSE && !e->config.only_tcp)
        pause_packet(e, pkt);
    if (e->sink.facts != NULL)
        e->sink.facts(e->sink.context, &e->facts);
}

void flow_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    packet(e, pkt, NULL);
}

/* ------------------------------------------------------------------ batches */

/* The context of a packet, or that of packets like it which follow; RDC_NO_CONTEXT: none */
static uint32_t context_of(const struct flow_batch *b, size_t i)
{
    return flow_batch_is_brief(b, i) ? b->briefs[i].context : flow_batch_learned(b, i);
}

/* One that does not come as expected, or that is not brief */
static __attribute__((noinline)) void whole_packet(struct flow_engine *e, struct flow_batch *b,
                                                   size_t i, struct stream *likely)
{
    uint32_t context = context_of(b, i);
    const struct rdc_packet *pkt = flow_batch_packet(b, i);

    packet(e, pkt, likely);
    if (context != RDC_NO_CONTEXT)
        steady_learn(e, context, pkt);
    b->stream[i] = e->facts.stream;
    b->silence_ns[i] = e->facts.silence_ns;
}

/* Whether nobody asks more of packets that come as expected */
static bool may_be_brief(const struct flow_engine *e)
{
    return e->known != NULL && e->sink.facts == NULL && e->sink.acknowledged == NULL &&
           !e->config.only_tcp;
}

void flow_batch(struct flow_engine *e, struct flow_batch *b)
{
    struct ahead ahead;
    bool brief = may_be_brief(e);

    ahead_begin(&ahead, e, b);
    for (size_t i = 0; i < b->count; i++) {
        ahead_step(&ahead, i);
        if (!brief || (b->whole >> i & 1) != 0 || !steady_packet(e, b, i))
            whole_packet(e, b, i, ahead.stream[i]);
    }
}

void flow_packets(struct flow_engine *e, const struct rdc_packet *packets, size_t count)
{
    struct flow_batch b;

    for (size_t i = 0; i < count; i += b.count) {
        flow_batch_init(&b, &packets[i], count - i < FLOW_BATCH ? count - i : FLOW_BATCH);
        flow_batch(e, &b);
    }
}

const struct flow_facts *flow_latest_facts(const struct flow_engine *e)
{
    return &e->facts;
}
