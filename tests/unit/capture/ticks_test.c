/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Resolutions and offsets of pcapng times, to their extremes. The values were worked out by hand.
 */
#include "capture/ticks.h"

#include "support.h"

static const struct row {
    const char *name;
    uint8_t resolution;
    int64_t offset_s;
    uint64_t ticks;
    int64_t ns;
} rows[] = {
    {"microseconds", 6, 0, 1700000000123456, 1700000000123456000},
    {"nanoseconds", 9, 0, 1700000000123456789, 1700000000123456789},
    {"milliseconds", 3, 0, 1700000000123, 1700000000123000000},
    {"seconds", 0, 0, 1700000000, 1700000000000000000},
    {"10^-12 rounds down", 12, 0, 1700000000123456789, 1700000000123456},
    {"10^-12 largest", 12, 0, UINT64_MAX, 18446744073709551},
    {"10^-28 largest", 28, 0, UINT64_MAX, 1},
    {"10^-29 largest", 29, 0, UINT64_MAX, 0},
    {"10^-127", 127, 0, UINT64_MAX, 0},
    {"2^-0", 0x80, 0, 1700000000, 1700000000000000000},
    {"2^-20", 0x94, 0, (1700000000ull << 20) + (1 << 19), 1700000000500000000},
    {"2^-20 one tick", 0x94, 0, 1, 953},
    {"2^-32", 0xa0, 0, (1700000000ull << 32) + 0xffffffff, 1700000000999999999},
    {"2^-63", 0xbf, 0, UINT64_MAX, 1999999999},
    {"2^-64", 0xc0, 0, UINT64_MAX, 999999999},
    {"2^-93", 0xdd, 0, UINT64_MAX, 1},
    {"2^-94", 0xde, 0, UINT64_MAX, 0},
    {"2^-127", 0xff, 0, UINT64_MAX, 0},
    {"offset forward", 6, 1000, 1, 1000000001000},
    {"offset back", 6, -5, 1000000, -4000000000},
    {"offset with a power of two", 0x94, -5, 5 << 20, 0},
    {"tick 0 with a power of two", 0x94, -5, 0, -5000000000},
    {"tick 0 of 10^-12", 12, 7, 0, 7000000000},
    {"tick 0 with the lowest offset", 6, INT64_MIN, 0, INT64_MIN},
    {"beyond what fits", 0, 0, UINT64_MAX, INT64_MAX},
    {"just what fits", 9, 0, INT64_MAX, INT64_MAX},
    {"one more than fits", 9, 0, (uint64_t)INT64_MAX + 1, INT64_MAX},
    {"largest offset", 6, INT64_MAX, 1, INT64_MAX},
    {"lowest offset", 6, INT64_MIN, 1, INT64_MIN},
    {"offset near the fast way's end", 9, 4611686018, 4611686018000000000, 9223372036000000000},
    {"offset past the fast way's end", 9, 4611686019, 1, 4611686019000000001},
};

static void test_row(void **state)
{
    const struct row *row = *state;
    struct ticks t = ticks_from_option(row->resolution, row->offset_s);

    assert_true(ticks_to_ns(&t, row->ticks) == row->ns);
}

/* The fast way and the slow way agree wherever the fast way is taken */
static void test_both_ways(void **state)
{
    const uint64_t samples[] = {0, 1, 999, 1000, 123456789, 1700000000000000, 4611686018427};

    (void)state;
    for (uint8_t resolution = 0; resolution <= 9; resolution++)
        for (int64_t offset = -100000; offset <= 100000; offset += 50000)
            for (size_t i = 0; i < SUPPORT_COUNT(samples); i++) {
                struct ticks t = ticks_from_option(resolution, offset);

                assert_true(ticks_to_ns(&t, samples[i]) == ticks_to_ns_slowly(&t, samples[i]));
            }
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 1] = {cmocka_unit_test(test_both_ways)};

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 1] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = test_row,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
