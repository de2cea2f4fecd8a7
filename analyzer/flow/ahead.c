/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What packets will need, and when it is asked for (see ahead.h).
 */
#include "flow/ahead.h"

#include "flow/congestion.h"
#include "flow/steady.h"

#define INLINE static inline __attribute__((always_inline))

/* Packets of its kind before its turn at which a packet takes a step; the steps are taken in this
 * order. Of most kinds there are few, so they begin fewer of them before. */
enum {
    WITHIN_FIND = 13, /* where its stream is looked up */
    WITHIN_STREAM = 9,
    WITHIN_PARTS = 7, /* what the stream points to */
    WITHIN_REST = 3,  /* what those point to */

    EDGE_FIND = 5,
    EDGE_STREAM = 4,
    EDGE_PARTS = 3,
    EDGE_REST = 1,

    RESPONSE_FIND = 5,
    RESPONSE_STREAM = 4,
    RESPONSE_PARTS = 3,
    RESPONSE_ANSWERED = 2, /* the requests that it answers */
    RESPONSE_REST = 1,
};

static_assert((int)WITHIN_FIND <= AHEAD_FARTHEST && (int)EDGE_FIND <= AHEAD_FARTHEST &&
                  (int)RESPONSE_FIND <= AHEAD_FARTHEST,
              "places suffice");

/* gcc takes a function that only asks for memory for one without effect, and leaves calls of it
 * out: not where there is a statement that it can't look into. */
INLINE void ask(const void *line)
{
    __builtin_prefetch(line, 1);
    __asm__ volatile("");
}

/* Up to three lines */
INLINE void fetch(const void *from, size_t size)
{
    const char *line = from;

    ask(line);
    if (size > FLOW_LINE)
        ask(line + FLOW_LINE);
    if (size > 2 * FLOW_LINE)
        ask(line + 2 * FLOW_LINE);
}

/* ------------------------------------------------------------------ a packet's stream */

INLINE bool is_brief(const struct flow_batch *b, size_t i)
{
    return (b->whole >> i & 1) == 0;
}

/* Its stream is found by its context, or else in the table. */
INLINE void find(struct ahead *x, size_t i)
{
    const struct flow_engine *e = x->engine;
    const struct rdc_packet *pkt = &x->batch->packets[i];

    if (is_brief(x->batch, i)) {
        if (e->known != NULL)
            ask(&e->known[x->batch->briefs[i].context]);
    } else if (pkt->kind == RDC_KIND_BTH) {
        x->hash[i] = engine_hash(e, pkt);
        flow_table_fetch(&e->stream_table, x->hash[i]);
    }
}

/* Nothing is known yet of streams that begin with one of these packets. */
INLINE struct stream *likely_stream(const struct ahead *x, size_t i)
{
    const struct flow_engine *e = x->engine;
    uint32_t number;

    if (is_brief(x->batch, i))
        return e->known != NULL ? e->known[x->batch->briefs[i].context].stream : NULL;
    if (x->batch->packets[i].kind != RDC_KIND_BTH)
        return NULL;
    number = engine_expected(e, x->hash[i]);
    return number != FLOW_NO_STREAM ? e->streams[number] : NULL;
}

/* What all kinds need of it */
INLINE void reach_stream(struct ahead *x, size_t i)
{
    struct stream *s = likely_stream(x, i);

    x->stream[i] = s;
    if (s == NULL)
        return;
    fetch(&s->last_frame, offsetof(struct stream, path.dscp_seen) - FLOW_LINE);
    fetch(&s->c, offsetof(struct flow_counters, icrc_checked));
}

INLINE void reach_responding(struct ahead *x, size_t i)
{
    const struct stream *s;

    reach_stream(x, i);
    s = x->stream[i];
    if (s == NULL)
        return;
    fetch(s, FLOW_LINE);
    fetch(&s->c.acks, FLOW_LINE);
    fetch(&s->matches, sizeof(s->matches));
}

/* ------------------------------------------------------------------ what it points to */

INLINE void reach_sums(const struct stream *s)
{
    ask(s->series);
    ask(s->congestion);
}

INLINE void reach_requester(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s == NULL)
        return;
    reach_sums(s);
    if (s->requester != NULL)
        fetch(s->requester, offsetof(struct requester, holes.list));
}

INLINE void reach_messages(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    reach_requester(x, i);
    if (s != NULL && s->times != NULL)
        fetch(&s->times->message_size, sizeof(s->times->message_size));
}

INLINE void reach_responder(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s == NULL)
        return;
    reach_sums(s);
    if (s->responder != NULL)
        fetch(s->responder, sizeof(*s->responder));
    if (s->peer != FLOW_NO_STREAM)
        fetch(&x->engine->streams[s->peer]->last_frame, 2 * FLOW_LINE);
}

INLINE void reach_answered(struct ahead *x, size_t i)
{
    const struct stream *peer = x->stream[i] != NULL ? stream_peer(x->engine, x->stream[i]) : NULL;

    if (peer == NULL)
        return;
    if (peer->requester != NULL)
        fetch(peer->requester, offsetof(struct requester, evidence));
    if (peer->times != NULL)
        fetch(peer->times, sizeof(*peer->times));
}

/* A ring is never larger than the space of PSNs. */
INLINE void fetch_slot(const struct history *h, uint32_t psn)
{
    if (h->slots != NULL)
        ask(&h->slots[history_place(h, psn)]);
}

INLINE void fetch_lists(const struct requester *r)
{
    if (r->messages.list != NULL)
        ask(&r->messages.list[r->messages.count / 2]);
    if (r->reads.count == 0)
        return;
    ask(&r->reads.list[r->reads.count - 1].end);
    if (r->reads.hint + 1 >= r->reads.count)
        return;
    ask(&r->reads.list[r->reads.hint].end);
    if (r->reads.hint > 0)
        ask(&r->reads.list[r->reads.hint - 1].end);
}

INLINE void fetch_answered(const struct stream *s, const struct stream *peer, uint32_t psn)
{
    if (peer == NULL || peer->requester == NULL)
        return;
    if (s->responder != NULL)
        fetch_slot(&s->responder->seen, psn);
    fetch_slot(&peer->requester->seen, psn);
    fetch_lists(peer->requester);
    if (peer->times != NULL) {
        flow_histogram_fetch(&peer->times->rtt);
        flow_histogram_fetch(&peer->times->message_latency);
    }
}

INLINE uint32_t psn_of(const struct ahead *x, size_t i)
{
    return is_brief(x->batch, i) ? rdc_brief_psn(&x->batch->briefs[i])
                                 : x->batch->packets[i].ib.bth.psn;
}

INLINE void reach_slot(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s != NULL && s->requester != NULL)
        fetch_slot(&s->requester->seen, psn_of(x, i));
}

INLINE void reach_message(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s == NULL || s->requester == NULL)
        return;
    fetch_slot(&s->requester->seen, psn_of(x, i));
    fetch_lists(s->requester);
    if (s->times != NULL)
        flow_histogram_fetch(&s->times->message_size);
}

INLINE void reach_answers(struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s != NULL)
        fetch_answered(s, stream_peer(x->engine, s), psn_of(x, i));
}

/* ------------------------------------------------------------------ steps */

INLINE void step_within(struct ahead *x, const uint8_t *next)
{
    find(x, next[WITHIN_FIND]);
    reach_stream(x, next[WITHIN_STREAM]);
    reach_requester(x, next[WITHIN_PARTS]);
    reach_slot(x, next[WITHIN_REST]);
}

INLINE void step_edge(struct ahead *x, const uint8_t *next)
{
    find(x, next[EDGE_FIND]);
    reach_stream(x, next[EDGE_STREAM]);
    reach_messages(x, next[EDGE_PARTS]);
    reach_message(x, next[EDGE_REST]);
}

INLINE void step_response(struct ahead *x, const uint8_t *next)
{
    find(x, next[RESPONSE_FIND]);
    reach_responding(x, next[RESPONSE_STREAM]);
    reach_responder(x, next[RESPONSE_PARTS]);
    reach_answered(x, next[RESPONSE_ANSWERED]);
    reach_answers(x, next[RESPONSE_REST]);
}

INLINE uint8_t kind_of(const struct flow_batch *b, size_t i)
{
    const struct rdc_opcode_info *op;
    bool request, edge;

    if (is_brief(b, i))
        op = &rdc_opcode_table[rdc_brief_opcode(&b->briefs[i])];
    else if (b->packets[i].kind == RDC_KIND_BTH)
        op = &rdc_opcode_table[b->packets[i].ib.bth.opcode];
    else
        return AHEAD_RESPONSE;
    request = op->role == RDC_ROLE_REQUEST;
    edge = op->position != RDC_POS_MIDDLE;
    return (uint8_t)(!request * AHEAD_RESPONSE + (request & edge) * AHEAD_EDGE);
}

/* Behind the last packet of a kind comes that packet again: each step finds one. */
static void end_places(struct ahead_places *p)
{
    for (size_t k = 0; k < AHEAD_FARTHEST && p->count > 0; k++)
        p->packet[p->count + k] = p->packet[p->count - 1];
}

static void find_places(struct ahead *x)
{
    for (size_t kind = 0; kind < AHEAD_KINDS; kind++)
        x->places[kind].count = x->places[kind].done = 0;
    for (size_t i = 0; i < x->batch->count; i++) {
        uint8_t kind = kind_of(x->batch, i);
        struct ahead_places *p = &x->places[kind];

        x->kind[i] = kind;
        p->packet[p->count++] = (uint8_t)i;
    }
    for (size_t kind = 0; kind < AHEAD_KINDS; kind++)
        end_places(&x->places[kind]);
}

/* The step of the first packets of a kind: all together, so that while one waits for memory, so do
 * all. */
INLINE void begin(struct ahead *x, enum ahead_kind kind, size_t count,
                  void (*step)(struct ahead *x, size_t i))
{
    const struct ahead_places *p = &x->places[kind];

    for (size_t k = 0; k < count && k < p->count; k++)
        step(x, p->packet[k]);
}

void ahead_begin(struct ahead *x, const struct flow_engine *e, const struct flow_batch *b)
{
    x->engine = e;
    x->batch = b;
    find_places(x);
    begin(x, AHEAD_WITHIN, WITHIN_FIND, find);
    begin(x, AHEAD_EDGE, EDGE_FIND, find);
    begin(x, AHEAD_RESPONSE, RESPONSE_FIND, find);
    begin(x, AHEAD_WITHIN, WITHIN_STREAM, reach_stream);
    begin(x, AHEAD_EDGE, EDGE_STREAM, reach_stream);
    begin(x, AHEAD_RESPONSE, RESPONSE_STREAM, reach_responding);
    begin(x, AHEAD_WITHIN, WITHIN_PARTS, reach_requester);
    begin(x, AHEAD_EDGE, EDGE_PARTS, reach_messages);
    begin(x, AHEAD_RESPONSE, RESPONSE_PARTS, reach_responder);
    begin(x, AHEAD_RESPONSE, RESPONSE_ANSWERED, reach_answered);
    begin(x, AHEAD_WITHIN, WITHIN_REST, reach_slot);
    begin(x, AHEAD_EDGE, EDGE_REST, reach_message);
    begin(x, AHEAD_RESPONSE, RESPONSE_REST, reach_answers);
}

void ahead_step(struct ahead *x, size_t at)
{
    struct ahead_places *p = &x->places[x->kind[at]];
    const uint8_t *next = p->packet + p->done++;

    switch (x->kind[at]) {
    case AHEAD_WITHIN:
        step_within(x, next);
        break;
    case AHEAD_EDGE:
        step_edge(x, next);
        break;
    default:
        step_response(x, next);
        break;
    }
}
