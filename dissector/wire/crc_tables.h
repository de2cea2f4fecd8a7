/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The portable path of each CRC, for crc.c and for the test that holds the two paths against each
 * other. States as in rdc/crc.h.
 */
#ifndef RDC_WIRE_CRC_TABLES_H
#define RDC_WIRE_CRC_TABLES_H

#include <stddef.h>
#include <stdint.h>

uint32_t rdc_crc32_portable(uint32_t crc, const uint8_t *data, size_t size);
uint32_t rdc_crc32_masked_portable(uint32_t crc, const uint8_t *data, size_t size,
                                   const uint8_t *mask, size_t masked);
uint32_t rdc_crc32c_portable(uint32_t crc, const uint8_t *data, size_t size);
uint16_t rdc_crc16_portable(uint16_t crc, const uint8_t *data, size_t size);

#endif
