/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Connection set-up and teardown (see setup.h). REQ names the caller's QPN and the PSN at which the
 * *called* side starts; REP the reverse.
 */
#include "flow/setup.h"

#include <stdlib.h>
#include <string.h>

#include "flow/pairing.h"
#include "flow/request.h"
#include "flow/response.h"
#include "flow/verdict.h"
#include "rdc/cm.h"
#include "rdc/mad.h"

enum {
    EXCHANGES_MAX = 1 << 20, /* announced connections that are remembered */
};

#define NONE UINT32_MAX

/* One REQ and its REP. Index 0: the caller, 1: the called side. */
struct exchange {
    uint32_t pair;
    uint32_t next_in_pair;
    uint32_t next_of_id; /* same caller's communication id */
    uint8_t caller_side;
    bool replied;
    uint32_t comm_id[2];
    uint32_t qpn[2];
    uint32_t first_psn[2]; /* of the requests that this end sends */
    uint32_t pmtu;
    uint64_t timeout_ns;
    uint64_t service_id;
    uint64_t frame;
};

struct cm_table {
    struct exchange *list; /* owned */
    uint32_t count, room;
    struct flow_table by_id; /* (pair, caller's communication id) */
};

/* ------------------------------------------------------------------ finding exchanges */

struct id_query {
    const struct cm_table *cm;
    uint32_t pair;
    uint32_t id;
};

static bool id_equal(const void *context, uint32_t index)
{
    const struct id_query *q = context;

    return q->cm->list[index].pair == q->pair && q->cm->list[index].comm_id[0] == q->id;
}

struct rehash {
    const struct flow_engine *engine;
    const struct cm_table *cm;
};

static uint64_t id_hash(const struct flow_engine *e, uint32_t pair, uint32_t id)
{
    return flow_hash_words(&e->hash_key, pair, (uint64_t)id << 8 | 0xc1);
}

static uint64_t id_hash_of(const void *context, uint32_t index)
{
    const struct rehash *h = context;

    return id_hash(h->engine, h->cm->list[index].pair, h->cm->list[index].comm_id[0]);
}

/* The latest exchange of this pair with this communication id of the caller, or NULL */
static struct exchange *by_caller_id(struct flow_engine *e, uint32_t pair, uint32_t id)
{
    struct id_query q = {e->cm, pair, id};
    uint32_t i = flow_table_find(&e->cm->by_id, id_hash(e, pair, id), id_equal, &q);

    if (i == NONE)
        return NULL;
    while (e->cm->list[i].next_of_id != NONE)
        i = e->cm->list[i].next_of_id;
    return &e->cm->list[i];
}

/* The exchange that a message belongs to, whichever end sent it */
static struct exchange *of_message(struct flow_engine *e, uint32_t pair, const struct rdc_cm *cm)
{
    struct exchange *x = by_caller_id(e, pair, cm->local_comm_id);

    if (x != NULL &&
        (!x->replied || x->comm_id[1] == cm->remote_comm_id || cm->remote_comm_id == 0))
        return x;
    x = by_caller_id(e, pair, cm->remote_comm_id);
    if (x != NULL && (!x->replied || x->comm_id[1] == cm->local_comm_id))
        return x;
    return NULL;
}

static struct exchange *add(struct flow_engine *e, const struct exchange *x)
{
    struct cm_table *cm = e->cm;
    struct id_query q = {cm, x->pair, x->comm_id[0]};
    struct rehash rehash = {e, cm};
    uint64_t hash = id_hash(e, x->pair, x->comm_id[0]);
    uint32_t head;

    if (cm->count == cm->room) {
        uint32_t room = cm->room == 0 ? 16 : cm->room * 2;
        struct exchange *list =
            room <= EXCHANGES_MAX ? realloc(cm->list, room * sizeof(*list)) : NULL;

        if (list == NULL)
            return NULL;
        cm->list = list;
        cm->room = room;
    }
    cm->list[cm->count] = *x;
    head = flow_table_find(&cm->by_id, hash, id_equal, &q);
    if (head == NONE) {
        if (!flow_table_add(&cm->by_id, hash, cm->count, id_hash_of, &rehash))
            return NULL;
    } else {
        while (cm->list[head].next_of_id != NONE)
            head = cm->list[head].next_of_id;
        cm->list[head].next_of_id = cm->count;
    }
    cm->list[cm->count].next_in_pair = e->pairs[x->pair].announced;
    e->pairs[x->pair].announced = cm->count;
    return &cm->list[cm->count++];
}

/* ------------------------------------------------------------------ applying them to streams */

static uint8_t side_of(const struct exchange *x, int end)
{
    return (uint8_t)(end == 0 ? x->caller_side : !x->caller_side);
}

/* The stream that `end` sends: its destination is the other end's QPN. */
static struct stream *sent_by(struct flow_engine *e, const struct exchange *x, int end)
{
    const struct host_pair *pair = &e->pairs[x->pair];

    for (uint32_t i = pair->streams[side_of(x, end)]; i != NONE; i = e->streams[i]->next_in_pair)
        if (e->streams[i]->key.dest_qpn == x->qpn[!end])
            return e->streams[i];
    return NULL;
}

static void apply_to(struct flow_engine *e, struct stream *s, const struct exchange *x, int end)
{
    struct requester *r = request_state(s);

    s->local_qpn = x->qpn[end];
    s->local_qpn_known = true;
    s->service_id = x->service_id;
    s->cm_pmtu = x->pmtu;
    if (x->pmtu != 0 && s->pmtu == 0)
        stream_pmtu(e, s, x->pmtu);
    if (r == NULL)
        return;
    r->timeout_ns = (int64_t)x->timeout_ns;
    if (!r->started) {
        r->started = true;
        r->base = r->next = ((int64_t)1 << 32) + x->first_psn[end];
    }
}

static void pair_ends(struct flow_engine *e, const struct exchange *x)
{
    struct stream *a = sent_by(e, x, 0), *b = sent_by(e, x, 1);

    if (a != NULL)
        a->paired_by = FLOW_PAIRED_CM;
    if (b != NULL)
        b->paired_by = FLOW_PAIRED_CM;
    if (a == NULL || b == NULL || a->peer == b->index)
        return;
    if (a->peer == NONE && b->peer == NONE)
        pairing_make(e, a, b, FLOW_PAIRED_CM);
}

/* REP: both QPNs are known. Streams of the same QPNs that exist begin a new epoch. */
static void announce(struct flow_engine *e, struct exchange *x)
{
    for (int end = 0; end < 2; end++) {
        struct stream *s = sent_by(e, x, end);

        if (s == NULL)
            continue;
        request_restart(e, s);
        response_restart(e, s);
        s->state = FLOW_STATE_OPEN;
        s->torn_down_ns = NEVER;
        apply_to(e, s, x, end);
    }
    pair_ends(e, x);
}

void setup_new_stream(struct flow_engine *e, struct stream *s)
{
    if (e->cm == NULL)
        return;
    for (uint32_t i = e->pairs[s->pair].announced; i != NONE; i = e->cm->list[i].next_in_pair) {
        struct exchange *x = &e->cm->list[i];
        int end = s->side == side_of(x, 0) ? 0 : 1;

        if (!x->replied || x->qpn[!end] != s->key.dest_qpn)
            continue;
        apply_to(e, s, x, end);
        pair_ends(e, x);
        return;
    }
}

/* ------------------------------------------------------------------ messages */

static void on_request(struct flow_engine *e, uint32_t pair, uint8_t side, const struct rdc_cm *cm,
                       const struct rdc_packet *pkt)
{
    const struct exchange *old = by_caller_id(e, pair, cm->local_comm_id);
    struct exchange x = {.pair = pair,
                         .next_in_pair = NONE,
                         .next_of_id = NONE,
                         .caller_side = side,
                         .comm_id = {cm->local_comm_id, 0},
                         .qpn = {cm->local_qpn, 0},
                         .first_psn = {0, cm->starting_psn},
                         .timeout_ns = rdc_cm_has(cm, RDC_CM_HAS_PRIMARY_ACK_TIMEOUT) &&
                                               cm->primary_local_ack_timeout != 0
                                           ? rdc_cm_timeout_ns(cm->primary_local_ack_timeout)
                                           : 0,
                         .pmtu = rdc_cm_has(cm, RDC_CM_HAS_PATH_MTU) && cm->path_mtu >= 1 &&
                                         cm->path_mtu <= 5
                                     ? 128u << cm->path_mtu
                                     : 0,
                         .service_id = cm->service_id,
                         .frame = pkt->frame};

    if (old != NULL && old->qpn[0] == x.qpn[0] && old->first_psn[1] == x.first_psn[1])
        return; /* sent again */
    add(e, &x);
}

static void on_reply(struct flow_engine *e, uint32_t pair, const struct rdc_cm *cm)
{
    struct exchange *x = by_caller_id(e, pair, cm->remote_comm_id);

    if (x == NULL || (x->replied && x->comm_id[1] == cm->local_comm_id))
        return;
    x->replied = true;
    x->comm_id[1] = cm->local_comm_id;
    x->qpn[1] = cm->local_qpn;
    x->first_psn[0] = cm->starting_psn;
    announce(e, x);
}

static void on_disconnect(struct flow_engine *e, const struct exchange *x,
                          const struct rdc_packet *pkt)
{
    for (int end = 0; end < 2; end++) {
        struct stream *s = sent_by(e, x, end);

        if (s == NULL || s->torn_down_ns != NEVER)
            continue;
        s->torn_down_ns = pkt->time_ns;
        if (s->state == FLOW_STATE_OPEN)
            s->state = FLOW_STATE_CLOSED;
    }
}

static const struct stream *any_stream(struct flow_engine *e, const struct exchange *x,
                                       uint8_t side)
{
    if (x == NULL || !x->replied)
        return NULL;
    return sent_by(e, x, side == side_of(x, 0) ? 0 : 1);
}

void setup_packet(struct flow_engine *e, const struct rdc_packet *pkt)
{
    struct rdc_cursor cur = {pkt->ib.payload, pkt->ib.payload_captured, pkt->ib.payload_size};
    struct flow_event ev = {.kind = FLOW_CM, .certain = true};
    struct flow_key key;
    struct rdc_mad mad;
    struct rdc_cm cm;
    const struct exchange *x;
    uint32_t pair;
    uint8_t side;

    if (pkt->ib.payload == NULL || rdc_mad_decode(&cur, &mad) != RDC_OK ||
        rdc_cm_decode(&mad, &cm) != RDC_OK)
        return;
    if (e->cm == NULL && (e->cm = calloc(1, sizeof(*e->cm))) == NULL)
        return;
    flow_key_of(pkt, &key);
    if (!engine_pair(e, &key, &pair, &side))
        return;
    if (cm.message == RDC_CM_REQ)
        on_request(e, pair, side, &cm, pkt);
    else if (cm.message == RDC_CM_REP)
        on_reply(e, pair, &cm);
    x = of_message(e, pair, &cm);
    ev.code = cm.message;
    engine_event(e, &ev, any_stream(e, x, side), pkt);
    if (x != NULL && x->replied && (cm.message == RDC_CM_DREQ || cm.message == RDC_CM_DREP)) {
        on_disconnect(e, x, pkt);
        ev.kind = FLOW_TEARDOWN;
        engine_event(e, &ev, any_stream(e, x, side), pkt);
    }
}

void setup_free(struct cm_table *cm)
{
    if (cm == NULL)
        return;
    free(cm->list);
    flow_table_done(&cm->by_id);
    free(cm);
}
