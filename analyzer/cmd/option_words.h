/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The words of a command line before GOption reads them, which does not know values that stick to
 * short options (-fjson), takes --quiet=no for --quiet, and of two values the last.
 */
#ifndef CMD_OPTION_WORDS_H
#define CMD_OPTION_WORDS_H

#include <glib.h>
#include <stdbool.h>

/* `entries`: of GOptionEntry, all that the command has. Returns the words with each value as one of
 * its own, NULL-terminated, g_strfreev() them; NULL: a word can't be, which was told. */
char **option_words(const GArray *entries, int argc, char *const *argv);

#endif
