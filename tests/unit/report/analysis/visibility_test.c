/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When may what a connection lost be missing from the capture only?
 */
#include "support.h"

#include "analysis/page/visibility.h"

static const struct row {
    const char *name;
    struct capture capture;
    struct flow_counters sent;
    bool is_uc;
    bool uncertain;
} rows[] = {
    {"nothing-lost", {.drops = 3, .drops_known = true}, {.retransmitted_packets = 4}, false, false},
    {"lost", {0}, {.lost_before_tap = 1}, false, false},
    {"the-capture-dropped", {.drops = 3, .drops_known = true}, {.lost_before_tap = 1}, false, true},
    {"behind-though-the-capture-dropped",
     {.drops = 3, .drops_known = true},
     {.lost_after_tap = 1},
     false,
     false},
    {"others-were-delivered", {0}, {.lost_before_tap = 1, .not_captured = 1}, false, true},
    {"others-were-acknowledged", {0}, {.lost_before_tap = 1, .acked_unseen = 1}, false, true},
    {"all-open", {0}, {.lost_before_tap = 2, .holes_open = 2}, false, true},
    {"some-open", {0}, {.lost_before_tap = 2, .holes_open = 1}, false, false},
    {"files-overlap", {.overlap_count = 1}, {.lost_after_tap = 1}, false, true},
    {"files-overlap-nothing-lost", {.overlap_count = 1}, {.packets = 1}, false, false},
    {"uc-without-a-count-of-drops", {0}, {.lost_before_tap = 1}, true, true},
    {"uc-and-none-dropped", {.drops_known = true}, {.lost_before_tap = 1}, true, false},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct flow_connection c = {.service = row->is_uc ? RDC_SERVICE_UC : RDC_SERVICE_RC};

    assert_int_equal(direction_loss_uncertain(&c, &row->sent, &row->capture), row->uncertain);
    assert_false(connection_loss_uncertain(&c, &row->capture));
    c.b_to_a.counters = &row->sent;
    assert_int_equal(connection_loss_uncertain(&c, &row->capture), row->uncertain);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("visibility", tests, SUPPORT_COUNT(rows), NULL, NULL);
}
