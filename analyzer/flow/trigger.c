/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes a requester go back (see trigger.h).
 */
#include "flow/trigger.h"

#include <string.h>

#include "flow/round.h"

static void forget_trigger(struct requester *r, uint32_t i)
{
    r->trigger_count--;
    memmove(&r->recovery->triggers[i], &r->recovery->triggers[i + 1],
            (r->trigger_count - i) * sizeof(struct trigger));
}

/* A sequence NAK behind an RNR NAK of the same PSN that waits means no loss, and a repeated NAK is
 * the same episode. */
static bool same_episode(const struct requester *r, int64_t u, bool rnr)
{
    for (uint32_t i = 0; i < r->trigger_count; i++) {
        const struct trigger *t = &r->recovery->triggers[i];

        if (t->u == u && !t->gone_back && (t->rnr == rnr || t->rnr))
            return true;
    }
    return false;
}

/* A NAK asks for PSN u until a later acknowledgement says that its PSN came after all; a requester
 * that goes back to just that PSN got the NAK first. */
static bool asks_for(const struct requester *r, const struct trigger *t, int64_t u)
{
    return t->u == u || (t->u < u && t->u >= r->acked);
}

void trigger_add(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u,
                 bool rnr)
{
    struct requester *r = s->requester;
    const struct hole *hole = holes_find(&r->holes, u);
    struct trigger t = {.u = u,
                        .high = r->next,
                        .frame = pkt->frame,
                        .time_ns = pkt->time_ns,
                        .nak_delay_ns = -1,
                        .evidence_ns = pkt->time_ns,
                        .sent_id = s->ids.last,
                        .has_id = s->ids.any,
                        .rnr = rnr};

    if (rnr && r->retries.u == u)
        r->retries.rnr_naks++;
    else if (rnr)
        r->retries = (struct retries){.u = u, .rnr_naks = 1, .frame = pkt->frame};
    if (same_episode(r, u, rnr))
        return;
    if (hole != NULL && !hole->not_captured && !rnr && pkt->time_ns >= hole->time_ns) {
        t.nak_delay_ns = pkt->time_ns - hole->time_ns;
        t.evidence_ns = hole->time_ns;
        if (stream_times(e, s) != NULL)
            flow_histogram_add(&s->times->nak_delay, t.nak_delay_ns, &e->arena);
    }
    if (recovery_state(e, r) == NULL)
        return;
    if (r->trigger_count == TRIGGERS_MAX)
        forget_trigger(r, 0);
    r->recovery->triggers[r->trigger_count++] = t;
}

/* Shorter pauses than this are no timeouts. */
int64_t trigger_least_silence(const struct stream *s)
{
    struct recovery *kept = s->requester != NULL ? s->requester->recovery : NULL;
    int64_t rtt;

    if (s->times == NULL || s->times->rtt.count == 0)
        return SILENCE_NS;
    if (kept != NULL && kept->median_of == s->times->rtt.count)
        return kept->least_silence_ns;
    rtt = flow_histogram_median_ns(&s->times->rtt);
    rtt = rtt * 4 > SILENCE_NS ? rtt * 4 : SILENCE_NS;
    if (kept != NULL) {
        kept->median_of = s->times->rtt.count;
        kept->least_silence_ns = rtt;
    }
    return rtt;
}

bool trigger_pending(const struct stream *s, const struct rdc_packet *pkt, int64_t u,
                     bool read_like)
{
    const struct requester *r = s->requester;
    const struct round_state *round =
        r->round_count == 0 ? NULL : &r->recovery->rounds[r->round_count % ROUNDS_KEPT];

    /* -fanalyzer: in a round there is one; NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (r->in_round && u > round->pos)
        return true;
    for (uint32_t i = 0; i < r->trigger_count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is counted is there */
        if (asks_for(r, &r->recovery->triggers[i], u) && u < r->recovery->triggers[i].high)
            return true;
    if (read_like && trigger_answer_missing(r, u))
        return true;
    return pkt->time_ns - r->last_ns >= trigger_least_silence(s);
}

/* An acknowledgement without data */
static bool is_plain_ack(const struct rdc_packet *pkt)
{
    return rdc_opcode_table[pkt->ib.bth.opcode].operation == RDC_OP_ACKNOWLEDGE &&
           (pkt->ib.ext.present & RDC_EXT_AETH) != 0 && pkt->ib.ext.aeth.kind == RDC_AETH_ACK;
}

void trigger_response(struct requester *r, const struct rdc_packet *pkt, int64_t u)
{
    trigger_evidence(r, u, pkt->frame, pkt->time_ns, is_plain_ack(pkt));
}

bool trigger_answer_missing(const struct requester *r, int64_t u)
{
    return r->evidence.beyond > u || (r->evidence.beyond == u && r->evidence.ack);
}

/* The stream sent PSN u, as new or within a round: triggers whose highest PSN it passes are done.
 */
void trigger_passed(struct requester *r, int64_t u)
{
    for (uint32_t i = r->trigger_count; i > 0; i--)
        if (r->recovery->triggers[i - 1].gone_back && u >= r->recovery->triggers[i - 1].high - 1)
            forget_trigger(r, i - 1);
}

/* A round begins at u: it answers what asked for u or an earlier PSN. */
void trigger_answered(struct requester *r, int64_t u)
{
    for (uint32_t i = 0; i < r->trigger_count; i++)
        if (r->recovery->triggers[i].u <= u)
            r->recovery->triggers[i].gone_back = true;
}

/* A round that began before sends PSN u again. That answers no NAK, since the sender may not know
 * of it yet; but a later round is no answer to it either, unless it begins right there. A resend
 * that was sent before the NAK came says nothing of it. */
void trigger_repeated(struct requester *r, const struct rdc_packet *pkt, int64_t u, bool use_id)
{
    for (uint32_t i = 0; i < r->trigger_count; i++) {
        struct trigger *t = &r->recovery->triggers[i];

        if (t->u == u && !(use_id && t->has_id && rdc_id_diff(pkt->ip.id, t->sent_id) < 0))
            t->resent = true;
    }
}

/* The pending NAK that explains a new round at u: the one with the highest PSN at or below it. */
const struct trigger *trigger_nak(const struct requester *r, int64_t u)
{
    const struct trigger *best = NULL;

    for (uint32_t i = 0; i < r->trigger_count; i++) {
        const struct trigger *t = &r->recovery->triggers[i];

        if (t->gone_back || !asks_for(r, t, u) || (t->u < u && t->resent))
            continue;
        if (best == NULL || t->u >= best->u)
            best = t;
    }
    return best;
}

const struct trigger *trigger_within(const struct requester *r, int64_t u, int64_t end)
{
    for (uint32_t i = 0; i < r->trigger_count; i++) {
        const struct trigger *t = &r->recovery->triggers[i];

        if (!t->rnr && !t->gone_back && !t->resent && t->u >= u && t->u < end)
            return t;
    }
    return NULL;
}

int64_t trigger_timeout(const struct requester *r)
{
    return r->timeout_ns != 0 ? r->timeout_ns : r->learned_ns - r->learned_ns / 5;
}

bool trigger_waits(const struct requester *r, int64_t u, int64_t since_ns)
{
    for (uint32_t i = 0; i < r->trigger_count; i++) {
        const struct trigger *t = &r->recovery->triggers[i];

        if (t->u == u && !t->gone_back && t->time_ns >= since_ns)
            return true;
    }
    return false;
}
