/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The checksums of the RDMA families, as running values over pieces of a packet. Start with the
 * _INIT value, feed pieces in order, end with the _done function.
 */
#ifndef RDC_CRC_H
#define RDC_CRC_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32 as Ethernet's (0x04c11db7 reflected): ICRC (IBTA vol. 1, 7.8.1) */
#define RDC_CRC32_INIT 0xffffffffu
uint32_t rdc_crc32_update(uint32_t crc, const uint8_t *data, size_t size);
/* The same of `size` bytes whose first `masked` ones are taken or'ed with `mask`: of `masked`
 * bytes, a multiple of 16, at most RDC_CRC_MASK_MAX; what is beyond `size` is not used. */
enum {
    RDC_CRC_MASK_MAX = 64,
};
uint32_t rdc_crc32_masked(uint32_t crc, const uint8_t *data, size_t size, const uint8_t *mask,
                          size_t masked);
static inline uint32_t rdc_crc32_done(uint32_t crc)
{
    return ~crc;
}

/* CRC-16 0x100b reflected: VCRC (IBTA vol. 1, 7.8.2) and LPCRC (7.9.4) */
#define RDC_CRC16_INIT 0xffffu
uint16_t rdc_crc16_update(uint16_t crc, const uint8_t *data, size_t size);
static inline uint16_t rdc_crc16_done(uint16_t crc)
{
    return (uint16_t)~crc;
}

/* CRC-32C (0x1edc6f41 reflected): MPA (RFC 5044, 4.4) */
#define RDC_CRC32C_INIT 0xffffffffu
uint32_t rdc_crc32c_update(uint32_t crc, const uint8_t *data, size_t size);
static inline uint32_t rdc_crc32c_done(uint32_t crc)
{
    return ~crc;
}

#endif
