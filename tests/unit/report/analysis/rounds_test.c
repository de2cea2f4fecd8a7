/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is kept of the rounds of a stream: the same sums whether rounds are settled or wait, changes
 * as long as they wait, and bounds.
 */
#include "support.h"

#include <glib.h>

#include "analysis/rounds.h"

static struct flow_round round_of(uint32_t number)
{
    return (struct flow_round){.number = number,
                               .trigger = number % 3 == 0 ? FLOW_TRIGGER_RNR : FLOW_TRIGGER_TIMEOUT,
                               .certain = true,
                               .original_seen = number % 2 == 0,
                               .psn = number / 5,
                               .first_frame = number,
                               .packets = 1 + number % 7,
                               .start_ns = number * INT64_C(1000),
                               .last_ns = number * INT64_C(1000) + 100,
                               .stall_ns = 10 + number % 4,
                               .nak_delay_ns = -1,
                               .resend_delay_ns = number % 3 == 0 ? (int64_t)number : -1,
                               .recovery_ns = -1};
}

/* Each is told when it begins, and again with its last state while it is among the latest ones. */
static struct rounds *tell(uint32_t count, struct rounds_memory *memory)
{
    struct rounds *rounds = NULL;

    for (uint32_t n = 1; n < count + FLOW_ROUNDS_OPEN; n++) {
        struct flow_round r = round_of(n);

        r.packets = 0;
        r.trigger = FLOW_TRIGGER_UNKNOWN;
        if (n <= count)
            rounds_put(&rounds, &r, memory);
        if (n < FLOW_ROUNDS_OPEN)
            continue;
        r = round_of(n - FLOW_ROUNDS_OPEN + 1);
        rounds_put(&rounds, &r, memory);
    }
    return rounds;
}

static void expect_sums(const struct round_sums *got, uint32_t count)
{
    struct round_sums want = {0};

    for (uint32_t n = 1; n <= count; n++) {
        struct flow_round r = round_of(n);

        round_sums_add(&want, &r);
    }
    round_sums_end(&want);
    assert_memory_equal(got, &want, sizeof(want));
}

static void same_sums(void **state)
{
    (void)state;
    for (uint32_t count = FLOW_ROUNDS_OPEN; count < 300; count += 13) {
        struct rounds_memory memory = {0};
        struct rounds *rounds = tell(count, &memory);
        struct outages outages = rounds_outages(rounds);
        struct round_sums sums;

        rounds_sums(rounds, &sums);
        expect_sums(&sums, count);
        assert_memory_equal(&sums.outages, &outages, sizeof(outages));
        assert_int_equal(memory.refused, 0);
        rounds_free(rounds);
    }
}

/* Memory for the settled ones does not grow */
static void flat(void **state)
{
    struct rounds_memory few = {0}, many = {0};

    (void)state;
    rounds_free(tell(20, &few));
    rounds_free(tell(20000, &many));
    assert_int_equal(few.bytes, many.bytes);
}

/* A NAK that is not certain may turn out to be none after later rounds, and it is as if that had
 * been known; after many, it is only counted among the timeouts. */
static void unsure(void **state)
{
    static const uint32_t rows[] = {1, 7, 8, 9, 1000};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct rounds_memory memory = {0};
        struct rounds *rounds = NULL;
        struct flow_round first = round_of(1);
        struct round_sums sums, want = {0};

        first.trigger = FLOW_TRIGGER_NAK;
        first.certain = false;
        rounds_put(&rounds, &first, &memory);
        for (uint32_t n = 2; n <= rows[i] + 1; n++) {
            struct flow_round r = round_of(n);

            rounds_put(&rounds, &r, &memory);
        }
        first = round_of(1);
        rounds_put(&rounds, &first, &memory);
        rounds_sums(rounds, &sums);
        if (rows[i] < FLOW_ROUNDS_OPEN)
            expect_sums(&sums, rows[i] + 1);
        for (uint32_t n = 1; n <= rows[i] + 1; n++) {
            struct flow_round r = round_of(n);

            round_sums_add(&want, &r);
        }
        assert_int_equal(sums.timeouts.count, want.timeouts.count);
        assert_int_equal(sums.timeouts.longest_ns, want.timeouts.longest_ns);
        assert_memory_equal(&sums.timeout_frames, &want.timeout_frames,
                            sizeof(want.timeout_frames));
        assert_memory_equal(&sums.spans[SPAN_TIMEOUT], &want.spans[SPAN_TIMEOUT],
                            sizeof(want.spans[0]));
        assert_int_equal(memory.refused, 0);
        rounds_free(rounds);
    }
}

/* What is beyond the bound is counted, and what was kept stays as it is. */
static void bound(void **state)
{
    struct rounds_memory memory = {0};
    GPtrArray *streams = g_ptr_array_new();
    struct round_sums sums;

    (void)state;
    while (memory.refused == 0)
        g_ptr_array_add(streams, tell(30, &memory));
    assert_in_range(memory.bytes, 60 << 20, 64 << 20);
    rounds_sums(streams->pdata[0], &sums);
    expect_sums(&sums, 30);
    for (guint i = 0; i < streams->len; i++)
        rounds_free(streams->pdata[i]);
    g_ptr_array_free(streams, TRUE);
}

/* Tries at one PSN: those before the timeouts of an outage are among them, those before the last
 * answer, behind it, and cancelled ones are not. */
static void tries(void **state)
{
    struct round_sums sums = {0};
    static const struct {
        uint32_t psn;
        uint8_t trigger;
        bool cancelled, answered;
    } told[] = {{7, FLOW_TRIGGER_TIMEOUT, false, false}, {7, FLOW_TRIGGER_NAK, false, true},
                {7, FLOW_TRIGGER_TIMEOUT, false, false}, {7, FLOW_TRIGGER_TIMEOUT, false, false},
                {7, FLOW_TRIGGER_TIMEOUT, true, false},  {7, FLOW_TRIGGER_RNR, false, true},
                {9, FLOW_TRIGGER_TIMEOUT, false, false}, {9, FLOW_TRIGGER_TIMEOUT, false, false}};

    (void)state;
    for (uint32_t i = 0; i < SUPPORT_COUNT(told); i++) {
        struct flow_round r = round_of(i + 1);

        r.psn = told[i].psn;
        r.trigger = told[i].trigger;
        r.cancelled = told[i].cancelled;
        r.answered = told[i].answered;
        r.original_seen = true;
        r.recovery_ns = told[i].psn == 9 ? 1 : -1;
        r.packets = i + 1;
        round_sums_add(&sums, &r);
    }
    round_sums_end(&sums);
    assert_int_equal(sums.outages.count, 2);
    assert_int_equal(sums.outages.worst.psn, 7);
    assert_int_equal(sums.worst.rounds, 3);
    assert_int_equal(sums.worst.answered, 1);
    assert_int_equal(sums.worst.frames[0], 2);
    assert_int_equal(sums.worst.frames[2], 4);
    assert_int_equal(sums.worst.least, 2);
    assert_int_equal(sums.worst.most, 4);
    assert_int_equal(sums.now.psn, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_sums), cmocka_unit_test(flat),  cmocka_unit_test(unsure),
        cmocka_unit_test(bound),     cmocka_unit_test(tries),
    };

    return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
