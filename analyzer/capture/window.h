/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A window that moves over a stream: what lies in it can be used in place.
 */
#ifndef CAPTURE_WINDOW_H
#define CAPTURE_WINDOW_H

#include "capture/stream.h"

enum {
    WINDOW_BLOCK = 1 << 18, /* bytes asked for at a time: few enough to stay near the processor */
};

struct window {
    struct stream *stream;
    uint8_t *base;
    size_t capacity;
    size_t at;       /* first byte not used yet */
    size_t end;      /* behind the last byte there is */
    uint64_t offset; /* of base[0] in the stream */
    bool ended;      /* the stream has no more */
    bool refused;    /* there was no memory for as much as was asked for */
};

/* Takes `stream`. */
void window_init(struct window *w, struct stream *stream);
void window_done(struct window *w);

/* Makes at least `size` bytes available at `at` where the stream has them; false where it ends
 * before, or where memory is refused. Moves what is in the window: pointers into it are stale
 * afterwards. */
bool window_fill(struct window *w, size_t size);

static inline size_t window_left(const struct window *w)
{
    return w->end - w->at;
}

static inline const uint8_t *window_bytes(const struct window *w)
{
    return w->base + w->at;
}

/* Of the next byte, in the stream */
static inline uint64_t window_offset(const struct window *w)
{
    return w->offset + w->at;
}

#endif
