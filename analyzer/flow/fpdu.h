/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An FPDU of an iWARP connection as the engine found it in its TCP stream.
 */
#ifndef FLOW_FPDU_H
#define FLOW_FPDU_H

#include "rdc/iwarp.h"

/* What an FPDU's CRC32c shows */
enum fpdu_crc {
    FPDU_CRC_OK,
    FPDU_CRC_BAD,
    FPDU_CRC_ZERO,   /* the field is 0: CRCs may be off */
    FPDU_CRC_UNSEEN, /* not all bytes were captured */
    FPDU_CRC_OFF,    /* CRCs are not in use */
};

struct flow_fpdu {
    uint32_t stream;  /* that sent it; unknown to nobody but the engine before flow_finish() */
    uint32_t tcp_seq; /* of its first byte */
    uint32_t total;   /* bytes of the stream: with length field, markers, pad and CRC */
    uint16_t length;  /* of the ULPDU */
    uint8_t crc;      /* enum fpdu_crc */
    uint8_t markers;  /* in it */
    bool other_way;   /* it was waiting in the other direction until this packet proved iWARP */
    bool inferred;    /* framing is known without a handshake */
    bool ddp_set;     /* the DDP header was captured, and is valid */
    bool rdmap_set;   /* the RDMAP header too */
    rdc_notes notes;  /* with those of the headers */
    struct rdc_ddp ddp;
    struct rdc_rdmap rdmap; /* its payload pointer is not set */
};

#endif
