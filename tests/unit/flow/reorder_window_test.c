/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reorder window that the user names: what fills a hole within it is late, later is resent;
 * identifications that count tell better.
 */
#include "flow/sequence.h"

static const struct row {
    const char *name;
    int64_t window_ns;
    const char *packets, *expect;
} rows[] = {
    {"within-although-a-nak-asks", 8000, "> 0 w 0..1; > 2 w 3; < 4 nak 2; > 10 w 2; < 20 a 3",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 late 2 by 1/8us; 5 closed 2+1 reordered"},
    {"behind-it-although-nothing-asks", 7999, "> 0 w 0..1; > 2 w 3; > 10 w 2; < 20 a 3",
     "3 gap 2+1; 4 resent 2 r1; 4 closed 2+1 retransmitted; "
     "round 1 unknown? 2..4 x1 running unseen stall 8us recovery 18us; s0: 1 before"},
    {"ids-tell-better", 1000, "ids; > 0 w 0..1; > 5 w 3 #4; > 8 w 2 #3; < 20 a 3",
     "3 gap 2+1; 4 late 2 by 1/3us; 4 closed 2+1 reordered"},
    {"answers-within", 5000, "> 0 r 0 len=4096; < 5 rf 0; < 6 rm 2; < 11 rm 1; < 12 rl 3",
     "3 s1 gap 1+1; 4 s1 late 1 by 1/5us; 4 s1 closed 1+1 reordered"},
    {"answers-behind-it", 4999, "> 0 r 0 len=4096; < 5 rf 0; < 6 rm 2; < 11 rm 1; < 12 rl 3",
     "3 s1 gap 1+1; 4 s1 resent 1; 4 s1 closed 1+1 retransmitted; s1: 1 before"},
};

static void test_row(void **state)
{
    const struct row *row = *state;
    struct flow_config config = {.reorder_window_ns = row->window_ns};
    struct sequence_row wanted = {row->name, row->packets, row->expect};

    sequence_once(&wanted, &(struct sequence_options){.config = &config});
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                       .test_func = test_row,
                                       .initial_state = (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("reorder_window", tests, SUPPORT_COUNT(rows), NULL, NULL);
}
