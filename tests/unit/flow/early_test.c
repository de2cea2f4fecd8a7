/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Acknowledgements that were recorded before what they acknowledge, and those of what the capture
 * missed. The table is read as sequence.h says.
 */
#include "flow/early.h"
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"in-step", "> 0 w 0..3; < 10 a 3; > 20 w 4; < 30 a 4", ""},
    {"one-early", "> 0 w 0; < 5 a 0; < 10 a 1; > 11 w 1; > 20 w 2; < 30 a 2", "3 s1 early 1+1"},
    {"early-of-several", "> 0 w 0; < 5 a 0; < 10 a 3; > 11 w 1..3; > 20 w 4; < 30 a 4",
     "3 s1 early 3+3"},
    {"several-early",
     "> 0 w 0; < 5 a 0; < 10 a 1; < 11 a 2; > 12 w 1; > 13 w 2; > 20 w 3; < 30 a 3",
     "3 s1 early 1+1; 4 s1 early 2+2"},
    {"long-before-is-unseen", "> 0 w 0; < 5 a 0; < 10 a 1; > 600 w 1; > 610 w 2; < 620 a 2",
     "3 s1 unseen 1+1"},
    {"just-not-long-before", "> 0 w 0; < 5 a 0; < 10 a 1; > 509 w 1; > 510 w 2; < 620 a 2",
     "3 s1 early 1+1"},
    {"behind-the-end",
     "> 0 w 0; < 5 a 0; < 10 a 1; > 13 w 1; > 20 w 2; < 30 a 2; < 40 a 3; < 41 cnp 0",
     "3 s1 early 1+1; 7 s1 early 3+1; 8 s1 cnp"},
    {"not-of-the-end", "> 0 w 0; < 5 a 0; < 10 a 1; > 11 w 1; < 20 a 2; < 90 cnp 0",
     "3 s1 early 1+1; 5 s1 unseen 2+1; 6 s1 cnp"},
    {"time-runs-back", "> 0 w 0; < 5 a 0; < 10 a 1; > 9 w 1; > 20 w 2; < 30 a 2",
     "3 s1 unseen 1+1"},
    {"a-resend-since", "> 0 w 0..2; < 5 a 2; < 10 a 4; > 150 w 1..4; < 180 a 4",
     "5 s1 unseen 4+2; 6 resent 1 of 2 r1 spurious; 7 resent 2 of 3 r1 spurious; round 1 unknown? "
     "1..3 x2 stall 148us"},
    {"never-comes", "> 0 w 0; < 5 a 0; < 10 a 1; < 30 a 1", "3 s1 unseen 1+1"},
    {"missing", "> 0 w 0; < 5 a 0; < 10 a 1; > 12 w 2; < 20 a 2",
     "3 s1 unseen 1+1; 4 gap 1+1; 5 closed 1+1 not-captured"},
    {"one-of-two-missing", "> 0 w 0; < 5 a 0; < 10 a 1; < 11 a 3; > 12 w 2; > 13 w 3; < 20 a 3",
     "3 s1 unseen 1+1; 4 s1 early 3+3; 5 gap 1+1; 5 closed 1+1 not-captured"},
    {"missing-within", "> 0 w 0; < 5 a 0; < 10 a 3; > 12 w 1; > 13 w 3; < 20 a 3",
     "3 s1 unseen 3+3; 5 gap 2+1; 5 closed 2+1 not-captured"},
    {"of-a-read", "> 0 w 0; < 5 a 0; < 10 a 1; > 11 w 1; > 20 r 2 len=64; < 30 ro 2",
     "3 s1 early 1+1"},
};

/* No time of an early one is a sample: the round trip and the latency of its message are not known.
 */
static void no_samples(void **state)
{
    struct sequence *q =
        sequence_run("> 0 w 0; < 5 a 0; < 10 a 1; > 11 w 1; > 20 w 2; < 28 a 2", NULL);
    struct flow_connection c;

    (void)state;
    flow_connection_get(q->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->acked_early, 1);
    assert_int_equal(c.a_to_b.counters->acked_early_ns, 1000);
    assert_int_equal(c.a_to_b.counters->acked_unseen, 0);
    assert_int_equal(c.a_to_b.times->rtt.count, 2);
    assert_int_equal(c.a_to_b.times->message_latency.count, 2);
    assert_int_equal(c.a_to_b.times->message_latency.max, 8000);
    sequence_done(q);
}

/* More than wait: the latest stay what they seem to be. */
static void too_many(void **state)
{
    const unsigned count = EARLY_MAX + 2;
    struct sequence *q;
    struct flow_connection c;
    char packets[8192];
    size_t used = (size_t)sprintf(packets, "> 0 w 0; < 1 a 0; ");

    (void)state;
    for (unsigned i = 1; i <= count; i++)
        used += (size_t)sprintf(packets + used, "< %u a %u; ", 1 + i, i);
    sprintf(packets + used, "> 300 w 1..%u", count);
    q = sequence_run(packets, NULL);
    flow_connection_get(q->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->acked_early, EARLY_MAX);
    assert_int_equal(c.a_to_b.counters->acked_unseen, 2);
    sequence_done(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_samples),
        cmocka_unit_test(too_many),
    };
    int failed = sequence_main("early", rows, SUPPORT_COUNT(rows));

    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
