/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any sequence of TCP segments as what the engine follows. An input is four bytes of choices and
 * eight bytes a segment:
 *   choices: markers, CRC, handshake, streaming mode, time stamps, D-SACK, tagged FPDUs; place in
 * sequence space; snap length; seed segment: what and which way, place:16, size:16, time,
 * acknowledgement, damage Segments are cut from two made streams of iWARP, so that much of what
 * comes is right. Whatever comes, the books balance and the bounds hold; what is not damaged is
 * found at its right place.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/iwarp.h"
#include "flow/stream.h"
#include "rdc/crc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 4,
    RECORD = 8,
    SEGMENTS_MAX = 400,
    BYTES = 1 << 16,
    MARKERS = 0x01,
    CRC = 0x02,
    HANDSHAKE = 0x04,
    STREAMING = 0x08, /* other bytes before the start-up frames */
    LONG = 0x10,      /* FPDUs longer than segments */
    STAMPS = 0x20,    /* TCP time stamps */
    TWICE = 0x40,     /* D-SACK: some bytes came twice */
    TAGGED = 0x80,    /* Writes and Sends with Invalidate among the Sends */
    BACK = 0x01,
    SYN = 0x02,
    FIN = 0x04,
    RST = 0x08,
    RELATIVE = 0x10, /* place: from the end of the last segment that way */
    NOISE = 0x20,
    CLOSED = 0x40,
    JUMP = 0x80,
};

struct side {
    uint8_t bytes[BYTES];
    uint32_t size, origin, next;
    uint32_t isn;
    bool starts[BYTES]; /* an FPDU begins here */
};

struct fuzz {
    struct flow_engine *engine;
    struct side sides[2];
    struct rdc_packet pkt;
    uint8_t choices;
    bool damaged, exact; /* something that no sender sent; every FPDU must be one that was made */
    uint64_t fpdus;
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void on_fpdu(void *context, const struct flow_fpdu *f)
{
    struct fuzz *z = context;
    bool found = false;

    z->fpdus++;
    must(f->total >= rdc_fpdu_size(f->length));
    must(f->crc <= FPDU_CRC_OFF);
    must(f->ddp_set || !f->rdmap_set);
    for (unsigned d = 0; d < 2; d++) {
        uint32_t at = f->tcp_seq - z->sides[d].isn - 1;

        found |= at < z->sides[d].size && z->sides[d].starts[at];
    }
    must(found || z->damaged || !z->exact);
}

static uint64_t on_event(void *context, const struct flow_event *event)
{
    (void)context;
    must(event->kind < FLOW_EVENT_KIND_COUNT);
    must(flow_stream_is_iwarp(event->stream));
    return 0;
}

/* ------------------------------------------------------------------ made streams */

static void put(struct side *s, uint8_t byte)
{
    if (s->size < BYTES)
        s->bytes[s->size++] = byte;
}

static void put_start_up(struct side *s, bool reply, uint8_t choices)
{
    const char *key = reply ? "MPA ID Rep Frame" : "MPA ID Req Frame";

    for (unsigned i = 0; i < RDC_MPA_KEY_LEN; i++)
        put(s, (uint8_t)key[i]);
    put(s,
        (uint8_t)(((choices & MARKERS) != 0 ? 0x80u : 0u) | ((choices & CRC) != 0 ? 0x40u : 0u)));
    put(s, 1);
    put(s, 0);
    put(s, 3);
    for (unsigned i = 0; i < 3; i++)
        put(s, 0);
    s->origin = s->size;
}

static void put_fpdu(struct side *s, uint16_t length, uint32_t msn, uint8_t choices)
{
    uint8_t head[RDC_FPDU_LENGTH_LEN + RDC_DDP_UNTAGGED_LEN] = {
        (uint8_t)(length >> 8), (uint8_t)length, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        (uint8_t)(msn >> 8),    (uint8_t)msn};
    static const uint8_t controls[4][2] = {{0x41, 0x43}, {0xc1, 0x40}, {0x81, 0x40}, {0x41, 0x44}};
    uint32_t start = s->size, plain = RDC_FPDU_LENGTH_LEN + length + rdc_fpdu_pad(length);
    uint32_t crc;

    if (s->size + 2 * (uint32_t)length + 100 > BYTES)
        return;
    s->starts[start] = true;
    if ((choices & TAGGED) != 0) {
        memcpy(head + RDC_FPDU_LENGTH_LEN, controls[msn % 4], sizeof(controls[0]));
        head[RDC_FPDU_LENGTH_LEN + 5] = (uint8_t)(msn * 7);
    }
    for (uint32_t at = 0; at <= plain; at++) {
        if ((choices & MARKERS) != 0 && (s->size - s->origin) % RDC_MARKER_SPACING == 0) {
            uint32_t back = s->size - start;

            put(s, 0);
            put(s, 0);
            put(s, (uint8_t)(back >> 8));
            put(s, (uint8_t)back);
        }
        if (at < plain)
            put(s, at < sizeof(head)                             ? head[at]
                   : at < RDC_FPDU_LENGTH_LEN + (uint32_t)length ? (uint8_t)(at * msn * 37 >> 3)
                                                                 : 0);
    }
    crc = rdc_crc32c_done(rdc_crc32c_update(RDC_CRC32C_INIT, s->bytes + start, s->size - start));
    for (unsigned i = 0; i < RDC_FPDU_CRC_LEN; i++)
        put(s, (uint8_t)((choices & CRC) != 0 ? crc >> 8 * i : 0u));
}

static void make(struct side *s, bool reply, uint8_t choices, uint8_t seed)
{
    if ((choices & STREAMING) != 0)
        for (unsigned i = 0; i < 50; i++)
            put(s, (uint8_t)(seed + i));
    put_start_up(s, reply, choices);
    for (uint32_t i = 0; i < 60; i++)
        put_fpdu(s, (uint16_t)(18 + (i * 53 + seed) % ((choices & LONG) != 0 ? 9000 : 700)), i + 1,
                 choices);
}

/* ------------------------------------------------------------------ segments */

static void check_bounds(const struct fuzz *z)
{
    const struct iwarp *w = z->engine->iwarp;

    if (w == NULL)
        return;
    must(w->pool.used <= w->pool.limit);
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->slots[i].conn == NULL)
            continue;
        for (unsigned d = 0; d < 2; d++) {
            const struct tcp_stream *s = &w->slots[i].conn->mpa.dir[d].tcp;
            uint32_t held = 0, runs = 0;

            for (const struct tcp_run *run = s->front; run != NULL; run = run->next) {
                must(run->begin <= run->end);
                must(run->next == NULL || run->end < run->next->begin);
                must(run->wait_count <= TCP_WAITS_MAX);
                held += run->held;
                runs++;
            }
            must(held == s->held && runs == s->run_count);
            must(s->held <= TCP_HELD_MAX + 4096 && runs <= TCP_RUNS_MAX);
        }
    }
}

static void send_one(struct fuzz *z, unsigned dir, uint32_t seq, uint32_t ack, uint8_t flags,
                     const uint8_t *payload, uint32_t size, uint32_t captured)
{
    struct rdc_packet *p = &z->pkt;
    uint8_t *copy = malloc(captured > 0 ? captured : 1);

    if (copy == NULL)
        return;
    if (captured > 0)
        memcpy(copy, payload, captured);
    p->frame++;
    p->src[3] = (uint8_t)(1 + dir);
    p->dst[3] = (uint8_t)(2 - dir);
    p->src_port = (uint16_t)(dir == 0 ? 40000 : 4000);
    p->dst_port = (uint16_t)(dir == 0 ? 4000 : 40000);
    p->wire_size = 66 + size;
    p->captured_size = 66 + captured;
    p->truncated = captured < size;
    p->tcp.seq = seq;
    p->tcp.ack = ack;
    p->tcp.flags = flags;
    p->tcp.payload_size = size;
    p->tcp.payload_captured = captured;
    p->tcp.payload = captured > 0 ? copy : NULL;
    flow_packet(z->engine, p);
    free(copy);
    check_bounds(z);
}

static void record(struct fuzz *z, const uint8_t *r, uint32_t snap)
{
    unsigned dir = r[0] & BACK;
    struct side *s = &z->sides[dir];
    uint32_t place = rdc_be16(r + 1), size = rdc_be16(r + 3) % 9000, captured;
    uint8_t noise[9000], flags = RDC_TCP_ACK;
    const uint8_t *bytes;

    if ((r[0] & RELATIVE) != 0)
        place = s->next + r[1] - (r[1] >= 128 ? 256u : 0u);
    place %= s->size;
    if (size > s->size - place)
        size = s->size - place;
    bytes = s->bytes + place;
    if ((r[0] & NOISE) != 0 || r[7] != 0) {
        memcpy(noise, bytes, size);
        if (size > 0)
            noise[place % size] ^= (uint8_t)(r[7] | 1);
        bytes = noise;
        z->damaged = true;
    }
    captured = snap != 0 && snap < size ? snap : size;
    flags |= (uint8_t)((r[0] & FIN ? RDC_TCP_FIN : 0) | (r[0] & RST ? RDC_TCP_RST : 0));
    z->pkt.time_ns += (int64_t)r[5] * 1000;
    z->pkt.tcp.has_timestamps = (z->choices & STAMPS) != 0;
    z->pkt.tcp.ts_value = (uint32_t)(z->pkt.time_ns >> 15);
    z->pkt.tcp.ts_echo = z->pkt.tcp.ts_value - r[6] % 16;
    z->pkt.tcp.has_dsack = (z->choices & TWICE) != 0 && (r[5] & 2) != 0;
    z->pkt.tcp.dsack_begin = z->sides[1 - dir].isn + 1 + (uint32_t)r[6] * 256;
    z->pkt.tcp.dsack_end = z->pkt.tcp.dsack_begin + (uint32_t)r[5] * 32;
    z->pkt.tcp.window = (r[0] & CLOSED) != 0 ? 0 : 100;
    z->pkt.ip.id = (uint16_t)(z->pkt.ip.id + (r[5] & 1));
    if ((r[0] & (SYN | JUMP)) == (SYN | JUMP)) {
        z->damaged = true;
        send_one(z, dir, s->isn + (uint32_t)r[6] * 0x10001, 0, RDC_TCP_SYN, NULL, 0, 0);
        return;
    }
    if ((r[0] & JUMP) != 0) {
        z->damaged = true;
        place += (uint32_t)r[6] << 24;
    }
    s->next = place + size;
    send_one(z, dir, s->isn + 1 + place, z->sides[1 - dir].isn + 1 + (uint32_t)r[6] * 256, flags,
             bytes, size, captured);
}

static void check_end(const struct fuzz *z)
{
    struct flow_connection c;
    uint64_t fpdus = 0;

    for (size_t i = 0; i < flow_connection_count(z->engine); i++) {
        flow_connection_get(z->engine, i, &c);
        for (unsigned d = 0; d < 2; d++) {
            const struct flow_iwarp *w = d == 0 ? c.a_to_b.iwarp : c.b_to_a.iwarp;
            const struct flow_counters *n = flow_counters_of(&c, d == 0);

            if (w == NULL)
                continue;
            must(w->fpdus == w->crc_ok + w->crc_bad + w->crc_off + w->crc_unseen);
            must(w->markers_bad <= w->fpdus);
            must(w->stag_count <= FLOW_STAGS_MAX && (w->stag_count > 0 || w->stags_forgotten == 0));
            must(n->lost_after_tap <= n->retransmitted_packets);
            must(n->spurious <= n->retransmitted_packets);
            fpdus += w->fpdus;
        }
    }
    must(fpdus == z->fpdus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz *z;
    struct flow_config config = {.max_held_bytes = 1 << 20};
    struct flow_sink sink = {.event = on_event, .fpdu = on_fpdu};

    if (size < CHOICES || (z = calloc(1, sizeof(*z))) == NULL)
        return 0;
    sink.context = z;
    z->engine = flow_engine_new(&config, &sink);
    z->pkt = (struct rdc_packet){.kind = RDC_KIND_TCP,
                                 .address_kind = RDC_ADDRESS_IPV4,
                                 .time_ns = 1000000,
                                 .src = {10},
                                 .dst = {10}};
    z->choices = data[0];
    z->exact = (data[0] & (HANDSHAKE | CRC)) == (HANDSHAKE | CRC);
    for (unsigned d = 0; d < 2; d++) {
        z->sides[d].isn = (uint32_t)data[1] << 24 | (uint32_t)d << 8;
        make(&z->sides[d], d == 1, data[0], data[3]);
    }
    if ((data[0] & HANDSHAKE) != 0) {
        send_one(z, 0, z->sides[0].isn, 0, RDC_TCP_SYN, NULL, 0, 0);
        send_one(z, 1, z->sides[1].isn, z->sides[0].isn + 1, RDC_TCP_SYN | RDC_TCP_ACK, NULL, 0, 0);
        for (unsigned d = 0; d < 2; d++)
            send_one(z, d, z->sides[d].isn + 1, z->sides[1 - d].isn + 1, RDC_TCP_ACK,
                     z->sides[d].bytes, z->sides[d].origin, z->sides[d].origin);
    }
    for (size_t i = 0; CHOICES + (i + 1) * RECORD <= size && i < SEGMENTS_MAX; i++)
        record(z, data + CHOICES + i * RECORD, data[2]);
    flow_finish(z->engine);
    check_end(z);
    flow_engine_free(z->engine);
    free(z);
    return 0;
}
