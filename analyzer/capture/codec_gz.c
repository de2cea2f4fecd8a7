/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gzip (RFC 1952): one or several members, zeros behind the last.
 */
#include <zlib.h>

#include "capture/stream.h"

enum {
    GZ_WINDOW_BITS = 15 + 16, /* zlib: the largest window, gzip header and trailer */
};

struct gz {
    z_stream z;
    bool ready;
    bool between; /* members */
    char why[80];
};

static bool gz_matches(const uint8_t *start, size_t size)
{
    return size >= 3 && start[0] == 0x1f && start[1] == 0x8b && start[2] == 8;
}

static void *gz_create(void)
{
    struct gz *gz = g_new0(struct gz, 1);

    gz->ready = inflateInit2(&gz->z, GZ_WINDOW_BITS) == Z_OK;
    gz->between = true;
    return gz;
}

static void skip_zeros(struct codec_io *io)
{
    while (io->in_size > 0 && *io->in == 0) {
        io->in++;
        io->in_size--;
    }
}

static int inflate_some(struct gz *gz, struct codec_io *io)
{
    int rc;

    gz->z.next_in = (z_const Bytef *)(uintptr_t)io->in;
    gz->z.avail_in = (uInt)io->in_size;
    gz->z.next_out = io->out;
    gz->z.avail_out = (uInt)io->out_size;
    rc = inflate(&gz->z, Z_NO_FLUSH);
    io->in += io->in_size - gz->z.avail_in;
    io->in_size = gz->z.avail_in;
    io->out = gz->z.next_out;
    io->out_size = gz->z.avail_out;
    return rc;
}

static const char *gz_step(void *state, struct codec_io *io)
{
    struct gz *gz = state;

    if (!gz->ready)
        return "there is not enough memory to decompress it";
    while (io->out_size > 0) {
        int rc;

        if (gz->between)
            skip_zeros(io);
        if (io->in_size == 0 && gz->between)
            return NULL;
        gz->between = false;
        rc = inflate_some(gz, io);
        if (rc == Z_STREAM_END) {
            gz->between = true;
            inflateReset(&gz->z);
        } else if (rc == Z_BUF_ERROR) {
            return NULL; /* no progress possible: all input used */
        } else if (rc != Z_OK) {
            g_snprintf(gz->why, sizeof gz->why, "its gz data are damaged: %s",
                       gz->z.msg ? gz->z.msg : "not enough memory");
            return gz->why;
        }
    }
    return NULL;
}

static bool gz_complete(const void *state)
{
    const struct gz *gz = state;

    return gz->between;
}

static void gz_destroy(void *state)
{
    struct gz *gz = state;

    inflateEnd(&gz->z);
    g_free(gz);
}

const struct codec codec_gz = {"gz", gz_matches, gz_create, gz_step, gz_complete, gz_destroy};
