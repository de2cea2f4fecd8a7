/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * iWARP on contiguous bytes: MPA (RFC 5044, 6581), DDP (RFC 5041), RDMAP (RFC 5040, 7306). Finding
 * FPDUs in a TCP stream, taking markers out and checking the CRC is the stream's work.
 *
 *   struct rdc_fpdu fpdu; rdc_fpdu_decode(&stream, &fpdu)      one FPDU without markers
 *   rdc_ddp_decode(&fpdu.ulpdu, &ddp)                          then its DDP header
 *   rdc_rdmap_decode(&fpdu.ulpdu, &ddp, &rdmap)                then its RDMAP header and payload
 */
#ifndef RDC_IWARP_H
#define RDC_IWARP_H

#include <stdbool.h>
#include <stdint.h>

#include "rdc/note.h"
#include "rdc/wire.h"

enum {
    RDC_MPA_KEY_LEN = 16,
    RDC_MPA_HEADER_LEN = 20,
    RDC_MPA_PRIVATE_MAX = 512,
    RDC_MPA_ENHANCED_LEN = 4,
    RDC_FPDU_LENGTH_LEN = 2,
    RDC_FPDU_CRC_LEN = 4,
    RDC_MARKER_LEN = 4,
    RDC_MARKER_SPACING = 512, /* from the start of one marker to the start of the next */
    RDC_DDP_TAGGED_LEN = 14,
    RDC_DDP_UNTAGGED_LEN = 18,
    RDC_RDMAP_READ_REQUEST_LEN = 28,
    RDC_RDMAP_TERMINATE_LEN = 4, /* the control field alone */
    RDC_RDMAP_IMMEDIATE_LEN = 8,
    RDC_RDMAP_ATOMIC_REQUEST_LEN = 52,
    RDC_RDMAP_ATOMIC_RESPONSE_LEN = 12,
};

/* MPA start-up frame */
struct rdc_mpa {
    bool reply;    /* else a request */
    bool markers;  /* M: the sender wants to receive markers */
    bool crc;      /* C: the sender wants CRCs (in use when either side does) */
    bool reject;   /* R, replies only */
    bool enhanced; /* S: the enhanced fields (RFC 6581) are there and set */
    uint8_t revision;
    uint16_t private_size; /* PD_Length as on the wire: with the enhanced fields */
    /* RFC 6581, 9.2 */
    bool peer_to_peer; /* A */
    bool rtr_send;     /* B: a zero-length FPDU (Send) may be the first message */
    bool rtr_write;    /* C: a zero-length RDMA Write */
    bool rtr_read;     /* D: a zero-length RDMA Read */
    uint16_t ird;      /* 0x3fff: negotiated by the ULP */
    uint16_t ord;
    const uint8_t *private_data; /* behind the enhanced fields; borrowed, NULL when none captured */
    uint16_t private_data_size;
    uint16_t private_data_captured;
    rdc_notes notes;
};

struct rdc_fpdu {
    uint16_t ulpdu_length;
    uint8_t pad;
    bool crc_captured;
    uint32_t crc; /* as the CRC-32C of rdc/crc.h gives it (the wire has its bytes reversed) */
    struct rdc_cursor ulpdu; /* captured and wire bytes of the ULPDU */
};

struct rdc_marker {
    uint16_t reserved;
    uint16_t fpdu_offset; /* FPDUPTR: bytes from the marker back to the start of its FPDU */
};

/* DDP header and the RDMAP control byte in it */
struct rdc_ddp {
    bool tagged;
    bool last;
    uint8_t reserved;
    uint8_t version;       /* DDP, 1 */
    uint8_t rdmap_version; /* 1 (0: RDMA consortium) */
    uint8_t rdmap_reserved;
    uint8_t opcode; /* enum rdc_rdmap_opcode */
    /* tagged */
    uint32_t stag;
    uint64_t to;
    /* untagged */
    uint32_t invalidate_stag; /* of Send with Invalidate, else reserved */
    uint32_t qn;
    uint32_t msn;
    uint32_t mo;
    rdc_notes notes;
};

enum rdc_rdmap_opcode {
    RDC_RDMAP_WRITE = 0,
    RDC_RDMAP_READ_REQUEST = 1,
    RDC_RDMAP_READ_RESPONSE = 2,
    RDC_RDMAP_SEND = 3,
    RDC_RDMAP_SEND_INV = 4,
    RDC_RDMAP_SEND_SE = 5,
    RDC_RDMAP_SEND_SE_INV = 6,
    RDC_RDMAP_TERMINATE = 7,
    RDC_RDMAP_IMMEDIATE = 8,
    RDC_RDMAP_IMMEDIATE_SE = 9,
    RDC_RDMAP_ATOMIC_REQUEST = 10,
    RDC_RDMAP_ATOMIC_RESPONSE = 11,
};

struct rdc_rdmap_read_request {
    uint32_t sink_stag;
    uint64_t sink_to;
    uint32_t size;
    uint32_t source_stag;
    uint64_t source_to;
};

struct rdc_rdmap_terminate {
    uint8_t layer; /* 0 RDMAP, 1 DDP, 2 LLP (MPA) */
    uint8_t type;
    uint8_t code;
    bool has_segment_length; /* M */
    bool has_ddp;            /* D: the terminated DDP header follows */
    bool has_rdmap;          /* R: the terminated RDMAP header (Read Request) follows */
    uint16_t segment_length; /* set when M and captured */
    bool ddp_set;            /* `ddp` was captured and is set */
    struct rdc_ddp ddp;
    bool read_request_set;
    struct rdc_rdmap_read_request read_request;
};

enum rdc_rdmap_atomic {
    RDC_RDMAP_FETCH_ADD = 0,
    RDC_RDMAP_SWAP = 1,
    RDC_RDMAP_CMP_SWAP = 2,
};

struct rdc_rdmap_atomic_request {
    uint8_t operation; /* enum rdc_rdmap_atomic */
    uint32_t request_id;
    uint32_t stag;
    uint64_t to;
    uint64_t add_swap;
    uint64_t add_swap_mask;
    uint64_t compare;
    uint64_t compare_mask;
};

struct rdc_rdmap_atomic_response {
    uint32_t request_id;
    uint64_t original;
};

struct rdc_rdmap {
    uint8_t opcode; /* enum rdc_rdmap_opcode */
    bool header;    /* the union is set: the opcode has a header and this is the message's start */
    union {         /* by opcode */
        struct rdc_rdmap_read_request read_request;
        struct rdc_rdmap_terminate terminate;
        uint64_t immediate;
        struct rdc_rdmap_atomic_request atomic_request;
        struct rdc_rdmap_atomic_response atomic_response;
    };
    const uint8_t *payload; /* borrowed, behind the headers; NULL when nothing of it was captured */
    uint32_t payload_size;  /* on the wire */
    uint32_t payload_captured;
    rdc_notes notes;
};

/* A request or reply frame with its private data. RDC_UNSUPPORTED when the bytes do not begin with
 * one of the keys. RDC_OK also when the private data is cut; then private_data_captured says how
 * much is there, and the cursor is at the end of what was captured. */
RDC_CHECKED enum rdc_status rdc_mpa_decode(struct rdc_cursor *cur, struct rdc_mpa *out);
/* Do `size` bytes begin, as far as they go, like a start-up frame? */
bool rdc_mpa_is_start(const uint8_t *bytes, size_t size);

/* Pad bytes of an FPDU (0..3): length field, ULPDU and pad are a multiple of 4 */
static inline uint32_t rdc_fpdu_pad(uint16_t ulpdu_length)
{
    return (0u - RDC_FPDU_LENGTH_LEN - ulpdu_length) & 3;
}

/* Bytes of an FPDU without markers: length, ULPDU, pad, CRC */
static inline uint32_t rdc_fpdu_size(uint16_t ulpdu_length)
{
    return RDC_FPDU_LENGTH_LEN + (uint32_t)ulpdu_length + rdc_fpdu_pad(ulpdu_length) +
           RDC_FPDU_CRC_LEN;
}

/* Bytes of an FPDU that begins at `stream_offset` (bytes since the first byte in full operation,
 * the markers counted) of a stream with markers. A marker at the very start belongs to the FPDU. */
uint32_t rdc_fpdu_size_with_markers(uint16_t ulpdu_length, uint64_t stream_offset);

/* One FPDU without markers. Decodes also when its end was not captured; the length field must be
 * there. RDC_MALFORMED when the wire bytes are too few for the length. */
RDC_CHECKED enum rdc_status rdc_fpdu_decode(struct rdc_cursor *cur, struct rdc_fpdu *out);
RDC_CHECKED enum rdc_status rdc_marker_decode(struct rdc_cursor *cur, struct rdc_marker *out);

RDC_CHECKED enum rdc_status rdc_ddp_decode(struct rdc_cursor *cur, struct rdc_ddp *out);
/* The rest of the ULPDU behind its DDP header; takes all of the cursor. RDC_UNSUPPORTED for unknown
 * opcodes. */
RDC_CHECKED enum rdc_status rdc_rdmap_decode(struct rdc_cursor *cur, const struct rdc_ddp *ddp,
                                             struct rdc_rdmap *out);

/* Static strings, never NULL */
const char *rdc_rdmap_name(uint8_t opcode);           /* "Write", "Read Request", ..., "Reserved" */
const char *rdc_rdmap_atomic_name(uint8_t operation); /* "FetchAdd", "Swap", "CmpSwap" */
const char *rdc_terminate_layer_name(uint8_t layer);
const char *rdc_terminate_type_name(uint8_t layer, uint8_t type);
const char *rdc_terminate_code_text(uint8_t layer, uint8_t type, uint8_t code);

#endif
