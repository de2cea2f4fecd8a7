/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Triggers and rounds: why a requester went back, and what it took. The table is read as sequence.h
 * says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"nak-lost", "> 0 w 0..1; > 2 w 3; > 40 w 2..3; < 60 a 3",
     "3 gap 2+1; 4 late 2 by 1/38us; 4 closed 2+1 reordered; 5 copy 3 of 3"},
    {"nak-lost-timeout", "> 0 w 0..1; > 2 w 3; > 1002 w 2..3; < 1060 a 3",
     "3 gap 2+1; 4 resent 2 r1 unsure; 4 closed 2+1 retransmitted; 5 resent 3 of 3 r1; "
     "round 1 timeout 2..4 x2 unseen stall 1000us recovery 1058us; s0: 1 before"},
    {"ack-lost", "> 0 w 0..1; > 5000 w 0..1; < 5010 a 1",
     "3 resent 0 of 1 r1; 4 resent 1 of 2 r1; "
     "round 1 timeout 0..2 x2 stall 4999us recovery 10us; s0: 1 after"},
    {"timeout", "> 0 w 0..2; > 1000 w 1..2; < 1100 a 2",
     "4 resent 1 of 2 r1; 5 resent 2 of 3 r1; "
     "round 1 timeout 1..3 x2 stall 998us recovery 100us; s0: 1 after"},
    {"timeout-at-500us", "> 0 w 0..2; > 502 w 1..2; < 1100 a 2",
     "4 resent 1 of 2 r1; 5 resent 2 of 3 r1; "
     "round 1 timeout 1..3 x2 stall 500us recovery 598us; s0: 1 after"},
    {"no-timeout-below-500us", "> 0 w 0..2; > 501 w 1..2; < 1100 a 2",
     "4 resent 1 of 2 r1; 5 resent 2 of 3 r1; round 1 unknown? 1..3 x2 stall 499us recovery 599us"},
    {"no-timeout-below-four-rtts",
     "> 0 w 0; < 1000 a 0; > 2000 w 1; < 3000 a 1; > 4000 w 2; > 7000 w 2; < 9000 a 2",
     "6 resent 2 of 5 r1; round 1 unknown? 2..3 x1 stall 3000us recovery 2000us"},
    {"timeout-longer-than-four-rtts",
     "> 0 w 0; < 1000 a 0; > 2000 w 1; < 3000 a 1; > 4000 w 2; > 9000 w 2; < 9500 a 2",
     "6 resent 2 of 5 r1; round 1 timeout 2..3 x1 stall 5000us recovery 500us; s0: 1 after"},

    /* a NAK and a known or learned acknowledgement timeout */
    {"nak-behind-the-learned-timeout",
     "> 0 w 0..2; > 4002 w 1..2; < 4020 a 2; > 4100 w 3..5; < 4110 nak 4; > 8105 w 4..5; "
     "< 8200 a 5",
     "4 resent 1 of 2 r1; 5 resent 2 of 3 r1; 10 s1 nak 4 sequence; 11 resent 4 of 8 r2; "
     "12 resent 5 of 9 r2; round 1 timeout 1..3 x2 stall 4000us recovery 18us; "
     "round 2 timeout 4..6 x2 stall 4003us recovery 95us; s0: 2 after"},
    {"nak-before-the-learned-timeout",
     "> 0 w 0..2; > 4002 w 1..2; < 4020 a 2; > 4100 w 3..5; < 4110 nak 4; > 7000 w 4..5; "
     "< 8200 a 5",
     "4 resent 1 of 2 r1; 5 resent 2 of 3 r1; 10 s1 nak 4 sequence; 11 resent 4 of 8 r2; "
     "12 resent 5 of 9 r2; round 1 timeout 1..3 x2 stall 4000us recovery 18us; "
     "round 2 nak@10 4..6 x2 resend 2890us stall 2898us recovery 4090us; s0: 2 after"},
    {"nak-becomes-timeout-once-it-is-learned",
     "> 0 w 0..2; < 10 nak 1; > 4002 w 1..2; < 4020 a 2; > 4100 w 3..5; > 8102 w 4..5; < 8200 a 5",
     "4 s1 nak 1 sequence; 5 resent 1 of 2 r1; 6 resent 2 of 3 r1; 11 resent 4 of 9 r2; "
     "12 resent 5 of 10 r2; round 1 timeout 1..3 x2 stall 4000us recovery 4010us; "
     "round 2 timeout 4..6 x2 stall 4000us recovery 98us; s0: 2 after"},
    {"nak-stays-nak-once-it-is-learned",
     "> 0 w 0..2; < 10 nak 1; > 1002 w 1..2; < 1020 a 2; > 1100 w 3..5; > 5102 w 4..5; < 5200 a 5",
     "4 s1 nak 1 sequence; 5 resent 1 of 2 r1; 6 resent 2 of 3 r1; 11 resent 4 of 9 r2; "
     "12 resent 5 of 10 r2; round 1 nak@4? 1..3 x2 resend 992us stall 1000us recovery 1010us; "
     "round 2 timeout 4..6 x2 stall 4000us recovery 98us; s0: 2 after"},

    {"nak-of-what-never-passed-here", "> 0 w 0; > 1 w 2..3; < 5 nak 1; > 30 w 2..3; < 60 a 3",
     "2 gap 1+1; 4 s1 nak 1 sequence; 5 resent 2 of 2 r1; 6 resent 3 of 3 r1; "
     "6 closed 1+1 not-captured; "
     "round 1 nak@4 2..4 x2 nak 4us resend 25us stall 28us recovery 59us"},
    {"nak-of-what-passed-here", "> 0 w 0..3; < 5 nak 1; > 30 w 2..3; < 60 a 3",
     "5 s1 nak 1 sequence; 6 resent 2 of 3 r1; 7 resent 3 of 4 r1; "
     "round 1 nak@5 2..4 x2 resend 25us stall 27us recovery 55us; s0: 1 after"},

    {"nak-acknowledged-before-the-timeout",
     "> 0 w 0..5; < 8 nak 1; < 9 a 3; > 5000 w 4..5; < 5010 a 5",
     "7 s1 nak 1 sequence; 9 resent 4 of 5 r1; 10 resent 5 of 6 r1; round 1 timeout 4..6 x2 "
     "stall 4995us recovery 10us; s0: 1 after"},
    {"rnr-acknowledged-before-the-timeout",
     "> 0 s 0..5; < 8 rnr 1; < 9 a 3; > 5000 s 4..5; < 5010 a 5",
     "7 s1 rnr 1 1280us; 9 resent 4 of 5 r1; 10 resent 5 of 6 r1; round 1 timeout 4..6 x2 "
     "stall 4995us recovery 10us; s0: 1 after"},
    {"nak-obeyed-although-acknowledged", "> 0 w 0..5; < 8 nak 1; < 9 a 3; > 30 w 1..5; < 40 a 5",
     "7 s1 nak 1 sequence; 9 resent 1 of 2 r1 spurious; 10 resent 2 of 3 r1 spurious; 11 "
     "resent 3 of 4 r1 spurious; 12 resent 4 of 5 r1; 13 resent 5 of 6 r1; round 1 nak@7 1..6 "
     "x5 resend 22us stall 25us recovery 32us; s0: 1 after"},
    {"ack-of-a-read-whose-answer-is-missing", "> 0 w 0; > 1 r 1; < 10 a 1; > 11 r 1; < 20 ro 1",
     "4 resent 1 of 2 r1; round 1 read@3 1..2 x1 resend 1us stall 10us recovery 10us"},

    /* episodes */
    {"nak-repeated-is-one-episode",
     "> 0 w 0; > 1 w 2..5; < 5 nak 1; < 6 nak 1; < 7 nak 1; > 30 w 1..5; < 50 a 5",
     "2 gap 1+1; 6 s1 nak 1 sequence; 7 s1 nak 1 sequence; 8 s1 nak 1 sequence; "
     "9 resent 1 r1 unsure; 9 closed 1+1 retransmitted; 10 resent 2 of 2 r1; "
     "11 resent 3 of 3 r1; 12 resent 4 of 4 r1; 13 resent 5 of 5 r1; "
     "round 1 nak@6 1..6 x5 unseen nak 4us resend 25us stall 26us recovery 49us; s0: 1 before"},
    {"nak-again-behind-the-round",
     "> 0 w 0; > 1 w 2..3; < 5 nak 1; > 30 w 1..3; < 40 nak 1; > 60 w 1..3; < 80 a 3",
     "2 gap 1+1; 4 s1 nak 1 sequence; 5 resent 1 r1 unsure; 5 closed 1+1 retransmitted; "
     "6 resent 2 of 2 r1; 7 resent 3 of 3 r1; 8 s1 nak 1 sequence; 9 resent 1 of 5 r2; "
     "10 resent 2 of 2 r2; 11 resent 3 of 3 r2; "
     "round 1 nak@4 1..4 x3 unseen nak 4us resend 25us stall 28us recovery 79us; "
     "round 2 nak@8 1..4 x3 resend 20us stall 28us recovery 40us; s0: 1 before 1 after"},
    {"nak-again-within-the-round",
     "> 0 w 0; > 1 w 2..5; < 5 nak 1; > 30 w 1..2; < 40 nak 1; > 60 w 1..5; < 80 a 5",
     "2 gap 1+1; 6 s1 nak 1 sequence; 7 resent 1 r1 unsure; 7 closed 1+1 retransmitted; "
     "8 resent 2 of 2 r1; 9 s1 nak 1 sequence; 10 resent 1 of 7 r2; 11 resent 2 of 2 r2; "
     "12 resent 3 of 3 r2; 13 resent 4 of 4 r2; 14 resent 5 of 5 r2; "
     "round 1 nak@6 1..6 x2 cut unseen nak 4us resend 25us stall 26us recovery 79us; "
     "round 2 nak@9 1..6 x5 resend 20us stall 29us recovery 40us; s0: 1 before 1 after"},
    {"nak-answered-by-the-running-round",
     "> 0 w 0; > 1 w 2..3; < 5 nak 1; > 30 w 1; > 31 w 2; < 32 nak 3; > 50 w 3; > 51 w 4; "
     "< 80 a 4",
     "2 gap 1+1; 4 s1 nak 1 sequence; 5 resent 1 r1 unsure; 5 closed 1+1 retransmitted; "
     "6 resent 2 of 2 r1; 7 s1 nak 3 sequence; 8 resent 3 of 3 r1; "
     "round 1 nak@4 1..4 x3 unseen nak 4us resend 25us stall 28us recovery 79us; s0: 1 before"},
    {"rounds-interleaved", "> 0 w 0..5; < 10 nak 1; > 20 w 1..2; < 23 nak 2; > 30 w 2..5; < 50 a 5",
     "7 s1 nak 1 sequence; 8 resent 1 of 2 r1; 9 resent 2 of 3 r1; 10 s1 nak 2 sequence; "
     "11 resent 2 of 3 r2; 12 resent 3 of 4 r2; 13 resent 4 of 5 r2; 14 resent 5 of 6 r2; "
     "round 1 nak@7 1..6 x2 cut resend 10us stall 15us recovery 40us; "
     "round 2 nak@10 2..6 x4 resend 7us stall 9us recovery 27us; s0: 2 after"},
    {"round-jumps-to-the-next-nak",
     "> 0 w 0; > 1 w 2; > 2 w 4..6; < 9 nak 1; > 20 w 1; < 22 nak 3; > 30 w 3..6; < 50 a 6",
     "2 gap 1+1; 3 gap 3+1; 6 s1 nak 1 sequence; 7 resent 1 r1 unsure; "
     "7 closed 1+1 retransmitted; 8 s1 nak 3 sequence; 9 resent 3 r2 unsure; "
     "9 closed 3+1 retransmitted; 10 resent 4 of 3 r2; 11 resent 5 of 4 r2; 12 resent 6 of 5 r2; "
     "round 1 nak@6 1..7 x1 cut unseen nak 8us resend 11us stall 16us recovery 49us; "
     "round 2 nak@8 3..7 x4 unseen nak 20us resend 8us stall 10us recovery 48us; s0: 2 before"},
    {"round-in-flight-packets-do-not-clear-a-nak",
     "> 0 w 0; > 1 w 2..3; < 5 nak 1; > 6 w 4..5; > 600 w 1..5; < 700 a 5",
     "2 gap 1+1; 4 s1 nak 1 sequence; 7 resent 1 r1 unsure; 7 closed 1+1 retransmitted; "
     "8 resent 2 of 2 r1; 9 resent 3 of 3 r1; 10 resent 4 of 5 r1; 11 resent 5 of 6 r1; "
     "round 1 nak@4? 1..6 x5 unseen nak 4us resend 595us stall 593us recovery 699us; s0: 1 before"},
    {"timer-goes-on-where-all-before-is-acknowledged",
     "> 0 w 0..3; < 8 nak 1; > 20 w 1..2; < 25 a 2; > 2000 w 3; < 2010 a 3",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 2 of 3 r1; 9 resent 3 of 4 r2; round 1 "
     "nak@5 1..4 x2 cut resend 12us stall 17us recovery 2002us; round 2 timeout 3..4 x1 stall "
     "1979us recovery 10us; s0: 2 after"},
    {"round-goes-on-behind-a-pause",
     "> 0 w 0..3; < 8 nak 1; > 20 w 1..2; < 25 a 1; > 2000 w 3; < 2010 a 3",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 2 of 3 r1; 9 resent 3 of 4 r1; round 1 "
     "nak@5 1..4 x3 resend 12us stall 17us recovery 2002us; s0: 1 after"},
    {"round-steps-over-what-is-acknowledged-to-a-lost-nak",
     "> 0 w 0..7; < 9 nak 5; > 2000 w 0..2; < 2004 a 4; > 2005 w 5..7; < 2020 a 7",
     "9 s1 nak 5 sequence; 10 resent 0 of 1 r1 spurious; 11 resent 1 of 2 r1 spurious; 12 "
     "resent 2 of 3 r1 spurious; 14 resent 5 of 6 r1; 15 resent 6 of 7 r1; 16 resent 7 of 8 "
     "r1; round 1 timeout 0..8 x6 stall 1993us recovery 20us; s0: 1 after"},

    /* identifications tell which round a resend belongs to */
    {"new-data-overtakes-the-last-of-a-round",
     "ids; > 0 w 0..3; < 8 nak 1; > 20 w 1..2; > 23 w 4 #8; > 24 w 3 #7; < 30 a 4",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 2 of 3 r1; 9 resent 3 of 4 r1; round 1 "
     "nak@5 1..4 x3 resend 12us stall 17us recovery 22us; s0: 1 after"},
    {"late-resend-of-the-round-before",
     "ids; > 0 w 0..3; < 8 nak 1; > 20 w 1; > 21 w 3 #7; < 30 nak 1; > 40 w 1 #8; > 41 w 2 #6; "
     "> 42 w 2 #9; > 43 w 3 #10; < 60 a 3",
     "5 s1 nak 1 sequence; 6 resent 1 of 2 r1; 7 resent 3 of 4 r1; 8 s1 nak 1 sequence; 9 "
     "resent 1 of 2 r2; 10 resent 2 of 3 r1; 11 resent 2 of 3 r2; 12 resent 3 of 4 r2; round 1 "
     "nak@5 1..4 x3 resend 12us stall 17us recovery 52us; round 2 nak@8 1..4 x3 resend 10us "
     "stall 19us recovery 30us; s0: 2 after"},
    {"late-resend-from-before-the-nak",
     "ids; > 0 w 0..3; < 8 nak 1; > 20 w 2 #6; > 21 w 3 #7; < 24 nak 1; > 30 w 1 #5; "
     "> 60 w 2 #9; > 61 w 3 #10; < 80 a 3",
     "5 s1 nak 1 sequence; 6 resent 2 of 3 r1; 7 resent 3 of 4 r1; 8 s1 nak 1 sequence; 9 "
     "resent 1 of 2 r1; 10 resent 2 of 3 r2; 11 resent 3 of 4 r2; round 1 nak@5 2..4 x3 resend "
     "12us stall 17us recovery 72us; round 2 nak@8 2..4 x2 resend 36us stall 30us recovery "
     "56us; s0: 1 after"},

    /* receiver not ready */
    {"rnr", "> 0 s 0..1; < 5 rnr 0; > 2000 s 0..1; < 2010 a 1",
     "3 s1 rnr 0 1280us; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1; "
     "round 1 rnr@3 0..2 x2 resend 1995us stall 1999us recovery 2005us"},
    {"rnr-timer-0", "> 0 s 0..1; < 5 rnr0 0; > 660000 s 0..1; < 660010 a 1",
     "3 s1 rnr 0 655360us; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1; "
     "round 1 rnr@3 0..2 x2 resend 659995us stall 659999us recovery 660005us"},
    {"rnr-then-a-timeout-is-no-loss", "> 0 s 0; < 5 rnr 0; > 2000 s 0; > 5000 s 0; < 5010 a 0",
     "2 s1 rnr 0 1280us; 3 resent 0 of 1 r1; 4 resent 0 of 1 r2; "
     "round 1 rnr@2 0..1 x1 resend 1995us stall 2000us recovery 5005us; "
     "round 2 timeout 0..1 x1 stall 3000us recovery 10us"},
    {"read-again-then-a-timeout",
     "> 0 r 0; > 1 r 1; < 10 ro 1; > 40 r 0; > 41 r 1; > 5000 r 0; > 5001 r 1; < 5010 ro 0; < 5011 "
     "ro 1",
     "3 s1 gap 0+1; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1; 6 resent 0 of 1 r2; 7 resent 1 of 2 "
     "r2; 8 s1 resent 0 r2; 8 s1 closed 0+1 retransmitted; 9 s1 resent 1 of 3 r2; round 1 read@3 "
     "0..2 x2 resend 30us stall 39us recovery 5001us; round 2 timeout 0..2 x2 stall 4959us "
     "recovery 11us; s0: 1 after; s1: 1 before"},
    {"rnr-with-a-nak-behind-it", "> 0 s 0..1; < 5 rnr 0; < 6 nak 0; > 2000 s 0..1; < 2010 a 1",
     "3 s1 rnr 0 1280us; 4 s1 nak 0 sequence; 5 resent 0 of 1 r1; 6 resent 1 of 2 r1; "
     "round 1 rnr@3 0..2 x2 resend 1995us stall 1999us recovery 2005us"},
    {"nak-with-an-rnr-behind-its-round",
     "> 0 s 0..1; < 5 nak 0; > 10 s 0..1; < 15 rnr 0; > 2000 s 0..1; < 2010 a 1",
     "3 s1 nak 0 sequence; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1; 6 s1 rnr 0 1280us; "
     "7 resent 0 of 1 r2; 8 resent 1 of 2 r2; "
     "round 1 nak@3 0..2 x2 resend 5us stall 9us recovery 2005us; "
     "round 2 rnr@6 0..2 x2 resend 1985us stall 1989us recovery 1995us; s0: 1 after"},

    /* the end of retries */
    {"exhausted-timeout", "> 0 s 0; > 1000 s 0; > 3000 s 0; > 7000 s 0; > 12000 w 9 B=3",
     "2 resent 0 of 1 r1; 3 resent 0 of 1 r2; 4 resent 0 of 1 r3; 4 exhausted 0 x4; "
     "round 1 timeout? 0..1 x1 stall 1000us; round 2 timeout? 0..1 x1 stall 2000us; "
     "round 3 timeout? 0..1 x1 stall 4000us; s0: 3 after; c1: one-way s0 retry_exhausted; "
     "c2: one-way s1"},
    {"not-exhausted-where-new-requests-go-on",
     "> 0 s 0; > 1000 s 0; > 3000 s 0; > 7000 s 0; > 11000 s 1; > 22000 w 9 B=3",
     "2 resent 0 of 1 r1; 3 resent 0 of 1 r2; 4 resent 0 of 1 r3; "
     "round 1 timeout? 0..1 x1 stall 1000us; round 2 timeout? 0..1 x1 stall 2000us; "
     "round 3 timeout? 0..1 x1 stall 4000us; s0: 3 after; c1: one-way s0; c2: one-way s1"},
    {"not-exhausted-before-any-timeout",
     "> 0 w 0..1; < 5 nak 0; > 10 w 0; < 15 nak 0; > 20 w 0; < 25 nak 0; > 30 w 0; > 100 w 9 B=3",
     "3 s1 nak 0 sequence; 4 resent 0 of 1 r1; 5 s1 nak 0 sequence; 6 resent 0 of 1 r2; "
     "7 s1 nak 0 sequence; 8 resent 0 of 1 r3; round 1 nak@3 0..2 x1 cut resend 5us stall 9us; "
     "round 2 nak@5 0..2 x1 cut resend 5us stall 10us; "
     "round 3 nak@7 0..2 x1 running resend 5us stall 10us; s0: 3 after; c2: one-way s2"},
    {"not-exhausted-where-time-runs-back",
     "> 8000 s 0; < 8005 rnr 0; > 2000 s 0; < 2005 rnr 0; > 4000 s 0; < 4005 rnr 0; > 15000 w 9 "
     "B=3",
     "2 s1 rnr 0 1280us; 3 resent 0 of 1 r1; 4 s1 rnr 0 1280us; 5 resent 0 of 1 r2; "
     "6 s1 rnr 0 1280us; round 1 rnr@2 0..1 x1; round 2 rnr@4 0..1 x1 resend 1995us; "
     "c2: one-way s2"},
    {"not-exhausted-before-125-percent-of-the-interval",
     "> 0 s 0; > 1000 s 0; > 3000 s 0; > 7000 s 0; > 11999 w 9 B=3",
     "2 resent 0 of 1 r1; 3 resent 0 of 1 r2; 4 resent 0 of 1 r3; "
     "round 1 timeout? 0..1 x1 stall 1000us; round 2 timeout? 0..1 x1 stall 2000us; "
     "round 3 timeout? 0..1 x1 stall 4000us; s0: 3 after; c1: one-way s0; c2: one-way s1"},
    {"exhausted-rnr",
     "> 0 s 0; < 5 rnr 0; > 2000 s 0; < 2005 rnr 0; > 4000 s 0; < 4005 rnr 0; > 15000 w 9 B=3",
     "2 s1 rnr 0 1280us; 3 resent 0 of 1 r1; 4 s1 rnr 0 1280us; 5 resent 0 of 1 r2; "
     "6 s1 rnr 0 1280us; 5 exhausted 0 x3 rnr; round 1 rnr@2 0..1 x1 resend 1995us stall 2000us; "
     "round 2 rnr@4 0..1 x1 resend 1995us stall 2000us; c1: only retry_exhausted; c2: one-way s2"},
    {"exhausted-on-the-other-side",
     "> 0 a 9; < 5 s 0; < 1005 s 0; < 3005 s 0; < 7005 s 0; > 15000 w 9 B=3",
     "3 s1 resent 0 of 2 r1; 4 s1 resent 0 of 2 r2; 5 s1 resent 0 of 2 r3; 5 s1 exhausted 0 x4; "
     "round 1 s1 timeout 0..1 x1 stall 1000us; round 2 s1 timeout 0..1 x1 stall 2000us; "
     "round 3 s1 timeout 0..1 x1 stall 4000us; s1: 3 after; c1: only retry_exhausted; "
     "c2: one-way s2"},
    {"recovered-at-last",
     "> 0 s 0; > 1000 s 0; > 3000 s 0; > 7000 s 0; < 7010 a 0; > 50000 w 9 B=3",
     "2 resent 0 of 1 r1; 3 resent 0 of 1 r2; 4 resent 0 of 1 r3; "
     "round 1 timeout 0..1 x1 stall 1000us recovery 6010us; "
     "round 2 timeout 0..1 x1 stall 2000us recovery 4010us; "
     "round 3 timeout 0..1 x1 stall 4000us recovery 10us; s0: 3 after; c2: one-way s2"},
    {"two-tries-exhaust-nothing", "> 0 s 0; > 1000 s 0; > 15000 w 9 B=3",
     "2 resent 0 of 1 r1; round 1 timeout? 0..1 x1 stall 1000us; s0: 1 after; c1: one-way s0; "
     "c2: one-way s1"},
    {"remote-access-error", "> 0 w 0; < 10 access 0", "2 s1 nak 0 access; c1: only error"},
    {"remote-invalid-request", "> 0 w 0..1; < 10 invalid 0; > 1000 w 2",
     "3 s1 nak 0 invalid_request; c1: only error"},
    {"remote-operational-error", "> 0 w 0..1; < 10 operational 1",
     "3 s1 nak 1 operational; c1: only error"},

    /* only one direction is on the capture */
    {"one-way-requests", "> 0 w 0; > 1 w 2; > 600 w 1..2",
     "2 gap 1+1; 3 resent 1 r1 unsure; 3 closed 1+1 retransmitted; 4 resent 2 of 2 r1; "
     "round 1 timeout? 1..3 x2 unseen stall 599us; s0: 1 before; c1: one-way s0"},
    {"both-ways-the-same", "> 0 w 0; < 1 a 0; > 1 w 2; > 600 w 1..2",
     "3 gap 1+1; 4 resent 1 r1 unsure; 4 closed 1+1 retransmitted; 5 resent 2 of 3 r1; "
     "round 1 timeout 1..3 x2 unseen stall 599us; s0: 1 before"},
    {"one-way-answers", "< 0 a 5; < 1 nak 7; < 2 rnr 8; < 3 ro 9",
     "2 nak 7 sequence; 3 rnr 8 1280us; c1: one-way s0"},
};

int main(void)
{
    return sequence_main("round", rows, SUPPORT_COUNT(rows));
}
