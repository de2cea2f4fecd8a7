/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the text behind an option means, where it is more than a text.
 */
#ifndef CMD_OPTION_VALUE_H
#define CMD_OPTION_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* For messages, where an empty text would not be seen */
static inline const char *option_shown(const char *text)
{
    return text[0] != '\0' ? text : "\"\"";
}

/* A whole decimal number from `min` to `max` (UINT64_MAX: no end), as analysis/decimal.h reads it.
 * `text` NULL: the option was not given, `out` stays. False: a mistake, which has been told and
 * names `option`. */
bool option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* "100G", "25Gbit/s", "400000M", "10000000000": bits per second. False: not the rate
 * of a link, which is 1M or more. */
bool option_rate(const char *text, uint64_t *bps);
/* "50us", "1.5ms", "800ns", "1s": nanoseconds. False: not a time of at least one. */
bool option_time(const char *text, int64_t *ns);

#endif
