/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * iWARP connections: TCP packets in; FPDUs, events and counters out. Private to analyzer/flow.
 *
 * Memory: tcp_watch.h for other TCP; about 6 KiB for a connection that is followed, and 6 KiB more
 * where each side names FLOW_STAGS_MAX STags, beside what its streams hold (tcp_stream.h), which is
 * together at most `held_bytes` of the configuration.
 */
#ifndef FLOW_IWARP_H
#define FLOW_IWARP_H

#include "flow/flow.h"
#include "flow/key.h"
#include "flow/mpa_stream.h"
#include "flow/series.h"
#include "flow/tcp_track.h"
#include "flow/tcp_watch.h"

enum {
    IWARP_UNPROVED_MAX = 4096, /* connections followed without proof; then the oldest goes */
    IWARP_QUEUES = 4,        /* 0 Send, 1 Read and Atomic Request, 2 Terminate, 3 Atomic Response */
    IWARP_TAGGED = 2,        /* Write, Read Response */
    IWARP_READS_MAX = 64,    /* requests of one side that wait for their answer */
    IWARP_MESSAGES_MAX = 64, /* messages of one side that wait for TCP's acknowledgement */
};

struct iwarp_read {
    uint32_t stag, id; /* READ: the sink's; atomic: its request id */
    uint64_t to, size;
    int64_t start_ns;
    bool atomic;
};

struct iwarp_message {
    bool open;
    int64_t start_ns;
    uint64_t bytes;
};

struct iwarp_unacked {
    int64_t end; /* position behind the message */
    int64_t start_ns;
};

struct iwarp_queue {
    bool known;
    uint32_t next; /* MSN of the next message */
};

/* Resends of the same bytes without an answer */
struct iwarp_tries {
    uint32_t resends; /* 0: none */
    int64_t pos;      /* of the bytes */
    struct flow_round first, latest;
};

struct iwarp_dir {
    struct tcp_track track;
    struct flow_counters c;
    struct flow_iwarp w;
    struct flow_times *times;   /* owned, lazily */
    struct flow_series *series; /* owned, lazily */
    int64_t first_ns, last_ns;  /* of its packets that were followed */
    struct iwarp_queue queues[IWARP_QUEUES];
    struct iwarp_message untagged[IWARP_QUEUES], tagged[IWARP_TAGGED];
    struct iwarp_read *reads;      /* owned, lazily: a ring of IWARP_READS_MAX */
    struct iwarp_unacked *unacked; /* owned, lazily: a ring of IWARP_MESSAGES_MAX */
    uint32_t read_first, read_count, unacked_first, unacked_count;
    uint32_t stag_room, stag_latest; /* of w.stags: allocated; the one named last */
    uint32_t given_up;               /* holes beyond TCP_RUNS_MAX, not acknowledged so far */
    int64_t given_up_first;          /* where the first of them begins, and how long all are */
    uint64_t given_up_bytes;
    struct iwarp_tries tries;
    uint32_t rounds;   /* told */
    int64_t answer_ns; /* latest acknowledgement that acknowledged nothing more */
    bool contiguous;   /* no hole since the last FPDU */
    bool syn_seen, fin_seen;
    bool from_syn;      /* the stream's first byte is known */
    uint32_t isn;       /* when syn_seen */
    uint32_t ack_early; /* when ack_waits: acknowledged before its first byte was seen */
    bool ack_waits;
    bool window_closed; /* it takes nothing more for the moment */
    int64_t closed_ns;
    int64_t resent_end; /* of what was sent again */
    uint16_t port;
};

struct iwarp_conn {
    struct mpa mpa;
    struct iwarp_dir dir[2];
    uint32_t index;
    uint32_t number;   /* of the connection among all, when numbered; else UINT32_MAX */
    uint8_t first_dir; /* of the first frame */
    uint8_t state;     /* enum flow_state */
    uint32_t epochs;
    uint32_t looks; /* segments followed in vain */
    uint64_t first_frame, last_frame;
    int64_t first_ns, last_ns;
    struct rdc_tunnel tunnel;
};

struct iwarp_slot {
    struct flow_key key; /* smaller (address, port) first; dest_qpn: both ports */
    uint64_t hash;
    struct iwarp_conn *conn; /* owned; NULL: it turned out to be something else */
};

struct iwarp {
    struct flow_engine *engine;
    struct tcp_pool pool;
    struct tcp_watch watch;
    struct flow_table table;
    struct iwarp_slot *slots; /* owned */
    uint32_t count, room;
    uint32_t known;     /* connections that are iWARP */
    uint32_t *unproved; /* owned: a ring of slots that are followed without proof yet */
    uint32_t unproved_first, unproved_count;
    /* the packet at hand */
    const struct rdc_packet *pkt;
    unsigned dir; /* the way it goes */
};

/* NULL when memory is refused. Borrows the engine: its sink, hash key and bounds. */
struct iwarp *iwarp_new(struct flow_engine *engine);
void iwarp_free(struct iwarp *w);
/* A TCP packet */
void iwarp_packet(struct iwarp *w, const struct rdc_packet *pkt);
/* Counts what is open or unanswered now. */
void iwarp_finish(struct iwarp *w);

static inline uint32_t iwarp_stream(const struct iwarp_conn *conn, unsigned dir)
{
    return FLOW_IWARP_STREAM | conn->index << 1 | dir;
}

/* The connection of a stream number that is iWARP's */
static inline struct iwarp_slot *iwarp_slot_of(const struct iwarp *w, uint32_t stream)
{
    return &w->slots[(stream & ~FLOW_IWARP_STREAM) >> 1];
}

/* iwarp_view.c */
/* The connections that are iWARP, by first frame; the caller frees the list. */
struct iwarp_conn **iwarp_in_order(const struct iwarp *w, uint32_t *count);
struct flow_iwarp_traffic iwarp_traffic(const struct iwarp *w);
/* All but the id */
void iwarp_connection_get(const struct iwarp *w, uint32_t stream, struct flow_connection *out);

bool iwarp_stream_connection(const struct iwarp *w, uint32_t stream, uint32_t *index, bool *a_to_b);

/* iwarp_conn.c */
struct iwarp_conn *iwarp_conn_new(struct iwarp *w, const struct tcp_watched *row,
                                  const struct rdc_packet *pkt, unsigned dir);
void iwarp_conn_free(struct iwarp_conn *conn);
void iwarp_conn_packet(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                       const struct rdc_packet *pkt);
void iwarp_conn_finish(struct iwarp *w, struct iwarp_conn *conn);
void iwarp_event(struct iwarp *w, const struct iwarp_conn *conn, unsigned dir,
                 struct flow_event *event);
bool iwarp_is_keep_alive(const struct tcp_stream *s, const struct rdc_tcp *tcp);
struct flow_times *iwarp_times(struct iwarp_dir *dir);

/* iwarp_segment.c */
/* The payload of the packet at hand */
void iwarp_take_data(struct iwarp *w, struct iwarp_conn *conn, unsigned dir);
/* What the other side acknowledges of what `dir` sent */
void iwarp_take_ack(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                    const struct rdc_tcp *tcp);

/* iwarp_tries.c */
/* A segment with bytes that are not acknowledged came again. */
void iwarp_resent(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                  const struct tcp_segment *seg, const struct tcp_verdict *v);
/* The packet at hand acknowledges all that `dir` sent before `acked`; not more than before where
 * it is sent for that alone, or ends the connection. */
void iwarp_answered(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t acked);

/* iwarp_message.c */
void iwarp_fpdu(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                const struct mpa_found *found);
/* TCP acknowledged everything that `dir` sent before `pos`. */
void iwarp_acknowledged(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t pos);

/* iwarp_stag.c */
/* The STags that a segment names */
void iwarp_note_stags(struct iwarp_dir *d, const struct flow_fpdu *f, uint64_t frame);

#endif
