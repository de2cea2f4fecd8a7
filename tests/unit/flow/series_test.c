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

enum { MODEL_PARTS = 1 << 16 };

/* As flow_series_recent(), of all parts there ever were */
static uint64_t recent(const uint32_t *parts, int64_t newest, int64_t now)
{
    uint64_t sum = 0;

    for (int64_t age = 0; age < FLOW_PARTS; age++) {
        int64_t part = now / FLOW_PART_NS - age;

        if (part < 0 || part > newest || part <= newest - FLOW_PARTS)
            continue;
        sum += age == FLOW_PARTS - 1
                   ? (uint64_t)parts[part] * (uint64_t)(FLOW_PART_NS - now % FLOW_PART_NS) /
                         (uint64_t)FLOW_PART_NS
                   : parts[part];
    }
    return sum;
}

/* In the same part, the next ones, behind a pause; late, and too late */
static int64_t next_time(int64_t newest, uint32_t random)
{
    int64_t parts = 0;

    switch (random >> 8 & 7) {
    case 0:
        parts = random >> 16 & 3;
        break;
    case 1:
        parts = random >> 16 & 15;
        break;
    case 2:
        parts = -(int64_t)(random >> 16 & 15);
        break;
    default:
        break;
    }
    parts += newest;
    return (parts < 0 ? 0 : parts) * FLOW_PART_NS + (int64_t)(random % FLOW_PART_NS);
}

static void rate_at_any_moment(void **state)
{
    static uint32_t parts[MODEL_PARTS];
    struct flow_series s = {0};
    int64_t newest = 0;
    uint32_t random = 1;

    (void)state;
    for (unsigned i = 0; i < 20000 && newest < MODEL_PARTS - 16; i++) {
        int64_t time_ns, part;

        random = random * 1664525u + 1013904223u;
        time_ns = next_time(newest, random);
        part = time_ns / FLOW_PART_NS;
        flow_series_add(&s, time_ns, 1 + i % 1500);
        if (part > newest - FLOW_PARTS)
            parts[part] += 1 + i % 1500;
        newest = part > newest ? part : newest;
        time_ns = next_time(newest, random * 2654435761u);
        assert_int_equal(flow_series_recent(&s, time_ns), recent(parts, newest, time_ns));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_future_and_past),
        cmocka_unit_test(busiest_millisecond),
        cmocka_unit_test(rate_at_any_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
