/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Strict decimal numbers; see decimal.h.
 */
#include "analysis/decimal.h"

#include <glib.h>
#include <math.h>

/* A digit, and no zero before other digits */
static bool begins_well(const char *text)
{
    return g_ascii_isdigit(text[0]) && !(text[0] == '0' && g_ascii_isalnum(text[1]));
}

bool decimal_whole(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    guint64 number;

    if (!begins_well(text) || !g_ascii_string_to_unsigned(text, 10, min, max, &number, NULL))
        return false;
    *out = number;
    return true;
}

bool decimal_real(const char *text, double *out)
{
    const char *rest;
    double number;

    if (!decimal_before(text, &number, &rest) || *rest != '\0')
        return false;
    *out = number;
    return true;
}

bool decimal_before(const char *text, double *out, const char **rest)
{
    char *end;
    double number;

    if (!begins_well(text))
        return false;
    number = g_ascii_strtod(text, &end);
    if (!isfinite(number))
        return false;
    *out = number;
    *rest = end;
    return true;
}
