/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Durations in words (see duration.h).
 */
#include "plugin/duration.h"

#include <glib.h>

#include "render/units.h"

char *duration_words(int64_t ns)
{
    struct buffer text = {0};
    char *words;

    units_duration(&text, ns);
    words = g_strndup(text.data, text.used);
    buffer_done(&text);
    return words;
}
