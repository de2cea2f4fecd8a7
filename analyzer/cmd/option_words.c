/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See option_words.h.
 */
#include "cmd/option_words.h"

#include <string.h>

#include "cmd/message.h"

struct words {
    const GArray *entries;
    gboolean *given; /* by entry */
    GPtrArray *out;
    const GOptionEntry *open; /* the word before is this option and wants a value; NULL */
};

static bool take(struct words *w, const char *word);
static bool take_long(struct words *w, const char *word);
static bool take_short(struct words *w, const char *word);
static bool note_given(struct words *w, const GOptionEntry *entry);

char **option_words(const GArray *entries, int argc, char *const *argv)
{
    struct words w = {.entries = entries,
                      .given = g_new0(gboolean, entries->len + 1),
                      .out = g_ptr_array_new_with_free_func(g_free)};
    bool ok = true, end = false;

    for (int i = 0; ok && i < argc; i++) {
        end = end || (i > 0 && w.open == NULL && strcmp(argv[i], "--") == 0);
        if (i == 0 || end)
            g_ptr_array_add(w.out, g_strdup(argv[i]));
        else
            ok = take(&w, argv[i]);
    }
    g_free(w.given);
    g_ptr_array_add(w.out, NULL);
    if (ok)
        return (char **)g_ptr_array_free(w.out, FALSE);
    g_ptr_array_free(w.out, TRUE);
    return NULL;
}

static bool take(struct words *w, const char *word)
{
    if (w->open != NULL || word[0] != '-' || word[1] == '\0') {
        w->open = NULL; /* its value, or a FILE */
        g_ptr_array_add(w->out, g_strdup(word));
        return true;
    }
    return word[1] == '-' ? take_long(w, word) : take_short(w, word);
}

static const GOptionEntry *entry_at(const struct words *w, guint i)
{
    return &g_array_index(w->entries, GOptionEntry, i);
}

static bool takes_value(const GOptionEntry *entry)
{
    return entry->arg != G_OPTION_ARG_NONE;
}

static bool take_long(struct words *w, const char *word)
{
    size_t size = strcspn(word + 2, "=");
    const char *value = word[2 + size] == '=' ? word + 3 + size : NULL;

    g_ptr_array_add(w->out, g_strdup(word));
    for (guint i = 0; i < w->entries->len; i++) {
        const GOptionEntry *entry = entry_at(w, i);

        if (strlen(entry->long_name) != size || strncmp(entry->long_name, word + 2, size) != 0)
            continue;
        if (value != NULL && !takes_value(entry)) {
            message_error("%s: --%s takes no value", word, entry->long_name);
            return false;
        }
        if (value == NULL && takes_value(entry))
            w->open = entry;
        return note_given(w, entry);
    }
    return true; /* GOption tells */
}

/* Letters up to the first that takes a value; the rest is that */
static bool take_short(struct words *w, const char *word)
{
    for (size_t at = 1; word[at] != '\0'; at++) {
        const GOptionEntry *entry = NULL;

        for (guint i = 0; i < w->entries->len; i++)
            if (entry_at(w, i)->short_name == word[at])
                entry = entry_at(w, i);
        if (entry == NULL)
            break; /* GOption tells */
        if (!takes_value(entry))
            continue;
        g_ptr_array_add(w->out, g_strndup(word, at + 1));
        if (word[at + 1] != '\0')
            g_ptr_array_add(w->out, g_strdup(word + at + 1));
        else
            w->open = entry;
        return note_given(w, entry);
    }
    g_ptr_array_add(w->out, g_strdup(word));
    return true;
}

/* How a page looks may be said again, behind what an alias says. What else takes one value would
 * lose one of two. */
static bool may_repeat(const GOptionEntry *entry)
{
    static const char *const looks[] = {"format", "color", "width", "threads", NULL};

    return entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY ||
           !takes_value(entry) || g_strv_contains(looks, entry->long_name);
}

static bool note_given(struct words *w, const GOptionEntry *entry)
{
    gboolean *given = &w->given[entry - entry_at(w, 0)];

    if (*given && !may_repeat(entry)) {
        message_error("--%s is given twice; give it once%s", entry->long_name,
                      strcmp(entry->long_name, "bpf") == 0 ? ": --bpf 'A and B'" : "");
        return false;
    }
    *given = TRUE;
    return true;
}
