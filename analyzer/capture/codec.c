/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which way of compression do these bytes show? Each way has a file of its own.
 */
#include "capture/stream.h"

const struct codec *codec_find(const uint8_t *start, size_t size)
{
    static const struct codec *const all[] = {&codec_gz, &codec_zst, &codec_lz4};

    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i]->matches(start, size))
            return all[i];
    return NULL;
}
