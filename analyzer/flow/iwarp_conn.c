/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One followed TCP connection: its life (SYN, FIN, RST, port reuse), what every packet has,
 * windows. Segments and acknowledgements are iwarp_segment.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/iwarp.h"
#include "flow/stream.h"
#include "rdc/wire.h"

static void take_no_data(const struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                         const struct rdc_tcp *tcp);
static void note_packet(struct iwarp_conn *conn, struct iwarp_dir *d, const struct rdc_packet *pkt);
static void begin(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                  const struct rdc_tcp *tcp);
static void take_window(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                        const struct rdc_tcp *tcp);
static void take_end(struct iwarp_conn *conn, unsigned dir, const struct rdc_tcp *tcp);

/* ------------------------------------------------------------------ life */

struct iwarp_conn *iwarp_conn_new(struct iwarp *w, const struct tcp_watched *row,
                                  const struct rdc_packet *pkt, unsigned dir)
{
    struct iwarp_conn *conn = calloc(1, sizeof(*conn));

    if (conn == NULL)
        return NULL;
    mpa_init(&conn->mpa, &w->pool);
    conn->first_dir = row->first_dir;
    conn->first_frame = conn->last_frame = row->first_frame;
    conn->first_ns = conn->last_ns = row->first_ns;
    conn->epochs = 1;
    if (pkt->tunnel_count > 0)
        conn->tunnel = pkt->tunnels[pkt->tunnel_count - 1];
    for (unsigned d = 0; d < 2; d++) {
        struct iwarp_dir *side = &conn->dir[d];

        side->c.packets = row->packets[d];
        side->c.wire_bytes = row->wire_bytes[d];
        side->port = d == dir ? pkt->src_port : pkt->dst_port;
        side->contiguous = true;
        if (!row->syn[d] || (row->data[d] && d != dir))
            continue;
        side->syn_seen = true;
        side->isn = row->first_seq[d] - 1;
        if (d == dir && pkt->tcp.seq != row->first_seq[d])
            continue; /* other bytes went before */
        side->from_syn = tcp_stream_start(&conn->mpa.dir[d].tcp, row->first_seq[d]);
        if (side->from_syn)
            mpa_expect_start_up(&conn->mpa, d);
    }
    conn->dir[dir].c.packets--; /* counted again as the first that is followed */
    conn->dir[dir].c.wire_bytes -= pkt->wire_size;
    return conn;
}

void iwarp_conn_free(struct iwarp_conn *conn)
{
    if (conn == NULL)
        return;
    for (unsigned d = 0; d < 2; d++) {
        struct iwarp_dir *side = &conn->dir[d];

        if (side->times != NULL) {
            flow_histogram_done(&side->times->rtt, NULL);
            flow_histogram_done(&side->times->message_latency, NULL);
            flow_histogram_done(&side->times->message_size, NULL);
            flow_histogram_done(&side->times->recovery, NULL);
        }
        free(side->times);
        free(side->series);
        free(side->reads);
        free(side->unacked);
        free(side->w.stags);
        tcp_track_done(&side->track);
    }
    mpa_done(&conn->mpa);
    free(conn);
}

struct flow_times *iwarp_times(struct iwarp_dir *dir)
{
    if (dir->times == NULL)
        dir->times = calloc(1, sizeof(*dir->times));
    return dir->times;
}

void iwarp_event(struct iwarp *w, const struct iwarp_conn *conn, unsigned dir,
                 struct flow_event *event)
{
    if (w->engine->sink.event == NULL || !conn->mpa.known)
        return;
    event->stream = iwarp_stream(conn, dir);
    event->frame = w->pkt->frame;
    event->time_ns = w->pkt->time_ns;
    w->engine->sink.event(w->engine->sink.context, event);
}

/* ------------------------------------------------------------------ one packet */

void iwarp_conn_packet(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                       const struct rdc_packet *pkt)
{
    const struct rdc_tcp *tcp = &pkt->tcp;
    bool known = conn->mpa.known;

    w->dir = dir;
    if ((tcp->flags & RDC_TCP_SYN) != 0)
        begin(w, conn, dir, tcp);
    note_packet(conn, &conn->dir[dir], pkt);
    if ((tcp->flags & RDC_TCP_ACK) != 0)
        iwarp_take_ack(w, conn, 1 - dir, tcp);
    take_window(w, conn, dir, tcp);
    if (tcp->payload_size > 0)
        iwarp_take_data(w, conn, dir);
    else
        take_no_data(w, conn, dir, tcp);
    if ((tcp->flags & (RDC_TCP_FIN | RDC_TCP_RST)) != 0)
        take_end(conn, dir, tcp);
    if (conn->mpa.known)
        w->engine->facts.stream = iwarp_stream(conn, dir);
    w->known += !known && conn->mpa.known;
    if (!known && conn->mpa.known && conn->mpa.inferred) {
        struct flow_event ev = {.kind = FLOW_MPA, .mpa.frame = FLOW_MPA_INFERRED};

        iwarp_event(w, conn, dir, &ev);
    }
}

/* No bytes, just before what comes next (RFC 9293, 3.8.4) */
bool iwarp_is_keep_alive(const struct tcp_stream *s, const struct rdc_tcp *tcp)
{
    return s->started && tcp->flags == RDC_TCP_ACK && tcp_stream_pos(s, tcp->seq) == s->high - 1;
}

static void take_no_data(const struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                         const struct rdc_tcp *tcp)
{
    const struct tcp_stream *s = &conn->mpa.dir[dir].tcp;
    struct iwarp_dir *d = &conn->dir[dir];

    d->w.keep_alives += iwarp_is_keep_alive(s, tcp);
    if (s->started && (tcp->flags & (RDC_TCP_SYN | RDC_TCP_RST)) == 0)
        tcp_track_told(
            &d->track, s, tcp_stream_pos(s, tcp->seq),
            &(struct tcp_mark){.time_ns = w->pkt->time_ns,
                               .number = d->track.segments,
                               .ts = tcp->has_timestamps ? tcp->ts_value : 0,
                               .id = w->pkt->address_kind == RDC_ADDRESS_IPV4 ? w->pkt->ip.id : 0});
}

static void note_packet(struct iwarp_conn *conn, struct iwarp_dir *d, const struct rdc_packet *pkt)
{
    struct flow_counters *c = &d->c;

    conn->last_frame = pkt->frame;
    if (pkt->time_ns > conn->last_ns)
        conn->last_ns = pkt->time_ns;
    c->packets++;
    c->wire_bytes += pkt->wire_size;
    if (d->first_ns == 0)
        d->first_ns = pkt->time_ns;
    if (pkt->time_ns > d->last_ns)
        d->last_ns = pkt->time_ns;
    if (d->series == NULL)
        d->series = calloc(1, sizeof(*d->series));
    if (d->series != NULL)
        flow_series_add(d->series, pkt->time_ns, pkt->wire_size);
    c->truncated += pkt->truncated;
    flow_counters_dscp(c, pkt);
    flow_counters_pcp(c, pkt);
    if (pkt->tcp.payload_size == 0) {
        c->acks += pkt->tcp.flags == RDC_TCP_ACK;
        return;
    }
    c->data_packets++;
    c->ect_packets += pkt->ip.ecn != 0;
    c->ce_packets += pkt->ip.ecn == 3;
}

/* A SYN: a connection begins, perhaps on ports that were in use before (RFC 9293, 3.10.7.4). */
static void begin(struct iwarp *w, struct iwarp_conn *conn, unsigned dir, const struct rdc_tcp *tcp)
{
    struct iwarp_dir *d = &conn->dir[dir];

    if (d->syn_seen && d->isn == tcp->seq)
        return;
    if ((tcp->flags & RDC_TCP_ACK) == 0) {
        for (unsigned i = 0; i < 2; i++) {
            struct iwarp_dir *side = &conn->dir[i];

            tcp_track_reset(&side->track);
            memset(side->queues, 0, sizeof(side->queues));
            memset(side->untagged, 0, sizeof(side->untagged));
            memset(side->tagged, 0, sizeof(side->tagged));
            side->read_count = side->unacked_count = 0;
            side->syn_seen = side->fin_seen = side->from_syn = side->window_closed = false;
            side->ack_waits = false;
            side->tries.resends = 0;
            /* what waits in a life that is over is never acknowledged */
            side->resent_end = side->w.resends_wait ? INT64_MAX : 0;
            side->contiguous = true;
        }
        mpa_restart(&conn->mpa);
        conn->epochs++;
        conn->state = FLOW_STATE_OPEN;
    }
    d->syn_seen = true;
    d->isn = tcp->seq;
    d->from_syn = tcp_stream_start(&conn->mpa.dir[dir].tcp, tcp->seq + 1);
    if (d->from_syn)
        mpa_expect_start_up(&conn->mpa, dir);
    (void)w;
}

/* A reset of bytes that the other side has acknowledged is an old one, and ends nothing (RFC 9293,
 * 3.10.7.4: outside of the window). */
static bool is_reset(const struct iwarp_conn *conn, unsigned dir, const struct rdc_tcp *tcp)
{
    const struct tcp_stream *s = &conn->mpa.dir[dir].tcp;
    int64_t acked = conn->dir[dir].track.acked;

    return (tcp->flags & RDC_TCP_RST) != 0 &&
           (!s->started || acked == 0 || tcp_stream_pos(s, tcp->seq) >= acked);
}

static void take_end(struct iwarp_conn *conn, unsigned dir, const struct rdc_tcp *tcp)
{
    conn->dir[dir].fin_seen |= (tcp->flags & RDC_TCP_FIN) != 0;
    if (conn->state == FLOW_STATE_OPEN &&
        (is_reset(conn, dir, tcp) || (conn->dir[0].fin_seen && conn->dir[1].fin_seen)))
        conn->state = FLOW_STATE_CLOSED;
}

/* A window of 0 stops the other side (RFC 9293, 3.8.6.1). */
static void take_window(struct iwarp *w, struct iwarp_conn *conn, unsigned dir,
                        const struct rdc_tcp *tcp)
{
    struct iwarp_dir *d = &conn->dir[dir];
    struct flow_event ev = {.kind = FLOW_ZERO_WINDOW, .certain = true};
    int64_t stalled;

    if ((tcp->flags & (RDC_TCP_SYN | RDC_TCP_RST | RDC_TCP_FIN)) != 0)
        return;
    if (tcp->window == 0) {
        if (!d->window_closed) {
            d->closed_ns = w->pkt->time_ns;
            d->w.zero_windows++;
        }
        d->window_closed = true;
    } else if (d->window_closed) {
        d->window_closed = false;
        stalled = w->pkt->time_ns - d->closed_ns;
        ev.timer_ns = stalled > 0 ? (uint64_t)stalled : 0;
        d->w.zero_window_ns += ev.timer_ns;
        if (ev.timer_ns > d->w.longest_zero_window_ns)
            d->w.longest_zero_window_ns = ev.timer_ns;
        iwarp_event(w, conn, dir, &ev);
    }
}

void iwarp_conn_finish(struct iwarp *w, struct iwarp_conn *conn)
{
    for (unsigned dir = 0; dir < 2; dir++) {
        struct iwarp_dir *d = &conn->dir[dir];

        d->c.holes_open = d->given_up;
        for (struct tcp_run *run = conn->mpa.dir[dir].tcp.front; run != NULL; run = run->next)
            d->c.holes_open += run->next != NULL;
        d->w.reads_unanswered = d->read_count;
        d->w.bytes_not_kept = conn->mpa.dir[dir].tcp.unheld;
        d->w.crc_in_use = mpa_crc_in_use(&conn->mpa);
        d->w.open_zero_window_ns = 0;
        if (d->window_closed && conn->state == FLOW_STATE_OPEN && conn->last_ns > d->closed_ns)
            d->w.open_zero_window_ns = (uint64_t)(conn->last_ns - d->closed_ns);
    }
    (void)w;
}
