/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Zstandard (RFC 8878): one or several frames, skippable ones too.
 */
#include <zstd.h>

#include "capture/stream.h"
#include "rdc/wire.h"

#define ZST_MAGIC 0xfd2fb528u

struct zst {
    ZSTD_DStream *stream;
    bool between; /* frames */
    char why[80];
};

static bool zst_matches(const uint8_t *start, size_t size)
{
    return size >= 4 && rdc_le32(start) == ZST_MAGIC;
}

static void *zst_create(void)
{
    struct zst *zst = g_new0(struct zst, 1);

    zst->stream = ZSTD_createDStream();
    zst->between = true;
    return zst;
}

static const char *zst_step(void *state, struct codec_io *io)
{
    struct zst *zst = state;
    ZSTD_inBuffer in = {io->in, io->in_size, 0};
    ZSTD_outBuffer out = {io->out, io->out_size, 0};
    size_t rc = 0;

    if (!zst->stream)
        return "there is not enough memory to decompress it";
    do {
        if (in.pos == in.size && zst->between)
            break;
        rc = ZSTD_decompressStream(zst->stream, &out, &in);
        zst->between = rc == 0;
    } while (!ZSTD_isError(rc) && in.pos < in.size && out.pos < out.size);
    io->in += in.pos;
    io->in_size -= in.pos;
    io->out += out.pos;
    io->out_size -= out.pos;
    if (!ZSTD_isError(rc))
        return NULL;
    g_snprintf(zst->why, sizeof zst->why, "its zst data are damaged: %s", ZSTD_getErrorName(rc));
    return zst->why;
}

static bool zst_complete(const void *state)
{
    const struct zst *zst = state;

    return zst->between;
}

static void zst_destroy(void *state)
{
    struct zst *zst = state;

    ZSTD_freeDStream(zst->stream);
    g_free(zst);
}

const struct codec codec_zst = {"zst",    zst_matches,  zst_create,
                                zst_step, zst_complete, zst_destroy};
const struct codec codec_skippable = {"zst or lz4", zst_matches,  zst_create,
                                      zst_step,     zst_complete, zst_destroy};
