/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * READ-like requests: which of them a PSN belongs to, also when they were added late, and that the
 * latest are remembered.
 */
#include "flow/reads.h"

#include "flow/bounded.h"

static void test_finding(void **state)
{
    static const struct read_request requests[] = {
        {.u = 100, .end = 104}, {.u = 104, .end = 105},
        {.u = 110, .end = 118}, {.u = 90, .end = 92}, /* a late original */
        {.u = 106, .end = 107},
    };
    /* of PSN 88.. : the request's first PSN, or 0 */
    static const int64_t owner[] = {0,   0,   90,  90,  0,   0,   0,   0,   0, 0, 0,
                                    0,   100, 100, 100, 100, 104, 0,   106, 0, 0, 0,
                                    110, 110, 110, 110, 110, 110, 110, 110, 0, 0};
    struct reads reads = {0};

    (void)state;
    assert_null(reads_find(&reads, 1));
    for (size_t i = 0; i < SUPPORT_COUNT(requests); i++) {
        const struct read_request *added = reads_add(&reads, &requests[i], &arena);

        assert_non_null(added);
        assert_int_equal(added->u, requests[i].u);
    }
    for (size_t i = 0; i < SUPPORT_COUNT(owner); i++) {
        const struct read_request *found = reads_find(&reads, 88 + (int64_t)i);

        assert_int_equal(found != NULL ? found->u : 0, owner[i]);
    }
    assert_int_equal(reads_from(&reads, 0), 0);
    assert_int_equal(reads_from(&reads, 92), 1);
    assert_int_equal(reads_from(&reads, 105), 3);
    assert_int_equal(reads_from(&reads, 118), 5);
    flow_arena_drop(&arena, reads.list, reads.room * sizeof(*reads.list));
}

static void test_the_latest_are_remembered(void **state)
{
    struct reads reads = {0};

    (void)state;
    for (int64_t i = 0; i < 5 * READS_MAX; i++) {
        assert_non_null(
            reads_add(&reads, &(struct read_request){.u = i * 2, .end = i * 2 + 1}, &arena));
        assert_true(reads.count <= READS_MAX);
        for (int64_t back = 0; back < 3000 && back <= i; back += 500)
            assert_non_null(reads_find(&reads, (i - back) * 2));
    }
    assert_null(reads_find(&reads, 0));
    flow_arena_drop(&arena, reads.list, reads.room * sizeof(*reads.list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_finding, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_the_latest_are_remembered, arena_begin, arena_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
