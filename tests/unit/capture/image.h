/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tests of capture sources share: building capture files byte by byte in either byte
 * order, and reading one back whole.
 */
#ifndef UNIT_CAPTURE_IMAGE_H
#define UNIT_CAPTURE_IMAGE_H

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/source.h"
#include "support.h"

/* A capture file in the making. Zero it, set `big`, release with image_done. */
struct image {
    GByteArray *bytes;
    bool big;
};

static inline void image_put(struct image *im, const void *bytes, size_t size)
{
    if (!im->bytes)
        im->bytes = g_byte_array_new();
    if (size > 0)
        g_byte_array_append(im->bytes, bytes, (guint)size);
}

static inline void image_number(struct image *im, uint64_t value, unsigned size)
{
    uint8_t byte;

    for (unsigned i = 0; i < size; i++) {
        byte = (uint8_t)(value >> 8 * (im->big ? size - 1 - i : i));
        image_put(im, &byte, 1);
    }
}

static inline void image_16(struct image *im, uint16_t value)
{
    image_number(im, value, 2);
}

static inline void image_32(struct image *im, uint32_t value)
{
    image_number(im, value, 4);
}

static inline void image_64(struct image *im, uint64_t value)
{
    image_number(im, value, 8);
}

static inline void image_pad(struct image *im)
{
    while (im->bytes->len % 4 != 0)
        image_put(im, "", 1);
}

static inline size_t image_size(const struct image *im)
{
    return im->bytes ? im->bytes->len : 0;
}

static inline void image_done(struct image *im)
{
    if (im->bytes)
        g_byte_array_free(im->bytes, TRUE);
    im->bytes = NULL;
}

/* pcap */

enum {
    PCAP_US = 0xa1b2c3d4 - 0x80000000, /* enums are ints: the top bit is added back */
    PCAP_NS = 0xa1b23c4d - 0x80000000,
    PCAP_MODIFIED = 0xa1b2cd34 - 0x80000000,
};

static inline void image_pcap(struct image *im, uint32_t magic, uint32_t snaplen, uint32_t link)
{
    image_32(im, magic | 0x80000000);
    image_16(im, 2);
    image_16(im, 4);
    image_64(im, 0);
    image_32(im, snaplen);
    image_32(im, link);
}

static inline void image_pcap_record(struct image *im, uint32_t seconds, uint32_t fraction,
                                     const char *bytes, uint32_t wire)
{
    image_32(im, seconds);
    image_32(im, fraction);
    image_32(im, (uint32_t)strlen(bytes));
    image_32(im, wire);
    image_put(im, bytes, strlen(bytes));
}

/* pcapng. A block: the number that image_begin returned goes to image_end. */

static inline size_t image_begin(struct image *im, uint32_t type)
{
    size_t start = image_size(im);

    image_32(im, type);
    image_32(im, 0);
    return start;
}

static inline void image_end(struct image *im, size_t start)
{
    struct image length = {.big = im->big};

    image_pad(im);
    image_32(&length, (uint32_t)(image_size(im) + 4 - start));
    image_put(im, length.bytes->data, 4);
    memcpy(im->bytes->data + start + 4, length.bytes->data, 4);
    image_done(&length);
}

static inline void image_option(struct image *im, uint16_t code, const void *value, uint16_t size)
{
    image_16(im, code);
    image_16(im, size);
    image_put(im, value, size);
    image_pad(im);
}

static inline void image_option_64(struct image *im, uint16_t code, uint64_t value)
{
    image_16(im, code);
    image_16(im, 8);
    image_64(im, value);
}

static inline void image_section(struct image *im, bool big)
{
    size_t start;

    im->big = big;
    start = image_begin(im, 0x0a0d0d0a);
    image_32(im, 0x1a2b3c4d);
    image_16(im, 1);
    image_16(im, 0);
    image_64(im, UINT64_MAX);
    image_end(im, start);
}

/* The block is left open for options */
static inline size_t image_interface(struct image *im, uint16_t link, uint32_t snaplen)
{
    size_t start = image_begin(im, 1);

    image_16(im, link);
    image_16(im, 0);
    image_32(im, snaplen);
    return start;
}

static inline void image_plain_interface(struct image *im, uint16_t link, uint32_t snaplen)
{
    image_end(im, image_interface(im, link, snaplen));
}

/* The block is left open for options */
static inline size_t image_packet(struct image *im, uint32_t interface, uint64_t ticks,
                                  const char *bytes, uint32_t wire)
{
    size_t start = image_begin(im, 6);

    image_32(im, interface);
    image_32(im, (uint32_t)(ticks >> 32));
    image_32(im, (uint32_t)ticks);
    image_32(im, (uint32_t)strlen(bytes));
    image_32(im, wire);
    image_put(im, bytes, strlen(bytes));
    image_pad(im);
    return start;
}

static inline void image_plain_packet(struct image *im, uint32_t interface, uint64_t ticks,
                                      const char *bytes)
{
    image_end(im, image_packet(im, interface, ticks, bytes, (uint32_t)strlen(bytes)));
}

/* Writes bytes to a new file; g_free and unlink the path. */
static inline char *image_file(const void *bytes, size_t size)
{
    char *path = NULL;
    int fd = g_file_open_tmp("capture-XXXXXX", &path, NULL);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    return path;
}

static inline void image_remove(char *path)
{
    unlink(path);
    g_free(path);
}

/* Everything that a source yields */
enum {
    READING_MAX = 64,
};

struct reading {
    struct source *source; /* at its end, or NULL */
    GError *error;
    size_t count;
    struct source_record records[READING_MAX]; /* in.bytes: copies */
};

static inline void reading_from(struct reading *rd, const char *const *paths, size_t count,
                                const struct source_options *options, size_t batch)
{
    struct source_record out[READING_MAX];
    size_t n;

    memset(rd, 0, sizeof *rd);
    rd->source = source_open(paths, count, options, &rd->error);
    assert_true((rd->source == NULL) == (rd->error != NULL));
    while (rd->source && (n = source_next(rd->source, out, batch)) > 0)
        for (size_t i = 0; i < n; i++) {
            assert_true(rd->count < READING_MAX);
            rd->records[rd->count] = out[i];
            rd->records[rd->count++].in.bytes = support_copy(out[i].in.bytes, out[i].in.captured);
        }
}

/* Of one file that holds `bytes` */
static inline void reading_of(struct reading *rd, const void *bytes, size_t size)
{
    char *path = image_file(bytes, size);
    const char *const paths[] = {path};

    reading_from(rd, paths, 1, NULL, READING_MAX);
    image_remove(path);
}

static inline void reading_done(struct reading *rd)
{
    for (size_t i = 0; i < rd->count; i++)
        support_free((uint8_t *)(uintptr_t)rd->records[i].in.bytes, rd->records[i].in.captured);
    g_clear_error(&rd->error);
    source_close(rd->source);
    rd->source = NULL;
}

static inline void assert_record(const struct reading *rd, size_t i, const char *bytes,
                                 uint32_t wire, int64_t time_ns)
{
    const struct source_record *rec = &rd->records[i];

    assert_true(i < rd->count);
    assert_int_equal(rec->in.captured, strlen(bytes));
    assert_memory_equal(rec->in.bytes, bytes, strlen(bytes));
    assert_int_equal(rec->in.wire, wire);
    assert_true(rec->in.time_ns == time_ns);
}

#endif
