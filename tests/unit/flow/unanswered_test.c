/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A sequence NAK that waits to the end: what makes it wait, and what ends that. The packets are
 * read as sequence.h says.
 */
#include "flow/sequence.h"

static const struct row {
    const char *name;
    const char *packets;
    uint32_t psn;
    uint64_t frame, packet_frame; /* 0: no NAK waits */
} rows[] = {
    {"what-it-asks-for-passed-here", "> 0 w 0..2; < 10 nak 1", 1, 4, 2},
    {"what-it-asks-for-never-came", "> 0 w 0; > 2 w 2; < 10 nak 1", 1, 3, 0},
    {"later-packets-do-not-follow-it", "> 0 w 0..2; < 10 nak 1; > 20 w 3..5", 1, 4, 2},
    {"the-first-of-two-alike", "> 0 w 0..2; < 10 nak 1; < 20 nak 1", 1, 4, 2},
    {"a-round-follows-it", "> 0 w 0..2; < 10 nak 1; > 20 w 1..2", 0, 0, 0},
    {"a-late-packet-fills", "> 0 w 0; > 2 w 2; < 10 nak 1; > 11 w 1 #1", 0, 0, 0},
    {"an-acknowledgement-covers-it", "> 0 w 0..2; < 10 nak 1; < 20 a 2", 0, 0, 0},
    {"an-acknowledgement-below-does-not", "> 0 w 0..2; < 10 nak 1; < 20 a 0", 1, 4, 2},
    {"refused-for-want-of-a-buffer", "> 0 s 0..2; < 10 rnr 1", 0, 0, 0},
    {"the-connection-broke", "> 0 w 0..2; < 10 nak 1; < 20 access 1", 0, 0, 0},
    {"older-than-the-capture", "> 0 w 7..9; < 10 nak 5", 0, 0, 0},
    {"a-second-one-behind-a-round", "> 0 w 0..2; < 10 nak 1; > 20 w 1..2; < 30 nak 2", 2, 7, 3},
};

static void test_open_nak(void **state)
{
    const struct row *row = *state;
    const struct sequence_options options = {.base = 0xfffffd};
    struct sequence *q = sequence_run(row->packets, &options);
    struct flow_open_nak nak;

    assert_true(flow_open_nak_get(q->engine, 0, &nak) == (row->frame != 0));
    assert_int_equal(nak.frame, row->frame);
    assert_int_equal(nak.packet_frame, row->packet_frame);
    if (row->frame != 0)
        assert_int_equal(nak.psn, (options.base + row->psn) & RDC_PSN_MASK);
    assert_false(flow_open_nak_get(q->engine, 1, &nak));
    assert_false(flow_open_nak_get(q->engine, 99, &nak));
    sequence_done(q);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                       .test_func = test_open_nak,
                                       .initial_state = (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("unanswered", tests, SUPPORT_COUNT(rows), NULL, NULL);
}
