/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What packets will need, and when it is asked for (see ahead.h).
 */
#include "flow/ahead.h"

#include "flow/congestion.h"
#include "flow/steady.h"

/* Surely in line: gcc takes a function that only asks for memory for one without effect, and leaves
 * calls of it out. */
#define INLINE static inline __attribute__((always_inline))

/* Packets before its turn at which a packet takes a step; the steps are taken in this order */
enum {
    TO_FIND = 15, /* where its stream is looked up */
    TO_STREAM = 11,
    TO_PARTS = 9, /* what the stream points to */
    TO_ANSWERED = 7,
    TO_REST = 4, /* what those point to */
};

enum needs {
    REQUEST,      /* within a message */
    REQUEST_EDGE, /* that begins or ends one */
    RESPONSE,
};

/* Up to three lines */
INLINE void fetch(const void *from, size_t size)
{
    const char *line = from;

    __builtin_prefetch(line, 1);
    if (size > FLOW_LINE)
        __builtin_prefetch(line + FLOW_LINE, 1);
    if (size > 2 * FLOW_LINE)
        __builtin_prefetch(line + 2 * FLOW_LINE, 1);
}

/* ------------------------------------------------------------------ a packet's stream */

INLINE bool is_brief(const struct flow_batch *b, size_t i)
{
    return (b->whole >> i & 1) == 0;
}

INLINE uint8_t needs_of(uint8_t opcode)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[opcode];

    if (op->role != RDC_ROLE_REQUEST)
        return RESPONSE;
    return op->position == RDC_POS_MIDDLE ? REQUEST : REQUEST_EDGE;
}

/* Its stream is found by its context, or else in the table. */
INLINE void find(struct ahead *x, size_t i)
{
    const struct flow_engine *e = x->engine;
    const struct rdc_packet *pkt = &x->batch->packets[i];

    if (is_brief(x->batch, i)) {
        x->needs[i] = needs_of(rdc_brief_opcode(&x->batch->briefs[i]));
        if (e->known != NULL)
            __builtin_prefetch(&e->known[x->batch->briefs[i].context]);
    } else if (pkt->kind == RDC_KIND_BTH) {
        x->needs[i] = needs_of(pkt->ib.bth.opcode);
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

INLINE void reach_stream(struct ahead *x, size_t i)
{
    struct stream *s = likely_stream(x, i);

    x->stream[i] = s;
    if (s == NULL)
        return;
    fetch(&s->last_frame, offsetof(struct stream, path.dscp_seen) - FLOW_LINE);
    fetch(&s->c, offsetof(struct flow_counters, icrc_checked));
    if (x->needs[i] != RESPONSE)
        return;
    fetch(s, FLOW_LINE);
    fetch(&s->c.acks, FLOW_LINE);
    fetch(&s->matches, sizeof(s->matches));
}

/* ------------------------------------------------------------------ what it points to */

INLINE void reach_parts(const struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];

    if (s == NULL)
        return;
    __builtin_prefetch(s->series, 1);
    __builtin_prefetch(s->congestion, 1);
    if (x->needs[i] != RESPONSE) {
        if (s->requester != NULL)
            fetch(s->requester, offsetof(struct requester, holes.list));
        if (x->needs[i] == REQUEST_EDGE && s->times != NULL)
            fetch(&s->times->message_size, sizeof(s->times->message_size));
        return;
    }
    if (s->responder != NULL)
        fetch(s->responder, sizeof(*s->responder));
    if (s->peer != FLOW_NO_STREAM)
        fetch(&x->engine->streams[s->peer]->last_frame, 2 * FLOW_LINE);
}

/* Of responses: the requests that they answer */
INLINE void reach_answered(const struct ahead *x, size_t i)
{
    const struct stream *peer;

    if (x->needs[i] != RESPONSE || x->stream[i] == NULL)
        return;
    peer = stream_peer(x->engine, x->stream[i]);
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
        __builtin_prefetch(&h->slots[history_place(h, psn)], 1);
}

INLINE void fetch_lists(const struct requester *r)
{
    if (r->messages.list != NULL)
        __builtin_prefetch(&r->messages.list[r->messages.count / 2], 1);
    if (r->reads.count == 0)
        return;
    __builtin_prefetch(&r->reads.list[r->reads.count - 1].end, 1);
    if (r->reads.hint + 1 >= r->reads.count)
        return;
    __builtin_prefetch(&r->reads.list[r->reads.hint].end, 1);
    if (r->reads.hint > 0)
        __builtin_prefetch(&r->reads.list[r->reads.hint - 1].end, 1);
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

INLINE void reach_rest(const struct ahead *x, size_t i)
{
    const struct stream *s = x->stream[i];
    uint32_t psn;

    if (s == NULL)
        return;
    psn = is_brief(x->batch, i) ? rdc_brief_psn(&x->batch->briefs[i])
                                : x->batch->packets[i].ib.bth.psn;
    if (x->needs[i] == RESPONSE) {
        fetch_answered(s, stream_peer(x->engine, s), psn);
        return;
    }
    if (s->requester == NULL)
        return;
    fetch_slot(&s->requester->seen, psn);
    if (x->needs[i] == REQUEST)
        return;
    fetch_lists(s->requester);
    if (s->times != NULL)
        flow_histogram_fetch(&s->times->message_size);
}

/* ------------------------------------------------------------------ steps */

INLINE bool is_place(const struct ahead *x, size_t i)
{
    return i < x->batch->count;
}

/* The steps of the first packets, all of a kind together: while one waits for memory, so do all. */
void ahead_begin(struct ahead *x, const struct flow_engine *e, const struct flow_batch *b)
{
    x->engine = e;
    x->batch = b;
    for (size_t i = 0; i < TO_FIND && is_place(x, i); i++)
        find(x, i);
    for (size_t i = 0; i < TO_STREAM && is_place(x, i); i++)
        reach_stream(x, i);
    for (size_t i = 0; i < TO_PARTS && is_place(x, i); i++)
        reach_parts(x, i);
    for (size_t i = 0; i < TO_ANSWERED && is_place(x, i); i++)
        reach_answered(x, i);
    for (size_t i = 0; i < TO_REST && is_place(x, i); i++)
        reach_rest(x, i);
}

void ahead_step(struct ahead *x, size_t at)
{
    if (is_place(x, at + TO_FIND)) { /* and so all are, nearly always */
        find(x, at + TO_FIND);
        reach_stream(x, at + TO_STREAM);
        reach_parts(x, at + TO_PARTS);
        reach_answered(x, at + TO_ANSWERED);
        reach_rest(x, at + TO_REST);
        return;
    }
    if (is_place(x, at + TO_STREAM))
        reach_stream(x, at + TO_STREAM);
    if (is_place(x, at + TO_PARTS))
        reach_parts(x, at + TO_PARTS);
    if (is_place(x, at + TO_ANSWERED))
        reach_answered(x, at + TO_ANSWERED);
    if (is_place(x, at + TO_REST))
        reach_rest(x, at + TO_REST);
}
