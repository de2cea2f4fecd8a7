/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What pcapng says about itself: section headers, interface descriptions, interface statistics.
 *
 * Section header (0x0a0d0d0a): magic:32  major:16 minor:16  section_length:64  options
 * Interface description (1):   link_type:16 reserved:16  snaplen:32  options
 * Interface statistics (5):    interface:32  ticks:64  options
 */
#include "capture/pcapng.h"

#include <string.h>

enum {
    SECTION_FIXED = 24, /* block header and fixed fields */
    INTERFACE_FIXED = 16,
    STATISTICS_FIXED = 20,
    TRAILER = 4,
    DEFAULT_RESOLUTION = 6, /* microseconds */
};

enum section_option {
    SECTION_APPLICATION = 4,
};

enum interface_option {
    IF_NAME = 2,
    IF_DESCRIPTION = 3,
    IF_SPEED = 8,
    IF_TSRESOL = 9,
    IF_FILTER = 11,
    IF_OS = 12,
    IF_FCSLEN = 13,
    IF_TSOFFSET = 14,
    IF_HARDWARE = 15,
    IF_TXSPEED = 16,
    IF_RXSPEED = 17,
};

enum statistics_option {
    ISB_RECEIVED = 4,
    ISB_DROPPED = 5,
    ISB_OS_DROPPED = 7,
};

static bool describe(struct source_interface *face, const struct pcapng_option *option, bool big);
static bool set_clock(struct source_interface *face, const struct pcapng_option *option, bool big,
                      uint8_t *resolution);
static void too_many(struct pcapng *ng);
static void note(struct pcapng *ng, enum oddity kind);
static void set_text(char **to, const uint8_t *text, size_t size);
static size_t text_size(const struct source_interface *face);
static bool number(const struct pcapng_option *option, bool big, uint64_t *out);
static bool count(const struct pcapng_option *option, bool big, uint64_t *out);

bool pcapng_option_next(const uint8_t **at, size_t *left, bool big, struct pcapng_option *out,
                        bool *broken)
{
    size_t padded;

    if (*left < 4)
        return false;
    out->code = pcapng_u16(*at, big);
    out->size = pcapng_u16(*at + 2, big);
    out->value = *at + 4;
    if (out->code == 0) /* opt_endofopt */
        return false;
    padded = 4 + (((size_t)out->size + 3) & ~(size_t)3);
    if (padded > *left) {
        *broken = true;
        return false;
    }
    *at += padded;
    *left -= padded;
    return true;
}

bool pcapng_section(struct pcapng *ng, const uint8_t *block, size_t size)
{
    bool big = rdc_be32(block + PCAPNG_BODY) == 0x1a2b3c4d;
    const uint8_t *at = block + SECTION_FIXED;
    size_t left = size - SECTION_FIXED - TRAILER;
    struct pcapng_option option;
    bool broken = false;

    if (size < SECTION_FIXED + TRAILER) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a section header of %zu bytes is too short", size);
        return false;
    }
    if (pcapng_u16(block + 12, big) != 1) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "a section header has version %u.%u, only 1 is known",
                      pcapng_u16(block + 12, big), pcapng_u16(block + 14, big));
        return false;
    }
    ng->big = big;
    ng->section_first = ng->r.interfaces->len;
    g_array_set_size(ng->faces, 0);
    ng->r.file->sections++;
    while (pcapng_option_next(&at, &left, big, &option, &broken))
        if (option.code == SECTION_APPLICATION)
            set_text(&ng->r.file->application, option.value, option.size);
    if (broken)
        note(ng, ODDITY_BLOCK);
    return true;
}

bool pcapng_interface(struct pcapng *ng, const uint8_t *block, size_t size)
{
    struct source_interface *face;
    struct pcapng_option option;
    const uint8_t *at = block + INTERFACE_FIXED;
    size_t left = size - INTERFACE_FIXED - TRAILER;
    uint8_t resolution = DEFAULT_RESOLUTION;
    bool broken = false, good = true, clock = true;

    if (size < INTERFACE_FIXED + TRAILER) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "an interface description of %zu bytes is too short", size);
        return false;
    }
    face = reader_add_interface(&ng->r);
    if (!face) {
        too_many(ng);
        return false;
    }
    face->linktype = pcapng_u16(block + PCAPNG_BODY, ng->big);
    face->snaplen = pcapng_u32(block + 12, ng->big);
    face->section = ng->r.file->sections - 1;
    face->index = ng->faces->len;
    while (clock && pcapng_option_next(&at, &left, ng->big, &option, &broken)) {
        clock = set_clock(face, &option, ng->big, &resolution);
        good &= describe(face, &option, ng->big);
    }
    if (!good)
        note(ng, ODDITY_BLOCK);
    if (broken || !clock) { /* all times would be wrong */
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "the description of interface %u has %s", face->index,
                      broken ? "an option that is longer than its block"
                             : "a time resolution or offset of the wrong size");
        reader_drop_interface(&ng->r);
        return false;
    }
    ng->texts += text_size(face);
    if (ng->texts > SOURCE_MAX_TEXTS) {
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "the names and descriptions of interfaces are more than %d MiB",
                      SOURCE_MAX_TEXTS >> 20);
        reader_drop_interface(&ng->r);
        return false;
    }
    face->ts_binary = (resolution & 0x80) != 0;
    face->ts_exponent = resolution & 0x7f;
    g_array_append_vals(ng->faces,
                        &(struct pcapng_face){
                            .ticks = ticks_from_option(resolution, face->ts_offset_s),
                            .linktype = face->linktype,
                            .snaplen = face->snaplen,
                            .fcs_size = face->fcs_size,
                            .known = face,
                        },
                        1);
    return true;
}

/* Counters are cumulative: the last statement counts. A statement about an unknown interface is
 * left out. */
void pcapng_statistics(struct pcapng *ng, const uint8_t *block, size_t size)
{
    const uint8_t *at = block + STATISTICS_FIXED;
    size_t left = size - STATISTICS_FIXED - TRAILER;
    struct source_interface *face;
    struct pcapng_option option;
    bool broken = false, good = true;
    uint32_t id;

    id = size < STATISTICS_FIXED + TRAILER ? UINT32_MAX : pcapng_u32(block + PCAPNG_BODY, ng->big);
    if (id >= ng->faces->len) {
        note(ng, ODDITY_COUNTS);
        return;
    }
    face = g_array_index(ng->faces, struct pcapng_face, id).known;
    while (pcapng_option_next(&at, &left, ng->big, &option, &broken)) {
        if (option.code == ISB_RECEIVED)
            good &= count(&option, ng->big, &face->received);
        else if (option.code == ISB_DROPPED)
            good &= count(&option, ng->big, &face->dropped);
        else if (option.code == ISB_OS_DROPPED)
            good &= count(&option, ng->big, &face->os_dropped);
    }
    if (broken || !good)
        note(ng, ODDITY_BLOCK);
}

static void too_many(struct pcapng *ng)
{
    if (ng->r.interfaces->len >= ng->r.interface_room)
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "an interface description is one more than the %d that are supported",
                      SOURCE_MAX_INTERFACES);
    else
        reader_damage(&ng->r, window_offset(&ng->r.window),
                      "there is no memory for more than %u interface descriptions",
                      ng->r.interfaces->len);
}

/* Of the block at the window */
static void note(struct pcapng *ng, enum oddity kind)
{
    oddities_note(&ng->r.odd, kind, ng->r.frames, window_offset(&ng->r.window));
}

/* What makes times of ticks; false: it can't be read. Other options are no business of it. */
static bool set_clock(struct source_interface *face, const struct pcapng_option *option, bool big,
                      uint8_t *resolution)
{
    uint64_t offset;

    if (option->code == IF_TSRESOL) {
        if (option->size != 1)
            return false;
        *resolution = option->value[0];
    } else if (option->code == IF_TSOFFSET) {
        if (!number(option, big, &offset))
            return false;
        face->ts_offset_s = (int64_t)offset;
    }
    return true;
}

/* All the rest; false: it has the wrong size */
static bool describe(struct source_interface *face, const struct pcapng_option *option, bool big)
{
    const uint8_t *value = option->value;
    uint64_t speed;

    switch (option->code) {
    case IF_NAME:
        set_text(&face->name, value, option->size);
        return true;
    case IF_DESCRIPTION:
        set_text(&face->description, value, option->size);
        return true;
    case IF_FILTER: /* the first byte says what follows: 0 a libpcap expression */
        if (option->size > 1 && value[0] == 0)
            set_text(&face->filter, value + 1, option->size - 1u);
        return true;
    case IF_OS:
        set_text(&face->os, value, option->size);
        return true;
    case IF_HARDWARE:
        set_text(&face->hardware, value, option->size);
        return true;
    case IF_SPEED:
        return number(option, big, &face->speed_bps);
    case IF_TXSPEED:
    case IF_RXSPEED:
        if (!number(option, big, &speed))
            return false;
        if (face->speed_bps == 0)
            face->speed_bps = speed;
        return true;
    case IF_FCSLEN:
        if (option->size == 1 && value[0] <= INT8_MAX)
            face->fcs_size = (int8_t)value[0];
        return option->size == 1;
    default:
        return true;
    }
}

/* The first statement counts; a text may end with a zero byte */
static void set_text(char **to, const uint8_t *text, size_t size)
{
    const char *start = (const char *)text;
    char *cut;

    if (*to)
        return;
    cut = g_strndup(start, MIN(size, SOURCE_MAX_TEXT));
    if (*cut)
        *to = g_utf8_make_valid(cut, -1);
    g_free(cut);
}

static size_t text_size(const struct source_interface *face)
{
    const char *const texts[] = {face->name, face->description, face->filter, face->hardware,
                                 face->os};
    size_t size = 0;

    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        size += texts[i] != NULL ? strlen(texts[i]) : 0;
    return size;
}

static bool number(const struct pcapng_option *option, bool big, uint64_t *out)
{
    if (option->size != 8)
        return false;
    *out = pcapng_u64(option->value, big);
    return true;
}

/* UINT64_MAX would say that it is not known */
static bool count(const struct pcapng_option *option, bool big, uint64_t *out)
{
    uint64_t n;

    if (!number(option, big, &n))
        return false;
    *out = MIN(n, SOURCE_MOST);
    return true;
}
