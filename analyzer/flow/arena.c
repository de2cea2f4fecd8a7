/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory for the state of streams (see arena.h). Small pieces are cut off large chunks one after
 * the other, and are kept by their size when they come back; larger ones are the system's, each
 * behind a line that holds it in a list.
 */
#include "flow/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CHUNK = 2 << 20, /* a large page */
};

/* In front of a large piece */
struct flow_arena_large {
    struct flow_arena_large *next;
    struct flow_arena_large **link; /* what points to it */
};

static_assert(sizeof(struct flow_arena_large) <= FLOW_LINE, "the piece begins at the next line");

/* A sanitizer watches the edges of pieces only where each is an allocation of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED true
#elif defined(__has_feature)
#define WATCHED __has_feature(address_sanitizer)
#else
#define WATCHED false
#endif

static size_t lines(size_t size)
{
    return (size + FLOW_LINE - 1) / FLOW_LINE;
}

static bool is_small(size_t size)
{
    return !WATCHED && lines(size) <= FLOW_ARENA_LARGEST;
}

void flow_arena_init(struct flow_arena *arena, uint64_t bound)
{
    *arena = (struct flow_arena){.left = bound};
}

static void *large(struct flow_arena *arena, size_t size)
{
    struct flow_arena_large *piece =
        WATCHED ? malloc(FLOW_LINE + size)
                : aligned_alloc(FLOW_LINE, FLOW_LINE + lines(size) * FLOW_LINE);

    if (piece == NULL)
        return NULL;
    piece->next = arena->large;
    piece->link = &arena->large;
    if (piece->next != NULL)
        piece->next->link = &piece->next;
    arena->large = piece;
    return memset((uint8_t *)piece + FLOW_LINE, 0, size);
}

static void free_large(void *at)
{
    struct flow_arena_large *piece = (void *)((uint8_t *)at - FLOW_LINE);

    /* of the first piece it is the arena's own, so that no piece is met twice */
    *piece->link = piece->next; /* NOLINT(clang-analyzer-unix.Malloc) */
    if (piece->next != NULL)
        piece->next->link = piece->link;
    free(piece);
}

/* Of the system itself: all zero, and nothing of it is touched before it is used */
static bool add_chunk(struct flow_arena *arena)
{
    uint8_t *room =
        mmap(NULL, CHUNK + CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t before;
    uint8_t *chunk;

    if (room == MAP_FAILED)
        return false;
    before = CHUNK - (uintptr_t)room % CHUNK;
    chunk = room + before;
    munmap(room, before);
    if (before < CHUNK)
        munmap(chunk + CHUNK, CHUNK - before);
    madvise(chunk, CHUNK, MADV_HUGEPAGE); /* a wish: without, it is only slower */
    memcpy(chunk, &arena->chunks, sizeof(arena->chunks));
    arena->chunks = chunk;
    arena->at = chunk + FLOW_LINE;
    arena->end = chunk + CHUNK;
    return true;
}

static void give_back(struct flow_arena *arena, void *piece, size_t size)
{
    memcpy(piece, &arena->returned[size], sizeof(void *));
    arena->returned[size] = piece;
    if (size > arena->largest)
        arena->largest = size;
}

static void *take_back(struct flow_arena *arena, size_t size)
{
    void *piece = arena->returned[size];

    if (piece != NULL)
        memcpy(&arena->returned[size], piece, sizeof(void *));
    return piece;
}

/* What is returned is mostly a list that grew: it is cut up for what is smaller. */
static void *cut_off(struct flow_arena *arena, size_t size)
{
    for (size_t larger = size + 1; larger <= arena->largest; larger++) {
        uint8_t *piece = take_back(arena, larger);

        if (piece == NULL)
            continue;
        give_back(arena, piece + size * FLOW_LINE, larger - size);
        return piece;
    }
    if (arena->largest > size)
        arena->largest = size;
    return NULL;
}

static void *small(struct flow_arena *arena, size_t size)
{
    void *piece = take_back(arena, lines(size));

    if (piece == NULL)
        piece = cut_off(arena, lines(size));
    if (piece != NULL)
        return memset(piece, 0, size);
    if ((size_t)(arena->end - arena->at) < lines(size) * FLOW_LINE && !add_chunk(arena))
        return NULL;
    piece = arena->at; /* zero since it was mapped */
    arena->at += lines(size) * FLOW_LINE;
    return piece;
}

void *flow_arena_new(struct flow_arena *arena, size_t size)
{
    uint64_t taken = lines(size) * FLOW_LINE;
    void *piece = NULL;

    if (taken <= arena->left)
        piece = is_small(size) ? small(arena, size) : large(arena, size);
    if (piece == NULL) {
        arena->refused++;
        return NULL;
    }
    arena->left -= taken;
    return piece;
}

void flow_arena_drop(struct flow_arena *arena, void *piece, size_t size)
{
    if (piece == NULL)
        return;
    arena->left += lines(size) * FLOW_LINE;
    if (!is_small(size)) {
        free_large(piece);
        return;
    }
    give_back(arena, piece, lines(size));
}

void *flow_arena_room(struct flow_arena *arena, void *list, size_t size, uint32_t count,
                      uint32_t *room, uint32_t first_room)
{
    uint32_t larger = *room == 0 ? first_room : *room * 2;
    void *replacement;

    if (count < *room)
        return list;
    replacement = flow_arena_new(arena, larger * size);
    if (replacement == NULL)
        return NULL;
    if (list != NULL)
        memcpy(replacement, list, count * size);
    flow_arena_drop(arena, list, *room * size);
    *room = larger;
    return replacement;
}

void flow_arena_done(struct flow_arena *arena)
{
    while (arena->large != NULL)
        free_large((uint8_t *)arena->large + FLOW_LINE);
    while (arena->chunks != NULL) {
        void *chunk = arena->chunks;

        memcpy(&arena->chunks, chunk, sizeof(arena->chunks));
        munmap(chunk, CHUNK);
    }
}
