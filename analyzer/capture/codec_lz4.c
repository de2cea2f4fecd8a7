/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * LZ4 frames: one or several.
 */
#include <lz4frame.h>

#include "capture/stream.h"
#include "rdc/wire.h"

#define LZ4_FRAME_MAGIC 0x184d2204u

struct lz4 {
    LZ4F_dctx *context;
    bool between; /* frames */
    char why[80];
};

static bool lz4_matches(const uint8_t *start, size_t size)
{
    return size >= 4 && rdc_le32(start) == LZ4_FRAME_MAGIC;
}

static void *lz4_create(void)
{
    struct lz4 *lz4 = g_new0(struct lz4, 1);

    if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4->context, LZ4F_VERSION)))
        lz4->context = NULL;
    lz4->between = true;
    return lz4;
}

static const char *lz4_step(void *state, struct codec_io *io)
{
    struct lz4 *lz4 = state;

    if (!lz4->context)
        return "there is not enough memory to decompress it";
    while (io->out_size > 0 && !(io->in_size == 0 && lz4->between)) {
        size_t in_size = io->in_size;
        size_t out_size = io->out_size;
        size_t rc = LZ4F_decompress(lz4->context, io->out, &out_size, io->in, &in_size, NULL);

        if (LZ4F_isError(rc)) {
            g_snprintf(lz4->why, sizeof lz4->why, "its lz4 data are damaged: %s",
                       LZ4F_getErrorName(rc));
            return lz4->why;
        }
        lz4->between = rc == 0;
        io->in += in_size;
        io->in_size -= in_size;
        io->out += out_size;
        io->out_size -= out_size;
        if (in_size == 0 && out_size == 0)
            break;
    }
    return NULL;
}

static bool lz4_complete(const void *state)
{
    const struct lz4 *lz4 = state;

    return lz4->between;
}

static void lz4_destroy(void *state)
{
    struct lz4 *lz4 = state;

    LZ4F_freeDecompressionContext(lz4->context);
    g_free(lz4);
}

const struct codec codec_lz4 = {"lz4",    lz4_matches,  lz4_create,
                                lz4_step, lz4_complete, lz4_destroy};
