/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Quantities as people write them; see units.h.
 */
#include "render/units.h"

#include <glib.h>

enum {
    NS_PER_S = 1000000000,
    FRACTION_DIGITS = 9,
};

struct unit {
    double size;
    const char *name;
};

/* The largest unit that is not above the value; the last one else */
static void scaled(struct buffer *b, double value, const struct unit *units, size_t count)
{
    double magnitude = value < 0 ? -value : value;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    size_t i = 0;

    while (i + 1 < count && magnitude < units[i].size)
        i++;
    magnitude /= units[i].size;
    g_ascii_formatd(text, sizeof(text),
                    units[i].size == 1 && i + 1 == count ? "%.0f"
                    : magnitude < 9.995                  ? "%.2f"
                    : magnitude < 99.95                  ? "%.1f"
                                                         : "%.0f",
                    value / units[i].size);
    buffer_string(b, text);
    buffer_char(b, ' ');
    buffer_string(b, units[i].name);
}

void units_duration(struct buffer *b, int64_t ns)
{
    static const struct unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};

    scaled(b, (double)ns, units, G_N_ELEMENTS(units));
}

void units_bytes(struct buffer *b, uint64_t bytes)
{
    static const struct unit units[] = {
        {0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}};

    scaled(b, (double)bytes, units, G_N_ELEMENTS(units));
}

void units_rate(struct buffer *b, double bits_per_second)
{
    static const struct unit units[] = {
        {1e12, "Tbit/s"}, {1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};

    scaled(b, bits_per_second, units, G_N_ELEMENTS(units));
}

void units_count(struct buffer *b, uint64_t count)
{
    if (count >= 1000) {
        units_count(b, count / 1000);
        buffer_char(b, ',');
        buffer_char(b, (char)('0' + count % 1000 / 100));
        buffer_char(b, (char)('0' + count % 100 / 10));
        buffer_char(b, (char)('0' + count % 10));
    } else {
        buffer_uint(b, count);
    }
}

void units_seconds(struct buffer *b, int64_t ns)
{
    uint64_t magnitude = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    uint64_t fraction = magnitude % NS_PER_S;
    char *p;

    if (ns < 0)
        buffer_char(b, '-');
    buffer_uint(b, magnitude / NS_PER_S);
    buffer_char(b, '.');
    p = buffer_room(b, FRACTION_DIGITS);
    for (unsigned i = FRACTION_DIGITS; i-- > 0; fraction /= 10)
        p[i] = (char)('0' + fraction % 10);
    b->used += FRACTION_DIGITS;
}

void units_time(struct buffer *b, int64_t ns)
{
    int64_t seconds = ns / NS_PER_S - (ns % NS_PER_S < 0);
    GDateTime *t = g_date_time_new_from_unix_utc(seconds);
    char *text = t != NULL ? g_date_time_format(t, "%Y-%m-%d %H:%M:%S") : NULL;

    if (text != NULL)
        buffer_printf(b, "%s.%09dZ", text, (int)(ns - seconds * NS_PER_S));
    else
        buffer_printf(b, "%" G_GINT64_FORMAT " ns", ns);
    g_free(text);
    if (t != NULL)
        g_date_time_unref(t);
}
