/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Made iWARP connections: bytes of both directions, cut into segments as a test likes, and what the
 * engine found in them.
 */
#ifndef UNIT_FLOW_TCP_SIM_H
#define UNIT_FLOW_TCP_SIM_H

#include <stdio.h>

#include "flow/flow.h"
#include "rdc/crc.h"
#include "rdc/iwarp.h"
#include "support.h"

enum {
    SIM_ROOM = 1 << 18,
    SIM_FPDUS = 4096,
    SIM_EVENTS = 4096,
    SIM_SENDER = 0, /* the direction whose segments the tests play with */
    SIM_PEER = 1,
};

/* What one side sends */
struct sim_bytes {
    uint8_t *bytes; /* SIM_ROOM */
    uint32_t size;
    uint32_t origin; /* where full operation begins */
    bool markers, crc;
    /* senders that do not keep to RFC 5044: another distance of markers, or their bytes swapped */
    uint32_t odd_spacing;
    bool swapped;
    struct {
        uint32_t at, total;
        uint16_t length;
        uint8_t opcode;
    } fpdus[SIM_FPDUS];
    uint32_t count;
    uint32_t msn;
};

struct sim {
    struct flow_engine *engine;
    struct flow_config config; /* for sim_restart() */
    struct sim_bytes sides[2];
    uint32_t isn[2];
    uint64_t frame;
    int64_t now_ns;
    uint16_t id;       /* of the next segment; 0: none */
    uint32_t captured; /* bytes of each payload; 0: all */
    uint16_t port;     /* of the sender */
    uint32_t ts[2];    /* time stamps of the next segment, by the side that sends it; 0: none */
    uint32_t dsack_at,
        dsack_size; /* bytes of the sender that the peer's next segment says came twice */
    struct flow_fpdu found[SIM_FPDUS];
    uint64_t found_frame[SIM_FPDUS];
    uint32_t found_count;
    struct rdc_mpa mpa[8];
    uint32_t mpa_count;
    struct flow_event events[SIM_EVENTS];
    uint32_t event_count;
};

static inline void sim_on_mpa(void *context, const struct rdc_mpa *frame)
{
    struct sim *s = context;

    assert_true(s->mpa_count < SUPPORT_COUNT(s->mpa));
    s->mpa[s->mpa_count++] = *frame;
}

static inline void sim_on_fpdu(void *context, const struct flow_fpdu *fpdu)
{
    struct sim *s = context;

    assert_true(s->found_count < SIM_FPDUS);
    s->found_frame[s->found_count] = s->frame;
    s->found[s->found_count++] = *fpdu;
}

static inline uint64_t sim_on_event(void *context, const struct flow_event *event)
{
    struct sim *s = context;

    if (s->event_count < SIM_EVENTS)
        s->events[s->event_count++] = *event;
    return 0;
}

static inline struct sim *sim_new(void)
{
    struct sim *s = calloc(1, sizeof(*s));

    assert_non_null(s);
    for (unsigned d = 0; d < 2; d++) {
        s->sides[d].bytes = malloc(SIM_ROOM);
        assert_non_null(s->sides[d].bytes);
        s->sides[d].msn = 1;
    }
    s->isn[0] = 1000;
    s->isn[1] = 5000;
    s->port = 40000;
    s->now_ns = 1000000000;
    return s;
}

/* A fresh engine for the same bytes */
static inline void sim_restart(struct sim *s)
{
    struct flow_sink sink = {
        .context = s, .event = sim_on_event, .mpa = sim_on_mpa, .fpdu = sim_on_fpdu};

    flow_engine_free(s->engine);
    s->engine = flow_engine_new(&s->config, &sink);
    assert_non_null(s->engine);
    s->frame = 0;
    s->now_ns = 1000000000;
    s->found_count = s->mpa_count = s->event_count = 0;
}

static inline void sim_free(struct sim *s)
{
    flow_engine_free(s->engine);
    free(s->sides[0].bytes);
    free(s->sides[1].bytes);
    free(s);
}

/* ------------------------------------------------------------------ bytes */

static inline void sim_put(struct sim_bytes *b, const void *bytes, uint32_t size)
{
    assert_true(b->size + size <= SIM_ROOM);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static inline void sim_be(uint8_t *p, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> 8 * (size - 1 - i));
}

/* `wants_markers` of the reader of the other side's bytes; `private_size` bytes of private data */
static inline void sim_start_up(struct sim *s, unsigned dir, bool wants_markers, bool crc,
                                bool reject, uint16_t private_size)
{
    struct sim_bytes *b = &s->sides[dir];
    uint8_t head[RDC_MPA_HEADER_LEN];
    uint8_t zero[RDC_MPA_PRIVATE_MAX] = {0};

    memcpy(head, dir == SIM_SENDER ? "MPA ID Req Frame" : "MPA ID Rep Frame", RDC_MPA_KEY_LEN);
    head[16] = (uint8_t)((wants_markers ? 0x80 : 0) | (crc ? 0x40 : 0) | (reject ? 0x20 : 0));
    head[17] = 1;
    sim_be(head + 18, private_size, 2);
    sim_put(b, head, sizeof(head));
    sim_put(b, zero, private_size);
    b->origin = b->size;
    s->sides[1 - dir].markers = wants_markers;
    for (unsigned d = 0; d < 2; d++)
        s->sides[d].crc |= crc;
}

/* One FPDU, with markers where they belong (RFC 5044, 4.3) */
static inline void sim_fpdu(struct sim_bytes *b, const uint8_t *ulpdu, uint16_t length)
{
    uint32_t start = b->size, pad = rdc_fpdu_pad(length), at = 0;
    uint32_t plain = RDC_FPDU_LENGTH_LEN + length + pad;
    uint32_t spacing = b->odd_spacing != 0 ? b->odd_spacing : RDC_MARKER_SPACING;
    uint32_t crc;

    for (;;) {
        uint8_t byte = 0;

        if (b->markers && (b->size - b->origin) % spacing == 0) {
            uint8_t marker[RDC_MARKER_LEN] = {0};
            uint32_t back = b->size - start;

            sim_be(marker + 2, b->swapped ? back >> 8 | (back & 0xff) << 8 : back, 2);
            sim_put(b, marker, sizeof(marker));
        }
        if (at == plain)
            break;
        if (at < RDC_FPDU_LENGTH_LEN)
            byte = (uint8_t)(length >> 8 * (1 - at));
        else if (at < RDC_FPDU_LENGTH_LEN + (uint32_t)length)
            byte = ulpdu[at - RDC_FPDU_LENGTH_LEN];
        sim_put(b, &byte, 1);
        at++;
    }
    crc =
        b->crc
            ? rdc_crc32c_done(rdc_crc32c_update(RDC_CRC32C_INIT, b->bytes + start, b->size - start))
            : 0;
    sim_put(
        b,
        (uint8_t[]){(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16), (uint8_t)(crc >> 24)},
        RDC_FPDU_CRC_LEN);
    assert_true(b->count < SIM_FPDUS);
    b->fpdus[b->count].at = start;
    b->fpdus[b->count].total = b->size - start;
    b->fpdus[b->count].length = length;
    b->fpdus[b->count++].opcode = ulpdu[1] & 0xf;
}

static inline void sim_fill(uint8_t *payload, uint32_t size, uint32_t seed)
{
    for (uint32_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        payload[i] = (uint8_t)(seed >> 24);
    }
}

static inline void sim_write(struct sim_bytes *b, uint32_t stag, uint64_t to, uint16_t size,
                             bool last)
{
    uint8_t *u = malloc((size_t)RDC_DDP_TAGGED_LEN + size);

    assert_non_null(u);
    u[0] = last ? 0xc1 : 0x81;
    u[1] = 0x40 | RDC_RDMAP_WRITE;
    sim_be(u + 2, stag, 4);
    sim_be(u + 6, to, 8);
    sim_fill(u + RDC_DDP_TAGGED_LEN, size, b->size);
    sim_fpdu(b, u, (uint16_t)(RDC_DDP_TAGGED_LEN + size));
    free(u);
}

static inline void sim_untagged(struct sim_bytes *b, uint8_t opcode, uint32_t qn, uint32_t msn,
                                uint32_t mo, const uint8_t *payload, uint16_t size, bool last)
{
    uint8_t *u = malloc((size_t)RDC_DDP_UNTAGGED_LEN + size);

    assert_non_null(u);
    u[0] = last ? 0x41 : 0x01;
    u[1] = (uint8_t)(0x40 | opcode);
    sim_be(u + 2, 0, 4);
    sim_be(u + 6, qn, 4);
    sim_be(u + 10, msn, 4);
    sim_be(u + 14, mo, 4);
    if (payload != NULL)
        memcpy(u + RDC_DDP_UNTAGGED_LEN, payload, size);
    else
        sim_fill(u + RDC_DDP_UNTAGGED_LEN, size, b->size + msn);
    sim_fpdu(b, u, (uint16_t)(RDC_DDP_UNTAGGED_LEN + size));
    free(u);
}

static inline void sim_send(struct sim_bytes *b, uint16_t size)
{
    sim_untagged(b, RDC_RDMAP_SEND, 0, b->msn++, 0, NULL, size, true);
}

/* ------------------------------------------------------------------ packets */

static inline void sim_packet(struct sim *s, unsigned dir, uint32_t seq, uint32_t ack,
                              uint8_t flags, const uint8_t *payload, uint32_t size)
{
    static const uint8_t hosts[2][4] = {{10, 0, 0, 1}, {10, 0, 0, 2}};
    struct rdc_packet pkt = {.frame = ++s->frame,
                             .time_ns = s->now_ns += 10000,
                             .kind = RDC_KIND_TCP,
                             .address_kind = RDC_ADDRESS_IPV4,
                             .layers = 1 << RDC_LAYER_IPV4 | 1 << RDC_LAYER_TCP};
    uint32_t captured = s->captured != 0 && s->captured < size ? s->captured : size;
    uint8_t *copy = support_copy(payload, captured);

    memcpy(pkt.src, hosts[dir], 4);
    memcpy(pkt.dst, hosts[1 - dir], 4);
    pkt.src_port = dir == SIM_SENDER ? s->port : 4000;
    pkt.dst_port = dir == SIM_SENDER ? 4000 : s->port;
    pkt.wire_size = 66 + size;
    pkt.captured_size = 66 + captured;
    pkt.truncated = captured < size;
    pkt.ip.id = s->id;
    if (s->id != 0)
        s->id++;
    pkt.tcp = (struct rdc_tcp){.seq = seq,
                               .ack = ack,
                               .window = 1000,
                               .flags = flags,
                               .window_scale = -1,
                               .payload_size = size,
                               .payload_captured = captured,
                               .payload = captured > 0 ? copy : NULL,
                               .has_timestamps = s->ts[dir] != 0,
                               .ts_value = s->ts[dir],
                               .ts_echo = s->ts[1 - dir]};
    if (dir == SIM_PEER && s->dsack_size > 0) {
        pkt.tcp.has_dsack = true;
        pkt.tcp.dsack_begin = s->isn[0] + 1 + s->dsack_at;
        pkt.tcp.dsack_end = pkt.tcp.dsack_begin + s->dsack_size;
    }
    flow_packet(s->engine, &pkt);
    support_free(copy, captured);
}

/* Bytes [at, at + size) of a side's stream */
static inline void sim_segment(struct sim *s, unsigned dir, uint32_t at, uint32_t size)
{
    sim_packet(s, dir, s->isn[dir] + 1 + at, s->isn[1 - dir] + 1, RDC_TCP_ACK,
               s->sides[dir].bytes + at, size);
}

/* The peer has everything before `at` of the sender's bytes. */
static inline void sim_ack(struct sim *s, uint32_t at)
{
    sim_packet(s, SIM_PEER, s->isn[1] + 1 + s->sides[1].size, s->isn[0] + 1 + at, RDC_TCP_ACK, NULL,
               0);
}

/* SYN, SYN-ACK, and what both sides have so far: their start-up frames */
static inline void sim_handshake(struct sim *s)
{
    sim_packet(s, 0, s->isn[0], 0, RDC_TCP_SYN, NULL, 0);
    sim_packet(s, 1, s->isn[1], s->isn[0] + 1, RDC_TCP_SYN | RDC_TCP_ACK, NULL, 0);
    sim_segment(s, 0, 0, s->sides[0].origin);
    sim_segment(s, 1, 0, s->sides[1].origin);
}

/* ------------------------------------------------------------------ what was found */

static inline const struct flow_fpdu *sim_find(const struct sim *s, unsigned dir, uint32_t at,
                                               unsigned *count)
{
    const struct flow_fpdu *found = NULL;

    *count = 0;
    for (uint32_t i = 0; i < s->found_count; i++) {
        if (s->found[i].tcp_seq != s->isn[dir] + 1 + at)
            continue;
        (*count)++;
        found = &s->found[i];
    }
    return found;
}

/* Each FPDU of a side from number `first` on was found once, and nothing else. */
static inline void sim_check(const struct sim *s, unsigned dir, uint32_t first, uint8_t crc)
{
    const struct sim_bytes *b = &s->sides[dir];

    for (uint32_t i = first; i < b->count; i++) {
        unsigned count;
        const struct flow_fpdu *f = sim_find(s, dir, b->fpdus[i].at, &count);

        if (f == NULL || count != 1) {
            fail_msg("FPDU %u at %u found %u times", i, b->fpdus[i].at, count);
            return;
        }
        assert_int_equal(f->length, b->fpdus[i].length);
        assert_int_equal(f->total, b->fpdus[i].total);
        assert_int_equal(f->crc, crc);
        assert_true(f->ddp_set);
        assert_int_equal(f->ddp.opcode, b->fpdus[i].opcode);
        assert_int_equal(f->notes, 0);
    }
    assert_int_equal(s->found_count, b->count - first);
}

static inline uint32_t sim_count_events(const struct sim *s, enum flow_event_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->event_count; i++)
        n += s->events[i].kind == kind;
    return n;
}

static inline const struct flow_event *sim_event(const struct sim *s, enum flow_event_kind kind)
{
    for (uint32_t i = 0; i < s->event_count; i++)
        if (s->events[i].kind == kind)
            return &s->events[i];
    fail_msg("no such event");
    return NULL;
}

#endif
