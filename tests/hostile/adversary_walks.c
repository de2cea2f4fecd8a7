/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Captures that make each packet walk a list of the engine's or of an analysis that is as long as
 * it can be. The lists are filled by the first rounds; what the others cost is what such a packet
 * costs for ever. `ordinary` is what they are compared with.
 */
#include <string.h>

#include "hostile_packet.h"

enum {
    A = 0x0a000001,
    B = 0x0a000002,
    QPN_A = 18, /* that B sends to */
    QPN_B = 17, /* that A sends to */
    SEND_ONLY = 4,
    READ_REQUEST = 12,
    READ_RESPONSE_ONLY = 16,
    ACKNOWLEDGE = 17,
    NAK_SEQUENCE = 0x60,
};

static void request(uint8_t opcode, uint32_t psn)
{
    roce(A, B, opcode, QPN_B, psn);
    record();
}

static void answer(uint8_t opcode, uint8_t syndrome, uint32_t psn)
{
    roce(B, A, opcode, QPN_A, psn);
    packet[ROCE_EXTENDED] = syndrome;
    record();
}

/* ------------------------------------------------------------------ holes */

static void ordinary(uint32_t i)
{
    request(SEND_ONLY, i);
    answer(ACKNOWLEDGE, 0, i);
}

/* Each packet opens one more hole than are kept */
static void holes(uint32_t i)
{
    request(SEND_ONLY, 2 * i);
}

/* One hole as large as can be, of which each packet makes two, from its end to its beginning */
static void split_hole(uint32_t i)
{
    const uint32_t size = 4000000;

    request(SEND_ONLY, i == 0 ? 0 : size - 2 * ((i - 1) % (size / 2)));
}

/* Holes that a NAK named stay open behind every acknowledgement */
static void acked_holes(uint32_t i)
{
    enum { HOLES = 1000 };

    if (i < HOLES) {
        request(SEND_ONLY, 2 * i);
        answer(ACKNOWLEDGE, NAK_SEQUENCE, 2 * i - 1);
    } else {
        request(SEND_ONLY, i + HOLES);
        answer(ACKNOWLEDGE, 0, i + HOLES);
    }
}

/* Two packets of a large hole are sent again, far from each other; then new data shows that they
 * were no round */
static void cancelled_rounds(uint32_t i)
{
    const uint32_t size = 4000000, first = i * (size + 2) + 1;

    if (i == 0)
        request(SEND_ONLY, 0);
    request(SEND_ONLY, first + size);
    answer(ACKNOWLEDGE, NAK_SEQUENCE, first);
    request(SEND_ONLY, first);
    request(SEND_ONLY, first + size - 2);
    request(SEND_ONLY, first + size + 1);
}

/* ------------------------------------------------------------------ messages and READs */

/* READs that are never answered, before every SEND that is acknowledged */
static void unanswered(uint32_t i)
{
    request(i < 1000 ? READ_REQUEST : SEND_ONLY, i);
    if (i >= 1000)
        answer(ACKNOWLEDGE, 0, i);
}

/* Messages that begin and end before a thousand others */
static void older_messages(uint32_t i)
{
    const uint32_t size = 4000000;

    if (i == 0)
        request(SEND_ONLY, 0);
    request(SEND_ONLY, i < 800 ? size + i : size - 1 - (i - 800));
}

/* READs that are answered from the last to the first */
static void answered_backwards(uint32_t i)
{
    enum { READS = 1000 };
    const uint32_t group = i / (2 * READS), at = i % (2 * READS);

    if (at < READS)
        request(READ_REQUEST, group * READS + at);
    else
        answer(READ_RESPONSE_ONLY, 0, group * READS + 2 * READS - 1 - at);
}

/* Every other READ of thousands is answered */
static void answer_gaps(uint32_t i)
{
    enum { READS = 1400 };

    request(READ_REQUEST, 2 * i);
    request(READ_REQUEST, 2 * i + 1);
    if (i >= READS)
        answer(READ_RESPONSE_ONLY, 0, 2 * (i - READS));
}

/* Round trips of all sizes, whose median each resend asks for */
static void round_trips(uint32_t i)
{
    const uint64_t size = (uint64_t)1 << (i / 32 % 50);

    request(SEND_ONLY, i);
    tick += size + size * (i % 32) / 32;
    answer(ACKNOWLEDGE, 0, i);
    for (unsigned k = 0; k < 4; k++)
        request(SEND_ONLY, i - k);
}

/* Packets of ever new epochs, each with a hole */
static void epochs(uint32_t i)
{
    request(SEND_ONLY, i * 6000000);
    request(SEND_ONLY, i * 6000000 + 100);
    answer(ACKNOWLEDGE, 0, i * 6000000 + 100);
}

/* ------------------------------------------------------------------ connections */

/* Answers of ever new connections, 32 of each, to none of the thousands of requesters */
static void strangers(uint32_t i)
{
    if (i < 4096) {
        roce(A, B, SEND_ONLY, 100 + i, 1000);
        packet[14 + 20] = (uint8_t)(i >> 8);
        packet[14 + 20 + 1] = (uint8_t)i;
    } else {
        roce(B, A, ACKNOWLEDGE, 100 + i / 32, 5000000);
    }
    record();
}

/* Connections of two hosts that all have one UDP source port */
static void one_port(uint32_t i)
{
    roce(i % 2 ? A : B, i % 2 ? B : A, SEND_ONLY, 100 + i, 1000);
    record();
}

/* ------------------------------------------------------------------ TCP */

enum { SEQ = 1000, SEGMENT = 1400, MPA_CRC = 0x40 };

static void start_up(uint8_t flags)
{
    tcp(A, B, 5000, SEQ, 20);
    put("MPA ID Req Frame", 16);
    be((uint64_t)flags << 24 | 1 << 16, 4);
    record();
}

/* What can be the start of an FPDU of `length` bytes, at every fourth byte */
static void fpdu_starts(uint16_t length, size_t size)
{
    for (size_t at = 0; at + 4 <= size; at += 4)
        be((uint32_t)length << 16 | 0x8140, 4);
}

/* The oldest of all segments that are remembered again and again, before as many holes as there can
 * be */
static void tcp_again(uint32_t i)
{
    if (i == 0)
        start_up(MPA_CRC);
    tcp(A, B, 5000, SEQ + 20 + (i < 128 ? i * 100 : 0), 40);
    zeros(40);
    record();
}

/* Framing is lost: segments of one byte each that are searched together */
static void tcp_crumbs(uint32_t i)
{
    if (i == 0)
        start_up(MPA_CRC);
    tcp(A, B, 5000, SEQ + 20 + i, 1);
    zeros(1);
    record();
}

/* The same with many places where framing could begin again */
static void tcp_places(uint32_t i)
{
    if (i == 0)
        start_up(MPA_CRC);
    tcp(A, B, 5000, SEQ + 20 + i * SEGMENT, SEGMENT);
    if (i == 0)
        zeros(SEGMENT);
    else
        fpdu_starts(i % 2 ? 8192 : 700, SEGMENT);
    record();
}

/* The same behind a hole, which closes when all of it can be searched at once */
static void tcp_places_joined(uint32_t i)
{
    const uint32_t at = i % 64 == 63 ? i - 63 : i % 64 == 0 ? i + 63 : i;

    if (i == 0)
        start_up(MPA_CRC);
    tcp(A, B, 5000, SEQ + 20 + at * SEGMENT, SEGMENT);
    fpdu_starts(8192, SEGMENT);
    record();
}

/* Large segments of ever new connections that are not known to be iWARP */
static void tcp_lock(uint32_t i)
{
    const size_t size = 60000;

    tcp(A, B, (uint16_t)(10000 + i / 64 % 50000), SEQ + i % 64 * (uint32_t)size, size);
    be(0, 4);
    fpdu_starts(30000, size - 4);
    record();
}

/* Many short messages, each with an STag of its own */
static void stags(uint32_t i)
{
    enum { FPDUS = 58, LENGTH = 18 };
    uint32_t tag = i * FPDUS;

    if (i == 0)
        start_up(0);
    tcp(A, B, 5000, SEQ + 20 + i * FPDUS * (2 + LENGTH + 4), FPDUS * (2 + LENGTH + 4));
    for (unsigned k = 0; k < FPDUS; k++) {
        be(LENGTH, 2);
        be(0xc140, 2);
        be(tag++, 4);
        zeros(8 + 4 + 4);
    }
    record();
}

/* ------------------------------------------------------------------ pauses */

/* As many senders as are told apart pause in turn */
static void pausing_hosts(uint32_t i)
{
    tick += 10000000;
    pfc(i % 4096, i / 4096 % 2 ? 0 : 0xffff);
    record();
}

/* ------------------------------------------------------------------ all packets */

/* No packet is like one before: opcodes, priorities, marks */
static void looks(uint32_t i)
{
    const uint32_t look = i * 2654435761u >> 8;

    roce(A, B, look & 0x1f, QPN_B, i);
    packet[15] = (uint8_t)(look >> 5);
    record();
}

const struct adversary walks[] = {
    {"ordinary", ordinary},
    {"holes", holes},
    {"split_hole", split_hole},
    {"acked_holes", acked_holes},
    {"cancelled_rounds", cancelled_rounds},
    {"unanswered", unanswered},
    {"older_messages", older_messages},
    {"answered_backwards", answered_backwards},
    {"answer_gaps", answer_gaps},
    {"round_trips", round_trips},
    {"epochs", epochs},
    {"strangers", strangers},
    {"one_port", one_port},
    {"tcp_again", tcp_again},
    {"tcp_crumbs", tcp_crumbs},
    {"tcp_places", tcp_places},
    {"tcp_places_joined", tcp_places_joined},
    {"tcp_lock", tcp_lock},
    {"stags", stags},
    {"pausing_hosts", pausing_hosts},
    {"looks", looks},
    {NULL, NULL},
};
