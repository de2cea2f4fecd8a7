/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets that come as expected (see steady.h). A rule that is not about such packets must say no
 * here before anything has changed.
 */
#include "flow/steady.h"

#include <stdlib.h>

#include "flow/checksum.h"
#include "flow/note.h"
#include "flow/pairing.h"
#include "flow/psns.h"
#include "flow/request.h"
#include "flow/response.h"
#include "flow/trigger.h"

enum {
    ECN_CE = 3, /* RFC 3168, 5 */
};

/* What is known of a packet stays in registers. */
#define INLINE static inline __attribute__((always_inline))

/* A packet and what it belongs to */
struct steady {
    struct flow_engine *engine;
    const struct known *known;
    const struct rdc_brief *brief;
    const struct rdc_opcode_info *op;
    struct stream *stream;
};

/* ------------------------------------------------------------------ any packet */

/* Its ICRC, if it was checked, is good; and that of its sender was looked up before. */
INLINE bool is_intact(const struct steady *p)
{
    uint32_t sender = p->stream->sender;

    if (p->brief->icrc_check != RDC_CHECK_OK)
        return p->brief->icrc_check != RDC_CHECK_BAD;
    return sender != 0 && p->engine->senders[sender - 1].interface == p->known->interface;
}

/* Sizes that flow_path_size() has seen, and that fit the path MTU */
INLINE bool is_usual_size(const struct steady *p)
{
    const struct stream *s = p->stream;
    uint32_t size = p->brief->payload_size;

    if (size == s->path.full_size && size == s->pmtu)
        return true;
    if ((p->op->position == RDC_POS_FIRST || p->op->position == RDC_POS_MIDDLE) &&
        (s->pmtu == 0 || s->path.full_size == 0 || size < s->pmtu))
        return false;
    return size <= s->path.largest && (s->pmtu == 0 || size <= s->pmtu);
}

/* As the packets of its class before it */
INLINE bool is_usual(const struct steady *p, enum flow_packet_class class)
{
    const struct stream *s = p->stream;

    return p->brief->time_ns >= p->engine->summary.last_ns &&
           s->path.latest[class] == p->known->path && s->last_port == p->known->port &&
           is_usual_size(p) && is_intact(p);
}

INLINE void note(const struct steady *p)
{
    const struct rdc_brief *b = p->brief;
    struct stream *s = p->stream;

    note_time(&p->engine->summary, b->time_ns);
    note_packet(s, b->frame, b->time_ns, b->wire_size, b->payload_size, b->truncated);
    note_rate(p->engine, s, b->time_ns, b->wire_size);
    if (b->icrc_check == RDC_CHECK_OK)
        checksum_good(p->engine, s);
    note_id(s, b->id);
}

INLINE int64_t note_data_packet(const struct steady *p)
{
    const struct rdc_brief *b = p->brief;
    struct stream *s = p->stream;
    int64_t silence = note_data(s, b->time_ns, b->ecn != 0);
    bool ce = b->ecn == ECN_CE;

    if (ce)
        congestion_mark(p->engine, s, b->frame, b->time_ns);
    if (s->congestion != NULL)
        congestion_data(p->engine, s, b->time_ns, b->wire_size, b->ecn != 0, ce);
    if (ce)
        engine_mark(p->engine, s, b->frame, b->time_ns);
    p->engine->tracked++;
    return silence;
}

INLINE uint32_t print(const struct steady *p)
{
    const struct rdc_brief *b = p->brief;

    return headers_print(b->headers_hash, p->known->port, b->icrc_captured, b->icrc);
}

/* ------------------------------------------------------------------ requests */

/* It has the next PSN, and nothing waits for it. */
INLINE bool is_next_request(const struct steady *p)
{
    const struct requester *r = p->stream->requester;

    return r != NULL && r->started && rdc_brief_psn(p->brief) == wire_psn(r->next) && !r->loose &&
           !r->in_round && r->trigger_count == 0 && r->holes.open == 0;
}

/* The DMALen of a READ; IBTA vol. 1, 9.3.3: RETH is va:64 r_key:32 dma_len:32 */
INLINE uint32_t read_length(const struct rdc_brief *brief)
{
    return rdc_be32(brief->headers + RDC_BRIEF_BTH + 12);
}

/* PSNs that it takes; 0: it can't be told, or it is answered with data and no READ. */
INLINE uint32_t psns(const struct steady *p)
{
    if (!psns_is_read_like(p->op->operation))
        return 1;
    return p->op->operation == RDC_OP_READ ? psns_of_length(p->stream, read_length(p->brief)) : 0;
}

/* It begins or ends a message, and may be a READ. */
static __attribute__((noinline)) void begin_or_end(struct flow_engine *e, struct stream *s,
                                                   const struct rdc_brief *b, int64_t u,
                                                   int64_t end)
{
    uint8_t opcode = rdc_brief_opcode(b);
    bool read = rdc_opcode_table[opcode].operation == RDC_OP_READ;
    const struct message_packet message = {.u = u,
                                           .end = end,
                                           .time_ns = b->time_ns,
                                           .read_length = read ? read_length(b) : 0,
                                           .has_length = read,
                                           .opcode = opcode};

    if (read)
        reads_add(&s->requester->reads,
                  &(struct read_request){.u = u,
                                         .end = end,
                                         .frame = b->frame,
                                         .time_ns = b->time_ns,
                                         .length = message.read_length},
                  &e->arena);
    message_edge(&s->requester->messages, &e->arena, &s->c, stream_times(e, s), &message);
}

INLINE bool request(const struct steady *p, int64_t *silence_ns)
{
    const struct rdc_brief *b = p->brief;
    struct stream *s = p->stream;
    struct requester *r = s->requester;
    int64_t u, end;

    if (!is_next_request(p) || !is_usual(p, FLOW_CLASS_DATA) || psns(p) == 0)
        return false;
    u = r->next;
    end = u + psns(p);
    note(p);
    *silence_ns = note_data_packet(p);
    request_remember(r,
                     &(struct request){.frame = b->frame,
                                       .time_ns = b->time_ns,
                                       .print = print(p),
                                       .payload_size = b->payload_size,
                                       .id = b->id,
                                       .opcode = rdc_brief_opcode(b),
                                       .asks = rdc_brief_asks(b)},
                     u, history_append(&r->seen, u, request_memory(s, u), &p->engine->arena));
    if (message_adds(&r->messages, u, end, b->payload_size, rdc_brief_opcode(b)))
        begin_or_end(p->engine, s, b, u, end);
    request_advance(s, end, b->time_ns);
    if (r->early_waits)
        early_request(p->engine, s, b->time_ns);
    if (b->time_ns > r->last_ns)
        r->last_ns = b->time_ns;
    return true;
}

/* ------------------------------------------------------------------ responses */

/* The peer whose requests it answers, where nothing of them is amiss and PSN *a is one of them */
INLINE struct stream *answered_stream(const struct steady *p, int64_t *a)
{
    struct stream *s = stream_peer(p->engine, p->stream);
    const struct requester *r = s != NULL ? s->requester : NULL;

    if (r == NULL || !r->started || r->loose || r->holes.open > 0 || request_recovers(r))
        return NULL;
    *a = unwrap(r->next, rdc_brief_psn(p->brief));
    return *a < r->next && pairing_is_recent(r, *a) ? s : NULL;
}

INLINE void note_response(const struct steady *p, struct stream *s, int64_t a, bool ack)
{
    if (p->stream->paired_by != FLOW_PAIRED_CM)
        pairing_confirmed(p->stream);
    trigger_evidence(s->requester, a, p->brief->frame, p->brief->time_ns, ack);
}

/* PSNs below `acked` are acknowledged. */
INLINE void note_acked(const struct steady *p, struct stream *s, int64_t acked, int64_t covered)
{
    struct requester *r = s->requester;

    if (covered > r->covered)
        r->covered = covered;
    if (acked > r->acked)
        request_covered(p->engine, s, p->brief->time_ns, acked);
}

/* Every answer with data before PSN a came, or was not asked for. */
INLINE bool is_answered_before(const struct stream *t, const struct stream *s, int64_t a)
{
    const struct responder *r = t->responder;
    const struct reads *reads = &s->requester->reads;

    if (r == NULL || !r->started)
        return reads->count == 0 || reads->list[0].u >= a;
    return a <= r->next || reads->count == 0 || reads->list[reads->count - 1].end <= r->next;
}

/* IBTA vol. 1, 9.7.5.1.1: the kind of an AETH is in its first three bits, 0 for an ACK. */
INLINE bool is_ack(const struct rdc_brief *brief)
{
    return brief->headers[RDC_BRIEF_BTH] >> 5 == 0;
}

INLINE bool acknowledgement(const struct steady *p, int64_t *silence_ns)
{
    struct stream *t = p->stream, *s;
    int64_t a;

    if (!is_ack(p->brief) || (s = answered_stream(p, &a)) == NULL || !is_answered_before(t, s, a) ||
        !is_usual(p, FLOW_CLASS_ACK))
        return false;
    note(p);
    note_response(p, s, a, true);
    t->c.acks++;
    if (t->responder != NULL && t->responder->started && a > t->responder->next) {
        t->responder->next = a;
        t->responder->in_message = false;
    }
    if (a >= s->requester->acked)
        response_rtt(p->engine, s, p->brief->time_ns, a);
    note_acked(p, s, a + 1, a + 1);
    *silence_ns = -1;
    return true;
}

/* The READ that PSN a is the next answer to, or NULL: where its first one comes, none is missing
 * before it. */
INLINE struct read_request *read_of(const struct responder *r, const struct requester *asker,
                                    int64_t a)
{
    const struct reads *reads = &asker->reads;
    uint32_t i;

    if (r == NULL || !r->started || a < r->next)
        return NULL;
    i = reads_from(reads, r->next);
    if (i == reads->count || reads->list[i].open_end || a >= reads->list[i].end)
        return NULL;
    if (a == r->next)
        return reads->list[i].u <= a ? &reads->list[i] : NULL;
    return reads->list[i].u == a && !r->in_message ? &reads->list[i] : NULL;
}

INLINE bool answer(const struct steady *p, int64_t *silence_ns)
{
    const struct rdc_brief *b = p->brief;
    struct stream *t = p->stream, *s;
    struct responder *r = t->responder;
    struct read_request *read;
    bool ends = rdc_position_ends(p->op->position);
    int64_t a;

    if ((s = answered_stream(p, &a)) == NULL || (read = read_of(r, s->requester, a)) == NULL ||
        !is_usual(p, FLOW_CLASS_DATA))
        return false;
    note(p);
    *silence_ns = note_data_packet(p);
    note_response(p, s, a, false);
    s->requester->reads.hint = (uint32_t)(read - s->requester->reads.list);
    response_first(p->engine, s, r,
                   &(struct response){a, b->frame, b->time_ns, print(p), b->id, 0});
    r->next = a + 1;
    r->in_message = !ends;
    if (ends)
        response_ends(p->engine, s, read, a, b->time_ns);
    note_acked(p, s, a + 1, a);
    return true;
}

/* ------------------------------------------------------------------ entry points */

bool steady_packet(struct flow_engine *e, struct flow_batch *batch, size_t index)
{
    const struct rdc_brief *brief = &batch->briefs[index];
    const struct known *known = &e->known[brief->context];
    const struct steady p = {.engine = e,
                             .known = known,
                             .brief = brief,
                             .op = &rdc_opcode_table[rdc_brief_opcode(brief)],
                             .stream = known->stream};

    if (p.stream == NULL)
        return false;
    batch->stream[index] = known->number;
    if (p.op->role == RDC_ROLE_REQUEST)
        return request(&p, &batch->silence_ns[index]);
    if (p.op->operation == RDC_OP_ACKNOWLEDGE)
        return acknowledgement(&p, &batch->silence_ns[index]);
    return p.op->operation == RDC_OP_READ_RESPONSE && answer(&p, &batch->silence_ns[index]);
}

void steady_learn(struct flow_engine *e, uint32_t context, const struct rdc_packet *pkt)
{
    struct stream *s = e->facts.stream != FLOW_NO_STREAM ? e->streams[e->facts.stream] : NULL;

    if (e->known == NULL)
        e->known = calloc(RDC_CONTEXTS, sizeof(*e->known));
    if (e->known == NULL)
        return;
    if (s == NULL || s->service != RDC_SERVICE_RC || s->port_count == 0 || !s->port_tried ||
        pkt->ib.bth.fecn || pkt->ib.bth.becn)
        s = NULL;
    e->known[context] = (struct known){
        .stream = s,
        .path = flow_path_word(pkt),
        .number = e->facts.stream,
        .interface = pkt->interface,
        .port = pkt->src_port,
    };
}
