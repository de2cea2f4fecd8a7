/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers in sentences (see say.h): three significant digits, the decimal point whatever the
 * locale.
 */
#include "analysis/say.h"

#include <glib.h>

struct unit {
    double size;
    const char *name;
};

static void put_real(struct say *s, double x)
{
    double magnitude = x < 0 ? -x : x;

    g_ascii_formatd(s->text, sizeof(s->text),
                    x == 0              ? "%.0f"
                    : magnitude < 9.995 ? "%.2f"
                    : magnitude < 99.95 ? "%.1f"
                                        : "%.0f",
                    x);
}

static struct say scaled(double x, const struct unit *units, size_t count)
{
    struct say s;
    size_t i = 0;

    while (i + 1 < count && (x < 0 ? -x : x) < units[i].size)
        i++;
    put_real(&s, x / units[i].size);
    g_strlcat(s.text, " ", sizeof(s.text));
    g_strlcat(s.text, units[i].name, sizeof(s.text));
    return s;
}

struct say say_count(uint64_t n)
{
    struct say s;
    char digits[24];
    size_t size = (size_t)g_snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, n), used = 0;

    for (size_t i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0)
            s.text[used++] = ',';
        s.text[used++] = digits[i];
    }
    s.text[used] = '\0';
    return s;
}

struct say say_many(uint64_t n, const char *noun)
{
    struct say s = say_count(n);

    g_strlcat(s.text, " ", sizeof(s.text));
    g_strlcat(s.text, noun, sizeof(s.text));
    if (n != 1)
        g_strlcat(s.text, "s", sizeof(s.text));
    return s;
}

struct say say_how_often(uint64_t n)
{
    struct say once = {"once"};

    return n == 1 ? once : say_many(n, "time");
}

struct say say_ns(int64_t ns)
{
    static const struct unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};

    return scaled((double)ns, units, G_N_ELEMENTS(units));
}

struct say say_rate(double bits_per_second)
{
    static const struct unit units[] = {
        {1e12, "Tbit/s"}, {1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1, "bit/s"}};

    return scaled(bits_per_second, units, G_N_ELEMENTS(units));
}

struct say say_pct(double pct)
{
    struct say s;

    put_real(&s, pct);
    g_strlcat(s.text, " %", sizeof(s.text));
    return s;
}

struct say say_real(double x)
{
    struct say s;

    put_real(&s, x);
    return s;
}

struct say say_mac(const uint8_t mac[6])
{
    struct say s;

    g_snprintf(s.text, sizeof(s.text), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
               mac[3], mac[4], mac[5]);
    return s;
}
