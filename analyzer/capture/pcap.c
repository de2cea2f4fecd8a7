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

/* Of a packet, in bytes */
struct sizes {
    uint32_t captured;
    uint32_t wire;
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
static size_t take_all(struct pcap *p, struct source_record *out, size_t max);
static bool take_odd(struct pcap *p, struct source_record *out);
static bool fill(struct pcap *p);
static bool need(struct pcap *p, const char *what, size_t size);
static void joined(struct pcap *p);
static void too_long(struct pcap *p, uint32_t captured);
static uint8_t direction_of(uint8_t packet_type);

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

    size_t n = take_all(p, out, max);

    if (n == 0 && fill(p)) /* never while records of a batch point into the window */
        n = take_all(p, out, max);
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

/* Of the record at `h`, in whichever order the file has them */
static inline struct sizes get_sizes(enum length_order order, const uint8_t *h, bool big)
{
    uint32_t first = get32(h + 8, big), second = get32(h + 12, big);
    bool swapped = order == LENGTHS_SWAPPED || (order == LENGTHS_EITHER && first > second);

    return swapped ? (struct sizes){second, first} : (struct sizes){first, second};
}

/* Nothing was captured, or more than there was: in one comparison, as it is made for every packet
 */
static inline bool is_odd(struct sizes sizes)
{
    return sizes.captured - 1 >= sizes.wire;
}

/* Whether the record at `h` is another file's header. That has its time zone, mostly 0, where a
 * record has its captured size, and 0 for the wire size. */
static bool begins_file(const uint8_t *h, struct sizes sizes)
{
    return is_odd(sizes) && is_file_header(h);
}

/* What the record at `h` says. Member by member: a literal would be cleared first. */
static inline __attribute__((always_inline)) void set_record(const struct pcap *p, const uint8_t *h,
                                                             struct sizes sizes, bool big,
                                                             bool modified,
                                                             struct source_record *out)
{
    uint32_t fraction = get32(h + 4, big);

    out->in.bytes = h + (modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD);
    out->in.captured = sizes.captured;
    out->in.wire = sizes.wire;
    out->in.linktype = p->linktype;
    out->in.interface = 0;
    out->in.time_ns = (int64_t)get32(h, big) * 1000000000 + (int64_t)fraction * p->tick_ns;
    out->in.fcs_size = p->fcs_size;
    out->file = p->r.file_index;
    out->drops = 0;
    out->direction = modified ? direction_of(h[22]) : SOURCE_DIRECTION_UNKNOWN;
    out->untimed = false;
}

/* The records that lie in the window as a whole, up to one that is odd or not believed. Mostly
 * those that follow are as long: the header of one is asked for before its turn. */
static inline __attribute__((always_inline)) size_t take(struct pcap *p, struct source_record *out,
                                                         size_t max, bool big, bool modified,
                                                         enum length_order order)
{
    const struct pcap at_hand = *p; /* its members can't change below */
    const size_t header = modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD;
    const struct source_record *const end = out + max;
    const uint8_t *h = window_bytes(&at_hand.r.window), *last;
    uint64_t frame = at_hand.r.frames;

    if (window_left(&at_hand.r.window) < header)
        return 0;
    last = h + window_left(&at_hand.r.window) - header;
    for (; out < end && h <= last; out++) {
        const struct sizes sizes = get_sizes(order, h, big);

        if (sizes.captured > at_hand.largest || sizes.captured > (size_t)(last - h) ||
            is_odd(sizes) || get32(h + 4, big) >= at_hand.ticks_per_s)
            break;
        set_record(&at_hand, h, sizes, big, modified, out);
        out->frame = ++frame;
        h += header + sizes.captured;
        __builtin_prefetch(h + (AHEAD - 1) * (header + sizes.captured));
    }
    p->r.window.at += (size_t)(h - window_bytes(&at_hand.r.window));
    p->r.frames = frame;
    return (size_t)(frame - at_hand.r.frames);
}

static size_t take_all(struct pcap *p, struct source_record *out, size_t max)
{
    size_t n = 0;

    do {
        if (p->big || p->modified || p->lengths != LENGTHS_AS_NOW)
            n += take(p, out + n, max - n, p->big, p->modified, p->lengths);
        else
            n += take(p, out + n, max - n, false, false, LENGTHS_AS_NOW);
    } while (n < max && take_odd(p, out + n) && ++n < max);
    return n;
}

/* The record at hand, whatever it says, and notes that. False: it is not whole or not believed. */
static bool take_odd(struct pcap *p, struct source_record *out)
{
    const size_t header = p->modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD;
    const uint8_t *h = window_bytes(&p->r.window);
    uint64_t offset = window_offset(&p->r.window);
    struct sizes sizes;

    if (window_left(&p->r.window) < header)
        return false;
    sizes = get_sizes(p->lengths, h, p->big);
    if (sizes.captured > p->largest || window_left(&p->r.window) - header < sizes.captured ||
        begins_file(h, sizes))
        return false;
    set_record(p, h, sizes, p->big, p->modified, out);
    out->frame = ++p->r.frames;
    p->r.window.at += header + sizes.captured;
    if (sizes.captured > sizes.wire)
        oddities_note(&p->r.odd, ODDITY_LENGTH, out->frame, offset);
    if (get32(h + 4, p->big) >= p->ticks_per_s)
        oddities_note(&p->r.odd, ODDITY_FRACTION, out->frame, offset);
    return true;
}

/* Gets the next record into the window as a whole. Notes damage when the file ends before, when
 * another file begins there, or when the record's size is not believed. */
static bool fill(struct pcap *p)
{
    const size_t header = p->modified ? PCAP_RECORD_MODIFIED : PCAP_RECORD;
    struct sizes sizes;

    if (!need(p, "the header of a record", header))
        return false;
    sizes = get_sizes(p->lengths, window_bytes(&p->r.window), p->big);
    if (begins_file(window_bytes(&p->r.window), sizes)) {
        joined(p);
        return false;
    }
    if (sizes.captured <= p->largest)
        return need(p, "a record", header + sizes.captured);
    too_long(p, sizes.captured);
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

/* Of the modified form: PACKET_* of Linux's if_packet.h */
static uint8_t direction_of(uint8_t packet_type)
{
    if (packet_type == 4)
        return SOURCE_DIRECTION_OUT;
    return packet_type < 3 ? SOURCE_DIRECTION_IN : SOURCE_DIRECTION_UNKNOWN;
}
