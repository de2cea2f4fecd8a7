/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which way of compression do these bytes show? Each way has a file of its own.
 */
#include "capture/stream.h"
#include "rdc/wire.h"

enum {
    SKIPPABLE_HEADER = 8,
};

static const struct codec *codec_of(const uint8_t *start, size_t size);

/* Zstandard (RFC 8878, 3.1.2) and lz4 share these frames, which hold no data of the file:
 *   magic:32, lowest four bits any  size:32  that many bytes */
static bool is_skippable(const uint8_t *start, size_t size)
{
    return size >= SKIPPABLE_HEADER && (rdc_le32(start) & ~0xfu) == 0x184d2a50;
}

/* The first frame that is not skipped tells which of the two it is */
const struct codec *codec_find(const uint8_t *start, size_t size)
{
    const struct codec *codec;
    bool skipped = false;

    while (is_skippable(start, size)) {
        size_t frame = SKIPPABLE_HEADER + (size_t)rdc_le32(start + 4);

        frame = frame < size ? frame : size;
        start += frame;
        size -= frame;
        skipped = true;
    }
    codec = codec_of(start, size);
    return codec == NULL && skipped ? &codec_skippable : codec;
}

static const struct codec *codec_of(const uint8_t *start, size_t size)
{
    static const struct codec *const all[] = {&codec_gz, &codec_zst, &codec_lz4};

    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i]->matches(start, size))
            return all[i];
    return NULL;
}
