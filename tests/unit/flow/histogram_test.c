/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Quantiles: never below the true value, at most 1/32 above it, and the same in whatever order
 * values come.
 */
#include "flow/histogram.h"

#include "flow/arena.h"
#include "support.h"

#define BOUND (UINT64_C(1) << 20)

static struct flow_arena *arena; /* NULL: memory is the system's */

enum {
    VALUES = 5000,
};

static uint64_t values[VALUES];

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void check_quantiles(const struct flow_histogram *h)
{
    static const unsigned permilles[] = {1, 10, 100, 500, 900, 990, 999, 1000};

    for (size_t i = 0; i < SUPPORT_COUNT(permilles); i++) {
        uint64_t true_value = values[((uint64_t)VALUES * permilles[i] + 999) / 1000 - 1];
        uint64_t said = flow_histogram_quantile(h, permilles[i]);

        assert_true(said >= true_value);
        assert_true(said - true_value <= true_value / 32);
        assert_true(said <= values[VALUES - 1]);
    }
    assert_int_equal(flow_histogram_quantile(h, 1000), values[VALUES - 1]);
}

/* Values of all magnitudes, as they come and sorted, so that most of them wait for another one */
static void test_error_bound(void **state)
{
    static const unsigned shifts[] = {60, 52, 40, 20, 0};
    uint64_t seed = 0x9e3779b97f4a7c15u;

    (void)state;
    for (size_t s = 0; s < SUPPORT_COUNT(shifts); s++) {
        struct flow_histogram mixed = {0}, sorted = {0};

        for (size_t i = 0; i < VALUES; i++) {
            values[i] = (next_random(&seed) >> 1) >> shifts[s] >> (next_random(&seed) % 8);
            flow_histogram_add(&mixed, (int64_t)values[i], arena);
        }
        qsort(values, VALUES, sizeof(values[0]), compare);
        for (size_t i = 0; i < VALUES; i++)
            flow_histogram_add(&sorted, (int64_t)values[i], arena);
        check_quantiles(&mixed);
        assert_int_equal(mixed.count, VALUES);
        assert_int_equal(sorted.max, mixed.max);
        for (unsigned p = 1; p <= 1000; p++)
            assert_int_equal(flow_histogram_quantile(&sorted, p),
                             flow_histogram_quantile(&mixed, p));
        flow_histogram_done(&mixed, arena);
        flow_histogram_done(&sorted, arena);
    }
}

/* Every bucket's edges: the value just below and just above belong to no common bucket. */
static void test_edges(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 63; bit++) {
        uint64_t edge = (uint64_t)1 << bit;
        struct flow_histogram h = {0};

        flow_histogram_add(&h, (int64_t)(edge - 1), arena);
        flow_histogram_add(&h, (int64_t)edge, arena);
        assert_int_equal(flow_histogram_quantile(&h, 500), edge - 1);
        assert_int_equal(flow_histogram_quantile(&h, 1000), edge);
        flow_histogram_done(&h, arena);
    }
}

static void test_small_values_are_exact(void **state)
{
    struct flow_histogram h = {0};

    (void)state;
    for (int64_t v = 0; v < 64; v++)
        flow_histogram_add(&h, v, arena);
    for (unsigned v = 0; v < 64; v++)
        assert_int_equal(flow_histogram_quantile(&h, (v + 1) * 1000 / 64), v);
    flow_histogram_done(&h, arena);
}

static void test_empty_and_negative(void **state)
{
    struct flow_histogram h = {0};

    (void)state;
    assert_int_equal(flow_histogram_quantile(&h, 500), 0);
    assert_int_equal(h.count, 0);
    flow_histogram_add(&h, -5, arena);
    assert_int_equal(h.count, 1);
    assert_int_equal(flow_histogram_quantile(&h, 1000), 0);
    flow_histogram_add(&h, INT64_MAX, arena);
    assert_int_equal(flow_histogram_quantile(&h, 1000), INT64_MAX);
    assert_int_equal(h.count, 2);
    flow_histogram_done(&h, arena);
    assert_null(h.buckets);
}

/* How many of 1000 values are at most 7, where there are others above */
static unsigned share_of_7(const struct flow_histogram *h)
{
    unsigned permille = 1000;

    while (permille > 0 && flow_histogram_quantile(h, permille) > 7)
        permille--;
    return permille;
}

/* Buckets get wider when they must, and then all of them; the fullest there can be stays full. */
static void test_wide_buckets(void **state)
{
    struct flow_histogram h = {0};

    (void)state;
    for (unsigned n = 1; n <= 70000; n++) {
        flow_histogram_add(&h, 7, arena);
        flow_histogram_add(&h, 100, arena);
        assert_int_equal(h.width, n <= UINT8_MAX ? 1 : n <= UINT16_MAX ? 2 : 4);
    }
    assert_int_equal(h.count, 140000);
    assert_int_equal(share_of_7(&h), 500);
    ((uint32_t *)h.buckets)[7 - h.first] = UINT32_MAX - 1;
    for (unsigned n = 0; n < 3; n++)
        flow_histogram_add(&h, 7, arena);
    flow_histogram_add(&h, 100, arena);
    assert_int_equal(((uint32_t *)h.buckets)[7 - h.first], UINT32_MAX);
    flow_histogram_done(&h, arena);
}

/* Many equal values need no bucket of their own, and none is lost when they are more than can wait;
 * ranges that grow keep what they hold. */
static void test_equal_values(void **state)
{
    struct flow_histogram h = {0};

    (void)state;
    for (unsigned i = 0; i < UINT8_MAX; i++)
        flow_histogram_add(&h, 7, arena);
    assert_null(h.buckets);
    for (unsigned n = UINT8_MAX; n < 70000; n++) {
        flow_histogram_add(&h, 7, arena);
        if (n % 7000 == 0)
            flow_histogram_add(&h, (int64_t)n * n, arena);
    }
    for (unsigned n = 0; n < 70000; n++)
        flow_histogram_add(&h, n < 9 ? 7 : 8, arena);
    assert_int_equal(h.count, 140009);
    assert_int_equal(share_of_7(&h), 500);
    assert_int_equal(flow_histogram_quantile(&h, 999), 8);
    assert_int_equal(flow_histogram_quantile(&h, 1000), h.max);
    flow_histogram_done(&h, arena);
}

/* What is refused counts in the count and the maximum; what was held stays. */
static void test_refused(void **state)
{
    struct flow_histogram h = {0};
    struct flow_arena small;

    (void)state;
    flow_arena_init(&small, FLOW_LINE);
    flow_histogram_add(&h, 7, &small);
    flow_histogram_add(&h, 8, &small); /* now the 7 is held */
    flow_histogram_add(&h, INT64_MAX, &small);
    flow_histogram_add(&h, 8, &small); /* there is no room for the largest */
    assert_int_equal(h.count, 4);
    assert_int_equal(h.max, INT64_MAX);
    assert_int_equal(small.refused, 1);
    assert_int_equal(flow_histogram_quantile(&h, 300), 7);
    assert_int_equal(flow_histogram_quantile(&h, 1000), 8);
    flow_histogram_done(&h, &small);
    assert_int_equal(small.left, FLOW_LINE);
    flow_arena_done(&small);
}

static int arena_begin(void **state)
{
    static struct flow_arena bounded;

    (void)state;
    flow_arena_init(&bounded, BOUND);
    arena = &bounded;
    return 0;
}

/* All that was taken has been given back */
static int arena_end(void **state)
{
    bool all = arena->left == BOUND;

    (void)state;
    flow_arena_done(arena);
    arena = NULL;
    return all ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_bound),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_small_values_are_exact),
        cmocka_unit_test(test_empty_and_negative),
        cmocka_unit_test(test_wide_buckets),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test_setup_teardown(test_error_bound, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_edges, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_small_values_are_exact, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_empty_and_negative, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_wide_buckets, arena_begin, arena_end),
        cmocka_unit_test_setup_teardown(test_equal_values, arena_begin, arena_end),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
