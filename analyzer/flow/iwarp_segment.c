/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The segments of a followed TCP connection: what each is to its stream, what MPA reads from it,
 * and what acknowledgements say. The connection's life is iwarp_conn.c's, FPDUs are
 * iwarp_message.c's.
 */
#include <string.h>

#include "flow/iwarp.h"
#include "flow/stream.h"

enum {
    BEFORE_MAX = 64 << 10, /* bytes before the first one seen that are still taken */
};

#define JUMP_MAX ((int64_t)1 << 30) /* no window is larger (RFC 7323, 2.3) */

static void skip_holes(struct iwarp *w, struct iwarp_conn *conn, unsigned dir);
static void give_up_hole(struct iwarp *w, struct iwarp_conn *conn, unsigned dir);
static uint64_t skip_hole(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t *first);
static void tell_missed(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t first,
                        uint64_t bytes, uint32_t count);

/* ------------------------------------------------------------------ what MPA reads */

struct reading {
    struct iwarp *w;
    struct iwarp_conn *conn;
};

static void start_up(void *context, unsigned dir, const struct rdc_mpa *frame, int64_t pos)
{
    const struct reading *r = context;
    struct iwarp_dir *d = &r->conn->dir[dir];
    struct flow_event ev = {.kind = FLOW_MPA, .certain = true, .psn = (uint32_t)pos};

    d->w.mpa_seen = true;
    d->w.mpa = (struct flow_mpa){.frame = frame->reply ? FLOW_MPA_REPLY : FLOW_MPA_REQUEST,
                                 .markers = frame->markers,
                                 .crc = frame->crc,
                                 .reject = frame->reject,
                                 .enhanced = frame->enhanced,
                                 .peer_to_peer = frame->peer_to_peer,
                                 .revision = frame->revision,
                                 .ird = frame->ird,
                                 .ord = frame->ord,
                                 .private_bytes = frame->private_size};
    ev.mpa = d->w.mpa;
    d->w.private_kept = 0;
    if (frame->private_data != NULL)
        d->w.private_kept = (uint8_t)(frame->private_data_captured < FLOW_MPA_PRIVATE_KEPT
                                          ? frame->private_data_captured
                                          : FLOW_MPA_PRIVATE_KEPT);
    if (d->w.private_kept > 0)
        memcpy(d->w.private_data, frame->private_data, d->w.private_kept);
    for (unsigned q = 0; q < IWARP_QUEUES; q++)
        d->queues[q] = (struct iwarp_queue){true, 1}; /* RFC 5041, 4.3 */
    iwarp_event(r->w, r->conn, dir, &ev);
    if (r->w->engine->sink.mpa != NULL)
        r->w->engine->sink.mpa(r->w->engine->sink.context, frame);
}

static void fpdu(void *context, unsigned dir, const struct mpa_found *found)
{
    const struct reading *r = context;

    iwarp_fpdu(r->w, r->conn, dir, found);
}

static void framing(void *context, unsigned dir, bool found, int64_t pos)
{
    const struct reading *r = context;
    struct flow_event ev = {
        .kind = FLOW_FRAMING, .certain = true, .psn = (uint32_t)pos, .code = found};

    r->conn->dir[dir].w.framing_lost += !found;
    r->conn->dir[dir].contiguous &= found;
    iwarp_event(r->w, r->conn, dir, &ev);
}

static struct mpa_reader reader_of(struct reading *r)
{
    return (struct mpa_reader){r, start_up, fpdu, framing};
}

/* ------------------------------------------------------------------ data */

static bool start_stream(struct iwarp_conn *conn, unsigned dir, uint32_t seq)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct tcp_stream *s = &conn->mpa.dir[dir].tcp;

    if (s->started)
        return true;
    if (!tcp_stream_start(s, seq))
        return false;
    if (d->ack_waits)
        d->track.acked = tcp_stream_pos(s, d->ack_early);
    return true;
}

static struct tcp_segment segment_of(const struct iwarp_dir *d, const struct tcp_stream *s,
                                     const struct rdc_packet *pkt, uint32_t seq)
{
    return (struct tcp_segment){
        .pos = tcp_stream_pos(s, seq),
        .size = pkt->tcp.payload_size,
        .captured = pkt->tcp.payload != NULL ? pkt->tcp.payload_captured : 0,
        .bytes = pkt->tcp.payload,
        .frame = pkt->frame,
        .time_ns = pkt->time_ns,
        .number = d->track.segments,
        .has_id = pkt->address_kind == RDC_ADDRESS_IPV4 && pkt->ip.id != 0,
        .has_ts = pkt->tcp.has_timestamps,
        .id = pkt->ip.id,
        .ts = pkt->tcp.ts_value,
    };
}

static void note_resent(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                        const struct tcp_segment *seg, const struct tcp_verdict *v)
{
    struct iwarp_dir *d = &conn->dir[dir];
    int64_t behind_ns = v->unseen           ? v->late_ns
                        : v->latest_ns != 0 ? seg->time_ns - v->latest_ns
                                            : 0;
    struct flow_event ev = {.kind = FLOW_TCP_RETRANSMISSION,
                            .psn = (uint32_t)seg->pos,
                            .count = seg->size,
                            .original_frame = v->original_frame,
                            .certain = v->certain,
                            .late.ns = behind_ns};

    d->c.retransmitted_packets++;
    d->c.retransmitted_bytes += seg->size;
    d->c.lost_before_tap += v->unseen;
    if (!v->unseen && seg->pos + seg->size <= d->track.acked) {
        ev.spurious = true;
        d->c.spurious++;
    } else {
        iwarp_resent(w, conn, dir, seg, v);
    }
    if (!v->unseen && !ev.spurious) {
        d->c.lost_after_tap++; /* until the acknowledgement tells */
        tcp_track_doubt(&d->track);
    }
    if (!ev.spurious && seg->pos + seg->size > d->resent_end)
        d->resent_end = seg->pos + seg->size;
    d->w.resends_wait |= !ev.spurious;
    if (v->unseen && v->late_ns > 0 && iwarp_times(d) != NULL)
        flow_histogram_add(&d->times->recovery, v->late_ns, NULL);
    iwarp_event(w, conn, dir, &ev);
}

static void note_segment(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                         const struct tcp_segment *seg, const struct tcp_verdict *v)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct flow_event ev = {.psn = (uint32_t)seg->pos, .count = seg->size, .certain = v->certain};

    d->w.conflicts += v->conflict;
    switch ((enum tcp_class)v->class) {
    case TCP_LATE:
        d->c.out_of_order++;
        d->c.lost_before_tap -= v->not_lost;
        ev.kind = FLOW_TCP_OUT_OF_ORDER;
        ev.late = (struct flow_late){v->late_packets, v->late_ns};
        iwarp_event(w, conn, dir, &ev);
        break;
    case TCP_RESENT:
        note_resent(w, conn, dir, seg, v);
        break;
    case TCP_COPY:
        d->c.duplicates++;
        ev.kind = FLOW_DUPLICATE;
        ev.original_frame = v->original_frame;
        iwarp_event(w, conn, dir, &ev);
        break;
    case TCP_KEEP_ALIVE:
        d->w.keep_alives++;
        break;
    case TCP_IN_ORDER:
    case TCP_AHEAD:
        break;
    }
}

/* Bytes before the front run: taken where they can be late, else they were seen long ago. */
static bool cut_front(const struct iwarp_dir *d, const struct tcp_stream *s,
                      struct tcp_segment *seg)
{
    int64_t before = s->front->begin - seg->pos;

    if (before <= 0 || tcp_track_in_gap(&d->track, seg->pos, seg->size))
        return true;
    if (!d->from_syn && d->track.gap_count == 0 && before <= BEFORE_MAX)
        return true;
    if (before >= seg->size)
        return false;
    seg->pos += before;
    seg->size -= (uint32_t)before;
    seg->bytes = seg->captured > before ? seg->bytes + before : NULL;
    seg->captured = seg->captured > before ? seg->captured - (uint32_t)before : 0;
    return true;
}

void iwarp_take_data(struct iwarp *w, struct iwarp_conn *conn, unsigned dir)
{
    const struct rdc_tcp *tcp = &w->pkt->tcp;
    struct iwarp_dir *d = &conn->dir[dir];
    struct tcp_stream *s = &conn->mpa.dir[dir].tcp;
    uint32_t seq = tcp->seq + ((tcp->flags & RDC_TCP_SYN) != 0);
    struct reading r = {w, conn};
    struct mpa_reader reader = reader_of(&r);
    struct tcp_segment seg;
    struct tcp_verdict v;

    if (!start_stream(conn, dir, seq))
        return;
    seg = segment_of(d, s, w->pkt, seq);
    if (seg.pos - s->high > JUMP_MAX || s->high - seg.pos > JUMP_MAX) {
        d->w.wild_segments++;
        return;
    }
    conn->looks += !conn->mpa.known;
    d->w.tcp_payload_bytes += seg.size;
    v = tcp_track_segment(&d->track, s, &seg, w->engine->config.reorder_window_ns);
    note_segment(w, conn, dir, &seg, &v);
    if (v.class == TCP_KEEP_ALIVE || v.seen == seg.size || !cut_front(d, s, &seg))
        return;
    if (s->run_count >= TCP_RUNS_MAX)
        give_up_hole(w, conn, dir);
    mpa_segment(&conn->mpa, dir, &seg, &reader);
    skip_holes(w, conn, dir);
    if (d->track.acked != 0 && s->high - d->track.acked > (int64_t)d->c.max_outstanding_bytes)
        d->c.max_outstanding_bytes = (uint64_t)(s->high - d->track.acked);
    d->contiguous |= s->front->next == NULL && s->front->synced;
}

/* ------------------------------------------------------------------ acknowledgements */

/* Sent for nothing but the acknowledgement; a keep-alive wants one itself */
static bool is_only_answer(const struct tcp_stream *s, const struct rdc_tcp *tcp)
{
    return tcp->payload_size == 0 && !iwarp_is_keep_alive(s, tcp);
}

void iwarp_take_ack(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                    const struct rdc_tcp *tcp)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct tcp_stream *s = &conn->mpa.dir[dir].tcp;
    struct tcp_answer answer;
    int64_t pos;

    if (!s->started) {
        d->ack_waits = true;
        d->ack_early = tcp->ack;
        return;
    }
    if (tcp->has_dsack)
        d->c.lost_after_tap -= tcp_track_twice(&d->track, tcp_stream_pos(s, tcp->dsack_begin),
                                               tcp_stream_pos(s, tcp->dsack_end));
    pos = tcp_stream_pos(s, tcp->ack);
    if (pos > d->track.acked || is_only_answer(&conn->mpa.dir[1 - dir].tcp, tcp))
        iwarp_answered(w, conn, dir, pos);
    if (pos <= d->track.acked || pos - s->high > JUMP_MAX || pos < s->front->begin)
        return;
    if (pos > s->high + 1) /* a FIN counts as one byte */
        d->c.acked_unseen++;
    answer = tcp_track_acked(
        &d->track, &(struct tcp_acked){pos, w->pkt->time_ns, tcp->has_timestamps, tcp->ts_echo});
    d->c.lost_after_tap -= answer.needless;
    d->w.resends_wait = d->w.resends_wait && pos < d->resent_end;
    if (answer.rtt_ns >= 0 && iwarp_times(d) != NULL) {
        flow_histogram_add(&d->times->rtt, answer.rtt_ns, NULL);
        w->engine->facts.rtt_ns = answer.rtt_ns;
    }
    iwarp_acknowledged(w, conn, dir, pos);
    skip_holes(w, conn, dir);
}

/* Holes before what is acknowledged are bytes that the capture missed. */
static void skip_holes(struct iwarp *w, struct iwarp_conn *conn, unsigned dir)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct tcp_stream *s = &conn->mpa.dir[dir].tcp;
    uint64_t bytes;
    int64_t first;

    if (d->given_up > 0 && d->track.acked >= s->front->begin) {
        tell_missed(w, conn, dir, d->given_up_first, d->given_up_bytes, d->given_up);
        d->given_up = 0;
        d->given_up_bytes = 0;
    }
    while (s->front->next != NULL && d->track.acked >= s->front->next->begin) {
        bytes = skip_hole(w, conn, dir, &first);
        tell_missed(w, conn, dir, first, bytes, 1);
    }
}

/* The first of too many: no more bytes are awaited there. Lost or missed, an acknowledgement of
 * them may still tell. */
static void give_up_hole(struct iwarp *w, struct iwarp_conn *conn, unsigned dir)
{
    struct iwarp_dir *d = &conn->dir[dir];
    int64_t first;
    uint64_t bytes = skip_hole(w, conn, dir, &first);

    if (d->given_up++ == 0)
        d->given_up_first = first;
    d->given_up_bytes += bytes;
}

/* How long the first hole is */
static uint64_t skip_hole(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t *first)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct reading r = {w, conn};
    struct mpa_reader reader = reader_of(&r);
    uint64_t bytes;

    mpa_skip_hole(&conn->mpa, dir, &reader, first, &bytes);
    tcp_track_gap(&d->track, *first, *first + (int64_t)bytes);
    d->contiguous = false;
    d->w.tcp_hole_bytes += bytes;
    return bytes;
}

static void tell_missed(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, int64_t first,
                        uint64_t bytes, uint32_t count)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct flow_event ev = {
        .kind = FLOW_TCP_GAP, .certain = true, .psn = (uint32_t)first, .gap_bytes = bytes};

    d->c.gaps += count;
    d->c.not_captured += count;
    iwarp_event(w, conn, dir, &ev);
}
