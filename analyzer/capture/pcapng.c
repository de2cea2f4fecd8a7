/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pcapng format (draft-ietf-opsawg-pcapng): the chain of blocks, and packets in them. What
 * sections, interfaces and statistics say is read in pcapng_meta.c; every other block is skipped.
 *
 * Block:                   type:32  total:32  body, padded to 32 bits  total:32
 * Enhanced packet (6):     interface:32 ticks_high:32 ticks_low:32 captured:32 wire:32 bytes
 * options Obsolete packet (2):     interface:16 drops:16, then as above Simple packet (3): wire:32
 * bytes
 */
#include "capture/pcapng.h"

enum block_type {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET_OBSOLETE = 2,
    BLOCK_PACKET_SIMPLE = 3,
    BLOCK_STATISTICS = 5,
    BLOCK_PACKET_ENHANCED = 6,
    BLOCK_SECTION = 0x0a0d0d0a,
};

enum {
    PACKET_FIXED = 28, /* block header and fixed fields before the bytes */
    PACKET_FIXED_SIMPLE = 12,
    OPTION_FLAGS = 2,
    OPTION_DROPS = 4,
    DROPS_UNKNOWN = 0xffff, /* of the obsolete block */
};

static size_t batch(struct pcapng *ng, struct source_record *out, size_t max, bool big);
static const uint8_t *next_block(struct pcapng *ng, size_t count, bool big, size_t *size);
static bool need(struct pcapng *ng, size_t count, const char *what, size_t size);
static bool section_order(struct pcapng *ng, const uint8_t *block, bool *big);
static bool other_block(struct pcapng *ng, uint32_t type, const uint8_t *block, size_t size);
static bool read_packet(struct pcapng *ng, const uint8_t *b, size_t size, bool big, bool obsolete,
                        struct source_record *out);
static bool read_simple(struct pcapng *ng, const uint8_t *b, size_t size,
                        struct source_record *out);
static void read_options(struct pcapng *ng, struct source_record *rec, const uint8_t *at,
                         size_t left, struct source_interface *face);
static void look_ahead(struct pcapng *ng, const uint8_t *at);
static bool no_interface(struct pcapng *ng, uint32_t id);
static void note_odd(struct pcapng *ng, bool length);

static bool pcapng_matches(const uint8_t *start, size_t size)
{
    return size >= 12 && rdc_be32(start) == BLOCK_SECTION &&
           (rdc_be32(start + 8) == 0x1a2b3c4d || rdc_le32(start + 8) == 0x1a2b3c4d);
}

static bool pcapng_begin(struct reader *r, GError **error)
{
    struct pcapng *ng = (struct pcapng *)r;
    const uint8_t *block;
    size_t size;

    ng->faces = g_array_new(FALSE, FALSE, sizeof(struct pcapng_face));
    r->file->sections = 0;
    block = next_block(ng, 0, false, &size);
    if (block && pcapng_section(ng, block, size)) {
        r->window.at += size;
        r->file->big_endian = ng->big;
        return true;
    }
    g_set_error_literal(error, SOURCE_ERROR, SOURCE_ERROR_FILE, r->damage.text);
    return false;
}

static size_t pcapng_next(struct reader *r, struct source_record *out, size_t max)
{
    struct pcapng *ng = (struct pcapng *)r;
    size_t n;
    bool big;

    do {
        big = ng->big;
        n = big ? batch(ng, out, max, true) : batch(ng, out, max, false);
    } while (n == 0 && big != ng->big); /* a section of the other byte order began */
    return n;
}

static void pcapng_end(struct reader *r)
{
    struct pcapng *ng = (struct pcapng *)r;

    if (ng->faces)
        g_array_free(ng->faces, TRUE);
}

const struct format format_pcapng = {"pcapng",     sizeof(struct pcapng), pcapng_matches,
                                     pcapng_begin, pcapng_next,           pcapng_end};

static inline __attribute__((always_inline)) size_t
batch(struct pcapng *ng, struct source_record *out, size_t max, bool big)
{
    size_t n = 0;

    while (n < max && big == ng->big) {
        size_t size;
        const uint8_t *block = next_block(ng, n, big, &size);
        uint32_t type;
        bool packet, good;

        if (!block)
            break;
        type = pcapng_u32(block, big);
        packet = type == BLOCK_PACKET_ENHANCED || type == BLOCK_PACKET_OBSOLETE ||
                 type == BLOCK_PACKET_SIMPLE;
        if (type == BLOCK_PACKET_ENHANCED)
            good = read_packet(ng, block, size, big, false, &out[n]);
        else if (type == BLOCK_PACKET_OBSOLETE)
            good = read_packet(ng, block, size, big, true, &out[n]);
        else if (type == BLOCK_PACKET_SIMPLE)
            good = read_simple(ng, block, size, &out[n]);
        else
            good = other_block(ng, type, block, size);
        if (!good)
            break;
        ng->r.window.at += size;
        n += packet;
    }
    return n;
}

/* The block that comes next, whole and with equal lengths at both ends; NULL at the end, at damage,
 * or when `count` records of this batch still point into the window. */
static inline __attribute__((always_inline)) const uint8_t *
next_block(struct pcapng *ng, size_t count, bool big, size_t *size)
{
    struct window *w = &ng->r.window;
    const uint8_t *b;
    uint32_t total;

    if (window_left(w) < PCAPNG_MIN_BLOCK &&
        !need(ng, count, "the header of a block", PCAPNG_MIN_BLOCK))
        return NULL;
    b = window_bytes(w);
    if (rdc_be32(b) == BLOCK_SECTION && !section_order(ng, b, &big))
        return NULL;
    total = pcapng_u32(b + 4, big);
    if (total < PCAPNG_MIN_BLOCK || total % 4 != 0 || total > SOURCE_MAX_RECORD) {
        reader_damage(&ng->r, window_offset(w),
                      "a block of type 0x%08x has the impossible length %u", pcapng_u32(b, big),
                      total);
        return NULL;
    }
    if (window_left(w) < total) {
        if (!need(ng, count, "a block", total))
            return NULL;
        b = window_bytes(w);
    }
    if (pcapng_u32(b + total - 4, big) != total) {
        reader_damage(&ng->r, window_offset(w),
                      "a block of type 0x%08x has the length %u at its start and %u at its end",
                      pcapng_u32(b, big), total, pcapng_u32(b + total - 4, big));
        return NULL;
    }
    *size = total;
    return b;
}

/* Gets `size` bytes into the window, but never while records of this batch point into it. Notes
 * damage when the file ends before. */
static bool need(struct pcapng *ng, size_t count, const char *what, size_t size)
{
    struct window *w = &ng->r.window;

    if (count > 0)
        return false;
    if (window_fill(w, size))
        return true;
    if (window_left(w) > 0 || w->stream->why)
        reader_damage_cut(&ng->r, what, size);
    return false;
}

/* A section's byte order holds for the length of its own header block already */
static bool section_order(struct pcapng *ng, const uint8_t *block, bool *big)
{
    uint32_t magic = rdc_be32(block + 8);

    *big = magic == 0x1a2b3c4d;
    if (*big || magic == 0x4d3c2b1a)
        return true;
    reader_damage(&ng->r, window_offset(&ng->r.window),
                  "a section header has the byte-order magic 0x%08x, which is none", magic);
    return false;
}

static bool other_block(struct pcapng *ng, uint32_t type, const uint8_t *block, size_t size)
{
    if (type == BLOCK_SECTION)
        return pcapng_section(ng, block, size);
    if (type == BLOCK_INTERFACE)
        return pcapng_interface(ng, block, size);
    if (type == BLOCK_STATISTICS)
        pcapng_statistics(ng, block, size);
    return true;
}

static inline __attribute__((always_inline)) bool read_packet(struct pcapng *ng, const uint8_t *b,
                                                              size_t size, bool big, bool obsolete,
                                                              struct source_record *out)
{
    const struct pcapng_face *face;
    uint32_t id, captured;
    uint64_t ticks;
    size_t used;

    if (size < PACKET_FIXED + 4) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a packet block of %zu bytes is too short for its fields", size);
        return false;
    }
    id = obsolete ? pcapng_u16(b + 8, big) : pcapng_u32(b + 8, big);
    captured = pcapng_u32(b + 20, big);
    if (id >= ng->faces->len)
        return no_interface(ng, id);
    if (captured > size - PACKET_FIXED - 4) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a packet claims %u captured bytes in a block of %zu", captured, size);
        return false;
    }
    face = &g_array_index(ng->faces, struct pcapng_face, id);
    ticks = (uint64_t)pcapng_u32(b + 12, big) << 32 | pcapng_u32(b + 16, big);
    ng->last_ns = ticks_to_ns(&face->ticks, ticks);
    *out = (struct source_record){
        .in = {.bytes = b + PACKET_FIXED,
               .captured = captured,
               .wire = pcapng_u32(b + 24, big),
               .linktype = face->linktype,
               .interface = ng->section_first + id,
               .time_ns = ng->last_ns,
               .fcs_size = face->fcs_size},
        .frame = ++ng->r.frames,
        .file = ng->r.file_index,
    };
    if (obsolete && pcapng_u16(b + 10, big) != DROPS_UNKNOWN) {
        out->drops = pcapng_u16(b + 10, big);
        face->known->packet_drops = source_sum(face->known->packet_drops, out->drops);
    }
    if (G_UNLIKELY((captured > out->in.wire) | oddity_is_time(ng->last_ns)))
        note_odd(ng, captured > out->in.wire);
    used = PACKET_FIXED + (((size_t)captured + 3) & ~(size_t)3);
    if (size - 4 >= used + 4)
        read_options(ng, out, b + used, size - 4 - used, face->known);
    return true;
}

/* A simple packet block has neither interface nor time: it is of the section's first interface, and
 * how much of it was captured follows from the snap length. */
static bool read_simple(struct pcapng *ng, const uint8_t *b, size_t size, struct source_record *out)
{
    const struct pcapng_face *face;
    uint32_t wire, captured;

    if (size < PACKET_FIXED_SIMPLE + 4 || ng->faces->len == 0) {
        if (ng->faces->len == 0)
            return no_interface(ng, 0);
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a simple packet block of %zu bytes is too short for its fields", size);
        return false;
    }
    face = &g_array_index(ng->faces, struct pcapng_face, 0);
    wire = pcapng_u32(b + PCAPNG_BODY, ng->big);
    captured = face->snaplen > 0 ? MIN(wire, face->snaplen) : wire;
    if (captured > size - PACKET_FIXED_SIMPLE - 4) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a simple packet of %u captured bytes is in a block of %zu", captured, size);
        return false;
    }
    if (ng->r.frames == 0)
        look_ahead(ng, b);
    *out = (struct source_record){
        .in = {.bytes = b + PACKET_FIXED_SIMPLE,
               .captured = captured,
               .wire = wire,
               .linktype = face->linktype,
               .interface = ng->section_first,
               .time_ns = ng->last_ns,
               .fcs_size = face->fcs_size},
        .frame = ++ng->r.frames,
        .file = ng->r.file_index,
        .untimed = true,
    };
    return true;
}

/* Packets at the start that have no time are as old as the first one that has: taken for those of
 * 1970, they would make all that is computed from times absurd. Looks into what is read already. */
static void look_ahead(struct pcapng *ng, const uint8_t *at)
{
    const uint8_t *end = ng->r.window.base + ng->r.window.end;

    while ((size_t)(end - at) >= PACKET_FIXED) {
        uint32_t type = pcapng_u32(at, ng->big), total = pcapng_u32(at + 4, ng->big);
        bool enhanced = type == BLOCK_PACKET_ENHANCED;

        if (enhanced || type == BLOCK_PACKET_OBSOLETE) {
            uint32_t id = enhanced ? pcapng_u32(at + 8, ng->big) : pcapng_u16(at + 8, ng->big);
            uint64_t ticks =
                (uint64_t)pcapng_u32(at + 12, ng->big) << 32 | pcapng_u32(at + 16, ng->big);

            if (id < ng->faces->len)
                ng->last_ns =
                    ticks_to_ns(&g_array_index(ng->faces, struct pcapng_face, id).ticks, ticks);
            return;
        }
        if (type == BLOCK_SECTION || total < PCAPNG_MIN_BLOCK || total % 4 != 0 ||
            total > (size_t)(end - at))
            return;
        at += total;
    }
}

/* Options of a packet: direction and FCS length (flags), drop count. Broken ones end the list: the
 * packet itself is sound. */
static void read_options(struct pcapng *ng, struct source_record *rec, const uint8_t *at,
                         size_t left, struct source_interface *face)
{
    struct pcapng_option option;
    bool broken = false, big = ng->big;

    while (pcapng_option_next(&at, &left, big, &option, &broken)) {
        if (option.code == OPTION_FLAGS && option.size == 4) {
            uint32_t flags = pcapng_u32(option.value, big);

            if ((flags & 3) == 1 || (flags & 3) == 2)
                rec->direction = (uint8_t)(flags & 3);
            if ((flags >> 5 & 0xf) != 0)
                rec->in.fcs_size = (int8_t)(flags >> 5 & 0xf);
        } else if (option.code == OPTION_DROPS && option.size == 8) {
            uint64_t drops = pcapng_u64(option.value, big);

            face->packet_drops = source_sum(face->packet_drops, drops);
            rec->drops = (uint32_t)MIN(drops, UINT32_MAX);
        } else {
            broken |= option.code == OPTION_FLAGS || option.code == OPTION_DROPS;
        }
    }
    if (broken)
        oddities_note(&ng->r.odd, ODDITY_OPTION, ng->r.frames, window_offset(&ng->r.window));
}

static bool no_interface(struct pcapng *ng, uint32_t id)
{
    reader_damage(&ng->r, window_offset(&ng->r.window),
                  "a packet is of interface %u, but the section describes only %u", id,
                  ng->faces->len);
    return false;
}

/* Of the block at the window */
static void note_odd(struct pcapng *ng, bool length)
{
    uint64_t offset = window_offset(&ng->r.window);

    if (length)
        oddities_note(&ng->r.odd, ODDITY_LENGTH, ng->r.frames, offset);
    if (oddity_is_time(ng->last_ns))
        oddities_note(&ng->r.odd, ODDITY_TIME, ng->r.frames, offset);
}
