/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames that a user names: "226,368,481-490".
 */
#ifndef CMD_FRAME_LIST_H
#define CMD_FRAME_LIST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct frame_list {
    GArray *ranges; /* owned; of struct frame_range, in order, apart from each other; NULL: all */
};

/* Reads the text behind `option`; NULL: the option was not given, the list holds all frames. False:
 * a mistake, which has been told. frame_list_done() in either case. */
bool frame_list_read(struct frame_list *list, const char *option, const char *text);
void frame_list_done(struct frame_list *list);

bool frame_list_holds(const struct frame_list *list, uint64_t frame);
/* Whether none is behind this frame */
bool frame_list_ends(const struct frame_list *list, uint64_t frame);

#endif
