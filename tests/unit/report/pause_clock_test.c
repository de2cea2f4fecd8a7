/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interval machine of pauses: frames in, paused time and storms out. At 100 Gbit/s a quantum
 * is 5.12 ns; tests use 512 Gbit/s, where it is 1 ns.
 */
#include "support.h"

#include "analysis/link_rate.h"
#include "analysis/pause_clock.h"

#define RATE UINT64_C(512000000000)
#define MS INT64_C(1000000)

struct frame {
    int64_t time_ns;
    uint16_t quanta;
};

static const struct row {
    const char *name;
    struct frame frames[6];
    unsigned count;
    int64_t end_ns;
    uint64_t pauses;
    int64_t paused_ns;
    int64_t longest_ns;
    uint64_t longest_frame;
} rows[] = {
    {"expiry", {{100, 50}}, 1, 1000, 1, 50, 50, 1},
    {"xon-ends", {{100, 500}, {200, 0}}, 2, 1000, 1, 100, 100, 1},
    {"xon-alone", {{100, 0}}, 1, 1000, 0, 0, 0, 0},
    {"xon-after-expiry", {{100, 50}, {200, 0}}, 2, 1000, 1, 50, 50, 1},
    {"refresh-replaces", {{100, 50}, {140, 50}}, 2, 1000, 1, 90, 90, 1},
    {"refresh-shortens", {{100, 500}, {140, 10}}, 2, 1000, 1, 50, 50, 1},
    {"refresh-at-expiry", {{100, 50}, {150, 50}}, 2, 1000, 1, 100, 100, 1},
    {"refresh-too-late", {{100, 50}, {151, 70}}, 2, 1000, 2, 120, 70, 2},
    {"second-xon", {{100, 50}, {110, 0}, {120, 0}}, 3, 1000, 1, 10, 10, 1},
    {"again-after-xon", {{100, 50}, {110, 0}, {120, 50}}, 3, 1000, 2, 60, 50, 3},
    {"longest-is-first", {{100, 90}, {300, 50}}, 2, 1000, 2, 140, 90, 1},
    {"open-at-the-end", {{100, 500}}, 1, 300, 1, 200, 200, 1},
    {"expired-before-the-end", {{100, 50}}, 1, 120, 1, 20, 20, 1},
    {"time-runs-back", {{100, 50}, {90, 60}}, 2, 1000, 1, 60, 60, 1},
    {"largest", {{0, 65535}}, 1, MS, 1, 65535, 65535, 1},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct pause_clock c;

    pause_clock_init(&c, RATE, false);
    for (unsigned i = 0; i < row->count; i++)
        pause_clock_frame(&c, i + 1, row->frames[i].time_ns, row->frames[i].quanta);
    pause_clock_finish(&c, row->end_ns);
    assert_int_equal(c.pauses, row->pauses);
    assert_int_equal(c.paused_ns, row->paused_ns);
    assert_int_equal(c.longest_ns, row->longest_ns);
    assert_int_equal(c.longest_frame, row->longest_frame);
    assert_int_equal(c.storms, 0);
}

/* Pauses of `on_ms` out of every `period_ms`, kept up by an XOFF each ms, for `seconds` */
static const struct storm_row {
    const char *name;
    int64_t on_ms, period_ms, total_ms;
    bool estimate, single; /* one XOFF a pause */
    uint64_t storms;
} storm_rows[] = {
    {"199ms", 199, 5000, 5000, false, false, 0},
    {"200ms", 200, 5000, 5000, false, false, 1},
    {"200ms-twice", 200, 5000, 10000, false, false, 2},
    {"whole-minute", 60000, 100000, 100000, false, false, 1},
    {"half-of-each-second", 50, 100, 5000, false, false, 0},
    {"more-than-half", 80, 100, 5000, false, false, 1},
    {"more-than-half-estimated", 80, 100, 5000, true, false, 1},
    {"one-xoff-known-rate", 400, 5000, 5000, false, true, 1},
    {"one-xoff-estimated", 400, 5000, 5000, true, true, 0},
    {"one-xoff-each-estimated", 80, 100, 5000, true, true, 0},
};

static void check_storm(void **state)
{
    const struct storm_row *row = *state;
    const uint64_t slow = UINT64_C(65535) * 512 * 1000 / (row->single ? (uint64_t)row->on_ms : 2);
    uint64_t frame = 0;
    struct pause_clock c;

    pause_clock_init(&c, slow, row->estimate);
    for (int64_t t = 0; t < row->total_ms; t += row->period_ms) {
        for (int64_t k = 0; k < (row->single ? 1 : row->on_ms); k++)
            pause_clock_frame(&c, ++frame, (t + k) * MS, 65535);
        pause_clock_frame(&c, ++frame, (t + row->on_ms) * MS, 0);
    }
    pause_clock_finish(&c, row->total_ms * MS);
    assert_int_equal(c.storms, row->storms);
    assert_int_equal(c.storm_frame != 0, row->storms > 0);
}

static void check_paused_at(void **state)
{
    struct pause_clock c;

    (void)state;
    pause_clock_init(&c, RATE, false);
    pause_clock_frame(&c, 1, 100, 50);
    assert_false(pause_clock_paused(&c, 99));
    assert_true(pause_clock_paused(&c, 100));
    assert_true(pause_clock_paused(&c, 149));
    assert_false(pause_clock_paused(&c, 150));
    pause_clock_frame(&c, 2, 120, 0);
    assert_false(pause_clock_paused(&c, 121));
}

static void check_quanta(void **state)
{
    (void)state;
    assert_int_equal(pause_quanta_ns(1, UINT64_C(100000000000)), 5);
    assert_int_equal(pause_quanta_ns(65535, UINT64_C(100000000000)), 335539);
    assert_int_equal(pause_quanta_ns(65535, UINT64_C(10000000)), INT64_C(3355392000));
    assert_int_equal(pause_quanta_ns(65535, 0), 0);
}

/* Bytes of one packet, and the lowest rate that carries them and their framing in 1 ms */
static const struct load_row {
    const char *name;
    uint32_t bytes;
    uint64_t bps;
} load_rows[] = {
    {"idle", 64, 10000000},
    {"just-carried", 1250 - 20, 10000000},
    {"a-byte-too-many", 1251 - 20, 100000000},
    {"busy", 1240000, 10000000000},
    {"beyond-all", UINT32_MAX - 20, 1600000000000},
};

static void meter_packets(struct load_meter *m, const struct rdc_packet *packets, size_t count)
{
    struct flow_batch batch;

    flow_batch_init(&batch, packets, count);
    load_meter_batch(m, &batch);
}

static void check_load_row(void **state)
{
    const struct load_row *row = *state;
    struct load_meter *m = malloc(sizeof(*m));
    struct rdc_packet pkt = {.frame = 7, .wire_size = row->bytes, .has_mac = true};

    load_meter_init(m);
    meter_packets(m, &pkt, 1);
    load_meter_settle(m);
    assert_int_equal(link_rates[load_meter_rate(m, 0, UINT64_MAX)], row->bps);
    assert_int_equal(load_meter_rate(m, 1, UINT64_MAX), 0);
    load_meter_done(m);
    free(m);
}

/* Both directions at full rate do not make a faster link; a third host's share of one does count:
 * 200 KB in 1 ms are 1.6 Gbit/s. A frame that pauses tells what was known when it came. */
static void check_load(void **state)
{
    struct load_meter *m = malloc(sizeof(*m));
    struct rdc_packet round[] = {
        {.wire_size = 980, .has_mac = true, .src_mac = {2}, .dst_mac = {4}},
        {.wire_size = 980, .has_mac = true, .src_mac = {4}, .dst_mac = {2}},
        {.wire_size = 980, .has_mac = true, .src_mac = {6}, .dst_mac = {4}},
        {.kind = RDC_KIND_PAUSE},
    };

    (void)state;
    load_meter_init(m);
    for (unsigned i = 0; i < 100; i++) {
        for (unsigned k = 0; k < SUPPORT_COUNT(round); k++) {
            round[k].frame = 4 * i + k + 1;
            round[k].time_ns = i * 9999;
        }
        meter_packets(m, round, SUPPORT_COUNT(round));
    }
    load_meter_settle(m);
    assert_int_equal(link_rates[load_meter_rate(m, 0, UINT64_MAX)], UINT64_C(2500000000));
    /* 62 rounds are 124,000 bytes to one host, which 1 Gbit/s carries in 1 ms */
    assert_int_equal(link_rates[load_meter_rate(m, 0, 4 * 62)], UINT64_C(1000000000));
    assert_int_equal(link_rates[load_meter_rate(m, 0, 4 * 63)], UINT64_C(2500000000));
    load_meter_done(m);
    free(m);
}

/* More pairs than are told apart at a time, all to one host: nothing of its load is lost */
static void check_load_of_many(void **state)
{
    struct load_meter *m = malloc(sizeof(*m));
    struct rdc_packet pkt = {.wire_size = 980, .has_mac = true, .dst_mac = {4}};

    (void)state;
    load_meter_init(m);
    for (unsigned i = 0; i < 1000; i++) {
        pkt.frame = i + 1;
        pkt.src_mac[4] = (uint8_t)(i >> 8);
        pkt.src_mac[5] = (uint8_t)i;
        meter_packets(m, &pkt, 1);
    }
    load_meter_settle(m);
    assert_int_equal(link_rates[load_meter_rate(m, 0, UINT64_MAX)], UINT64_C(10000000000));
    load_meter_done(m);
    free(m);
}

static struct CMUnitTest row_test(const char *name, CMUnitTestFunction check, const void *row)
{
    return (struct CMUnitTest){name, check, NULL, NULL, (void *)(uintptr_t)row};
}

int main(void)
{
    struct CMUnitTest
        tests[SUPPORT_COUNT(rows) + SUPPORT_COUNT(storm_rows) + SUPPORT_COUNT(load_rows) + 4];
    size_t n = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[n++] = row_test(rows[i].name, check_row, &rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(storm_rows); i++)
        tests[n++] = row_test(storm_rows[i].name, check_storm, &storm_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(load_rows); i++)
        tests[n++] = row_test(load_rows[i].name, check_load_row, &load_rows[i]);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_paused_at);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_quanta);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_load);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(check_load_of_many);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
