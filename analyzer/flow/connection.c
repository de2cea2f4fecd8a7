/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The end of a capture: settles streams, numbers connections, and shows them to reports.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/checksum.h"
#include "flow/congestion.h"
#include "flow/flow.h"
#include "flow/iwarp.h"
#include "flow/request.h"
#include "flow/response.h"
#include "flow/stream.h"
#include "flow/unreliable.h"

enum {
    STREAMS_AHEAD = 6, /* connections before it is shown that its streams are fetched */
    PARTS_AHEAD = 3,   /* the same of what they point to */
};

/* ------------------------------------------------------------------ what is looked at next */

static const struct stream *roce_stream(const struct flow_engine *e, uint32_t index)
{
    /* that of iWARP is numbered beyond all others, as FLOW_NO_STREAM is */
    return index < e->stream_count ? e->streams[index] : NULL;
}

static void fetch_stream(const struct stream *s)
{
    if (s != NULL)
        flow_arena_fetch(s, sizeof(*s));
}

static void fetch_parts(const struct stream *s)
{
    if (s == NULL)
        return;
    if (s->times != NULL)
        flow_arena_fetch(s->times, sizeof(*s->times));
    if (s->requester != NULL)
        __builtin_prefetch(&s->requester->timeout_ns);
    if (s->series != NULL)
        __builtin_prefetch(s->series);
    if (s->congestion != NULL)
        congestion_fetch_all(s->congestion);
}

/* All streams are settled one after the other: those that come soon are fetched from memory. */
static void fetch_streams(const struct flow_engine *e, uint32_t at)
{
    fetch_stream(roce_stream(e, at + 2 * STREAMS_AHEAD));
    fetch_parts(roce_stream(e, at + 2 * PARTS_AHEAD));
}

/* ------------------------------------------------------------------ settling */

static void settle(struct flow_engine *e, struct stream *s)
{
    if (s->service == RDC_SERVICE_UC) {
        unreliable_finish(e, s);
    } else {
        request_finish(e, s);
        response_finish(e, s);
    }
}

static struct holes copy_holes(const struct holes *holes)
{
    struct holes copy = *holes;

    copy.list = calloc(holes->count + 1, sizeof(*copy.list));
    if (copy.list != NULL && holes->count > 0)
        memcpy(copy.list, holes->list, holes->count * sizeof(*copy.list));
    return copy;
}

static void restore_holes(struct holes *holes, struct holes *copy)
{
    if (copy->list != NULL && holes->count > 0)
        memcpy(holes->list, copy->list, holes->count * sizeof(*copy->list));
    holes->open = copy->open;
    free(copy->list);
}

/* Settles a stream and takes it back: what settling changes is put back as it was. */
static void try_settling(struct flow_engine *e, struct stream *s)
{
    struct holes none = {0};
    struct holes *requests = s->requester != NULL ? &s->requester->holes : &none;
    struct holes *responses = s->responder != NULL ? &s->responder->holes : &none;
    struct holes requests_copy = copy_holes(requests), responses_copy = copy_holes(responses);
    struct flow_counters counters = s->c;
    uint8_t state = s->state;

    settle(e, s);
    restore_holes(requests, &requests_copy);
    restore_holes(responses, &responses_copy);
    s->c = counters;
    s->state = state;
}

static void add_connection(struct flow_engine *e, uint32_t stream)
{
    uint32_t peer = e->streams[stream]->peer;

    e->connection_of[stream] = e->connection_count;
    if (peer != FLOW_NO_STREAM)
        e->connection_of[peer] = e->connection_count;
    e->connections[e->connection_count++] = (struct flow_connection_ref){stream, peer};
}

static void add_iwarp(struct flow_engine *e, struct iwarp_conn *conn)
{
    unsigned a = conn->first_dir;
    bool both = conn->dir[1 - a].c.packets > 0;

    conn->number = e->connection_count;
    e->connections[e->connection_count++] = (struct flow_connection_ref){
        iwarp_stream(conn, a), both ? iwarp_stream(conn, 1 - a) : FLOW_NO_STREAM};
}

/* Connections in order of their first frame; a is the sender of that frame. Streams are numbered in
 * order of their first frames already. False: there is no memory to number them all. */
static bool number_connections(struct flow_engine *e)
{
    uint32_t iwarp_count = 0, next = 0;
    struct iwarp_conn **iwarp = e->iwarp != NULL ? iwarp_in_order(e->iwarp, &iwarp_count) : NULL;
    bool all;

    free(e->connections);
    free(e->connection_of);
    e->connection_count = 0;
    e->connections = calloc(e->stream_count + iwarp_count + 1, sizeof(*e->connections));
    e->connection_of = calloc(e->stream_count + 1, sizeof(*e->connection_of));
    if (e->connections != NULL && e->connection_of != NULL) {
        memset(e->connection_of, 0xff, e->stream_count * sizeof(*e->connection_of));
        for (uint32_t i = 0; i < e->stream_count; i++) {
            while (next < iwarp_count && iwarp[next]->first_frame < e->streams[i]->first_frame)
                add_iwarp(e, iwarp[next++]);
            if (e->connection_of[i] == UINT32_MAX)
                add_connection(e, i);
        }
        while (next < iwarp_count)
            add_iwarp(e, iwarp[next++]);
    }
    all = e->connections != NULL && e->connection_of != NULL && (iwarp != NULL || e->iwarp == NULL);
    free(iwarp);
    return all;
}

void flow_preview(struct flow_engine *e)
{
    for (uint32_t i = 0; i < e->stream_count; i++)
        try_settling(e, e->streams[i]);
    checksum_settle(e, true);
    if (e->iwarp != NULL)
        iwarp_finish(e->iwarp);
    number_connections(e);
}

void flow_finish(struct flow_engine *e)
{
    for (uint32_t i = 0; i < e->stream_count; i++) {
        fetch_streams(e, i);
        early_finish(e, e->streams[i]);
        settle(e, e->streams[i]);
        congestion_finish(e, e->streams[i]);
    }
    checksum_settle(e, false);
    if (e->iwarp != NULL)
        iwarp_finish(e->iwarp);
    e->summary.state_refused += e->arena.refused + (e->iwarp != NULL ? e->iwarp->pool.refused : 0);
    e->summary.captured_twice = engine_captured_twice(e);
    if (!number_connections(e))
        engine_refused(e);
}

/* ------------------------------------------------------------------ views */

size_t flow_connection_count(const struct flow_engine *e)
{
    return e->connection_count;
}

size_t flow_iwarp_count(const struct flow_engine *e)
{
    return e->iwarp != NULL ? e->iwarp->known : 0;
}

struct flow_iwarp_traffic flow_iwarp_traffic(const struct flow_engine *e)
{
    return e->iwarp != NULL ? iwarp_traffic(e->iwarp) : (struct flow_iwarp_traffic){0};
}

bool flow_stream_connection(const struct flow_engine *e, uint32_t stream, uint32_t *index,
                            bool *a_to_b)
{
    if (e->connection_of == NULL || stream == FLOW_NO_STREAM)
        return false;
    if (flow_stream_is_iwarp(stream))
        return iwarp_stream_connection(e->iwarp, stream, index, a_to_b);
    if (stream >= e->stream_count)
        return false;
    *index = e->connection_of[stream];
    *a_to_b = e->connections[*index].a_to_b == stream;
    return true;
}

bool flow_connection_paired(const struct flow_engine *e, size_t index)
{
    return e->connections[index].b_to_a != FLOW_NO_STREAM;
}

bool flow_stream_pairing_get(const struct flow_engine *e, uint32_t stream,
                             struct flow_stream_pairing *out)
{
    const struct stream *s;

    if (stream >= e->stream_count)
        return false;
    s = e->streams[stream];
    *out = (struct flow_stream_pairing){
        .peer = s->peer,
        .paired_by = s->paired_by,
        .final = s->peer != FLOW_NO_STREAM
                     ? s->paired_by == FLOW_PAIRED_CM || s->paired_by == FLOW_PAIRED_SPORT
                     : s->service == RDC_SERVICE_UD || s->service == RDC_SERVICE_RD};
    return true;
}

bool flow_stream_source(const struct flow_engine *e, uint32_t stream, uint32_t *qpn)
{
    if (stream >= e->stream_count || !e->streams[stream]->local_qpn_known)
        return false;
    *qpn = e->streams[stream]->local_qpn;
    return true;
}

static struct flow_endpoint endpoint(const struct stream *s, const uint8_t *address, bool known,
                                     uint32_t qpn)
{
    struct flow_endpoint end = {
        .address_kind = s->key.address_kind, .qpn_known = known, .qpn = known ? qpn : 0};

    memcpy(end.address, address, sizeof(end.address));
    return end;
}

static struct flow_direction direction(const struct flow_engine *e, uint32_t index)
{
    const struct stream *s;

    if (index == FLOW_NO_STREAM)
        return (struct flow_direction){.stream = FLOW_NO_STREAM, .last_data_ns = NEVER};
    s = e->streams[index];
    return (struct flow_direction){.stream = index,
                                   .counters = &s->c,
                                   .times = s->times,
                                   .throughput = s->series,
                                   .reaction = congestion_reaction(s),
                                   .notices = congestion_notices(s),
                                   .path = &s->path,
                                   .last_data_ns = s->last_data_ns,
                                   .cm_pmtu_bytes = s->cm_pmtu,
                                   .first_ns = s->first_ns,
                                   .last_ns = s->last_ns,
                                   .ports = s->ports,
                                   .port_count = s->port_count,
                                   .state = s->state,
                                   .psn_tracked = s->service == RDC_SERVICE_RC ||
                                                  s->service == RDC_SERVICE_XRC ||
                                                  s->service == RDC_SERVICE_UC};
}

static void add_peer(const struct stream *peer, const struct stream *s, struct flow_connection *out)
{
    if (peer->first_frame < out->first_frame)
        out->first_frame = peer->first_frame;
    if (peer->last_frame > out->last_frame)
        out->last_frame = peer->last_frame;
    if (peer->first_ns < out->first_ns)
        out->first_ns = peer->first_ns;
    if (peer->last_ns > out->last_ns)
        out->last_ns = peer->last_ns;
    if (peer->state > out->state)
        out->state = peer->state;
    if (peer->epochs > out->epochs)
        out->epochs = peer->epochs;
    if (s->service == RDC_SERVICE_RESERVED)
        out->service = peer->service;
    if (out->service_id == 0)
        out->service_id = peer->service_id;
    if (out->pmtu_bytes == 0)
        out->pmtu_bytes = peer->pmtu;
}

const struct flow_counters *flow_counters_of(const struct flow_connection *c, bool a_to_b)
{
    static const struct flow_counters none;
    const struct flow_direction *d = a_to_b ? &c->a_to_b : &c->b_to_a;

    return d->counters != NULL ? d->counters : &none;
}

/* Reports mostly walk through the connections in order: what they will be shown soon is fetched
 * from memory. */
static void fetch_next(const struct flow_engine *e, size_t index)
{
    const struct flow_connection_ref *ref = &e->connections[index];

    if (index + STREAMS_AHEAD < e->connection_count) {
        fetch_stream(roce_stream(e, ref[STREAMS_AHEAD].a_to_b));
        fetch_stream(roce_stream(e, ref[STREAMS_AHEAD].b_to_a));
    }
    if (index + PARTS_AHEAD < e->connection_count) {
        fetch_parts(roce_stream(e, ref[PARTS_AHEAD].a_to_b));
        fetch_parts(roce_stream(e, ref[PARTS_AHEAD].b_to_a));
    }
}

void flow_connection_get(const struct flow_engine *e, size_t index, struct flow_connection *out)
{
    const struct flow_connection_ref *ref = &e->connections[index];
    const struct stream *s;

    fetch_next(e, index);
    if (flow_stream_is_iwarp(ref->a_to_b)) {
        iwarp_connection_get(e->iwarp, ref->a_to_b, out);
        out->id = (uint32_t)index + 1;
        return;
    }
    s = e->streams[ref->a_to_b];
    *out = (struct flow_connection){
        .id = (uint32_t)index + 1,
        .transport = s->key.transport,
        .service = s->service,
        .paired_by = s->paired_by,
        .state = s->state,
        .has_tunnel = s->key.tunnel_kind != 0,
        .tunnel = s->tunnel,
        .a = endpoint(s, s->key.src, s->local_qpn_known, s->local_qpn),
        .b = endpoint(s, s->key.dst, true, s->key.dest_qpn),
        .a_to_b = direction(e, ref->a_to_b),
        .b_to_a = direction(e, ref->b_to_a),
        .pmtu_bytes = s->pmtu,
        .service_id = s->service_id,
        .epochs = s->epochs,
        .first_frame = s->first_frame,
        .last_frame = s->last_frame,
        .first_ns = s->first_ns,
        .last_ns = s->last_ns,
    };
    if (ref->b_to_a != FLOW_NO_STREAM)
        add_peer(e->streams[ref->b_to_a], s, out);
    if (s->requester != NULL && s->requester->timeout_ns != 0) {
        out->ack_timeout_ns_known = 1;
        out->ack_timeout_ns = (uint64_t)s->requester->timeout_ns;
    }
}

void flow_summary_get(const struct flow_engine *e, struct flow_summary *out)
{
    *out = e->summary;
}
