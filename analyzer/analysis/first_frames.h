/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where it happened first: how often a kind of thing was, and its first frames, by stream. What
 * findings and violations show is taken from here.
 */
#ifndef ANALYSIS_FIRST_FRAMES_H
#define ANALYSIS_FIRST_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIRST_FRAMES = 10,
};

/* Ascending, each once */
struct first_frames {
    size_t count;
    uint64_t frames[FIRST_FRAMES];
};

/* Adds a frame to `count` ascending ones, of which `room` are kept; returns how many there are now.
 * Frames mostly come in order, but what is settled late may belong further up. */
size_t first_frames_insert(uint64_t *frames, size_t count, size_t room, uint64_t frame);

/* By stream (FLOW_NO_STREAM: of none) and kind; kinds are small numbers that its user chooses */
struct frame_index;

struct frame_list {
    uint64_t count; /* as often as it was; at least that many frames, or as many as are kept */
    struct first_frames first;
};

struct frame_index *frame_index_new(void);
/* NULL is accepted */
void frame_index_free(struct frame_index *index);
/* Counts one; remembers its frame, unless that is 0. */
void frame_index_add(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame);
/* Takes back what was added. */
void frame_index_take_out(struct frame_index *index, uint32_t stream, unsigned kind,
                          uint64_t frame);
/* Remembers a frame, or forgets it, and counts nothing. */
void frame_index_mark(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame,
                      bool there);
/* How often there was no memory for what should have been counted or remembered */
uint64_t frame_index_refused(const struct frame_index *index);
/* Borrowed; NULL: it never was */
const struct frame_list *frame_index_find(const struct frame_index *index, uint32_t stream,
                                          unsigned kind);

#endif
