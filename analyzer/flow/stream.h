/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of the engine, its streams and its pairs of hosts; private to analyzer/flow. A stream
 * is one direction. Its `requester` follows the requests that its sender makes; its `responder`
 * follows the answers that its sender gives to the peer's requests.
 */
#ifndef FLOW_STREAM_H
#define FLOW_STREAM_H

#include <assert.h>

#include "flow/arena.h"
#include "flow/early.h"
#include "flow/flow.h"
#include "flow/history.h"
#include "flow/hole.h"
#include "flow/key.h"
#include "flow/message.h"
#include "flow/path.h"
#include "flow/reads.h"
#include "flow/series.h"

enum {
    TRIGGERS_MAX = 8,               /* NAKs of one stream that wait for their answer */
    ROUNDS_KEPT = FLOW_ROUNDS_OPEN, /* latest rounds of a stream whose recovery may still be seen */
    UNSURE_MAX = 8,                 /* rounds whose trigger a learned timeout may change */
    CLOSINGS_MAX = 64,              /* of one stream: fills that may prove late */
    CANDIDATES_MAX = 8,
    SEARCH_FIRST = 1 << 24, /* streams looked at for pairs before each search must be earned */
    SERIES_FROM = 8,        /* packets of a stream before its throughput is followed */
    EPOCH_JUMP = 1 << 22,   /* PSNs: no window is this large */
};

#define SILENCE_NS 500000     /* shortest silence that is a timeout */
#define COPY_NS 100000        /* longest delay of a copy that has no IP id to prove it */
#define ID_COPY_NS 1000000000 /* longest delay of a copy that has */

#define NEVER INT64_MIN

/* A NAK or RNR NAK that the requester has to answer by going back */
struct trigger {
    int64_t u;    /* its PSN, unwrapped */
    int64_t high; /* next PSN of the requests when it came */
    uint64_t frame;
    int64_t time_ns;
    int64_t nak_delay_ns;
    int64_t evidence_ns; /* when the loss first showed */
    uint16_t sent_id;    /* IP id of what its stream had sent last when it came */
    bool has_id;
    bool rnr;
    bool gone_back; /* a round began at or beyond its PSN */
    bool resent;    /* its PSN went out again in a round that was running already */
};

struct round_state {
    struct flow_round report;
    int64_t u, end;                     /* rewound to; behind the highest PSN before */
    int64_t pos;                        /* highest PSN of the round so far */
    uint16_t first_id, pos_id, last_id; /* IP ids: of the first packet, of `pos`, the latest */
    uint16_t end_id;                    /* of the new data that ended it, else that of `pos` */
    bool has_id;
    bool from_read;    /* it began with a READ or atomic */
    uint64_t fills;    /* packets of it that filled holes and may be late originals */
    int64_t last_fill; /* PSN of the latest one; the history tells those before */
    int64_t evidence_ns;
    int64_t silence_ns;
};

/* Responses since the latest round began: one beyond a PSN that is requested again, or an
 * acknowledgement of just that PSN without data, tells that the answer to it was lost (implied
 * NAK).
 */
struct read_evidence {
    int64_t beyond; /* highest PSN answered; NEVER: none */
    uint64_t frame; /* of that answer */
    int64_t time_ns;
    bool ack; /* it was an acknowledgement without data */
};

struct retries {
    int64_t u;
    uint32_t tries;
    uint32_t rnr_naks;
    uint64_t frame;
    int64_t last_ns;
    int64_t interval_ns;
};

/* A round with a pending NAK and no known timeout */
struct unsure {
    struct flow_round report;
    int64_t silence_ns;
};

/* Events of a packet that filled a hole and may prove late */
struct closing {
    uint64_t resend, close; /* their numbers */
    uint32_t count;         /* PSNs */
};

struct recovery {
    struct trigger triggers[TRIGGERS_MAX];
    struct round_state rounds[ROUNDS_KEPT]; /* number % ROUNDS_KEPT */
    struct unsure *unsure;                  /* of the arena, of UNSURE_MAX; lazily */
    struct closing *closings;               /* of the arena, the latest CLOSINGS_MAX; lazily */
    uint32_t closing_count;
    /* what trigger_least_silence() said when there were so many round trips: a median is slow */
    uint64_t median_of;
    int64_t least_silence_ns;
};

/* The members that nearly every packet needs come first, so that they are few cache lines; so do
 * those of `struct stream`. */
struct requester {
    int64_t next;   /* behind the highest PSN seen */
    int64_t acked;  /* PSNs below are acknowledged; NEVER */
    int64_t base;   /* first PSN seen */
    uint64_t bytes; /* payload of requests sent for the first time */
    uint64_t acked_bytes;
    struct history seen;

    int64_t last_ns;     /* latest request */
    int64_t last_new_ns; /* latest request with a new PSN */
    struct messages messages;
    bool started;
    bool in_round;  /* the latest round has not ended */
    bool recovered; /* from the latest round */
    bool loose;     /* the last request is a READ of unknown PSN count: `next` is a lower bound */
    uint16_t trigger_count;
    bool early_waits; /* early.count > 0 */
    struct holes holes;

    int64_t covered; /* as `acked`, with what NAKs say */
    struct reads reads;
    int64_t last_resent_ns; /* latest resend; NEVER */
    uint32_t round_count;
    uint32_t unsure_count;

    struct read_evidence evidence;
    struct retries retries;

    int64_t learned_ns;        /* smallest silence before a resend that no NAK explains; 0: none */
    int64_t timeout_ns;        /* acknowledgement timeout of CM; 0: unknown */
    struct recovery *recovery; /* of the arena; from the first trigger or round on */
    struct early_acks early;
};

/* Of a request that comes as expected: two lines. Its answer needs one more. */
static_assert(sizeof(void *) < 8 || (offsetof(struct requester, last_ns) == FLOW_LINE &&
                                     offsetof(struct requester, holes.list) == 2 * FLOW_LINE &&
                                     offsetof(struct requester, evidence) == 3 * FLOW_LINE),
              "the members do not fill the lines");

struct responder {
    bool started;
    bool in_message; /* the last response was FIRST or MIDDLE */
    int64_t next;
    struct history seen;
    struct holes holes;
};

struct id_track {
    int64_t sum;
    uint32_t steps, near; /* non-zero steps; those within +-4096 */
    int32_t step;         /* the latest */
    uint16_t last;
    bool any;
};

struct candidate {
    uint32_t stream;
    uint32_t hits;
    uint32_t exact;
};

struct stream {
    struct flow_key key;
    uint32_t index;
    uint32_t peer;     /* FLOW_NO_STREAM */
    uint8_t side;      /* 0: sent by the pair's first address */
    uint8_t service;   /* enum rdc_service; RESERVED: only CNPs so far */
    uint8_t paired_by; /* enum flow_pairing */
    uint8_t state;
    bool port_tried;
    bool local_qpn_known; /* QPN of the sender, from CM, the peer's stream or DETH */
    uint8_t port_count;
    uint8_t candidate_count;

    uint64_t last_frame;
    int64_t last_ns;
    int64_t last_data_ns; /* NEVER */
    struct id_track ids;
    uint32_t pmtu; /* of the connection; copied to both streams */
    uint16_t last_port;
    uint16_t sender;            /* of its latest checked packet, +1 (checksum.h); 0: none yet */
    struct flow_series *series; /* of the arena, from the SERIES_FROM-th packet on */

    struct requester *requester;   /* of the arena, lazily */
    struct responder *responder;   /* of the arena, lazily */
    struct congestion *congestion; /* of the arena; only where there were marks or notifications */
    struct flow_times *times;      /* of the arena, lazily */
    struct flow_path path;

    struct flow_counters c;

    uint32_t matches, misses; /* of responses with the peer's request PSNs */
    uint32_t pair;
    uint32_t next_in_pair; /* of the same direction */
    uint32_t next_of_port; /* chain of the port table */
    uint32_t local_qpn;
    uint32_t epochs;
    uint32_t cm_pmtu; /* as CM said; 0: unknown */
    uint16_t ports[FLOW_MAX_PORTS];
    uint16_t first_port;          /* of the first packet that is no CNP */
    bool answered_before;         /* it answered in a pairing that was undone */
    struct candidate *candidates; /* of the arena, lazily */
    uint32_t vain_searches;       /* responses that answer no stream's requests */
    uint64_t first_frame;
    int64_t first_ns;
    int64_t torn_down_ns; /* NEVER */
    uint64_t service_id;
    struct rdc_tunnel tunnel;
    uint32_t interface; /* of the first packet */
};

/* What most packets need is in four cache lines (of processors with 64 bits). */
static_assert(sizeof(void *) < 8 || (offsetof(struct stream, last_frame) == FLOW_LINE &&
                                     offsetof(struct stream, requester) == 2 * FLOW_LINE &&
                                     offsetof(struct stream, c) == 4 * FLOW_LINE),
              "the members do not fill the lines");

struct host_pair {
    struct flow_key key;   /* smaller address first */
    uint32_t streams[2];   /* heads of the chains, by side */
    uint32_t connected[2]; /* streams of services that have connections */
};

struct known;

struct flow_engine {
    struct flow_config config;
    struct flow_sink sink;
    struct flow_facts facts; /* of the packet at hand */
    struct flow_hash_key hash_key;
    struct flow_table stream_table, pair_table, port_table;
    struct stream *likely;   /* most likely that of the packet at hand; NULL: no idea */
    struct known *known;     /* owned, of RDC_CONTEXTS; lazily */
    struct stream **streams; /* of the arena */
    uint32_t stream_count, stream_room;
    struct host_pair *pairs; /* of the arena */
    uint32_t pair_count, pair_room;
    int64_t search_credit; /* streams that may still be looked at for pairs */
    struct cm_table *cm;   /* owned, lazily */
    struct iwarp *iwarp;   /* owned, lazily */
    struct flow_table sender_table;
    struct icrc_sender *senders; /* of the arena */
    uint32_t sender_count, sender_room;
    struct icrc_sender *early; /* of the packet at hand, when its bad ICRC can't be judged yet */
    struct flow_arena arena;   /* of the streams' state */
    struct flow_summary summary;
    uint64_t repeats, tracked; /* exact repeats within COPY_NS; packets that could have one */
    struct flow_connection_ref *connections; /* owned; after flow_finish */
    uint32_t connection_count;
    uint32_t *connection_of; /* owned: stream -> connection index, UINT32_MAX */
};

/* Memory for something was refused: what is said of the capture lacks it. */
static inline void engine_refused(struct flow_engine *e)
{
    e->summary.state_refused++;
}

struct flow_connection_ref {
    uint32_t a_to_b, b_to_a; /* stream indexes or FLOW_NO_STREAM */
};

/* ---- small helpers that all files use */

static inline int64_t unwrap(int64_t near, uint32_t psn)
{
    return near + rdc_psn_diff(psn, (uint32_t)near & RDC_PSN_MASK);
}

static inline uint32_t wire_psn(int64_t u)
{
    return (uint32_t)u & RDC_PSN_MASK;
}

static inline void flow_counters_dscp(struct flow_counters *c, const struct rdc_packet *pkt)
{
    c->dscp_seen |= (uint64_t)1 << (pkt->ip.dscp & 63);
}

static inline void flow_counters_pcp(struct flow_counters *c, const struct rdc_packet *pkt)
{
    if (pkt->vlan_count > 0)
        c->pcp_seen |= (uint8_t)(1 << (pkt->vlans[pkt->vlan_count - 1].pcp & 7));
    else
        c->untagged = 1;
}

static inline struct stream *stream_peer(const struct flow_engine *e, const struct stream *s)
{
    return s->peer == FLOW_NO_STREAM ? NULL : e->streams[s->peer];
}

/* whether the sender's IPv4 identifications count up, so that they tell the order of sending; a
 * step back of the packet at hand is what they are asked about */
static inline bool stream_ids_count(const struct stream *s)
{
    int64_t back = s->ids.step < 0 ? s->ids.step : 0;

    return s->ids.steps > 0 && s->ids.near * 10ull >= s->ids.steps * 9ull && s->ids.sum > back;
}

/* most packets of the capture come twice */
static inline bool engine_captured_twice(const struct flow_engine *e)
{
    return e->tracked >= 16 && e->repeats * 5 >= e->tracked * 2;
}

/* engine.c */
uint64_t engine_event(struct flow_engine *e, struct flow_event *event, const struct stream *s,
                      const struct rdc_packet *pkt);
/* A data packet that is marked, after it was counted: its event */
void engine_mark(struct flow_engine *e, struct stream *s, uint64_t frame, int64_t time_ns);
/* table.c */
/* The pair of hosts of a key, made when new, and the side that sends; false when memory is refused.
 */
bool engine_pair(struct flow_engine *e, const struct flow_key *key, uint32_t *pair, uint8_t *side);
/* The stream of the packet at hand; `create`: made when there is none. NULL: none, or no room for
 * one more.
 */
struct stream *engine_stream(struct flow_engine *e, const struct rdc_packet *pkt, bool create);
/* Of the key of its stream; of a packet of kind BTH */
uint64_t engine_hash(const struct flow_engine *e, const struct rdc_packet *pkt);
/* The stream that a packet of this hash most likely belongs to, or FLOW_NO_STREAM */
uint32_t engine_expected(const struct flow_engine *e, uint64_t hash);
/* The stream that this side of a pair of hosts sends to a QPN, or NULL */
struct stream *engine_stream_to(const struct flow_engine *e, uint32_t pair, uint8_t side,
                                uint32_t qpn);
struct flow_times *stream_times(struct flow_engine *e,
                                struct stream *s); /* NULL when memory is refused */

/* Fingerprint of a packet: its headers, UDP source port, ICRC */
static inline uint32_t headers_print(uint32_t headers_hash, uint16_t port, bool icrc_captured,
                                     uint32_t icrc)
{
    uint32_t print = headers_hash ^ ((uint32_t)port * 0x9e3779b1u);

    return icrc_captured ? (print ^ icrc) * 0x85ebca6bu : print;
}

static inline uint32_t packet_print(const struct rdc_packet *pkt)
{
    return headers_print(pkt->ib.headers_hash, pkt->src_port, pkt->ib.icrc_captured, pkt->ib.icrc);
}

static inline bool packet_has_id(const struct rdc_packet *pkt)
{
    return pkt->address_kind == RDC_ADDRESS_IPV4 && pkt->ip.id != 0;
}
/* 0: it has none */
static inline uint16_t packet_id(const struct rdc_packet *pkt)
{
    return pkt->address_kind == RDC_ADDRESS_IPV4 ? pkt->ip.id : 0;
}

#endif
