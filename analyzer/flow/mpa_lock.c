/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * First looks at unknown TCP (see mpa_lock.h). One place of random bytes in about 8000 gets through
 * at the start of a segment, by its control fields.
 */
#include "flow/mpa_lock.h"

#include <string.h>

#include "flow/mpa_fpdu.h"
#include "rdc/crc.h"
#include "rdc/iwarp.h"

enum {
    HEADER = RDC_FPDU_LENGTH_LEN + RDC_DDP_UNTAGGED_LEN,
    CREDIT = 8, /* bytes that CRCs may cover for each byte of a segment: of random ones, 2 do */
};

/* An FPDU at p, or the start of one. *credit: bytes that CRCs may still cover */
static bool fits(const uint8_t *p, uint32_t captured, uint32_t size, int64_t *credit)
{
    uint32_t total, crc;

    if (captured <= RDC_FPDU_LENGTH_LEN + 1 ||
        !mpa_plausible(p + RDC_FPDU_LENGTH_LEN, captured - RDC_FPDU_LENGTH_LEN, rdc_be16(p)))
        return false;
    total = rdc_fpdu_size(rdc_be16(p));
    if (total > captured)
        return total > size || captured < size; /* goes on in the next segment, or is cut */
    *credit -= total;
    crc = rdc_le32(p + total - RDC_FPDU_CRC_LEN);
    return crc == 0 ||
           crc == rdc_crc32c_done(rdc_crc32c_update(RDC_CRC32C_INIT, p, total - RDC_FPDU_CRC_LEN));
}

/* With markers the CRC's place depends on their number: control fields must do. */
static bool fits_behind_marker(const uint8_t *p, uint32_t captured)
{
    const uint32_t before = RDC_MARKER_LEN + RDC_FPDU_LENGTH_LEN;

    return captured >= RDC_MARKER_LEN + HEADER && rdc_be32(p) == 0 &&
           mpa_plausible(p + before, captured - before, rdc_be16(p + RDC_MARKER_LEN));
}

static bool fits_with_markers(const uint8_t *p, uint32_t captured)
{
    uint32_t end = captured < RDC_MARKER_SPACING ? captured : RDC_MARKER_SPACING;

    if (captured <= RDC_FPDU_LENGTH_LEN + 1 ||
        !mpa_plausible(p + RDC_FPDU_LENGTH_LEN, captured - RDC_FPDU_LENGTH_LEN, rdc_be16(p)))
        return false;
    for (uint32_t at = RDC_MARKER_LEN; at + RDC_MARKER_LEN <= end; at += RDC_MARKER_LEN)
        if (rdc_be32(p + at) == at)
            return true;
    return false;
}

bool mpa_lock_looks_like(const uint8_t *bytes, uint32_t captured, uint32_t size, bool anywhere)
{
    int64_t credit = (int64_t)captured * CREDIT;

    if (fits(bytes, captured, size, &credit) || fits_behind_marker(bytes, captured) ||
        fits_with_markers(bytes, captured))
        return true;
    if (!anywhere || captured < HEADER)
        return false;
    for (uint32_t i = 1; i + HEADER <= captured && credit > 0; i++) {
        if (!mpa_any_control(bytes + i + RDC_FPDU_LENGTH_LEN))
            i += 7; /* nor in the next seven bytes */
        else if ((bytes[i + RDC_FPDU_LENGTH_LEN] & 0x3f) == 1 &&
                 (bytes[i + RDC_FPDU_LENGTH_LEN + 1] & 0xb0) == 0 &&
                 fits(bytes + i, captured - i, size - i, &credit))
            return true;
    }
    return false;
}

bool mpa_lock_starts_up(const uint8_t *bytes, uint32_t captured, bool first)
{
    return (first || captured >= RDC_MPA_KEY_LEN) && captured > 0 && bytes[0] == 'M' &&
           rdc_mpa_is_start(bytes, captured);
}
