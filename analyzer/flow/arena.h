/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for the state of streams: zeroed, each piece on cache lines of its own, cut from large
 * pages where the system has them, so that a processor finds it fast. It gives no more than a
 * bound, and owns what it gave: what is not given back ends with it.
 */
#ifndef FLOW_ARENA_H
#define FLOW_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum {
    FLOW_LINE = 64,           /* bytes of a cache line, on nearly all processors */
    FLOW_ARENA_LARGEST = 512, /* lines of a piece that is cut from a chunk */
};

struct flow_arena_large;

struct flow_arena {
    uint64_t left;     /* bytes that may still be taken */
    uint64_t refused;  /* times that nothing was given */
    uint8_t *at, *end; /* what is free of the latest chunk */
    void *chunks;      /* owned; each begins with a pointer to the one before */
    void *returned[FLOW_ARENA_LARGEST + 1]; /* by lines; each begins with a pointer to another */
    size_t largest;                         /* lines; there is no larger one among the returned */
    struct flow_arena_large *large;         /* owned; pieces that are cut from no chunk */
};

/* Empty; gives at most `bound` bytes. */
void flow_arena_init(struct flow_arena *arena, uint64_t bound);
/* A piece of `size` > 0 bytes, all zero, or NULL */
void *flow_arena_new(struct flow_arena *arena, size_t size);
/* Gives a piece of `size` bytes back. NULL is accepted. */
void flow_arena_drop(struct flow_arena *arena, void *piece, size_t size);
/* Room for one more element in a list of `count` elements of `size` bytes, which had room for
 * *room: the list, or what replaces it, twice as large. NULL: refused, and nothing has changed. */
void *flow_arena_room(struct flow_arena *arena, void *list, size_t size, uint32_t count,
                      uint32_t *room, uint32_t first_room);
/* Ends it, and all pieces with it. */
void flow_arena_done(struct flow_arena *arena);

/* Asks for the memory of a piece, to be read soon. */
static inline void flow_arena_fetch(const void *piece, size_t size)
{
    for (size_t at = 0; at < size; at += FLOW_LINE)
        __builtin_prefetch((const uint8_t *)piece + at);
}

#endif
