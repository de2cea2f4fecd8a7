/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See round_sums.h.
 */
#include "analysis/round_sums.h"

#include <glib.h>

static void add_to_span(struct round_span *span, const struct flow_round *r)
{
    int64_t from = MIN(r->start_ns - MAX(r->stall_ns, 0), round_sign_ns(r));
    bool first = span->rounds++ == 0;

    span->from_ns = first ? from : MIN(from, span->from_ns);
    span->to_ns = first ? round_end_ns(r) : MAX(round_end_ns(r), span->to_ns);
    if (r->number < span->last)
        return;
    span->last = r->number;
    span->last_ns = r->last_ns;
    span->recovered = r->recovery_ns >= 0;
    span->trigger = r->trigger;
}

static void add_to_spans(struct round_sums *s, const struct flow_round *r)
{
    static const uint8_t spans[FLOW_TRIGGER_COUNT] = {[FLOW_TRIGGER_RNR] = SPAN_RNR,
                                                      [FLOW_TRIGGER_READ] = SPAN_READ,
                                                      [FLOW_TRIGGER_TIMEOUT] = SPAN_TIMEOUT};

    if (r->cancelled)
        return;
    add_to_span(&s->spans[SPAN_ALL], r);
    if (r->trigger < FLOW_TRIGGER_COUNT && spans[r->trigger] != SPAN_ALL)
        add_to_span(&s->spans[spans[r->trigger]], r);
}

static void add_refusal(struct round_refusals *all, const struct flow_round *r)
{
    if (all->episodes == 0)
        all->first_ns = round_sign_ns(r);
    if (all->episodes == 0 || r->psn != all->psn)
        all->episodes++;
    all->psn = r->psn;
    all->last_ns = round_sign_ns(r);
    all->longest_ns = MAX(all->longest_ns, r->resend_delay_ns);
}

void round_tries_add(struct round_tries *t, const struct flow_round *r)
{
    uint32_t answered;

    if (r->cancelled)
        return;
    answered = t->rounds > 0 && t->psn == r->psn ? t->answered : 0;
    if (t->rounds == 0 || t->psn != r->psn || r->answered)
        *t = (struct round_tries){
            .psn = r->psn, .answered = answered + r->answered, .least = r->packets};
    t->least = MIN(t->least, r->packets);
    t->most = MAX(t->most, r->packets);
    if (t->rounds < TRIES_SHOWN)
        t->frames[t->rounds] = r->first_frame;
    t->rounds++;
}

static void add_frame(struct first_frames *f, uint64_t frame)
{
    if (f->count < FIRST_FRAMES)
        f->frames[f->count++] = frame;
}

static void add_loss(struct round_sums *s, const struct flow_round *r)
{
    if (r->lost == FLOW_LOST_REQUEST) {
        add_frame(&s->request_frames, r->first_frame);
        s->requests++;
        s->requests_missed += r->trigger == FLOW_TRIGGER_NAK || r->answered;
        s->requests_short += r->trigger == FLOW_TRIGGER_TIMEOUT && r->stopped_short;
    } else if (r->lost == FLOW_LOST_RESPONSE) {
        add_frame(&s->response_frames, r->first_frame);
    } else if (r->lost == FLOW_LOST_ANSWER && !r->cancelled) {
        add_frame(&s->answer_frames, r->first_frame);
        s->answers++;
    }
}

/* The tries behind the worst outage: those at its PSN before timeouts began are among them. */
static void keep_worst(struct round_sums *s, const struct outage *before)
{
    const struct outage *worst = &s->outages.worst;

    if (worst->from_ns != before->from_ns || worst->psn != before->psn ||
        worst->tries != before->tries)
        s->worst = s->now;
}

void round_sums_add(struct round_sums *s, const struct flow_round *r)
{
    struct outage before = s->outages.worst;

    s->packets += r->packets;
    s->packets_refused += r->trigger == FLOW_TRIGGER_RNR ? r->packets : 0;
    outages_add(&s->outages, r);
    keep_worst(s, &before);
    timeouts_add(&s->timeouts, r);
    add_to_spans(s, r);
    if (r->trigger == FLOW_TRIGGER_RNR)
        add_refusal(&s->refusals, r);
    if (r->trigger == FLOW_TRIGGER_TIMEOUT)
        add_frame(&s->timeout_frames, r->first_frame);
    add_loss(s, r);
    round_tries_add(&s->now, r);
}

void round_sums_timeout(struct round_sums *s, const struct flow_round *r)
{
    if (r->trigger != FLOW_TRIGGER_TIMEOUT || r->cancelled)
        return;
    timeouts_add_late(&s->timeouts, r);
    add_to_span(&s->spans[SPAN_TIMEOUT], r);
    s->timeout_frames.count = first_frames_insert(s->timeout_frames.frames, s->timeout_frames.count,
                                                  FIRST_FRAMES, r->first_frame);
}

void round_sums_end(struct round_sums *s)
{
    struct outage before = s->outages.worst;

    outages_end(&s->outages);
    keep_worst(s, &before);
}
