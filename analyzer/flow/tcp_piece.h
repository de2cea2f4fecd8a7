/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of a TCP stream that have to wait, and the pool that they live in. Blocks have a few
 * sizes and are used again, so that a steady stream allocates nothing; the pool never asks the
 * system for more than its limit.
 */
#ifndef FLOW_TCP_PIECE_H
#define FLOW_TCP_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TCP_PIECE_CLASSES = 6,
    TCP_PIECE_MAX = 65536, /* bytes that a block can hold */
};

struct tcp_piece {
    struct tcp_piece *next, *before; /* of a run's list */
    const uint8_t *bytes; /* `captured` of them: in `data`, or borrowed from the packet at hand */
    int64_t pos;          /* of the first byte in the stream */
    uint32_t size;        /* bytes of the stream that it covers */
    uint32_t captured;    /* of these, the first ones that are there */
    bool starts;          /* a segment began at pos */
    bool held;            /* an own copy; else it borrows from the packet at hand */
    uint8_t size_class;
    uint8_t data[];
};

struct tcp_pool {
    struct tcp_piece *free[TCP_PIECE_CLASSES]; /* owned */
    uint64_t limit;                            /* bytes */
    uint64_t used;                             /* bytes got from the system, the free ones too */
    uint64_t refused;                          /* times that the limit stood in the way */
};

void tcp_pool_init(struct tcp_pool *pool, uint64_t limit);
void tcp_pool_done(struct tcp_pool *pool);
/* Returns a piece with room for `size` bytes (at most TCP_PIECE_MAX), or NULL; only next,
 * before, bytes and held are set. Return it with tcp_piece_free(). */
struct tcp_piece *tcp_piece_new(struct tcp_pool *pool, uint32_t size);
/* Bytes that its block holds */
uint32_t tcp_piece_room(const struct tcp_piece *piece);
void tcp_piece_free(struct tcp_pool *pool, struct tcp_piece *piece);
void tcp_pieces_free(struct tcp_pool *pool, struct tcp_piece *list);

#endif
