/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A capture that is compressed and then damaged, so that the damage lies where it matters and not
 * in a checksum. An input is three bytes of choices, four bytes an edit, and the packets: choices:
 * codec and its options, pieces that are compressed each for itself, edits edit:    what, where (in
 * 1/65536 of the file):16, value packet:  size, bytes Without edits every packet comes back. Where
 * the file was only cut, or repeated at its end, what comes back begins as the original does, and a
 * cut inside a piece is damage.
 */
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include "read_back.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 3,
    EDIT = 4,
    CODEC = 0x03, /* 3: as 0 */
    CHECKSUM = 0x04,
    UNKNOWN_SIZE = 0x08,
    SMALL_BLOCKS = 0x10,
    MANY = 0x20, /* the packets come often: more than the reader's blocks hold */
    MANY_BYTES = 3 << 20,
    PIECES_MAX = 4,
    EDITS_MAX = 8,
    PACKETS_MAX = 4096,
    WINDOW_LOG_LEAST = 10, /* of zstd */
};

enum edit {
    EDIT_FLIP,
    EDIT_CUT,
    EDIT_INSERT,
    EDIT_REMOVE,
    EDIT_REPEAT,
    EDIT_COUNT,
};

struct run {
    GByteArray *plain;  /* pcap */
    GByteArray *packed; /* of one or several pieces */
    guint ends[PIECES_MAX];
    guint piece_count;
    size_t at;  /* in `plain`: where the next record is expected */
    bool exact; /* what comes back must be the original */
};

static void le32(GByteArray *to, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24)};

    g_byte_array_append(to, bytes, sizeof bytes);
}

static void write_plain(GByteArray *to, const uint8_t *data, size_t size, bool many)
{
    size_t at = 0;

    le32(to, 0xa1b23c4d);
    le32(to, 0x00040002);
    le32(to, 0);
    le32(to, 0);
    le32(to, 65535);
    le32(to, 1);
    for (uint32_t i = 0; i < PACKETS_MAX && at < size; i++) {
        uint32_t length = data[at++];

        if (length > size - at)
            length = (uint32_t)(size - at);
        le32(to, i);
        le32(to, 0);
        le32(to, length);
        le32(to, length);
        g_byte_array_append(to, data + at, length);
        at += length;
        if (at == size && many && to->len < MANY_BYTES)
            at = 0;
    }
}

static void pack_gz(GByteArray *to, const uint8_t *data, size_t size)
{
    z_stream z = {0};
    size_t before = to->len;

    must(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    g_byte_array_set_size(to, (guint)(before + deflateBound(&z, size)));
    z.next_in = (z_const Bytef *)(uintptr_t)data;
    z.avail_in = (uInt)size;
    z.next_out = to->data + before;
    z.avail_out = (uInt)(to->len - before);
    must(deflate(&z, Z_FINISH) == Z_STREAM_END);
    g_byte_array_set_size(to, (guint)(before + z.total_out));
    deflateEnd(&z);
}

static void pack_zst(GByteArray *to, const uint8_t *data, size_t size, uint8_t choices)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t before = to->len, n;

    must(context != NULL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, (choices & CHECKSUM) != 0);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, (choices & UNKNOWN_SIZE) == 0);
    if ((choices & SMALL_BLOCKS) != 0)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG_LEAST);
    g_byte_array_set_size(to, (guint)(before + ZSTD_compressBound(size)));
    n = ZSTD_compress2(context, to->data + before, to->len - before, data, size);
    must(!ZSTD_isError(n));
    g_byte_array_set_size(to, (guint)(before + n));
    ZSTD_freeCCtx(context);
}

static void pack_lz4(GByteArray *to, const uint8_t *data, size_t size, uint8_t choices)
{
    LZ4F_preferences_t like = {0};
    size_t before = to->len, n;

    like.frameInfo.contentChecksumFlag =
        (choices & CHECKSUM) != 0 ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
    like.frameInfo.contentSize = (choices & UNKNOWN_SIZE) != 0 ? 0 : size;
    like.frameInfo.blockSizeID = (choices & SMALL_BLOCKS) != 0 ? LZ4F_max64KB : LZ4F_max4MB;
    g_byte_array_set_size(to, (guint)(before + LZ4F_compressFrameBound(size, &like)));
    n = LZ4F_compressFrame(to->data + before, to->len - before, data, size, &like);
    must(!LZ4F_isError(n));
    g_byte_array_set_size(to, (guint)(before + n));
}

/* Cuts `plain` into pieces of one size and packs each */
static void pack(struct run *run, uint8_t choices, unsigned pieces)
{
    size_t each = run->plain->len / pieces + 1;

    for (size_t at = 0; at < run->plain->len; at += each) {
        size_t size = MIN(each, run->plain->len - at);

        if ((choices & CODEC) == 1)
            pack_zst(run->packed, run->plain->data + at, size, choices);
        else if ((choices & CODEC) == 2)
            pack_lz4(run->packed, run->plain->data + at, size, choices);
        else
            pack_gz(run->packed, run->plain->data + at, size);
        run->ends[run->piece_count++] = run->packed->len;
    }
}

static void edit(struct run *run, const uint8_t *how)
{
    guint size = run->packed->len;
    guint at = (guint)((uint64_t)(how[1] | (guint)how[2] << 8) * size >> 16);
    guint length = MIN(how[3] + 1u, size - at);
    uint8_t *again;

    if (size == 0)
        return;
    run->exact = run->exact && how[0] % EDIT_COUNT == EDIT_CUT;
    switch ((enum edit)(how[0] % EDIT_COUNT)) {
    case EDIT_FLIP:
        run->packed->data[at] ^= how[3];
        break;
    case EDIT_CUT:
        g_byte_array_set_size(run->packed, at);
        break;
    case EDIT_INSERT:
        g_byte_array_append(run->packed, how, 1);
        memmove(run->packed->data + at + 1, run->packed->data + at, size - at);
        run->packed->data[at] = how[3];
        break;
    case EDIT_REMOVE:
        g_byte_array_remove_range(run->packed, at, length);
        break;
    case EDIT_REPEAT:
        again = g_memdup2(run->packed->data + at, length);
        g_byte_array_append(run->packed, again, length);
        g_free(again);
        break;
    case EDIT_COUNT:
        break;
    }
}

static void record(void *context, const struct source_record *rec)
{
    struct run *run = context;

    if (!run->exact)
        return;
    run->at += 16; /* the record's header */
    must(rec->in.captured <= run->plain->len - run->at);
    must(memcmp(rec->in.bytes, run->plain->data + run->at, rec->in.captured) == 0);
    run->at += rec->in.captured;
}

static bool ends_a_piece(const struct run *run)
{
    for (guint i = 0; i < run->piece_count; i++)
        if (run->ends[i] == run->packed->len)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run run = {.at = 24, .exact = true};
    size_t edits;
    int damages;

    if (size < CHOICES)
        return 0;
    edits = MIN(data[2] % (EDITS_MAX + 1u), (size - CHOICES) / EDIT);
    run.plain = g_byte_array_new();
    run.packed = g_byte_array_new();
    write_plain(run.plain, data + CHOICES + edits * EDIT, size - CHOICES - edits * EDIT,
                (data[0] & MANY) != 0);
    pack(&run, data[0], 1 + data[1] % PIECES_MAX);
    for (size_t i = 0; i < edits; i++)
        edit(&run, data + CHOICES + i * EDIT);
    damages = read_back(run.packed->data, run.packed->len, record, &run);
    if (run.exact && run.packed->len == run.ends[run.piece_count - 1])
        must(damages == 0 && run.at == run.plain->len);
    else if (run.exact && !ends_a_piece(&run))
        must(damages != 0);
    g_byte_array_free(run.plain, TRUE);
    g_byte_array_free(run.packed, TRUE);
    return 0;
}
