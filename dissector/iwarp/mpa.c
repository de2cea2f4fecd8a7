/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MPA (RFC 5044, RFC 6581): start-up frames, FPDU framing and markers. Where in a TCP stream they
 * begin, and whether the CRC is right, is the stream's work.
 */
#include "rdc/iwarp.h"

#include <string.h>

#include "iwarp/split.h"

static const char request_key[] = "MPA ID Req Frame";
static const char reply_key[] = "MPA ID Rep Frame";

static void flags(const uint8_t *p, struct rdc_mpa *mpa);
static void private_data(struct rdc_cursor *data, bool enhanced, struct rdc_mpa *mpa);
static void enhanced_fields(const uint8_t *p, struct rdc_mpa *mpa);

enum rdc_status rdc_mpa_decode(struct rdc_cursor *cur, struct rdc_mpa *out)
{
    struct rdc_cursor rest = *cur;
    struct rdc_cursor data;
    struct rdc_mpa mpa = {0};
    const uint8_t *p;
    enum rdc_status st;

    if (!rdc_mpa_is_start(cur->at, cur->captured))
        return RDC_UNSUPPORTED;
    st = rdc_take(&rest, RDC_MPA_HEADER_LEN, &p);
    if (st != RDC_OK)
        return st;
    flags(p, &mpa);
    if (mpa.private_size > RDC_MPA_PRIVATE_MAX)
        return RDC_MALFORMED;
    st = split(&rest, mpa.private_size, &data);
    if (st != RDC_OK)
        return st;
    private_data(&data, mpa.revision >= 2 && (p[16] & 0x10) != 0, &mpa);
    *cur = rest;
    *out = mpa;
    return RDC_OK;
}

bool rdc_mpa_is_start(const uint8_t *bytes, size_t size)
{
    size_t n = size < RDC_MPA_KEY_LEN ? size : RDC_MPA_KEY_LEN;

    return n == 0 || memcmp(bytes, request_key, n) == 0 || memcmp(bytes, reply_key, n) == 0;
}

uint32_t rdc_fpdu_size_with_markers(uint16_t ulpdu_length, uint64_t stream_offset)
{
    const uint32_t between = RDC_MARKER_SPACING - RDC_MARKER_LEN;
    uint32_t size = rdc_fpdu_size(ulpdu_length);
    uint32_t past = (uint32_t)(stream_offset % RDC_MARKER_SPACING);
    uint32_t before_first = past == 0 ? 0 : RDC_MARKER_SPACING - past;

    if (size <= before_first) /* a marker right behind the end belongs to the next FPDU */
        return size;
    return size + RDC_MARKER_LEN * (1 + (size - before_first - 1) / between);
}

/* RFC 5044, 4.1: ULPDU length:16, ULPDU, pad, CRC:32. The CRC's bytes go least significant first
 * (its bit order is that of iSCSI, RFC 3720, 12.1). */
enum rdc_status rdc_fpdu_decode(struct rdc_cursor *cur, struct rdc_fpdu *out)
{
    struct rdc_cursor rest = *cur;
    struct rdc_cursor trailer;
    struct rdc_fpdu fpdu = {0};
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, RDC_FPDU_LENGTH_LEN, &p);

    if (st != RDC_OK)
        return st;
    fpdu.ulpdu_length = rdc_be16(p);
    fpdu.pad = (uint8_t)rdc_fpdu_pad(fpdu.ulpdu_length);
    st = split(&rest, fpdu.ulpdu_length, &fpdu.ulpdu);
    if (st == RDC_OK)
        st = split(&rest, (size_t)fpdu.pad + RDC_FPDU_CRC_LEN, &trailer);
    if (st != RDC_OK)
        return st;
    if (rdc_take(&trailer, (size_t)fpdu.pad + RDC_FPDU_CRC_LEN, &p) == RDC_OK) {
        fpdu.crc = rdc_le32(p + fpdu.pad);
        fpdu.crc_captured = true;
    }
    *cur = rest;
    *out = fpdu;
    return RDC_OK;
}

/* RFC 5044, 4.3: reserved:16 FPDUPTR:16 */
enum rdc_status rdc_marker_decode(struct rdc_cursor *cur, struct rdc_marker *out)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, RDC_MARKER_LEN, &p);

    if (st != RDC_OK)
        return st;
    *out = (struct rdc_marker){.reserved = rdc_be16(p), .fpdu_offset = rdc_be16(p + 2)};
    return RDC_OK;
}

/* RFC 5044, 7.1; S is RFC 6581's, 9.1:
 *   key:128   M:1 C:1 R:1 S:1 reserved:4   revision:8   private data length:16 */
static void flags(const uint8_t *p, struct rdc_mpa *mpa)
{
    uint8_t revision = p[17];
    bool reply = memcmp(p, reply_key, RDC_MPA_KEY_LEN) == 0;
    uint8_t reserved = revision >= 2 ? 0x0f : 0x1f;

    *mpa = (struct rdc_mpa){
        .reply = reply,
        .markers = (p[16] & 0x80) != 0,
        .crc = (p[16] & 0x40) != 0,
        .reject = reply && (p[16] & 0x20) != 0,
        .revision = revision,
        .private_size = rdc_be16(p + 18),
        .notes = (p[16] & reserved) != 0 ? RDC_NOTE_BIT(MPA_RESERVED) : 0,
    };
}

static void private_data(struct rdc_cursor *data, bool enhanced, struct rdc_mpa *mpa)
{
    const uint8_t *p;
    enum rdc_status st = enhanced ? rdc_take(data, RDC_MPA_ENHANCED_LEN, &p) : RDC_OK;

    if (st == RDC_OK && enhanced)
        enhanced_fields(p, mpa);
    else if (st == RDC_MALFORMED) /* the flag is set, but there is no room for the fields */
        mpa->notes |= RDC_NOTE_BIT(LENGTH_MISMATCH);
    if (st == RDC_TRUNCATED || data->captured < data->wire)
        mpa->notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
    if (st == RDC_TRUNCATED)
        return;
    mpa->private_data_size = (uint16_t)data->wire;
    mpa->private_data_captured = (uint16_t)data->captured;
    mpa->private_data = data->captured > 0 ? data->at : NULL;
}

/* RFC 6581, 9.2: A:1 B:1 IRD:14 C:1 D:1 ORD:14 */
static void enhanced_fields(const uint8_t *p, struct rdc_mpa *mpa)
{
    uint16_t ird = rdc_be16(p);
    uint16_t ord = rdc_be16(p + 2);

    mpa->enhanced = true;
    mpa->peer_to_peer = (ird & 0x8000) != 0;
    mpa->rtr_send = (ird & 0x4000) != 0;
    mpa->rtr_write = (ord & 0x8000) != 0;
    mpa->rtr_read = (ord & 0x4000) != 0;
    mpa->ird = ird & 0x3fff;
    mpa->ord = ord & 0x3fff;
}
