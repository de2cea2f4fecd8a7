/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of holes against the plainest model there is: a byte for each PSN.
 */
#include "flow/hole.h"

#include "flow/bounded.h"

enum {
    PSNS = 400,
    ROUNDS = 200,
};

static void check_model(const struct holes *holes, const bool *missing)
{
    int64_t end = INT64_MIN;

    for (int64_t u = 0; u < PSNS; u++) {
        const struct hole *hole = holes_find(holes, u);

        assert_int_equal(hole != NULL, missing[u]);
        if (hole != NULL)
            assert_true(hole->u <= u && u < hole->end);
    }
    for (uint32_t i = 0; i < holes->count; i++) {
        assert_true(holes->list[i].u >= end);
        assert_true(holes->list[i].u < holes->list[i].end);
        end = holes->list[i].end;
    }
    assert_int_equal(holes->open, holes->count);
}

/* Holes are cut at their beginning, middle and end until none is left. */
static void test_cutting(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct holes holes = {0};
        bool missing[PSNS] = {false};
        struct hole given_up;

        for (int64_t u = 1; u + 8 < PSNS; u += 10) {
            assert_false(
                holes_add(&holes, &(struct hole){.u = u, .end = u + 8}, &given_up, &arena));
            memset(missing + u, true, 8);
        }
        check_model(&holes, missing);
        for (int cut = 0; cut < 300; cut++) {
            struct hole *hole;
            int64_t u, end;

            seed = seed * 1103515245 + 12345;
            u = seed >> 16 & 0xffff;
            u %= PSNS;
            hole = holes_find(&holes, u);
            if (hole == NULL)
                continue;
            end = u + 1 + (seed >> 8 & 3);
            end = end < hole->end ? end : hole->end;
            memset(missing + u, false, (size_t)(end - u));
            holes_cut(&holes, hole, u, end, &arena);
            if (cut % 10 == 0)
                check_model(&holes, missing);
        }
        check_model(&holes, missing);
        holes_done(&holes, &arena);
    }
}

static void test_oldest_is_given_up(void **state)
{
    struct holes holes = {0};
    struct hole given_up = {0};

    (void)state;
    for (int64_t i = 0; i < HOLES_MAX; i++)
        assert_false(
            holes_add(&holes, &(struct hole){.u = i * 2, .end = i * 2 + 1}, &given_up, &arena));
    for (int64_t i = 0; i < 10; i++) {
        int64_t u = (HOLES_MAX + i) * 2;

        assert_true(holes_add(&holes, &(struct hole){.u = u, .end = u + 1}, &given_up, &arena));
        assert_int_equal(given_up.u, i * 2);
        assert_int_equal(holes.count, HOLES_MAX);
        assert_int_equal(holes.open, HOLES_MAX);
        assert_null(holes_find(&holes, i * 2));
        assert_non_null(holes_find(&holes, u));
    }
    holes_done(&holes, &arena);
    assert_int_equal(holes.count, 0);
}

/* One hole whose every second PSN comes: beyond the bound, what lies behind the PSN is forgotten.
 */
static void test_splits_have_the_bound(void **state)
{
    const int64_t end = 4 * HOLES_MAX;
    struct holes holes = {0};
    struct hole given_up;

    (void)state;
    holes_add(&holes, &(struct hole){.u = 0, .end = end}, &given_up, &arena);
    for (int64_t u = end - 2; u > end - 2 * HOLES_MAX; u -= 2)
        assert_true(holes_cut(&holes, holes_find(&holes, u), u, u + 1, &arena));
    assert_int_equal(holes.count, HOLES_MAX);
    assert_false(holes_cut(&holes, holes_find(&holes, 1000), 1000, 1001, &arena));
    assert_int_equal(holes.count, HOLES_MAX);
    assert_int_equal(holes.open, HOLES_MAX);
    assert_non_null(holes_find(&holes, 999));
    assert_null(holes_find(&holes, 1001));
    assert_non_null(holes_find(&holes, end - 1));
    assert_true(holes_cut(&holes, holes_find(&holes, 0), 0, 1, &arena));
    holes_done(&holes, &arena);
}

/* What is closed but kept does not count as open, whatever is cut from it. */
static void test_closed_ones_do_not_count(void **state)
{
    struct holes holes = {0};
    struct hole given_up;

    (void)state;
    holes_add(&holes, &(struct hole){.u = 10, .end = 20, .not_captured = true}, &given_up, &arena);
    assert_int_equal(holes.open, 0);
    holes_cut(&holes, holes_find(&holes, 15), 15, 16, &arena);
    assert_int_equal(holes.count, 2);
    assert_int_equal(holes.open, 0);
    holes_cut(&holes, holes_find(&holes, 10), 10, 15, &arena);
    assert_int_equal(holes.count, 1);
    assert_int_equal(holes.open, 0);
    holes_add(&holes, &(struct hole){.u = 30, .end = 31}, &given_up, &arena);
    assert_int_equal(holes.open, 1);
    holes_done(&holes, &arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cutting, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_oldest_is_given_up, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_splits_have_the_bound, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_closed_ones_do_not_count, arena_begin, arena_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
