/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The request machine (see request.h). Its rules are those of docs/analysis.md, "Verdict of one
 * request packet".
 */
#include "flow/request.h"

#include <stdlib.h>

#include "flow/message.h"
#include "flow/psns.h"
#include "flow/response.h"
#include "flow/round.h"
#include "flow/trigger.h"
#include "flow/verdict.h"

enum {
    MIN_TRIES = 3,
};

/* ------------------------------------------------------------------ first sight */

static bool is_atomic(uint8_t operation)
{
    return operation == RDC_OP_CMP_SWAP || operation == RDC_OP_FETCH_ADD;
}

static void remember_read(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                          int64_t u, uint32_t psns)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];
    bool has_length = op->operation == RDC_OP_READ && (pkt->ib.ext.present & RDC_EXT_RETH) != 0;

    reads_add(&s->requester->reads,
              &(struct read_request){.u = u,
                                     .end = u + (psns == 0 ? 1 : psns),
                                     .frame = pkt->frame,
                                     .time_ns = pkt->time_ns,
                                     .length = has_length ? pkt->ib.ext.reth.length : 0,
                                     .atomic = is_atomic(op->operation),
                                     .open_end = psns == 0},
              &e->arena);
}

/* A packet whose PSN was not seen before: into its slot of the history, the READs and the messages.
 */
static void first_sight(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                        int64_t u, uint32_t psns, struct seen *seen)
{
    struct requester *r = s->requester;
    const struct message_packet message = message_packet_of(pkt, u, u + (psns == 0 ? 1 : psns));
    const struct request request = {
        .frame = pkt->frame,
        .time_ns = pkt->time_ns,
        .print = packet_print(pkt),
        .payload_size = pkt->ib.payload_size,
        .id = packet_id(pkt),
        .opcode = pkt->ib.bth.opcode,
        .asks = pkt->ib.bth.ack_req,
    };

    if (psns_is_read_like(rdc_opcode_table[pkt->ib.bth.opcode].operation))
        remember_read(e, s, pkt, u, psns);
    request_remember(r, &request, u, seen);
    if (message_adds(&r->messages, u, message.end, pkt->ib.payload_size, pkt->ib.bth.opcode))
        message_edge(&r->messages, &e->arena, &s->c, stream_times(e, s), &message);
}

static void forward(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                    int64_t u)
{
    struct requester *r = s->requester;
    uint32_t psns = psns_of(s, pkt);
    struct seen *seen;

    if (u > r->next) {
        early_hole(r, r->next, u);
        hole_open(e, s, pkt, &r->holes, r->next, u);
    }
    seen = history_append(&r->seen, u, request_memory(s, u), &e->arena);
    first_sight(e, s, pkt, u, psns, seen);
    if (r->in_round || r->trigger_count > 0)
        round_passed(e, s, pkt, u);
    request_advance(s, u + (psns == 0 ? 1 : psns), pkt->time_ns);
    r->loose = psns == 0;
    if (r->early_waits)
        early_request(e, s, pkt->time_ns);
    if (r->acked != NEVER && u < r->acked && r->holes.open > 0)
        request_acked(e, s, pkt, r->acked, r->covered);
}

/* ------------------------------------------------------------------ below the highest PSN */

/* The capture showed that the receiver has it; a READ or atomic whose answer was lost must come
 * again. */
static bool is_spurious(const struct requester *r, const struct rdc_packet *pkt, int64_t u)
{
    return !psns_is_read_like(rdc_opcode_table[pkt->ib.bth.opcode].operation) && r->covered > u;
}

/* A resend: its round, its event, its counters. Returns the event's number. */
static uint64_t resend(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                       int64_t u, int64_t end, bool original_seen, uint64_t original_frame,
                       bool use_id, bool certain)
{
    struct requester *r = s->requester;
    bool read_like = psns_is_read_like(rdc_opcode_table[pkt->ib.bth.opcode].operation);
    struct round_state *round = round_resend(e, s, pkt, u, end, original_seen, read_like, use_id);
    struct read_request *read = reads_find(&r->reads, u);
    struct flow_event ev = {.kind = FLOW_RETRANSMISSION,
                            .psn = pkt->ib.bth.psn,
                            .original_frame = original_frame,
                            .round = round != NULL ? round->report.number : 0,
                            .round_stream = s->index,
                            .certain = certain};

    r->last_resent_ns = pkt->time_ns;
    ev.spurious = is_spurious(r, pkt, u);
    s->c.retransmitted_packets++;
    s->c.retransmitted_bytes += pkt->ib.payload_size;
    s->c.spurious += ev.spurious;
    if (read_like && read != NULL)
        reads_repeat(read, u, pkt->frame, ev.round);
    return engine_event(e, &ev, s, pkt);
}

/* A NAK of just this PSN began the round: it was lost, even if the capture began behind it. */
static bool nak_asked(struct requester *r, int64_t u)
{
    const struct round_state *round = round_current(r);

    return round != NULL && round->u == u && round->report.trigger == FLOW_TRIGGER_NAK;
}

/* What fills a hole without an IP identification that tells: a late original? */
static bool fills_late(const struct flow_engine *e, const struct stream *s,
                       const struct rdc_packet *pkt, int64_t u, const struct hole *hole)
{
    uint8_t operation = rdc_opcode_table[pkt->ib.bth.opcode].operation;

    if (e->config.reorder_window_ns > 0)
        return pkt->time_ns - hole->time_ns <= e->config.reorder_window_ns;
    return !trigger_pending(s, pkt, u, psns_is_read_like(operation));
}

/* PSN u is in a hole: a late original or a resend. */
static void fill(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u,
                 struct hole *hole)
{
    struct requester *r = s->requester;
    bool by_id = hole->has_id && packet_has_id(pkt) && stream_ids_count(s);
    bool late = by_id ? rdc_id_diff(pkt->ip.id, hole->id) < 0 : fills_late(e, s, pkt, u, hole);
    bool certain = by_id || e->config.reorder_window_ns > 0;
    uint32_t psns = psns_of(s, pkt);
    int64_t end = u + (psns == 0 ? 1 : psns);
    struct hole was = *hole;
    struct closing closing = {0};
    uint64_t event = 0;
    struct seen_more *more;
    struct seen *seen;
    bool lost;

    if (late)
        late_original(e, s, pkt, &was);
    else
        event = resend(e, s, pkt, u, end, false, 0, by_id, certain);
    lost = !late && (was.u != NEVER || nak_asked(r, u));
    hole = holes_find(&r->holes, u);
    if (hole != NULL) {
        closing.count = (uint32_t)((end < hole->end ? end : hole->end) - u);
        closing.close =
            hole_close(e, s, pkt, &r->holes, hole, u, u + closing.count,
                       late ? FLOW_HOLE_REORDERED : FLOW_HOLE_RETRANSMITTED, late || certain);
    }
    if (lost) {
        s->c.lost_before_tap++;
        round_began_lost(e, r, pkt->frame);
    }
    seen = history_put(&r->seen, u, request_memory(s, u), &e->arena);
    first_sight(e, s, pkt, u, psns, seen);
    if (seen != NULL && !late) {
        seen->flags |= SEEN_RESENT;
        more = certain ? NULL : history_add_more(&r->seen, seen, &e->arena);
        if (more != NULL) {
            seen->flags |= SEEN_UNCERTAIN;
            seen->flags |= is_spurious(r, pkt, u) ? SEEN_SPURIOUS : 0;
            seen->flags |= lost ? SEEN_LOST : 0;
            more->event = closing.resend = event;
            if (closing.count > 0)
                round_closed(e, r, &closing);
            more->size =
                pkt->ib.payload_size < UINT16_MAX ? (uint16_t)pkt->ib.payload_size : UINT16_MAX;
            more->round = (uint16_t)r->round_count;
            round_filled(r, u, more);
        }
    }
}

/* Sent before the newest request: where its own first copy is not remembered, this is another. */
static bool is_old(const struct requester *r, const struct rdc_packet *pkt)
{
    const struct seen *newest = history_find(&r->seen, r->next - 1);

    return newest != NULL && newest->id != 0 && rdc_id_diff(pkt->ip.id, newest->id) < 0;
}

/* PSN u was seen: a copy or a resend. */
static void again(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u,
                  struct seen *seen, uint64_t original_frame)
{
    bool read_like = psns_is_read_like(rdc_opcode_table[pkt->ib.bth.opcode].operation);
    bool by_id = packet_has_id(pkt) && stream_ids_count(s);
    uint32_t psns = psns_of(s, pkt);
    struct history *h = &s->requester->seen;
    uint64_t copied = 0;

    if (seen != NULL)
        copied = copied_frame(e, s, pkt, h, seen, trigger_pending(s, pkt, u, read_like));
    else if (by_id && is_old(s->requester, pkt)) {
        e->repeats++;
        duplicate(e, s, pkt, original_frame);
        return;
    }
    if (copied != 0) {
        duplicate(e, s, pkt, copied);
        return;
    }
    if (by_id && seen != NULL && seen->id != 0 && rdc_id_diff(pkt->ip.id, seen->id) < 0) {
        late_original(e, s, pkt, NULL);
        return;
    }
    if (seen != NULL && (seen->flags & SEEN_UNCERTAIN) != 0 && !by_id) {
        /* -fanalyzer: more is known of all that is uncertain */
        if (round_repeats(s, pkt, u, history_more(h, seen)->round))
            late_after_all(e, s, seen);
        seen->flags &= (uint8_t)~SEEN_UNCERTAIN;
    }
    resend(e, s, pkt, u, u + (psns == 0 ? 1 : psns), true, original_frame, by_id, true);
    if (seen != NULL)
        seen_again(e, h, seen, pkt);
}

/* PSN u is inside a READ that was requested from an earlier PSN: a partial repeat. */
static void partial_read(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                         int64_t u, const struct read_request *read)
{
    uint64_t frame = read->frame;
    struct seen *seen;

    again(e, s, pkt, u, NULL, frame);
    seen = history_put(&s->requester->seen, u, u - REQUEST_MARGIN, &e->arena);
    if (seen == NULL)
        return;
    seen_first(seen, pkt, u, SEEN_RESENT);
    seen->bytes = (uint32_t)s->requester->acked_bytes; /* it acknowledges no more */
    if (history_add_more(&s->requester->seen, seen, &e->arena) != NULL)
        seen->frame = frame;
}

/* PSNs below the first one seen are one open hole. */
static void before_first(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                         int64_t u)
{
    struct requester *r = s->requester;
    struct seen *first = history_find(&r->seen, r->base);
    struct hole below = {.u = NEVER}; /* no loss is proved: the capture may have begun later */

    if (packet_has_id(pkt) && s->ids.step < 0) {
        s->ids.sum -= s->ids.step; /* what it counts begins here */
        s->ids.step = 0;
    }
    if (first != NULL) {
        below.frame = first->frame;
        below.time_ns = first->time_ns;
        below.id = first->id;
        below.has_id = below.id != 0;
        /* how many packets there were when it showed is only known of the stream's first one */
        below.packets = first->frame == s->first_frame ? 1 : s->c.packets;
    }
    fill(e, s, pkt, u, &below);
}

static void below(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u)
{
    struct requester *r = s->requester;
    struct hole *hole = r->holes.count > 0 ? holes_find(&r->holes, u) : NULL;
    struct seen *seen = history_find(&r->seen, u);
    const struct read_request *read = seen == NULL ? reads_find(&r->reads, u) : NULL;

    if (hole != NULL)
        fill(e, s, pkt, u, hole);
    else if (seen != NULL)
        again(e, s, pkt, u, seen, seen->frame);
    else if (read != NULL)
        partial_read(e, s, pkt, u, read);
    else if (u < r->base)
        before_first(e, s, pkt, u);
    else
        again(e, s, pkt, u, NULL, 0); /* seen too long ago to be remembered */
}

/* ------------------------------------------------------------------ entry points */

struct requester *request_state(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;

    if (r != NULL)
        return r;
    r = flow_arena_new(&e->arena, sizeof(*r));
    if (r != NULL) {
        r->acked = r->covered = r->last_resent_ns = NEVER;
        r->evidence.beyond = NEVER;
        r->retries.u = NEVER;
        message_reset(&r->messages);
    }
    s->requester = r;
    return r;
}

static void start(struct requester *r, uint32_t psn)
{
    r->started = true;
    r->base = r->next = ((int64_t)1 << 32) + psn;
}

void request_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    struct requester *r = request_state(e, s);
    int64_t u;

    if (r == NULL)
        return;
    if (!r->started)
        start(r, pkt->ib.bth.psn);
    u = unwrap(r->next, pkt->ib.bth.psn);
    if (u - r->next > EPOCH_JUMP || r->next - u > EPOCH_JUMP) {
        request_restart(e, s);
        if (stream_peer(e, s) != NULL)
            response_restart(e, stream_peer(e, s));
        start(r, pkt->ib.bth.psn);
        u = r->next;
    }
    if (r->loose && u > r->next)
        psns_settle(e, s, u);
    e->facts.expected_psn = wire_psn(r->next);
    e->facts.psn_expected = true;
    if (u >= r->next)
        forward(e, s, pkt, u);
    else
        below(e, s, pkt, u);
    if (pkt->time_ns > r->last_ns)
        r->last_ns = pkt->time_ns;
    if (r->acked != NEVER && r->next > r->acked)
        e->facts.outstanding_psns = (uint32_t)(r->next - r->acked);
}

/* New requests later than the next try was due: the latest one was answered, although that is not
 * on the capture. */
static bool went_on(const struct requester *r)
{
    return r->last_new_ns > r->retries.last_ns &&
           r->last_new_ns - r->retries.last_ns >= r->retries.interval_ns;
}

/* The same PSN again and again without progress, then silence or teardown. A silence behind tries
 * whose times run back proves nothing; nor does one, behind tries that NAKs asked for, that is
 * shorter than any timeout. */
static void judge_retries(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;
    const struct retries *t = &r->retries;
    bool rnr = t->rnr_naks >= MIN_TRIES;
    struct flow_event ev = {.kind = FLOW_RETRY_EXHAUSTED, .certain = true};
    int64_t silence = e->summary.last_ns - t->last_ns;

    if (t->u == NEVER || (t->tries < MIN_TRIES && !rnr) || s->state == FLOW_STATE_ERROR ||
        went_on(r))
        return;
    if (s->torn_down_ns == NEVER &&
        (t->interval_ns <= 0 || silence - silence / 5 < t->interval_ns || /* a quarter longer */
         (!rnr && silence < trigger_least_silence(s))))
        return;
    s->state = FLOW_STATE_RETRY_EXHAUSTED;
    ev.frame = t->frame;
    ev.time_ns = t->last_ns;
    ev.psn = wire_psn(t->u);
    ev.count = t->tries > t->rnr_naks ? t->tries : t->rnr_naks;
    ev.code = rnr;
    engine_event(e, &ev, s, NULL);
}

/* What was acknowledged before it was seen may only have come late; here nothing more comes. */
static void count_tail(struct stream *s)
{
    const struct requester *r = s->requester;

    if (r->acked != NEVER && r->acked > r->next && !r->loose)
        s->c.tail_missing += (uint64_t)(r->acked - r->next);
}

void request_restart(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;

    if (r == NULL || !r->started)
        return;
    holes_finish(e, s, &r->holes, r->acked, FLOW_HOLE_LOST);
    count_tail(s);
    judge_retries(e, s);
    history_done(&r->seen, &e->arena);
    holes_done(&r->holes, &e->arena);
    r->reads.count = 0;
    early_forget(r);
    message_reset(&r->messages);
    round_restart(e, r);
    r->started = r->loose = false;
    r->acked = r->covered = NEVER;
    r->retries = (struct retries){.u = NEVER};
    s->epochs++;
}

void request_finish(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;

    if (r == NULL || !r->started)
        return;
    holes_finish(e, s, &r->holes, r->acked, FLOW_HOLE_OPEN);
    count_tail(s);
    judge_retries(e, s);
}
