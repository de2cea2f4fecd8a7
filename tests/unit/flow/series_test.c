/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The busiest millisecond, whatever the times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/series.h"

#define MS 1000000

static void far_future_and_past(void **state)
{
    struct flow_series s = {0};

    (void)state;
    flow_series_add(&s, 0, 1);
    flow_series_add(&s, INT64_MAX, 2);
    flow_series_add(&s, -5, 4);
    assert_int_equal(s.peak_bytes, 2);
    flow_series_add(&s, INT64_MAX, 4);
    assert_int_equal(s.peak_bytes, 6);
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
        cmocka_unit_test(far_future_and_past),
        cmocka_unit_test(busiest_millisecond),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
