/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Plain RoCEv2 frames of any opcode, over IPv4 or IPv6, with or without a VLAN tag.
 */
#ifndef UNIT_LINK_PLAIN_FRAME_H
#define UNIT_LINK_PLAIN_FRAME_H

#include "rdc/crc.h"
#include "rdc/packet.h"
#include "support.h"

enum {
    ROOM = 256,
    PAYLOAD = 9, /* and 3 bytes of pad */
    PAD = 3,
    TRAILER = 6,
};

struct frame {
    uint8_t bytes[ROOM];
    size_t size;
    size_t ip;        /* where its header begins */
    size_t transport; /* where the BTH begins */
    bool v6;
};

static inline void set_length(struct frame *f, size_t udp)
{
    f->bytes[f->ip + (f->v6 ? 5 : 3)] = (uint8_t)(udp + (f->v6 ? 0 : 20));
    f->bytes[f->transport - 3] = (uint8_t)udp;
}

static inline void set_ones(struct frame *f, const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        f->bytes[f->ip + at[i]] = 0xff;
}

/* The header's checksum, and the ICRC of the spec's own words: ones where it may change */
static inline void sign(struct frame *f)
{
    static const uint8_t v4[] = {1, 8, 10, 11, 26, 27, 32}, v6[] = {1, 2, 3, 7, 46, 47, 52};
    static const uint8_t lrh[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const size_t end = f->size - TRAILER - RDC_ICRC_LEN;
    struct frame masked;
    uint32_t sum = 0, crc;

    if (!f->v6)
        memset(f->bytes + f->ip + 10, 0, 2);
    for (size_t i = 0; !f->v6 && i < 20; i += 2)
        sum += rdc_be16(f->bytes + f->ip + i);
    sum = ~((sum & 0xffff) + (sum >> 16));
    if (!f->v6) {
        f->bytes[f->ip + 10] = (uint8_t)(sum >> 8);
        f->bytes[f->ip + 11] = (uint8_t)sum;
    }
    masked = *f;
    set_ones(&masked, f->v6 ? v6 : v4, sizeof v4);
    masked.bytes[f->ip] |= f->v6 ? 0x0f : 0;
    crc = rdc_crc32_update(RDC_CRC32_INIT, lrh, sizeof lrh);
    crc = rdc_crc32_done(rdc_crc32_update(crc, masked.bytes + f->ip, end - f->ip));
    for (size_t i = 0; i < RDC_ICRC_LEN; i++)
        f->bytes[end + i] = (uint8_t)(crc >> 8 * i);
}

static inline struct frame build(uint8_t opcode, bool tagged, bool v6)
{
    const size_t behind =
        RDC_BTH_LEN + rdc_opcode_table[opcode].ext_size + PAYLOAD + PAD + RDC_ICRC_LEN;
    struct frame f = {.v6 = v6};

    f.ip = support_hex("020000000002 020000000001", f.bytes, ROOM);
    if (tagged)
        f.ip += support_hex("8100 b00a", f.bytes + f.ip, ROOM - f.ip);
    f.ip += support_hex(v6 ? "86dd" : "0800", f.bytes + f.ip, ROOM - f.ip);
    f.transport = f.ip + support_hex(v6 ? "66812345 0000 11 40 "
                                          "20010db8000000000000000000000001"
                                          "20010db8000000000000000000000002"
                                          "c001 12b7 0000 0000"
                                        : "4569 0000 1234 4000 40 11 0000 0a000001 0a000002"
                                          "c001 12b7 0000 0000",
                                     f.bytes + f.ip, ROOM - f.ip);
    set_length(&f, behind + 8);
    support_hex("00 f0 1234 c0 000011 80 fedcba", f.bytes + f.transport, ROOM - f.transport);
    f.bytes[f.transport] = opcode;
    for (size_t i = RDC_BTH_LEN; i < behind; i++)
        f.bytes[f.transport + i] = (uint8_t)(i * 7);
    if ((rdc_opcode_table[opcode].ext & RDC_EXT_AETH) != 0) /* an ACK */
        f.bytes[f.transport + RDC_BTH_LEN +
                ((rdc_opcode_table[opcode].ext & RDC_EXT_RDETH) != 0 ? 4 : 0)] = 0x1f;
    f.size = f.transport + behind + TRAILER;
    sign(&f);
    return f;
}

static inline struct rdc_input input(const uint8_t *bytes, size_t captured, size_t wire)
{
    return (struct rdc_input){
        .bytes = bytes,
        .captured = (uint32_t)captured,
        .wire = (uint32_t)wire,
        .linktype = RDC_LINKTYPE_ETHERNET,
        .interface = 3,
        .time_ns = 1234567890123456789,
        .fcs_size = -1,
    };
}

/* Each of the first bits of a frame turned, with all checksums as they were, and with good ones */
static inline void each_bit(const struct frame *f, size_t bits,
                            void (*look)(const struct frame *turned, size_t bit,
                                         const void *context),
                            const void *context)
{
    for (size_t bit = 0; bit < bits; bit++)
        for (int again = 0; again < 2; again++) {
            struct frame turned = *f;

            turned.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (again)
                sign(&turned);
            look(&turned, bit, context);
        }
}

#endif
