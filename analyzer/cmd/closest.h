/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A word that is no name of ours: which names were meant?
 */
#ifndef CMD_CLOSEST_H
#define CMD_CLOSEST_H

/* The names (NULL-terminated) that contain `word`, or else those that fewest typing mistakes part
 * from it: "; did you mean gap or tcp_gap?", or "" when none is near. Returns owned. */
char *closest_hint(const char *word, const char *const *names);

#endif
