/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Marks, notifications and the sender's rate: a sender of steady packets, some of them marked, is
 * told to slow down.
 */
#include "flow/build.h"
#include "flow/flow.h"
#include "support.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

struct run {
    struct flow_engine *engine;
    uint64_t frame;
    uint32_t psn;
    bool back; /* the sender is host B */
    uint8_t encapsulation;
};

static void put(struct run *r, struct build b)
{
    struct rdc_packet pkt;

    b.frame = ++r->frame;
    b.size = BUILD_DEFAULT_SIZE;
    b.encapsulation = r->encapsulation;
    b.back = b.back != r->back;
    pkt = build_packet(&b);
    flow_packet(r->engine, &pkt);
}

static void data(struct run *r, int64_t time_ns, bool marked)
{
    bool v2 = r->encapsulation <= BUILD_ROCEV2_IPV6;

    put(r, (struct build){.time_ns = time_ns,
                          .opcode = RDC_RC_RDMA_WRITE_MIDDLE,
                          .psn = r->psn++,
                          .ecn = marked && v2 ? 3 : 2,
                          .fecn = marked && !v2});
}

static void cnp(struct run *r, int64_t time_ns)
{
    put(r, (struct build){.time_ns = time_ns, .opcode = RDC_CNP, .back = true});
}

static void ack(struct run *r, int64_t time_ns)
{
    put(r, (struct build){.time_ns = time_ns,
                          .opcode = RDC_RC_ACKNOWLEDGE,
                          .psn = r->psn - 1,
                          .aeth_kind = RDC_AETH_ACK,
                          .back = true});
}

static void begin(struct run *r)
{
    r->engine = flow_engine_new(NULL, NULL);
    assert_non_null(r->engine);
}

/* The direction that sends data */
static struct flow_direction end(struct run *r, struct flow_direction *other)
{
    struct flow_connection c;

    flow_finish(r->engine);
    assert_int_equal(flow_connection_count(r->engine), 1);
    flow_connection_get(r->engine, 0, &c);
    *other = c.b_to_a;
    return c.a_to_b;
}

/* Makes the pairing certain for the engine: requests and their acknowledgements */
static void introduce(struct run *r)
{
    for (int i = 0; i < 8; i++) {
        data(r, i * 10 * US, false);
        ack(r, (i * 10 + 5) * US);
    }
}

static const struct delay_row {
    const char *name;
    uint8_t encapsulation;
    bool back;
    int64_t marks[4], cnps[4]; /* us, after 100; 0: no more */
    uint64_t delays, delay_max_us, without_ce, unanswered, intervals, interval_min_us, close;
} delay_rows[] = {
    {"one", 0, false, {10}, {25}, 1, 15, 0, 0, 0, 0, 0},
    {"one-from-b", 0, true, {10}, {25}, 1, 15, 0, 0, 0, 0, 0},
    {"first-mark-counts", 0, false, {10, 15, 20}, {25}, 1, 15, 0, 0, 0, 0, 0},
    {"mark-after", 0, false, {10, 30}, {25}, 1, 15, 0, 1, 0, 0, 0},
    {"marks-after", 0, false, {10, 30, 31}, {25}, 1, 15, 0, 2, 0, 0, 0},
    {"second-without-mark", 0, false, {10}, {25, 75}, 1, 15, 1, 0, 1, 50, 0},
    {"each-its-own", 0, false, {10, 50}, {25, 75}, 2, 25, 0, 0, 1, 50, 0},
    {"no-mark-seen", 0, false, {0}, {25, 75, 90}, 0, 0, 3, 0, 2, 15, 0},
    {"never-told", 0, false, {10, 20, 30}, {0}, 0, 0, 0, 3, 0, 0, 0},
    {"too-close", 0, false, {10}, {25, 28, 32}, 1, 15, 2, 0, 2, 3, 1},
    {"ipv6", BUILD_ROCEV2_IPV6, false, {10}, {25}, 1, 15, 0, 0, 0, 0, 0},
    {"fecn-rocev1", BUILD_ROCEV1, false, {10}, {25}, 1, 15, 0, 0, 0, 0, 0},
    {"fecn-ib", BUILD_IB_LID, false, {10}, {25}, 1, 15, 0, 0, 0, 0, 0},
};

static void check_delay(void **state)
{
    const struct delay_row *row = *state;
    struct run r = {.back = row->back, .encapsulation = row->encapsulation};
    struct flow_direction d, other;
    unsigned m = 0, n = 0;

    begin(&r);
    introduce(&r);
    for (int64_t t = 1; t < 100; t++) {
        if (m < 4 && row->marks[m] == t) {
            data(&r, (100 + t) * US, true);
            m++;
        }
        if (n < 4 && row->cnps[n] == t) {
            cnp(&r, (100 + t) * US);
            n++;
        }
    }
    d = end(&r, &other);
    assert_int_equal(d.counters->ce_packets, m);
    if (m + n > 0)
        assert_non_null(d.reaction);
    assert_int_equal(d.reaction->ce_to_cnp.count, row->delays);
    assert_int_equal(d.reaction->ce_to_cnp.max, row->delay_max_us * US);
    assert_int_equal(d.reaction->notices_without_ce, row->without_ce);
    assert_int_equal(d.reaction->ce_unanswered, row->unanswered);
    assert_int_equal(d.reaction->notices, n);
    if (n == 0) {
        assert_null(other.notices);
    } else {
        assert_int_equal(other.notices->count, n);
        assert_int_equal(other.notices->interval.count, row->intervals);
        if (row->intervals > 0)
            assert_int_equal(other.notices->interval_min_ns, row->interval_min_us * US);
        assert_int_equal(other.notices->close, row->close);
    }
    flow_engine_free(r.engine);
}

static void check_calm(void **state)
{
    struct run r = {0};
    struct flow_direction d, other;

    (void)state;
    begin(&r);
    introduce(&r);
    d = end(&r, &other);
    assert_null(d.reaction);
    assert_null(other.notices);
    flow_engine_free(r.engine);
}

/* Notifications of which no other stream is known keep their times */
static void check_alone(void **state)
{
    struct run r = {0};
    struct flow_direction d, other;

    (void)state;
    begin(&r);
    cnp(&r, 10 * US);
    cnp(&r, 60 * US);
    d = end(&r, &other);
    assert_int_equal(d.counters->cnps_sent, 2);
    assert_int_equal(d.notices->interval.count, 1);
    assert_int_equal(d.notices->interval_min_ns, 50 * US);
    assert_null(other.counters);
    flow_engine_free(r.engine);
}

/* `fast` us from packet to packet for 3 ms, a notification, `slow` us for 3 ms, then fast again */
static const struct rate_row {
    const char *name;
    int64_t fast_us, slow_us;
    uint64_t slowed, not_slowed, recoveries;
} rate_rows[] = {
    {"halved", 10, 20, 1, 0, 1}, {"hardly", 20, 21, 0, 1, 0},    {"unmoved", 10, 10, 0, 1, 0},
    {"faster", 10, 5, 0, 1, 0},  {"stopped", 10, 2900, 1, 0, 1},
};

static uint64_t bps(int64_t gap_us)
{
    const uint64_t wire = 14 + 20 + 8 + RDC_BTH_LEN + BUILD_PMTU + RDC_ICRC_LEN;

    return wire * 8 * 1000000 / (uint64_t)gap_us;
}

static void check_rate(void **state)
{
    const struct rate_row *row = *state;
    struct run r = {0};
    struct flow_direction d, other;
    const struct flow_reaction *n;
    int64_t t = 100 * US;

    begin(&r);
    introduce(&r);
    for (; t < 4 * MS; t += row->fast_us * US)
        data(&r, t, false);
    cnp(&r, 4 * MS - 1);
    for (t = 4 * MS; t < 7 * MS; t += row->slow_us * US)
        data(&r, t, false);
    for (t = 7 * MS; t < 12 * MS; t += row->fast_us * US)
        data(&r, t, false);
    d = end(&r, &other);
    n = d.reaction;
    assert_int_equal(n->rate_before.count, 1);
    assert_in_range(n->rate_before.max, bps(row->fast_us) * 97 / 100,
                    bps(row->fast_us) * 103 / 100);
    assert_int_equal(n->rate_after.count, 1);
    if (row->slow_us < 1000)
        assert_in_range(n->rate_after.max, bps(row->slow_us) * 97 / 100,
                        bps(row->slow_us) * 103 / 100);
    else
        assert_in_range(n->rate_after.max, 0, 2 * bps(1000));
    assert_int_equal(n->slowed, row->slowed);
    assert_int_equal(n->not_slowed, row->not_slowed);
    assert_int_equal(n->rate_recovery.count, row->recoveries);
    if (row->recoveries > 0)
        assert_in_range(n->rate_recovery.max, 3 * MS, 4 * MS + 200 * US);
    assert_false(n->recovering);
    flow_engine_free(r.engine);
}

/* Not all of the millisecond before is on the capture; then the rate stays low to the end */
static void check_edges(void **state)
{
    struct run r = {0};
    struct flow_direction d, other;
    int64_t t = 100 * US;

    (void)state;
    begin(&r);
    introduce(&r);
    for (; t < 900 * US; t += 10 * US)
        data(&r, t, false);
    cnp(&r, t);
    for (; t < 2 * MS; t += 10 * US)
        data(&r, t, false);
    cnp(&r, t);
    for (; t < 4 * MS; t += 100 * US)
        data(&r, t, false);
    d = end(&r, &other);
    assert_int_equal(d.reaction->rate_before.count, 1);
    assert_int_equal(d.reaction->rate_after.count, 2);
    assert_int_equal(d.reaction->slowed, 1);
    assert_int_equal(d.reaction->not_slowed, 0);
    assert_true(d.reaction->recovering);
    flow_engine_free(r.engine);
}

/* A notification while nothing is sent: there is no rate that could fall */
static void check_idle(void **state)
{
    struct run r = {0};
    struct flow_direction d, other;

    (void)state;
    begin(&r);
    introduce(&r);
    data(&r, 100 * US, false);
    cnp(&r, 5 * MS);
    data(&r, 10 * MS, false);
    d = end(&r, &other);
    assert_int_equal(d.reaction->rate_before.count, 1);
    assert_int_equal(d.reaction->rate_before.max, 0);
    assert_int_equal(d.reaction->slowed + d.reaction->not_slowed, 0);
    flow_engine_free(r.engine);
}

static struct CMUnitTest row_test(const char *name, CMUnitTestFunction check, const void *row)
{
    return (struct CMUnitTest){name, check, NULL, NULL, (void *)(uintptr_t)row};
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(delay_rows) + SUPPORT_COUNT(rate_rows) + 4] = {
        cmocka_unit_test(check_calm),
        cmocka_unit_test(check_alone),
        cmocka_unit_test(check_edges),
        cmocka_unit_test(check_idle),
    };
    size_t n = 4;

    for (size_t i = 0; i < SUPPORT_COUNT(delay_rows); i++)
        tests[n++] = row_test(delay_rows[i].name, check_delay, &delay_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(rate_rows); i++)
        tests[n++] = row_test(rate_rows[i].name, check_rate, &rate_rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
