/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The response machine (see response.h). Stream t answers the requests of its peer s; PSNs of
 * responses are those of the requests.
 */
#include "flow/response.h"

#include "flow/message.h"
#include "flow/pairing.h"
#include "flow/request.h"
#include "flow/round.h"
#include "flow/trigger.h"
#include "flow/verdict.h"

#define PATIENCE_NS 10000 /* a requester that misses an answer waits for this long at least */

enum {
    HISTORY_MARGIN = 256,
    READS_BACK = 16,
};

/* ------------------------------------------------------------------ acknowledgements */

/* A sample of the round trip: the acknowledged packet asked for it, and went out once (Karn). Nor
 * may anything have gone out again since: the acknowledgement may have waited for that. */
void response_rtt(struct flow_engine *e, struct stream *s, int64_t time_ns, int64_t u)
{
    struct requester *r = s->requester;
    const struct seen *seen = history_find(&r->seen, u);
    int64_t rtt;

    if (seen == NULL || (seen->flags & (SEEN_WANTS_ACK | SEEN_RESENT)) != SEEN_WANTS_ACK ||
        seen->time_ns <= r->last_resent_ns)
        return;
    rtt = time_ns - seen->time_ns;
    if (rtt < 0)
        return;
    e->facts.rtt_ns = rtt;
    if (stream_times(e, s) != NULL)
        flow_histogram_add(&s->times->rtt, rtt, &e->arena);
}

static void acked_unseen(struct flow_engine *e, struct stream *t, struct stream *s,
                         const struct rdc_packet *pkt, int64_t a)
{
    struct requester *r = s->requester;
    struct flow_event ev = {.kind = FLOW_ACKED_UNSEEN,
                            .psn = pkt->ib.bth.psn,
                            .count = (uint32_t)(a + 1 - r->next)}; /* not certain: early.h */
    uint64_t number;

    if (r->loose || (r->acked != NEVER && a < r->acked))
        return;
    s->c.acked_unseen++;
    number = engine_event(e, &ev, t, pkt);
    early_ack(e, s, t->index, pkt, number, ev.count);
}

static void acknowledged(struct flow_engine *e, struct stream *t, struct stream *s,
                         const struct rdc_packet *pkt, int64_t a)
{
    struct requester *r = s->requester;

    if (a >= r->next)
        acked_unseen(e, t, s, pkt, a);
    if (r->acked == NEVER || a >= r->acked)
        response_rtt(e, s, pkt->time_ns, a);
    request_acked(e, s, pkt, a + 1, a + 1);
}

/* ------------------------------------------------------------------ NAKs */

static void mark_hole(struct requester *r, int64_t u)
{
    struct hole *hole = holes_find(&r->holes, u);

    if (hole != NULL)
        hole->nak = true;
}

static void nak(struct flow_engine *e, struct stream *t, struct stream *s,
                const struct rdc_packet *pkt, int64_t a)
{
    uint8_t code = pkt->ib.ext.aeth.value;

    if (s == NULL)
        return;
    request_acked(e, s, pkt, a, a);
    if (code == RDC_NAK_SEQUENCE) {
        mark_hole(s->requester, a);
        trigger_add(e, s, pkt, a, false);
    } else {
        s->state = t->state = FLOW_STATE_ERROR;
    }
}

/* Frame of the request that a response at PSN a is about: the latest copy that asks for it */
static uint64_t request_frame(const struct requester *r, int64_t a, bool data)
{
    const struct seen *seen = history_find(&r->seen, a);
    const struct read_request *read = data ? reads_find(&r->reads, a) : NULL;

    if (read != NULL)
        return reads_asked_in(read, a);
    return seen != NULL ? history_latest_frame(&r->seen, seen) : 0;
}

static uint64_t refused_frame(struct flow_engine *e, const struct stream *t,
                              const struct rdc_packet *pkt)
{
    const struct stream *s = stream_peer(e, t);

    if (s == NULL || s->requester == NULL || !s->requester->started)
        return 0;
    return request_frame(s->requester, unwrap(s->requester->next, pkt->ib.bth.psn), true);
}

static void report_nak(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt)
{
    const struct rdc_aeth *aeth = &pkt->ib.ext.aeth;
    struct flow_event ev = {.psn = pkt->ib.bth.psn, .certain = true};

    if (aeth->kind == RDC_AETH_RNR_NAK) {
        ev.kind = FLOW_RNR_NAK;
        ev.timer_ns = rdc_rnr_timer_ns(aeth->value);
        t->c.rnr_naks++;
    } else {
        ev.kind = FLOW_NAK;
        ev.code = aeth->value;
        ev.request_frame = ev.code == RDC_NAK_SEQUENCE ? 0 : refused_frame(e, t, pkt);
        t->c.naks[aeth->value < FLOW_NAK_RESERVED ? aeth->value : FLOW_NAK_RESERVED]++;
    }
    engine_event(e, &ev, t, pkt);
}

/* ------------------------------------------------------------------ responses with data */

static struct responder *responder_state(struct flow_engine *e, struct stream *t)
{
    if (t->responder == NULL)
        t->responder = flow_arena_new(&e->arena, sizeof(*t->responder));
    return t->responder;
}

/* First PSN at or behind u that the responder has to answer with data, or INT64_MAX. */
static int64_t next_answer(const struct requester *r, int64_t u)
{
    uint32_t i = reads_from(&r->reads, u);

    if (i >= r->reads.count)
        return INT64_MAX;
    return r->reads.list[i].u > u ? r->reads.list[i].u : u;
}

/* End of the run of PSNs to be answered that begins at u, up to `limit` */
static int64_t run_end(const struct requester *r, int64_t u, int64_t limit)
{
    int64_t end = u + 1;

    for (uint32_t i = reads_from(&r->reads, u); i < r->reads.count; i++) {
        if (r->reads.list[i].u > end || end >= limit)
            break;
        if (r->reads.list[i].end > end) /* READs of a liar overlap */
            end = r->reads.list[i].end;
    }
    return end < limit ? end : limit;
}

static bool only_atomics(const struct requester *r, int64_t u, int64_t end)
{
    for (uint32_t i = reads_from(&r->reads, u); i < r->reads.count && r->reads.list[i].u < end; i++)
        if (!r->reads.list[i].atomic)
            return false;
    return true;
}

/* A response at PSN a came: answers before it that have not come are missing. */
static void expose(struct flow_engine *e, struct stream *t, struct stream *s,
                   const struct rdc_packet *pkt, int64_t a)
{
    struct requester *r = s->requester;
    struct responder *p = t->responder;
    int64_t u = next_answer(r, p->next);

    while (u < a) {
        int64_t end = run_end(r, u, a);

        hole_open(e, t, pkt, &p->holes, u, end);
        u = next_answer(r, end);
    }
    if (a > p->next) {
        p->next = a;
        p->in_message = false; /* how the one ended that it is beyond was not seen */
    }
}

/* Responses are remembered from READS_BACK requests before this one's, but not longer than the
 * requester may come back to them. */
static int64_t memory_start(const struct stream *s, int64_t a)
{
    const struct reads *reads = &s->requester->reads;
    int64_t window = (int64_t)s->c.max_outstanding_psns * 2;
    int64_t keep = a - (window > HISTORY_MARGIN ? window : HISTORY_MARGIN);
    uint32_t i = reads_from(reads, a);
    const struct read_request *first = reads->count == 0 ? NULL
                                       : i >= READS_BACK && i < reads->count
                                           ? &reads->list[i - READS_BACK]
                                           : &reads->list[0];

    return first != NULL && first->u <= a && first->u > keep ? first->u : keep;
}

void response_first(struct flow_engine *e, const struct stream *s, struct responder *p,
                    const struct response *x)
{
    struct seen *seen = history_put(&p->seen, x->u, memory_start(s, x->u), &e->arena);

    if (seen != NULL)
        history_set(seen, x->u, x->frame, x->time_ns, x->print, x->id, x->flags);
}

static void first_response(struct flow_engine *e, const struct stream *s, struct responder *p,
                           const struct rdc_packet *pkt, int64_t a, uint8_t flags)
{
    response_first(
        e, s, p,
        &(struct response){a, pkt->frame, pkt->time_ns, packet_print(pkt), packet_id(pkt), flags});
}

static void resent_response(struct flow_engine *e, struct stream *t, struct stream *s,
                            const struct rdc_packet *pkt, int64_t a, uint64_t original_frame)
{
    const struct read_request *read = reads_find(&s->requester->reads, a);
    struct flow_event ev = {.kind = FLOW_RETRANSMISSION,
                            .psn = pkt->ib.bth.psn,
                            .original_frame = original_frame,
                            .round_stream = s->index,
                            .certain = true};

    if (rdc_opcode_table[pkt->ib.bth.opcode].operation == RDC_OP_ATOMIC_ACKNOWLEDGE)
        return; /* a repeated answer to an atomic proves nothing */
    if (read != NULL)
        ev.round = read->round;
    t->c.retransmitted_packets++;
    t->c.retransmitted_bytes += pkt->ib.payload_size;
    engine_event(e, &ev, t, pkt);
}

/* Copies of the response to PSN a that the READs and their repeats on the capture explain */
static uint32_t asked_for(const struct requester *r, int64_t a)
{
    const struct read_request *read = reads_find(&r->reads, a);

    return read == NULL ? 1 : 1 + reads_repeats(read, a);
}

static void fill_response(struct flow_engine *e, struct stream *t, struct stream *s,
                          const struct rdc_packet *pkt, int64_t a, struct hole *hole)
{
    struct responder *p = t->responder;
    bool by_id = hole->has_id && packet_has_id(pkt) && stream_ids_count(t);
    int64_t window = e->config.reorder_window_ns;
    bool late = by_id        ? rdc_id_diff(pkt->ip.id, hole->id) < 0
                : window > 0 ? pkt->time_ns - hole->time_ns <= window
                             : asked_for(s->requester, a) == 1;
    bool atomic = rdc_opcode_table[pkt->ib.bth.opcode].operation == RDC_OP_ATOMIC_ACKNOWLEDGE;

    if (late && !atomic) {
        late_original(e, t, pkt, hole);
    } else if (!late) {
        resent_response(e, t, s, pkt, a, 0);
        t->c.lost_before_tap += !atomic;
    }
    hole_close(e, t, pkt, &p->holes, hole, a, a + 1,
               late ? FLOW_HOLE_REORDERED : FLOW_HOLE_RETRANSMITTED, true);
    first_response(e, s, p, pkt, a, late ? 0 : SEEN_RESENT);
}

static void response_again(struct flow_engine *e, struct stream *t, struct stream *s,
                           const struct rdc_packet *pkt, int64_t a, struct seen *seen)
{
    bool by_id = packet_has_id(pkt) && stream_ids_count(t);
    struct history *h = &t->responder->seen;
    uint64_t copied = copied_frame(e, t, pkt, h, seen, seen->copies < asked_for(s->requester, a));

    if (copied != 0) {
        duplicate(e, t, pkt, copied);
        return;
    }
    if (by_id && seen->id != 0 && rdc_id_diff(pkt->ip.id, seen->id) < 0) {
        late_original(e, t, pkt, NULL);
        return;
    }
    resent_response(e, t, s, pkt, a, seen->frame);
    seen_again(e, h, seen, pkt);
}

void response_ends(struct flow_engine *e, struct stream *s, struct read_request *read, int64_t a,
                   int64_t time_ns)
{
    if (read->answered || read->open_end || a + 1 < read->end)
        return;
    read->answered = true;
    message_answered(&s->requester->messages, &e->arena, s->times, read->u, time_ns);
}

static void answer_done(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                        int64_t a)
{
    struct read_request *read = reads_find(&s->requester->reads, a);

    if (read != NULL && rdc_position_ends(rdc_opcode_table[pkt->ib.bth.opcode].position))
        response_ends(e, s, read, a, pkt->time_ns);
}

/* The answers that can be expected begin with that to the first request that was seen, or, where
 * some came in a pairing that was undone, with this one. */
static void start(const struct stream *t, struct responder *p, const struct requester *r, int64_t a)
{
    if (p->started)
        return;
    p->started = true;
    p->next = !t->answered_before && r->reads.count > 0 && r->reads.list[0].u < a
                  ? r->reads.list[0].u
                  : a;
}

/* A READ whose length is not known: its answers show how far it reaches. */
static void reach(struct requester *r, const struct rdc_packet *pkt, int64_t a)
{
    uint32_t i = reads_from(&r->reads, a);
    struct read_request *read;

    r->reads.hint = i;
    if (i < r->reads.count && r->reads.list[i].u <= a)
        i++;
    if (i == 0)
        return;
    read = &r->reads.list[i - 1];
    if (!read->open_end)
        return;
    if (a >= read->end)
        read->end = a + 1;
    if (rdc_position_ends(rdc_opcode_table[pkt->ib.bth.opcode].position))
        read->open_end = false;
    if (r->loose && i == r->reads.count && read->end > r->next) {
        r->next = read->end;
        r->loose = read->open_end;
    }
}

static void data_response(struct flow_engine *e, struct stream *t, struct stream *s,
                          const struct rdc_packet *pkt, int64_t a)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];
    struct requester *r = s->requester;
    struct responder *p = responder_state(e, t);
    struct hole *hole;
    struct seen *seen;

    if (p == NULL)
        return;
    start(t, p, r, a);
    reach(r, pkt, a);
    if (a >= p->next) {
        /* without the READ's length, its own framing tells what is missing, within a window */
        if (a > p->next && a - p->next <= EPOCH_JUMP && p->in_message &&
            next_answer(r, p->next) > p->next)
            hole_open(e, t, pkt, &p->holes, p->next, a);
        expose(e, t, s, pkt, a);
        first_response(e, s, p, pkt, a, 0);
        p->next = a + 1;
        p->in_message = !rdc_position_ends(op->position);
    } else if ((hole = holes_find(&p->holes, a)) != NULL) {
        fill_response(e, t, s, pkt, a, hole);
        if (a + 1 == p->next)
            p->in_message = !rdc_position_ends(op->position);
    } else if ((seen = history_find(&p->seen, a)) != NULL) {
        response_again(e, t, s, pkt, a, seen);
    } else if (asked_for(r, a) > 1) {
        resent_response(e, t, s, pkt, a, 0);
    }
    answer_done(e, s, pkt, a);
    request_acked(e, s, pkt, a + 1, a);
}

/* ------------------------------------------------------------------ entry points */

static void acknowledge_packet(struct flow_engine *e, struct stream *t, struct stream *s,
                               const struct rdc_packet *pkt, int64_t a)
{
    const struct rdc_aeth *aeth = &pkt->ib.ext.aeth;

    if (s == NULL)
        return;
    if ((t->responder == NULL || !t->responder->started) && s->requester->reads.count > 0 &&
        s->requester->reads.list[0].u < a && responder_state(e, t) != NULL)
        start(t, t->responder, s->requester, a);
    if (t->responder != NULL && t->responder->started && a > t->responder->next)
        expose(e, t, s, pkt, a);
    if ((pkt->ib.ext.present & RDC_EXT_AETH) == 0) {
        request_acked(e, s, pkt, a, a); /* cut off: an ACK or a NAK, all before its PSN came */
    } else if (aeth->kind == RDC_AETH_ACK) {
        acknowledged(e, t, s, pkt, a);
    } else if (aeth->kind == RDC_AETH_NAK) {
        nak(e, t, s, pkt, a);
    } else if (aeth->kind == RDC_AETH_RNR_NAK) {
        request_acked(e, s, pkt, a, a);
        trigger_add(e, s, pkt, a, true);
    }
}

static void count(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt)
{
    uint8_t operation = rdc_opcode_table[pkt->ib.bth.opcode].operation;
    bool has_aeth = (pkt->ib.ext.present & RDC_EXT_AETH) != 0;

    if (operation != RDC_OP_ACKNOWLEDGE)
        return;
    if (!has_aeth)
        t->c.aeth_unseen++;
    else if (pkt->ib.ext.aeth.kind == RDC_AETH_ACK)
        t->c.acks++;
    else
        report_nak(e, t, pkt);
}

void response_packet(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt)
{
    uint8_t operation = rdc_opcode_table[pkt->ib.bth.opcode].operation;
    struct stream *s;
    int64_t a;
    bool data;

    pairing_response(e, t, pkt);
    count(e, t, pkt);
    s = stream_peer(e, t);
    if (s == NULL || s->requester == NULL || !s->requester->started) {
        t->c.reads_unknown += operation == RDC_OP_READ_RESPONSE;
        return;
    }
    a = unwrap(s->requester->next, pkt->ib.bth.psn);
    trigger_response(s->requester, pkt, a);
    data = operation != RDC_OP_ACKNOWLEDGE;
    if (e->sink.facts != NULL)
        e->facts.request_frame = request_frame(s->requester, a, data);
    if (data)
        data_response(e, t, s, pkt, a);
    else
        acknowledge_packet(e, t, s, pkt, a);
}

/* A requester that misses an answer asks again before long. If it went on with new requests
 * instead, it had the answer, and the capture missed it: behind the last such PSN, or NEVER. */
static int64_t delivered(const struct stream *s, const struct responder *p)
{
    const struct flow_times *t = s->times;
    int64_t patience = PATIENCE_NS, behind = NEVER;

    if (p->holes.open == 0)
        return NEVER;
    if (t != NULL && flow_histogram_median_ns(&t->rtt) * 8 > patience)
        patience = flow_histogram_median_ns(&t->rtt) * 8;
    if (t != NULL && (int64_t)t->resend_delay.max > patience)
        patience = (int64_t)t->resend_delay.max;
    for (uint32_t i = 0; i < p->holes.count; i++)
        if (s->requester->last_new_ns - p->holes.list[i].time_ns > patience)
            behind = p->holes.list[i].end;
    return behind;
}

static void settle(struct flow_engine *e, struct stream *t, enum flow_hole_end as)
{
    struct responder *p = t->responder;
    struct stream *s = stream_peer(e, t);

    if (p == NULL || !p->started)
        return;
    for (uint32_t i = 0; s != NULL && s->requester != NULL && i < p->holes.count; i++)
        if (only_atomics(s->requester, p->holes.list[i].u, p->holes.list[i].end))
            hole_forgive(e, t, &p->holes.list[i]); /* answers to atomics count as no losses */
    holes_finish(e, t, &p->holes, s != NULL && s->requester != NULL ? delivered(s, p) : NEVER, as);
}

static void drop(struct flow_engine *e, struct responder *p)
{
    if (p == NULL)
        return;
    history_done(&p->seen, &e->arena);
    holes_done(&p->holes, &e->arena);
    flow_arena_drop(&e->arena, p, sizeof(*p));
}

void response_restart(struct flow_engine *e, struct stream *t)
{
    settle(e, t, FLOW_HOLE_LOST);
    drop(e, t->responder);
    t->responder = NULL;
}

void response_finish(struct flow_engine *e, struct stream *t)
{
    settle(e, t, FLOW_HOLE_OPEN);
}
