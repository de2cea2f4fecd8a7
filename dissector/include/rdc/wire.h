/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading the wire: big-endian readers, a cursor that tells captured from wire bytes, and serial
 * number arithmetic. Nothing here knows a protocol.
 */
#ifndef RDC_WIRE_H
#define RDC_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rdc/status.h"

static inline uint16_t rdc_be16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[0] << 8 | p[1]);
}

static inline uint32_t rdc_be24(const uint8_t *p)
{
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static inline uint32_t rdc_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | rdc_be24(p + 1);
}

static inline uint64_t rdc_be64(const uint8_t *p)
{
    return (uint64_t)rdc_be32(p) << 32 | rdc_be32(p + 4);
}

static inline uint16_t rdc_le16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[1] << 8 | p[0]);
}

static inline uint32_t rdc_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* What is left of a packet. `captured` bytes may be read at `at`; the packet had `wire` bytes from
 * here on. Invariant: captured <= wire. */
struct rdc_cursor {
    const uint8_t *at;
    size_t captured;
    size_t wire;
};

/* Takes `size` bytes: *out points at them and the cursor moves behind them. This is the only place
 * that compares lengths. On failure neither *out nor the cursor changes. */
RDC_CHECKED static inline enum rdc_status rdc_take(struct rdc_cursor *cur, size_t size,
                                                   const uint8_t **out)
{
    if (size > cur->captured)
        return size > cur->wire ? RDC_MALFORMED : RDC_TRUNCATED;
    *out = cur->at;
    cur->at += size;
    cur->captured -= size;
    cur->wire -= size;
    return RDC_OK;
}

/* Cuts the cursor to the first `wire` bytes of what is left (a length field of an outer header; the
 * rest is trailer). A length beyond what the packet has is RDC_MALFORMED and changes nothing. */
RDC_CHECKED static inline enum rdc_status rdc_limit(struct rdc_cursor *cur, size_t wire)
{
    if (wire > cur->wire)
        return RDC_MALFORMED;
    cur->wire = wire;
    if (cur->captured > wire)
        cur->captured = wire;
    return RDC_OK;
}

enum {
    RDC_PSN_MASK = 0xffffff, /* PSNs and MSNs have 24 bits */
};

/* a - b in 24-bit serial arithmetic (IBTA vol. 1, 9.7.1): -2^23 .. 2^23-1 */
static inline int32_t rdc_psn_diff(uint32_t a, uint32_t b)
{
    uint32_t d = (a - b) & RDC_PSN_MASK;

    return (int32_t)(d ^ 0x800000) - 0x800000;
}

static inline uint32_t rdc_psn_add(uint32_t psn, uint32_t n)
{
    return (psn + n) & RDC_PSN_MASK;
}

/* a - b in 32-bit serial arithmetic (TCP sequence numbers, RFC 9293 3.4) */
static inline int32_t rdc_seq_diff(uint32_t a, uint32_t b)
{
    uint32_t d = a - b;

    return d < 0x80000000u ? (int32_t)d : -(int32_t)(~d) - 1;
}

/* a - b in 16-bit serial arithmetic (IPv4 identification) */
static inline int32_t rdc_id_diff(uint16_t a, uint16_t b)
{
    uint32_t d = (uint32_t)(a - b) & 0xffff;

    return (int32_t)(d ^ 0x8000) - 0x8000;
}

#endif
