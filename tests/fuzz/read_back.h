/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the targets that read captures share: bytes as a file, and what holds of whatever is read.
 */
#ifndef FUZZ_READ_BACK_H
#define FUZZ_READ_BACK_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/source.h"

/* Is told of every record */
typedef void read_back_each(void *context, const struct source_record *rec);

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline void read_back_check_record(const struct source *src, const struct source_record *rec)
{
    uint32_t sum = 0;

    must(rec->in.captured <= SOURCE_MAX_RECORD);
    must(rec->in.interface < source_interface_count(src));
    must(source_interface(src, rec->in.interface)->linktype == rec->in.linktype);
    for (uint32_t i = 0; i < rec->in.captured; i++)
        sum += rec->in.bytes[i];
    must(sum <= UINT32_MAX);
}

static inline void read_back_check_damage(const struct source_damage *damage, uint64_t packets,
                                          size_t file_size)
{
    must(damage->text && !strchr(damage->text, '\n'));
    must(damage->decompressed || damage->offset <= file_size);
    must(damage->frame == packets + 1);
}

/* Reads `bytes` as a capture file; returns how many damages it has, -1: it is no capture. */
static inline int read_back(const uint8_t *bytes, size_t size, read_back_each *each, void *context)
{
    const struct source_options options = {.own_formats_only = true};
    int fd = memfd_create("capture", 0);
    char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    const char *paths[] = {path};
    struct source_record batch[16];
    uint64_t packets = 0, frame = 0;
    GError *error = NULL;
    struct source *src;
    int damages = -1;
    size_t n;

    must(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    src = source_open(paths, 1, &options, &error);
    must((src == NULL) == (error != NULL));
    g_clear_error(&error);
    while (src && (n = source_next(src, batch, G_N_ELEMENTS(batch))) > 0)
        for (size_t i = 0; i < n; i++) {
            must(batch[i].frame > frame);
            frame = batch[i].frame;
            packets++;
            read_back_check_record(src, &batch[i]);
            if (each)
                each(context, &batch[i]);
        }
    if (src) {
        damages = (int)source_damage_count(src);
        must(source_next(src, batch, 1) == 0);
        must(source_file(src, 0)->packets == packets);
        for (int i = 0; i < damages; i++)
            read_back_check_damage(source_damage(src, (size_t)i), packets, size);
    }
    source_close(src);
    close(fd);
    g_free(path);
    return damages;
}

#endif
