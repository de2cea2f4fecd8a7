/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is remembered of the segments that one side of a TCP connection sent: to tell what was sent
 * again, copied or late, to time acknowledgements, and to see which resends were needed. Bounded:
 * the latest TCP_SENT_MAX segments.
 */
#ifndef FLOW_TCP_TRACK_H
#define FLOW_TCP_TRACK_H

#include "flow/tcp_stream.h"

enum {
    TCP_SENT_MAX = 128, /* a segment that comes again looks through them: half a microsecond */
    TCP_GAPS_MAX = 8,   /* holes given up that bytes may still come for */
    TCP_TOLD_MAX = 4,   /* packets without bytes that tell of bytes not seen */
};

/* No timer of a sender is shorter (RFC 6298, 2.4, wants a second) */
#define TCP_TIMER_MIN_NS ((int64_t)1000000)

/* Of a segment sent again although its first copy was seen: was that one lost? */
enum tcp_need {
    TCP_NOT_ASKED,
    TCP_NEED_WAITS, /* for the acknowledgement of its bytes */
    TCP_NEEDED,     /* until the receiver says that it has them twice */
};

struct tcp_sent {
    int64_t pos;
    uint32_t size;
    uint32_t print;              /* of its captured bytes */
    uint64_t frame, first_frame; /* its own; of the first copy of its first byte */
    int64_t time_ns;
    uint32_t ts;     /* time stamp (RFC 7323), or 0 */
    uint16_t id;     /* IPv4 identification, or 0 */
    bool again : 1;  /* sent before, or closing a hole: no round trip from it (Karn) */
    bool unseen : 1; /* sent again, and missing before */
    uint8_t need;    /* enum tcp_need */
};

struct tcp_gap {
    int64_t first, end;
};

struct tcp_told {
    int64_t pos; /* all before was sent */
    struct tcp_mark mark;
};

struct tcp_track {
    struct tcp_sent *ring; /* owned, lazily; grows to TCP_SENT_MAX */
    uint32_t room;
    uint64_t count, unacked;
    uint64_t marked;   /* of those before, what is not acknowledged has `again` set */
    uint64_t segments; /* with payload */
    int64_t acked;     /* by the other side; 0: nothing yet */
    int64_t srtt_ns;   /* smoothed; 0: unknown */
    int64_t min_rtt_ns;
    uint32_t rtts;    /* samples */
    uint32_t waiting; /* resends that wait for their acknowledgement, at least */
    uint16_t last_id;
    bool any_id;
    uint32_t id_steps, id_near;
    int64_t id_sum;
    struct tcp_gap gaps[TCP_GAPS_MAX];
    struct tcp_told told[TCP_TOLD_MAX];
    uint8_t gap_count, told_count;
};

/* Of the remembered ones, up to t->count */
static inline uint64_t tcp_track_oldest(const struct tcp_track *t)
{
    return t->count > t->room ? t->count - t->room : 0;
}

static inline struct tcp_sent *tcp_track_sent(const struct tcp_track *t, uint64_t i)
{
    return &t->ring[i & (t->room - 1)];
}

enum tcp_class {
    TCP_IN_ORDER,
    TCP_AHEAD,  /* opens a hole */
    TCP_LATE,   /* an original that was overtaken: it closes (part of) a hole, or comes after its
                   own resend */
    TCP_RESENT, /* bytes that were seen, or that close a hole and were sent again */
    TCP_COPY,   /* the same packet again: the network's or the mirror's */
    TCP_KEEP_ALIVE,
};

/* May a timer have run out after so long a silence? It is longer than a round trip. */
static inline bool tcp_track_timer_ran(const struct tcp_track *t, int64_t silence_ns)
{
    return silence_ns >= TCP_TIMER_MIN_NS && silence_ns >= t->srtt_ns;
}

struct tcp_verdict {
    uint8_t class;           /* enum tcp_class */
    bool certain;            /* late or resent */
    bool unseen;             /* resent: it was missing before */
    bool not_lost;           /* late: a resend of it was said to be `unseen` */
    bool conflict;           /* bytes that were seen are others now */
    uint32_t seen;           /* bytes of it that were seen already */
    uint64_t original_frame; /* the first copy; of a copy of a packet, that one; 0: not known */
    int64_t latest_ns;       /* resent: when its first byte was last seen; 0: not known */
    uint64_t late_packets;
    int64_t late_ns;
};

void tcp_track_done(struct tcp_track *t);
/* Another life of the connection */
void tcp_track_reset(struct tcp_track *t);
/* Judges a segment with payload, before it is added to its stream, and remembers it.
 * reorder_window_ns: see struct flow_config. */
struct tcp_verdict tcp_track_segment(struct tcp_track *t, const struct tcp_stream *s,
                                     const struct tcp_segment *seg, int64_t reorder_window_ns);
/* A packet without bytes stands at `pos`: all before was sent. */
void tcp_track_told(struct tcp_track *t, const struct tcp_stream *s, int64_t pos,
                    const struct tcp_mark *mark);
/* The latest segment sent again bytes whose first copy was seen, and not acknowledged. */
void tcp_track_doubt(struct tcp_track *t);

/* Everything before `pos` is acknowledged. */
struct tcp_acked {
    int64_t pos;
    int64_t time_ns;
    bool has_echo;
    uint32_t echo; /* of the time stamp of the segment that made it possible (RFC 7323, 4.3) */
};
struct tcp_answer {
    int64_t rtt_ns;    /* a sample of the round trip; -1: none */
    uint32_t needless; /* doubtful segments whose first copy had arrived after all */
};
struct tcp_answer tcp_track_acked(struct tcp_track *t, const struct tcp_acked *ack);
/* The receiver has [begin, end) twice; returns how many doubtful segments were needless. */
uint32_t tcp_track_twice(struct tcp_track *t, int64_t begin, int64_t end);
void tcp_track_gap(struct tcp_track *t, int64_t first, int64_t end);
/* Was [pos, pos + size) given up as missing? */
bool tcp_track_in_gap(const struct tcp_track *t, int64_t pos, uint32_t size);

#endif
