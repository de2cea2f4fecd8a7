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
    uint32_t latest_of_id; /* in the first exchange of a communication id: the latest */
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

/* What one end of the latest exchange sends: the stream to the other end's QPN */
struct announced {
    uint32_t pair;
    uint8_t side;
    uint8_t end;
    uint32_t qpn;
    uint32_t exchange;
};

struct cm_table {
    struct exchange *list; /* owned */
    uint32_t count, room;
    struct flow_table by_id;     /* (pair, caller's communication id) -> first exchange */
    struct announced *announced; /* owned */
    uint32_t announced_count, announced_room;
    struct flow_table by_qpn; /* (pair, side, QPN) -> announced */
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

static uint64_t id_hash(const struct flow_engine *e, uint32_t pair, uint32_t id)
{
    return flow_hash_words(&e->hash_key, pair, (uint64_t)id << 8 | 0xc1);
}

/* The latest exchange of this pair with this communication id of the caller, or NULL */
static struct exchange *by_caller_id(struct flow_engine *e, uint32_t pair, uint32_t id)
{
    struct id_query q = {e->cm, pair, id};
    uint32_t i = flow_table_find(&e->cm->by_id, id_hash(e, pair, id), id_equal, &q);

    if (i == NONE)
        return NULL;
    return &e->cm->list[e->cm->list[i].latest_of_id];
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
    uint64_t hash = id_hash(e, x->pair, x->comm_id[0]);
    uint32_t head;

    if (cm->count == cm->room) {
        uint32_t room = cm->room == 0 ? 16 : cm->room * 2;
        struct exchange *list =
            room <= EXCHANGES_MAX ? realloc(cm->list, room * sizeof(*list)) : NULL;

        if (list == NULL) {
            engine_refused(e);
            return NULL;
        }
        cm->list = list;
        cm->room = room;
    }
    cm->list[cm->count] = *x;
    cm->list[cm->count].latest_of_id = cm->count;
    head = flow_table_find(&cm->by_id, hash, id_equal, &q);
    if (head == NONE) {
        if (!flow_table_add(&cm->by_id, hash, cm->count)) {
            engine_refused(e);
            return NULL;
        }
    } else {
        cm->list[head].latest_of_id = cm->count;
    }
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
    return engine_stream_to(e, x->pair, side_of(x, end), x->qpn[!end]);
}

static void apply_to(struct flow_engine *e, struct stream *s, const struct exchange *x, int end)
{
    struct requester *r = request_state(e, s);

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

/* ------------------------------------------------------------------ finding what was announced */

struct qpn_query {
    const struct cm_table *cm;
    uint32_t pair;
    uint8_t side;
    uint32_t qpn;
};

static bool qpn_equal(const void *context, uint32_t index)
{
    const struct qpn_query *q = context;
    const struct announced *a = &q->cm->announced[index];

    return a->pair == q->pair && a->side == q->side && a->qpn == q->qpn;
}

static uint64_t qpn_hash(const struct flow_engine *e, uint32_t pair, uint8_t side, uint32_t qpn)
{
    return flow_hash_words(&e->hash_key, (uint64_t)pair << 1 | side, (uint64_t)qpn << 8 | 0xc2);
}

static struct announced *announced_of(struct flow_engine *e, uint32_t pair, uint8_t side,
                                      uint32_t qpn)
{
    struct qpn_query q = {e->cm, pair, side, qpn};
    uint32_t i = flow_table_find(&e->cm->by_qpn, qpn_hash(e, pair, side, qpn), qpn_equal, &q);

    return i != NONE ? &e->cm->announced[i] : NULL;
}

/* A stream that begins later finds the exchange by its destination. */
static void remember_end(struct flow_engine *e, const struct exchange *x, int end)
{
    struct cm_table *cm = e->cm;
    struct announced a = {.pair = x->pair,
                          .side = side_of(x, end),
                          .end = (uint8_t)end,
                          .qpn = x->qpn[!end],
                          .exchange = (uint32_t)(x - cm->list)};
    struct announced *old = announced_of(e, a.pair, a.side, a.qpn);

    if (old != NULL) {
        *old = a;
        return;
    }
    if (cm->announced_count == cm->announced_room) {
        uint32_t room = cm->announced_room == 0 ? 32 : cm->announced_room * 2;
        struct announced *list = realloc(cm->announced, room * sizeof(*list));

        if (list == NULL) {
            engine_refused(e);
            return;
        }
        cm->announced = list;
        cm->announced_room = room;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without room it was full, at 0 */
    cm->announced[cm->announced_count] = a;
    if (flow_table_add(&cm->by_qpn, qpn_hash(e, a.pair, a.side, a.qpn), cm->announced_count))
        cm->announced_count++;
    else
        engine_refused(e);
}

/* REP: both QPNs are known. Streams of the same QPNs that exist begin a new epoch. */
static void announce(struct flow_engine *e, struct exchange *x)
{
    for (int end = 0; end < 2; end++) {
        struct stream *s = sent_by(e, x, end);

        remember_end(e, x, end);
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
    const struct announced *a;
    const struct exchange *x;

    if (e->cm == NULL)
        return;
    a = announced_of(e, s->pair, s->side, s->key.dest_qpn);
    if (a == NULL)
        return;
    x = &e->cm->list[a->exchange];
    apply_to(e, s, x, a->end);
    pair_ends(e, x);
}

/* ------------------------------------------------------------------ messages */

static void on_request(struct flow_engine *e, uint32_t pair, uint8_t side, const struct rdc_cm *cm,
                       const struct rdc_packet *pkt)
{
    const struct exchange *old = by_caller_id(e, pair, cm->local_comm_id);
    struct exchange x = {.pair = pair,
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
    add(e, &x); /* -fanalyzer: the list that grows is that of e->cm */
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
    if (e->cm == NULL && (e->cm = calloc(1, sizeof(*e->cm))) == NULL) {
        engine_refused(e);
        return;
    }
    flow_key_of(pkt, &key);
    if (!engine_pair(e, &key, &pair, &side)) {
        engine_refused(e);
        return;
    }
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
    free(cm->announced);
    flow_table_done(&cm->by_id);
    flow_table_done(&cm->by_qpn);
    free(cm);
}
