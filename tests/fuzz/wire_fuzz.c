/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames of a capture through the decoder into the engine, as the command does it: what flow_fuzz.c
 * builds of packets, and what packet_fuzz.c looks at alone, together. What comes out is the same
 * whether packets are given one by one, all of them whole, or in batches, most of them in brief.
 *
 * An input is two bytes of choices, which are link type (an index of the list below) and limits,
 * and the frames: captured size:16 (little-endian), time step, bytes that were not captured in
 * units of 16, the bytes. `seeds.py` makes inputs of captures.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/stream.h"
#include "rdc/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 2,
    FRAME = 4,
    FRAMES_MAX = 2000,
    LIMIT_STREAMS = 0x01,
    LIMIT_STATE = 0x02,
    LIMIT_HELD = 0x04,
    REORDER_WINDOW = 0x08,
};

/* In the order of seeds.py */
static const uint32_t linktypes[] = {
    RDC_LINKTYPE_ETHERNET, RDC_LINKTYPE_LINUX_SLL, RDC_LINKTYPE_LINUX_SLL2,
    RDC_LINKTYPE_ERF,      RDC_LINKTYPE_RAW,       RDC_LINKTYPE_INFINIBAND,
};

struct run {
    struct flow_engine *engine;
    uint64_t events;
    uint64_t said; /* hash of them all */
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void mix(struct run *run, uint64_t value)
{
    run->said = (run->said ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    run->said ^= run->said >> 32;
}

static uint64_t count_event(void *context, const struct flow_event *event)
{
    struct run *run = context;

    must(flow_event_name(event->kind) != NULL);
    mix(run, event->kind);
    mix(run, event->frame);
    mix(run, (uint64_t)event->time_ns);
    mix(run, event->stream);
    mix(run, event->psn);
    mix(run, event->count);
    mix(run, event->original_frame);
    return run->events++;
}

static void look_at_round(void *context, const struct flow_round *round)
{
    struct run *run = context;

    mix(run, round->stream);
    mix(run, round->number);
    mix(run, round->trigger);
    mix(run, round->first_frame);
    mix(run, round->last_frame);
    mix(run, round->packets);
}

static void open_run(struct run *run, uint8_t limits)
{
    const struct flow_config config = {
        .max_streams = (limits & LIMIT_STREAMS) != 0 ? 3 : 0,
        .max_state_bytes = (limits & LIMIT_STATE) != 0 ? 8192 : 0,
        .max_held_bytes = (limits & LIMIT_HELD) != 0 ? 4096 : 0,
        .reorder_window_ns = (limits & REORDER_WINDOW) != 0 ? 50000 : 0,
    };
    const struct flow_sink sink = {.context = run, .event = count_event, .round = look_at_round};

    run->engine = flow_engine_new(&config, &sink);
    must(run->engine != NULL);
}

/* A frame, whole and, where that is possible, in brief */
static void decode(struct rdc_contexts *contexts, const struct rdc_input *in, uint64_t frame,
                   struct rdc_packet *pkt, struct rdc_brief *brief)
{
    const struct rdc_config config = {0};

    rdc_decode(&config, in, pkt);
    pkt->frame = frame;
    if (rdc_brief_decode_now(contexts, &config, in, brief)) {
        brief->frame = frame;
        return;
    }
    brief->context = RDC_NO_CONTEXT;
    brief->learned = rdc_contexts_learn(contexts, in, pkt);
}

/* Decodes up to FLOW_BATCH frames from data[*at] on; returns how many */
static size_t decode_some(const uint8_t *data, size_t size, size_t *at, struct rdc_input *in,
                          uint64_t *frame, struct rdc_contexts *contexts,
                          struct rdc_packet *packets, struct rdc_brief *briefs)
{
    size_t n = 0;

    while (n < FLOW_BATCH && *at + FRAME <= size && *frame < FRAMES_MAX) {
        const uint8_t *head = data + *at;
        uint32_t left = (uint32_t)(size - *at - FRAME);

        in->captured = rdc_le16(head) < left ? rdc_le16(head) : left;
        in->wire = in->captured + head[3] * 16u;
        in->time_ns += (int64_t)1 << (head[2] & 31);
        in->bytes = head + FRAME;
        decode(contexts, in, ++*frame, &packets[n], &briefs[n]);
        n++;
        *at += FRAME + in->captured;
    }
    return n;
}

/* The same packets one by one, whole, and in a batch */
static void play_some(struct run *single, struct run *batched, const struct rdc_packet *packets,
                      struct flow_batch *batch)
{
    flow_batch(batched->engine, batch);
    for (size_t i = 0; i < batch->count; i++) {
        const struct flow_facts *facts = flow_latest_facts(single->engine);

        flow_packets(single->engine, &packets[i], 1);
        must(batch->stream[i] == facts->stream && batch->silence_ns[i] == facts->silence_ns);
    }
}

static void play(const uint8_t *data, size_t size, struct run *single, struct run *batched)
{
    struct rdc_input in = {.linktype = linktypes[data[0] % (sizeof linktypes / sizeof *linktypes)]};
    struct rdc_packet packets[FLOW_BATCH], made[FLOW_BATCH];
    struct rdc_brief briefs[FLOW_BATCH];
    struct rdc_contexts *contexts = calloc(1, rdc_contexts_size());
    struct flow_batch batch = {.contexts = contexts, .briefs = briefs, .packets = made};
    size_t at = CHOICES;
    uint64_t frame = 0;

    must(contexts != NULL);
    in.time_ns = 1700000000000000000;
    while ((batch.count = decode_some(data, size, &at, &in, &frame, contexts, packets, briefs)) >
           0) {
        batch.whole = 0;
        for (size_t i = 0; i < batch.count; i++) {
            if (briefs[i].context != RDC_NO_CONTEXT)
                continue;
            made[i] = packets[i];
            batch.whole |= (uint64_t)1 << i;
        }
        play_some(single, batched, packets, &batch);
    }
    flow_finish(single->engine);
    flow_finish(batched->engine);
    free(contexts);
}

static void compare_times(const struct flow_histogram *a, const struct flow_histogram *b)
{
    must(a->count == b->count && a->max == b->max);
    for (unsigned permille = 10; permille < 1000; permille += 70)
        must(flow_histogram_quantile(a, permille) == flow_histogram_quantile(b, permille));
}

static void compare_rates(const struct flow_series *a, const struct flow_series *b, int64_t now)
{
    must((a == NULL) == (b == NULL));
    if (a == NULL)
        return;
    must(a->window_ns == b->window_ns && a->window_bytes == b->window_bytes);
    must(a->peak_bytes == b->peak_bytes);
    must(flow_series_recent(a, now) == flow_series_recent(b, now));
}

static void compare_reactions(const struct flow_reaction *a, const struct flow_reaction *b)
{
    must((a == NULL) == (b == NULL));
    if (a == NULL)
        return;
    must(memcmp(&a->marks, &b->marks, sizeof a->marks) == 0);
    compare_times(&a->ce_to_cnp, &b->ce_to_cnp);
    compare_times(&a->rate_before, &b->rate_before);
    compare_times(&a->rate_after, &b->rate_after);
    compare_times(&a->rate_recovery, &b->rate_recovery);
    must(a->slowed == b->slowed && a->not_slowed == b->not_slowed);
    must(a->recovering == b->recovering);
}

static void compare_ways(const struct flow_path *a, const struct flow_path *b)
{
    must((a == NULL) == (b == NULL));
    if (a == NULL)
        return;
    must(memcmp(a->latest, b->latest, sizeof a->latest) == 0);
    must(a->full_size == b->full_size && a->largest == b->largest);
    must((a->changes == NULL) == (b->changes == NULL));
    must(a->changes == NULL || memcmp(a->changes, b->changes, sizeof *a->changes) == 0);
}

static void compare_direction(const struct flow_direction *a, const struct flow_direction *b)
{
    must(a->stream == b->stream && a->state == b->state && a->port_count == b->port_count);
    must((a->counters == NULL) == (b->counters == NULL));
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): they begin as zeros, padding too */
    must(a->counters == NULL || memcmp(a->counters, b->counters, sizeof *a->counters) == 0);
    must((a->times == NULL) == (b->times == NULL));
    if (a->times != NULL) {
        compare_times(&a->times->rtt, &b->times->rtt);
        compare_times(&a->times->message_latency, &b->times->message_latency);
        compare_times(&a->times->message_size, &b->times->message_size);
    }
    must(a->first_ns == b->first_ns && a->last_ns == b->last_ns);
    must(a->last_data_ns == b->last_data_ns);
    compare_rates(a->throughput, b->throughput, a->last_ns);
    compare_reactions(a->reaction, b->reaction);
    compare_ways(a->path, b->path);
}

static void compare_histories(const struct history *a, const struct history *b)
{
    must(a->first == b->first && a->mask == b->mask && a->room == b->room);
    for (uint32_t i = 0; i < a->room; i++) {
        const struct seen *x = &a->slots[i], *y = &b->slots[i];

        must(x->copies == y->copies);
        if (x->copies == 0)
            continue;
        must(x->frame == y->frame && x->time_ns == y->time_ns && x->print == y->print);
        must(x->tag == y->tag && x->bytes == y->bytes && x->id == y->id && x->flags == y->flags);
    }
}

static void compare_requesters(const struct requester *a, const struct requester *b)
{
    must((a == NULL) == (b == NULL));
    if (a == NULL)
        return;
    must(a->next == b->next && a->acked == b->acked && a->covered == b->covered);
    must(a->bytes == b->bytes && a->acked_bytes == b->acked_bytes);
    must(a->last_ns == b->last_ns && a->last_new_ns == b->last_new_ns);
    must(a->in_round == b->in_round && a->trigger_count == b->trigger_count);
    must(a->messages.count == b->messages.count && a->messages.bytes == b->messages.bytes);
    must(a->messages.next == b->messages.next);
    must(a->reads.count == b->reads.count && a->reads.hint == b->reads.hint);
    must(a->evidence.beyond == b->evidence.beyond && a->evidence.frame == b->evidence.frame);
    must(a->evidence.ack == b->evidence.ack && a->retries.u == b->retries.u);
    compare_histories(&a->seen, &b->seen);
}

static void compare_responders(const struct responder *a, const struct responder *b)
{
    must((a == NULL) == (b == NULL));
    if (a == NULL)
        return;
    must(a->next == b->next && a->in_message == b->in_message);
    must(a->holes.count == b->holes.count);
    compare_histories(&a->seen, &b->seen);
}

/* All that later packets are judged by: no packet here may show that it differs. */
static void compare_state(const struct flow_engine *one, const struct flow_engine *other,
                          uint32_t stream)
{
    const struct stream *a, *b;

    if (flow_stream_is_iwarp(stream) || stream == FLOW_NO_STREAM)
        return;
    a = one->streams[stream];
    b = other->streams[stream];
    must(a->ids.sum == b->ids.sum && a->ids.steps == b->ids.steps && a->ids.near == b->ids.near);
    must(a->ids.last == b->ids.last && a->ids.step == b->ids.step);
    must(a->matches == b->matches && a->misses == b->misses && a->last_port == b->last_port);
    compare_requesters(a->requester, b->requester);
    compare_responders(a->responder, b->responder);
}

/* What is left of a stream at the end */
static void compare_ends(const struct flow_engine *a, const struct flow_engine *b, uint32_t stream)
{
    struct flow_unanswered left, also_left;
    struct flow_open_nak nak, same_nak;
    bool some = flow_unanswered_get(a, stream, &left);

    must(flow_unanswered_get(b, stream, &also_left) == some);
    must(left.count == also_left.count && left.psn == also_left.psn);
    must(left.frames[0] == also_left.frames[0] && left.from_ns == also_left.from_ns);
    some = flow_open_nak_get(a, stream, &nak);
    must(flow_open_nak_get(b, stream, &same_nak) == some);
    must(!some || (nak.frame == same_nak.frame && nak.packet_frame == same_nak.packet_frame));
}

static void look_at_stream(const struct flow_engine *engine, uint32_t stream, size_t index)
{
    struct flow_stream_pairing pairing;
    uint32_t found, qpn;
    bool a_to_b;

    if (stream == FLOW_NO_STREAM)
        return;
    must(flow_stream_connection(engine, stream, &found, &a_to_b) && found == index);
    if (flow_stream_pairing_get(engine, stream, &pairing) && pairing.peer != FLOW_NO_STREAM)
        must(flow_pairing_name(pairing.paired_by) != NULL);
    (void)flow_stream_source(engine, stream, &qpn);
}

static void compare(const struct run *single, const struct run *batched)
{
    size_t count = flow_connection_count(single->engine);

    must(single->events == batched->events && single->said == batched->said);
    must(flow_connection_count(batched->engine) == count);
    must(single->engine->tracked == batched->engine->tracked);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): they begin as zeros, padding too */
    must(memcmp(&single->engine->summary, &batched->engine->summary,
                sizeof single->engine->summary) == 0);
    must(flow_iwarp_traffic(single->engine).packets == flow_iwarp_traffic(batched->engine).packets);
    for (size_t i = 0; i < count; i++) {
        struct flow_connection a, b;

        flow_connection_get(single->engine, i, &a);
        flow_connection_get(batched->engine, i, &b);
        must(a.id == b.id && a.paired_by == b.paired_by && a.state == b.state);
        must(a.pmtu_bytes == b.pmtu_bytes && a.last_frame == b.last_frame);
        must(flow_state_name(a.state) != NULL);
        compare_direction(&a.a_to_b, &b.a_to_b);
        compare_direction(&a.b_to_a, &b.b_to_a);
        look_at_stream(single->engine, a.a_to_b.stream, i);
        look_at_stream(single->engine, a.b_to_a.stream, i);
        compare_state(single->engine, batched->engine, a.a_to_b.stream);
        compare_state(single->engine, batched->engine, a.b_to_a.stream);
        compare_ends(single->engine, batched->engine, a.a_to_b.stream);
        compare_ends(single->engine, batched->engine, a.b_to_a.stream);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run single = {0}, batched = {0};

    if (size < CHOICES)
        return 0;
    open_run(&single, data[1]);
    open_run(&batched, data[1]);
    play(data, size, &single, &batched);
    compare(&single, &batched);
    flow_engine_free(single.engine);
    flow_engine_free(batched.engine);
    return 0;
}
