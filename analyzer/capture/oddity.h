/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records that can be read, but say what can't be: counted, with the place of the first.
 */
#ifndef CAPTURE_ODDITY_H
#define CAPTURE_ODDITY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "rdc/packet.h"

enum oddity {
    ODDITY_FRACTION, /* of a second that is a second or more */
    ODDITY_TIME,     /* before 1970, or past what the decoder believes */
    ODDITY_LENGTH,   /* more bytes captured than the packet had */
    ODDITY_OPTION,   /* of a packet's block: it does not fit there, or has the wrong size */
    ODDITY_BLOCK,    /* such an option in a block that is no packet */
    ODDITY_COUNTS,   /* statistics too short, or of an interface that is not described */
    ODDITY_COUNT,
};

struct oddities {
    struct {
        uint64_t count;
        uint64_t frame; /* of the first; where it is no packet, the one before */
        uint64_t
            offset; /* where its record begins, in the decompressed file; UINT64_MAX: unknown */
    } of[ODDITY_COUNT];
};

static inline bool oddity_is_of_packet(enum oddity kind)
{
    return kind < ODDITY_BLOCK;
}

static inline bool oddity_is_time(int64_t time_ns)
{
    return time_ns < 0 || time_ns > RDC_TIME_LAST_NS;
}

void oddities_note(struct oddities *odd, enum oddity kind, uint64_t frame, uint64_t offset);
/* "FILE: frame 7 (byte 1234) has ...; so have 2 more", owned; NULL: there is none of that kind up
 * to frame `last` */
char *oddities_text(const struct oddities *odd, enum oddity kind, const char *file, uint64_t last);

#endif
