/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Products of 128 bits, by the compiler's type where there is one and by halves. The values were
 * worked out by hand.
 */
#include "rdc/wide.h"

#include "support.h"

static const struct row {
    const char *name;
    uint64_t a, b;
    struct rdc_wide product;
} rows[] = {
    {"nothing", 0, UINT64_MAX, {0, 0}},
    {"one", 1, UINT64_MAX, {0, UINT64_MAX}},
    {"two", 2, UINT64_MAX, {1, UINT64_MAX - 1}},
    {"largest", UINT64_MAX, UINT64_MAX, {UINT64_MAX - 1, 1}},
    {"halves", UINT64_C(1) << 32, UINT64_C(1) << 32, {1, 0}},
    {"low halves", UINT32_MAX, UINT32_MAX, {0, 0xfffffffe00000001}},
    {"a carry from the low halves", 0xffffffff, 0x1ffffffff, {1, 0xfffffffd00000001}},
    {"carries from both middles",
     0xffffffff00000001,
     0xffffffff00000001,
     {0xfffffffe00000002, 0xfffffffe00000001}},
    {"seconds of 2^64 ticks", UINT64_MAX, 1000000000, {999999999, 0xffffffffc4653600}},
};

static void test_row(void **state)
{
    const struct row *row = *state;
    const uint64_t factors[2][2] = {{row->a, row->b}, {row->b, row->a}};

    for (size_t i = 0; i < 2; i++) {
        struct rdc_wide one = rdc_wide_product(factors[i][0], factors[i][1]);
        struct rdc_wide other = rdc_wide_product_of_halves(factors[i][0], factors[i][1]);

        assert_true(one.high == row->product.high && one.low == row->product.low);
        assert_true(other.high == row->product.high && other.low == row->product.low);
    }
}

/* Both ways agree on numbers without a pattern */
static void test_both_ways(void **state)
{
    uint64_t a = 0x9e3779b97f4a7c15, b = 0xd1b54a32d192ed03;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        struct rdc_wide one = rdc_wide_product(a, b);
        struct rdc_wide other = rdc_wide_product_of_halves(a, b);

        assert_true(one.high == other.high && one.low == other.low);
        a = a * 6364136223846793005u + 1442695040888963407u;
        b ^= a >> (i % 64);
    }
}

int main(void)
{
    struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 1];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                       .test_func = test_row,
                                       .initial_state = (void *)(uintptr_t)&rows[i]};
    tests[sizeof(rows) / sizeof(rows[0])] = (struct CMUnitTest)cmocka_unit_test(test_both_ways);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
