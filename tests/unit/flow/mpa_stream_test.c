/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same FPDUs, however their bytes come: cut anywhere, in any order, more than once, with and
 * without markers and CRC.
 */
#include "tcp_sim.h"

static const struct variant {
    bool markers, crc;
    uint32_t isn;
    uint16_t private_size;
} variants[] = {
    {false, false, 1000, 0},
    {false, true, 0xffffff00, 7}, /* sequence numbers wrap within the stream */
    {true, false, 0xfffffe55, 7},
    {true, true, 0xffffffe0, 44},
};

static uint8_t crc_of(const struct variant *v)
{
    return v->crc ? FPDU_CRC_OK : FPDU_CRC_OFF;
}

/* Start-up frames; `fpdus` FPDUs of the sender, of sizes that put markers everywhere */
static struct sim *make(const struct variant *v, unsigned fpdus, uint16_t size)
{
    struct sim *s = sim_new();

    s->isn[0] = v->isn;
    sim_start_up(s, SIM_SENDER, false, v->crc, false, v->private_size);
    sim_start_up(s, SIM_PEER, v->markers, v->crc, false, v->private_size);
    for (unsigned i = 0; i < fpdus; i++) {
        if (i % 3 == 2)
            sim_send(&s->sides[0], (uint16_t)(size / 2 + i));
        else
            sim_write(&s->sides[0], 0x1234, i * 1000, (uint16_t)(size + i), i % 3 == 1);
    }
    return s;
}

static void check_cut_at_every_byte(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 7, 190);
    uint32_t size = s->sides[0].size, origin = s->sides[0].origin;

    for (uint32_t cut = 1; cut < size; cut++) {
        sim_restart(s);
        sim_packet(s, 0, s->isn[0], 0, RDC_TCP_SYN, NULL, 0);
        sim_packet(s, 1, s->isn[1], s->isn[0] + 1, RDC_TCP_SYN | RDC_TCP_ACK, NULL, 0);
        sim_segment(s, 0, 0, cut < origin ? cut : origin);
        if (cut < origin)
            sim_segment(s, 0, cut, origin - cut);
        sim_segment(s, 1, 0, s->sides[1].origin);
        if (cut > origin)
            sim_segment(s, 0, origin, cut - origin);
        sim_segment(s, 0, cut > origin ? cut : origin, size - (cut > origin ? cut : origin));
        sim_check(s, SIM_SENDER, 0, crc_of(v));
        assert_int_equal(s->mpa_count, 2);
    }
    sim_free(s);
}

/* Segments of one size, from single bytes on */
static void check_segment_sizes(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 20, 600);
    uint32_t size = s->sides[0].size;

    for (uint32_t step = 1; step <= size; step = step * 3 / 2 + 1) {
        sim_restart(s);
        sim_handshake(s);
        for (uint32_t at = s->sides[0].origin; at < size; at += step)
            sim_segment(s, 0, at, size - at < step ? size - at : step);
        sim_check(s, SIM_SENDER, 0, crc_of(v));
        assert_int_equal(sim_count_events(s, FLOW_TCP_RETRANSMISSION), 0);
        assert_int_equal(sim_count_events(s, FLOW_FRAMING), 0);
        assert_int_equal(sim_count_events(s, FLOW_MSN_GAP), 0);
    }
    sim_free(s);
}

static void permute(struct sim *s, const uint32_t *cuts, const unsigned *order, uint8_t crc)
{
    sim_restart(s);
    sim_handshake(s);
    for (unsigned i = 0; i < 4; i++)
        sim_segment(s, 0, cuts[order[i]], cuts[order[i] + 1] - cuts[order[i]]);
    sim_check(s, SIM_SENDER, 0, crc);
}

/* Four segments in all 24 orders, with cuts at and beside the borders of FPDUs */
static void check_every_order(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 6, 300);
    const struct sim_bytes *b = &s->sides[0];

    for (int shift = -3; shift <= 21; shift++) {
        uint32_t cuts[5] = {b->origin, (uint32_t)((int)b->fpdus[1].at + shift),
                            (uint32_t)((int)b->fpdus[3].at + shift / 2),
                            (uint32_t)((int)b->fpdus[4].at + 2 * shift), b->size};

        for (unsigned n = 0; n < 256; n++) {
            unsigned order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6};
            unsigned seen = 1u << order[0] | 1u << order[1] | 1u << order[2] | 1u << order[3];

            if (seen == 15)
                permute(s, cuts, order, crc_of(v));
        }
    }
    sim_free(s);
}

/* Everything twice, and again in segments of other sizes */
static void check_resent_and_overlapping(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 12, 500);
    uint32_t size = s->sides[0].size;

    sim_restart(s);
    sim_handshake(s);
    for (uint32_t at = s->sides[0].origin; at < size; at += 300) {
        uint32_t n = size - at < 700 ? size - at : 700;

        sim_segment(s, 0, at, n < 300 ? n : 300);
        sim_segment(s, 0, at, n); /* its beginning again, and new bytes */
    }
    sim_segment(s, 0, s->sides[0].origin, size - s->sides[0].origin);
    sim_check(s, SIM_SENDER, 0, crc_of(v));
    assert_true(sim_count_events(s, FLOW_TCP_RETRANSMISSION) > 0);
    sim_free(s);
}

/* A port is used again by another connection. */
static void check_port_reuse(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 5, 100);
    struct flow_connection c;

    sim_restart(s);
    for (unsigned life = 0; life < 2; life++) {
        s->isn[0] += 777777777;
        s->isn[1] += 333333333;
        s->found_count = 0;
        sim_handshake(s);
        sim_segment(s, 0, s->sides[0].origin, s->sides[0].size - s->sides[0].origin);
        sim_check(s, SIM_SENDER, 0, crc_of(v));
    }
    flow_finish(s->engine);
    assert_int_equal(flow_connection_count(s->engine), 1);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.epochs, 2);
    assert_int_equal(c.transport, RDC_TRANSPORT_IWARP);
    assert_int_equal(c.a_to_b.iwarp->fpdus, 10);
    assert_int_equal(c.a.port, 40000);
    assert_int_equal(c.b.port, 4000);
    sim_free(s);
}

/* From anywhere in the stream on, with no handshake, by FPDUs alone */
static void check_without_handshake(void **state)
{
    const struct variant *v = *state;
    struct sim *s = make(v, 24, 290);
    const struct sim_bytes *b = &s->sides[0];

    for (uint32_t begin = b->origin; begin < b->fpdus[4].at; begin += 7) {
        uint32_t first = 0;

        while (b->fpdus[first].at < begin)
            first++;
        sim_restart(s);
        for (uint32_t at = begin; at < b->size; at += 1448)
            sim_segment(s, 0, at, b->size - at < 1448 ? b->size - at : 1448);
        assert_true(s->found_count > 0);
        if (v->crc && !v->markers)
            sim_check(s, SIM_SENDER, first, FPDU_CRC_OK);
        for (uint32_t i = 0; i < s->found_count; i++)
            assert_true(s->found[i].inferred);
        assert_int_equal(sim_event(s, FLOW_MPA)->mpa.frame, FLOW_MPA_INFERRED);
    }
    sim_free(s);
}

#define ROWS(check)                                                                                \
    {#check " plain", check, NULL, NULL, (void *)(uintptr_t)&variants[0]},                         \
        {#check " crc", check, NULL, NULL, (void *)(uintptr_t)&variants[1]},                       \
        {#check " markers", check, NULL, NULL, (void *)(uintptr_t)&variants[2]},                   \
    {                                                                                              \
#check " markers crc", check, NULL, NULL, (void *)(uintptr_t)&variants[3]                  \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROWS(check_cut_at_every_byte), ROWS(check_segment_sizes),
        ROWS(check_every_order),       ROWS(check_resent_and_overlapping),
        ROWS(check_port_reuse),        ROWS(check_without_handshake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
