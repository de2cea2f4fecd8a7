/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MPA over one TCP connection (RFC 5044, 6581): start-up frames, then FPDUs one behind the other,
 * read from each run of each direction as soon as its bytes are there, also behind a hole. Where
 * framing is not known (the connection's start was not captured, bytes are missing, a length can't
 * be right) it is searched for: at the starts of segments, then anywhere.
 *
 *   - a connection known as iWARP is found again by one FPDU whose CRC32c fits, or by plausible
 *     control fields of two where CRCs are off, or of one at the start of a segment cut by the
 *     snap length;
 *   - one that is not known needs two consecutive FPDUs whose CRC32c fits, or plausible control
 *     fields of four.
 */
#ifndef FLOW_MPA_STREAM_H
#define FLOW_MPA_STREAM_H

#include "flow/mpa_fpdu.h"
#include "flow/tcp_stream.h"
#include "rdc/iwarp.h"

struct mpa;

/* Who is told. `dir` 0 or 1: the direction that the bytes went. */
struct mpa_reader {
    void *context;
    void (*start_up)(void *context, unsigned dir, const struct rdc_mpa *frame, int64_t pos);
    void (*fpdu)(void *context, unsigned dir, const struct mpa_found *fpdu);
    /* Bytes from `pos` on can't be an FPDU; found == false: framing is lost, true: found again */
    void (*framing)(void *context, unsigned dir, bool found, int64_t pos);
};

struct mpa_dir {
    struct tcp_stream tcp;
    bool start_seen; /* the start-up frame that it carried is known */
    bool wants_markers, wants_crc, rejects;
    uint8_t markers;   /* enum mpa_markers in what it carries, once settled without handshake */
    uint32_t unmarked; /* bytes of consecutive FPDUs that had no markers, while that is unknown */
    int64_t origin;
    uint64_t searched; /* segments that were searched in vain */
    int64_t credit;    /* what looking for FPDUs may still cost (mpa_sync.h) */
};

/* Both directions of a connection */
struct mpa {
    struct mpa_dir dir[2];
    bool known;    /* it is iWARP */
    bool inferred; /* known without handshake */
    uint8_t crc;   /* enum mpa_crc, as far as FPDUs tell; the handshake says more */
};

void mpa_init(struct mpa *m, struct tcp_pool *pool);
void mpa_done(struct mpa *m);
/* A new life of the connection: nothing of the handshake is known. */
void mpa_restart(struct mpa *m);

/* The direction's stream was started, at its very first byte. */
void mpa_expect_start_up(struct mpa *m, unsigned dir);
/* Takes a segment's new bytes. The direction's stream must have been started. */
void mpa_segment(struct mpa *m, unsigned dir, const struct tcp_segment *seg,
                 const struct mpa_reader *reader);
/* The hole behind the front run is never filled: goes on behind it. *first and *size tell the hole.
 */
void mpa_skip_hole(struct mpa *m, unsigned dir, const struct mpa_reader *reader, int64_t *first,
                   uint64_t *size);
/* Whether CRCs are in use (enum mpa_crc) */
uint8_t mpa_crc_in_use(const struct mpa *m);

#endif
