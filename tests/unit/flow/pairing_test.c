/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which streams belong together, and what communication management tells of them. The table is read
 * as sequence.h says.
 */
#include "flow/sequence.h"

static const struct sequence_row rows[] = {
    {"only", "> 0 w 0; < 5 a 0", ""},
    {"only-undone-by-a-third-stream", "> 0 w 0; < 5 a 0; > 10 w 50 qpn=0x33",
     "c1: one-way s0; c2: one-way s1; c3: one-way s2"},
    {"only-proved-before-the-third", "> 0 w 0..4; < 5 a 0; < 6 a 2; < 7 a 4; > 10 w 50 qpn=0x33",
     "c1: psn; c2: one-way s2"},
    {"only-undone-and-made-again",
     "> 0 w 0; < 5 a 0; > 10 w 50 qpn=0x33; > 20 w 1; < 21 a 1; > 22 w 2; < 23 a 2; > 24 w 3; "
     "< 25 a 3",
     "c1: psn; c2: one-way s2"},
    {"only-was-wrong",
     "> 0 w 0..2; < 5 a 500 qpn=0x44; < 6 a 501 qpn=0x44; > 10 w 500..502 qpn=0x33; "
     "< 20 a 500 qpn=0x44; < 21 a 501 qpn=0x44; < 22 a 502 qpn=0x44; < 23 a 2",
     "4 s1 unseen 500+498; 5 s1 unseen 501+499; c1: psn s0-s3; c2: psn s1-s2"},
    {"psn-is-not-undone-by-a-few-misses",
     "> 0 w 0..4; < 5 a 0; < 6 a 2; < 7 a 4; > 10 w 50 qpn=0x33; < 20 a 9; < 21 a 9; < 22 a 4; "
     "< 23 a 9; < 24 a 9",
     "10 s1 unseen 9+5; c1: psn; c2: one-way s2"},
    {"psn-is-undone-by-three-misses",
     "> 0 w 0..4; < 5 a 0; < 6 a 2; < 7 a 4; > 10 w 50 qpn=0x33; < 20 a 100; < 21 a 101; "
     "< 22 a 102",
     "10 s1 unseen 100+96; 11 s1 unseen 101+97; c1: one-way s0; c2: one-way s1; c3: one-way s2"},
    {"psn-two-by-two",
     "> 0 w 0..9; > 20 w 500..509 qpn=0x33; < 31 a 503 qpn=0x44; < 32 a 3; < 33 a 505 qpn=0x44; "
     "< 34 a 5; < 35 a 509 qpn=0x44; < 36 a 9",
     "c1: psn s0-s3; c2: psn s1-s2"},
    {"psn-can-not-tell", "> 0 w 0..9; > 20 w 0..9 qpn=0x33; < 40 a 0..9",
     "c1: one-way s0; c2: one-way s1; c3: one-way s2"},
    {"same-qpn-on-two-hosts", "> 0 w 0; < 5 a 0; > 6 w 100 B=3; < 9 a 100 B=3", ""},
    {"vlan-tag-one-way", "> 0 w 0 vlan=4; < 5 a 0; > 6 w 1 vlan=4", ""},
    {"udp-source-port-changes",
     "> 0 w 0 port=50001; > 1 w 1 port=50002; > 2 w 2 port=50003; < 5 a 2", ""},
    {"sport", "> 0 w 0 port=0xc242; < 5 a 0 port=0xc242", "c1: sport"},
    {"sport-until-the-port-changes",
     "> 0 w 0 port=0xc242; < 5 a 0 port=0xc242; > 6 w 1 port=0xc242; < 7 a 1 port=50001", ""},
    {"tunnels-apart",
     "> 0 w 0 tunnel=5 vni=1; > 1 w 100 tunnel=5 vni=2; < 2 a 0 tunnel=5 vni=1; "
     "< 3 a 100 tunnel=5 vni=2",
     ""},
    {"encapsulations-apart",
     "> 0 w 0; > 1 w 100 encap=1; > 2 w 200 encap=2; > 3 w 300 encap=3; < 4 a 0; "
     "< 5 a 100 encap=1; < 6 a 200 encap=2; < 7 a 300 encap=3",
     ""},
    {"services-apart", "> 0 w 0; < 1 us 5; < 2 us 6", "c1: one-way s0; c2: one-way s1"},
    {"service-of-a-stream-does-not-change", "> 0 w 0; > 1 us 500; > 2 w 1", "c1: one-way s0"},

    /* communication management */
    {"cm",
     "> 0 req 100 cid=1 qpn=0x11 timeout=14 mtu=3; < 1 rep 200 cid=2 rid=1 qpn=0x22; "
     "> 5 w 200..201; < 6 w 100; < 7 a 201; > 8 a 100; > 20 dreq 0 cid=1 rid=2; "
     "< 21 drep 0 cid=2 rid=1",
     "1 s- cm; 2 s- cm; 8 cm; 8 teardown; 9 s1 cm; 9 s1 teardown; c1: cm closed"},
    {"cm-first-packet-lost",
     "> 0 req 100 cid=1 qpn=0x11 timeout=14 mtu=3; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 5 w 201; "
     "< 6 nak 200; > 20 w 200..201; < 30 a 201",
     "1 s- cm; 2 s- cm; 3 gap 200+1; 4 s1 nak 200 sequence; 5 resent 200 r1 unsure; "
     "5 closed 200+1 retransmitted; 6 resent 201 of 3 r1; "
     "round 1 nak@4 200..202 x2 unseen nak 1us resend 14us stall 15us recovery 25us; "
     "s0: 1 before; c1: cm"},
    {"cm-tells-the-path-mtu",
     "> 0 req 100 cid=1 qpn=0x11 mtu=2; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 5 r 200 len=1024; "
     "> 6 w 203; < 10 a 203",
     "1 s- cm; 2 s- cm; 4 gap 202+1; 5 s1 gap 200+2; 5 closed 202+1 not-captured; "
     "5 s1 closed 200+2 open; s1: 2 before; c1: cm"},
    {"cm-same-qpns-again",
     "> 0 req 100 cid=1 qpn=0x11; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 5 w 200..201; < 7 a 201; "
     "> 10 req 300 cid=3 qpn=0x11; < 11 rep 400 cid=4 rid=3 qpn=0x22; > 15 w 400..401; < 17 a 401",
     "1 s- cm; 2 s- cm; 6 s- cm; 7 s1 cm; c1: cm 2 epochs"},
    {"cm-again-behind-a-teardown",
     "> 0 req 100 cid=1 qpn=0x11; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 5 w 200; < 7 a 200; "
     "> 8 dreq 0 cid=1 rid=2; > 10 req 300 cid=3 qpn=0x11; < 11 rep 400 cid=4 rid=3 qpn=0x22; "
     "> 15 w 400; < 17 a 400",
     "1 s- cm; 2 s- cm; 5 cm; 5 teardown; 6 s- cm; 7 s1 cm; c1: cm 2 epochs"},
    {"cm-timeout-tells-nak-from-timeout",
     "> 0 req 100 cid=1 qpn=0x11 timeout=8; < 1 rep 0 cid=2 rid=1 qpn=0x22; > 5 w 0..2; "
     "< 10 nak 1; > 1000 w 1..2; < 1010 a 2; > 1020 w 3..4; < 1025 nak 4; > 2100 w 4; < 2200 a 4",
     "1 s- cm; 2 s- cm; 6 s1 nak 1 sequence; 7 resent 1 of 4 r1; 8 resent 2 of 5 r1; "
     "12 s1 nak 4 sequence; 13 resent 4 of 11 r2; "
     "round 1 nak@6 1..3 x2 resend 990us stall 993us recovery 1000us; "
     "round 2 timeout 4..5 x1 stall 1079us recovery 100us; s0: 2 after; c1: cm"},
    {"cm-messages-sent-again",
     "> 0 req 100 cid=1 qpn=0x11; > 1 req 100 cid=1 qpn=0x11; < 2 rep 200 cid=2 rid=1 qpn=0x22; "
     "< 3 rep 200 cid=2 rid=1 qpn=0x22; > 5 w 200; < 7 a 200",
     "1 s- cm; 2 s- cm; 3 s- cm; 4 s- cm; c1: cm"},
    {"cm-request-again-behind-the-reply",
     "> 0 req 100 cid=1 qpn=0x11; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 2 req 100 cid=1 qpn=0x11; "
     "> 5 w 200; < 6 a 200; > 20 dreq 0 cid=1 rid=2",
     "1 s- cm; 2 s- cm; 3 s- cm; 6 cm; 6 teardown; c1: cm closed"},
    {"cm-called-from-the-other-side",
     "< 0 req 100 cid=1 qpn=0x22; > 1 rep 200 cid=2 rid=1 qpn=0x11; > 5 w 101; < 6 w 200",
     "1 s- cm; 2 s- cm; 3 gap 100+1; 3 closed 100+1 open; s0: 1 before; c1: cm"},
    {"cm-teardown-ends-retries",
     "> 0 req 100 cid=1 qpn=0x11; < 1 rep 200 cid=2 rid=1 qpn=0x22; > 5 w 200; > 1000 w 200; "
     "> 2000 w 200; > 2001 dreq 0 cid=1 rid=2",
     "1 s- cm; 2 s- cm; 4 resent 200 of 3 r1; 5 resent 200 of 3 r2; 6 cm; 6 teardown; "
     "5 exhausted 200 x3; round 1 timeout? 200..201 x1 stall 995us; "
     "round 2 timeout? 200..201 x1 stall 1000us; s0: 2 after; c1: cm s0 retry_exhausted"},
    {"cm-two-connections",
     "> 0 req 0 cid=1 qpn=0x11; < 1 rep 0 cid=2 rid=1 qpn=0x22; > 2 req 0 cid=3 qpn=0x33; "
     "< 3 rep 0 cid=4 rid=3 qpn=0x44; > 5 w 0..1; > 7 w 0..1 qpn=0x44; < 9 a 1 qpn=0x33; < 10 a 1",
     "1 s- cm; 2 s- cm; 3 s- cm; 4 s- cm; c1: cm s0-s3; c2: cm s1-s2"},
};

int main(void)
{
    return sequence_main("pairing", rows, SUPPORT_COUNT(rows));
}
