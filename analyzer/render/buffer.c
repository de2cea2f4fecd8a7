/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The output buffer and the number formatting that every packet of a dump needs: no printf there.
 */
#include "render/buffer.h"

#include <stdarg.h>
#include <stdio.h>

#include <glib.h>

enum {
    SMALLEST = 256,
    MAX_DECIMAL = 20, /* digits of 2^64 - 1 */
    MAX_HEX = 16,
};

void buffer_init_sink(struct buffer *b, size_t capacity,
                      void (*sink)(void *context, const char *data, size_t size), void *context)
{
    *b = (struct buffer){
        .data = g_malloc(capacity), .capacity = capacity, .sink = sink, .context = context};
}

void buffer_done(struct buffer *b)
{
    g_free(b->data);
    *b = (struct buffer){0};
}

void buffer_flush(struct buffer *b)
{
    if (b->sink == NULL || b->used == 0)
        return;
    b->sink(b->context, b->data, b->used);
    b->used = 0;
}

void buffer_make_room(struct buffer *b, size_t size)
{
    buffer_flush(b);
    if (b->capacity - b->used > size)
        return;
    b->capacity = MAX(MAX(b->capacity * 2, b->used + size + 1), SMALLEST);
    b->data = g_realloc(b->data, b->capacity);
}

void buffer_spaces(struct buffer *b, size_t count)
{
    memset(buffer_room(b, count), ' ', count);
    b->used += count;
}

void buffer_uint(struct buffer *b, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[MAX_DECIMAL];
    char *p = digits + sizeof(digits);

    while (value >= 100) {
        p -= 2;
        memcpy(p, pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (value >= 10) {
        p -= 2;
        memcpy(p, pairs + value * 2, 2);
    } else {
        *--p = (char)('0' + value);
    }
    buffer_bytes(b, p, (size_t)(digits + sizeof(digits) - p));
}

void buffer_int(struct buffer *b, int64_t value)
{
    if (value >= 0) {
        buffer_uint(b, (uint64_t)value);
        return;
    }
    buffer_char(b, '-');
    buffer_uint(b, 0 - (uint64_t)value);
}

void buffer_hex(struct buffer *b, uint64_t value, unsigned digits)
{
    char text[MAX_HEX];
    unsigned size = 0;

    do {
        text[MAX_HEX - ++size] = "0123456789abcdef"[value & 0xf];
        value >>= 4;
    } while (size < MAX_HEX && (value != 0 || size < digits));
    buffer_bytes(b, text + MAX_HEX - size, size);
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    buffer_string(b, text);
    g_free(text);
}
