/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A byte buffer that output is formatted into. It either grows (the text is wanted as a string) or
 * is emptied into a sink when it is full (the text goes to a file). What the sink is, and whether
 * it worked, is its owner's business.
 */
#ifndef RENDER_BUFFER_H
#define RENDER_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buffer {
    char *data;
    size_t used;
    size_t capacity;
    /* Takes data[0..used); NULL: the buffer grows instead */
    void (*sink)(void *context, const char *data, size_t size);
    void *context;
};

/* A buffer of zeros is an empty growing buffer. This one empties itself at about `capacity`. */
void buffer_init_sink(struct buffer *b, size_t capacity,
                      void (*sink)(void *context, const char *data, size_t size), void *context);
void buffer_done(struct buffer *b);
/* Gives what is there to the sink */
void buffer_flush(struct buffer *b);
/* Slow path of buffer_room() */
void buffer_make_room(struct buffer *b, size_t size);

/* Room for `size` more bytes, and one; never NULL */
static inline char *buffer_room(struct buffer *b, size_t size)
{
    if (b->capacity - b->used <= size)
        buffer_make_room(b, size);
    return b->data + b->used;
}

static inline void buffer_bytes(struct buffer *b, const char *bytes, size_t size)
{
    memcpy(buffer_room(b, size), bytes, size);
    b->used += size;
}

static inline void buffer_char(struct buffer *b, char c)
{
    *buffer_room(b, 1) = c;
    b->used++;
}

/* Inline, so that the length of a literal is known to the compiler */
static inline void buffer_string(struct buffer *b, const char *s)
{
    buffer_bytes(b, s, strlen(s));
}

void buffer_spaces(struct buffer *b, size_t count);
void buffer_uint(struct buffer *b, uint64_t value);
void buffer_int(struct buffer *b, int64_t value);
/* Lower case, at least `digits` digits, no prefix */
void buffer_hex(struct buffer *b, uint64_t value, unsigned digits);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
