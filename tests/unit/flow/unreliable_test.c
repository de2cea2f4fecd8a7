/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * UC: a gap is a loss, and a message with a gap is dropped. UD: no PSN is checked, and
 * the sender is known where all packets name the same. The table is
 * read as sequence.h says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"uc-loss", "> 0 us 0..1; > 5 us 3; > 6 usf 4; > 7 usm 5; > 9 usl 7; > 10 usf 8; > 11 usl 9",
     "3 gap 2+1; 6 gap 6+1; 8 closed 2+1 lost; 8 closed 6+1 lost; s0: 2 before 2 dropped; "
     "c1: one-way s0"},
    {"uc-first-was-overtaken", "ids; > 0 us 5..6 #9; > 2 us 4 #8; > 3 us 4 #8; > 4 us 7 #11",
     "3 late 4 by 0/0us; 4 copy 4 of 3; c1: one-way s0"},
    {"uc-another-life-is-not-late", "ids; > 0 us 5..6 #9; > 2 us 4 #12", "c1: one-way s0"},
    {"uc-late", "> 0 us 0..1; > 5 us 3; > 6 us 2; > 7 us 2",
     "3 gap 2+1; 4 late 2 by 1/1us; 4 closed 2+1 reordered; 5 copy 2 of 4; c1: one-way s0"},
    {"uc-copy", "> 0 us 0..1; > 5 us 1", "3 copy 1 of 2; c1: one-way s0"},
    {"uc-message-without-its-beginning", "> 0 us 0; > 1 usl 2; > 2 us 3",
     "2 gap 1+1; 3 closed 1+1 lost; s0: 1 before 1 dropped; c1: one-way s0"},
    {"uc-message-without-its-end", "> 0 usf 0; > 1 usm 1; > 2 us 3",
     "3 gap 2+1; 3 closed 2+1 lost; s0: 1 before 1 dropped; c1: one-way s0"},
    {"uc-messages-missing-whole", "> 0 us 0; > 3 us 3; > 5 us 5",
     "2 gap 1+2; 3 gap 4+1; 3 closed 1+2 lost; 3 closed 4+1 lost; s0: 3 before 2 dropped; "
     "c1: one-way s0"},
    {"uc-messages-missing-whole-but-one-late", "> 0 us 0; > 3 us 3; > 4 us 2",
     "2 gap 1+2; 3 late 2 by 1/1us; 3 closed 2+1 reordered; 3 closed 1+1 lost; "
     "s0: 1 before 1 dropped; c1: one-way s0"},
    {"uc-end-missing-behind-what-came-late", "> 0 us 0; > 3 us 3; > 4 usl 2",
     "2 gap 1+2; 3 late 2 by 1/1us; 3 closed 2+1 reordered; 3 closed 1+1 lost; "
     "s0: 1 before; c1: one-way s0"},
    {"uc-epoch", "> 0 us 0..3; > 10 us 5000000..5000003; > 20 us 5000005",
     "9 gap 5000004+1; 9 closed 5000004+1 lost; s0: 1 before 1 dropped; c1: one-way s0 2 epochs"},
    {"uc-epoch-back", "> 0 us 6000000..6000003; > 10 us 5..8; > 20 us 10",
     "9 gap 9+1; 9 closed 9+1 lost; s0: 1 before 1 dropped; c1: one-way s0 2 epochs"},
    {"ud-has-no-psn-verdicts", "> 0 ud 7; > 1 ud 3; > 2 ud 90; > 3 ud 7", "c1: one-way s0 from 17"},
    {"ud-of-several", "> 0 ud 1 from=51; > 1 ud 1 from=52; > 2 ud 2 from=52", "c1: one-way s0"},
    {"ud-of-several-again", "> 0 ud 1 from=51; > 1 ud 1 from=52; > 2 ud 2 from=51",
     "c1: one-way s0"},
    {"ud-cut", "> 0 ud 1 noexts", "c1: one-way s0"},
    {"ud-cut-but-one", "> 0 ud 1 noexts; > 1 ud 2 from=51; > 2 ud 3 noexts",
     "c1: one-way s0 from 51"},
};

int main(void)
{
    return sequence_main("unreliable", rows, SUPPORT_COUNT(rows));
}
