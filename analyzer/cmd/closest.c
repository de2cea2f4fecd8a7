/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that are close to a word; see closest.h.
 */
#include "cmd/closest.h"

#include <stdbool.h>
#include <string.h>

#include <glib.h>

enum {
    MAX_WORD = 64,
    MAX_HINTS = 3,
};

static size_t distance(const char *a, const char *b);
static bool is_hint(const char *word, const char *name, size_t nearest);

char *closest_hint(const char *word, const char *const *names)
{
    size_t nearest = strlen(word) / 2; /* further ones have nothing in common with it */
    GString *hint = g_string_new(NULL);
    unsigned count = 0;

    if (word[0] == '\0' || strlen(word) > MAX_WORD)
        return g_string_free(hint, FALSE);
    for (size_t i = 0; names[i] != NULL; i++)
        nearest = MIN(nearest, distance(word, names[i]));
    for (size_t i = 0; names[i] != NULL && count < MAX_HINTS; i++)
        if (is_hint(word, names[i], nearest))
            g_string_append_printf(hint, "%s%s", count++ == 0 ? "; did you mean " : " or ",
                                   names[i]);
    if (count > 0)
        g_string_append_c(hint, '?');
    return g_string_free(hint, FALSE);
}

/* A part of a word of two letters would be chance */
static bool is_hint(const char *word, const char *name, size_t nearest)
{
    return (strlen(word) > 2 && strstr(name, word) != NULL) || distance(word, name) <= nearest;
}

/* Letters to insert, delete or replace (Levenshtein), of words up to MAX_WORD */
static size_t distance(const char *a, const char *b)
{
    size_t row[MAX_WORD + 1]; /* of the part of `b` so far, by length of the part of `a` */
    size_t size = strlen(a);

    for (size_t i = 0; i <= size; i++)
        row[i] = i;
    for (; *b != '\0'; b++) {
        size_t corner = row[0]++;

        for (size_t i = 1; i <= size; i++) {
            size_t replaced = corner + (g_ascii_tolower(a[i - 1]) != *b);

            corner = row[i];
            row[i] = MIN(replaced, MIN(row[i], row[i - 1]) + 1);
        }
    }
    return row[size];
}
