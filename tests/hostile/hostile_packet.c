/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Headers and records of hostile captures (see hostile_packet.h).
 */
#include "hostile_packet.h"

#include <stdio.h>
#include <string.h>

uint8_t packet[1 << 19];
size_t used;
uint64_t tick;

void put(const void *bytes, size_t size)
{
    memcpy(packet + used, bytes, size);
    used += size;
}

void be(uint64_t value, unsigned size)
{
    while (size-- > 0)
        packet[used++] = (uint8_t)(value >> (8 * size));
}

void zeros(size_t size)
{
    memset(packet + used, 0, size);
    used += size;
}

void le32(uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        putchar((int)(value >> (8 * i) & 0xff));
}

/* ------------------------------------------------------------------ headers */

void ethernet(uint16_t type)
{
    be(0x020000000002, 6);
    be(0x020000000001, 6);
    be(type, 2);
}

void ipv4(uint32_t src, uint32_t dst, uint8_t protocol, size_t payload)
{
    be(0x45, 1);
    be(0, 1);
    be(20 + payload, 2);
    be(0, 2);
    be(0x4000, 2);
    be(64, 1);
    be(protocol, 1);
    be(0, 2);
    be(src, 4);
    be(dst, 4);
}

void ipv6(const uint8_t src[16], const uint8_t dst[16], uint8_t protocol, size_t payload)
{
    be(0x60000000, 4);
    be(payload, 2);
    be(protocol, 1);
    be(64, 1);
    put(src, 16);
    put(dst, 16);
}

void udp(uint16_t src, uint16_t dst, size_t payload)
{
    be(src, 2);
    be(dst, 2);
    be(8 + payload, 2);
    be(0, 2);
}

void bth(uint8_t opcode, uint32_t qpn, uint32_t psn)
{
    be(opcode, 1);
    be(0x40, 1);
    be(0xffff, 2);
    be(qpn & 0xffffff, 4);
    be(0x80000000 | (psn & 0xffffff), 4);
}

/* RoCEv2: SEND_ONLY (4) with 16 bytes, or with an AETH where the opcode has one */
void roce(uint32_t src, uint32_t dst, uint8_t opcode, uint32_t qpn, uint32_t psn)
{
    const size_t size = 12 + 16 + 4;

    ethernet(0x0800);
    ipv4(src, dst, 17, 8 + size);
    udp(49152, 4791, size);
    bth(opcode, qpn, psn);
    zeros(16 + 4);
}

void tcp(uint32_t src, uint32_t dst, uint16_t port, uint32_t seq, size_t payload)
{
    ethernet(0x0800);
    ipv4(src, dst, 6, 20 + payload);
    be(port, 2);
    be(20049, 2);
    be(seq, 4);
    be(1, 4);
    be(0x5010, 2);
    be(0xffff, 2);
    be(0, 4);
}

void pfc(uint32_t sender, uint16_t quanta)
{
    be(0x0180c2000001, 6);
    be(0x020000000000 | (uint64_t)sender, 6);
    be(0x8808, 2);
    be(0x0101, 2);
    be(0xff, 2);
    for (unsigned k = 0; k < 8; k++)
        be(quanta, 2);
    zeros(60 - used);
}

/* ------------------------------------------------------------------ records */

void file_header(void)
{
    le32(0xa1b23c4d);
    le32(0x00040002);
    le32(0);
    le32(0);
    le32(262144);
    le32(1);
}

void record_at(uint64_t ns, size_t wire)
{
    le32((uint32_t)(ns / 1000000000));
    le32((uint32_t)(ns % 1000000000));
    le32((uint32_t)used);
    le32((uint32_t)wire);
    fwrite(packet, 1, used, stdout);
    used = 0;
}

void record(void)
{
    tick += 1000;
    record_at(tick, used);
}
