/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the engine says about packets: events and retransmission rounds. Both are plain values.
 *
 * An event is reported in frame order, once, and may be amended later: the kind of an event that is
 * not `certain`, never its frame. What a round was started by may be settled later too; so events
 * name their round, and the round is reported again when it changes.
 */
#ifndef FLOW_EVENT_H
#define FLOW_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/fpdu.h"
#include "rdc/packet.h"

#define FLOW_NO_STREAM UINT32_MAX
/* Streams of iWARP connections have numbers of their own, with this bit set. */
#define FLOW_IWARP_STREAM 0x80000000u

static inline bool flow_stream_is_iwarp(uint32_t stream)
{
    return stream != FLOW_NO_STREAM && (stream & FLOW_IWARP_STREAM) != 0;
}

enum flow_event_kind {
    FLOW_GAP,            /* psn, count */
    FLOW_RETRANSMISSION, /* psn, original_frame, round, spurious, certain */
    FLOW_OUT_OF_ORDER,   /* psn, late */
    FLOW_DUPLICATE,      /* psn, original_frame */
    FLOW_HOLE_CLOSED,    /* psn, count, as, certain */
    FLOW_NAK,            /* psn, code, request_frame */
    FLOW_RNR_NAK,        /* psn, timer_ns */
    FLOW_ACKED_UNSEEN,   /* psn, count */
    FLOW_ACKED_EARLY,    /* psn, count; ACKED_UNSEEN before */
    FLOW_CE,
    FLOW_CNP,
    FLOW_PAUSE, /* pause */
    FLOW_ICRC_BAD,
    FLOW_CM, /* code: enum rdc_cm_message */
    FLOW_TEARDOWN,
    FLOW_RETRY_EXHAUSTED, /* psn, count: tries; code: 1 when the receiver was not ready */
    /* iWARP; psn: TCP sequence number, count: bytes */
    FLOW_TCP_RETRANSMISSION, /* psn, count, original_frame, certain */
    FLOW_TCP_OUT_OF_ORDER,   /* psn, count, late, certain */
    FLOW_TCP_GAP,            /* psn, gap_bytes: never seen, but acknowledged or given up */
    FLOW_ZERO_WINDOW,        /* timer_ns: how long the receiver took nothing */
    FLOW_MPA,                /* mpa; certain: false when the handshake was not seen */
    FLOW_FRAMING,            /* psn; code: 0 FPDU framing is lost, 1 found again */
    FLOW_CRC_BAD,            /* psn, count */
    FLOW_MSN_GAP,            /* psn: the first MSN missing, count: MSNs, code: queue */
    FLOW_TERMINATE,          /* psn, terminate */
    FLOW_EVENT_KIND_COUNT,
};

enum flow_trigger {
    FLOW_TRIGGER_NAK,
    FLOW_TRIGGER_RNR,
    FLOW_TRIGGER_READ,
    FLOW_TRIGGER_TIMEOUT,
    FLOW_TRIGGER_UNKNOWN,
    FLOW_TRIGGER_COUNT,
};

/* How a hole ended */
enum flow_hole_end {
    FLOW_HOLE_RETRANSMITTED,
    FLOW_HOLE_REORDERED,
    FLOW_HOLE_NOT_CAPTURED,
    FLOW_HOLE_LOST,
    FLOW_HOLE_OPEN,
    FLOW_HOLE_END_COUNT,
};

/* A packet that comes late: behind how many packets of its stream, and how long after the packet
 * that showed it missing. Negative: the time stamps of the file run back. 0 packets: both are
 * unknown, since its own resend came, or since it is from before the first PSN seen. */
struct flow_late {
    uint64_t packets;
    int64_t ns;
};

struct flow_pause {
    uint8_t source[6];
    bool pfc;
    uint8_t enabled; /* PFC: class-enable vector */
    uint16_t quanta[8];
};

/* What tells that a connection is iWARP */
enum flow_mpa_frame {
    FLOW_MPA_REQUEST,
    FLOW_MPA_REPLY,
    FLOW_MPA_INFERRED, /* no start-up frame: consecutive FPDUs */
};

struct flow_mpa {
    uint8_t frame; /* enum flow_mpa_frame; the rest is not set when inferred */
    bool markers, crc, reject, enhanced, peer_to_peer;
    uint8_t revision;
    uint16_t ird, ord; /* when enhanced */
    uint16_t private_bytes;
};

/* Why a connection was given up (RFC 5040, 4.8); names in rdc/iwarp.h */
struct flow_terminate {
    uint8_t layer, type, code;
    bool has_ddp, has_read_request; /* the header that it is about is known */
    bool tagged;
    uint8_t opcode;   /* of that header, enum rdc_rdmap_opcode */
    uint32_t stag;    /* tagged; READ: the source's */
    uint32_t qn, msn; /* untagged */
};

struct flow_event {
    uint64_t frame;
    int64_t time_ns;
    uint64_t original_frame; /* 0: never seen */
    uint32_t stream;         /* index of the stream that sent the packet; FLOW_NO_STREAM */
    uint32_t psn;
    uint32_t count; /* PSNs; tries */
    /* retransmissions: number of the round, 1.. in the requester's stream `round_stream`; 0: none
     */
    uint32_t round;
    uint32_t round_stream;
    uint8_t kind;  /* enum flow_event_kind */
    uint8_t code;  /* a hole that a packet closed: enum rdc_operation of that */
    uint8_t as;    /* enum flow_hole_end */
    bool spurious; /* meaningful only where the other direction is on the capture */
    bool certain;
    union {
        struct flow_late late;  /* TCP retransmissions too: behind what they repeat, or fill */
        uint64_t request_frame; /* that is refused for good; 0: sequence error, or never seen */
        uint64_t timer_ns;
        struct flow_pause pause;
        uint64_t gap_bytes;
        struct flow_mpa mpa;
        struct flow_terminate terminate;
    };
};

enum {
    FLOW_ROUNDS_OPEN = 8,
};

/* What got lost, so that a round began: as far as the capture tells */
enum flow_round_loss {
    FLOW_LOST_UNKNOWN,
    /* the packet that the round begins with, before it came to the tap */
    FLOW_LOST_BEFORE,
    /* what passed the tap, behind it: */
    FLOW_LOST_REQUEST,  /* the packet that the round begins with */
    FLOW_LOST_RESPONSE, /* the first missing response of the READ that it begins with */
    FLOW_LOST_ANSWER,   /* the acknowledgement of all that went out before, or of the atomic */
};

/* A retransmission round of a requester: from the first packet resent to the packet that reaches
 * the PSN that was highest before. It may change while it is among the latest FLOW_ROUNDS_OPEN of
 * its stream; one whose NAK is not certain may prove to be a timeout later. */
struct flow_round {
    uint32_t stream;    /* of the requester */
    uint32_t number;    /* 1.. in this stream */
    uint8_t trigger;    /* enum flow_trigger */
    bool certain;       /* time alone did not decide the trigger */
    bool superseded;    /* a further step back cut it short */
    bool complete;      /* reached the earlier highest PSN */
    bool cancelled;     /* its packets turned out to be late originals */
    bool original_seen; /* an earlier copy of the first packet is on the capture */
    bool answered; /* an answer to its PSN or beyond came since it, or the round before, began */
    bool stopped_short;     /* the last request before it asks for no acknowledgement */
    uint8_t lost;           /* enum flow_round_loss; BEFORE: counted in lost_before_tap */
    uint32_t psn;           /* rewound to */
    uint32_t end_psn;       /* behind the highest PSN before */
    uint64_t trigger_frame; /* 0: none is visible */
    uint64_t first_frame;
    uint64_t last_frame;
    uint64_t packets; /* resent in it */
    uint64_t bytes;   /* payload of these */
    int64_t start_ns; /* time of the first resent packet */
    int64_t last_ns;
    int64_t nak_delay_ns;    /* -1: unknown */
    int64_t resend_delay_ns; /* trigger to first resent packet; -1: unknown */
    int64_t stall_ns;        /* last request before to first resent packet; -1: unknown */
    int64_t recovery_ns; /* first evidence of loss to the acknowledgement that covers end_psn; -1 */
};

/* What a packet is to its connection, whether or not anything is wrong with it */
struct flow_facts {
    uint64_t frame;
    uint32_t stream;           /* FLOW_NO_STREAM: it belongs to none */
    uint32_t expected_psn;     /* requests: the PSN that was next; valid when psn_expected */
    uint32_t outstanding_psns; /* requests: not acknowledged with this one; 0: unknown */
    bool psn_expected;
    uint64_t request_frame; /* responses: the request they answer or acknowledge; 0: not seen */
    int64_t rtt_ns;         /* acknowledgements: sample of the round trip; -1: none */
    int64_t silence_ns;     /* data: since the data packet before it in the stream; -1: none */
};

/* A round is named by its stream and number: functions for a hash table in which it is its own key.
 */
static inline unsigned flow_round_hash(const void *round)
{
    const struct flow_round *r = round;

    return r->stream * 2654435761u ^ r->number;
}

static inline int flow_round_equal(const void *a, const void *b)
{
    const struct flow_round *x = a;
    const struct flow_round *y = b;

    return x->stream == y->stream && x->number == y->number;
}

/* Receives what the engine says. Any member may be NULL. */
struct flow_sink {
    void *context;
    /* Returns a number by which the event can be amended; the event is borrowed. */
    uint64_t (*event)(void *context, const struct flow_event *event);
    /* The event `number` turns out to be another kind: a retransmission a late original, or that
     * after all; an acknowledgement of what was not seen an early one. */
    void (*amend)(void *context, uint64_t number, const struct flow_event *event);
    /* A round began or changed; `round` is borrowed. */
    void (*round)(void *context, const struct flow_round *round);
    /* A stream of InfiniBand or RoCE begins with this packet, before its events; borrowed. */
    void (*stream)(void *context, uint32_t stream, const struct rdc_packet *pkt);
    /* The last word on each packet, after its events; borrowed. */
    void (*facts)(void *context, const struct flow_facts *facts);
    /* iWARP: an MPA start-up frame or an FPDU that the packet completes; borrowed, and its payload
     * and private data only while the packet is */
    void (*mpa)(void *context, const struct rdc_mpa *frame);
    void (*fpdu)(void *context, const struct flow_fpdu *fpdu);
    /* The request packet of a frame is acknowledged, or its first answer came. */
    void (*acknowledged)(void *context, uint64_t request_frame, uint64_t answer_frame);
};

#endif
