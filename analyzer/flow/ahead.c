/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking ahead. With many streams, their state is larger than the caches near the processor, and
 * a packet after the other would wait for memory, line by line. So what a packet will need is asked
 * for some packets before it, step by step along the pointers that lead there, each when the one
 * before has had time to arrive. Nothing here changes state.
 */
#include "flow/congestion.h"
#include "flow/flow.h"
#include "flow/stream.h"

static inline void fetch(const void *from, size_t size)
{
    const char *line = from;

    __builtin_prefetch(line, 1);
    if (size > FLOW_LINE)
        __builtin_prefetch(line + FLOW_LINE, 1);
    if (size > 2 * FLOW_LINE)
        __builtin_prefetch(line + 2 * FLOW_LINE, 1);
    if (size > 3 * FLOW_LINE)
        __builtin_prefetch(line + 3 * FLOW_LINE, 1);
}

static inline const struct rdc_opcode_info *opcode_of(const struct rdc_packet *pkt)
{
    return &rdc_opcode_table[pkt->ib.bth.opcode];
}

/* Packets before its turn at which a packet takes a step; less than FLOW_AHEAD */
enum {
    TO_FIND = 15, /* where the table of streams will be looked at */
    TO_NUMBER = 13,
    TO_STREAM = 11,
    TO_PARTS = 9,
    TO_ANSWERED = 7,
    TO_REST = 4,
};

/* First step: the stream itself */
static inline void fetch_stream(const struct stream *s)
{
    fetch(s, offsetof(struct stream, path.src_mac));
    fetch(&s->c, offsetof(struct flow_counters, icrc_checked));
}

/* Second step: what it points to */
static inline void fetch_parts(const struct flow_engine *e, const struct stream *s,
                               const struct rdc_packet *pkt)
{
    __builtin_prefetch(s->series, 1);
    if (s->congestion != NULL)
        congestion_fetch(s->congestion);
    if (opcode_of(pkt)->role == RDC_ROLE_REQUEST) {
        if (s->requester != NULL)
            fetch(s->requester, offsetof(struct requester, evidence));
        if (s->times != NULL && opcode_of(pkt)->position != RDC_POS_MIDDLE)
            fetch(&s->times->message_size, sizeof(s->times->message_size));
        return;
    }
    if (s->responder != NULL)
        fetch(s->responder, sizeof(*s->responder));
    if (s->peer != FLOW_NO_STREAM)
        fetch(&e->streams[s->peer]->last_frame,
              offsetof(struct stream, path) - offsetof(struct stream, last_frame));
}

/* Third step, of responses: the requests that they answer */
static inline void fetch_answered(const struct flow_engine *e, const struct stream *s)
{
    const struct stream *peer = stream_peer(e, s);

    if (peer == NULL)
        return;
    if (peer->requester != NULL)
        fetch(peer->requester, offsetof(struct requester, learned_ns));
    if (peer->times != NULL)
        fetch(peer->times, sizeof(*peer->times));
}

static inline void fetch_slot(const struct history *h, int64_t near, uint32_t psn)
{
    if (h->slots != NULL)
        __builtin_prefetch(&h->slots[history_place(h, unwrap(near, psn))], 1);
}

static inline void fetch_lists(const struct requester *r)
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

/* Last step: what the requester and the responder point to */
static inline void fetch_rest(const struct flow_engine *e, const struct stream *s,
                              const struct rdc_packet *pkt)
{
    const struct stream *peer;

    if (s->congestion != NULL)
        congestion_fetch_bin(s->congestion);
    if (opcode_of(pkt)->role == RDC_ROLE_REQUEST) {
        if (s->requester == NULL)
            return;
        fetch_slot(&s->requester->seen, s->requester->next, pkt->ib.bth.psn);
        if (opcode_of(pkt)->position == RDC_POS_MIDDLE)
            return;
        fetch_lists(s->requester);
        if (s->times != NULL)
            flow_histogram_fetch(&s->times->message_size);
        return;
    }
    peer = stream_peer(e, s);
    if (peer == NULL || peer->requester == NULL)
        return;
    if (s->responder != NULL)
        fetch_slot(&s->responder->seen, s->responder->next, pkt->ib.bth.psn);
    fetch_slot(&peer->requester->seen, peer->requester->next, pkt->ib.bth.psn);
    fetch_lists(peer->requester);
    if (peer->times != NULL) {
        flow_histogram_fetch(&peer->times->rtt);
        flow_histogram_fetch(&peer->times->message_latency);
    }
}

/* Packets that another thread decoded are far, too. */
static inline void find(const struct flow_engine *e, struct expected *x, uint32_t i)
{
    const struct rdc_packet *pkt = &x->packets[i];

    if (x->hints != NULL)
        fetch(pkt, offsetof(struct rdc_packet, ib.ext));
    else if (pkt->kind == RDC_KIND_BTH)
        x->own[i % FLOW_AHEAD] = engine_hint(&e->hash_key, pkt);
    flow_table_fetch(&e->stream_table, expected_hint(x, i)->hash);
}

static inline struct stream *stream_at(const struct expected *x, uint32_t i)
{
    return x->stream[i % FLOW_AHEAD];
}

/* Nothing is known yet of streams that begin with one of these packets. */
static inline void look_up(const struct flow_engine *e, struct expected *x, uint32_t i)
{
    uint32_t number = FLOW_NO_STREAM;

    if (x->packets[i].kind == RDC_KIND_BTH)
        number = engine_expected(e, expected_hint(x, i)->hash);
    x->number[i % FLOW_AHEAD] = number;
    if (number != FLOW_NO_STREAM)
        __builtin_prefetch(&e->streams[number]);
}

static inline void reach_stream(const struct flow_engine *e, struct expected *x, uint32_t i)
{
    uint32_t number = x->number[i % FLOW_AHEAD];
    struct stream *s = number != FLOW_NO_STREAM ? e->streams[number] : NULL;

    x->stream[i % FLOW_AHEAD] = s;
    if (s != NULL)
        fetch_stream(s);
}

static inline void reach_parts(const struct flow_engine *e, const struct expected *x, uint32_t i)
{
    if (stream_at(x, i) != NULL)
        fetch_parts(e, stream_at(x, i), &x->packets[i]);
}

static inline void reach_answered(const struct flow_engine *e, const struct expected *x, uint32_t i)
{
    if (stream_at(x, i) != NULL && opcode_of(&x->packets[i])->role != RDC_ROLE_REQUEST)
        fetch_answered(e, stream_at(x, i));
}

static inline void reach_rest(const struct flow_engine *e, const struct expected *x, uint32_t i)
{
    if (stream_at(x, i) != NULL)
        fetch_rest(e, stream_at(x, i), &x->packets[i]);
}

static inline bool is_place(const struct expected *x, int64_t i)
{
    return i >= 0 && i < x->count;
}

/* Each packet takes the step that is due when the one at place `at` comes next; a place below zero
 * is before the first. `all`: there is a packet for each step. */
static inline void steps(const struct flow_engine *e, struct expected *x, int64_t at, bool all)
{
    if (all || is_place(x, at + TO_FIND))
        find(e, x, (uint32_t)(at + TO_FIND));
    if (all || is_place(x, at + TO_NUMBER))
        look_up(e, x, (uint32_t)(at + TO_NUMBER));
    if (all || is_place(x, at + TO_STREAM))
        reach_stream(e, x, (uint32_t)(at + TO_STREAM));
    if (all || is_place(x, at + TO_PARTS))
        reach_parts(e, x, (uint32_t)(at + TO_PARTS));
    if (all || is_place(x, at + TO_ANSWERED))
        reach_answered(e, x, (uint32_t)(at + TO_ANSWERED));
    if (all || is_place(x, at + TO_REST))
        reach_rest(e, x, (uint32_t)(at + TO_REST));
}

static void some_steps(const struct flow_engine *e, struct expected *x, int64_t at)
{
    steps(e, x, at, false);
}

void engine_ahead(struct flow_engine *e)
{
    struct expected *x = &e->expected;

    if (x->count - x->at > TO_FIND)
        steps(e, x, x->at, true);
    else
        some_steps(e, x, x->at);
}

void flow_hints(const struct flow_engine *e, const struct rdc_packet *packets, size_t count,
                struct flow_hint *hints)
{
    /* a copy: what lies around the engine's is written for each packet, perhaps by another
     * processor
     */
    const struct flow_hash_key hash_key = e->hash_key;

    for (size_t i = 0; i < count; i++)
        hints[i] = packets[i].kind == RDC_KIND_BTH ? engine_hint(&hash_key, &packets[i])
                                                   : (struct flow_hint){0, 0};
}

void flow_expect(struct flow_engine *e, const struct rdc_packet *packets,
                 const struct flow_hint *hints, size_t count)
{
    struct expected *x = &e->expected;

    x->packets = packets;
    x->hints = hints;
    x->at = 0;
    x->count = count <= UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    for (int64_t at = -TO_FIND; at < 0; at++)
        some_steps(e, x, at);
}
