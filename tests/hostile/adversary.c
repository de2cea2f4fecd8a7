/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * adversary NAME COUNT: writes a hostile capture of about COUNT records to standard output. What
 * each is after is said in the table at the end; adversary.sh runs the commands on them within
 * limits.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile_packet.h"

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

/* ------------------------------------------------------------------ hostile ones */

static void new_qp(uint32_t i)
{
    roce(hash(i), hash(~i), 4, i + 2, hash(i));
    record();
}

/* Both directions, every message answered by a NAK and sent again: events without end */
static void losses(uint32_t i)
{
    roce(1, 2, 4, 17, 2 * i);
    record();
    roce(1, 2, 4, 17, i);
    record();
    roce(2, 1, 17, 18, i);
    packet[14 + 20 + 8 + 12] = 0x60;
    record();
}

static void encapsulations(uint32_t i)
{
    const size_t roce_size = 14 + 20 + 8 + 12 + 20;

    if (i % 3 == 1) { /* VXLAN */
        ethernet(0x0800);
        ipv4(1, 2, 17, 8 + 8 + roce_size);
        udp(50000, 4789, 8 + roce_size);
        be(0x0800000000000000 | (uint64_t)(i & 0xffffff) << 8, 8);
    } else if (i % 3 == 2) { /* two VLAN tags */
        ethernet(0x88a8);
        be(i & 0xfff, 2);
        be(0x8100, 2);
        be(i >> 12 & 0xfff, 2);
        be(0x0800, 2);
        ipv4(3, 4, 17, 8 + 12 + 20);
        udp(49152, 4791, 12 + 20);
        bth(4, 17, i);
        zeros(20);
        record();
        return;
    }
    roce(3, 4, 4, 17, i);
    record();
}

/* GRE in IP in GRE ... as deep as a packet is long; every other one of VLAN tags */
static void nested(uint32_t i)
{
    ethernet(i % 2 ? 0x8100 : 0x0800);
    while (used < 60000) {
        if (i % 2) {
            be(1, 2);
            be(0x8100, 2);
        } else {
            ipv4(i, used & 0xffff, 47, 60000 - used > 24 ? 60000 - used : 4);
            be(0x0800, 4);
        }
    }
    record();
}

/* Every segment leaves a hole before it, for ever, in many streams at once; what begins each stream
 * looks like MPA */
static void tcp_holes(uint32_t i)
{
    static const char request[] = "MPA ID Req Frame\x40\x01\0";
    uint32_t stream = i % 512;

    if (i < 512) {
        tcp(10, 11, (uint16_t)(1024 + stream), 1000, 20);
        put(request, 19);
        zeros(1);
    } else {
        tcp(10, 11, (uint16_t)(1024 + stream), 1020 + i / 512 * 3000, 1400);
        zeros(1400);
    }
    record();
}

/* One stream from its last segment to its first, acknowledged by nobody: each closes a part of a
 * hole */
static void tcp_backwards(uint32_t i)
{
    static const char request[] = "MPA ID Req Frame\x40\x01\0";

    if (i == 0) {
        tcp(10, 11, 5000, 1, 20);
        put(request, 19);
        zeros(1);
    } else {
        tcp(10, 11, 5000, 21 + (4000000 - i) * 100, 40);
        zeros(40);
    }
    record();
}

/* A new TCP connection with every fourth segment; what they carry does not tell whether it is MPA
 */
static void new_tcp(uint32_t i)
{
    uint32_t connection = i / 4;

    tcp(hash(connection), 11, (uint16_t)(1024 + connection % 60000), 1000 + i % 4 * 400, 400);
    for (unsigned k = 0; k < 100; k++)
        be(hash(i * 100 + k), 4);
    record();
}

static void times(uint32_t i)
{
    static const uint64_t years[] = {0, 4294967295, 1700000000, 1, 2147483648, 1700000001};

    roce(1, 2, 4, 17, i);
    record_at(years[i % 6] * 1000000000 + hash(i) % 1000000000, used);
}

/* Nothing at all, of a wire size of nothing or of 4 GiB; the largest that is read without doubt */
static void sizes(uint32_t i)
{
    if (i % 3 == 0) {
        record_at(tick += 1000, i % 2 ? UINT32_MAX : 0);
        return;
    }
    roce(1, 2, 4, 17, i);
    if (i % 3 == 1)
        zeros(262144 - used);
    record();
}

/* Keys that differ where a plain sum or exclusive-or of their words does not: the same sum of both
 * addresses, and QPNs that make up for it */
static void collisions(uint32_t i)
{
    roce(0x0a000000 + i, 0x0affffff - i, 4, 0x10000 ^ i, 1);
    record();
}

/* Addresses whose bytes have the same sum where each counts 33 times the next: the hash of many
 * libraries */
static void equal_sums(uint32_t i, uint8_t address[16])
{
    memset(address, 0, 16);
    address[0] = 0x20;
    address[1] = 1;
    for (unsigned k = 2; k < 16; k += 2, i /= 8) {
        address[k] = (uint8_t)(8 - i % 8);
        address[k + 1] = (uint8_t)(i % 8 * 33);
    }
}

static void addresses(uint32_t i)
{
    const size_t size = 12 + 16 + 4;
    uint8_t src[16], dst[16];

    equal_sums(1, src);
    equal_sums(i, dst);
    ethernet(0x86dd);
    ipv6(src, dst, 17, 8 + size);
    udp(49152, 4791, size);
    bth(4, 17, i);
    zeros(16 + 4);
    packet[14 + 1] = 0x30; /* traffic class 3: marked */
    record();
}

/* Connections that are asked for and never answered, all with the same communication ID: between
 * addresses as above, and every other one between the same two */
static void setups(uint32_t i)
{
    const size_t size = 12 + 8 + 256 + 4;
    uint8_t src[16], dst[16];

    equal_sums(i % 2 ? 1 : i, src);
    equal_sums(2, dst);
    ethernet(0x86dd);
    ipv6(src, dst, 17, 8 + size);
    udp(49152, 4791, size);
    bth(100, 1, i); /* UD SEND_ONLY to the general service interface */
    be(0x80010000, 4);
    be(1, 4);
    be(0x01070203, 4); /* communication management, Send */
    zeros(4);
    be(i, 8);
    be(0x0010, 2); /* ConnectRequest */
    zeros(6);
    be(7, 4);
    zeros(28);
    be(i << 8, 4);
    zeros(232 - 36); /* the ICRC was not captured: a wrong one would make all of it doubtful */
    record_at(tick += 1000, used + 4);
}

/* A new host that pauses, with every frame, and one that sends and is paused for ever */
static void pauses(uint32_t i)
{
    pfc(hash(i), i % 16 == 15 ? 0 : 0xffff);
    record();
    roce(1, 2, 4, 17, i);
    for (unsigned k = 0; k < 4; k++)
        packet[2 + k] = (uint8_t)(hash(i / 2) >> (24 - 8 * k));
    record();
}

/* A new message in every connection's middle, none ever ends: state that waits for its end */
static void open_messages(uint32_t i)
{
    roce(1 + i % 1000, 5000, i % 2 ? 0 : 12, 100 + i % 50000, i); /* SEND_FIRST, READ request */
    record();
}

/* ------------------------------------------------------------------ pcapng */

static void block(uint32_t type, const void *body, size_t size)
{
    le32(type);
    le32((uint32_t)size + 12);
    fwrite(body, 1, size, stdout);
    le32((uint32_t)size + 12);
}

static void section(void)
{
    static const uint8_t header[16] = {0x4d, 0x3c, 0x2b, 0x1a, 1,    0,    0,    0,
                                       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

    block(0x0a0d0d0a, header, sizeof header);
}

/* Ethernet, no snap length, if_tsresol */
static void interface(uint8_t resolution)
{
    const uint8_t body[20] = {1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0, resolution, 0, 0, 0, 0, 0, 0, 0};

    block(1, body, sizeof body);
}

static void enhanced(uint32_t face, uint64_t ticks)
{
    uint8_t body[20 + 128] = {0};

    for (unsigned i = 0; i < 4; i++) {
        body[i] = (uint8_t)(face >> (8 * i));
        body[4 + i] = (uint8_t)(ticks >> (32 + 8 * i));
        body[8 + i] = (uint8_t)(ticks >> (8 * i));
        body[12 + i] = body[16 + i] = (uint8_t)(used >> (8 * i));
    }
    memcpy(body + 20, packet, used);
    block(6, body, 20 + (used + 3) / 4 * 4);
    used = 0;
}

static void interfaces(uint32_t i)
{
    interface(9);
    roce(1, 2, 4, 17, i);
    enhanced(i, i);
}

/* Pauses on thousands of links, and then data on each of them in turn */
static void paused_links(uint32_t i)
{
    enum { LINKS = 4000 };

    if (i < LINKS) {
        interface(9);
        pfc(i, 0xffff);
    } else {
        roce(1, 2 + i % LINKS, 4, 17, i / LINKS);
    }
    enhanced(i % LINKS, (uint64_t)i * 1000);
}

/* Each with as much text as can be */
static void names(uint32_t i)
{
    static const uint16_t options[] = {2, 3, 11, 12, 15};
    uint8_t body[8 + 5 * (4 + 512)] = {1};
    size_t at = 8;

    for (unsigned k = 0; k < 5; k++) {
        const uint8_t header[] = {(uint8_t)options[k], 0, 0, 2};

        memcpy(body + at, header, 4);
        memset(body + at + 4, 0xff, 512); /* no UTF-8: each byte becomes three */
        body[at + 4] = options[k] == 11 ? 0 : (uint8_t)('0' + i % 10);
        at += 4 + 512;
    }
    block(1, body, sizeof body);
    roce(1, 2, 4, 17, i);
    enhanced(i, i);
}

static void resolutions(uint32_t i)
{
    static const uint64_t ticks[] = {0, 1, UINT64_MAX, INT64_MAX, UINT64_C(1) << 63, 1000000000};

    if (i < 256)
        interface((uint8_t)i);
    roce(1, 2, 4, 17, i);
    enhanced(i % 256 > i ? 0 : i % 256, ticks[i % 6]);
}

static const struct adversary captures[] = {
    {"new_qp", new_qp},
    {"losses", losses},
    {"encapsulations", encapsulations},
    {"nested", nested},
    {"new_tcp", new_tcp},
    {"tcp_holes", tcp_holes},
    {"tcp_backwards", tcp_backwards},
    {"times", times},
    {"sizes", sizes},
    {"collisions", collisions},
    {"open_messages", open_messages},
    {"addresses", addresses},
    {"setups", setups},
    {"pauses", pauses},
    {NULL, NULL},
};

static const struct adversary captures_ng[] = {
    {"interfaces", interfaces},   {"names", names}, {"paused_links", paused_links},
    {"resolutions", resolutions}, {NULL, NULL},
};

static const struct adversary *find(const struct adversary *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0)
        list++;
    return list->name != NULL ? list : NULL;
}

static int write_capture(const struct adversary *one, bool ng, uint32_t rounds)
{
    if (ng)
        section();
    else
        file_header();
    for (uint32_t i = 0; i < rounds; i++)
        one->write(i);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const struct adversary *const lists[] = {captures, walks, captures_ng};

    for (unsigned k = 0; k < 3; k++) {
        const struct adversary *one = argc == 3 ? find(lists[k], argv[1]) : NULL;

        if (one != NULL)
            return write_capture(one, lists[k] == captures_ng,
                                 (uint32_t)strtoul(argv[2], NULL, 10));
        for (one = lists[k]; argc != 3 && one->name != NULL; one++)
            puts(one->name);
    }
    return EXIT_FAILURE;
}
