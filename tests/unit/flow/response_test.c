/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The response machine: READ accounting, missing and repeated answers, acknowledgements. The table
 * is read as sequence.h says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"reads-that-overlap-when-the-path-mtu-is-known",
     "> 0 w 0; > 1 r 5 len=64; > 2 r 2 len=300000; > 3 r 3 len=300000; > 4 r 100 len=64; "
     "> 5 r 101 len=64; > 6 r 102 len=64; > 7 wf 103; < 10 ro 49; < 11 ro 101",
     "2 gap 1+4; 3 late 2 by 1/1us; 3 closed 2+1 reordered; 4 late 3 by 2/2us; "
     "4 closed 3+1 reordered; 5 gap 6+94; 9 s1 gap 2+4; 9 closed 1+1 not-captured; "
     "9 closed 4+1 not-captured; 10 s1 gap 100+1; 10 closed 6+94 not-captured; "
     "10 s1 closed 2+4 open; 10 s1 closed 100+1 open; s1: 5 before"},
    {"read", "> 0 r 0 len=4096; < 10 rf 0; < 11 rm 1..2; < 13 rl 3; > 20 w 4", ""},

    /* PSNs that a READ takes */
    {"read-of-unknown-psns-makes-no-gap", "> 0 r 0 len=5000; > 1 w 9; < 10 a 9",
     "3 s1 gap 0+9; 3 s1 closed 0+9 open; s1: 9 before"},
    {"read-tells-the-path-mtu", "> 0 r 0 len=5000; > 1 w 5; > 2 r 6 len=2048; > 3 w 9; < 10 a 9",
     "4 gap 8+1; 5 s1 gap 0+5; 5 s1 gap 6+2; 5 closed 8+1 not-captured; 5 s1 closed 0+5 open; "
     "5 s1 closed 6+2 open; s1: 7 before"},
    {"read-tells-the-smallest-path-mtu",
     "> 0 r 0 len=300; > 1 w 2; > 2 r 3 len=2048; > 3 w 12; < 10 a 12",
     "4 gap 11+1; 5 s1 gap 0+2; 5 s1 gap 3+8; 5 closed 11+1 not-captured; 5 s1 closed 0+2 open; "
     "5 s1 closed 3+8 open; s1: 10 before"},
    {"first-packet-of-no-path-mtu", "> 0 wf 0 len=128; > 1 wl 1; > 2 r 2 len=512; > 3 w 4",
     "c1: one-way s0"},
    {"read-with-known-path-mtu", "> 0 wf 0; > 1 wl 1; > 2 r 2 len=4096; > 3 w 7; < 10 a 7",
     "4 gap 6+1; 5 s1 gap 2+4; 5 closed 6+1 not-captured; 5 s1 closed 2+4 open; s1: 4 before"},
    {"response-lost-behind",
     "> 0 r 0 len=4096; < 10 rf 0; < 11 rm 1..2; < 13 rl 3; > 50 r 2 len=2048; "
     "< 60 rf 2; < 61 rl 3; > 70 w 4; < 80 a 4",
     "6 resent 2 of 1 r1; 7 s1 resent 2 of 4 r1; 8 s1 resent 3 of 5 r1; round 1 read@5 2..4 x1 "
     "resend 37us stall 50us recovery 48us; s1: 1 after"},
    {"response-lost-before-then-again",
     "> 0 r 0 len=4096; < 10 rf 0; < 12 rm 2; < 13 rl 3; > 50 r 1 len=3072; "
     "< 60 rf 1; < 62 rl 3; > 90 r 2 len=2048; < 100 rf 2; < 101 rl 3; > 120 w 4; < 130 a 4",
     "3 s1 gap 1+1; 5 resent 1 of 1 r1; 6 s1 resent 1 r1; 6 s1 closed 1+1 retransmitted; 7 s1 "
     "resent 3 of 4 r1; 8 resent 2 of 1 r2; 9 s1 resent 2 of 3 r2; 10 s1 resent 3 of 4 r2; round 1 "
     "read@4 1..4 x1 resend 37us stall 50us recovery 49us; round 2 read@7 2..4 x1 "
     "resend 28us stall 40us recovery 39us; s1: 1 before"},
    {"read-learns-it-from-the-response", "> 0 r 0 len=4096; < 5 rf 0; > 6 w 5; < 10 a 5",
     "3 gap 4+1; 4 s1 gap 1+3; 4 closed 4+1 not-captured; 4 s1 closed 1+3 open; s1: 3 before"},
    {"read-of-8-psns",
     "> 0 wf 0; > 1 wl 1; > 2 r 2 len=8192; < 10 rf 2; < 11 rm 3..8; < 18 rl 9; > 20 w 10", ""},
    {"read-of-0-bytes", "> 0 wf 0; > 1 wl 1; > 2 r 2 len=0; > 3 w 3; < 10 ro 2", ""},
    {"read-of-4-gib", "> 0 wf 0; > 1 wl 1; > 2 r 2 len=4294967295; > 3 w 4194306; < 10 a 4194306",
     "5 s1 gap 2+4194304; 5 s1 closed 2+4194304 open; s1: 4194304 before"},
    {"read-with-its-length-cut-off", "> 0 r 0 noexts; > 1 w 40; < 10 a 40",
     "3 s1 gap 0+40; 3 s1 closed 0+40 open; s1: 40 before"},
    {"read-with-its-length-cut-off-misses-a-response",
     "> 0 r 0 noexts; < 5 rf 0; < 7 rm 2; < 8 rl 3",
     "3 s1 gap 1+1; 4 s1 closed 1+1 open; s1: 1 before"},
    {"read-request-lost",
     "> 0 wf 0; > 1 wl 1; > 3 w 6; < 5 nak 2; > 30 r 2 len=4096; > 31 w 6; < 40 rf 2; "
     "< 41 rm 3..4; < 43 rl 5; < 44 a 6",
     "3 gap 2+4; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+4 retransmitted; "
     "6 resent 6 of 3 r1; "
     "round 1 nak@4 2..7 x2 unseen nak 2us resend 25us stall 27us recovery 41us; s0: 1 before"},

    /* responses that are missing */
    {"read-response-lost",
     "> 0 r 0 len=4096; < 10 rf 0; < 12 rm 2; < 13 rl 3; > 40 r 1 len=3072; < 50 rf 1; < 51 rm 2; "
     "< 52 rl 3",
     "3 s1 gap 1+1; 5 resent 1 of 1 r1; 6 s1 resent 1 r1; 6 s1 closed 1+1 retransmitted; 7 s1 "
     "resent 2 of 3 r1; 8 s1 resent 3 of 4 r1; round 1 read@4 1..4 x1 resend 27us stall "
     "40us recovery 39us; s1: 1 before"},
    {"read-answers-in-flight-recover-nothing",
     "> 0 r 0 len=4096; < 10 rf 0; < 12 rm 2; > 20 r 1 len=3072; < 25 rl 3; < 50 rf 1; < 51 rm 2; "
     "< 52 rl 3",
     "3 s1 gap 1+1; 4 resent 1 of 1 r1; 6 s1 resent 1 r1; 6 s1 closed 1+1 retransmitted; "
     "7 s1 resent 2 of 3 r1; 8 s1 resent 3 of 5 r1; "
     "round 1 read@3 1..4 x1 resend 8us stall 20us recovery 40us; s1: 1 before"},
    {"read-answers-in-flight-recover-nothing-lost-behind-the-tap",
     "> 0 r 0 len=4096; < 10 rf 0; < 11 rm 1..2; > 20 r 1 len=3072; < 25 rl 3; < 50 rf 1; "
     "< 51 rm 2; < 52 rl 3",
     "5 resent 1 of 1 r1; 7 s1 resent 1 of 3 r1; 8 s1 resent 2 of 4 r1; 9 s1 resent 3 of 6 r1; "
     "round 1 read@4 1..4 x1 resend 8us stall 20us recovery 40us; s1: 1 after"},
    {"read-response-lost-behind-the-tap",
     "> 0 r 0 len=4096; < 10 rf 0; < 11 rm 1..2; < 13 rl 3; > 40 r 1 len=3072; < 50 rf 1; < 51 rm "
     "2; < 52 rl 3",
     "6 resent 1 of 1 r1; 7 s1 resent 1 of 3 r1; 8 s1 resent 2 of 4 r1; 9 s1 resent 3 of 5 r1; "
     "round 1 read@5 1..4 x1 resend 27us stall 40us recovery 39us; s1: 1 after"},
    {"read-tail-lost", "> 0 r 0 len=2048; < 10 rf 0; > 5000 r 1; < 5010 ro 1",
     "3 resent 1 of 1 r1; round 1 timeout 1..2 x1 stall 5000us recovery 10us"},
    {"read-response-late", "> 0 r 0 len=4096; < 10 rf 0; < 12 rm 2; < 13 rm 1; < 14 rl 3",
     "3 s1 gap 1+1; 4 s1 late 1 by 1/1us; 4 s1 closed 1+1 reordered"},
    {"read-response-late-with-ids",
     "ids; > 0 r 0 len=4096; < 10 rf 0 #1; < 12 rm 2 #3; > 12 r 1 len=3072; < 13 rm 1 #2; "
     "< 14 rl 3 #4; < 20 rf 1 #5; < 21 rm 2 #6; < 22 rl 3 #7",
     "3 s1 gap 1+1; 4 resent 1 of 1 r1; 5 s1 late 1 by 1/1us; 5 s1 closed 1+1 reordered; "
     "7 s1 resent 1 of 5 r1; 8 s1 resent 2 of 3 r1; 9 s1 resent 3 of 6 r1; "
     "round 1 read@3 1..4 x1 resend 0us stall 12us recovery 2us"},
    {"read-response-copied",
     "> 0 r 0 len=4096; < 10 rf 0; < 11 rm 1; < 12 rm 1; < 13 rm 2; < 14 rl 3", "4 s1 copy 1 of 3"},
    {"read-responses-again-unasked",
     "> 0 r 0 len=2048; < 10 rf 0; < 11 rl 1; < 300 rf 0; < 301 rl 1; > 400 w 2; < 410 a 2",
     "4 s1 resent 0 of 2; 5 s1 resent 1 of 3"},
    {"acknowledgement-shows-a-response-missing",
     "> 0 r 0; > 1 w 1; < 10 a 1; > 40 r 0; > 41 w 1; < 50 ro 0; < 51 a 1",
     "3 s1 gap 0+1; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1 spurious; 6 s1 resent 0 r1; 6 s1 closed "
     "0+1 retransmitted; round 1 read@3 0..2 x2 resend 30us stall 39us recovery 41us; s1: 1 "
     "before"},
    {"acknowledgement-of-all-before-a-read", "> 0 w 0; > 1 r 1; < 10 a 0; < 11 ro 1", ""},
    {"response-to-nothing-seen", "> 0 w 0; < 10 ro 5; < 11 a 0; > 20 w 1", ""},
    {"responses-before-the-capture-began", "< 0 rm 8..9; < 2 rl 10; > 5 w 11; < 10 a 11", ""},
    {"response-missing-of-a-read-before-the-capture", "> 0 w 11; < 1 rm 8; < 3 rm 10; < 4 a 11",
     "3 s1 gap 9+1; 4 s1 closed 9+1 open"},

    /* atomics, FLUSH, ATOMIC WRITE */
    {"atomic", "> 0 cs 0; > 1 fa 1; < 10 aa 0; < 11 aa 1; > 20 w 2", ""},
    {"atomic-answer-lost-is-no-loss",
     "> 0 cs 0; > 1 fa 1; < 11 aa 1; > 600 cs 0; > 601 fa 1; < 610 aa 0; < 611 aa 1",
     "3 s1 gap 0+1; 4 resent 0 of 1 r1; 5 resent 1 of 2 r1; 6 s1 closed 0+1 retransmitted; round 1 "
     "read@3 0..2 x2 resend 589us stall 599us recovery 600us"},
    {"atomic-never-answered", "> 0 cs 0; > 1 w 1; > 2 fa 2; < 11 aa 2",
     "4 s1 gap 0+1; 4 s1 closed 0+1 open"},
    {"flush-and-atomic-write",
     "> 0 w 0; > 1 fl 1; < 10 ro 1; > 20 aw 2; < 30 ro 2; > 40 w 3; < 50 a 3", ""},
    {"flush-again-is-never-spurious", "> 0 w 0; > 1 fl 1; < 10 ro 1; > 1000 fl 1; < 1010 ro 1",
     "4 resent 1 of 2 r1; 5 s1 resent 1 of 3 r1; round 1 timeout 1..2 x1 stall 999us recovery "
     "10us; s1: 1 after"},
    {"acknowledgement-cut-off", "> 0 w 0; < 5 a 0 noexts; > 6 w 1", ""},
    {"acknowledgement-again", "> 0 w 0..1; < 5 a 1; < 6 a 1; < 7 a 0", ""},
};

int main(void)
{
    return sequence_main("response", rows, SUPPORT_COUNT(rows));
}
