/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text from outside (file names, interface names, bytes of packets) made harmless: no control
 * character, no direction override, no invalid UTF-8 gets to a terminal, and no CSV cell is taken
 * for a formula.
 */
#ifndef RENDER_SAFE_H
#define RENDER_SAFE_H

#include <stdbool.h>

#include "render/buffer.h"

enum {
    SAFE_BAD_BYTE = 0x7fffffff, /* no UTF-8 begins here */
};

/* The character at *s, which moves behind it: one byte when SAFE_BAD_BYTE */
uint32_t safe_next(const char **s);
bool safe_is_printable(uint32_t c);
/* Unprintable characters as \x1b, \u202e; bad bytes as \xff */
void safe_text(struct buffer *b, const char *s);
/* A CSV cell (RFC 4180), quoted where needed */
void safe_csv(struct buffer *b, const char *s);
/* Columns that `s` takes when safe_text() has written it */
size_t safe_width(const char *s);

#endif
