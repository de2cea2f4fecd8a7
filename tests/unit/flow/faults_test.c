/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is no verdict on PSNs: congestion marks, corrupted packets, the file's own order. The table
 * is read as sequence.h says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {

    /* congestion */
    {"cnp-before-anything-else", "> 0 cnp 0; < 5 w 0; > 10 a 0; > 11 cnp 0", "1 cnp; 4 cnp"},
    {"cnp-only", "> 0 cnp 0", "1 cnp; c1: one-way s0"},
    {"ce", "> 0 w 0 ecn=3; > 1 w 1 ecn=2; < 5 a 1 ecn=3", "1 ce"},
    {"fecn", "> 0 w 0 encap=2 fecn; > 1 w 1 encap=2", "1 ce; c1: one-way s0"},

    /* no connections */
    {"management-and-multicast", "> 0 ud 0 qpn=1; > 1 ud 0 qpn=0xffffff; > 3 ud 7 qpn=0x55",
     "c1: one-way s0 from 17"},

    /* packets that the receiver drops */
    {"icrc-bad-is-a-loss", "> 0 w 0..1; > 3 w 2 bad; > 4 w 3; < 6 nak 2; > 30 w 2..3; < 50 a 3",
     "3 icrc_bad; 4 gap 2+1; 5 s1 nak 2 sequence; 6 resent 2 r1 unsure; "
     "6 closed 2+1 retransmitted; 7 resent 3 of 4 r1; "
     "round 1 nak@5 2..4 x2 unseen nak 2us resend 24us stall 26us recovery 46us; s0: 1 before"},
    {"ip-checksum-bad-is-a-loss",
     "> 0 w 0..1; > 3 w 2 badip; > 4 w 3; < 6 nak 2; > 30 w 2..3; < 50 a 3",
     "3 icrc_bad; 4 gap 2+1; 5 s1 nak 2 sequence; 6 resent 2 r1 unsure; "
     "6 closed 2+1 retransmitted; 7 resent 3 of 4 r1; "
     "round 1 nak@5 2..4 x2 unseen nak 2us resend 24us stall 26us recovery 46us; s0: 1 before"},
    {"icrc-unusable", "> 0 w 0..9 bad; < 20 a 9 bad", ""},
    {"icrc-unusable-of-one-sender", "> 0 w 0..9 bad; < 20 a 9; < 21 a 9 bad", "12 s1 icrc_bad"},
    {"icrc-of-few-is-judged-by-the-interface", "> 0 w 0..9 bad; < 20 a 9 bad; < 21 a 9 bad", ""},
    {"icrc-bad-first-of-few", "> 0 w 0..1 bad; < 20 a 1 bad",
     "1 icrc_bad; 2 icrc_bad; 3 s1 icrc_bad"},
    {"icrc-bad-first-of-many", "> 0 w 0..1 bad; > 2 w 2..9; < 20 a 9", "1 icrc_bad; 2 icrc_bad"},
    {"icrc-unusable-on-one-interface",
     "> 0 w 0..9 bad; > 20 w 10 if=1; > 21 w 11 bad if=1; > 22 w 12 if=1",
     "12 icrc_bad; 13 gap 11+1; 13 closed 11+1 open; s0: 1 before; c1: one-way s0"},
    {"icrc-bad-four-of-five", "> 0 w 0; > 1 w 1..4 bad; > 6 w 5; < 20 a 5",
     "2 icrc_bad; 3 icrc_bad; 4 icrc_bad; 5 icrc_bad; 6 gap 1+4; 7 closed 1+4 not-captured"},
    {"icrc-unchecked-is-not-bad", "> 0 w 0..2 cut; < 5 a 2 cut", ""},
    {"icrc-bad-makes-no-stream", "> 0 w 0 if=1; > 1 w 5 bad if=1 qpn=0x77",
     "2 s- icrc_bad; c1: one-way s0"},

    /* the file's own order */
    {"time-runs-back", "> 0 w 0..1; > 5 w 3; > 4 w 2; > 6 w 4; < 20 a 4",
     "3 gap 2+1; 4 late 2 by 1/-1us; 4 closed 2+1 reordered"},
    {"nak-before-its-gap", "> 0 w 0..1; > 50 w 3; < 40 nak 2; > 45 w 2..3; < 100 a 3",
     "3 gap 2+1; 4 s1 nak 2 sequence; 5 resent 2 r1 unsure; 5 closed 2+1 retransmitted; "
     "6 resent 3 of 3 r1; round 1 nak@4 2..4 x2 unseen resend 5us recovery 60us; s0: 1 before"},
    {"ack-before-its-request", "> 10 w 0; < 5 a 0; > 11 w 1; < 6 a 1", ""},
};

int main(void)
{
    return sequence_main("faults", rows, SUPPORT_COUNT(rows));
}
