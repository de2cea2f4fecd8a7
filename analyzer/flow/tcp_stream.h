/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One direction of a TCP connection (RFC 9293): which bytes of it have been seen, in runs without a
 * hole, and the bytes that its reader still needs. What is read does not wait for a hole: each run
 * can be read on its own, and runs grow together when the hole between them closes.
 *
 * Positions are sequence numbers unwrapped to 64 bits. Where bytes come twice, the first ones stay.
 * Memory of one direction: at most TCP_RUNS_MAX runs and TCP_HELD_MAX held bytes.
 */
#ifndef FLOW_TCP_STREAM_H
#define FLOW_TCP_STREAM_H

#include "flow/tcp_piece.h"

enum {
    TCP_RUNS_MAX = 64,
    TCP_HELD_MAX = 512 << 10,
    TCP_UNREAD_MAX = 160 << 10,  /* of a run whose framing is not known: two of the longest FPDUs */
    TCP_UNREAD_LEFT = 140 << 10, /* what is left of it when some has to go */
    TCP_WAITS_MAX = 16,
};

/* A place where messages may begin, and the bytes that tell */
struct tcp_wait {
    int64_t pos, need;
};

/* A packet that shows that bytes before were sent, with what its sender counts */
struct tcp_mark {
    int64_t time_ns;
    uint64_t number; /* of segments of this direction before it */
    uint32_t ts;     /* 0: none */
    uint16_t id;     /* 0: none */
};

/* Bytes [begin, end) have all been seen. Its reader has read [first, pos) and wants the rest; pos
 * is behind end when it can do without bytes that are still to come. */
struct tcp_run {
    struct tcp_run *next; /* behind a hole; or in the list of free ones */
    int64_t begin, end;
    /* The reader's. Not synced: where messages begin is not known, and nothing was read. */
    bool synced;
    bool start_up; /* what stands at pos is not yet an FPDU: an MPA start-up frame */
    bool lost;     /* framing was known before, and said to be lost */
    bool tried;    /* all that is held has been searched */
    uint8_t wait_count;
    int64_t scanned; /* places before are refused, or wait */
    struct tcp_wait waits[TCP_WAITS_MAX];
    int64_t first, pos;
    struct tcp_piece *head;          /* held bytes of [begin, first) */
    struct tcp_piece *pieces, *last; /* held bytes from pos on; all of them when not synced */
    const struct tcp_piece *near;    /* of `pieces`, while they are searched: where; else NULL */
    uint32_t held;
    struct tcp_mark opened; /* the segment that opened the hole before this run */
};

struct tcp_segment {
    int64_t pos;
    uint32_t size;
    uint32_t captured;
    const uint8_t *bytes; /* borrowed */
    uint64_t frame;
    int64_t time_ns;
    uint64_t number; /* of the segments of this direction */
    bool has_id, has_ts;
    uint16_t id; /* IPv4 identification */
    uint32_t ts; /* TCP time stamp */
};

struct tcp_stream {
    struct tcp_pool *pool;               /* borrowed */
    struct tcp_run *front, *back, *free; /* owned; front to back in order of position */
    uint32_t run_count;
    uint32_t held;
    uint64_t unheld; /* bytes that were let go because of a bound */
    bool started;
    bool coarse;  /* where segments began is not wanted: pieces may be joined */
    int64_t high; /* behind the highest byte seen */
};

void tcp_stream_init(struct tcp_stream *s, struct tcp_pool *pool);
void tcp_stream_done(struct tcp_stream *s);
/* Forgets what was seen: the next byte is `seq`. False when memory is refused. */
bool tcp_stream_start(struct tcp_stream *s, uint32_t seq);
int64_t tcp_stream_pos(const struct tcp_stream *s, uint32_t seq);

/* How much of [pos, pos + size) has been seen already. *hole: the run behind the first hole that
 * the range (partly) fills, or NULL. */
uint32_t tcp_stream_seen(const struct tcp_stream *s, int64_t pos, uint32_t size,
                         struct tcp_run **hole);

/* Adds the first bytes of the segment at or behind *from that are new, sets *from behind them, and
 * returns the run that has them now at its end; NULL when there are no more, or no memory. The last
 * piece of the run borrows the segment's bytes: call tcp_stream_keep() when the run was read. */
struct tcp_run *tcp_stream_add(struct tcp_stream *s, const struct tcp_segment *seg, int64_t *from);
/* Copies borrowed bytes that are still wanted. */
void tcp_stream_keep(struct tcp_stream *s, struct tcp_run *run);
/* Is the hole behind a run closed? */
static inline bool tcp_run_touches_next(const struct tcp_run *run)
{
    return run->next != NULL && run->end == run->next->begin;
}
/* Takes the run behind `run`, which it touches, into it; `from` is what that run was. When it was
 * synced, the bytes up to from->first follow those of `run`, and from->pieces, which begin at
 * from->pos, must be given back with tcp_run_append() when the bytes before are read. */
void tcp_stream_join(struct tcp_stream *s, struct tcp_run *run, struct tcp_run *from);
void tcp_run_append(struct tcp_run *run, struct tcp_piece *list, struct tcp_piece *last);
/* Forgets the front run: what is missing behind it never comes. There must be another one. */
void tcp_stream_skip_front(struct tcp_stream *s);

/* ------------------------------------------------------------------ reading a run */

/* The held piece that covers `pos` (of `pieces`), or NULL. Found fast near the beginning, near the
 * end, and near run->near: a run may have thousands. */
const struct tcp_piece *tcp_run_piece_at(const struct tcp_run *run, int64_t pos);
/* Copies up to `size` captured bytes from `pos` on; returns how many follow each other there. */
uint32_t tcp_run_copy(const struct tcp_run *run, int64_t pos, uint8_t *out, uint32_t size);
/* Is a byte of [pos, run->end) missing? */
bool tcp_run_is_cut(const struct tcp_run *run, int64_t pos);
/* Feeds a running CRC32c with [pos, pos + size); false when not all of it is there. */
bool tcp_run_crc32c(const struct tcp_run *run, int64_t pos, uint32_t size, uint32_t *crc);
/* Everything before `pos` is read (synced runs). */
void tcp_run_consume(struct tcp_stream *s, struct tcp_run *run, int64_t pos);
/* Messages begin at `first`: the run is synced. What is held before goes to its head, or away when
 * no hole is before the run. */
void tcp_run_sync(struct tcp_stream *s, struct tcp_run *run, int64_t first);
/* Framing is lost at run->pos: what is held from there on can be searched. */
void tcp_run_unsync(struct tcp_stream *s, struct tcp_run *run);
/* Lets go of the held bytes before run->first. */
void tcp_run_behead(struct tcp_stream *s, struct tcp_run *run);
/* Lets go of held bytes before `pos` of a run that is not synced. */
void tcp_run_forget(struct tcp_stream *s, struct tcp_run *run, int64_t pos);

#endif
