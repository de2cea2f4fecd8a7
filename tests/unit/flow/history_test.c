/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings of seen PSNs: what must be kept is kept, what is older is forgotten, a bound is a bound.
 */
#include "flow/history.h"

#include "support.h"

#define START (((int64_t)1 << 32) + 0xfffff0) /* so that the wire's PSNs wrap soon */

static void put(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena)
{
    struct seen *seen = history_put(h, u, keep, arena);

    assert_non_null(seen);
    *seen = (struct seen){.frame = (uint64_t)u, .tag = (uint32_t)u, .copies = 1};
}

static void test_keeps_what_must_be_kept(void **state)
{
    static const int64_t windows[] = {1, 15, 16, 17, 100, 4096, HISTORY_MAX - 1};

    (void)state;
    for (size_t w = 0; w < SUPPORT_COUNT(windows); w++) {
        struct flow_arena arena = {.left = 1 << 30};
        struct history h = {0};

        for (int64_t u = START; u < START + 20000; u++)
            put(&h, u, u - windows[w], &arena);
        for (int64_t u = START + 20000 - windows[w] - 1; u < START + 20000; u++) {
            const struct seen *seen = history_find(&h, u);

            assert_non_null(seen);
            assert_int_equal(seen->frame, u); /* -fanalyzer: it does not know cmocka */
        }
        assert_null(history_find(&h, START + 20000));
        assert_null(history_find(&h, START));
        assert_int_equal(arena.refused, 0);
        history_done(&h, &arena);
        assert_int_equal(arena.left, 1 << 30);
        flow_arena_done(&arena);
    }
}

/* One far step must not cost what lies between. */
static void test_grows_in_one_step(void **state)
{
    struct flow_arena arena = {.left = 1 << 30};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + HISTORY_FIRST; u++)
        put(&h, u, START, &arena);
    put(&h, START + 64 * HISTORY_FIRST, START, &arena);
    for (int64_t u = START; u < START + HISTORY_FIRST; u++)
        assert_non_null(history_find(&h, u));
    history_done(&h, &arena);
    flow_arena_done(&arena);
}

static void test_never_beyond_the_maximum(void **state)
{
    struct flow_arena arena = {.left = 1 << 30};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + 3 * HISTORY_MAX; u++)
        put(&h, u, START, &arena);
    assert_int_equal(h.mask + 1, HISTORY_MAX);
    assert_non_null(history_find(&h, START + 2 * HISTORY_MAX));
    assert_null(history_find(&h, START + 2 * HISTORY_MAX - 1));
    history_done(&h, &arena);
    flow_arena_done(&arena);
}

static void test_old_never_pushes_out_new(void **state)
{
    struct flow_arena arena = {.left = 1 << 20};
    struct history h = {0};

    (void)state;
    put(&h, START + HISTORY_FIRST, START + HISTORY_FIRST, &arena);
    assert_null(history_put(&h, START, START, &arena));
    assert_non_null(history_find(&h, START + HISTORY_FIRST));
    history_done(&h, &arena);
    flow_arena_done(&arena);
}

static void test_bound(void **state)
{
    struct flow_arena arena = {.left = 48 * sizeof(struct seen)};
    struct history h = {0}, other = {0}, third = {0};

    (void)state;
    for (int64_t u = START; u < START + 100; u++)
        put(&h, u, START, &arena);
    assert_int_equal(h.mask + 1, 16);
    assert_int_equal(h.room, 16);
    assert_true(arena.refused > 0);
    assert_non_null(history_find(&h, START + 99));
    assert_null(history_find(&h, START + 83));
    for (int64_t u = START; u < START + 8; u++)
        put(&other, u, START, &arena);
    assert_int_equal(other.mask + 1, 16);
    arena.left -= 13 * sizeof(struct seen);
    assert_null(history_put(&third, START, START, &arena));
    history_done(&h, &arena);
    assert_int_equal(arena.left, 19 * sizeof(struct seen));
    put(&third, START, START, &arena);
    history_done(&other, &arena);
    history_done(&third, &arena);
    flow_arena_done(&arena);
}

/* Places that no PSN had yet take no memory, but for some: of many, half as many again as are in
 * use. */
static void test_room(void **state)
{
    struct flow_arena arena = {.left = 1 << 20};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + 2000; u++) {
        put(&h, u, START, &arena);
        assert_in_range(h.room, u - START + 1,
                        u - START < HISTORY_THIRD_ROOM ? (u - START) * 3 + HISTORY_FIRST
                                                       : (u - START) * 3 / 2);
    }
    assert_int_equal(h.mask + 1, 2048);
    put(&h, START - 1, START - 1, &arena); /* the last place of the ring */
    assert_int_equal(h.room, 2048);
    for (int64_t u = START - 1; u < START + 2000; u++)
        assert_int_equal(history_find(&h, u)->frame, u); /* -fanalyzer: all of them are there */
    history_done(&h, &arena);
    assert_int_equal(arena.left, 1 << 20);
    flow_arena_done(&arena);
}

/* Without memory the ring goes around sooner, and newer ones stay. */
static void test_halved(void **state)
{
    struct flow_arena arena = {.left = 1 << 20};
    struct history h = {0};

    (void)state;
    for (int64_t u = START; u < START + HISTORY_THIRD_ROOM; u++)
        put(&h, u, START, &arena);
    assert_non_null(history_add_more(&h, history_find(&h, START + 40), &arena));
    assert_non_null(history_add_more(&h, history_find(&h, START + 4), &arena));
    arena.left = 0;
    put(&h, START + HISTORY_THIRD_ROOM, START, &arena);
    for (int64_t u = START; u < START + HISTORY_THIRD_ROOM + 1; u++)
        assert_true((history_find(&h, u) != NULL) == (u > START + 16));
    assert_int_equal(history_latest_frame(&h, history_find(&h, START + 40)), START + 40);
    history_done(&h, &arena);
    flow_arena_done(&arena);
}

/* What more is known of a slot moves with it, and is over when another PSN takes the slot. */
static void test_more(void **state)
{
    struct flow_arena arena = {.left = 1 << 20};
    struct history h = {0};
    struct seen *seen;

    (void)state;
    for (int64_t u = START; u < START + HISTORY_FIRST; u++)
        put(&h, u, START, &arena);
    seen = history_find(&h, START + 1);
    assert_null(history_more(&h, seen));
    assert_int_equal(history_latest_frame(&h, seen), START + 1);
    history_add_more(&h, seen, &arena)->frame = 7;
    put(&h, START + HISTORY_FIRST, START, &arena);
    seen = history_find(&h, START + 1);
    assert_int_equal(history_latest_frame(&h, seen), 7);
    assert_int_equal(seen->frame, START + 1);
    put(&h, START + 1 + h.mask + 1, START + 2, &arena);
    assert_null(history_find(&h, START + 1));
    assert_null(history_more(&h, history_find(&h, START + 1 + h.mask + 1)));
    history_done(&h, &arena);
    assert_int_equal(arena.left, 1 << 20);
    flow_arena_done(&arena);
}

static void test_more_without_memory(void **state)
{
    struct flow_arena arena = {.left = HISTORY_FIRST * sizeof(struct seen)};
    struct history h = {0};
    struct seen *seen;

    (void)state;
    put(&h, START, START, &arena);
    seen = history_find(&h, START);
    assert_null(history_add_more(&h, seen, &arena));
    assert_int_equal(history_latest_frame(&h, seen), START);
    history_done(&h, &arena);
    flow_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_what_must_be_kept),
        cmocka_unit_test(test_grows_in_one_step),
        cmocka_unit_test(test_never_beyond_the_maximum),
        cmocka_unit_test(test_old_never_pushes_out_new),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_halved),
        cmocka_unit_test(test_more),
        cmocka_unit_test(test_more_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
