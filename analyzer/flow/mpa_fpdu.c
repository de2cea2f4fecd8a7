/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * FPDUs at a given place (see mpa_fpdu.h).
 *
 * The CRC covers the markers as they stand, so it tells how many there are but not where. Senders
 * exist that put them at odd places or swap their bytes; there, the number that makes the CRC fit
 * is the right one.
 */
#include "flow/mpa_fpdu.h"

#include "rdc/crc.h"
#include "rdc/iwarp.h"

enum {
    WORD = 4, /* FPDUs, and markers in them, stand at multiples of it */
    START_MAX = RDC_MARKER_LEN + RDC_FPDU_LENGTH_LEN,
    CRC_BYTES = 8, /* that cost as much as one of credit */
    RAW_MAX = MPA_HEADER_MAX + RDC_FPDU_LENGTH_LEN + 2 * RDC_MARKER_LEN,
};

static enum mpa_fit set_markers(const struct tcp_run *run, int64_t end,
                                const struct mpa_layout *layout, struct mpa_found *f);
static enum mpa_fit any_markers(const struct tcp_run *run, int64_t end,
                                const struct mpa_layout *layout, struct mpa_found *f);
static void take_header(const struct tcp_run *run, const struct mpa_layout *layout,
                        struct mpa_found *f);
static bool markers_point_back(const struct tcp_run *run, const struct mpa_layout *layout,
                               const struct mpa_found *f);
static void find_header(const struct tcp_run *run, uint32_t before, struct mpa_found *f);
static void check_crc(const struct tcp_run *run, const struct mpa_layout *layout,
                      struct mpa_found *f);
static bool crc_is_right(const struct mpa_layout *layout, const struct mpa_found *f);

/* ------------------------------------------------------------------ control fields */

/* Untagged: RFC 5040, 5.1; RFC 7306, 5 and 6. Message sizes behind the DDP header: 0 any. */
static const struct {
    bool known, tagged;
    uint8_t queue;
    uint8_t size;
} operations[16] = {
    [RDC_RDMAP_WRITE] = {true, true, 0, 0},
    [RDC_RDMAP_READ_REQUEST] = {true, false, 1, RDC_RDMAP_READ_REQUEST_LEN},
    [RDC_RDMAP_READ_RESPONSE] = {true, true, 0, 0},
    [RDC_RDMAP_SEND] = {true, false, 0, 0},
    [RDC_RDMAP_SEND_INV] = {true, false, 0, 0},
    [RDC_RDMAP_SEND_SE] = {true, false, 0, 0},
    [RDC_RDMAP_SEND_SE_INV] = {true, false, 0, 0},
    [RDC_RDMAP_TERMINATE] = {true, false, 2, 0},
    [RDC_RDMAP_IMMEDIATE] = {true, false, 0, RDC_RDMAP_IMMEDIATE_LEN},
    [RDC_RDMAP_IMMEDIATE_SE] = {true, false, 0, RDC_RDMAP_IMMEDIATE_LEN},
    [RDC_RDMAP_ATOMIC_REQUEST] = {true, false, 1, RDC_RDMAP_ATOMIC_REQUEST_LEN},
    [RDC_RDMAP_ATOMIC_RESPONSE] = {true, false, 3, RDC_RDMAP_ATOMIC_RESPONSE_LEN},
};

/* T:1 L:1 reserved:4 DV:2 (1)   RV:2 (1, RDMA consortium 0) reserved:2 opcode:4 */
bool mpa_plausible(const uint8_t *ulpdu, uint32_t captured, uint16_t length)
{
    bool tagged;
    uint8_t op;

    if (captured == 0)
        return length >= RDC_DDP_TAGGED_LEN;
    tagged = (ulpdu[0] & 0x80) != 0;
    if ((ulpdu[0] & 0x3f) != 1 || length < (tagged ? RDC_DDP_TAGGED_LEN : RDC_DDP_UNTAGGED_LEN))
        return false;
    if (captured < 2)
        return true;
    op = ulpdu[1] & 0xf;
    if ((ulpdu[1] & 0xb0) != 0 || !operations[op].known || operations[op].tagged != tagged)
        return false;
    if (tagged || captured < 10)
        return true;
    if (operations[op].size != 0 && length != RDC_DDP_UNTAGGED_LEN + operations[op].size)
        return false;
    return rdc_be32(ulpdu + 6) == operations[op].queue;
}

/* ------------------------------------------------------------------ one place */

enum mpa_fit mpa_fpdu_at(const struct tcp_run *run, int64_t pos, int64_t end,
                         const struct mpa_layout *layout, struct mpa_found *out)
{
    enum mpa_fit fit;

    *out = (struct mpa_found){.pos = pos, .plausible = true};
    if (layout->markers == MPA_MARKERS_UNKNOWN)
        return any_markers(run, end, layout, out);
    fit = set_markers(run, end, layout, out);
    if (layout->markers == MPA_MARKERS_NONE)
        return fit;
    if (fit == MPA_NO || !out->plausible || (fit == MPA_FIT && !crc_is_right(layout, out)) ||
        (fit == MPA_WAIT && out->total < end - pos + 2 * RDC_MARKER_LEN)) {
        struct mpa_found other = {.pos = pos, .plausible = true};

        if (any_markers(run, end, layout, &other) == MPA_FIT && crc_is_right(layout, &other)) {
            *out = other;
            out->marker_bad = true;
            return MPA_FIT;
        }
    }
    return fit;
}

static bool is_marker_place(const struct mpa_layout *layout, int64_t pos)
{
    return layout->markers == MPA_MARKERS_SET &&
           ((uint64_t)(pos - layout->origin) % RDC_MARKER_SPACING) == 0;
}

/* Markers where they belong, or none */
static enum mpa_fit set_markers(const struct tcp_run *run, int64_t end,
                                const struct mpa_layout *layout, struct mpa_found *f)
{
    uint32_t before = is_marker_place(layout, f->pos) ? RDC_MARKER_LEN : 0;
    uint32_t need = before + RDC_FPDU_LENGTH_LEN;
    uint8_t start[START_MAX];

    if (end - f->pos < need)
        return MPA_WAIT;
    if (tcp_run_copy(run, f->pos, start, need) < need)
        return MPA_NO;
    f->length = rdc_be16(start + before);
    f->total = rdc_fpdu_size(f->length);
    if (layout->markers == MPA_MARKERS_SET)
        f->total = rdc_fpdu_size_with_markers(f->length, (uint64_t)(f->pos - layout->origin));
    f->markers = (uint8_t)((f->total - rdc_fpdu_size(f->length)) / RDC_MARKER_LEN);
    f->marker_bad = false;
    take_header(run, layout, f);
    f->plausible = mpa_plausible(f->header, f->header_size, f->length);
    if (end - f->pos < f->total)
        return MPA_WAIT;
    check_crc(run, layout, f);
    if (f->markers > 0 && !markers_point_back(run, layout, f)) {
        f->marker_bad = true; /* as many as there should be, but elsewhere? */
        find_header(run, before, f);
        f->plausible = mpa_plausible(f->header, f->header_size, f->length);
    }
    return MPA_FIT;
}

/* Does each marker say how far back its FPDU begins? */
static bool markers_point_back(const struct tcp_run *run, const struct mpa_layout *layout,
                               const struct mpa_found *f)
{
    uint32_t past = (uint32_t)((uint64_t)(f->pos - layout->origin) % RDC_MARKER_SPACING);
    uint32_t at = past == 0 ? 0 : RDC_MARKER_SPACING - past;
    uint8_t word[RDC_MARKER_LEN];

    for (; at + RDC_FPDU_CRC_LEN < f->total; at += RDC_MARKER_SPACING)
        if (tcp_run_copy(run, f->pos + at, word, sizeof(word)) == sizeof(word) &&
            rdc_be32(word) != at)
            return false;
    return true;
}

/* ULPDU bytes without what stands at marker places; compares the markers' pointers. A marker points
 * back to the start of its FPDU, one before the length field to itself (0). */
static void take_header(const struct tcp_run *run, const struct mpa_layout *layout,
                        struct mpa_found *f)
{
    uint32_t want = f->length < MPA_HEADER_MAX ? f->length : MPA_HEADER_MAX;
    uint8_t raw[RAW_MAX];
    uint32_t n, skip = RDC_FPDU_LENGTH_LEN;
    uint32_t limit = f->total - RDC_FPDU_CRC_LEN;

    n = tcp_run_copy(run, f->pos, raw, limit < RAW_MAX ? limit : RAW_MAX);
    f->header_size = 0;
    for (uint32_t at = 0; at < n && f->header_size < want; at++) {
        if (f->markers > 0 && is_marker_place(layout, f->pos + at)) {
            if (n - at >= RDC_MARKER_LEN && rdc_be32(raw + at) != at)
                f->marker_bad = true;
            at += RDC_MARKER_LEN - 1;
        } else if (skip > 0) {
            skip--;
        } else {
            f->header[f->header_size++] = raw[at];
        }
    }
}

static void check_crc(const struct tcp_run *run, const struct mpa_layout *layout,
                      struct mpa_found *f)
{
    uint32_t crc = RDC_CRC32C_INIT, covered = f->total - RDC_FPDU_CRC_LEN;
    uint8_t trailer[RDC_FPDU_CRC_LEN];

    f->crc = FPDU_CRC_UNSEEN;
    *layout->credit -= covered / CRC_BYTES;
    if (tcp_run_copy(run, f->pos + covered, trailer, sizeof(trailer)) < sizeof(trailer) ||
        !tcp_run_crc32c(run, f->pos, covered, &crc))
        return;
    if (rdc_le32(trailer) == rdc_crc32c_done(crc))
        f->crc = FPDU_CRC_OK;
    else
        f->crc = rdc_le32(trailer) == 0 ? FPDU_CRC_ZERO : FPDU_CRC_BAD;
}

static bool crc_is_right(const struct mpa_layout *layout, const struct mpa_found *f)
{
    return f->crc == FPDU_CRC_OK || (f->crc == FPDU_CRC_ZERO && layout->crc != MPA_CRC_ON);
}

/* ------------------------------------------------------------------ markers anywhere */

/* Could the word at `at` be a marker of an FPDU that begins at 0? Either byte order, either half */
static bool is_pointer(const uint8_t *word, uint32_t at)
{
    return rdc_be32(word) == at || rdc_le32(word) == at || rdc_be32(word) == at << 16 ||
           rdc_le32(word) == at << 16;
}

static void find_header(const struct tcp_run *run, uint32_t before, struct mpa_found *f)
{
    uint32_t want = f->length < MPA_HEADER_MAX ? f->length : MPA_HEADER_MAX;
    uint32_t at = before + RDC_FPDU_LENGTH_LEN, left = f->markers - (before > 0 ? 1u : 0u);
    uint8_t raw[RAW_MAX];
    uint32_t limit = f->total - RDC_FPDU_CRC_LEN;
    uint32_t n = tcp_run_copy(run, f->pos, raw, limit < RAW_MAX ? limit : RAW_MAX);

    f->header_size = 0;
    while (at < n && f->header_size < want) {
        uint32_t size = left > 0 ? WORD - at % WORD : n - at;

        if (left > 0 && at % WORD == 0 && n - at >= WORD && is_pointer(raw + at, at)) {
            at += WORD;
            left--;
            continue;
        }
        size = size < n - at ? size : n - at;
        size = size < want - f->header_size ? size : want - f->header_size;
        memcpy(f->header + f->header_size, raw + at, size);
        f->header_size = (uint8_t)(f->header_size + size);
        at += size;
    }
}

/* Where a CRC of 0 proves little: do the bytes end here, or can another FPDU begin? */
bool mpa_begins_next(const struct tcp_run *run, int64_t pos, int64_t end)
{
    uint8_t next[RDC_MARKER_LEN + RDC_FPDU_LENGTH_LEN + RDC_DDP_UNTAGGED_LEN];
    uint32_t n = tcp_run_copy(run, pos, next, sizeof(next));
    uint32_t before = RDC_FPDU_LENGTH_LEN;

    if (pos >= end || n < RDC_FPDU_LENGTH_LEN)
        return true;
    if (mpa_plausible(next + before, n - before, rdc_be16(next)))
        return true;
    if (n < RDC_MARKER_LEN + RDC_FPDU_LENGTH_LEN || !is_pointer(next, 0))
        return false;
    before += RDC_MARKER_LEN;
    return mpa_plausible(next + before, n - before, rdc_be16(next + RDC_MARKER_LEN));
}

/* With `before` bytes of marker before the length field: the number of other markers that makes the
 * CRC fit, or the fewest with a CRC of 0 where CRCs are not in use */
static enum mpa_fit try_counts(const struct tcp_run *run, int64_t end, uint32_t before,
                               const struct mpa_layout *layout, struct mpa_found *f)
{
    uint32_t size, most;
    uint8_t start[START_MAX];
    bool waits = false;

    if (end - f->pos < before + RDC_FPDU_LENGTH_LEN)
        return MPA_WAIT;
    if (tcp_run_copy(run, f->pos, start, before + RDC_FPDU_LENGTH_LEN) <
            before + RDC_FPDU_LENGTH_LEN ||
        (before > 0 && !is_pointer(start, 0)))
        return MPA_NO;
    f->length = rdc_be16(start + before);
    size = rdc_fpdu_size(f->length) + before;
    most = layout->markers == MPA_MARKERS_NONE ? 0 : size / (RDC_MARKER_SPACING - WORD) + 1;
    for (uint32_t k = 0; k <= most; k += k == 0 && most > 2 ? most - 2 : 1) {
        f->total = size + k * RDC_MARKER_LEN;
        f->markers = (uint8_t)(k + (before > 0));
        find_header(run, before, f);
        f->plausible = mpa_plausible(f->header, f->header_size, f->length);
        if (!f->plausible)
            continue;
        if (end - f->pos < f->total) {
            waits = true;
            continue;
        }
        check_crc(run, layout, f);
        if (f->crc == FPDU_CRC_OK || f->crc == FPDU_CRC_UNSEEN ||
            (crc_is_right(layout, f) && mpa_begins_next(run, f->pos + f->total, end)))
            return MPA_FIT;
    }
    return waits ? MPA_WAIT : MPA_NO;
}

static enum mpa_fit any_markers(const struct tcp_run *run, int64_t end,
                                const struct mpa_layout *layout, struct mpa_found *f)
{
    struct mpa_found other = {.pos = f->pos, .plausible = true};
    enum mpa_fit plain, fit;

    f->marker_bad = false;
    plain = try_counts(run, end, 0, layout, f);
    if (plain == MPA_FIT)
        return plain;
    fit = try_counts(run, end, RDC_MARKER_LEN, layout, &other);
    if (fit == MPA_FIT || (fit == MPA_WAIT && plain == MPA_NO))
        *f = other;
    return fit == MPA_FIT || plain == MPA_NO ? fit : plain;
}
