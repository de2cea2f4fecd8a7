/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Is there an FPDU at this place of a stream (RFC 5044, 4)? Its size with markers, its CRC, and
 * whether its control fields can be DDP's and RDMAP's. What it says is iwarp_message.c's.
 */
#ifndef FLOW_MPA_FPDU_H
#define FLOW_MPA_FPDU_H

#include <string.h>

#include "flow/fpdu.h"
#include "flow/tcp_stream.h"

enum mpa_markers {
    MPA_MARKERS_NONE,
    MPA_MARKERS_SET,     /* every 512 bytes from `origin` */
    MPA_MARKERS_UNKNOWN, /* no handshake seen, or it is not kept to: wherever the CRC fits */
};

enum mpa_crc {
    MPA_CRC_UNKNOWN,
    MPA_CRC_ON,
    MPA_CRC_OFF,
};

/* How a direction is framed */
struct mpa_layout {
    uint8_t markers; /* enum mpa_markers */
    uint8_t crc;     /* enum mpa_crc */
    int64_t origin;  /* first byte in full operation: the place of the first marker */
    int64_t *credit; /* borrowed: what CRCs may still cost (mpa_sync.h) */
};

enum mpa_fit {
    MPA_NO,   /* no FPDU begins here */
    MPA_WAIT, /* perhaps: more bytes are needed to tell */
    MPA_FIT,  /* all of it is there */
};

enum {
    MPA_HEADER_MAX = 96, /* DDP header and the longest RDMAP header, 18 + 52, or a Terminate */
};

struct mpa_found {
    int64_t pos;
    uint32_t total;  /* bytes of the stream */
    uint16_t length; /* of the ULPDU */
    uint8_t crc;     /* enum fpdu_crc */
    uint8_t markers; /* in it */
    bool marker_bad; /* a marker does not point at the FPDU, or is not where it belongs */
    bool plausible;  /* control fields that DDP and RDMAP allow */
    uint8_t header_size;
    uint8_t header[MPA_HEADER_MAX]; /* the first captured bytes of the ULPDU, without markers */
};

/* `end`: bytes up to there may be read; usually run->end. */
enum mpa_fit mpa_fpdu_at(const struct tcp_run *run, int64_t pos, int64_t end,
                         const struct mpa_layout *layout, struct mpa_found *out);

/* Do the bytes end at `pos`, or can an FPDU begin there, with a marker or without? */
bool mpa_begins_next(const struct tcp_run *run, int64_t pos, int64_t end);

/* Can a ULPDU of `length` bytes begin like this? Needs 2 bytes to refuse most of what is none; with
 * 18 it also sees whether queue and operation agree. Fewer bytes: yes, as far as they go. */
bool mpa_plausible(const uint8_t *ulpdu, uint32_t captured, uint16_t length);

/* Can one of the eight bytes at p be the first of a control field: 0x01, 0x41, 0x81 or 0xc1? */
static inline bool mpa_any_control(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    word = (word & 0x3f3f3f3f3f3f3f3fu) ^ 0x0101010101010101u;
    return ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0;
}

#endif
