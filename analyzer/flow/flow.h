/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The flow engine: decoded packets in, in file order; streams, connections, verdicts and counters
 * out. It prints nothing and reads nothing. One engine belongs to one thread at a time.
 *
 * The meaning of every term is that of the InfiniBand specification, vol. 1, 9.7, with the verdict
 * rules that docs/analysis.md explains.
 */
#ifndef FLOW_H
#define FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flow/batch.h"
#include "flow/congestion.h"
#include "flow/event.h"
#include "flow/histogram.h"
#include "flow/key.h"
#include "flow/path.h"
#include "flow/series.h"
#include "rdc/packet.h"

struct flow_engine;

/* All zero: the defaults. */
struct flow_config {
    uint32_t max_streams;     /* streams tracked; more are only counted (default 4 Mi) */
    uint64_t max_state_bytes; /* for what is kept of streams (default 768 MiB) */
    uint64_t
        max_held_bytes; /* of TCP streams: FPDUs in part, bytes behind holes (default 256 MiB) */
    /* Longest delay of a late original where nothing in the packets tells it from a resend; 0: what
     * asks for resends, and iWARP's round trips, tell */
    int64_t reorder_window_ns;
    bool only_tcp; /* follow nothing but iWARP */
};

/* Returns an engine that reports to `sink` (copied), or NULL when memory is refused. */
struct flow_engine *flow_engine_new(const struct flow_config *config, const struct flow_sink *sink);
void flow_engine_free(struct flow_engine *engine);

/* Takes the next packet, as rdc_decode() leaves it; pkt->frame must be set. It is borrowed. */
void flow_packet(struct flow_engine *engine, const struct rdc_packet *pkt);

/* Takes the next packets. */
void flow_packets(struct flow_engine *engine, const struct rdc_packet *packets, size_t count);

/* Takes the next packets, and says of each what it is to its connection. Those that it needs whole
 * it makes so. flow_latest_facts() tells nothing of them. */
void flow_batch(struct flow_engine *engine, struct flow_batch *batch);

/* No more packets come: settles what waits for them. Call once. */
void flow_finish(struct flow_engine *engine);

/* Says to the sink what flow_finish() would say if the capture ended here, and numbers the
 * connections as they are now. More packets may come. */
void flow_preview(struct flow_engine *engine);

/* ------------------------------------------------------------------ what is known at the end */

enum flow_pairing {
    FLOW_UNPAIRED,
    FLOW_PAIRED_CM,
    FLOW_PAIRED_SPORT,
    FLOW_PAIRED_PSN,
    FLOW_PAIRED_ONLY,
};

enum flow_state {
    FLOW_STATE_OPEN,
    FLOW_STATE_CLOSED,
    FLOW_STATE_RETRY_EXHAUSTED,
    FLOW_STATE_ERROR,
};

enum {
    FLOW_MAX_PORTS = 8,    /* UDP source ports remembered of a stream */
    FLOW_NAK_RESERVED = 5, /* all codes that IBTA vol. 1, table 46 reserves; below: rdc_nak_code */
    FLOW_NAK_CODES,
};

/* What one side of a connection sent (one stream). What nearly every packet counts in is first. */
struct flow_counters {
    uint64_t packets;
    uint64_t wire_bytes;
    uint64_t payload_bytes;
    uint64_t data_packets; /* with payload or a request: neither acknowledgement nor CNP */
    uint64_t ect_packets;
    uint64_t truncated; /* packets not captured whole */
    uint64_t max_outstanding_psns;
    uint64_t max_outstanding_bytes; /* payload sent for the first time, not acknowledged */
    uint64_t icrc_checked;
    uint64_t dscp_seen; /* bit set of DSCP values 0..63 */
    uint8_t pcp_seen;   /* bit set of PCP values */
    uint8_t untagged;   /* packets without VLAN tag were seen */
    uint64_t acks;
    uint64_t message_bytes; /* payload of whole messages, once each */
    uint64_t messages[RDC_OP_COUNT];
    uint64_t dropped_messages; /* UC: messages that contain a gap, and of those within one, one */
    uint64_t retransmitted_packets;
    uint64_t retransmitted_bytes;
    uint64_t spurious;
    uint64_t out_of_order;
    uint64_t duplicates;
    uint64_t gaps;
    uint64_t gap_psns;
    uint64_t lost_before_tap;
    uint64_t lost_after_tap;
    uint64_t not_captured;
    uint64_t acked_unseen;
    uint64_t tail_missing; /* PSNs acknowledged behind the last that was seen, to the end */
    uint64_t holes_open;   /* PSNs of holes that nothing closed before the end */
    uint64_t rounds[FLOW_TRIGGER_COUNT];
    uint64_t naks[FLOW_NAK_CODES];
    uint64_t rnr_naks;
    uint64_t ce_packets; /* RoCEv1 and InfiniBand: FECN */
    uint64_t becn_packets;
    uint64_t cnps_sent; /* CNPs in this stream: they throttle the other side */
    uint64_t icrc_bad;
    uint64_t icrc_unjudged; /* wrong, where nearly all are: they mean nothing */
    uint64_t aeth_unseen;   /* responses whose AETH was cut off */
    uint64_t reads_unknown; /* READ responses whose requester was not known: not followed */
    uint64_t acked_early;   /* acknowledgements recorded before what they acknowledge */
    int64_t acked_early_ns; /* how long before, at most */
};

/* What the messages of one side of an iWARP connection say of one STag: of a buffer of the other
 * side that they write, read, change or invalidate, or of an own buffer that they offer as the sink
 * of a READ. What is in the payload of a message, where other STags are offered, is not known. */
struct flow_stag {
    uint32_t stag;
    bool own;
    uint64_t write_bytes;       /* payload of Writes, once each */
    uint64_t read_bytes;        /* that READs ask for from it; own: into it */
    uint64_t read_answer_bytes; /* payload of Read Responses into it */
    uint64_t segments;          /* FPDUs that name it: Writes, Read Responses, requests, Sends */
    uint64_t reads, atomics;    /* requests */
    uint64_t invalidates;       /* Sends with Invalidate */
    uint64_t invalidated_frame; /* of the latest one; 0: none */
    uint64_t used_after;        /* FPDUs that name it behind its invalidation */
    uint64_t first_frame, last_frame;
};

enum {
    FLOW_MPA_PRIVATE_KEPT = 64,
    /* Of one side; then the one that was named longest ago is forgotten. An FPDU that names another
     * one than the latest looks through them: 0.15 microseconds. */
    FLOW_STAGS_MAX = 64,
};

/* What one side of an iWARP connection sent, beside its flow_counters. There, `payload_bytes` are
 * RDMAP's, once each; retransmissions, late and copied packets are TCP segments; `gaps` and
 * `not_captured` count holes; `icrc_bad` and `icrc_checked` FPDUs. */
struct flow_iwarp {
    uint64_t fpdus;
    uint64_t opcodes[16]; /* of these, by enum rdc_rdmap_opcode, where it was captured */
    uint64_t crc_ok;
    uint64_t crc_bad;
    uint64_t crc_off;    /* CRCs are not in use */
    uint64_t crc_unseen; /* not captured whole */
    uint64_t markers;
    uint64_t markers_bad;       /* FPDUs with a marker that is wrong or misplaced */
    uint64_t framing_lost;      /* times that bytes could not be FPDUs */
    uint64_t tcp_payload_bytes; /* copies included */
    uint64_t tcp_hole_bytes;
    uint64_t keep_alives;
    uint64_t conflicts;      /* segments sent again with other bytes */
    uint64_t wild_segments;  /* outside of any window: ignored */
    uint64_t bytes_not_kept; /* because of a bound */
    uint64_t zero_windows;   /* times that it took nothing more */
    uint64_t zero_window_ns;
    uint64_t longest_zero_window_ns;
    uint64_t open_zero_window_ns; /* that it takes nothing at the end; not in the two above */
    uint64_t msn_gaps;
    uint64_t terminates;
    uint64_t invalidates;
    uint64_t reads_unanswered; /* READs and atomics, at the end */
    uint32_t max_outstanding_reads;
    uint32_t stag_count;
    uint64_t stags_forgotten;
    struct flow_stag *stags; /* owned by the connection; in no order; NULL: none */
    uint8_t crc_in_use;      /* 0 unknown, 1 yes, 2 no */
    bool resends_wait;       /* not all that was sent again is acknowledged */
    bool mpa_seen;
    struct flow_mpa mpa;                         /* when mpa_seen */
    uint8_t private_data[FLOW_MPA_PRIVATE_KEPT]; /* of it, behind the enhanced fields */
    uint8_t private_kept;                        /* bytes */
};

/* Distributions of one direction, of its requests where the text says nothing else */
struct flow_times {
    struct flow_histogram rtt; /* request to its acknowledgement, from the tap and back */
    struct flow_histogram message_latency; /* first packet to the acknowledgement of the message */
    struct flow_histogram nak_delay;
    struct flow_histogram resend_delay;
    struct flow_histogram recovery;
    struct flow_histogram message_size; /* bytes */
};

struct flow_endpoint {
    uint8_t address_kind; /* enum rdc_address_kind */
    uint8_t address[16];
    bool qpn_known; /* and the only one: several queue pairs may send UD to one */
    bool has_port;  /* iWARP: TCP port; there is no QPN */
    uint16_t port;
    uint32_t qpn;
};

/* One direction of a connection; borrowed from the engine. */
struct flow_direction {
    uint32_t stream;                      /* FLOW_NO_STREAM when the direction was not captured */
    const struct flow_counters *counters; /* NULL when it was not captured */
    const struct flow_times *times;       /* NULL when nothing was measured */
    const struct flow_series *throughput; /* wire bytes of all packets; NULL: too few of them */
    const struct flow_reaction *reaction; /* NULL: no marks on its data, no notification */
    const struct flow_notices *notices;   /* in it, to the other side; NULL: none */
    const struct flow_path *path;         /* NULL when it was not captured */
    int64_t last_data_ns;                 /* INT64_MIN: it sent no data */
    uint32_t cm_pmtu_bytes;               /* path MTU as CM said; 0: unknown */
    const struct flow_iwarp *iwarp;       /* NULL for other transports */
    const uint16_t *ports;                /* UDP source ports in order of appearance */
    uint8_t port_count;
    uint8_t state; /* enum flow_state */
    int64_t first_ns, last_ns;
    bool psn_tracked; /* PSNs could be followed */
};

struct flow_connection {
    uint32_t id;       /* 1.. in order of first_frame */
    uint8_t transport; /* enum rdc_transport */
    uint8_t service;   /* enum rdc_service; iWARP: RDC_SERVICE_RESERVED */
    bool inferred;     /* iWARP: the MPA handshake was not seen */
    uint8_t paired_by; /* enum flow_pairing */
    uint8_t state;     /* enum flow_state: the worse of both directions */
    bool has_tunnel;
    struct rdc_tunnel tunnel;
    struct flow_endpoint a, b; /* a sent the connection's first frame */
    struct flow_direction a_to_b, b_to_a;
    uint32_t pmtu_bytes; /* 0: unknown */
    uint64_t service_id; /* of CM; 0: unknown */
    uint32_t epochs;
    uint64_t first_frame, last_frame;
    int64_t first_ns, last_ns;
    uint32_t ack_timeout_ns_known; /* 1 when ack_timeout_ns is known */
    uint64_t ack_timeout_ns;       /* of CM: the timer may fire at one to four times it */
};

/* After flow_finish or flow_preview. `out` borrows from the engine. */
size_t flow_connection_count(const struct flow_engine *engine);
/* Of these, iWARP; at any time */
size_t flow_iwarp_count(const struct flow_engine *engine);
/* And their packets, SYNs and acknowledgements too; at any time */
struct flow_iwarp_traffic {
    uint64_t connections, packets, wire_bytes;
    uint64_t fpdus[16]; /* by enum rdc_rdmap_opcode, where that was captured */
};
struct flow_iwarp_traffic flow_iwarp_traffic(const struct flow_engine *engine);
void flow_connection_get(const struct flow_engine *engine, size_t index,
                         struct flow_connection *out);
/* What one side sent; all zero for a direction that was not captured: for sums over both. */
const struct flow_counters *flow_counters_of(const struct flow_connection *connection, bool a_to_b);
/* Connection of a stream (0-based index) and whether the stream is its a_to_b; false for streams
 * that are no part of a connection (management, multicast). */
bool flow_stream_connection(const struct flow_engine *engine, uint32_t stream, uint32_t *index,
                            bool *a_to_b);

/* The stream of a key, or FLOW_NO_STREAM */
uint32_t flow_stream_of(const struct flow_engine *engine, const struct flow_key *key);

/* Whether both directions of a connection are on the capture */
bool flow_connection_paired(const struct flow_engine *engine, size_t index);

/* How a stream is paired now, at any time; false: there is no such stream */
struct flow_stream_pairing {
    uint32_t peer;     /* FLOW_NO_STREAM */
    uint8_t paired_by; /* enum flow_pairing */
    bool final;        /* no later packet changes who its peer is */
};
bool flow_stream_pairing_get(const struct flow_engine *engine, uint32_t stream,
                             struct flow_stream_pairing *out);
/* QPN of the stream's sender; false: not known (yet), or UD, and there are several */
bool flow_stream_source(const struct flow_engine *engine, uint32_t stream, uint32_t *qpn);

enum {
    FLOW_UNANSWERED_FRAMES = 3,
};

/* Requests at the end of a reliable stream that ask for an answer (AckReq, READs and alike) and
 * have none; false: there are none, it was refused for want of a buffer, gave up or was closed */
struct flow_unanswered {
    uint64_t count;
    uint64_t frames[FLOW_UNANSWERED_FRAMES]; /* of the first ones */
    uint32_t psn;                            /* of the first, and when it was sent first */
    int64_t from_ns;
    int64_t timeout_ns; /* acknowledgement timeout of CM; 0: unknown */
};
bool flow_unanswered_get(const struct flow_engine *engine, uint32_t stream,
                         struct flow_unanswered *out);

/* A sequence NAK to a reliable stream that still waits: what it asks for did not go out again, and
 * no acknowledgement covers it. Of several the first; false: there is none, or the stream was
 * closed. */
struct flow_open_nak {
    uint64_t frame; /* of the NAK */
    int64_t time_ns;
    uint32_t psn;          /* that it asks for */
    uint64_t packet_frame; /* of the first packet with that PSN; 0: it did not come here */
};
bool flow_open_nak_get(const struct flow_engine *engine, uint32_t stream,
                       struct flow_open_nak *out);

/* What the latest packet was to its connection; valid until the next one */
const struct flow_facts *flow_latest_facts(const struct flow_engine *engine);

/* Names as reports write them; static strings. NULL for no such thing. */
const char *flow_event_name(uint8_t kind);
const char *flow_trigger_name(uint8_t trigger);
const char *flow_hole_end_name(uint8_t as);
const char *flow_pairing_name(uint8_t pairing); /* NULL for FLOW_UNPAIRED */
const char *flow_state_name(uint8_t state);

/* What the whole capture shows */
struct flow_summary {
    uint64_t packets;
    int64_t first_ns, last_ns;
    uint64_t time_disorder; /* packets older than one before them */
    int64_t time_disorder_max_ns;
    bool captured_twice;         /* most packets come twice */
    uint64_t management_packets; /* QP0, QP1 */
    uint64_t multicast_packets;
    uint64_t icrc_bad;          /* of all packets, those of no stream too */
    uint64_t icrc_unjudged;     /* the same: wrong, where nearly all of a sender are */
    uint64_t untracked_packets; /* of streams beyond max_streams */
    uint64_t state_refused;     /* times that there was no memory for state of a stream */
    uint64_t undone_pairings;
};
void flow_summary_get(const struct flow_engine *engine, struct flow_summary *out);

#endif
