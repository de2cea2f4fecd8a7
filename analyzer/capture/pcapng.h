/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pcapng reader's own structs, for pcapng.c (blocks and packets) and pcapng_meta.c (sections,
 * interfaces, statistics).
 */
#ifndef CAPTURE_PCAPNG_H
#define CAPTURE_PCAPNG_H

#include "capture/reader.h"
#include "capture/ticks.h"
#include "rdc/wire.h"

enum {
    PCAPNG_MIN_BLOCK = 12, /* type, total length, total length again */
    PCAPNG_BODY = 8,       /* offset of a block's body */
};

/* What a packet needs of its interface, one cache line an interface */
struct pcapng_face {
    struct ticks ticks;
    uint32_t linktype;
    uint32_t snaplen;
    int8_t fcs_size;
    struct source_interface *known;
};

struct pcapng {
    struct reader r;
    bool big;               /* byte order of the section */
    bool inside;            /* a section has begun */
    uint32_t section_first; /* the section's first interface, among those of the file */
    GArray *faces;          /* of struct pcapng_face: the section's interfaces */
    size_t texts;           /* bytes kept of what interfaces of the file are called */
    int64_t last_ns;        /* time of the packet before; before the first: of the next, if near */
};

/* One option of a block (draft-ietf-opsawg-pcapng, 3.5): code:16 length:16 value padding */
struct pcapng_option {
    uint16_t code;
    uint16_t size;
    const uint8_t *value;
};

/* Takes the next option; false at the end. *broken is set when an option runs over the end. */
bool pcapng_option_next(const uint8_t **at, size_t *left, bool big, struct pcapng_option *out,
                        bool *broken);

/* A block whose frame was checked: `size` bytes with both lengths. False: damage was noted. */
bool pcapng_section(struct pcapng *ng, const uint8_t *block, size_t size);
bool pcapng_interface(struct pcapng *ng, const uint8_t *block, size_t size);
void pcapng_statistics(struct pcapng *ng, const uint8_t *block, size_t size);

static inline uint16_t pcapng_u16(const uint8_t *p, bool big)
{
    return big ? rdc_be16(p) : rdc_le16(p);
}

static inline uint32_t pcapng_u32(const uint8_t *p, bool big)
{
    return big ? rdc_be32(p) : rdc_le32(p);
}

static inline uint64_t pcapng_u64(const uint8_t *p, bool big)
{
    return big ? rdc_be64(p) : (uint64_t)rdc_le32(p + 4) << 32 | rdc_le32(p);
}

#endif
