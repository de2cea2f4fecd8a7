/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Marks over time: bins double and lose nothing; times far away and before the start have a bin.
 */
#include "support.h"

#include "flow/marks.h"

#define US 1000

static const struct row {
    const char *name;
    int64_t start_ns, step_ns;
    unsigned count;
    int64_t bin_ns;
    uint32_t used, first;
} rows[] = {
    {"one", 5, 1, 1, 100 * US, 1, 1},
    {"one-bin", 5, 10, 100, 100 * US, 1, 100},
    {"all-bins", 0, 100 * US, 32, 100 * US, 32, 1},
    {"doubled", 0, 100 * US, 33, 200 * US, 17, 2},
    {"doubled-often", 7, 100 * US, 1000, 3200 * US, 32, 32},
    {"sparse", 0, 1000000 * US, 3, 102400 * US, 20, 1},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct flow_mark_bin sum = {0};
    struct flow_marks m = {0};

    for (unsigned i = 0; i < row->count; i++) {
        struct flow_mark_bin *b = flow_marks_at(&m, row->start_ns + i * row->step_ns);

        b->packets++;
        b->ect += 2;
        b->ce += 3;
        b->notices += 4;
    }
    flow_marks_settle(&m);
    for (uint32_t i = 0; i < m.used; i++) {
        sum.packets += m.bins[i].packets;
        sum.ect += m.bins[i].ect;
        sum.ce += m.bins[i].ce;
        sum.notices += m.bins[i].notices;
    }
    assert_int_equal(sum.packets, row->count);
    assert_int_equal(sum.ect, 2 * row->count);
    assert_int_equal(sum.ce, 3 * row->count);
    assert_int_equal(sum.notices, 4 * row->count);
    assert_int_equal(m.start_ns, row->start_ns);
    assert_int_equal(m.bin_ns, row->bin_ns);
    assert_int_equal(m.used, row->used);
    assert_int_equal(m.bins[0].packets, row->first);
}

static void check_far(void **state)
{
    struct flow_marks m = {0};

    (void)state;
    flow_marks_at(&m, 1000)->ce++;
    flow_marks_at(&m, INT64_MAX)->ce++;
    flow_marks_at(&m, -5)->ce++;
    flow_marks_settle(&m);
    assert_true(m.used <= FLOW_MARK_BINS);
    assert_int_equal(m.bins[0].ce, 2);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 1] = {cmocka_unit_test(check_far)};

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[1 + i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
