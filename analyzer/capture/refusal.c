/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is this file, if it is no capture, and what can be done about it?
 */
#include <string.h>

#include "capture/refusal.h"
#include "capture/stream.h"

enum {
    PCAPNG_HEAD = 12, /* bytes by which a pcapng file is recognised */
};

static const struct known {
    const char *magic;
    size_t size;
    size_t at;
    const char *is;
    const char *advice;
} known[] = {
    {"\xfd"
     "7zXZ",
     5, 0, "is compressed with xz, which is not supported", "decompress it first: xz -dk FILE"},
    {"BZh", 3, 0, "is compressed with bzip2, which is not supported",
     "decompress it first: bzip2 -dk FILE"},
    {"PK\x03\x04", 4, 0, "is a zip archive", "unpack it and name the captures in it"},
    {"\x02\x21\x4c\x18", 4, 0, "is compressed with the legacy lz4 format, which is not supported",
     "decompress it first: lz4 -d FILE"},
    {"\x7f"
     "ELF",
     4, 0, "is a program, not a capture", "name a capture file"},
    {"ustar", 5, 257, "is a tar archive", "unpack it and name the captures in it"},
};

/* gz in gz, by a copy that was compressed again */
static bool is_compressed_twice(const struct source_file *file, const uint8_t *start, size_t size,
                                GError **error)
{
    const struct codec *codec = file->compression ? codec_find(start, size) : NULL;

    if (!codec)
        return false;
    g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                "%s: is compressed twice (%s in %s); decompress it once first", file->name,
                codec->name, file->compression);
    return true;
}

/* The first bytes of a capture are line ends and letters, some of them */
static bool is_beginning(const struct source_file *file, const uint8_t *start, size_t size,
                         GError **error)
{
    static const uint8_t beginnings[][4] = {
        {0x0a, 0x0d, 0x0d, 0x0a},                           /* pcapng */
        {0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1}, /* pcap */
        {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1}, /* with nanoseconds */
    };

    for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
        if (size < 2 || size >= PCAPNG_HEAD || memcmp(start, beginnings[i], MIN(size, 4)) != 0)
            continue;
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: ends inside its %s file header (%zu bytes are there); it was cut short, "
                    "get a whole copy",
                    file->name, i == 0 ? "pcapng" : "pcap", size);
        return true;
    }
    return false;
}

/* No libwiretap format that can hold RDMA is text */
static bool is_text(const uint8_t *start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (start[i] < 0x20 && start[i] != '\n' && start[i] != '\r' && start[i] != '\t')
            return false;
    return size > 0 && g_utf8_validate((const char *)start, (gssize)size, NULL);
}

/* A multi-byte character may be cut at the end of what was looked at */
static bool looks_like_text(const uint8_t *start, size_t size)
{
    size_t look = size < 512 ? size : 512;

    for (size_t cut = 0; cut < 4 && cut < look; cut++)
        if (is_text(start, look - cut))
            return true;
    return false;
}

bool refuse_early(const struct source_file *file, const uint8_t *start, size_t size, GError **error)
{
    if (is_compressed_twice(file, start, size, error))
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (size < known[i].at + known[i].size ||
            memcmp(start + known[i].at, known[i].magic, known[i].size) != 0)
            continue;
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE, "%s: %s; %s", file->name, known[i].is,
                    known[i].advice);
        return true;
    }
    if (is_beginning(file, start, size, error))
        return true;
    if (!looks_like_text(start, size))
        return false;
    g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                "%s: is a text file, not a capture; name a pcap or pcapng file", file->name);
    return true;
}

void refuse_unknown(const struct reader *probe, GError **error)
{
    const uint8_t *p = window_bytes(&probe->window);
    size_t size = window_left(&probe->window);
    GString *bytes = g_string_new(NULL);

    if (probe->window.stream->why && size < 4) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: %s (at byte %" G_GUINT64_FORMAT ")", probe->name,
                    probe->window.stream->why, probe->window.stream->why_offset);
    } else if (size == 0) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: is empty once it is decompressed (%s); was the capture stopped before "
                    "anything was written?",
                    probe->name, probe->file->compression);
    } else if (!refuse_early(probe->file, p, size, error)) {
        for (size_t i = 0; i < size && i < 8; i++)
            g_string_append_printf(bytes, " %02x", p[i]);
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: is no capture of a known format (it begins with the bytes%s); %s",
                    probe->name, bytes->str,
                    probe->reopenable ? wiretap_advice()
                                      : "from a pipe only pcap and pcapng are read; save other "
                                        "formats to a file first");
    }
    g_string_free(bytes, TRUE);
}
