/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Making text from outside harmless; see safe.h.
 */
#include "render/safe.h"

#include <glib.h>

uint32_t safe_next(const char **s)
{
    gunichar c = g_utf8_get_char_validated(*s, -1);

    if (c == (gunichar)-1 || c == (gunichar)-2) {
        (*s)++;
        return SAFE_BAD_BYTE;
    }
    *s += g_utf8_skip[(guchar) * *s];
    return c;
}

/* GLib calls printable what only lays text out, too */
bool safe_is_printable(uint32_t c)
{
    GUnicodeType type;

    if (c < 0x80)
        return c >= 0x20 && c < 0x7f;
    type = g_unichar_type(c);
    return g_unichar_isprint(c) && type != G_UNICODE_FORMAT && type != G_UNICODE_PRIVATE_USE &&
           type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

void safe_text(struct buffer *b, const char *s)
{
    while (*s != '\0') {
        const char *at = s;
        uint32_t c = safe_next(&s);

        if (c == SAFE_BAD_BYTE || (c < 0x100 && !safe_is_printable(c))) {
            buffer_string(b, "\\x");
            buffer_hex(b, c == SAFE_BAD_BYTE ? (uint8_t)*at : c, 2);
        } else if (!safe_is_printable(c)) {
            buffer_string(b, c > 0xffff ? "\\U" : "\\u");
            buffer_hex(b, c, c > 0xffff ? 8 : 4);
        } else {
            buffer_bytes(b, at, (size_t)(s - at));
        }
    }
}

/* Spreadsheets of East Asia take the wide forms, too; some pass over spaces. */
static bool is_formula(const char *s)
{
    static const char *const first[] = {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"};

    while (*s == ' ')
        s++;
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        if (g_str_has_prefix(s, first[i]))
            return true;
    return false;
}

/* Quoted for those that separate by semicolons, too */
void safe_csv(struct buffer *b, const char *s)
{
    struct buffer clean = {0};
    bool formula;

    safe_text(&clean, s);
    buffer_char(&clean, '\0');
    formula = is_formula(clean.data);
    if (!formula && strpbrk(clean.data, ",;\"") == NULL) {
        buffer_string(b, clean.data);
    } else {
        buffer_string(b, formula ? "\"'" : "\"");
        for (const char *p = clean.data; *p != '\0'; p++) {
            if (*p == '"')
                buffer_char(b, '"');
            buffer_char(b, *p);
        }
        buffer_char(b, '"');
    }
    buffer_done(&clean);
}

size_t safe_width(const char *s)
{
    struct buffer clean = {0};
    size_t width = 0;

    safe_text(&clean, s);
    buffer_char(&clean, '\0');
    for (const char *p = clean.data; *p != '\0';) {
        gunichar c = safe_next(&p);

        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    buffer_done(&clean);
    return width;
}
