/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for streams: zeroed, on lines of its own, bounded, used again.
 */
#include <string.h>

#include "flow/arena.h"

#include "support.h"

enum {
    BOUND = 1 << 22,
    HUGE = FLOW_ARENA_LARGEST * FLOW_LINE + 1, /* no piece of a chunk */
};

static void test_zeroed_and_apart(void **state)
{
    static const size_t sizes[] = {1, 63, 64, 65, 4096, HUGE - 1, HUGE};
    struct flow_arena arena;

    (void)state;
    flow_arena_init(&arena, BOUND);
    for (int round = 0; round < 3; round++) {
        uint8_t *pieces[SUPPORT_COUNT(sizes)];

        for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
            pieces[i] = flow_arena_new(&arena, sizes[i]);
            assert_non_null(pieces[i]);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(pieces[i][k], 0);
            memset(pieces[i], (int)i + 1, sizes[i]);
        }
        for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++) {
            assert_int_equal(pieces[i][0], i + 1);
            assert_int_equal(pieces[i][sizes[i] - 1], i + 1);
            flow_arena_drop(&arena, pieces[i], sizes[i]);
        }
        assert_int_equal(arena.left, BOUND);
    }
    flow_arena_drop(&arena, NULL, 1);
    flow_arena_done(&arena);
}

static void test_bound(void **state)
{
    struct flow_arena arena;
    void *first, *second;

    (void)state;
    flow_arena_init(&arena, 3 * FLOW_LINE);
    first = flow_arena_new(&arena, FLOW_LINE + 1);
    assert_non_null(first);
    assert_null(flow_arena_new(&arena, FLOW_LINE + 1));
    assert_int_equal(arena.refused, 1);
    second = flow_arena_new(&arena, FLOW_LINE);
    assert_non_null(second);
    flow_arena_drop(&arena, first, FLOW_LINE + 1);
    flow_arena_drop(&arena, second, FLOW_LINE);
    assert_int_equal(arena.left, 3 * FLOW_LINE);
    flow_arena_done(&arena);
}

static void test_lists_grow(void **state)
{
    struct flow_arena arena;
    uint64_t *list = NULL, *grown;
    uint32_t room = 0;

    (void)state;
    flow_arena_init(&arena, 20 * FLOW_LINE);
    for (uint32_t count = 0; count < 64; count++) {
        grown = flow_arena_room(&arena, list, sizeof(*list), count, &room, 2);
        assert_non_null(grown);
        list = grown;
        list[count] = count;
    }
    assert_int_equal(room, 64);
    assert_null(flow_arena_room(&arena, list, sizeof(*list), 64, &room, 2));
    assert_int_equal(room, 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(list[i], i);
    flow_arena_drop(&arena, list, room * sizeof(*list));
    assert_int_equal(arena.left, 20 * FLOW_LINE);
    flow_arena_done(&arena);
}

/* A piece that came back is cut up for smaller ones before new memory is taken, and what is left of
 * it is used, too. */
static void test_cut_up(void **state)
{
    static const size_t lines[] = {3, 1, 4, 2};
    struct flow_arena arena;
    uint8_t *large, *pieces[SUPPORT_COUNT(lines)];
    const uint8_t *at;

    (void)state;
    flow_arena_init(&arena, BOUND);
    large = flow_arena_new(&arena, 10 * FLOW_LINE);
    flow_arena_drop(&arena, large, 10 * FLOW_LINE);
    at = arena.at;
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        pieces[i] = flow_arena_new(&arena, lines[i] * FLOW_LINE);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)i + 1, lines[i] * FLOW_LINE);
    }
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++) {
        for (size_t k = 0; k < lines[i] * FLOW_LINE; k++)
            assert_int_equal(pieces[i][k], i + 1);
        if (arena.chunks != NULL) /* not where a sanitizer watches each piece */
            assert_in_range((uintptr_t)pieces[i], (uintptr_t)large,
                            (uintptr_t)large + (10 - lines[i]) * FLOW_LINE);
    }
    assert_ptr_equal(arena.at, at);
    for (size_t i = 0; i < SUPPORT_COUNT(lines); i++)
        flow_arena_drop(&arena, pieces[i], lines[i] * FLOW_LINE);
    assert_int_equal(arena.left, BOUND);
    flow_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeroed_and_apart),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_lists_grow),
        cmocka_unit_test(test_cut_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
