/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings of seen PSNs: what must be kept is kept, what is older is forgotten, a budget is a budget.
 */
#include "flow/history.h"

#include "support.h"

#define START (((int64_t)1 << 32) + 0xfffff0) /* so that the wire's PSNs wrap soon */

static void put(struct history *h, int64_t u, int64_t keep, struct history_budget *budget)
{
    struct seen *seen = history_put(h, u, keep, budget);

    assert_non_null(seen);
    assert_int_equal(seen->copies, 0);
    seen->copies = 1;
    seen->first.frame = (uint64_t)u;
}

static void test_keeps_what_must_be_kept(void **state)
{
    static const int64_t windows[] = {1, 15, 16, 17, 100, 4096, HISTORY_MAX - 1};

    (void)state;
    for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
        struct history_budget budget = {.left = 1 << 30};
        struct history h = {0};

        for (int64_t u = START; u < START + 20000; u++)
            put(&h, u, u - windows[w], &budget);
        for (int64_t u = START + 20000 - windows[w] - 1; u < START + 20000; u++) {
            const struct seen *seen = history_find(&h, u);

            assert_non_null(seen);
            assert_int_equal(seen->first.frame, u);
        }
        assert_null(history_find(&h, START + 20000));
        assert_null(history_find(&h, START));
        assert_int_equal(budget.refused, 0);
        history_done(&h, &budget);
        assert_int_equal(budget.left, 1 << 30);
    }
}

/* One far step must not cost what lies between. */
static void test_grows_in_one_step(void **state)
{
    struct history_budget budget = {.left = 1 << 30};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + HISTORY_MIN; u++)
        put(&h, u, START, &budget);
    put(&h, START + 64 * HISTORY_MIN, START, &budget);
    for (int64_t u = START; u < START + HISTORY_MIN; u++)
        assert_non_null(history_find(&h, u));
    history_done(&h, &budget);
}

static void test_never_beyond_the_maximum(void **state)
{
    struct history_budget budget = {.left = 1 << 30};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + 3 * HISTORY_MAX; u++)
        put(&h, u, START, &budget);
    assert_int_equal(h.mask + 1, HISTORY_MAX);
    assert_non_null(history_find(&h, START + 2 * HISTORY_MAX));
    assert_null(history_find(&h, START + 2 * HISTORY_MAX - 1));
    history_done(&h, &budget);
}

static void test_old_never_pushes_out_new(void **state)
{
    struct history_budget budget = {.left = 1 << 20};
    struct history h = {0};

    (void)state;
    put(&h, START + HISTORY_MIN, START + HISTORY_MIN, &budget);
    assert_null(history_put(&h, START, START, &budget));
    assert_non_null(history_find(&h, START + HISTORY_MIN));
    history_done(&h, &budget);
}

static void test_budget(void **state)
{
    struct history_budget budget = {.left = 40 * sizeof(struct seen)};
    struct history h = {0}, other = {0};

    (void)state;
    for (int64_t u = START; u < START + 100; u++)
        put(&h, u, START, &budget);
    assert_int_equal(h.mask + 1, 32);
    assert_true(budget.refused > 0);
    assert_null(history_put(&other, START, START, &budget));
    assert_non_null(history_find(&h, START + 99));
    assert_null(history_find(&h, START + 67));
    history_done(&h, &budget);
    assert_int_equal(budget.left, 40 * sizeof(struct seen));
    put(&other, START, START, &budget);
    history_done(&other, &budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_what_must_be_kept),
        cmocka_unit_test(test_grows_in_one_step),
        cmocka_unit_test(test_never_beyond_the_maximum),
        cmocka_unit_test(test_old_never_pushes_out_new),
        cmocka_unit_test(test_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
