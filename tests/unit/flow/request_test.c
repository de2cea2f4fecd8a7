/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The request machine: gaps, resends, late originals, copies, epochs of RC and XRC requests. The
 * tables are read as sequence.h says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"in-sequence", "> 0 w 0..9; < 20 a 9", ""},
    {"nak-resent", "> 0 w 0..1; > 2 w 3; < 10 nak 2; > 40 w 2..3; < 60 a 3",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "6 resent 3 of 3 r1; "
     "round 1 nak@4 2..4 x2 unseen nak 8us resend 30us stall 38us recovery 58us; s0: 1 before"},

    /* late originals */
    {"late-without-ids", "> 0 w 0..1; > 5 w 3; > 8 w 2; < 20 a 3",
     "3 gap 2+1; 4 late 2 by 1/3us; 4 closed 2+1 reordered"},
    {"late-with-ids", "ids; > 0 w 0..1; > 5 w 3 #4; > 8 w 2 #3; < 20 a 3",
     "3 gap 2+1; 4 late 2 by 1/3us; 4 closed 2+1 reordered"},
    {"late-behind-a-nak-with-ids",
     "ids; > 0 w 0..1; > 5 w 3 #4; < 7 nak 2; > 8 w 2 #3; > 9 w 4 #5; < 20 a 4",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 late 2 by 1/3us; 5 closed 2+1 reordered"},
    {"late-behind-a-nak-without-ids-nothing-repeated-behind-it",
     "> 0 w 0..1; > 5 w 3; < 7 nak 2; > 8 w 2; > 9 w 4; < 20 a 4",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 late 2 after all; 5 closed 2+1 reordered"},
    {"late-behind-its-own-resend-with-ids",
     "ids; > 0 w 0..1 #1; > 2 w 3 #4; < 7 nak 2; > 20 w 2..3 #5; > 30 w 2 #3; > 40 w 4 #7; "
     "< 50 a 4",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 resent 2 r1; 5 closed 2+1 retransmitted; "
     "6 resent 3 of 3 r1; 7 late 2 by 0/0us; "
     "round 1 nak@4 2..4 x2 unseen nak 5us resend 13us stall 18us recovery 48us; s0: 1 before"},
    {"late-behind-its-own-resend-without-ids",
     "> 0 w 0..1; > 2 w 3; < 7 nak 2; > 20 w 2..3; > 30 w 2; > 40 w 4; < 50 a 4",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "6 resent 3 of 3 r1; 7 copy 2 of 5; "
     "round 1 nak@4 2..4 x2 unseen nak 5us resend 13us stall 18us recovery 48us; s0: 1 before"},
    {"ids-that-run-down-tell-nothing",
     "> 0 w 0 #900; > 1 w 1 #800; > 5 w 3 #700; < 6 nak 2; > 8 w 2 #750; < 20 a 3",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "round 1 nak@4 2..4 x1 running unseen nak 1us resend 2us stall 3us recovery 15us; "
     "s0: 1 before"},
    {"ids-count-though-the-capture-begins-with-a-late-packet",
     "> 0 w 5 #105; > 600 w 3 #103; > 1200 w 4 #104; > 1201 w 6 #106; < 1220 a 6",
     "2 late 3 after all; 3 late 4 by 2/1200us"},
    {"ids-wrap", "> 0 w 0 #65533; > 1 w 1 #65534; > 5 w 3 #0; > 6 w 4 #1; > 8 w 2 #65535; < 20 a 4",
     "3 gap 2+1; 5 late 2 by 2/3us; 5 closed 2+1 reordered"},

    /* a first copy that proves late only when its resend comes */
    {"amended-at-the-naks-psn", "> 0 w 0..1; > 2 w 3; < 7 nak 2; > 8 w 2; > 20 w 2..3; < 40 a 3",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 late 2 after all; 5 closed 2+1 reordered; 6 resent 2 of 5 "
     "r1; 7 resent 3 of 3 r1; round 1 nak@4 2..4 x2 nak 5us resend 13us stall 12us recovery "
     "38us"},
    {"amended-within-a-round",
     "> 0 w 0..1; > 2 w 6; < 7 nak 2; > 20 w 2; > 21 w 3; > 22 w 3..6; < 40 a 6",
     "3 gap 2+4; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; 6 late 3 "
     "after all; 6 closed 3+1 reordered; 7 resent 3 of 6 r1; 8 resent 4 r1 unsure; 8 closed 4+1 "
     "retransmitted; 9 resent 5 r1 unsure; 9 closed 5+1 retransmitted; 10 resent 6 of 3 r1; round "
     "1 nak@4 2..7 x5 unseen nak 5us resend 13us stall 18us recovery 38us; s0: 3 before"},
    {"amended-all-of-a-round", "> 0 w 0..1; > 2 w 6; < 7 nak 2; > 20 w 2..4; > 30 w 2..6; < 40 a 6",
     "3 gap 2+4; 4 s1 nak 2 sequence; 5 late 2 after all; 5 closed 2+1 reordered; 6 late 3 after "
     "all; 6 closed 3+1 reordered; 7 late 4 after all; 7 closed 4+1 reordered; 8 resent 2 of 5 r1; "
     "9 resent 3 of 6 r1; 10 resent 4 of 7 r1; 11 resent 5 r1 unsure; 11 closed 5+1 retransmitted; "
     "12 resent 6 of 3 r1; round 1 nak@4 2..7 x5 unseen nak 5us resend 13us stall 18us recovery "
     "38us; s0: 1 before"},
    {"not-amended-a-new-nak-explains-it",
     "> 0 w 0..1; > 2 w 8; < 7 nak 2; > 20 w 2..4; < 25 nak 3; > 40 w 3..8; < 60 a 8",
     "3 gap 2+6; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "6 resent 3 r1 unsure; 6 closed 3+1 retransmitted; 7 resent 4 r1 unsure; "
     "7 closed 4+1 retransmitted; 8 s1 nak 3 sequence; 9 resent 3 of 6 r2; 10 resent 4 of 7 r2; "
     "11 resent 5 r2 unsure; 11 closed 5+1 retransmitted; 12 resent 6 r2 unsure; "
     "12 closed 6+1 retransmitted; 13 resent 7 r2 unsure; 13 closed 7+1 retransmitted; "
     "14 resent 8 of 3 r2; "
     "round 1 nak@4 2..9 x3 cut unseen nak 5us resend 13us stall 18us recovery 58us; "
     "round 2 nak@8 3..9 x6 resend 15us stall 18us recovery 35us; s0: 6 before 1 after"},
    {"not-amended-a-timeout-explains-it",
     "> 0 w 0..1; > 2 w 8; < 7 nak 2; > 20 w 2..4; > 1040 w 2..8; < 1060 a 8",
     "3 gap 2+6; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "6 resent 3 r1 unsure; 6 closed 3+1 retransmitted; 7 resent 4 r1 unsure; "
     "7 closed 4+1 retransmitted; 8 resent 2 of 5 r2; 9 resent 3 of 6 r2; 10 resent 4 of 7 r2; "
     "11 resent 5 r2 unsure; 11 closed 5+1 retransmitted; 12 resent 6 r2 unsure; "
     "12 closed 6+1 retransmitted; 13 resent 7 r2 unsure; 13 closed 7+1 retransmitted; "
     "14 resent 8 of 3 r2; "
     "round 1 nak@4 2..9 x3 cut unseen nak 5us resend 13us stall 18us recovery 1058us; "
     "round 2 timeout 2..9 x7 stall 1018us recovery 20us; s0: 6 before 1 after"},

    /* copies */
    {"copy-with-ids", "ids; > 0 w 0..2 #1; > 40 w 1 #2; < 60 a 2", "4 copy 1 of 2"},
    {"copy-with-ids-half-a-second-later", "ids; > 0 w 0..2 #1; > 500000 w 1 #2; < 500060 a 2",
     "4 copy 1 of 2"},
    {"no-copy-a-second-later", "ids; > 0 w 0..2 #1; > 1000002 w 1 #2; < 1000060 a 2",
     "4 resent 1 of 2 r1; round 1 timeout 1..3 x1 running stall 1000000us recovery 58us; "
     "s0: 1 after"},
    {"copy-with-ids-in-spite-of-a-nak",
     "ids; > 0 w 0..2 #1; < 5 nak 1; > 6 w 1 #2; > 40 w 1..2 #4; < 60 a 2",
     "4 s1 nak 1 sequence; 5 copy 1 of 2; 6 resent 1 of 2 r1; 7 resent 2 of 3 r1; "
     "round 1 nak@4 1..3 x2 resend 35us stall 34us recovery 55us; s0: 1 after"},
    {"copy-of-the-first-packet-with-ids", "ids; > 0 w 0..2 #1; > 300 w 0 #1; < 360 a 2",
     "4 copy 0 of 1"},
    {"copy-of-what-is-no-longer-remembered", "ids; > 0 w 0..199 #1; > 400 w 0 #1; < 460 a 199",
     "201 copy 0 of 0"},
    {"resend-of-what-is-no-longer-remembered",
     "ids; > 0 w 0..199 #1; > 9000 w 0 #201; < 9060 a 199",
     "201 resent 0 r1; round 1 timeout 0..200 x1 running stall 8801us recovery 60us"},
    {"first-packet-at-another-interface", "> 0 w 0 #7; > 182 w 0 #7 if=1; > 190 w 1 #8; < 200 a 1",
     "2 copy 0 of 1"},
    {"first-packet-again-at-the-same-interface",
     "> 0 w 0 #7; > 182 w 0 #7; > 190 w 1 #8; < 200 a 1",
     "2 resent 0 of 1 r1; round 1 unknown? 0..1 x1 stall 182us recovery 18us"},
    {"copy-without-ids-100us-later", "> 0 w 0..2; > 101 w 1; < 160 a 2", "4 copy 1 of 2"},
    {"no-copy-101us-later", "> 0 w 0..2; > 102 w 1; < 160 a 2",
     "4 resent 1 of 2 r1; round 1 unknown? 1..3 x1 running stall 100us recovery 58us"},
    {"no-copy-other-headers", "> 0 w 0..2; > 11 w 1 salt=1; < 160 a 2",
     "4 resent 1 of 2 r1; round 1 unknown? 1..3 x1 running stall 9us recovery 149us"},
    {"no-copy-other-port", "> 0 w 0..2; > 11 w 1 port=50001; < 160 a 2",
     "4 resent 1 of 2 r1; round 1 unknown? 1..3 x1 running stall 9us recovery 149us"},
    {"no-copy-a-nak-explains-it", "> 0 w 0..2; < 5 nak 1; > 11 w 1..2; < 160 a 2",
     "4 s1 nak 1 sequence; 5 resent 1 of 2 r1; 6 resent 2 of 3 r1; "
     "round 1 nak@4 1..3 x2 resend 6us stall 9us recovery 155us; s0: 1 after"},
    {"copy-of-a-resend", "> 0 w 0..2; < 5 nak 1; > 200 w 1..2; > 210 w 2; < 260 a 2",
     "4 s1 nak 1 sequence; 5 resent 1 of 2 r1; 6 resent 2 of 3 r1; 7 copy 2 of 6; "
     "round 1 nak@4 1..3 x2 resend 195us stall 198us recovery 255us; s0: 1 after"},

    /* spurious resends */
    {"spurious-behind-a-missing-answer",
     "> 0 r 0; > 1 w 1; > 2 w 2; < 10 a 1; > 40 r 0; > 41 w 1..2; < 60 ro 0; < 61 a 2",
     "4 s1 gap 0+1; 5 resent 0 of 1 r1; 6 resent 1 of 2 r1 spurious; 7 resent 2 of 3 r1; "
     "8 s1 resent 0 r1; 8 s1 closed 0+1 retransmitted; "
     "round 1 read@4 0..3 x3 resend 30us stall 38us recovery 51us; s1: 1 before"},
    {"spurious-acknowledged", "> 0 w 0..2; < 10 a 2; > 1000 w 1..2; < 1100 a 2",
     "5 resent 1 of 2 r1 spurious; 6 resent 2 of 3 r1 spurious; "
     "round 1 timeout 1..3 x2 stall 998us recovery 100us answer lost"},
    {"lost-behind-once-then-before",
     "> 0 w 0..3; < 10 nak 1; > 50 w 1; > 51 w 3; < 60 nak 2; "
     "> 100 w 2..3; < 120 a 3",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 3 of 4 r1; 8 s1 nak 2 sequence; "
     "9 resent 2 of 3 r2; 10 resent 3 of 4 r2; round 1 nak@5 1..4 x2 resend 40us stall 47us "
     "recovery 110us; round 2 nak@8 2..4 x2 resend 40us stall 49us recovery 60us; s0: 1 after"},
    {"lost-behind-twice",
     "> 0 w 0..3; < 10 nak 1; > 50 w 1..3; < 60 nak 2; > 100 w 2..3; < 120 a 3",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 2 of 3 r1; 8 resent 3 of 4 r1; 9 s1 nak 2 "
     "sequence; 10 resent 2 of 3 r2; 11 resent 3 of 4 r2; round 1 nak@5 1..4 x3 resend 40us stall "
     "47us recovery 110us; round 2 nak@9 2..4 x2 resend 40us stall 48us recovery 60us; s0: 2 "
     "after"},
    {"spurious-below-a-nak", "> 0 w 0..2; < 10 nak 2; > 1000 w 1..2; < 1100 a 2",
     "4 s1 nak 2 sequence; 5 resent 1 of 2 r1 spurious; 6 resent 2 of 3 r1; "
     "round 1 timeout 1..3 x2 stall 998us recovery 100us; s0: 1 after"},
    {"spurious-below-an-rnr-nak", "> 0 w 0..2; < 10 rnr 2; > 1000 w 1..2; < 1100 a 2",
     "4 s1 rnr 2 1280us; 5 resent 1 of 2 r1 spurious; 6 resent 2 of 3 r1; "
     "round 1 timeout 1..3 x2 stall 998us recovery 100us answer lost"},
    {"spurious-below-a-read-response",
     "> 0 w 0; > 1 r 1; < 10 ro 1; > 1000 w 0; > 1001 r 1; < 1100 ro 1",
     "4 resent 0 of 1 r1 spurious; 5 resent 1 of 2 r1; 6 s1 resent 1 of 3 r1; "
     "round 1 timeout 0..2 x2 stall 999us recovery 100us answer lost"},

    /* the capture begins in mid-flow */
    {"below-the-first-psn", "> 0 w 10..12; > 5 w 8; > 600 w 9; > 601 w 13; < 1100 a 13",
     "4 late 8 by 3/5us; 5 late 9 after all"},
    {"below-the-first-psn-which-is-forgotten",
     "> 0 w 100..400; < 500 a 400; > 600 w 401..500; < 800 a 500; > 900 w 99",
     "404 late 99 by 0/0us"},
    {"below-the-first-psn-and-late-after-all",
     "ids; > 0 w 10..19 #100; > 15 w 8 #98; < 16 nak 9; > 17 w 9 #99; > 18 w 20 #110; < 30 a 20",
     "11 late 8 by 10/15us; 12 s1 nak 9 sequence; 13 late 9 by 11/17us"},

    /* holes and how they end */
    {"hole-open-at-the-end", "> 0 w 0; > 2 w 3",
     "2 gap 1+2; 2 closed 1+2 open; s0: 2 before; c1: one-way s0"},
    {"hole-not-captured", "> 0 w 0; > 2 w 3; < 10 a 3", "2 gap 1+2; 3 closed 1+2 not-captured"},
    {"hole-not-captured-but-late", "> 0 w 0; > 2 w 3; < 10 a 3; > 15 w 1",
     "2 gap 1+2; 3 closed 1+2 not-captured; 4 late 1 by 1/13us; 4 closed 1+1 reordered"},
    {"hole-covered-in-part", "> 0 w 0; > 2 w 4; < 10 a 2; > 20 w 3",
     "2 gap 1+3; 4 late 3 by 1/18us; 4 closed 3+1 reordered; 4 closed 1+2 not-captured"},
    {"hole-split", "> 0 w 0; > 2 w 6; > 3 w 3; > 4 w 5; > 5 w 1; < 10 a 0",
     "2 gap 1+5; 3 late 3 by 1/1us; 3 closed 3+1 reordered; 4 late 5 by 2/2us; "
     "4 closed 5+1 reordered; 5 late 1 by 3/3us; 5 closed 1+1 reordered; 5 closed 2+1 open; "
     "5 closed 4+1 open; s0: 2 before"},
    {"nak-seen-request-not", "> 0 w 0..1; > 2 w 3..4; < 10 nak 2; > 30 w 3..4; < 50 a 4",
     "3 gap 2+1; 5 s1 nak 2 sequence; 6 resent 3 of 3 r1; 7 resent 4 of 4 r1; "
     "7 closed 2+1 not-captured; "
     "round 1 nak@5 3..5 x2 nak 8us resend 20us stall 27us recovery 48us"},
    {"acknowledged-unseen", "> 0 w 0..1; < 10 a 4; < 11 a 4; > 20 w 5",
     "3 s1 unseen 4+3; 5 gap 2+3; 5 closed 2+3 not-captured"},
    {"acknowledged-the-very-next-unseen", "> 0 w 0..1; < 10 a 2; > 20 w 3",
     "3 s1 unseen 2+1; 4 gap 2+1; 4 closed 2+1 not-captured"},
    {"acknowledged-before-it-is-seen", "> 0 w 0; < 10 a 4; > 20 w 3; > 30 w 4",
     "2 s1 unseen 4+4; 3 gap 1+2; 3 closed 1+2 not-captured"},
    {"resend-of-what-is-forgotten", "> 0 w 0..299; < 300 a 299; > 310 w 300; > 2000 w 5",
     "303 resent 5 r1 spurious; round 1 timeout 5..301 x1 running stall 1690us answer lost"},

    {"resend-of-what-was-before-the-capture", "> 0 w 5; > 2000 w 3..5; < 2010 a 5",
     "2 resent 3 r1 unsure; 3 resent 4 r1 unsure; 4 resent 5 of 1 r1; "
     "round 1 timeout 3..6 x3 unseen, not lost stall 2000us recovery 10us"},

    /* epochs */
    {"epoch-a-jump-ahead", "> 0 w 0..3; > 10 w 5000000..5000003; < 20 a 5000003",
     "c1: only 2 epochs"},
    {"epoch-a-jump-back", "> 0 w 6000000..6000003; > 10 w 5..8; < 20 a 8", "c1: only 2 epochs"},
    {"epoch-ends-a-round",
     "> 0 w 0..5; < 10 nak 1; > 20 w 1..2; > 30 w 5000000..5000003; < 50 a 5000003",
     "7 s1 nak 1 sequence; 8 resent 1 of 2 r1; 9 resent 2 of 3 r1; "
     "round 1 nak@7 1..6 x2 running resend 10us stall 15us; s0: 1 after; c1: only 2 epochs"},
    {"epoch-leaves-a-hole", "> 0 w 0; > 1 w 2; > 30 w 5000000; > 31 w 5000002; < 50 a 5000000",
     "2 gap 1+1; 3 closed 1+1 lost; 4 gap 5000001+1; 4 closed 5000001+1 open; s0: 2 before; "
     "c1: only 2 epochs"},
    {"epoch-restarts-the-answers",
     "> 0 r 6000000 len=2048; < 5 rf 6000000; < 6 rl 6000001; > 10 r 5 len=4096; < 20 rf 5; "
     "< 21 rm 7; < 22 rl 8",
     "6 s1 gap 6+1; 7 s1 closed 6+1 open; s1: 1 before; c1: only 2 epochs"},
    {"jump-of-4194304-is-a-gap", "> 0 w 0; > 10 w 4194305",
     "2 gap 1+4194304; 2 closed 1+4194304 open; s0: 4194304 before; c1: one-way s0"},
    {"jump-of-4194305-is-an-epoch", "> 0 w 0; > 10 w 4194306", "c1: one-way s0 2 epochs"},
};

int main(void)
{
    return sequence_main("request", rows, SUPPORT_COUNT(rows));
}
