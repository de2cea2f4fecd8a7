/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Saying what a file is that is no capture.
 */
#ifndef CAPTURE_REFUSAL_H
#define CAPTURE_REFUSAL_H

#include "capture/reader.h"

/* Before libwiretap is asked: true, and `error` set, for what it would take for a capture */
bool refuse_early(const struct source_file *file, const uint8_t *start, size_t size,
                  GError **error);
/* When nobody knows the format */
void refuse_unknown(const struct reader *probe, GError **error);

#endif
