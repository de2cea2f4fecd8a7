/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps the books of what an engine says, and checks at the end that they add up: whatever the
 * packets were, these equations hold. Knows no test framework, so that fuzz targets can use it.
 *
 * Of one stream, with verdicts as they stand after all amendments:
 *   packets that are no answers = first in sequence (no verdict) + retransmitted + out of order
 *                                 + duplicates, and no packet has two verdicts;
 *   gap PSNs = PSNs closed as retransmitted, reordered, not captured, lost or open, where a PSN
 *   that was called not captured may still come, and only then is closed a second time.
 */
#ifndef FLOW_TEST_LEDGER_H
#define FLOW_TEST_LEDGER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"

/* A run of PSNs of a gap; `closed`: enum flow_hole_end, or -1 */
struct ledger_run {
    uint32_t stream;
    uint32_t psn;
    uint32_t count;
    int closed;
};

struct ledger {
    struct flow_event *events; /* as amended */
    bool *amended;             /* of each event */
    size_t count, room;
    struct flow_round *rounds; /* latest report of each */
    size_t round_count, round_room;
    struct ledger_run *runs;
    size_t run_count, run_room;
    uint64_t fed;    /* packets that the test gave to the engine */
    uint64_t others; /* of them, neither RoCE nor InfiniBand */
    uint64_t frame;
    bool deaf;         /* what is told now is only a preview */
    uint64_t reopened; /* PSNs called not captured that came after all */
    char complaint[200];
    bool refused; /* the engine had no memory for something */
    /* a stream has gaps of its requests and of its answers at the same PSNs, which events do not
     * tell apart: how they close, or close again, can't be booked */
    bool mixed;
};

#define LEDGER_COMPLAIN(ledger, ...)                                                               \
    do {                                                                                           \
        if ((ledger)->complaint[0] == '\0')                                                        \
            snprintf((ledger)->complaint, sizeof((ledger)->complaint), __VA_ARGS__);               \
    } while (0)

#define LEDGER_EQUAL(ledger, what, stream, counted, booked)                                        \
    do {                                                                                           \
        if ((uint64_t)(counted) != (uint64_t)(booked))                                             \
            LEDGER_COMPLAIN(ledger, "stream %u: %s: %llu counted, %llu told", (unsigned)(stream),  \
                            what, (unsigned long long)(counted), (unsigned long long)(booked));    \
    } while (0)

static inline void *ledger_room(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = *room == 0 ? 64 : *room * 2;
    list = realloc(list, *room * size);
    if (list == NULL)
        abort();
    return list;
}

/* ------------------------------------------------------------------ gaps */

static inline void ledger_add_run(struct ledger *l, struct ledger_run run)
{
    if (run.count == 0)
        return;
    l->runs = ledger_room(l->runs, l->run_count, &l->run_room, sizeof(*l->runs));
    l->runs[l->run_count++] = run;
}

static inline bool ledger_overlaps(const struct ledger *l, const struct flow_event *gap)
{
    for (size_t i = 0; i < l->run_count; i++) {
        const struct ledger_run *run = &l->runs[i];

        if (run->stream == gap->stream &&
            (run->closed < 0 || run->closed == FLOW_HOLE_NOT_CAPTURED) &&
            (((gap->psn - run->psn) & RDC_PSN_MASK) < run->count ||
             ((run->psn - gap->psn) & RDC_PSN_MASK) < gap->count))
            return true;
    }
    return false;
}

/* A run that may be closed, and has PSN `psn`: one that is open, else one that is not captured.
 * The latest: an earlier one may be of an earlier epoch. */
static inline struct ledger_run *ledger_closable(struct ledger *l, uint32_t stream, uint32_t psn)
{
    struct ledger_run *late = NULL;

    for (size_t i = l->run_count; i > 0; i--) {
        struct ledger_run *run = &l->runs[i - 1];

        if (run->stream != stream || ((psn - run->psn) & RDC_PSN_MASK) >= run->count)
            continue;
        if (run->closed < 0)
            return run;
        if (run->closed == FLOW_HOLE_NOT_CAPTURED && late == NULL)
            late = run;
    }
    return late;
}

static inline void ledger_close(struct ledger *l, const struct flow_event *ev)
{
    uint32_t psn = ev->psn, left = ev->count;

    while (left > 0 && !l->mixed) {
        struct ledger_run *run = ledger_closable(l, ev->stream, psn);
        struct ledger_run whole;
        uint32_t before, count;

        if (run == NULL) {
            LEDGER_COMPLAIN(l, "frame %llu: PSN %u closed, but it is in no open gap",
                            (unsigned long long)ev->frame, psn);
            return;
        }
        whole = *run;
        before = (psn - whole.psn) & RDC_PSN_MASK;
        count = whole.count - before < left ? whole.count - before : left;
        if (whole.closed >= 0)
            l->reopened += count;
        *run = (struct ledger_run){ev->stream, psn, count, ev->as};
        ledger_add_run(l, (struct ledger_run){ev->stream, whole.psn, before, whole.closed});
        ledger_add_run(l, (struct ledger_run){ev->stream, (psn + count) & RDC_PSN_MASK,
                                              whole.count - before - count, whole.closed});
        psn = (psn + count) & RDC_PSN_MASK;
        left -= count;
    }
}

static inline uint64_t ledger_psns(const struct ledger *l, uint32_t stream, int closed)
{
    uint64_t psns = 0;

    for (size_t i = 0; i < l->run_count; i++)
        if (l->runs[i].stream == stream && l->runs[i].closed == closed)
            psns += l->runs[i].count;
    return psns;
}

/* ------------------------------------------------------------------ the sink */

static inline bool ledger_is_verdict(const struct flow_event *ev)
{
    return ev->kind == FLOW_RETRANSMISSION || ev->kind == FLOW_OUT_OF_ORDER ||
           ev->kind == FLOW_DUPLICATE;
}

static inline void ledger_check_event(struct ledger *l, const struct flow_event *ev)
{
    unsigned long long frame = (unsigned long long)ev->frame;

    if (ev->kind >= FLOW_EVENT_KIND_COUNT || flow_event_name(ev->kind) == NULL)
        LEDGER_COMPLAIN(l, "frame %llu: event of no kind", frame);
    if (ev->psn > RDC_PSN_MASK)
        LEDGER_COMPLAIN(l, "frame %llu: PSN %u", frame, ev->psn);
    if (ev->frame == 0 || ev->frame > l->frame)
        LEDGER_COMPLAIN(l, "frame %llu: event told at frame %llu", frame,
                        (unsigned long long)l->frame);
    if (ledger_is_verdict(ev) && ev->frame != l->frame)
        LEDGER_COMPLAIN(l, "frame %llu: verdict told too late", frame);
    if (ev->original_frame != 0 && ev->original_frame >= ev->frame)
        LEDGER_COMPLAIN(l, "frame %llu: its original is frame %llu", frame,
                        (unsigned long long)ev->original_frame);
    if ((ev->kind == FLOW_GAP || ev->kind == FLOW_HOLE_CLOSED || ev->kind == FLOW_ACKED_UNSEEN) &&
        (ev->count == 0 || ev->count > RDC_PSN_MASK))
        LEDGER_COMPLAIN(l, "frame %llu: %s of %u PSNs", frame, flow_event_name(ev->kind),
                        ev->count);
    for (size_t i = l->count; ledger_is_verdict(ev) && i > 0; i--) {
        if (l->events[i - 1].frame != ev->frame)
            break;
        if (ledger_is_verdict(&l->events[i - 1]))
            LEDGER_COMPLAIN(l, "frame %llu: two verdicts", frame);
    }
}

static inline uint64_t ledger_event(void *context, const struct flow_event *ev)
{
    struct ledger *l = context;

    if (l->deaf)
        return 0;
    ledger_check_event(l, ev);
    if (l->count == l->room) {
        size_t room = l->room;

        l->events = ledger_room(l->events, l->count, &l->room, sizeof(*l->events));
        l->amended = ledger_room(l->amended, l->count, &room, sizeof(*l->amended));
    }
    l->amended[l->count] = false;
    l->events[l->count++] = *ev;
    if (ev->kind == FLOW_GAP)
        l->mixed = l->mixed || ledger_overlaps(l, ev);
    if (ev->kind == FLOW_GAP)
        ledger_add_run(l, (struct ledger_run){ev->stream, ev->psn, ev->count, -1});
    else if (ev->kind == FLOW_HOLE_CLOSED)
        ledger_close(l, ev);
    return l->count - 1;
}

static inline void ledger_amend(void *context, uint64_t number, const struct flow_event *ev)
{
    struct ledger *l = context;

    if (number >= l->count || l->events[number].frame != ev->frame ||
        l->events[number].psn != ev->psn || l->events[number].stream != ev->stream) {
        LEDGER_COMPLAIN(l, "amended an event of another packet");
        return;
    }
    if (l->events[number].certain)
        LEDGER_COMPLAIN(l, "frame %llu: amended what was certain", (unsigned long long)ev->frame);
    l->events[number] = *ev;
    l->amended[number] = true;
}

static inline void ledger_round(void *context, const struct flow_round *round)
{
    struct ledger *l = context;

    for (size_t i = l->round_count; i > 0; i--) {
        struct flow_round *known = &l->rounds[i - 1];

        if (known->stream == round->stream && known->number == round->number) {
            *known = *round;
            return;
        }
    }
    l->rounds = ledger_room(l->rounds, l->round_count, &l->round_room, sizeof(*l->rounds));
    l->rounds[l->round_count++] = *round;
}

static inline struct flow_sink ledger_sink(struct ledger *l)
{
    return (struct flow_sink){
        .context = l, .event = ledger_event, .amend = ledger_amend, .round = ledger_round};
}

static inline void ledger_feed(struct ledger *l, struct flow_engine *e,
                               const struct rdc_packet *pkt)
{
    l->frame = pkt->frame;
    l->fed++;
    l->others += pkt->kind != RDC_KIND_BTH;
    flow_packet(e, pkt);
}

static inline void ledger_finish(struct ledger *l, struct flow_engine *e)
{
    (void)l;
    flow_finish(e);
}

static inline void ledger_preview(struct ledger *l, struct flow_engine *e)
{
    l->deaf = true;
    flow_preview(e);
    l->deaf = false;
}

static inline void ledger_done(struct ledger *l)
{
    free(l->events);
    free(l->amended);
    free(l->rounds);
    free(l->runs);
    *l = (struct ledger){0};
}

/* ------------------------------------------------------------------ the balance */

struct ledger_sums {
    uint64_t kinds[FLOW_EVENT_KIND_COUNT];
    uint64_t spurious, gap_psns;
    bool answers_again; /* answers were sent again */
    uint64_t naks[FLOW_NAK_CODES];
    uint64_t unseen; /* resends of what was not seen before */
};

static inline struct ledger_sums ledger_sum(const struct ledger *l, uint32_t stream)
{
    struct ledger_sums sums = {0};

    for (size_t i = 0; i < l->count; i++) {
        const struct flow_event *ev = &l->events[i];

        if (ev->stream != stream)
            continue;
        sums.kinds[ev->kind]++;
        sums.spurious += ev->kind == FLOW_RETRANSMISSION && ev->spurious;
        sums.answers_again |= ev->kind == FLOW_RETRANSMISSION && ev->round_stream != stream;
        sums.gap_psns += ev->kind == FLOW_GAP ? ev->count : 0;
        if (ev->kind == FLOW_NAK)
            sums.naks[ev->code < FLOW_NAK_RESERVED ? ev->code : FLOW_NAK_RESERVED]++;
        sums.unseen += ev->kind == FLOW_RETRANSMISSION && ev->original_frame == 0;
    }
    return sums;
}

static inline void ledger_check_gaps(struct ledger *l, uint32_t stream,
                                     const struct flow_counters *c, const struct ledger_sums *sums)
{
    uint64_t ended[FLOW_HOLE_END_COUNT], all = 0;

    for (int as = 0; as < FLOW_HOLE_END_COUNT; as++)
        all += ended[as] = ledger_psns(l, stream, as);
    LEDGER_EQUAL(l, "gaps", stream, c->gaps, sums->kinds[FLOW_GAP]);
    LEDGER_EQUAL(l, "gap PSNs", stream, c->gap_psns, sums->gap_psns);
    if (l->mixed)
        return;
    LEDGER_EQUAL(l, "gap PSNs closed", stream, c->gap_psns, all);
    LEDGER_EQUAL(l, "not captured", stream, c->not_captured, ended[FLOW_HOLE_NOT_CAPTURED]);
    if (c->holes_open > ended[FLOW_HOLE_OPEN] + ended[FLOW_HOLE_LOST] ||
        c->holes_open < ended[FLOW_HOLE_OPEN])
        LEDGER_COMPLAIN(l, "stream %u: %llu PSNs left open", (unsigned)stream,
                        (unsigned long long)c->holes_open);
    if (c->lost_before_tap > sums->unseen + ended[FLOW_HOLE_OPEN] + ended[FLOW_HOLE_LOST])
        LEDGER_COMPLAIN(l, "stream %u: %llu lost before the tap", (unsigned)stream,
                        (unsigned long long)c->lost_before_tap);
}

static inline void ledger_check_round(struct ledger *l, const struct flow_round *round)
{
    bool framed = round->trigger == FLOW_TRIGGER_NAK || round->trigger == FLOW_TRIGGER_RNR ||
                  round->trigger == FLOW_TRIGGER_READ;
    unsigned n = round->number;
    uint64_t told = 0;

    for (size_t i = 0; i < l->count; i++)
        told += l->events[i].kind == FLOW_RETRANSMISSION && l->events[i].stream == round->stream &&
                l->events[i].round_stream == round->stream && l->events[i].round == n;
    if (told != round->packets)
        LEDGER_COMPLAIN(l, "round %u: %llu packets, %llu events", n,
                        (unsigned long long)round->packets, (unsigned long long)told);
    if (round->trigger >= FLOW_TRIGGER_COUNT || framed != (round->trigger_frame != 0))
        LEDGER_COMPLAIN(l, "round %u: trigger %u at frame %llu", n, round->trigger,
                        (unsigned long long)round->trigger_frame);
    if (round->complete && round->superseded)
        LEDGER_COMPLAIN(l, "round %u: complete and superseded", n);
    if (round->first_frame > round->last_frame || round->trigger_frame >= round->first_frame)
        LEDGER_COMPLAIN(l, "round %u: frames run back", n);
    if (round->nak_delay_ns < -1 || round->resend_delay_ns < -1 || round->stall_ns < -1 ||
        round->recovery_ns < -1)
        LEDGER_COMPLAIN(l, "round %u: negative time", n);
}

static inline void ledger_check_rounds(struct ledger *l, uint32_t stream,
                                       const struct flow_counters *c, bool answers_again)
{
    uint64_t triggers[FLOW_TRIGGER_COUNT] = {0}, bytes = 0;

    for (size_t i = 0; i < l->round_count; i++) {
        if (l->rounds[i].stream != stream || l->rounds[i].cancelled)
            continue;
        triggers[l->rounds[i].trigger]++;
        bytes += l->rounds[i].bytes;
        ledger_check_round(l, &l->rounds[i]);
    }
    for (int t = 0; t < FLOW_TRIGGER_COUNT; t++)
        LEDGER_EQUAL(l, flow_trigger_name((uint8_t)t), stream, c->rounds[t], triggers[t]);
    /* answers that were sent again are in the rounds of the peer; without memory there are none */
    if (bytes > c->retransmitted_bytes ||
        (!answers_again && !l->refused && bytes != c->retransmitted_bytes))
        LEDGER_COMPLAIN(l, "stream %u: %llu bytes resent, %llu in rounds", (unsigned)stream,
                        (unsigned long long)c->retransmitted_bytes, (unsigned long long)bytes);
}

static inline void ledger_check_stream(struct ledger *l, const struct flow_direction *d,
                                       const struct flow_direction *other, bool undone)
{
    const struct flow_counters *c = d->counters;
    struct ledger_sums sums = ledger_sum(l, d->stream);
    uint64_t answers = c->acks + c->rnr_naks + c->aeth_unseen;

    LEDGER_EQUAL(l, "retransmitted", d->stream, c->retransmitted_packets,
                 sums.kinds[FLOW_RETRANSMISSION]);
    LEDGER_EQUAL(l, "spurious", d->stream, c->spurious, sums.spurious);
    LEDGER_EQUAL(l, "out of order", d->stream, c->out_of_order, sums.kinds[FLOW_OUT_OF_ORDER]);
    LEDGER_EQUAL(l, "duplicates", d->stream, c->duplicates, sums.kinds[FLOW_DUPLICATE]);
    LEDGER_EQUAL(l, "RNR NAKs", d->stream, c->rnr_naks, sums.kinds[FLOW_RNR_NAK]);
    LEDGER_EQUAL(l, "CE", d->stream, c->ce_packets, sums.kinds[FLOW_CE]);
    LEDGER_EQUAL(l, "CNP", d->stream, c->cnps_sent, sums.kinds[FLOW_CNP]);
    LEDGER_EQUAL(l, "bad ICRC", d->stream, c->icrc_bad, sums.kinds[FLOW_ICRC_BAD]);
    for (int code = 0; code < FLOW_NAK_CODES; code++) {
        LEDGER_EQUAL(l, "NAKs", d->stream, c->naks[code], sums.naks[code]);
        answers += c->naks[code];
    }
    if (answers + c->cnps_sent + c->retransmitted_packets + c->out_of_order + c->duplicates >
        c->packets)
        LEDGER_COMPLAIN(l, "stream %u: more verdicts than packets", (unsigned)d->stream);
    if (c->retransmitted_bytes > c->payload_bytes || c->payload_bytes > c->wire_bytes)
        LEDGER_COMPLAIN(l, "stream %u: more bytes than there were", (unsigned)d->stream);
    if (other->counters != NULL && !undone) /* told of the stream that acknowledges */
        LEDGER_EQUAL(l, "acked unseen", d->stream, c->acked_unseen,
                     ledger_sum(l, other->stream).kinds[FLOW_ACKED_UNSEEN]);
    if (other->counters != NULL && !undone)
        LEDGER_EQUAL(l, "acked early", d->stream, c->acked_early,
                     ledger_sum(l, other->stream).kinds[FLOW_ACKED_EARLY]);
    ledger_check_gaps(l, d->stream, c, &sums);
    ledger_check_rounds(l, d->stream, c, sums.answers_again);
}

/* Returns what does not add up, or NULL. After ledger_finish. */
static inline const char *ledger_check(struct ledger *l, const struct flow_engine *e)
{
    struct flow_summary sum;
    uint64_t packets = 0, first = 0;

    flow_summary_get(e, &sum);
    l->refused = sum.state_refused > 0;
    for (size_t i = 0; i < flow_connection_count(e); i++) {
        struct flow_connection c;

        flow_connection_get(e, i, &c);
        if (c.first_frame < first || c.last_frame < c.first_frame || c.last_ns < c.first_ns)
            LEDGER_COMPLAIN(l, "connection %u: out of order", c.id);
        first = c.first_frame;
        packets += c.a_to_b.counters->packets;
        packets += c.b_to_a.counters != NULL ? c.b_to_a.counters->packets : 0;
        ledger_check_stream(l, &c.a_to_b, &c.b_to_a, sum.undone_pairings > 0);
        if (c.b_to_a.counters != NULL)
            ledger_check_stream(l, &c.b_to_a, &c.a_to_b, sum.undone_pairings > 0);
        /* of a connection that communication management announced, one side may never send */
        if ((c.paired_by == FLOW_UNPAIRED && c.b_to_a.counters != NULL) ||
            (c.paired_by != FLOW_UNPAIRED && c.paired_by != FLOW_PAIRED_CM &&
             c.b_to_a.counters == NULL))
            LEDGER_COMPLAIN(l, "connection %u: paired by %u", c.id, c.paired_by);
    }
    if (sum.packets != l->fed)
        LEDGER_COMPLAIN(l, "%llu packets of %llu", (unsigned long long)sum.packets,
                        (unsigned long long)l->fed);
    packets += sum.management_packets + sum.multicast_packets + sum.untracked_packets + l->others;
    /* a packet with a bad ICRC makes no stream */
    if (packets > sum.packets || packets + sum.icrc_bad < sum.packets)
        LEDGER_COMPLAIN(l, "%llu packets in streams, %llu in all", (unsigned long long)packets,
                        (unsigned long long)sum.packets);
    return l->complaint[0] != '\0' ? l->complaint : NULL;
}

#endif
