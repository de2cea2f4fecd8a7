/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages on standard error: one line each, safe for a terminal, of a length that can be read.
 */
#include "cmd/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "render/safe.h"

/* What a user typed, or a name in a file, may be as long as memory: its two ends tell which it is.
 */
enum {
    LONGEST_WORD = 400, /* characters */
    WORD_END = 120,
    LONGEST_TEXT = 4000,
    TEXT_END = 1500,
};

static size_t after(const char *text, size_t characters)
{
    const char *at = text;

    while (characters-- > 0)
        safe_next(&at);
    return (size_t)(at - text);
}

/* `size` bytes, of which more than `most` characters are left out in the middle, but for `end` at
 * either side */
static void append(GString *out, const char *text, size_t size, size_t most, size_t end)
{
    size_t characters = 0, head, tail;

    for (const char *at = text; at < text + size; characters++)
        safe_next(&at);
    if (characters <= most) {
        g_string_append_len(out, text, (gssize)size);
        return;
    }
    head = after(text, end);
    tail = after(text, characters - end);
    g_string_append_len(out, text, (gssize)head);
    g_string_append_printf(out, "[... %" G_GSIZE_FORMAT " bytes ...]", tail - head);
    g_string_append_len(out, text + tail, (gssize)(size - tail));
}

static char *shortened(const char *text)
{
    GString *words = g_string_new(NULL), *out = g_string_new(NULL);

    while (*text != '\0') {
        size_t space = strspn(text, " "), word = strcspn(text + space, " ");

        g_string_append_len(words, text, (gssize)space);
        append(words, text + space, word, LONGEST_WORD, WORD_END);
        text += space + word;
    }
    append(out, words->str, words->len, LONGEST_TEXT, TEXT_END);
    g_string_free(words, TRUE);
    return g_string_free(out, FALSE);
}

__attribute__((format(printf, 2, 0))) static void put(const char *prefix, const char *format,
                                                      va_list args)
{
    char *full = g_strdup_vprintf(format, args);
    char *text = shortened(full);
    struct buffer line = {0};

    buffer_string(&line, prefix);
    safe_text(&line, text);
    buffer_char(&line, '\n');
    fwrite(line.data, 1, line.used, stderr);
    buffer_done(&line);
    g_free(text);
    g_free(full);
}

void message_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put("rdmapcap: ", format, args);
    va_end(args);
}

void message_note(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put("rdmapcap: note: ", format, args);
    va_end(args);
}
