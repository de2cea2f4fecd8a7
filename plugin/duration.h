/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Durations in the words of the command line. A file of its own: names of the command line's units
 * and of Wireshark's collide.
 */
#ifndef PLUGIN_DURATION_H
#define PLUGIN_DURATION_H

#include <stdint.h>

/* "1.28 ms"; owned by the caller (g_free) */
char *duration_words(int64_t ns);

#endif
