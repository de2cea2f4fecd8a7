/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See frame.h.
 */
#include "frame.h"

#include <string.h>

#include "rdc/crc.h"
#include "rdc/ib.h"

enum {
    ETHERNET_LEN = 14,
    IPV4_LEN = 20,
    UDP_LEN = 8,
    DSCP = 26,
    TTL = 64,
    ROCEV2_PORT = 4791,
};

static uint8_t *put_mac(uint8_t *p, uint32_t address);
static uint8_t *put_ipv4(uint8_t *p, const struct frame *f, uint32_t total);
static uint8_t *put_bth(uint8_t *p, const struct frame *f, uint32_t pad);
static uint32_t icrc(const struct frame_builder *b, const uint8_t *ip, size_t headers,
                     bool payload);

void frame_builder_init(struct frame_builder *b, uint32_t payload_size, uint32_t snaplen)
{
    static const uint8_t zeros[FRAME_MAX_PAYLOAD];

    *b = (struct frame_builder){
        .payload_size = payload_size,
        .payload_wire = (payload_size + 3) & ~3u,
        .snaplen = snaplen ? snaplen : FRAME_MAX,
    };
    for (uint32_t i = 0; i < payload_size; i++)
        b->payload[i] = (uint8_t)(i * 7 + (i >> 8));
    b->payload_crc = rdc_crc32_update(0, b->payload, b->payload_wire);
    for (int byte = 0; byte < 4; byte++)
        for (uint32_t bit = 1; bit < 256; bit <<= 1) {
            uint32_t effect = rdc_crc32_update(bit << (8 * byte), zeros, b->payload_wire);

            for (uint32_t v = bit; v < 2 * bit; v++)
                b->shift[byte][v] = b->shift[byte][v - bit] ^ effect;
        }
}

uint32_t frame_build(const struct frame_builder *b, const struct frame *f, uint8_t *out,
                     uint32_t *captured)
{
    size_t headers = IPV4_LEN + UDP_LEN + RDC_BTH_LEN + f->ext_size;
    uint32_t payload = f->payload ? b->payload_wire : 0;
    uint32_t total = (uint32_t)headers + payload + RDC_ICRC_LEN;
    uint32_t wire = ETHERNET_LEN + total;
    uint8_t *p = out;

    p = frame_put16(put_mac(put_mac(p, f->dst), f->src), 0x0800);
    p = put_ipv4(p, f, total);
    p = frame_put16(frame_put16(p, f->sport), ROCEV2_PORT);
    p = frame_put16(frame_put16(p, total - IPV4_LEN), 0);
    p = put_bth(p, f, f->payload ? b->payload_wire - b->payload_size : 0);
    memcpy(p, f->ext, f->ext_size);
    p += f->ext_size;
    *captured = wire < b->snaplen ? wire : b->snaplen;
    if (*captured > (size_t)(p - out) && payload > 0) {
        size_t room = *captured - (size_t)(p - out);

        memcpy(p, b->payload, room < payload ? room : payload);
    }
    if (*captured == wire) {
        uint32_t crc = icrc(b, out + ETHERNET_LEN, headers, f->payload);

        p += payload;
        for (int i = 0; i < 4; i++)
            p[i] = (uint8_t)(crc >> (8 * i));
    }
    return wire;
}

/* Priority-based flow control (IEEE 802.1Qbb): priority 3, that of the DSCP above */
void frame_pause(const struct frame *f, uint8_t *out)
{
    enum { PRIORITY = DSCP >> 3 };
    uint8_t *p = frame_put32(frame_put16(out, 0x0180), 0xc2000001);

    memset(p, 0, FRAME_PAUSE - 6);
    p = frame_put16(frame_put16(put_mac(p, f->dst), 0x8808), 0x0101);
    p = frame_put16(p, 1 << PRIORITY);
    frame_put16(p + 2 * PRIORITY, 0xffff);
}

static uint8_t *put_mac(uint8_t *p, uint32_t address)
{
    return frame_put32(frame_put16(p, 0x0200), address);
}

static uint8_t *put_ipv4(uint8_t *p, const struct frame *f, uint32_t total)
{
    uint8_t *start = p;
    uint32_t sum = 0;

    p = frame_put16(p, 0x4500 | DSCP << 2 | f->ecn);
    p = frame_put16(frame_put16(p, total), f->ip_id);
    p = frame_put16(p, 0x4000); /* don't fragment */
    p = frame_put16(frame_put16(p, TTL << 8 | 17), 0);
    p = frame_put32(frame_put32(p, f->src), f->dst);
    for (int i = 0; i < IPV4_LEN; i += 2)
        sum += (uint32_t)start[i] << 8 | start[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    frame_put16(start + 10, ~(sum + (sum >> 16)) & 0xffff);
    return p;
}

static uint8_t *put_bth(uint8_t *p, const struct frame *f, uint32_t pad)
{
    *p++ = f->opcode;
    *p++ = (uint8_t)(pad << 4);
    p = frame_put16(p, 0xffff);
    p = frame_put32(p, (f->becn ? 0x40000000u : 0) | f->dest_qpn);
    return frame_put32(p, (f->ack_req ? 0x80000000u : 0) | f->psn);
}

/* IBTA vol. 1, annex A17.3.3: eight ff bytes for the LRH, then the headers with their variant
 * fields as ones, then the payload */
static uint32_t icrc(const struct frame_builder *b, const uint8_t *ip, size_t headers, bool payload)
{
    uint8_t masked[8 + IPV4_LEN + UDP_LEN + RDC_BTH_LEN + FRAME_MAX_EXT];
    uint8_t *p = masked + 8;
    uint32_t crc;

    memset(masked, 0xff, 8);
    memcpy(p, ip, headers);
    p[1] = p[8] = p[10] = p[11] = 0xff;       /* TOS, TTL, checksum */
    p[IPV4_LEN + 6] = p[IPV4_LEN + 7] = 0xff; /* UDP checksum */
    p[IPV4_LEN + UDP_LEN + 4] = 0xff;         /* FECN, BECN, reserved */
    crc = rdc_crc32_update(RDC_CRC32_INIT, masked, 8 + headers);
    if (payload)
        crc = b->shift[0][crc & 0xff] ^ b->shift[1][crc >> 8 & 0xff] ^
              b->shift[2][crc >> 16 & 0xff] ^ b->shift[3][crc >> 24] ^ b->payload_crc;
    return rdc_crc32_done(crc);
}
