/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Builds RoCEv2 frames over Ethernet and IPv4 with right lengths, IP checksum and ICRC.
 */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_MAX_PAYLOAD = 4096,
    FRAME_MAX_EXT = 28,
    FRAME_PAUSE = 60,
    FRAME_MAX = 14 + 20 + 8 + 12 + FRAME_MAX_EXT + FRAME_MAX_PAYLOAD + 4,
};

struct frame {
    uint32_t src; /* IPv4, host order; the MACs follow from it */
    uint32_t dst;
    uint16_t sport;
    uint16_t ip_id;
    uint8_t ecn;
    uint8_t opcode;
    bool becn;
    bool ack_req;
    bool payload; /* the builder's payload follows the headers */
    uint32_t dest_qpn;
    uint32_t psn;
    uint8_t ext[FRAME_MAX_EXT]; /* as on the wire */
    size_t ext_size;
};

/* All payloads are the same bytes, so that their part of the ICRC is known in advance: a CRC is
 * linear, and the effect of `payload_wire` bytes on it is four table look-ups. */
struct frame_builder {
    uint32_t payload_size;
    uint32_t payload_wire; /* with pad */
    uint32_t snaplen;
    uint8_t payload[FRAME_MAX_PAYLOAD];
    uint32_t payload_crc;
    uint32_t shift[4][256];
};

/* `payload_size` up to FRAME_MAX_PAYLOAD; `snaplen` 0: whole frames */
void frame_builder_init(struct frame_builder *b, uint32_t payload_size, uint32_t snaplen);
/* Writes the frame's first bytes (up to the snap length) to `out`, FRAME_MAX bytes wide, their
 * number to *captured. Returns the frame's size on the wire. */
uint32_t frame_build(const struct frame_builder *b, const struct frame *f, uint8_t *out,
                     uint32_t *captured);
/* Writes FRAME_PAUSE bytes: the receiver of a frame stops its priority for as long as can be. */
void frame_pause(const struct frame *f, uint8_t *out);

static inline uint8_t *frame_put16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
    return p + 2;
}

static inline uint8_t *frame_put32(uint8_t *p, uint32_t v)
{
    return frame_put16(frame_put16(p, v >> 16), v & 0xffff);
}

#endif
