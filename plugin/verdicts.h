/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the engine said about each frame of a file, kept so that any frame can be shown at any time:
 * one small record per frame, its events, and the rounds. Knows nothing of Wireshark.
 *
 * Frames come once, in order (the first pass). Whoever shows a frame after that calls
 * verdicts_settle() first; then connections are numbered, and what only the end of the capture
 * tells is there too.
 */
#ifndef PLUGIN_VERDICTS_H
#define PLUGIN_VERDICTS_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/flow.h"

/* All frame numbers: 0 is none */
struct frame_verdict {
    uint32_t stream;        /* index + 1; 0: belongs to none */
    uint32_t first_event;   /* number + 1; 0: none */
    uint32_t first_fpdu;    /* the same */
    uint32_t answer;        /* of a request: what acknowledges it, or its last response */
    uint32_t resent_in;     /* of a request or response: its first resend; of a NAK: the round's */
    uint32_t message;       /* number in its stream, 1.. as far as the capture shows */
    uint32_t message_first; /* frame */
    uint32_t message_last;  /* kept in the record of message_first only */
    union {
        struct {                       /* of a request: psn_expected */
            uint32_t outstanding_psns; /* 0: unknown */
            uint32_t outstanding_bytes;
            uint32_t sent_bytes; /* of the stream so far, modulo 2^32 */
        };
        struct {              /* of all others */
            uint32_t request; /* that it answers or acknowledges */
            uint32_t rtt_low; /* see frame_rtt_ns() */
        };
    };
    uint32_t rtt_high : 6;
    uint32_t has_rtt : 1;
    uint32_t psn_expected : 1;
    uint32_t expected_psn : 24; /* valid when psn_expected */
};

/* Valid when has_rtt */
static inline int64_t frame_rtt_ns(const struct frame_verdict *f)
{
    return (int64_t)f->rtt_high << 32 | f->rtt_low;
}

/* iWARP: an FPDU that the frame completes */
struct frame_fpdu {
    uint64_t to; /* tagged */
    uint32_t stag;
    uint32_t qn, msn, mo; /* untagged */
    uint32_t tcp_seq;
    uint32_t payload_size; /* RDMAP's; valid when payload_known */
    uint16_t length;       /* of the ULPDU */
    uint8_t crc;           /* enum fpdu_crc */
    uint8_t markers;
    uint8_t opcode; /* enum rdc_rdmap_opcode; valid when ddp_set, as are the next */
    bool ddp_set, tagged, last;
    bool payload_known;
    uint32_t next; /* number + 1 of the frame's next FPDU; 0: none */
};

/* Whether requests of this operation are answered with data at their own PSNs */
static inline bool answered_by_data(uint8_t operation)
{
    return operation == RDC_OP_READ || operation == RDC_OP_CMP_SWAP ||
           operation == RDC_OP_FETCH_ADD || operation == RDC_OP_FLUSH ||
           operation == RDC_OP_ATOMIC_WRITE;
}

struct verdicts;

/* NULL when memory is refused */
struct verdicts *verdicts_new(const struct flow_config *config);
/* NULL is accepted */
void verdicts_free(struct verdicts *v);

/* Takes the frame pkt->frame unless it, or a later one, was taken before. */
void verdicts_packet(struct verdicts *v, const struct rdc_packet *pkt);
/* Before a frame is shown that was taken before. Cheap when nothing came since. */
void verdicts_settle(struct verdicts *v);
/* All frames so far have been settled */
bool verdicts_settled(const struct verdicts *v);

/* NULL when nothing is known of it. Valid until the next frame is taken. */
const struct frame_verdict *verdicts_frame(const struct verdicts *v, uint32_t frame);

/* The events of a frame, in order: start with *cursor 0; NULL at the end */
const struct flow_event *verdicts_event(const struct verdicts *v, uint32_t frame, uint64_t *cursor);
/* The same for FPDUs */
const struct frame_fpdu *verdicts_fpdu(const struct verdicts *v, uint32_t frame, uint64_t *cursor);
/* The round of a retransmission, as it is known now; NULL: none */
const struct flow_round *verdicts_round(const struct verdicts *v, const struct flow_event *event);

/* Streams are numbered from 0 as the file shows them, whatever their transport. */
uint32_t verdicts_stream_number(const struct verdicts *v, uint32_t stream);

/* The connection of a stream */
struct verdict_connection {
    uint32_t id; /* 1.. */
    bool a_to_b;
    bool paired; /* both directions are on the capture */
};
/* False when the stream has none, or its number could still change (see verdicts_settled) */
bool verdicts_connection(struct verdicts *v, uint32_t stream, struct verdict_connection *out);

const struct flow_engine *verdicts_engine(const struct verdicts *v);

#endif
