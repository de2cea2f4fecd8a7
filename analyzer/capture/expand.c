/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decompression in a thread of its own: a ring of blocks lies between it and the consumer, so that
 * decompressing and analysing overlap. A lock is taken once a block, never once a packet.
 */
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/stream.h"

enum {
    EXPAND_BLOCK = 1 << 20, /* decompressed bytes in a block */
    EXPAND_BLOCKS = 4,      /* blocks in the ring */
    EXPAND_INPUT = 1 << 17, /* compressed bytes read at a time */
};

struct block {
    size_t size;
    uint8_t bytes[EXPAND_BLOCK];
};

struct expand {
    struct stream stream; /* the consumer's side */
    struct input *input;  /* the thread's side, as the next four */
    const struct codec *codec;
    void *state;
    uint64_t consumed; /* compressed bytes */
    const char *why;   /* written before `ended` */
    pthread_t thread;
    pthread_mutex_t lock; /* for the next four */
    pthread_cond_t changed;
    size_t filled; /* blocks handed over since the start */
    size_t taken;  /* blocks used up since the start */
    bool ended;
    bool stop;
    size_t block_used; /* the consumer's: bytes taken of the block at `taken` */
    uint8_t chunk[EXPAND_INPUT];
    struct block ring[EXPAND_BLOCKS];
};

static size_t expand_read(struct stream *stream, uint8_t *to, size_t size);
static void expand_close(struct stream *stream);
static void *expand_main(void *arg);
static bool expand_some(struct expand *ex, struct codec_io *io);
static struct block *claim_block(struct expand *ex);
static void hand_over(struct expand *ex, bool ended);
static struct block *await_block(struct expand *ex);

struct stream *expand_open(struct input *input, const struct codec *codec)
{
    struct expand *ex = g_new(struct expand, 1);

    memset(ex, 0, offsetof(struct expand, chunk));
    ex->stream.read = expand_read;
    ex->stream.close = expand_close;
    ex->input = input;
    ex->codec = codec;
    ex->state = codec->create();
    input->wake_fd = input->regular ? -1 : eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&ex->lock, NULL);
    pthread_cond_init(&ex->changed, NULL);
    if (pthread_create(&ex->thread, NULL, expand_main, ex) == 0)
        return &ex->stream;
    ex->thread = pthread_self();
    expand_close(&ex->stream);
    return NULL;
}

static size_t expand_read(struct stream *stream, uint8_t *to, size_t size)
{
    struct expand *ex = (struct expand *)stream;
    struct block *block = await_block(ex);
    size_t left;

    if (!block) {
        stream->why = ex->why;
        stream->why_offset = ex->consumed;
        return 0;
    }
    left = block->size - ex->block_used;
    if (size > left)
        size = left;
    memcpy(to, block->bytes + ex->block_used, size);
    ex->block_used += size;
    if (ex->block_used < block->size)
        return size;
    ex->block_used = 0;
    pthread_mutex_lock(&ex->lock);
    ex->taken++;
    pthread_cond_broadcast(&ex->changed);
    pthread_mutex_unlock(&ex->lock);
    return size;
}

static void expand_close(struct stream *stream)
{
    struct expand *ex = (struct expand *)stream;
    uint64_t one = 1;

    if (!pthread_equal(ex->thread, pthread_self())) {
        pthread_mutex_lock(&ex->lock);
        ex->stop = true;
        pthread_cond_broadcast(&ex->changed);
        pthread_mutex_unlock(&ex->lock);
        if (ex->input->wake_fd >= 0 && write(ex->input->wake_fd, &one, sizeof one) < 0)
            return; /* can't happen; a leak is better than a hang */
        pthread_join(ex->thread, NULL);
    }
    if (ex->input->wake_fd >= 0)
        close(ex->input->wake_fd);
    pthread_cond_destroy(&ex->changed);
    pthread_mutex_destroy(&ex->lock);
    ex->codec->destroy(ex->state);
    ex->input->stream.close(&ex->input->stream);
    g_free(ex);
}

/* Next bytes of the file into `io`; false at the end of the file */
static bool next_chunk(struct expand *ex, struct codec_io *io)
{
    size_t n = ex->input->stream.read(&ex->input->stream, ex->chunk, EXPAND_INPUT);

    io->in = ex->chunk;
    io->in_size = n;
    if (n > 0)
        return true;
    if (ex->input->stream.why)
        ex->why = ex->input->stream.why;
    else if (!ex->codec->complete(ex->state))
        ex->why = "its compressed data end too early; the file was probably cut short";
    return false;
}

/* The thread: a block is handed over when it is full and at the end; of a pipe also whenever the
 * next read may have to wait, since the consumer must not wait for what is there already. */
static void *expand_main(void *arg)
{
    struct expand *ex = arg;
    struct codec_io io = {0};
    struct block *block;
    bool more = false; /* the codec may hold output that did not fit */
    bool ended = false;

    while (!ended && (block = claim_block(ex)) != NULL) {
        io.out = block->bytes;
        io.out_size = EXPAND_BLOCK;
        while (io.out_size > 0 && !ended) {
            if (io.in_size == 0 && !more) {
                if (io.out_size < EXPAND_BLOCK && !ex->input->regular)
                    break;
                ended = !next_chunk(ex, &io);
            }
            if (!ended)
                ended = !expand_some(ex, &io);
            more = io.out_size == 0;
        }
        block->size = EXPAND_BLOCK - io.out_size;
        hand_over(ex, ended);
    }
    return NULL;
}

/* One step of the codec; false when the data are damaged */
static bool expand_some(struct expand *ex, struct codec_io *io)
{
    const uint8_t *before = io->in;

    ex->why = ex->codec->step(ex->state, io);
    ex->consumed += (uint64_t)(io->in - before);
    return ex->why == NULL;
}

/* The next block to fill, when there is a free one; NULL when nobody wants it any more */
static struct block *claim_block(struct expand *ex)
{
    struct block *block = NULL;

    pthread_mutex_lock(&ex->lock);
    while (!ex->stop && ex->filled - ex->taken == EXPAND_BLOCKS)
        pthread_cond_wait(&ex->changed, &ex->lock);
    if (!ex->stop)
        block = &ex->ring[ex->filled % EXPAND_BLOCKS];
    pthread_mutex_unlock(&ex->lock);
    return block;
}

static void hand_over(struct expand *ex, bool ended)
{
    pthread_mutex_lock(&ex->lock);
    if (ex->ring[ex->filled % EXPAND_BLOCKS].size > 0)
        ex->filled++;
    ex->ended = ended;
    pthread_cond_broadcast(&ex->changed);
    pthread_mutex_unlock(&ex->lock);
}

static struct block *await_block(struct expand *ex)
{
    struct block *block = NULL;

    pthread_mutex_lock(&ex->lock);
    while (!ex->ended && ex->filled == ex->taken)
        pthread_cond_wait(&ex->changed, &ex->lock);
    if (ex->filled != ex->taken)
        block = &ex->ring[ex->taken % EXPAND_BLOCKS];
    pthread_mutex_unlock(&ex->lock);
    return block;
}
