/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * TCP that is not iWARP never becomes it, on whatever port and from wherever it is captured; iWARP
 * without its handshake does, also when FPDUs are longer than segments.
 */
#include "tcp_sim.h"

enum {
    BYTES = 100000,
    SEGMENT = 1448,
};

static void put_text(struct sim_bytes *b, const char *text)
{
    sim_put(b, text, (uint32_t)strlen(text));
}

static void put_noise(struct sim_bytes *b, uint32_t size, uint32_t seed)
{
    sim_fill(b->bytes + b->size, size, seed);
    b->size += size;
}

/* RFC 8446, 5.1: application data records */
static void tls(struct sim_bytes *b, uint32_t seed)
{
    uint8_t header[5] = {0x16, 3, 1, 2, 0};

    for (uint32_t n = 512; b->size < BYTES; n = n * 7 % 16384 + 30) {
        sim_be(header + 3, n, 2);
        sim_put(b, header, sizeof(header));
        put_noise(b, n, seed + n);
        header[0] = 0x17;
        header[2] = 3;
    }
}

static void http(struct sim_bytes *b, uint32_t seed)
{
    char line[64];

    while (b->size < BYTES) {
        put_text(b, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n");
        snprintf(line, sizeof(line), "X-Request: %u\r\n\r\n", seed++);
        put_text(b, line);
        for (unsigned i = 0; i < 40; i++)
            put_text(b, "<p class=\"AC\">A@C@ It is all just text, 0123456789.</p>\n");
    }
}

/* NVMe/TCP: capsules and data PDUs with little-endian lengths */
static void nvme(struct sim_bytes *b, uint32_t seed)
{
    for (uint32_t i = 0; b->size < BYTES; i++) {
        uint8_t pdu[72] = {0x04, 0, 72, 0, 72, 0, 0, 0, 0x02, 0x40, (uint8_t)i, 0};
        uint8_t data[24] = {0x07, 0x04, 24, 24, 0x18, 0x10, 0, 0, (uint8_t)i};

        pdu[12] = 1;
        sim_put(b, pdu, sizeof(pdu));
        sim_put(b, data, sizeof(data));
        if (i % 2 == 0)
            put_noise(b, 4096, seed + i);
        else
            for (unsigned k = 0; k < 512; k++)
                sim_put(b, (uint8_t[8]){0}, 8);
    }
}

/* RFC 4253, 4.2 and 6 */
static void ssh(struct sim_bytes *b, uint32_t seed)
{
    put_text(b, "SSH-2.0-OpenSSH_9.2p1\r\n");
    while (b->size < BYTES) {
        sim_put(b, (uint8_t[5]){0, 0, 1, 0x3c, 6}, 5);
        seed += 7;
        put_noise(b, 300 + seed % 50, seed);
    }
}

static void noise(struct sim_bytes *b, uint32_t seed)
{
    put_noise(b, BYTES, seed);
}

static void zeros(struct sim_bytes *b, uint32_t seed)
{
    memset(b->bytes, (int)(seed & 0), BYTES);
    b->size = BYTES;
}

/* Bytes that could be control fields everywhere: lengths and CRCs still do not fit */
static void controls(struct sim_bytes *b, uint32_t seed)
{
    while (b->size < BYTES) {
        sim_put(b, (uint8_t[4]){0x00, 0x40, 0xc1, 0x40}, 4);
        seed += 3;
        put_noise(b, 4 + seed % 8, seed);
    }
}

/* DDP headers one behind the other, with a CRC field that is neither right nor 0 */
static void false_fpdus(struct sim_bytes *b, uint32_t seed)
{
    while (b->size + 2000 < BYTES) {
        uint8_t u[200] = {0xc1, 0x40};

        sim_fill(u + 2, sizeof(u) - 2, seed += 5);
        sim_fpdu(b, u, sizeof(u));
        b->bytes[b->size - 1] = 0x5a;
    }
}

/* iWARP cut short: one good FPDU, and then something else */
static void one_fpdu(struct sim_bytes *b, uint32_t seed)
{
    b->crc = true;
    while (b->size + 2000 < BYTES) {
        sim_send(b, 300);
        put_noise(b, 1111, seed++);
    }
}

static const struct other {
    const char *name;
    void (*make)(struct sim_bytes *b, uint32_t seed);
} others[] = {
    {"TLS", tls},
    {"HTTP", http},
    {"NVMe/TCP", nvme},
    {"SSH", ssh},
    {"noise", noise},
    {"zeros", zeros},
    {"control fields", controls},
    {"no CRC fits", false_fpdus},
    {"one FPDU", one_fpdu},
};

/* `begin`: 0 with the connection's start, else from there on */
static void run(struct sim *s, uint32_t begin, uint32_t step)
{
    sim_restart(s);
    if (begin == 0) {
        sim_packet(s, 0, s->isn[0], 0, RDC_TCP_SYN, NULL, 0);
        sim_packet(s, 1, s->isn[1], s->isn[0] + 1, RDC_TCP_SYN | RDC_TCP_ACK, NULL, 0);
    }
    for (uint32_t at = begin; at + step < BYTES - 2000; at += step) {
        sim_segment(s, 0, at, step);
        sim_segment(s, 1, at, step);
        sim_ack(s, at + step);
    }
    flow_finish(s->engine);
}

static void check_others(void **state)
{
    const struct other *o = *state;
    struct sim *s = sim_new();

    o->make(&s->sides[0], 1);
    o->make(&s->sides[1], 2);
    for (uint32_t begin = 0; begin < 3000; begin += 211) {
        run(s, begin, SEGMENT);
        assert_int_equal(flow_connection_count(s->engine), 0);
        run(s, begin, 97 + begin / 10);
        assert_int_equal(flow_connection_count(s->engine), 0);
        assert_int_equal(s->found_count, 0);
        assert_int_equal(s->event_count, 0);
    }
    sim_free(s);
}

/* FPDUs of 60,000 bytes in segments that begin anywhere in them */
static void check_long_fpdus(void **state)
{
    struct sim *s = sim_new();
    struct sim_bytes *b = &s->sides[0];
    struct flow_connection c;

    (void)state;
    b->crc = true;
    for (unsigned i = 0; i < 4; i++)
        sim_write(b, 1, i * 60000, 60000, true);
    sim_restart(s);
    for (uint32_t at = 12345; at < b->size; at += SEGMENT)
        sim_segment(s, 0, at, b->size - at < SEGMENT ? b->size - at : SEGMENT);
    sim_check(s, SIM_SENDER, 1, FPDU_CRC_OK);
    flow_finish(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_true(c.inferred);
    sim_free(s);
}

/* Where one direction is known, one FPDU of the other is enough. */
static void check_other_direction(void **state)
{
    struct sim *s = sim_new();

    (void)state;
    s->sides[0].crc = s->sides[1].crc = true;
    sim_send(&s->sides[0], 100);
    sim_send(&s->sides[0], 100);
    sim_send(&s->sides[1], 50);
    sim_restart(s);
    sim_segment(s, 1, 0, s->sides[1].size);
    assert_int_equal(s->found_count, 0);
    sim_segment(s, 0, 0, s->sides[0].size);
    assert_int_equal(s->found_count, 3);
    sim_free(s);
}

/* A connection begins in another protocol and turns to MPA (RFC 5044, 7.1.2). */
static void check_late_start(void **state)
{
    struct sim *s = sim_new();
    uint32_t before;

    (void)state;
    put_text(&s->sides[0], "HELLO, LET US TALK RDMA\r\n");
    put_text(&s->sides[1], "FINE\r\n");
    before = s->sides[0].size;
    sim_start_up(s, SIM_SENDER, false, true, false, 0);
    sim_start_up(s, SIM_PEER, false, true, false, 0);
    for (unsigned i = 0; i < 5; i++)
        sim_send(&s->sides[0], 100);
    sim_restart(s);
    sim_packet(s, 0, s->isn[0], 0, RDC_TCP_SYN, NULL, 0);
    sim_packet(s, 1, s->isn[1], s->isn[0] + 1, RDC_TCP_SYN | RDC_TCP_ACK, NULL, 0);
    sim_segment(s, 0, 0, before);
    sim_segment(s, 1, 0, 6);
    sim_segment(s, 0, before, s->sides[0].origin - before);
    sim_segment(s, 1, 6, s->sides[1].origin - 6);
    sim_segment(s, 0, s->sides[0].origin, s->sides[0].size - s->sides[0].origin);
    sim_check(s, SIM_SENDER, 0, FPDU_CRC_OK);
    assert_int_equal(s->mpa_count, 2);
    assert_int_equal(sim_count_events(s, FLOW_TCP_GAP), 0);
    sim_free(s);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(others) + 3];
    size_t n = 0;

    for (; n < SUPPORT_COUNT(others); n++)
        tests[n] = (struct CMUnitTest){others[n].name, check_others, NULL, NULL,
                                       (void *)(uintptr_t)&others[n]};
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_long_fpdus);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_other_direction);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_late_start);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
