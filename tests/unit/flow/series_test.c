/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes over time: bins double, nothing is lost, the busiest millisecond is found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/series.h"

#define MS 1000000

static uint64_t total(struct flow_series *s)
{
    uint64_t sum = 0;

    flow_series_settle(s);
    for (uint32_t i = 0; i < s->used; i++)
        sum += s->bytes[i];
    return sum;
}

static void bins_double(void **state)
{
    struct flow_series s = {0};

    (void)state;
    for (int64_t i = 0; i < 1000; i++)
        flow_series_add(&s, 5 + i * MS, 10);
    flow_series_settle(&s);
    assert_int_equal(s.bin_ns, 16 * MS);
    assert_int_equal(s.used, 63);
    assert_int_equal(s.bytes[0], 160);
    assert_int_equal(total(&s), 10000);
}

static void far_future_and_past(void **state)
{
    struct flow_series s = {0};

    (void)state;
    flow_series_add(&s, 0, 1);
    flow_series_add(&s, INT64_MAX, 2);
    flow_series_add(&s, -5, 4);
    assert_int_equal(total(&s), 7);
    assert_true(s.used <= FLOW_SERIES_BINS);
}

static void busiest_millisecond(void **state)
{
    struct flow_series s = {0};

    (void)state;
    flow_series_add(&s, 0, 100);
    flow_series_add(&s, MS - 1, 100);
    flow_series_add(&s, MS, 150);
    flow_series_add(&s, 3 * MS, 10);
    assert_int_equal(s.peak_bytes, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_double),
        cmocka_unit_test(far_future_and_past),
        cmocka_unit_test(busiest_millisecond),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
