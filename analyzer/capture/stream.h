/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A stream of bytes: an open file (input.c), or the decompressed form of one (expand.c).
 */
#ifndef CAPTURE_STREAM_H
#define CAPTURE_STREAM_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct source_stop;

struct stream {
    /* Like read(2), but never interrupted: 0 at the end, and also when reading failed; then `why`
     * says why. */
    size_t (*read)(struct stream *self, uint8_t *to, size_t size);
    void (*close)(struct stream *self);
    const char *why;     /* NULL, or what went wrong, as the end of a sentence */
    uint64_t why_offset; /* byte offset in the file (of compressed bytes, where it is compressed) */
};

enum {
    INPUT_HEAD = 4096, /* bytes at the start of a file that can be looked at in advance */
};

/* An open file. */
struct input {
    struct stream stream;
    int fd;
    int wake_fd;                    /* readable when reading should give up; -1: none */
    const struct source_stop *stop; /* NULL: nobody asks to stop */
    bool regular;                   /* can be opened again; `size` is known */
    uint64_t size;
    uint64_t position; /* bytes read so far; written by the reading thread, atomic */
    size_t head_size;  /* bytes read ahead into `head` */
    size_t head_taken;
    char *why_text;
    uint8_t head[INPUT_HEAD];
};

/* Opens `path` ("-": standard input) and looks at its start: when it returns, `head` has at least
 * 16 bytes, or all that there are. `name` is for messages. The caller closes it with stream.close.
 */
struct input *input_open(const char *path, const char *name, const struct source_stop *stop,
                         GError **error);

/* A way of compression. `step` moves bytes from in to out and keeps both up to date. */
struct codec_io {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
};

struct codec {
    const char *name;
    bool (*matches)(const uint8_t *start, size_t size);
    void *(*create)(void);
    /* NULL, or what is wrong with the data. Moves on until `in` is used up or `out` is full. */
    const char *(*step)(void *state, struct codec_io *io);
    /* May the input end here? */
    bool (*complete)(const void *state);
    void (*destroy)(void *state);
};

extern const struct codec codec_gz;
extern const struct codec codec_zst;
extern const struct codec codec_lz4;
/* Nothing to be seen but frames that are skipped, which zst and lz4 share */
extern const struct codec codec_skippable;

/* The codec whose magic number the bytes begin with, or NULL */
const struct codec *codec_find(const uint8_t *start, size_t size);

/* Decompresses `input` in a thread of its own, a few blocks ahead. Takes `input`. NULL when no
 * thread can be had. */
struct stream *expand_open(struct input *input, const struct codec *codec);

#endif
