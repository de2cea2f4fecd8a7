/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pool of stream pieces (see tcp_piece.h).
 */
#include "flow/tcp_piece.h"

#include <stdlib.h>

/* Bytes that a block of each class holds; 0: descriptions of borrowed bytes */
static const uint32_t room[TCP_PIECE_CLASSES] = {0, 256, 2048, 9216, 24576, TCP_PIECE_MAX};

static void release_free(struct tcp_pool *pool);

void tcp_pool_init(struct tcp_pool *pool, uint64_t limit)
{
    *pool = (struct tcp_pool){.limit = limit};
}

void tcp_pool_done(struct tcp_pool *pool)
{
    release_free(pool);
}

struct tcp_piece *tcp_piece_new(struct tcp_pool *pool, uint32_t size)
{
    struct tcp_piece *piece;
    uint8_t c = 0;

    while (room[c] < size)
        c++;
    piece = pool->free[c];
    if (piece != NULL) {
        pool->free[c] = piece->next;
    } else {
        size_t bytes = sizeof(*piece) + room[c];

        if (pool->used + bytes > pool->limit)
            release_free(pool);
        piece = pool->used + bytes <= pool->limit ? malloc(bytes) : NULL;
        if (piece == NULL) {
            pool->refused++;
            return NULL;
        }
        pool->used += bytes;
        piece->size_class = c;
    }
    piece->next = piece->before = NULL;
    piece->held = false;
    piece->bytes = piece->data;
    return piece;
}

uint32_t tcp_piece_room(const struct tcp_piece *piece)
{
    return room[piece->size_class];
}

void tcp_piece_free(struct tcp_pool *pool, struct tcp_piece *piece)
{
    piece->next = pool->free[piece->size_class];
    pool->free[piece->size_class] = piece;
}

void tcp_pieces_free(struct tcp_pool *pool, struct tcp_piece *list)
{
    while (list != NULL) {
        struct tcp_piece *next = list->next;

        tcp_piece_free(pool, list);
        list = next;
    }
}

/* What one class does not need, another may. */
static void release_free(struct tcp_pool *pool)
{
    for (unsigned c = 0; c < TCP_PIECE_CLASSES; c++) {
        while (pool->free[c] != NULL) {
            struct tcp_piece *piece = pool->free[c];

            pool->free[c] = piece->next;
            pool->used -= sizeof(*piece) + room[c];
            free(piece);
        }
    }
}
