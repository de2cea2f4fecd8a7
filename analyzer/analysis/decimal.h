/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers as people write them, in options and policies: decimal digits only. What another reader
 * might take for something else is refused: "010" (octal for some, binary for a DSCP), "0x10",
 * "+1", " 1", "-1".
 */
#ifndef ANALYSIS_DECIMAL_H
#define ANALYSIS_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number from `min` to `max`; false, and `out` as it was, when `text` is none. */
bool decimal_whole(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* A finite number from 0, whole or not: "12", "0.5", "1e-3". */
bool decimal_real(const char *text, double *out);
/* The same, but something may follow it: `*rest`, a part of `text`. */
bool decimal_before(const char *text, double *out, const char **rest);

#endif
