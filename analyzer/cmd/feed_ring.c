/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading in a thread of its own; see feed_ring.h.
 */
#include "cmd/feed_ring.h"

#include <assert.h>

enum {
    BLOCKS = 16,
};

static_assert((BLOCKS + 1) * FEED_BLOCK <= RDC_BRIEFS_LENT, "packets that are on their way");

struct feed_ring {
    struct feed_read *read;
    GThread *thread;
    GMutex lock; /* for the next four */
    GCond changed;
    size_t filled; /* blocks filled since the start */
    size_t taken;  /* blocks given back since the start */
    bool stop;
    bool holds; /* the consumer's: it has the block at `taken` */
    struct feed_block blocks[BLOCKS];
};

static struct feed_block *claim(struct feed_ring *ring)
{
    struct feed_block *block = NULL;

    g_mutex_lock(&ring->lock);
    while (!ring->stop && ring->filled - ring->taken == BLOCKS)
        g_cond_wait(&ring->changed, &ring->lock);
    if (!ring->stop)
        block = &ring->blocks[ring->filled % BLOCKS];
    g_mutex_unlock(&ring->lock);
    return block;
}

static void hand_over(struct feed_ring *ring)
{
    g_mutex_lock(&ring->lock);
    ring->filled++;
    g_cond_signal(&ring->changed);
    g_mutex_unlock(&ring->lock);
}

static gpointer fill_blocks(gpointer data)
{
    struct feed_ring *ring = data;
    struct feed_block *block;
    bool more = true;

    while (more && (block = claim(ring)) != NULL) {
        feed_read_block(ring->read, block, FEED_BLOCK, true);
        more = block->count > 0;
        hand_over(ring);
    }
    return NULL;
}

struct feed_ring *feed_ring_new(struct feed_read *read)
{
    struct feed_ring *ring = g_new(struct feed_ring, 1);

    ring->read = read;
    ring->filled = ring->taken = 0;
    ring->stop = ring->holds = false;
    g_mutex_init(&ring->lock);
    g_cond_init(&ring->changed);
    for (size_t i = 0; i < BLOCKS; i++)
        feed_block_init(&ring->blocks[i]);
    ring->thread = g_thread_try_new("reading", fill_blocks, ring, NULL);
    if (ring->thread != NULL)
        return ring;
    feed_ring_free(ring);
    return NULL;
}

struct feed_block *feed_ring_next(struct feed_ring *ring)
{
    struct feed_block *block;

    g_mutex_lock(&ring->lock);
    if (ring->holds) {
        ring->taken++;
        g_cond_signal(&ring->changed);
    }
    ring->holds = true;
    while (ring->filled == ring->taken)
        g_cond_wait(&ring->changed, &ring->lock);
    block = &ring->blocks[ring->taken % BLOCKS];
    g_mutex_unlock(&ring->lock);
    return block;
}

void feed_ring_free(struct feed_ring *ring)
{
    if (ring == NULL)
        return;
    if (ring->thread != NULL) {
        g_mutex_lock(&ring->lock);
        ring->stop = true;
        g_cond_signal(&ring->changed);
        g_mutex_unlock(&ring->lock);
        g_thread_join(ring->thread);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        feed_block_done(&ring->blocks[i]);
    g_cond_clear(&ring->changed);
    g_mutex_clear(&ring->lock);
    g_free(ring);
}
