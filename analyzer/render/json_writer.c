/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the JSON writer that are not on the path of every number: nesting, and strings that
 * may hold anything.
 */
#include "render/json_writer.h"

#include <math.h>

#include <glib.h>

#include "render/safe.h"

enum {
    INDENT = 2,
};

void json_break_line(struct json_writer *w)
{
    buffer_char(w->out, '\n');
    buffer_spaces(w->out, (size_t)w->depth * INDENT);
}

void json_open(struct json_writer *w, char bracket)
{
    buffer_char(w->out, bracket);
    w->comma = false;
    w->depth++;
}

void json_close(struct json_writer *w, char bracket)
{
    bool empty = !w->comma;

    w->depth--;
    if (w->pretty && !empty)
        json_break_line(w);
    buffer_char(w->out, bracket);
    w->comma = true;
}

void json_key(struct json_writer *w, const char *key)
{
    json_begin(w);
    json_string(w, key);
    buffer_string(w->out, w->pretty ? ": " : ":");
    w->comma = false;
}

/* RFC 8259, 7: characters beyond the basic plane are two surrogates */
static void escape(struct buffer *out, uint32_t c)
{
    if (c > 0xffff) {
        escape(out, 0xd7c0 + (c >> 10));
        escape(out, 0xdc00 + (c & 0x3ff));
        return;
    }
    buffer_string(out, "\\u");
    buffer_hex(out, c, 4);
}

/* RFC 8259, 7. Control characters of any kind are escaped, so that JSON shown on a terminal is
 * harmless too. */
void json_string(struct json_writer *w, const char *s)
{
    buffer_char(w->out, '"');
    while (*s != '\0') {
        const char *at = s;
        uint32_t c = safe_next(&s);

        if (c == '"' || c == '\\') {
            buffer_char(w->out, '\\');
            buffer_char(w->out, (char)c);
        } else if (c == SAFE_BAD_BYTE) {
            buffer_string(w->out, "\\ufffd");
        } else if (!safe_is_printable(c)) {
            escape(w->out, c);
        } else {
            buffer_bytes(w->out, at, (size_t)(s - at));
        }
    }
    buffer_char(w->out, '"');
    w->comma = true;
}

void json_hex(struct json_writer *w, uint64_t value, unsigned digits)
{
    buffer_string(w->out, "\"0x");
    buffer_hex(w->out, value, digits);
    buffer_char(w->out, '"');
    w->comma = true;
}

void json_double(struct json_writer *w, double value, unsigned decimals)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    double scale = pow(10, decimals);

    if (isnan(value) || isinf(value)) {
        json_null(w);
        return;
    }
    g_ascii_dtostr(text, sizeof(text), round(value * scale) / scale);
    json_literal(w, text);
}
