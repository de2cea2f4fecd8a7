/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps a stretch of a stream in memory. A record that straddles the end of what was read is moved
 * to the front; memory grows only for a record larger than the window, by its size.
 */
#include <string.h>

#include "capture/window.h"

void window_init(struct window *w, struct stream *stream)
{
    *w =
        (struct window){.stream = stream, .base = g_malloc(WINDOW_BLOCK), .capacity = WINDOW_BLOCK};
}

void window_done(struct window *w)
{
    if (w->stream)
        w->stream->close(w->stream);
    g_free(w->base);
    *w = (struct window){0};
}

static void move_to_front(struct window *w)
{
    memmove(w->base, w->base + w->at, w->end - w->at);
    w->offset += w->at;
    w->end -= w->at;
    w->at = 0;
}

static bool grow(struct window *w, size_t size)
{
    uint8_t *base = g_try_realloc(w->base, size);

    if (base == NULL) {
        w->refused = true;
        return false;
    }
    w->base = base;
    w->capacity = size;
    return true;
}

bool window_fill(struct window *w, size_t size)
{
    if (window_left(w) >= size)
        return true;
    move_to_front(w);
    if (size > w->capacity && !grow(w, size))
        return false;
    while (w->end < size && !w->ended) {
        size_t n = w->stream->read(w->stream, w->base + w->end, w->capacity - w->end);

        w->ended = n == 0;
        w->end += n;
    }
    return w->end >= size;
}
