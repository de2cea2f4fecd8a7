/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Credits of a lane from the flow control packets of its two ports.
 */
#include "support.h"

#include "analysis/credits.h"

struct told {
    uint16_t fctbs, fccl;
};

static const struct row {
    const char *name;
    struct told packets[8]; /* a microsecond apart */
    unsigned count;
    uint64_t samples[2];
    uint32_t min[2], max[2];
    uint64_t zeros[2];
    int64_t at_zero_us[2];
} rows[] = {
    /* port 0 sent 66 and may send up to 578; port 1 sent 404 of 916 */
    {"both-ports",
     {{66, 916}, {404, 578}, {70, 1520}, {1008, 582}},
     4,
     {1, 1},
     {508, 512},
     {508, 512},
     {0},
     {0}},
    {"quiet",
     {{0, 512}, {0, 512}, {0, 512}, {0, 512}},
     4,
     {1, 1},
     {512, 512},
     {512, 512},
     {0},
     {0}},
    {"wraps",
     {{4000, 100}, {4090, 20}, {4010, 300}, {60, 40}},
     4,
     {1, 1},
     {106, 240},
     {106, 240},
     {0},
     {0}},
    {"runs-out",
     {{10, 600}, {500, 10}, {10, 600}, {600, 10}, {10, 600}, {600, 10}, {10, 700}, {600, 10}},
     8,
     {3, 3},
     {0, 0},
     {0, 100},
     {3, 2},
     {4, 4}},
    {"one-sided", {{10, 600}, {20, 610}, {30, 620}, {40, 630}}, 4, {0}, {0}, {0}, {0}, {0}},
    {"more-than-allowed", {{10, 600}, {20, 5}, {30, 600}}, 3, {0}, {0}, {0}, {0}, {0}},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct credit_lane lane = {0};

    for (unsigned i = 0; i < row->count; i++) {
        struct rdc_flow_control fc = {.fctbs = row->packets[i].fctbs, .fccl = row->packets[i].fccl};

        credit_packet(&lane, &fc, i + 1, i * 1000);
    }
    for (unsigned i = 0; i < CREDIT_PORTS; i++) {
        assert_int_equal(lane.ports[i].samples, row->samples[i]);
        assert_int_equal(lane.ports[i].min, row->min[i]);
        assert_int_equal(lane.ports[i].max, row->max[i]);
        assert_int_equal(lane.ports[i].zeros, row->zeros[i]);
        assert_int_equal(lane.ports[i].at_zero_ns, row->at_zero_us[i] * 1000);
    }
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
