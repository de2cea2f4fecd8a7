/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes JSON as it goes, straight into a buffer: no tree, no allocation, no printf. The caller
 * keeps the order (key, value, key, value ...); the writer keeps commas, indentation and escapes.
 * The result is valid UTF-8 whatever bytes the strings held.
 */
#ifndef RENDER_JSON_WRITER_H
#define RENDER_JSON_WRITER_H

#include <stdbool.h>

#include "render/buffer.h"

struct json_writer {
    struct buffer *out;
    bool pretty; /* one member a line */
    bool comma;  /* the next member or element needs one */
    unsigned depth;
};

void json_break_line(struct json_writer *w);
void json_open(struct json_writer *w, char bracket);
void json_close(struct json_writer *w, char bracket);
void json_string(struct json_writer *w, const char *s);
/* "0x..." with at least `digits` digits: ids and keys that are no quantities */
void json_hex(struct json_writer *w, uint64_t value, unsigned digits);
/* Up to `decimals` decimals; not a number and infinity become null */
void json_double(struct json_writer *w, double value, unsigned decimals);

static inline void json_begin(struct json_writer *w)
{
    if (w->comma)
        buffer_char(w->out, ',');
    if (w->pretty && w->depth > 0)
        json_break_line(w);
}

/* Before a value that is an element of an array; json_key() does it for members */
static inline void json_element(struct json_writer *w)
{
    json_begin(w);
    w->comma = false;
}

/* `quoted` is a key with quotes and colon, `"psn":`, of `size` bytes */
static inline void json_quoted_key(struct json_writer *w, const char *quoted, size_t size)
{
    json_begin(w);
    buffer_bytes(w->out, quoted, size);
    w->comma = false;
}

/* Any key; json_quoted_key() is faster */
void json_key(struct json_writer *w, const char *key);

static inline void json_literal(struct json_writer *w, const char *literal)
{
    buffer_string(w->out, literal);
    w->comma = true;
}

static inline void json_uint(struct json_writer *w, uint64_t value)
{
    buffer_uint(w->out, value);
    w->comma = true;
}

static inline void json_int(struct json_writer *w, int64_t value)
{
    buffer_int(w->out, value);
    w->comma = true;
}

static inline void json_bool(struct json_writer *w, bool value)
{
    json_literal(w, value ? "true" : "false");
}

static inline void json_null(struct json_writer *w)
{
    json_literal(w, "null");
}

/* A string of ours that needs no escapes */
static inline void json_plain(struct json_writer *w, const char *s)
{
    buffer_char(w->out, '"');
    buffer_string(w->out, s);
    buffer_char(w->out, '"');
    w->comma = true;
}

/* Members with a plain key */
static inline void json_uint_member(struct json_writer *w, const char *key, uint64_t value)
{
    json_key(w, key);
    json_uint(w, value);
}

static inline void json_int_member(struct json_writer *w, const char *key, int64_t value)
{
    json_key(w, key);
    json_int(w, value);
}

static inline void json_bool_member(struct json_writer *w, const char *key, bool value)
{
    json_key(w, key);
    json_bool(w, value);
}

/* NULL: null */
static inline void json_text_member(struct json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    if (value != NULL)
        json_string(w, value);
    else
        json_null(w);
}

#endif
