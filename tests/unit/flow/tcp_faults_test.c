/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What goes wrong with the TCP below iWARP, and with iWARP on it: missing, copied, cut and damaged
 * segments, closed windows, broken framing; and that bounds hold.
 */
#include "tcp_sim.h"

static struct sim *make(bool crc, unsigned fpdus, uint16_t size)
{
    struct sim *s = sim_new();

    sim_start_up(s, SIM_SENDER, false, crc, false, 0);
    sim_start_up(s, SIM_PEER, false, crc, false, 0);
    for (unsigned i = 0; i < fpdus; i++)
        sim_send(&s->sides[0], size);
    sim_restart(s);
    sim_handshake(s);
    return s;
}

static void send_fpdu(struct sim *s, uint32_t i)
{
    sim_segment(s, 0, s->sides[0].fpdus[i].at, s->sides[0].fpdus[i].total);
}

static struct flow_connection finish(struct sim *s)
{
    struct flow_connection c;

    flow_finish(s->engine);
    assert_int_equal(flow_connection_count(s->engine), 1);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.id, 1);
    return c;
}

/* A segment that the capture missed: the peer acknowledges it. */
static void check_hole(void **state)
{
    struct sim *s = make(true, 4, 500);
    uint32_t missing = s->sides[0].fpdus[1].total, at = s->sides[0].fpdus[1].at;
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    send_fpdu(s, 2);
    assert_int_equal(s->found_count, 2); /* it does not wait */
    assert_int_equal(sim_count_events(s, FLOW_TCP_GAP), 0);
    sim_ack(s, s->sides[0].fpdus[3].at);
    assert_int_equal(sim_event(s, FLOW_TCP_GAP)->gap_bytes, missing);
    assert_int_equal(sim_event(s, FLOW_TCP_GAP)->psn, s->isn[0] + 1 + at);
    send_fpdu(s, 3);
    assert_int_equal(s->found_count, 3);
    assert_int_equal(sim_count_events(s, FLOW_MSN_GAP), 0);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->gaps, 1);
    assert_int_equal(c.a_to_b.counters->not_captured, 1);
    assert_int_equal(c.a_to_b.iwarp->tcp_hole_bytes, missing);
    assert_int_equal(c.a_to_b.counters->messages[RDC_OP_SEND], 3);
    sim_free(s);
}

/* Looking ahead changes nothing. */
static void check_preview(void **state)
{
    struct sim *s = make(true, 4, 500);
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    send_fpdu(s, 2);
    for (unsigned i = 0; i < 3; i++) {
        flow_preview(s->engine);
        flow_connection_get(s->engine, 0, &c);
        assert_int_equal(c.a_to_b.counters->holes_open, 1);
    }
    send_fpdu(s, 1);
    send_fpdu(s, 3);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OK);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->holes_open, 0);
    sim_free(s);
}

/* The acknowledgement was captured before the segment. */
static void check_late_after_gap(void **state)
{
    struct sim *s = make(true, 4, 500);

    (void)state;
    send_fpdu(s, 0);
    send_fpdu(s, 2);
    sim_ack(s, s->sides[0].fpdus[3].at);
    send_fpdu(s, 1);
    send_fpdu(s, 3);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OK);
    assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 0);
    sim_free(s);
}

/* The hole is within an FPDU: where it ends is known, the FPDUs behind it are found without CRC. */
static void check_hole_within_fpdu(void **state)
{
    struct sim *s = make(false, 4, 3000);
    const struct sim_bytes *b = &s->sides[0];

    (void)state;
    sim_segment(s, 0, b->fpdus[0].at, 1000);
    sim_segment(s, 0, b->fpdus[0].at + 2000, b->fpdus[1].at - b->fpdus[0].at - 2000 + 500);
    sim_segment(s, 0, b->fpdus[1].at + 500, b->size - b->fpdus[1].at - 500);
    assert_int_equal(s->found_count, 3);
    sim_segment(s, 0, b->fpdus[0].at + 1000, 1000);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OFF);
    sim_free(s);
}

static void check_resent_or_late(void **state)
{
    struct sim *s = make(true, 6, 100);
    uint16_t opened;

    (void)state;
    s->id = 100;
    send_fpdu(s, 0);
    s->id++; /* of the segment that is missing */
    send_fpdu(s, 2);
    opened = s->id;
    s->id = 101;
    send_fpdu(s, 1);
    assert_int_equal(sim_count_events(s, FLOW_TCP_OUT_OF_ORDER), 1);
    assert_int_equal(sim_event(s, FLOW_TCP_OUT_OF_ORDER)->late.packets, 1);
    s->id = opened;
    send_fpdu(s, 4);
    send_fpdu(s, 3);
    assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 1);
    assert_int_equal(sim_event(s, FLOW_TCP_RETRANSMISSION)->original_frame, 0);
    assert_true(sim_event(s, FLOW_TCP_RETRANSMISSION)->certain);
    sim_free(s);
}

/* Without identifications the time tells; the user can say how long reordering delays. */
static void check_reorder_window(void **state)
{
    static const struct {
        int64_t window_ns;
        enum flow_event_kind kind;
        bool certain;
    } rows[] = {{0, FLOW_TCP_OUT_OF_ORDER, false},
                {1000, FLOW_TCP_RETRANSMISSION, true},
                {1000000000, FLOW_TCP_OUT_OF_ORDER, true}};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct sim *s = make(true, 3, 100);

        s->config.reorder_window_ns = rows[i].window_ns;
        sim_restart(s);
        sim_handshake(s);
        send_fpdu(s, 0);
        send_fpdu(s, 2);
        send_fpdu(s, 1);
        assert_int_equal(sim_count_events(s, rows[i].kind), 1);
        assert_int_equal(sim_event(s, rows[i].kind)->certain, rows[i].certain);
        sim_free(s);
    }
}

/* The same packet twice is a copy; sent again it is not. */
static void check_copies(void **state)
{
    struct sim *s = make(true, 3, 100);
    struct flow_connection c;

    (void)state;
    s->id = 7;
    send_fpdu(s, 0);
    s->id = 7;
    send_fpdu(s, 0);
    send_fpdu(s, 0);
    send_fpdu(s, 1);
    assert_int_equal(sim_count_events(s, FLOW_DUPLICATE), 1);
    assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 1);
    assert_int_equal(sim_event(s, FLOW_DUPLICATE)->original_frame, 5);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->duplicates, 1);
    assert_int_equal(c.a_to_b.counters->retransmitted_packets, 1);
    assert_int_equal(c.a_to_b.counters->retransmitted_bytes, s->sides[0].fpdus[0].total);
    assert_int_equal(c.a_to_b.iwarp->fpdus, 2);
    sim_free(s);
}

static void check_conflict(void **state)
{
    struct sim *s = make(true, 2, 100);
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    s->sides[0].bytes[s->sides[0].fpdus[0].at + 40] ^= 1;
    send_fpdu(s, 0);
    send_fpdu(s, 1);
    c = finish(s);
    assert_int_equal(c.a_to_b.iwarp->conflicts, 1);
    assert_int_equal(c.a_to_b.iwarp->crc_ok, 2); /* the first bytes stay */
    sim_free(s);
}

static void check_keep_alive(void **state)
{
    struct sim *s = make(true, 2, 100);
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    sim_segment(s, 0, s->sides[0].fpdus[1].at - 1, 1);
    sim_segment(s, 0, s->sides[0].fpdus[1].at - 1, 0);
    sim_segment(s, 0, s->sides[0].fpdus[1].at, 0); /* a plain acknowledgement */
    send_fpdu(s, 1);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OK);
    assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 0);
    c = finish(s);
    assert_int_equal(c.a_to_b.iwarp->keep_alives, 2);
    sim_free(s);
}

/* A closed window is probed with one byte, which comes again with the next segment. */
static void close_window(struct sim *s)
{
    struct rdc_packet pkt = {.frame = ++s->frame,
                             .time_ns = s->now_ns,
                             .kind = RDC_KIND_TCP,
                             .address_kind = RDC_ADDRESS_IPV4,
                             .src = {10, 0, 0, 2},
                             .dst = {10, 0, 0, 1},
                             .src_port = 4000,
                             .dst_port = 40000,
                             .wire_size = 66};

    pkt.tcp = (struct rdc_tcp){.seq = s->isn[1] + 1 + s->sides[1].size,
                               .ack = s->isn[0] + 1 + s->sides[0].fpdus[1].at,
                               .flags = RDC_TCP_ACK,
                               .window_scale = -1};
    flow_packet(s->engine, &pkt);
}

static void check_window_probe(void **state)
{
    struct sim *s = make(true, 3, 100);
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    close_window(s);
    s->now_ns += 5000000;
    sim_segment(s, 0, s->sides[0].fpdus[1].at, 1);
    sim_ack(s, s->sides[0].fpdus[1].at);
    send_fpdu(s, 1);
    send_fpdu(s, 2);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OK);
    assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 0);
    assert_true(sim_event(s, FLOW_ZERO_WINDOW)->timer_ns >= 5000000);
    c = finish(s);
    assert_int_equal(c.b_to_a.iwarp->zero_windows, 1);
    assert_int_equal(c.b_to_a.iwarp->open_zero_window_ns, 0);
    sim_free(s);
}

/* It is closed when the capture ends. */
static void check_window_stays_closed(void **state)
{
    struct sim *s = make(true, 3, 100);
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    close_window(s);
    s->now_ns += 7000000 - 10000;
    sim_segment(s, 0, s->sides[0].fpdus[1].at, 1);
    for (unsigned i = 0; i < 2; i++) {
        flow_preview(s->engine);
        flow_connection_get(s->engine, 0, &c);
        assert_int_equal(c.b_to_a.iwarp->open_zero_window_ns, 7000000);
    }
    c = finish(s);
    assert_int_equal(c.b_to_a.iwarp->zero_windows, 1);
    assert_int_equal(c.b_to_a.iwarp->zero_window_ns, 0);
    assert_int_equal(c.b_to_a.iwarp->open_zero_window_ns, 7000000);
    assert_int_equal(c.a_to_b.iwarp->open_zero_window_ns, 0);
    sim_free(s);
}

/* The snap length cuts every segment: headers are seen, CRCs are not checked, framing holds. */
static void check_cut_segments(void **state)
{
    struct sim *s = make(true, 8, 1000);
    const struct sim_bytes *b = &s->sides[0];

    (void)state;
    s->captured = 34;
    for (uint32_t i = 0; i < 4; i++)
        send_fpdu(s, i);
    for (uint32_t i = 4; i < 8; i++) { /* four bytes go in a segment of their own */
        sim_segment(s, 0, b->fpdus[i].at, b->fpdus[i].total - 4);
        assert_int_equal(s->found_count, i + 1);
        sim_segment(s, 0, b->fpdus[i].at + b->fpdus[i].total - 4, 4);
    }
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_UNSEEN);
    assert_int_equal(sim_count_events(s, FLOW_FRAMING), 0);
    sim_free(s);
}

/* Several FPDUs in a cut segment: those that begin in the captured part */
static void check_cut_in_second(void **state)
{
    struct sim *s = make(true, 6, 60);
    const struct sim_bytes *b = &s->sides[0];

    (void)state;
    s->captured = b->fpdus[0].total + 30;
    sim_segment(s, 0, b->fpdus[0].at, b->fpdus[4].at - b->fpdus[0].at);
    assert_int_equal(s->found_count, 2);
    assert_int_equal(s->found[0].crc, FPDU_CRC_OK);
    assert_int_equal(s->found[1].crc, FPDU_CRC_UNSEEN);
    s->captured = 0;
    send_fpdu(s, 4);
    send_fpdu(s, 5);
    assert_int_equal(s->found_count, 4);
    sim_free(s);
}

static void check_bad_crc(void **state)
{
    struct sim *s = make(true, 4, 200);
    const struct flow_fpdu *f;
    struct flow_connection c;
    unsigned count;

    (void)state;
    s->sides[0].bytes[s->sides[0].fpdus[1].at + 60] ^= 0x40;
    for (uint32_t i = 0; i < 4; i++)
        send_fpdu(s, i);
    assert_int_equal(s->found_count, 4);
    f = sim_find(s, 0, s->sides[0].fpdus[1].at, &count);
    assert_int_equal(f->crc, FPDU_CRC_BAD);
    assert_int_equal(f->notes, RDC_NOTE_BIT(FPDU_CRC_BAD));
    assert_int_equal(sim_event(s, FLOW_CRC_BAD)->psn, s->isn[0] + 1 + s->sides[0].fpdus[1].at);
    c = finish(s);
    assert_int_equal(c.a_to_b.iwarp->crc_bad, 1);
    assert_int_equal(c.a_to_b.iwarp->crc_ok, 3);
    assert_int_equal(c.a_to_b.counters->icrc_bad, 1);
    sim_free(s);
}

/* A damaged length: framing is lost there, and found again at the next segment */
static void check_damaged_length(void **state)
{
    struct sim *s = make(true, 5, 200);

    (void)state;
    s->sides[0].bytes[s->sides[0].fpdus[1].at + 1] ^= 0x04;
    for (uint32_t i = 0; i < 5; i++)
        send_fpdu(s, i);
    assert_int_equal(s->found_count, 4);
    assert_int_equal(sim_count_events(s, FLOW_FRAMING), 2);
    sim_free(s);
}

static void check_msn_gap(void **state)
{
    struct sim *s = make(true, 1, 100);

    (void)state;
    s->sides[0].msn = 5;
    sim_send(&s->sides[0], 100);
    sim_send(&s->sides[0], 100);
    for (uint32_t i = 0; i < 3; i++)
        send_fpdu(s, i);
    assert_int_equal(sim_count_events(s, FLOW_MSN_GAP), 1);
    assert_int_equal(sim_event(s, FLOW_MSN_GAP)->psn, 2);
    assert_int_equal(sim_event(s, FLOW_MSN_GAP)->count, 3);
    sim_free(s);
}

/* A READ of 3000 bytes, answered in three segments; an atomic */
static void check_requests(void **state)
{
    struct sim *s = sim_new();
    uint8_t read[RDC_RDMAP_READ_REQUEST_LEN] = {0}, atomic[RDC_RDMAP_ATOMIC_REQUEST_LEN] = {0};
    uint8_t original[RDC_RDMAP_ATOMIC_RESPONSE_LEN] = {0}, u[RDC_DDP_TAGGED_LEN + 1000] = {0};
    struct flow_connection c;

    (void)state;
    sim_start_up(s, SIM_SENDER, false, true, false, 0);
    sim_start_up(s, SIM_PEER, false, true, false, 0);
    sim_be(read, 0x77, 4);
    sim_be(read + 4, 0x10000, 8);
    sim_be(read + 12, 3000, 4);
    sim_untagged(&s->sides[0], RDC_RDMAP_READ_REQUEST, 1, 1, 0, read, sizeof(read), true);
    sim_be(atomic + 4, 9, 4);
    atomic[3] = RDC_RDMAP_FETCH_ADD;
    sim_untagged(&s->sides[0], RDC_RDMAP_ATOMIC_REQUEST, 1, 2, 0, atomic, sizeof(atomic), true);
    for (unsigned i = 0; i < 3; i++) {
        u[0] = i == 2 ? 0xc1 : 0x81;
        u[1] = 0x40 | RDC_RDMAP_READ_RESPONSE;
        sim_be(u + 2, 0x77, 4);
        sim_be(u + 6, 0x10000 + 1000 * i, 8);
        sim_fpdu(&s->sides[1], u, sizeof(u));
    }
    sim_be(original, 9, 4);
    sim_untagged(&s->sides[1], RDC_RDMAP_ATOMIC_RESPONSE, 3, 1, 0, original, sizeof(original),
                 true);
    sim_restart(s);
    sim_handshake(s);
    sim_segment(s, 0, s->sides[0].origin, s->sides[0].size - s->sides[0].origin);
    sim_segment(s, 1, s->sides[1].origin, s->sides[1].size - s->sides[1].origin);
    assert_int_equal(s->found_count, 6);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->messages[RDC_OP_READ], 1);
    assert_int_equal(c.a_to_b.counters->messages[RDC_OP_FETCH_ADD], 1);
    assert_int_equal(c.a_to_b.iwarp->max_outstanding_reads, 2);
    assert_int_equal(c.a_to_b.iwarp->reads_unanswered, 0);
    assert_int_equal(c.a_to_b.times->message_latency.count, 2);
    assert_int_equal(c.b_to_a.counters->payload_bytes, 3000);
    sim_free(s);
}

static void check_terminate(void **state)
{
    struct sim *s = make(true, 1, 100);
    uint8_t control[4] = {0x01, 0x00, 0, 0}; /* RDMAP, remote protection error, invalid STag */
    struct flow_connection c;

    (void)state;
    sim_untagged(&s->sides[0], RDC_RDMAP_TERMINATE, 2, 1, 0, control, sizeof(control), true);
    send_fpdu(s, 0);
    send_fpdu(s, 1);
    assert_int_equal(sim_event(s, FLOW_TERMINATE)->terminate.layer, 0);
    assert_int_equal(sim_event(s, FLOW_TERMINATE)->terminate.type, 1);
    assert_int_equal(sim_event(s, FLOW_TERMINATE)->terminate.code, 0);
    c = finish(s);
    assert_int_equal(c.state, FLOW_STATE_ERROR);
    sim_free(s);
}

static void check_reject(void **state)
{
    struct sim *s = sim_new();

    (void)state;
    sim_start_up(s, SIM_SENDER, false, true, false, 20);
    sim_start_up(s, SIM_PEER, false, true, true, 5);
    sim_restart(s);
    sim_handshake(s);
    assert_int_equal(s->mpa_count, 2);
    assert_true(s->mpa[1].reject);
    assert_int_equal(sim_count_events(s, FLOW_MPA), 2);
    sim_free(s);
}

/* Between peers the first message may be an empty FPDU (RFC 6581, 9.2). */
static void check_empty_fpdu(void **state)
{
    const bool *crc = *state;
    struct sim *s = sim_new();
    struct sim_bytes *b = &s->sides[0];
    static const uint8_t ulpdu[2];

    sim_start_up(s, SIM_SENDER, false, *crc, false, 0);
    sim_start_up(s, SIM_PEER, true, *crc, false, 0);
    sim_fpdu(b, ulpdu, 0);
    sim_send(b, 100);
    sim_restart(s);
    sim_handshake(s);
    for (uint32_t at = b->origin; at < b->size; at += 5)
        sim_segment(s, 0, at, b->size - at < 5 ? b->size - at : 5);
    assert_int_equal(s->found_count, 2);
    assert_int_equal(s->found[0].length, 0);
    assert_false(s->found[0].ddp_set);
    assert_int_equal(s->found[0].notes, 0);
    assert_int_equal(s->found[1].length, b->fpdus[1].length);
    assert_int_equal(sim_count_events(s, FLOW_FRAMING), 0);
    assert_int_equal(sim_count_events(s, FLOW_CRC_BAD), 0);
    sim_free(s);
}

static const struct odd {
    uint32_t spacing, shift;
    bool swapped, crc;
} odds[] = {
    {512, 256, false, true}, {512, 0, true, true},   {516, 0, false, true},
    {516, 128, true, true},  {516, 0, false, false}, {508, 64, true, false},
};

/* FPDUs are found all the same, and noted. */
static void check_odd_markers(void **state)
{
    const struct odd *odd = *state;
    struct sim *s = sim_new();
    struct sim_bytes *b = &s->sides[0];
    uint32_t found_bad = 0;

    sim_start_up(s, SIM_SENDER, false, odd->crc, false, 0);
    sim_start_up(s, SIM_PEER, true, odd->crc, false, 0);
    b->odd_spacing = odd->spacing;
    b->swapped = odd->swapped;
    b->origin -= odd->shift;
    for (unsigned i = 0; i < 12; i++)
        sim_write(b, 1, i * 700, (uint16_t)(700 + 4 * i), true);
    b->origin += odd->shift;
    sim_restart(s);
    sim_handshake(s);
    for (uint32_t i = 0; i < b->count; i++)
        send_fpdu(s, i);
    assert_int_equal(s->found_count, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        assert_int_equal(s->found[i].crc, odd->crc ? FPDU_CRC_OK : FPDU_CRC_OFF);
        assert_int_equal(s->found[i].length, b->fpdus[i].length);
        assert_int_equal(s->found[i].ddp.to, i * 700);
        found_bad += (s->found[i].notes & RDC_NOTE_BIT(MARKER_BAD)) != 0;
    }
    assert_true(found_bad > 0);
    assert_int_equal(sim_count_events(s, FLOW_CRC_BAD), 0);
    sim_free(s);
}

/* Every second segment is missing, for ever: lost or missed, only an acknowledgement tells. */
static void check_endless_holes(void **state)
{
    const bool acknowledged = *state != NULL;
    struct sim *s = make(true, 1, 1400);
    uint8_t payload[1400];
    struct flow_connection c;

    send_fpdu(s, 0);
    sim_fill(payload, sizeof(payload), 1);
    for (uint32_t i = 0; i < 20000; i++)
        sim_packet(s, 0, s->isn[0] + 1 + 100000 + 2800 * i, s->isn[1] + 1, RDC_TCP_ACK, payload,
                   sizeof(payload));
    if (acknowledged)
        sim_packet(s, 1, s->isn[1] + 1, s->isn[0] + 1 + 100000 + 2800 * 20000 - 1400, RDC_TCP_ACK,
                   NULL, 0);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->holes_open, acknowledged ? 0 : 20000);
    assert_int_equal(c.a_to_b.counters->not_captured, acknowledged ? 20000 : 0);
    assert_int_equal(c.a_to_b.counters->gaps, acknowledged ? 20000 : 0);
    assert_int_equal(c.a_to_b.iwarp->fpdus, 1);
    sim_free(s);
}

/* Bytes of an FPDU that never ends are held up to the longest FPDU, not more. */
static void check_held_bytes(void **state)
{
    struct sim *s = make(true, 1, 100);
    uint8_t payload[1000] = {0xff, 0xf0, 0xc1, 0x40};
    struct flow_connection c;

    (void)state;
    send_fpdu(s, 0);
    for (uint32_t i = 0; i < 5000; i++)
        sim_packet(s, 0, s->isn[0] + 1 + s->sides[0].size + 1000 * i, s->isn[1] + 1, RDC_TCP_ACK,
                   payload, sizeof(payload));
    c = finish(s);
    assert_int_equal(c.a_to_b.iwarp->fpdus, 1);
    assert_true(c.a_to_b.iwarp->framing_lost > 0);
    sim_free(s);
}

int main(void)
{
    static bool on = true, off = false;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_hole),
        cmocka_unit_test(check_preview),
        cmocka_unit_test(check_late_after_gap),
        cmocka_unit_test(check_hole_within_fpdu),
        cmocka_unit_test(check_resent_or_late),
        cmocka_unit_test(check_reorder_window),
        cmocka_unit_test(check_copies),
        cmocka_unit_test(check_conflict),
        cmocka_unit_test(check_keep_alive),
        cmocka_unit_test(check_window_probe),
        cmocka_unit_test(check_window_stays_closed),
        cmocka_unit_test(check_cut_segments),
        cmocka_unit_test(check_cut_in_second),
        cmocka_unit_test(check_bad_crc),
        cmocka_unit_test(check_damaged_length),
        cmocka_unit_test(check_msn_gap),
        cmocka_unit_test(check_requests),
        cmocka_unit_test(check_terminate),
        cmocka_unit_test(check_reject),
        {"empty FPDU, CRC", check_empty_fpdu, NULL, NULL, &on},
        {"empty FPDU", check_empty_fpdu, NULL, NULL, &off},
        {"markers from elsewhere", check_odd_markers, NULL, NULL, (void *)(uintptr_t)&odds[0]},
        {"markers swapped", check_odd_markers, NULL, NULL, (void *)(uintptr_t)&odds[1]},
        {"markers drift", check_odd_markers, NULL, NULL, (void *)(uintptr_t)&odds[2]},
        {"markers drift swapped", check_odd_markers, NULL, NULL, (void *)(uintptr_t)&odds[3]},
        {"markers drift no crc", check_odd_markers, NULL, NULL, (void *)(uintptr_t)&odds[4]},
        {"markers drift swapped no crc", check_odd_markers, NULL, NULL,
         (void *)(uintptr_t)&odds[5]},
        {"endless holes", check_endless_holes, NULL, NULL, NULL},
        {"endless holes, acknowledged", check_endless_holes, NULL, NULL, &on},
        cmocka_unit_test(check_held_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
