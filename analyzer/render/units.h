/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Quantities as people write them: "1.25 ms", "64.0 KiB", "98.3 Gbit/s". Three significant digits
 * or more; exact numbers are what JSON is for.
 */
#ifndef RENDER_UNITS_H
#define RENDER_UNITS_H

#include "render/buffer.h"

void units_duration(struct buffer *b, int64_t ns);
void units_bytes(struct buffer *b, uint64_t bytes);
void units_rate(struct buffer *b, double bits_per_second);
/* Thousands apart by commas: "1,234,567" */
void units_count(struct buffer *b, uint64_t count);
/* Seconds with nine decimals: "0.000001250" */
void units_seconds(struct buffer *b, int64_t ns);
/* A time since the epoch, UTC: "2024-05-06 07:08:09.123456789Z" */
void units_time(struct buffer *b, int64_t ns);

#endif
