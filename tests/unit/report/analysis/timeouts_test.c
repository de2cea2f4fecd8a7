/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What rounds tell of timers (ranges of the exponent, back-off) and of times without an answer.
 */
#include "support.h"

#include "analysis/timeouts.h"

#define MS INT64_C(1000000)

/* 4.096 us x 2^n, fired at one to four times that; a silence may be an eighth shorter. */
static const struct range_row {
    const char *name;
    int64_t silence_ns;
    int low, high; /* -1: none */
} range_rows[] = {
    {"nothing", 1, -1, -1},
    {"one-below-the-least", 7281, -1, -1}, /* 8192 * 8 / 9 */
    {"the-least", 7282, 1, 1},
    {"exactly-14", 67108864, 12, 14},
    {"just-under-14", 67108864 * 8 / 9 + 1, 12, 14},
    {"below-14", 67108864 * 8 / 9 - 1, 12, 13},
    {"four-times-12", 4 * INT64_C(16777216), 12, 14},
    {"more-than-four-times-12", 4 * INT64_C(16777216) + 1, 13, 14},
    {"beyond-all", INT64_MAX / 2, -1, -1},
};

static void check_range(void **state)
{
    const struct range_row *row = *state;
    int low = 99, high = 99;

    assert_int_equal(timeouts_range(row->silence_ns, &low, &high), row->low >= 0);
    assert_int_equal(low, row->low);
    assert_int_equal(high, row->high);
}

/* A round in short: what it is triggered by, its PSN, the silence before it, its recovery */
struct brief {
    /* t timeout, of what was answered before: a, of what never passed before: m; n NAK, u unknown,
     * c cancelled; 0: no more */
    char trigger;
    uint32_t psn;
    int64_t stall_ns, recovery_ns;
};

static const struct row {
    const char *name;
    struct brief rounds[6];
    /* timeouts */
    uint32_t count;
    bool grow;
    int low, high;
    /* outages */
    uint32_t outages, tries, timeouts, vain;
    bool ended;
    int64_t lasted_ns;
} rows[] = {
    {"none", {{0}}, 0, false, -1, -1, 0, 0, 0, 0, false, 0},
    {"one", {{'t', 7, 67 * MS, 2 * MS}}, 1, false, 12, 14, 0, 0, 0, 0, false, 0},
    {"naks-are-none",
     {{'n', 7, 67 * MS, -1}, {'n', 7, 67 * MS, -1}},
     0,
     false,
     -1,
     -1,
     0,
     0,
     0,
     0,
     false,
     0},
    /* each begins 100 ms after the one before, and its last packet 1 ms later */
    {"two-at-one-psn",
     {{'t', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}},
     2,
     false,
     13,
     14,
     1,
     3,
     2,
     2,
     false,
     191 * MS},
    {"two-that-end",
     {{'t', 7, 90 * MS, -1}, {'t', 7, 90 * MS, 5 * MS}},
     2,
     false,
     13,
     14,
     1,
     3,
     2,
     1,
     true,
     195 * MS},
    {"progress-between",
     {{'t', 7, 90 * MS, 1}, {'t', 8, 90 * MS, -1}},
     2,
     false,
     13,
     14,
     0,
     0,
     0,
     0,
     false,
     0},
    {"something-after-it",
     {{'t', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}, {'n', 9, 1, 1}},
     2,
     false,
     13,
     14,
     1,
     3,
     2,
     1,
     true,
     191 * MS},
    {"a-cancelled-one-between",
     {{'t', 7, 90 * MS, -1}, {'c', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}},
     2,
     false,
     13,
     14,
     0,
     0,
     0,
     0,
     false,
     0},
    /* what is resent so soon that no timer can have run out tells nothing of the peer */
    {"unknown-reasons-do-not-count",
     {{'u', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}},
     1,
     false,
     13,
     14,
     0,
     0,
     0,
     0,
     false,
     0},
    {"back-off",
     {{'t', 7, 10 * MS, -1}, {'t', 7, 20 * MS, -1}, {'t', 7, 40 * MS, -1}},
     3,
     true,
     10,
     11,
     1,
     4,
     3,
     3,
     false,
     211 * MS},
    {"no-back-off-of-a-few-percent",
     {{'t', 7, 80 * MS, -1}, {'t', 7, 90 * MS, -1}, {'t', 7, 99 * MS, -1}},
     3,
     false,
     13,
     14,
     1,
     4,
     3,
     3,
     false,
     281 * MS},
    /* what was answered between is no outage: the answer got lost on its way back */
    {"answered-between",
     {{'t', 7, 90 * MS, -1}, {'a', 7, 90 * MS, -1}, {'a', 7, 90 * MS, 5 * MS}},
     3,
     false,
     13,
     14,
     0,
     0,
     0,
     0,
     false,
     0},
    {"silent-again-behind-an-answer",
     {{'a', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}},
     3,
     false,
     13,
     14,
     1,
     3,
     2,
     3,
     false,
     201 * MS},
    {"answered-after-three",
     {{'t', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}, {'a', 7, 90 * MS, -1}},
     3,
     false,
     13,
     14,
     1,
     3,
     2,
     1,
     true,
     191 * MS},
    /* a try that is not here is none */
    {"two-and-one-that-never-came",
     {{'m', 7, 90 * MS, -1}, {'t', 7, 90 * MS, -1}},
     2,
     false,
     13,
     14,
     0,
     0,
     0,
     0,
     false,
     0},
    /* of two, the one that did not end is worse, though it is shorter */
    {"two-outages",
     {{'t', 7, 99 * MS, -1},
      {'t', 7, 99 * MS, -1},
      {'t', 7, 99 * MS, 1},
      {'t', 9, 50 * MS, -1},
      {'t', 9, 50 * MS, -1}},
     5,
     false,
     13,
     13,
     2,
     3,
     5,
     4,
     false,
     151 * MS},
};

static size_t make(const struct brief *brief, struct flow_round *rounds)
{
    size_t n = 0;

    for (; n < 6 && brief[n].trigger != 0; n++) {
        const struct brief *b = &brief[n];
        int64_t start = (int64_t)(n + 1) * 100 * MS;

        rounds[n] = (struct flow_round){
            .trigger = b->trigger == 'n'   ? FLOW_TRIGGER_NAK
                       : b->trigger == 'u' ? FLOW_TRIGGER_UNKNOWN
                                           : FLOW_TRIGGER_TIMEOUT,
            .cancelled = b->trigger == 'c',
            .psn = b->psn,
            .start_ns = start,
            .last_ns = start + MS,
            .stall_ns = b->stall_ns,
            .recovery_ns = b->recovery_ns,
            .resend_delay_ns = -1,
            .nak_delay_ns = -1,
            .packets = 10,
            .original_seen = b->trigger != 'm',
            .answered = b->trigger == 'a',
            .lost = b->trigger == 'a' ? FLOW_LOST_ANSWER : FLOW_LOST_REQUEST,
        };
        if (b->trigger == 'c')
            rounds[n].trigger = FLOW_TRIGGER_COUNT;
    }
    return n;
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct flow_round rounds[6];
    size_t count = make(row->rounds, rounds);
    struct timeouts t = {0};
    struct outages o = {0};
    struct timer timer;

    for (size_t i = 0; i < count; i++) {
        timeouts_add(&t, &rounds[i]);
        outages_add(&o, &rounds[i]);
    }
    outages_end(&o);
    timer = timeouts_timer(&t);
    assert_int_equal(t.count, row->count);
    assert_int_equal(timer.grow, row->grow);
    assert_int_equal(timer.exponent_low, row->low);
    assert_int_equal(timer.exponent_high, row->high);
    assert_int_equal(o.count, row->outages);
    assert_int_equal(o.timeouts, row->timeouts);
    assert_int_equal(o.seen, row->timeouts);
    assert_int_equal(o.packets, 10 * row->timeouts);
    assert_int_equal(o.vain, 10 * row->vain);
    assert_int_equal(o.worst.tries, row->tries);
    assert_int_equal(o.worst.ended, row->ended);
    assert_int_equal(o.worst.to_ns - o.worst.from_ns, row->lasted_ns);
}

/* Recovery counts from the first sign of the loss, which is before the first resend */
static void check_end(void **state)
{
    struct flow_round r = {.start_ns = 1000,
                           .last_ns = 1100,
                           .resend_delay_ns = 300,
                           .nak_delay_ns = 200,
                           .recovery_ns = 900};

    (void)state;
    assert_int_equal(round_sign_ns(&r), 500);
    assert_int_equal(round_end_ns(&r), 1400);
    r.recovery_ns = -1;
    assert_int_equal(round_end_ns(&r), 1100);
}

int main(void)
{
    enum { RANGES = SUPPORT_COUNT(range_rows), ROWS = SUPPORT_COUNT(rows) };
    struct CMUnitTest tests[RANGES + ROWS + 1];

    for (size_t i = 0; i < RANGES; i++)
        tests[i] = (struct CMUnitTest){range_rows[i].name, check_range, NULL, NULL,
                                       (void *)(uintptr_t)&range_rows[i]};
    for (size_t i = 0; i < ROWS; i++)
        tests[RANGES + i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    tests[RANGES + ROWS] = (struct CMUnitTest){"round-end", check_end, NULL, NULL, NULL};
    return _cmocka_run_group_tests("timeouts", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
