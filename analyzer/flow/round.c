/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Retransmission rounds (see round.h). When a step back begins a new round is explained in
 * docs/analysis.md.
 */
#include "flow/round.h"

#include "flow/trigger.h"

/* ------------------------------------------------------------------ rounds */

/* -1 (unknown) where the time stamps of the file run back */
static int64_t time_since(const struct rdc_packet *pkt, int64_t ns)
{
    return pkt->time_ns >= ns ? pkt->time_ns - ns : -1;
}

static void report(struct flow_engine *e, const struct flow_round *round)
{
    if (e->sink.round != NULL)
        e->sink.round(e->sink.context, round);
}

static void end_round(struct flow_engine *e, struct requester *r, bool complete)
{
    struct round_state *round = round_current(r);

    if (!r->in_round)
        return;
    r->in_round = false;
    round->report.complete = complete;
    round->report.superseded = !complete;
    report(e, &round->report);
}

/* The hole that a late original closed was reordered. */
static void amend_closing(struct flow_engine *e, const struct recovery *recovery, uint64_t resend,
                          const struct flow_event *late)
{
    struct flow_event ev = *late;
    uint32_t count = 0;

    if (recovery != NULL && recovery->closings != NULL)
        count = recovery->closing_count < CLOSINGS_MAX ? recovery->closing_count : CLOSINGS_MAX;
    ev.kind = FLOW_HOLE_CLOSED;
    ev.as = FLOW_HOLE_REORDERED;
    for (uint32_t i = 0; i < count; i++) {
        if (recovery->closings[i].resend != resend)
            continue;
        ev.count = recovery->closings[i].count;
        e->sink.amend(e->sink.context, recovery->closings[i].close, &ev);
        return;
    }
}

void late_after_all(struct flow_engine *e, struct stream *s, struct seen *seen)
{
    struct round_state *round = round_current(s->requester);
    const struct seen_more *more = history_more(&s->requester->seen, seen);
    struct flow_event ev = {.kind = FLOW_OUT_OF_ORDER,
                            /* -fanalyzer: what filled is in the history, and has more */
                            .frame = seen->frame,
                            .time_ns = seen->time_ns,
                            .psn = seen->tag & RDC_PSN_MASK,
                            .stream = s->index,
                            .certain = true};

    round->report.packets--;
    round->report.bytes -= more->size; /* -fanalyzer: as above */
    s->c.retransmitted_packets--;
    s->c.retransmitted_bytes -= more->size;
    s->c.spurious -= (seen->flags & SEEN_SPURIOUS) != 0;
    s->c.lost_before_tap -= (seen->flags & SEEN_LOST) != 0;
    seen->flags &= SEEN_WANTS_ACK | SEEN_REPEATED | SEEN_MORE;
    s->c.out_of_order++;
    if (e->sink.amend == NULL)
        return;
    e->sink.amend(e->sink.context, more->event, &ev);
    amend_closing(e, s->requester->recovery, more->event, &ev);
}

void round_closed(struct flow_engine *e, struct requester *r, const struct closing *closing)
{
    struct recovery *recovery = r->recovery;

    if (e->sink.amend == NULL || recovery == NULL)
        return;
    if (recovery->closings == NULL)
        recovery->closings = flow_arena_new(&e->arena, CLOSINGS_MAX * sizeof(*closing));
    if (recovery->closings != NULL)
        recovery->closings[recovery->closing_count++ % CLOSINGS_MAX] = *closing;
}

void round_filled(struct requester *r, int64_t u, struct seen_more *more)
{
    struct round_state *round = round_current(r);

    if (round == NULL)
        return;
    more->filled_before = (uint32_t)round->last_fill;
    round->last_fill = u;
    round->fills++;
}

static void forget_unsure(struct requester *r, uint32_t i)
{
    r->unsure_count--;
    r->recovery->unsure[i] = r->recovery->unsure[r->unsure_count];
}

static bool is_fill_of(const struct requester *r, const struct round_state *round, int64_t u)
{
    const struct seen *seen = history_find(&r->seen, u);

    return seen != NULL && (seen->flags & SEEN_UNCERTAIN) != 0 &&
           /* -fanalyzer: what is uncertain has more */
           history_more(&r->seen, seen)->round == (uint16_t)round->report.number;
}

/* The fill before that of PSN u, which the history has */
static int64_t fill_before(const struct requester *r, int64_t u)
{
    const struct seen *seen = history_find(&r->seen, u);
    /* -fanalyzer: as above */
    uint32_t tag = history_more(&r->seen, seen)->filled_before;

    return u + (int32_t)(tag - (uint32_t)u);
}

/* From fill to fill, since a round may reach over millions of PSNs */
static bool remembers_fills(const struct requester *r, const struct round_state *round)
{
    int64_t u = round->last_fill;

    for (uint64_t i = 0; i < round->fills; i++, u = fill_before(r, u))
        if (u < round->u || u > round->pos || !is_fill_of(r, round, u))
            return false;
    return true;
}

/* New data came although the round had not reached its end. A requester that goes back repeats all
 * that follows (IBTA vol. 1, 9.7.5.2.8): if all that the round did was to fill holes, it was none.
 */
static bool cancel_round(struct flow_engine *e, struct stream *s, struct round_state *round)
{
    struct requester *r = s->requester;
    int64_t u = round->last_fill;

    if (round->has_id || round->pos >= round->end - 1 || round->fills != round->report.packets ||
        !remembers_fills(r, round))
        return false;
    for (uint64_t i = 0; i < round->fills; i++, u = fill_before(r, u))
        late_after_all(e, s, history_find(&r->seen, u));
    for (uint32_t i = 0; i < r->trigger_count; i++)
        if (r->recovery->triggers[i].frame == round->report.trigger_frame)
            r->recovery->triggers[i].gone_back = false;
    for (uint32_t i = r->unsure_count; i > 0; i--)
        if (r->recovery->unsure[i - 1].report.number == round->report.number)
            forget_unsure(r, i - 1);
    s->c.rounds[round->report.trigger]--;
    r->retries = (struct retries){.u = NEVER};
    r->in_round = false;
    round->report.cancelled = true;
    report(e, &round->report);
    return true;
}

void round_passed(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u)
{
    struct requester *r = s->requester;
    struct round_state *round = round_current(r);

    /* -fanalyzer: in a round there is one */
    if (r->in_round && round->has_id && packet_has_id(pkt) &&
        rdc_id_diff(pkt->ip.id, round->pos_id) < 0) {
        /* sent before the round and overtaken by it: the round has so much more to repeat */
        round->end = u + 1;
        round->report.end_psn = wire_psn(u + 1);
        return;
    }
    if (r->in_round && cancel_round(e, s, round))
        return;
    if (r->in_round && packet_has_id(pkt))
        round->end_id = pkt->ip.id; /* its last packets may have been overtaken by this one */
    end_round(e, r, true);
    if (r->trigger_count > 0)
        trigger_passed(r, u);
}

static void set_trigger(struct flow_round *round, enum flow_trigger trigger, uint64_t frame)
{
    round->trigger = (uint8_t)trigger;
    round->trigger_frame = frame;
}

/* It was the timer: no frame made the round, and no delay can be measured. */
static void set_timeout(struct flow_round *round)
{
    set_trigger(round, FLOW_TRIGGER_TIMEOUT, 0);
    round->nak_delay_ns = round->resend_delay_ns = -1;
    round->certain = true;
}

/* A timeout was learned: rounds that waited for longer than it were timeouts too. */
static void review_unsure(struct flow_engine *e, struct stream *s)
{
    struct requester *r = s->requester;

    for (uint32_t i = r->unsure_count; i > 0; i--) {
        struct flow_round *round = &r->recovery->unsure[i - 1].report;
        struct round_state *kept = &r->recovery->rounds[round->number % ROUNDS_KEPT];

        if (trigger_timeout(r) == 0 || r->recovery->unsure[i - 1].silence_ns < trigger_timeout(r))
            continue;
        if (kept->report.number == round->number) {
            set_timeout(&kept->report);
            *round = kept->report;
        }
        s->c.rounds[FLOW_TRIGGER_NAK]--;
        s->c.rounds[FLOW_TRIGGER_TIMEOUT]++;
        set_timeout(round);
        report(e, round);
        forget_unsure(r, i - 1);
    }
}

/* The one that waited for the shortest time: a timeout that is learned is the least likely to be
 * shorter than that. */
static struct unsure *least_unsure(const struct requester *r)
{
    struct unsure *least = r->recovery->unsure;

    for (uint32_t i = 1; i < r->unsure_count; i++)
        if (r->recovery->unsure[i].silence_ns < least->silence_ns)
            least = &r->recovery->unsure[i];
    return least;
}

static void remember_unsure(struct flow_engine *e, struct requester *r,
                            const struct round_state *round)
{
    struct unsure **list = &r->recovery->unsure;
    struct unsure *place;

    if (*list == NULL)
        *list = flow_arena_new(&e->arena, UNSURE_MAX * sizeof(**list));
    if (*list == NULL)
        return;
    if (r->unsure_count < UNSURE_MAX)
        place = &(*list)[r->unsure_count++];
    else if ((place = least_unsure(r))->silence_ns >= round->silence_ns)
        return;
    *place = (struct unsure){round->report, round->silence_ns};
}

/* A round makes room for a later one: what is remembered of it is its last state. */
static void update_unsure(struct requester *r, const struct flow_round *round)
{
    for (uint32_t i = 0; i < r->unsure_count; i++)
        if (r->recovery->unsure[i].report.number == round->number)
            r->recovery->unsure[i].report = *round;
}

/* Chooses the trigger of a round that begins. */
static void explain(struct stream *s, struct round_state *round, const struct rdc_packet *pkt,
                    bool read_like)
{
    struct requester *r = s->requester;
    const struct trigger *nak = trigger_nak(r, round->u);
    struct flow_round *report = &round->report;

    report->certain = true;
    if (nak != NULL &&
        (nak->rnr || trigger_timeout(r) == 0 || round->silence_ns < trigger_timeout(r))) {
        set_trigger(report, nak->rnr ? FLOW_TRIGGER_RNR : FLOW_TRIGGER_NAK, nak->frame);
        report->nak_delay_ns = nak->nak_delay_ns;
        report->resend_delay_ns = time_since(pkt, nak->time_ns);
        round->evidence_ns = nak->evidence_ns;
        report->certain = nak->rnr || round->silence_ns < SILENCE_NS || trigger_timeout(r) != 0;
    } else if (nak != NULL) {
        set_trigger(report, FLOW_TRIGGER_TIMEOUT, 0);
    } else if (read_like && trigger_answer_missing(r, round->u)) {
        set_trigger(report, FLOW_TRIGGER_READ, r->evidence.frame);
        report->resend_delay_ns = time_since(pkt, r->evidence.time_ns);
        round->evidence_ns = r->evidence.time_ns;
    } else if (round->silence_ns >= trigger_least_silence(s)) {
        set_trigger(report, FLOW_TRIGGER_TIMEOUT, 0);
        report->certain = s->peer != FLOW_NO_STREAM; /* else a NAK would not be seen */
        /* without identifications, late originals can hide the NAK that a round answers */
        if ((round->has_id || s->c.out_of_order == 0) &&
            (r->learned_ns == 0 || round->silence_ns < r->learned_ns))
            r->learned_ns = round->silence_ns;
    } else {
        set_trigger(report, FLOW_TRIGGER_UNKNOWN, 0);
        report->certain = false;
    }
}

/* See "lost_after_tap" in docs/analysis.md. */
static void count_loss_after_tap(struct flow_engine *e, struct stream *s, struct round_state *round,
                                 const struct round_state *before, bool read_like)
{
    struct stream *peer = stream_peer(e, s);

    round->report.lost = round_loss(s, peer, round, before, read_like);
    if (round->report.lost == FLOW_LOST_REQUEST)
        s->c.lost_after_tap++;
    else if (round->report.lost == FLOW_LOST_RESPONSE)
        peer->c.lost_after_tap++;
}

static void count_try(struct requester *r, const struct rdc_packet *pkt, int64_t u)
{
    struct retries *t = &r->retries;

    if (t->u != u || t->tries == 0) {
        uint32_t rnr = t->u == u ? t->rnr_naks : 0;

        *t = (struct retries){.u = u, .tries = 2, .rnr_naks = rnr};
        t->interval_ns = pkt->time_ns - r->last_ns;
    } else {
        t->tries++;
        if (t->interval_ns > 0) /* else time runs back: no silence can be measured by it */
            t->interval_ns = pkt->time_ns - t->last_ns;
    }
    t->last_ns = pkt->time_ns;
    t->frame = pkt->frame;
}

bool round_repeats(struct stream *s, const struct rdc_packet *pkt, int64_t u, uint16_t number)
{
    struct requester *r = s->requester;
    struct round_state *round = round_current(r);
    int64_t timeout = trigger_timeout(r) != 0 ? trigger_timeout(r) : trigger_least_silence(s);

    /* -fanalyzer: in a round there is one, here and below */
    if (!r->in_round || (uint16_t)round->report.number != number)
        return false;
    if (trigger_nak(r, u) != NULL || pkt->time_ns - r->last_ns >= timeout)
        return false;
    round->pos = u - 1; /* -fanalyzer: as above */
    round->fills--;
    return true;
}

/* The last request that passed here asks for no acknowledgement: one that does was lost before, or
 * not sent yet. */
static bool stopped_short(const struct requester *r)
{
    const struct seen *last = history_find(&r->seen, r->next - 1);

    return last != NULL && (last->flags & SEEN_WANTS_ACK) == 0;
}

static struct round_state *begin_round(struct flow_engine *e, struct stream *s,
                                       const struct rdc_packet *pkt, int64_t u, bool original_seen,
                                       bool read_like, bool use_id)
{
    struct requester *r = s->requester;
    const struct hole *hole = holes_find(&r->holes, u);
    const struct round_state *before = round_current(r);
    struct round_state *round;

    end_round(e, r, false);
    r->round_count++;
    r->in_round = true;
    r->recovered = false;
    round = &r->recovery->rounds[r->round_count % ROUNDS_KEPT];
    update_unsure(r, &round->report);
    *round = (struct round_state){.u = u,
                                  .end = r->next,
                                  .pos = u - 1,
                                  .first_id = pkt->ip.id,
                                  .pos_id = pkt->ip.id,
                                  .end_id = pkt->ip.id,
                                  .last_id = pkt->ip.id,
                                  .has_id = use_id,
                                  .from_read = read_like,
                                  .silence_ns = pkt->time_ns - r->last_ns,
                                  .evidence_ns = hole != NULL ? hole->time_ns : pkt->time_ns};
    round->report = (struct flow_round){.stream = s->index,
                                        .number = r->round_count,
                                        .psn = wire_psn(u),
                                        .end_psn = wire_psn(r->next),
                                        .original_seen = original_seen,
                                        .answered = r->evidence.beyond >= u,
                                        .stopped_short = stopped_short(r),
                                        .first_frame = pkt->frame,
                                        .start_ns = pkt->time_ns,
                                        .nak_delay_ns = -1,
                                        .resend_delay_ns = -1,
                                        .stall_ns = time_since(pkt, r->last_ns),
                                        .recovery_ns = -1};
    explain(s, round, pkt, read_like);
    s->c.rounds[round->report.trigger]++;
    count_loss_after_tap(e, s, round, before, read_like);
    count_try(r, pkt, u);
    if (!round->report.certain && round->report.trigger == FLOW_TRIGGER_NAK)
        remember_unsure(e, r, round);
    if (round->report.trigger == FLOW_TRIGGER_TIMEOUT)
        review_unsure(e, s);
    if (round->report.resend_delay_ns >= 0 && stream_times(e, s) != NULL)
        flow_histogram_add(&s->times->resend_delay, round->report.resend_delay_ns, &e->arena);
    r->evidence.beyond = NEVER;
    trigger_answered(r, u);
    return round;
}

/* Whether a resend of PSN u with this identification was sent in `round` or after it began;
 * `before` is the round before. Its first packets may come late: they are older than the first one
 * seen, but younger than what the round before sent, and behind or below what that still had to
 * send. */
static bool sent_since(const struct round_state *round, const struct round_state *before, int64_t u,
                       uint16_t id)
{
    if (!round->has_id)
        return false;
    if (rdc_id_diff(id, round->first_id) >= 0)
        return true;
    return before != NULL && before->has_id && rdc_id_diff(id, before->last_id) > 0 &&
           (u >= before->end || u <= before->pos);
}

/* The round that a packet belongs to that is no step back: the latest that it was sent in. */
static struct round_state *round_of_id(struct requester *r, int64_t u, uint16_t id)
{
    uint32_t oldest = r->round_count > ROUNDS_KEPT ? r->round_count - ROUNDS_KEPT + 1 : 1;

    for (uint32_t n = r->round_count; n > oldest; n--) {
        struct round_state *round = &r->recovery->rounds[n % ROUNDS_KEPT];

        if (!round->report.cancelled &&
            sent_since(round, &r->recovery->rounds[(n - 1) % ROUNDS_KEPT], u, id))
            return round;
    }
    return r->recovery->rounds[oldest % ROUNDS_KEPT].report.cancelled
               ? NULL
               : &r->recovery->rounds[oldest % ROUNDS_KEPT];
}

struct recovery *recovery_state(struct flow_engine *e, struct requester *r)
{
    if (r->recovery == NULL)
        r->recovery = flow_arena_new(&e->arena, sizeof(*r->recovery));
    return r->recovery;
}

/* The timer begins a new round even where the running one would go on: all before is acknowledged,
 * and nothing was sent for long. */
static bool timer_goes_on(const struct stream *s, const struct rdc_packet *pkt, int64_t u)
{
    const struct requester *r = s->requester;
    int64_t least = trigger_least_silence(s);
    int64_t silence = pkt->time_ns - r->last_ns;

    return r->acked == u && silence >= least && silence >= trigger_timeout(r);
}

/* A running round that leaves PSNs out: it went back to the NAK that waits for u. A NAK from long
 * before the round was lost, and an acknowledgement explains the step. */
static bool jumps_to_nak(const struct stream *s, const struct round_state *round, int64_t u)
{
    return u > round->pos + 1 &&
           trigger_waits(s->requester, u, round->report.start_ns - trigger_least_silence(s));
}

/* The round that continues with this packet, or NULL: it begins a new one. */
static struct round_state *continued(const struct stream *s, const struct rdc_packet *pkt,
                                     int64_t u, bool use_id)
{
    struct requester *r = s->requester;
    struct round_state *round = round_current(r);
    bool by_id = use_id && round != NULL && round->has_id;
    bool overtaken;

    if (round == NULL)
        return NULL;
    if (by_id && rdc_id_diff(pkt->ip.id, round->first_id) < 0 &&
        rdc_id_diff(pkt->ip.id, round->pos_id) < 0) /* else identifications came round */
        return round_of_id(r, u, pkt->ip.id);
    if (r->in_round && u > round->pos)
        return timer_goes_on(s, pkt, u) || jumps_to_nak(s, round, u) ? NULL : round;
    if (!by_id) /* two processors may have recorded neighbours the wrong way round */
        return r->in_round && pkt->time_ns < round->report.last_ns ? round : NULL;
    overtaken = u > round->pos && u < round->end;
    if (rdc_id_diff(pkt->ip.id, overtaken ? round->end_id : round->pos_id) > 0)
        return NULL;
    return round_of_id(r, u, pkt->ip.id);
}

/* The round begins with this packet: that of an earlier one was a mistake. */
static void first_packet(struct round_state *round, const struct requester *r,
                         const struct rdc_packet *pkt, bool original_seen)
{
    struct flow_round *report = &round->report;

    if (report->first_frame == pkt->frame)
        return;
    if (report->resend_delay_ns >= 0 && pkt->time_ns >= report->start_ns)
        report->resend_delay_ns += pkt->time_ns - report->start_ns;
    report->first_frame = pkt->frame;
    report->start_ns = pkt->time_ns;
    report->stall_ns = time_since(pkt, r->last_ns);
    report->original_seen = original_seen;
    if (report->lost == FLOW_LOST_BEFORE)
        report->lost = FLOW_LOST_UNKNOWN;
}

struct round_state *round_resend(struct flow_engine *e, struct stream *s,
                                 const struct rdc_packet *pkt, int64_t u, int64_t end,
                                 bool original_seen, bool read_like, bool use_id)
{
    struct requester *r = s->requester;
    struct round_state *round = continued(s, pkt, u, use_id);

    if (round == NULL && recovery_state(e, r) == NULL)
        return NULL;
    if (round == NULL)
        round = begin_round(e, s, pkt, u, original_seen, read_like, use_id);
    else
        trigger_repeated(r, pkt, u, use_id);
    if (round->report.packets == 0)
        first_packet(round, r, pkt, original_seen);
    round->report.packets++;
    round->report.bytes += pkt->ib.payload_size;
    round->report.last_frame = pkt->frame;
    round->report.last_ns = pkt->time_ns;
    if (end - 1 > round->pos) {
        round->pos = end - 1;
        round->pos_id = round->end_id = pkt->ip.id;
    }
    if (rdc_id_diff(pkt->ip.id, round->last_id) > 0)
        round->last_id = pkt->ip.id;
    trigger_passed(r, end - 1);
    if (round->pos >= round->end - 1 && r->in_round && round == round_current(r))
        end_round(e, r, true);
    else
        report(e, &round->report);
    return round;
}

void round_began_lost(struct flow_engine *e, struct requester *r, uint64_t frame)
{
    struct round_state *round = round_current(r);

    if (round == NULL || round->report.first_frame != frame ||
        round->report.lost != FLOW_LOST_UNKNOWN)
        return;
    round->report.lost = FLOW_LOST_BEFORE;
    report(e, &round->report);
}

void round_restart(struct flow_engine *e, struct requester *r)
{
    struct round_state *round = round_current(r);

    if (r->in_round) {
        r->in_round = false;
        report(e, &round->report);
    }
    for (uint32_t i = 0; r->recovery != NULL && i < ROUNDS_KEPT; i++)
        r->recovery->rounds[i].end = INT64_MAX;
    r->trigger_count = 0;
    r->evidence.beyond = NEVER;
}

/* The other direction is on the capture after all, so that a NAK would have been seen. */
static void sure_of_timeout(struct flow_engine *e, struct round_state *round)
{
    if (round->report.certain || round->report.trigger != FLOW_TRIGGER_TIMEOUT ||
        round->report.cancelled)
        return;
    round->report.certain = true;
    report(e, &round->report);
}

/* Was the READ or atomic that a round began with answered since? Acknowledgements behind the answer
 * count only then. */
static bool was_answered(const struct flow_engine *e, const struct stream *s,
                         const struct round_state *round)
{
    const struct stream *peer = stream_peer(e, s);
    const struct history *answers =
        peer == NULL || peer->responder == NULL ? NULL : &peer->responder->seen;
    const struct seen *answer = answers == NULL ? NULL : history_find(answers, round->u);

    return answer != NULL && history_latest_frame(answers, answer) > round->report.first_frame;
}

void round_acked(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                 int64_t acked, bool again)
{
    struct requester *r = s->requester;

    for (uint32_t i = 0; i < ROUNDS_KEPT && i < r->round_count; i++) {
        struct round_state *round = &r->recovery->rounds[(r->round_count - i) % ROUNDS_KEPT];
        /* what it sends again for want of an answer was acknowledged before it began, too */
        bool already = again && round->report.lost != FLOW_LOST_ANSWER;

        sure_of_timeout(e, round);
        if (round->report.recovery_ns >= 0)
            break;
        if (acked < round->end || (round->from_read ? !was_answered(e, s, round) : already))
            continue;
        round->report.recovery_ns = pkt->time_ns - round->evidence_ns;
        if (round->report.recovery_ns < 0)
            round->report.recovery_ns = 0;
        if (stream_times(e, s) != NULL)
            flow_histogram_add(&s->times->recovery, round->report.recovery_ns, &e->arena);
        report(e, &round->report);
    }
    r->recovered = round_current(r)->report.recovery_ns >= 0;
}
