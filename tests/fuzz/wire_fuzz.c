/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames of a capture through the decoder into the engine, as the command does it: what flow_fuzz.c
 * builds of packets, and what packet_fuzz.c looks at alone, together. An input is two bytes of
 * choices and the frames: choices: link type (an index of the list below), limits frame:   captured
 * size:16 (little-endian), time step, bytes that were not captured, the bytes What comes out is the
 * same whether packets are given one by one or in batches, and a preview changes nothing.
 * `seeds.py` makes inputs of captures.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
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
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static uint64_t count_event(void *context, const struct flow_event *event)
{
    struct run *run = context;

    must(flow_event_name(event->kind) != NULL);
    return run->events++;
}

static void open_run(struct run *run, uint8_t limits)
{
    const struct flow_config config = {
        .max_streams = (limits & LIMIT_STREAMS) != 0 ? 3 : 0,
        .max_state_bytes = (limits & LIMIT_STATE) != 0 ? 8192 : 0,
        .max_held_bytes = (limits & LIMIT_HELD) != 0 ? 4096 : 0,
        .reorder_window_ns = (limits & REORDER_WINDOW) != 0 ? 50000 : 0,
    };
    const struct flow_sink sink = {.context = run, .event = count_event};

    run->engine = flow_engine_new(&config, &sink);
    must(run->engine != NULL);
}

/* Decodes up to FLOW_BATCH frames from data[*at] on; returns how many */
static size_t decode_some(const uint8_t *data, size_t size, size_t *at, struct rdc_input *in,
                          uint64_t *frame, struct rdc_packet *packets)
{
    const struct rdc_config config = {0};
    size_t n = 0;

    while (n < FLOW_BATCH && *at + FRAME <= size && *frame < FRAMES_MAX) {
        const uint8_t *head = data + *at;
        uint32_t left = (uint32_t)(size - *at - FRAME);

        in->captured = rdc_le16(head) < left ? rdc_le16(head) : left;
        in->wire = in->captured + head[3];
        in->time_ns += (int64_t)1 << (head[2] & 31);
        in->bytes = head + FRAME;
        rdc_decode(&config, in, &packets[n]);
        packets[n++].frame = ++*frame;
        *at += FRAME + in->captured;
    }
    return n;
}

static void play(const uint8_t *data, size_t size, struct run *single, struct run *batched)
{
    struct rdc_input in = {.linktype = linktypes[data[0] % (sizeof linktypes / sizeof *linktypes)]};
    struct rdc_packet packets[FLOW_BATCH];
    size_t at = CHOICES, n;
    uint64_t frame = 0;

    in.time_ns = 1700000000000000000;
    while ((n = decode_some(data, size, &at, &in, &frame, packets)) > 0) {
        flow_packets(batched->engine, packets, n);
        for (size_t i = 0; i < n; i++)
            flow_packet(single->engine, &packets[i]);
    }
    flow_finish(single->engine);
    flow_finish(batched->engine);
}

static void compare_direction(const struct flow_direction *a, const struct flow_direction *b)
{
    must(a->stream == b->stream && a->state == b->state && a->port_count == b->port_count);
    must((a->counters == NULL) == (b->counters == NULL));
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): they begin as zeros, padding too */
    must(a->counters == NULL || memcmp(a->counters, b->counters, sizeof *a->counters) == 0);
    must((a->times == NULL) == (b->times == NULL));
    if (a->times != NULL)
        must(flow_histogram_quantile(&a->times->rtt, 500) ==
             flow_histogram_quantile(&b->times->rtt, 500));
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

    must(single->events == batched->events);
    must(flow_connection_count(batched->engine) == count);
    must(flow_iwarp_traffic(single->engine).packets == flow_iwarp_traffic(batched->engine).packets);
    for (size_t i = 0; i < count; i++) {
        struct flow_connection a, b;

        flow_connection_get(single->engine, i, &a);
        flow_connection_get(batched->engine, i, &b);
        must(a.id == b.id && a.paired_by == b.paired_by && a.state == b.state);
        must(flow_state_name(a.state) != NULL);
        compare_direction(&a.a_to_b, &b.a_to_b);
        compare_direction(&a.b_to_a, &b.b_to_a);
        look_at_stream(single->engine, a.a_to_b.stream, i);
        look_at_stream(single->engine, a.b_to_a.stream, i);
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
