/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entropy of shares, row by row.
 */
#include <math.h>

#include "support.h"

#include "analysis/entropy.h"

static const struct row {
    const char *name;
    uint64_t weights[8];
    double bits, effective;
} rows[] = {
    {"nothing", {0}, 0, 0},
    {"one", {5}, 0, 1},
    {"one-of-large-weight", {UINT64_C(1) << 60}, 0, 1},
    {"two-equal", {7, 7}, 1, 2},
    {"four-equal", {1, 1, 1, 1}, 2, 4},
    {"eight-equal", {9, 9, 9, 9, 9, 9, 9, 9}, 3, 8},
    {"zeros-do-not-count", {3, 0, 3, 0}, 1, 2},
    {"half-and-quarters", {2, 1, 1}, 1.5, 2.8284},
    {"nine-to-one", {9, 1}, 0.4690, 1.3842},
    {"scale-does-not-matter", {900000000, 100000000}, 0.4690, 1.3842},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct entropy e = {0};

    for (unsigned i = 0; i < 8; i++)
        entropy_add(&e, row->weights[i]);
    assert_true(fabs(entropy_bits(&e) - row->bits) < 0.0001);
    assert_true(fabs(entropy_effective(&e) - row->effective) < 0.0001);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
