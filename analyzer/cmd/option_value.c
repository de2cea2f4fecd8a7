/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values of options; see option_value.h.
 */
#include "cmd/option_value.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/decimal.h"
#include "cmd/message.h"

bool option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (text == NULL || decimal_whole(text, min, max, out))
        return true;
    text = option_shown(text);
    if (max == UINT64_MAX)
        message_error("%s %s: give a decimal number from %" PRIu64, option, text, min);
    else
        message_error("%s %s: give a decimal number from %" PRIu64 " to %" PRIu64, option, text,
                      min, max);
    return false;
}

static bool number_and_unit(const char *text, double *number, const char **unit)
{
    if (!decimal_before(text, number, unit))
        return false;
    while (**unit == ' ')
        (*unit)++;
    return true;
}

/* The unit that a rate ends with; 0: none */
static double factor_of(const char *suffix)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}};
    static const char *const tails[] = {"", "b", "bps", "bit/s", "bit"};
    double factor = 0;

    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        for (size_t j = 0; j < G_N_ELEMENTS(tails); j++) {
            char *unit = g_strconcat(units[i].suffix, tails[j], NULL);

            if (g_ascii_strcasecmp(suffix, unit) == 0)
                factor = units[i].factor;
            g_free(unit);
        }
    }
    return factor;
}

bool option_rate(const char *text, uint64_t *bps)
{
    const char *unit;
    double number;

    if (!number_and_unit(text, &number, &unit))
        return false;
    number *= factor_of(unit);
    if (number < 1e6 || number >= 1e15) /* no link is so slow: the unit was forgotten */
        return false;
    *bps = (uint64_t)number;
    return true;
}

bool option_time(const char *text, int64_t *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *unit;
    double number;

    if (!number_and_unit(text, &number, &unit))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (strcmp(unit, units[i].unit) == 0 && number * units[i].ns < 1e18) {
            *ns = (int64_t)(number * units[i].ns);
            return *ns > 0;
        }
    return false;
}
