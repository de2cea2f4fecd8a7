/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading in a thread of its own: a ring of blocks lies between it and the consumer, so that
 * reading and analysing overlap. A lock is taken once a block. The blocks, and what is in them, are
 * the same as without the thread, in the same order.
 */
#ifndef CMD_FEED_RING_H
#define CMD_FEED_RING_H

#include "cmd/feed_read.h"

struct feed_ring;

/* From here on `read` belongs to the thread, until the last block has come or feed_ring_free().
 * NULL when no thread can be had. */
struct feed_ring *feed_ring_new(struct feed_read *read);
/* The next block, valid until the next call; of no packets: the end */
struct feed_block *feed_ring_next(struct feed_ring *ring);
/* Waits for the thread. NULL is accepted. */
void feed_ring_free(struct feed_ring *ring);

#endif
