/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is measured of a connection: messages and their sizes, round trips, latencies, delays of
 * recovery, PSNs outstanding. Times are in microseconds, from A unless it says otherwise.
 */
#include "flow/sequence.h"

enum {
    SAMPLES = 4,
};

/* The samples of one distribution, in the order of their size; the histogram has each within 1/32
 */
struct samples {
    uint64_t count;
    uint64_t us[SAMPLES];
};

static void check_samples(const char *name, const char *what, const struct flow_histogram *h,
                          const struct samples *want, uint64_t unit)
{
    if (h->count != want->count)
        fail_msg("%s: %u samples of %s, expected %u", name, (unsigned)h->count, what,
                 (unsigned)want->count);
    for (uint64_t i = 0; i < want->count && i < SAMPLES; i++) {
        uint64_t said = flow_histogram_quantile(h, (unsigned)((i + 1) * 1000 / want->count));
        uint64_t value = want->us[i] * unit;

        if (said < value || said > value + value / 32)
            fail_msg("%s: %s is %u, expected %u", name, what, (unsigned)said, (unsigned)value);
    }
}

/* ------------------------------------------------------------------ times */

static const struct row {
    const char *name;
    const char *packets;
    struct samples rtt, latency, size, nak_delay, resend_delay, recovery;
} rows[] = {
    {.name = "rtt-of-each-message",
     .packets = "> 0 w 0; < 10 a 0; > 20 w 1; < 50 a 1",
     .rtt = {2, {10, 30}},
     .latency = {2, {10, 30}},
     .size = {2, {64, 64}}},
    {.name = "rtt-of-the-last-when-acknowledgements-are-coalesced",
     .packets = "> 0 w 0; > 1 w 1; > 2 w 2; < 12 a 2",
     .rtt = {1, {10}},
     .latency = {3, {10, 11, 12}},
     .size = {3, {64, 64, 64}}},
    {.name = "rtt-of-a-middle-only-when-it-asks",
     .packets = "> 0 wf 0; > 1 wm 1 ar; > 2 wm 2; > 3 wl 3; < 21 a 1; < 30 a 2; < 43 a 3",
     .rtt = {2, {20, 40}},
     .latency = {1, {43}},
     .size = {1, {3 * 1024 + 64}}},
    {.name = "rtt-never-of-a-resend",
     .packets = "> 0 w 0; > 1000 w 0; < 1010 a 0",
     .latency = {1, {1010}},
     .size = {1, {64}},
     .recovery = {1, {10}}},
    {.name = "rtt-never-behind-a-resend-of-an-earlier-one",
     .packets = "> 0 w 0..1; > 1001 w 0; < 1004 a 1; > 2000 w 2; < 2010 a 2",
     .rtt = {1, {10}},
     .latency = {3, {10, 1003, 1004}},
     .size = {3, {64, 64, 64}},
     .recovery = {1, {3}}},
    {.name = "rtt-never-of-a-resend-of-what-was-not-seen",
     .packets = "> 0 w 0; > 1 w 2; < 5 nak 1; > 30 w 1; > 31 w 2; < 40 a 1; < 50 a 2",
     .latency = {3, {5, 10, 49}},
     .size = {3, {64, 64, 64}},
     .nak_delay = {1, {4}},
     .resend_delay = {1, {25}},
     .recovery = {1, {49}}},
    {.name = "rtt-not-of-an-acknowledgement-that-comes-again",
     .packets = "> 0 w 0; > 1 w 1; < 10 a 1; < 90 a 0",
     .rtt = {1, {9}},
     .latency = {2, {9, 10}},
     .size = {2, {64, 64}}},
    {.name = "rtt-not-of-a-nak",
     .packets = "> 0 w 0; > 1 w 1; < 10 nak 1; > 20 w 1; < 30 a 1",
     .latency = {2, {10, 29}},
     .size = {2, {64, 64}},
     .resend_delay = {1, {10}},
     .recovery = {1, {20}}},
    {.name = "read-latency-is-that-of-its-last-response",
     .packets = "> 0 r 0 len=3072; < 10 rf 0; < 11 rm 1; < 30 rl 2",
     .latency = {1, {30}},
     .size = {1, {3072}}},
    {.name = "read-latency-not-of-an-acknowledgement",
     .packets = "> 0 r 0; > 1 w 1; < 10 a 1; < 50 ro 0",
     .rtt = {1, {9}},
     .latency = {2, {9, 50}},
     .size = {2, {64, 64}}},
    {.name = "atomic-latency",
     .packets = "> 0 fa 0; < 20 aa 0",
     .latency = {1, {20}},
     .size = {1, {0}}},
    {.name = "message-with-a-gap-has-no-size",
     .packets = "> 0 wf 0; > 2 wl 2; > 3 w 3; < 13 a 3",
     .rtt = {1, {10}},
     .latency = {2, {10, 13}},
     .size = {1, {64}}},
    {.name = "rnr-delays-the-resend",
     .packets = "> 0 s 0; < 5 rnr 0; > 2005 s 0; < 2015 a 0",
     .latency = {1, {2015}},
     .size = {1, {64}},
     .resend_delay = {1, {2000}},
     .recovery = {1, {2010}}},
    {.name = "one-way-measures-nothing-of-answers",
     .packets = "> 0 w 0; > 1 w 1",
     .size = {2, {64, 64}}},
};

static void test_times(void **state)
{
    const struct row *row = *state;
    static const struct flow_times none;

    for (uint32_t before = 0; before < 4; before++) {
        struct sequence *q = sequence_run(
            row->packets, &(struct sequence_options){.base = 0u - before, .xrc = before == 3});
        struct flow_connection c;
        const struct flow_times *t;

        flow_connection_get(q->engine, 0, &c);
        t = c.a_to_b.times != NULL ? c.a_to_b.times : &none;
        check_samples(row->name, "rtt", &t->rtt, &row->rtt, 1000);
        check_samples(row->name, "latency", &t->message_latency, &row->latency, 1000);
        check_samples(row->name, "size", &t->message_size, &row->size, 1);
        check_samples(row->name, "nak delay", &t->nak_delay, &row->nak_delay, 1000);
        check_samples(row->name, "resend delay", &t->resend_delay, &row->resend_delay, 1000);
        check_samples(row->name, "recovery", &t->recovery, &row->recovery, 1000);
        sequence_done(q);
    }
}

/* ------------------------------------------------------------------ counts */

static struct sequence *run(const char *packets, struct flow_connection *c)
{
    struct sequence *q = sequence_run(packets, NULL);

    flow_connection_get(q->engine, 0, c);
    return q;
}

static void test_messages_by_operation(void **state)
{
    static const uint64_t want[RDC_OP_COUNT] = {
        [RDC_OP_SEND] = 2,     [RDC_OP_WRITE] = 2,
        [RDC_OP_READ] = 1,     [RDC_OP_WRITE_WITH_IMMEDIATE] = 1,
        [RDC_OP_CMP_SWAP] = 1, [RDC_OP_FETCH_ADD] = 1,
        [RDC_OP_FLUSH] = 1,    [RDC_OP_ATOMIC_WRITE] = 1,
    };
    struct flow_connection c;
    struct sequence *q =
        run("> 0 s 0; > 1 sf 1; > 2 sm 2; > 3 sl 3; > 4 w 4; > 5 wf 5; > 6 wl 6; > 7 wi 7; "
            "> 8 r 8 len=2048; > 9 cs 10; > 10 fa 11; > 11 fl 12; > 12 aw 13 len=8; "
            "> 600 s 0; > 601 wl 6",
            &c);
    const struct flow_counters *a = c.a_to_b.counters;

    (void)state;
    for (int op = 0; op < RDC_OP_COUNT; op++)
        assert_int_equal(a->messages[op], want[op]);
    assert_int_equal(a->message_bytes,
                     64 + (2 * 1024 + 64) + 64 + (1024 + 64) + 64 + 2048 + 0 + 0 + 0 + 8);
    assert_int_equal(a->retransmitted_packets, 2);
    assert_int_equal(a->retransmitted_bytes, 128);
    sequence_done(q);
}

static void test_outstanding(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0; < 1 a 0; > 2 w 1..5; < 9 a 3; > 10 w 6..8; < 20 a 8", &c);

    (void)state;
    assert_int_equal(c.a_to_b.counters->max_outstanding_psns, 5);
    sequence_done(q);
    q = run("> 0 wf 0; > 1 wl 1; < 2 a 1; > 3 w 2; > 4 r 3 len=8192; > 5 w 11; < 6 a 11", &c);
    assert_int_equal(c.a_to_b.counters->max_outstanding_psns, 10);
    sequence_done(q);
}

static void test_answers(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0..9; < 20 a 3; < 21 nak 4; < 22 rnr 4; < 23 nak 4; "
                             "< 24 a 3 noexts; < 25 access 5; < 26 cnp 0; < 27 operational 6; "
                             "< 28 invalid 7",
                             &c);
    const struct flow_counters *b = c.b_to_a.counters;

    (void)state;
    assert_int_equal(b->packets, 9);
    assert_int_equal(b->acks, 1);
    assert_int_equal(b->naks[RDC_NAK_SEQUENCE], 2);
    assert_int_equal(b->naks[RDC_NAK_REMOTE_ACCESS], 1);
    assert_int_equal(b->naks[RDC_NAK_REMOTE_OPERATIONAL], 1);
    assert_int_equal(b->naks[RDC_NAK_INVALID_REQUEST], 1);
    assert_int_equal(b->rnr_naks, 1);
    assert_int_equal(b->aeth_unseen, 1);
    assert_int_equal(b->cnps_sent, 1);
    assert_int_equal(b->data_packets, 0);
    assert_int_equal(c.a_to_b.counters->data_packets, 10);
    assert_int_equal(c.a_to_b.state, FLOW_STATE_ERROR);
    assert_int_equal(c.b_to_a.state, FLOW_STATE_ERROR);
    sequence_done(q);
}

static void test_marks(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0 ecn=3 vlan=4; > 1 w 1 ecn=2; > 2 w 2 ecn=1 vlan=6; > 3 w 3; "
                             "< 10 a 3 ecn=3; > 20 w 4 cut",
                             &c);
    const struct flow_counters *a = c.a_to_b.counters;

    (void)state;
    assert_int_equal(a->ce_packets, 1);
    assert_int_equal(a->ect_packets, 3);
    assert_int_equal(a->pcp_seen, 1 << 3 | 1 << 5);
    assert_int_equal(a->untagged, 1);
    assert_int_equal(a->truncated, 1);
    assert_int_equal(a->icrc_checked, 3 + 0);
    assert_int_equal(c.b_to_a.counters->ce_packets, 0);
    sequence_done(q);
}

static void test_summary(void **state)
{
    struct sequence *q = sequence_run("> 10 w 0; > 5 w 1; > 20 w 2; > 3 w 3; > 30 ud 0 qpn=1; "
                                      "> 31 ud 0 qpn=0xffffff",
                                      NULL);
    struct flow_summary sum;

    (void)state;
    flow_summary_get(q->engine, &sum);
    assert_int_equal(sum.packets, 6);
    assert_int_equal(sum.first_ns, 1000003000);
    assert_int_equal(sum.last_ns, 1000031000);
    assert_int_equal(sum.time_disorder, 2);
    assert_int_equal(sum.time_disorder_max_ns, 17000);
    assert_int_equal(sum.management_packets, 1);
    assert_int_equal(sum.multicast_packets, 1);
    assert_false(sum.captured_twice);
    assert_int_equal(sum.icrc_unjudged, 0);
    sequence_done(q);
}

/* Where all ICRCs are wrong they are called neither bad nor good, but counted, the first ones, too.
 */
static void test_icrcs_mean_nothing(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0..19 bad", &c);
    struct flow_summary sum;

    (void)state;
    flow_summary_get(q->engine, &sum);
    assert_int_equal(sum.icrc_bad, 0);
    assert_int_equal(sum.icrc_unjudged, 20);
    assert_int_equal(c.a_to_b.counters->icrc_bad, 0);
    assert_int_equal(c.a_to_b.counters->icrc_unjudged, 20);
    sequence_done(q);
}

/* Eight packets, each twice; and what would be a resend is a copy once that is known. */
static void test_captured_twice(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0; > 1 w 0; > 2 w 1; > 3 w 1; > 4 w 2; > 5 w 2; > 6 w 3; "
                             "> 7 w 3; > 8 w 4; > 9 w 4; > 10 w 5; > 11 w 5; > 12 w 6; > 13 w 6; "
                             "> 14 w 7; > 15 w 7; < 20 nak 6; < 21 nak 6; > 30 w 6; > 31 w 6; "
                             "> 32 w 7; > 33 w 7; < 40 a 7; < 41 a 7",
                             &c);
    struct flow_summary sum;

    (void)state;
    flow_summary_get(q->engine, &sum);
    assert_true(sum.captured_twice);
    assert_int_equal(c.a_to_b.counters->duplicates, 10);
    assert_int_equal(c.a_to_b.counters->retransmitted_packets, 2);
    assert_int_equal(c.a_to_b.counters->rounds[FLOW_TRIGGER_NAK], 1);
    sequence_done(q);
}

/* The same resends where nothing else comes twice: the second of each is no copy then. */
static void test_not_captured_twice(void **state)
{
    struct flow_connection c;
    struct sequence *q = run("> 0 w 0..7; < 20 nak 6; > 30 w 6; > 31 w 6; > 32 w 7; > 33 w 7; "
                             "< 40 a 7",
                             &c);
    struct flow_summary sum;

    (void)state;
    flow_summary_get(q->engine, &sum);
    assert_false(sum.captured_twice);
    assert_true(c.a_to_b.counters->retransmitted_packets >= 2);
    sequence_done(q);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 8] = {
        cmocka_unit_test(test_messages_by_operation),
        cmocka_unit_test(test_outstanding),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_icrcs_mean_nothing),
        cmocka_unit_test(test_captured_twice),
        cmocka_unit_test(test_not_captured_twice),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 8] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = test_times,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
