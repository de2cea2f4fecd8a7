/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pcap format (draft-ietf-opsawg-pcap): either byte order, microseconds or nanoseconds, the
 * modified form of 1998 with longer record headers, the length fields of old versions.
 *
 * File header:
 *   magic:32  major:16 minor:16  zone:32  sigfigs:32  snaplen:32  fcs_len:4 r:1 has_fcs:1 r:10
 *   link_type:16
 * Record header:
 *   seconds:32  fraction:32  captured:32  wire:32 [interface:32 protocol:16 packet_type:8 pad:8]
 */
#include "capture/reader.h"
#include "rdc/wire.h"

enum {
    PCAP_HEADER = 24,
    PCAP_RECORD = 16,
    PCAP_RECORD_MODIFIED = 24,
    AHEAD = 4, /* records */
};

enum length_order {
    LENGTHS_AS_NOW,
    LENGTHS_SWAPPED, /* versions before 2.3: wire length first */
    LENGTHS_EITHER,  /* version 2.3: some writers swapped them */
};

struct pcap {
    struct reader r;
    bool big;
    bool modified;
    uint8_t lengths; /* enum length_order */
    int8_t fcs_size;
    uint32_t tick_ns;
    uint32_t ticks_per_s;
    uint32_t linktype;
    uint32_t largest; /* captured length that is believed */
    struct source_interface *face;
};

struct variant {
    uint32_t magic;
    uint32_t tick_ns;
    bool modified;
};

static const struct variant variants[] = {
    {0xa1b2c3d4, 1000, false},
    {0xa1b23c4d, 1, false},
    {0xa1b2cd34, 1000, true},
};

static const struct variant *find_variant(const uint8_t *start, bool *big);
static bool is_file_header(const uint8_t *h);
static void set_link(struct pcap *p, uint32_t word);
static bool add_interface(struct pcap *p, uint32_t snaplen);
static size_t take(struct pcap *p, struct source_record *out, size_t max, bool big);
static bool fill(struct pcap *p);
static bool need(struct pcap *p, const char *what, size_t size);
static void joined(struct pcap *p);
static void too_long(struct pcap *p, uint32_t captured);
static uint8_t direction_of(uint8_t packet_type);
static void note_odd(struct pcap *p, const struct source_record *rec, uint64_t offset,
                     uint32_t fraction);

static inline uint32_t get32(const uint8_t *p, bool big)
{
    return big ? rdc_be32(p) : rdc_le32(p);
}

static bool pcap_matches(const uint8_t *start, size_t size)
{
    bool big;

    return size >= 4 && find_variant(start, &big) != NULL;
}

static bool pcap_begin(struct reader *r, GError **error)
{
    struct pcap *p = (struct pcap *)r;
    const uint8_t *h;
    const struct variant *v;
    uint16_t major, minor;

    if (!window_fill(&r->window, PCAP_HEADER)) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: ends inside its pcap file header (%zu of %d bytes are there); it was cut "
                    "short, get a whole copy",
                    r->name, window_left(&r->window), PCAP_HEADER);
        return false;
    }
    h = window_bytes(&r->window);
    v = find_variant(h, &p->big);
    major = p->big ? rdc_be16(h + 4) : rdc_le16(h + 4);
    minor = p->big ? rdc_be16(h + 6) : rdc_le16(h + 6);
    if (major != 2 && major != 543) { /* 543: some old writers, as libpcap knows */
        g_set_error(
            error, SOURCE_ERROR, SOURCE_ERROR_FILE,
            "%s: is a pcap file of version %u.%u, which is not known (byte 4); only version "
            "2 is read",
            r->name, major, minor);
        return false;
    }
    p->lengths = LENGTHS_AS_NOW;
    if (major == 2 && minor < 3)
        p->lengths = LENGTHS_SWAPPED;
    else if (major == 2 && minor == 3)
        p->lengths = LENGTHS_EITHER;
    p->tick_ns = v->tick_ns;
    p->ticks_per_s = 1000000000 / v->tick_ns;
    p->modified = v->modified;
    r->file->big_endian = p->big;
    set_link(p, get32(h + 20, p->big));
    if (!add_interface(p, get32(h + 16, p->big))) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE, "%s: there is no memory to read it",
                    r->name);
        return false;
    }
    r->window.at += PCAP_HEADER;
    return true;
}

static size_t pcap_next(struct reader *r, struct source_record *out, size_t max)
{
    struct pcap *p = (struct pcap *)r;

    size_t n = p->big ? take(p, out, max, true) : take(p, out, max, false);

    if (n == 0 && fill(p)) /* never while records of a batch point into the window */
        n = p->big ? take(p, out, max, true) : take(p, out, max, false);
    return n;
}

const struct format format_pcap = {"pcap",     sizeof(struct pcap), pcap_matches,
                                   pcap_begin, pcap_next,           NULL};

static const struct variant *find_variant(const uint8_t *start, bool *big)
{
    for (size_t i = 0; i < G_N_ELEMENTS(variants); i++) {
        *big = rdc_be32(start) == variants[i].magic;
        if (*big || rdc_le32(start) == variants[i].magic)
            return &variants[i];
    }
    return NULL;
}

/* Of version 2.4, as all writers of today have it. A packet would have to be of a certain
 * microsecond of the year 2055 to look like it. */
static bool is_file_header(const uint8_t *h)
{
    bool big;

    return find_variant(h, &big) != NULL && get32(h + 4, big) == (big ? 0x00020004 : 0x00040002);
}

/* The link type's word also says how many 16-bit words of FCS each packet ends with, if bit 26 is
 * set */
static void set_link(struct pcap *p, uint32_t word)
{
    p->linktype = word & 0x03ffffff;
    p->fcs_size = word & 0x04000000 ? (int8_t)(2 * (word >> 28)) : -1;
}

static bool add_interface(struct pcap *p, uint32_t snaplen)
{
    p->face = reader_add_interface(&p->r);
    if (!p->face)
        return false;
    p->face->linktype = p->linktype;
    p->face->snaplen = snaplen;
    p->face->fcs_size = p->fcs_size;
    p->face->ts_exponent = p->tick_ns == 1 ? 9 : 6;
    p->largest = MIN(MAX(snaplen, SOURCE_USUAL_RECORD), SOURCE_MAX_RECORD);
    return true;
}

/* Captured and wire size of the record at `h`, in whichever order the file has them */
static inline void get_sizes(const struct pcap *p, const uint8_t *h, bool big, uint32_t *captured,
                             uint32_t *wire)
{
    uint32_t first = get32(h + 8, big), second = get32(h + 12, big);
    bool swapped =
        p->lengths == LENGTHS_SWAPPED || (p->lengths == LENGTHS_EITHER && first > second);

    *captured = swapped ? second : first;
    *wire = swapped ? first : second;
}

/* Whether the record at `h` is another file's header. That has its time zone, mostly 0, where a
 * record has its captured size, and 0 for the wire size. */
static inline bool begins_file(const uint8_t *h, uint32_t captured, uint32_t wire)
{
    return G_UNLIKELY((captured == 0) | (captured > wire)) && is_file_header(h);
}

/* The records that lie in the window as a whole, up to one that is not believed. Mostly those that
 * follow are as long: the header of one is asked for before its turn. */
static inline __attribute__((always_inline)) size_t take(struct pcap *p, struct source_record *out,
                                                         size_t max, bool big)
{
    const struct pcap at_hand = *p; /* its members can't change below */
    const size_t header = at_hand.modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD;
    const uint8_t *const begin = window_bytes(&at_hand.r.window);
    const uint8_t *const end = begin + window_left(&at_hand.r.window);
    const uint8_t *h = begin;
    size_t n = 0;

    while (n < max && (size_t)(end - h) >= header) {
        struct source_record *rec = &out[n];
        uint32_t captured, wire, fraction = get32(h + 4, big);

        get_sizes(&at_hand, h, big, &captured, &wire);
        if (captured > at_hand.largest || (size_t)(end - h) - header < captured)
            break;
        if (begins_file(h, captured, wire))
            break;
        __builtin_prefetch(h + AHEAD * (header + captured));
        rec->in.bytes = h + header;
        rec->in.captured = captured;
        rec->in.wire = wire;
        rec->in.linktype = at_hand.linktype;
        rec->in.interface = 0;
        rec->in.time_ns = (int64_t)get32(h, big) * 1000000000 + (int64_t)fraction * at_hand.tick_ns;
        rec->in.fcs_size = at_hand.fcs_size;
        rec->frame = at_hand.r.frames + ++n;
        rec->file = at_hand.r.file_index;
        rec->drops = 0;
        rec->direction = at_hand.modified ? direction_of(h[22]) : SOURCE_DIRECTION_UNKNOWN;
        rec->untimed = false;
        if (G_UNLIKELY((captured > wire) | (fraction >= at_hand.ticks_per_s)))
            note_odd(p, rec, window_offset(&at_hand.r.window) + (uint64_t)(h - begin), fraction);
        h += header + captured;
    }
    p->r.frames += n;
    p->r.window.at += (size_t)(h - begin);
    return n;
}

/* Gets the next record into the window as a whole. Notes damage when the file ends before, when
 * another file begins there, or when the record's size is not believed. */
static bool fill(struct pcap *p)
{
    const size_t header = p->modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD;
    uint32_t captured, wire;

    if (!need(p, "the header of a record", header))
        return false;
    get_sizes(p, window_bytes(&p->r.window), p->big, &captured, &wire);
    if (begins_file(window_bytes(&p->r.window), captured, wire)) {
        joined(p);
        return false;
    }
    if (captured <= p->largest)
        return need(p, "a record", header + captured);
    too_long(p, captured);
    return false;
}

static bool need(struct pcap *p, const char *what, size_t size)
{
    struct window *w = &p->r.window;

    if (window_fill(w, size))
        return true;
    if (window_left(w) > 0 || w->stream->why)
        reader_damage_cut(&p->r, what, size);
    return false;
}

static void joined(struct pcap *p)
{
    reader_damage(&p->r, window_offset(&p->r.window),
                  "the header of another pcap file stands where a record should: files were "
                  "joined as they are; merge them (mergecap) or pass them one by one");
}

static void too_long(struct pcap *p, uint32_t captured)
{
    reader_damage(&p->r, window_offset(&p->r.window),
                  "a record claims %u captured bytes, absurd for a snap length of %u", captured,
                  p->face->snaplen);
}

static void note_odd(struct pcap *p, const struct source_record *rec, uint64_t offset,
                     uint32_t fraction)
{
    if (rec->in.captured > rec->in.wire)
        oddities_note(&p->r.odd, ODDITY_LENGTH, rec->frame, offset);
    if (fraction >= p->ticks_per_s)
        oddities_note(&p->r.odd, ODDITY_FRACTION, rec->frame, offset);
}

/* Of the modified form: PACKET_* of Linux's if_packet.h */
static uint8_t direction_of(uint8_t packet_type)
{
    if (packet_type == 4)
        return SOURCE_DIRECTION_OUT;
    return packet_type < 3 ? SOURCE_DIRECTION_IN : SOURCE_DIRECTION_UNKNOWN;
}
