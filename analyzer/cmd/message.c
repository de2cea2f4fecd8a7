/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages on standard error.
 */
#include "cmd/message.h"

#include <stdarg.h>
#include <stdio.h>

#include <glib.h>

#include "render/safe.h"

__attribute__((format(printf, 2, 0))) static void put(const char *prefix, const char *format,
                                                      va_list args)
{
    char *text = g_strdup_vprintf(format, args);
    struct buffer line = {0};

    buffer_string(&line, prefix);
    safe_text(&line, text);
    buffer_char(&line, '\n');
    fwrite(line.data, 1, line.used, stderr);
    buffer_done(&line);
    g_free(text);
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
