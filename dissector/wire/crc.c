/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CRCs of rdc/crc.h: tables of eight slices everywhere, folding (crc_x86.c) for longer pieces
 * where the processor can. A CRC of 16 bits is one of 32 bits whose polynomial is multiplied by
 * x^16: its reflected state stays in the low 16 bits.
 */
#include "rdc/crc.h"

#include "rdc/wire.h"
#include "wire/crc_tables.h"
#include "wire/crc_x86.h"

#include "crc_generated.h"

enum {
    FOLD_MIN = 32, /* bytes from which folding is faster than the tables */
};

static inline uint32_t by_tables(const uint32_t table[8][256], uint32_t crc, const uint8_t *data,
                                 size_t size);
static inline uint32_t fastest(const uint32_t table[8][256], const struct rdc_crc_fold *fold,
                               uint32_t crc, const uint8_t *data, size_t size);

uint32_t rdc_crc32_update(uint32_t crc, const uint8_t *data, size_t size)
{
    return fastest(crc32_table, &crc32_fold, crc, data, size);
}

uint32_t rdc_crc32_masked(uint32_t crc, const uint8_t *data, size_t size, const uint8_t *mask,
                          size_t masked)
{
#if RDC_CRC_X86
    if (size >= FOLD_MIN && rdc_crc_can_fold())
        return rdc_crc_fold(&crc32_fold, crc, data, size, mask, masked);
#endif
    return rdc_crc32_masked_portable(crc, data, size, mask, masked);
}

uint16_t rdc_crc16_update(uint16_t crc, const uint8_t *data, size_t size)
{
    return (uint16_t)fastest(crc16_table, &crc16_fold, crc, data, size);
}

uint32_t rdc_crc32c_update(uint32_t crc, const uint8_t *data, size_t size)
{
#if RDC_CRC_X86
    if (size < FOLD_MIN && rdc_crc_has_crc32c())
        return rdc_crc32c_words(crc, data, size);
#endif
    return fastest(crc32c_table, &crc32c_fold, crc, data, size);
}

uint32_t rdc_crc32_portable(uint32_t crc, const uint8_t *data, size_t size)
{
    return by_tables(crc32_table, crc, data, size);
}

uint32_t rdc_crc32_masked_portable(uint32_t crc, const uint8_t *data, size_t size,
                                   const uint8_t *mask, size_t masked)
{
    uint8_t head[RDC_CRC_MASK_MAX];
    size_t first = size < masked ? size : masked;

    for (size_t i = 0; i < first; i++)
        head[i] = data[i] | mask[i];
    crc = by_tables(crc32_table, crc, head, first);
    return by_tables(crc32_table, crc, data + first, size - first);
}

uint32_t rdc_crc32c_portable(uint32_t crc, const uint8_t *data, size_t size)
{
    return by_tables(crc32c_table, crc, data, size);
}

uint16_t rdc_crc16_portable(uint16_t crc, const uint8_t *data, size_t size)
{
    return (uint16_t)by_tables(crc16_table, crc, data, size);
}

/* table[k][b]: what byte b becomes when k zero bytes follow it */
static inline uint32_t by_tables(const uint32_t table[8][256], uint32_t crc, const uint8_t *data,
                                 size_t size)
{
    for (; size >= 8; data += 8, size -= 8) {
        uint32_t a = crc ^ rdc_le32(data);
        uint32_t b = rdc_le32(data + 4);

        crc = table[7][a & 0xff] ^ table[6][a >> 8 & 0xff] ^ table[5][a >> 16 & 0xff] ^
              table[4][a >> 24] ^ table[3][b & 0xff] ^ table[2][b >> 8 & 0xff] ^
              table[1][b >> 16 & 0xff] ^ table[0][b >> 24];
    }
    if (size >= 4) { /* all that has a CRC here has a multiple of 4 bytes */
        uint32_t a = crc ^ rdc_le32(data);

        crc = table[3][a & 0xff] ^ table[2][a >> 8 & 0xff] ^ table[1][a >> 16 & 0xff] ^
              table[0][a >> 24];
        data += 4;
        size -= 4;
    }
    for (; size > 0; data++, size--)
        crc = table[0][(crc ^ *data) & 0xff] ^ crc >> 8;
    return crc;
}

static inline uint32_t fastest(const uint32_t table[8][256], const struct rdc_crc_fold *fold,
                               uint32_t crc, const uint8_t *data, size_t size)
{
#if RDC_CRC_X86
    if (size >= FOLD_MIN && rdc_crc_can_fold())
        return rdc_crc_fold(fold, crc, data, size, NULL, 0);
#else
    (void)fold;
#endif
    return by_tables(table, crc, data, size);
}
