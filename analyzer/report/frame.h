/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frame references: which packet of which file, in one number. References grow along the timeline,
 * so they can be compared; of a single file they are the frame numbers themselves.
 */
#ifndef REPORT_FRAME_H
#define REPORT_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_NUMBER_BITS = 40,
};

/* `file`: 0, 1, ... in the order of the timeline; `number`: 1-based within it */
static inline uint64_t frame_ref(size_t file, uint64_t number)
{
    return (uint64_t)file << FRAME_NUMBER_BITS | number;
}

static inline size_t frame_file(uint64_t ref)
{
    return (size_t)(ref >> FRAME_NUMBER_BITS);
}

static inline uint64_t frame_number(uint64_t ref)
{
    return ref & (((uint64_t)1 << FRAME_NUMBER_BITS) - 1);
}

/* What stands for a file in front of its frames: its name without the folders, where that tells it
 * from the others. Borrowed from `files`. */
const char *frame_file_label(const char *const *files, size_t file_count, size_t file);

#endif
