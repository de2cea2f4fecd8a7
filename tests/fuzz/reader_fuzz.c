/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as a capture file: pcap, pcapng, and both compressed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds);
static void read_all(struct source *src, size_t file_size);
static void check_record(const struct source *src, const struct source_record *rec);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_options options = {.own_formats_only = true};
    int fd = memfd_create("capture", 0);
    char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    const char *paths[] = {path};
    GError *error = NULL;
    struct source *src;

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    src = source_open(paths, 1, &options, &error);
    must((src == NULL) == (error != NULL));
    if (src)
        read_all(src, size);
    g_clear_error(&error);
    source_close(src);
    close(fd);
    g_free(path);
    return 0;
}

static void read_all(struct source *src, size_t file_size)
{
    struct source_record batch[16];
    uint64_t packets = 0;
    uint64_t frame = 0;
    size_t n;

    while ((n = source_next(src, batch, G_N_ELEMENTS(batch))) > 0)
        for (size_t i = 0; i < n; i++) {
            must(batch[i].frame > frame);
            frame = batch[i].frame;
            packets++;
            check_record(src, &batch[i]);
        }
    must(source_next(src, batch, 1) == 0);
    must(source_file(src, 0)->packets == packets);
    for (size_t i = 0; i < source_damage_count(src); i++) {
        const struct source_damage *damage = source_damage(src, i);

        must(damage->text && !strchr(damage->text, '\n'));
        must(damage->decompressed || damage->offset <= file_size);
        must(damage->frame == packets + 1);
    }
}

static void check_record(const struct source *src, const struct source_record *rec)
{
    uint32_t sum = 0;

    must(rec->in.captured <= SOURCE_MAX_RECORD);
    must(rec->in.interface < source_interface_count(src));
    must(source_interface(src, rec->in.interface)->linktype == rec->in.linktype);
    for (uint32_t i = 0; i < rec->in.captured; i++)
        sum += rec->in.bytes[i];
    must(sum <= UINT32_MAX);
}

static void must(bool holds)
{
    if (!holds)
        abort();
}
