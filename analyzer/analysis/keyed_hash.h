/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A hash of bytes for GLib's tables, and of words for our own, with a key that differs in every
 * run. That of g_bytes_hash() can be computed beforehand: a capture with addresses made to collide
 * would make a lookup take as long as the table is.
 */
#ifndef ANALYSIS_KEYED_HASH_H
#define ANALYSIS_KEYED_HASH_H

#include <glib.h>

/* Two words, with the key of GBytes' hash */
guint64 keyed_words_hash(guint64 a, guint64 b);
/* Bytes; `size` counts, too */
guint64 keyed_hash(gconstpointer bytes, gsize size);
/* A GHashFunc for GBytes; goes with g_bytes_equal() */
guint keyed_bytes_hash(gconstpointer bytes);

#endif
