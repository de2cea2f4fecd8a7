/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps the first frames of each kind of event (see evidence.h).
 */
#include "analysis/evidence.h"

#include <glib.h>

#include "analysis/loss_signs.h"
#include "analysis/try_list.h"

enum {
    MANY_MESSAGES = 64, /* more than wait for one acknowledgement */
    LATE_MESSAGES = 8,  /* more than a first packet overtakes */
};

struct evidence {
    /* of struct evidence_stream, NULL: nothing to tell; by stream: those of InfiniBand and RoCE,
     * those of iWARP */
    struct try_list streams[2];
    struct try_list firsts; /* of struct evidence_first, by stream */
    uint64_t refused;       /* what of streams there was no memory for */
    struct frame_index *frames;
    struct rounds_memory rounds;
};

static void stream_free(struct evidence_stream *s)
{
    if (s == NULL)
        return;
    rounds_free(s->rounds);
    g_free(s->retries.rounds);
    g_free(s);
}

struct evidence *evidence_new(void)
{
    struct evidence *e = g_new0(struct evidence, 1);

    e->frames = frame_index_new();
    return e;
}

void evidence_free(struct evidence *e)
{
    if (e == NULL)
        return;
    for (unsigned i = 0; i < G_N_ELEMENTS(e->streams); i++) {
        for (uint32_t k = 0; k < e->streams[i].room; k++)
            stream_free(try_list_pointer(&e->streams[i], k));
        try_list_done(&e->streams[i]);
    }
    try_list_done(&e->firsts);
    frame_index_free(e->frames);
    g_free(e);
}

const struct evidence_stream *evidence_of(const struct evidence *e, uint32_t stream)
{
    return try_list_pointer(&e->streams[flow_stream_is_iwarp(stream)], stream & ~FLOW_IWARP_STREAM);
}

static struct evidence_first *first_of(const struct evidence *e, uint32_t stream)
{
    struct evidence_first *first = e->firsts.entries;

    return stream < e->firsts.room && first[stream].known ? &first[stream] : NULL;
}

const struct evidence_first *evidence_first_of(const struct evidence *e, uint32_t stream)
{
    return first_of(e, stream);
}

const struct first_frames *evidence_frames(const struct evidence *e, uint32_t stream, unsigned kind)
{
    const struct frame_list *list = frame_index_find(e->frames, stream, kind);

    return list != NULL && list->first.count > 0 ? &list->first : NULL;
}

uint64_t evidence_count(const struct evidence *e, uint32_t stream, unsigned kind)
{
    const struct frame_list *list = frame_index_find(e->frames, stream, kind);

    return list != NULL ? list->count : 0;
}

const struct round_sums *evidence_rounds(const struct evidence *e, uint32_t stream,
                                         struct round_sums *room)
{
    const struct evidence_stream *s = evidence_of(e, stream);

    if (s == NULL || s->rounds == NULL)
        return NULL;
    rounds_sums(s->rounds, room);
    return room;
}

struct outages evidence_outages(const struct evidence *e, uint32_t stream)
{
    const struct evidence_stream *s = evidence_of(e, stream);

    if (s == NULL || s->rounds == NULL)
        return (struct outages){0};
    return rounds_outages(s->rounds);
}

uint64_t evidence_rounds_refused(const struct evidence *e)
{
    return e->rounds.refused;
}

uint64_t evidence_refused(const struct evidence *e)
{
    return e->refused + frame_index_refused(e->frames);
}

/* NULL: there is no memory for it, which is counted */
static struct evidence_stream *stream_of(struct evidence *e, uint32_t stream)
{
    struct evidence_stream *s = try_list_made(&e->streams[flow_stream_is_iwarp(stream)],
                                              stream & ~FLOW_IWARP_STREAM, sizeof(*s));

    e->refused += s == NULL;
    return s;
}

/* ------------------------------------------------------------------ frames */

typedef void change_fn(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame);

static void keep_resent(struct evidence *e, const struct flow_event *ev, change_fn *change)
{
    change(e->frames, ev->stream, EVIDENCE_RESENT, ev->frame);
    if (loss_shows_in_resend(ev))
        change(e->frames, ev->stream, EVIDENCE_RESENT_UNSEEN, ev->frame);
    if (ev->spurious)
        change(e->frames, ev->stream, EVIDENCE_SPURIOUS, ev->frame);
}

static unsigned nak_evidence(const struct flow_event *ev)
{
    return EVIDENCE_NAK + MIN((unsigned)ev->code, FLOW_NAK_RESERVED);
}

/* Beside its NAK: the request that was refused for good */
static void keep_refused(struct evidence *e, const struct flow_event *ev)
{
    if (ev->request_frame != 0)
        frame_index_mark(e->frames, ev->stream, nak_evidence(ev), ev->request_frame, true);
}

/* Adds or takes out the frame of an event */
static void keep(struct evidence *e, const struct flow_event *ev, change_fn *change)
{
    static const uint8_t plain[FLOW_EVENT_KIND_COUNT] = {
        [FLOW_GAP] = EVIDENCE_GAP + 1,
        [FLOW_OUT_OF_ORDER] = EVIDENCE_LATE + 1,
        [FLOW_TCP_OUT_OF_ORDER] = EVIDENCE_LATE + 1,
        [FLOW_DUPLICATE] = EVIDENCE_DUPLICATE + 1,
        [FLOW_RNR_NAK] = EVIDENCE_RNR_NAK + 1,
        [FLOW_ACKED_UNSEEN] = EVIDENCE_ACKED_UNSEEN + 1,
        [FLOW_ACKED_EARLY] = EVIDENCE_ACKED_EARLY + 1,
        [FLOW_CE] = EVIDENCE_CE + 1,
        [FLOW_CNP] = EVIDENCE_CNP + 1,
        [FLOW_ICRC_BAD] = EVIDENCE_ICRC_BAD + 1,
        [FLOW_CRC_BAD] = EVIDENCE_CRC_BAD + 1,
        [FLOW_TERMINATE] = EVIDENCE_TERMINATE + 1,
        [FLOW_ZERO_WINDOW] = EVIDENCE_ZERO_WINDOW + 1,
        [FLOW_MPA] = EVIDENCE_MPA + 1,
        [FLOW_FRAMING] = EVIDENCE_FRAMING + 1,
        [FLOW_MSN_GAP] = EVIDENCE_MSN_GAP + 1,
        [FLOW_TCP_GAP] = EVIDENCE_NOT_CAPTURED + 1,
    };

    if (ev->kind == FLOW_RNR_NAK && ev->timer_ns == RNR_LONGEST_NS)
        change(e->frames, ev->stream, EVIDENCE_RNR_LONGEST, ev->frame);
    if (plain[ev->kind] != 0)
        change(e->frames, ev->stream, plain[ev->kind] - 1u, ev->frame);
    else if (ev->kind == FLOW_RETRANSMISSION || ev->kind == FLOW_TCP_RETRANSMISSION)
        keep_resent(e, ev, change);
    else if (ev->kind == FLOW_NAK)
        change(e->frames, ev->stream, nak_evidence(ev), ev->frame);
    else if (ev->kind == FLOW_HOLE_CLOSED && ev->as == FLOW_HOLE_NOT_CAPTURED)
        change(e->frames, ev->stream, EVIDENCE_NOT_CAPTURED, ev->frame);
    else if (loss_shows_in_atomic(ev))
        change(e->frames, ev->stream, EVIDENCE_ATOMIC_AGAIN, ev->frame);
    else if (loss_shows_in_hole(ev))
        change(e->frames, ev->stream, EVIDENCE_LOST, ev->frame);
}

/* ------------------------------------------------------------------ what is more than a frame */

/* A request from before the first one shows that this was not the first: that was lost */
static void look_at_resent(struct evidence_first *first, const struct flow_event *ev)
{
    if (first != NULL && first->in_message && rdc_psn_diff(ev->psn, first->psn) < 0)
        first->midway = first->in_message = false;
}

/* What nobody needed recovers nothing */
static void look_at_tcp_resent(struct evidence_stream *s, const struct flow_event *ev)
{
    struct evidence_resends *r = loss_shows_in_resend(ev) ? &s->filling : &s->repeating;
    int64_t from_ns = ev->time_ns - MAX(ev->late.ns, 0);

    if (ev->spurious)
        return;
    r->from_ns = r->count == 0 ? from_ns : MIN(r->from_ns, from_ns);
    r->to_ns = r->count == 0 ? ev->time_ns : MAX(r->to_ns, ev->time_ns);
    r->count++;
}

static void look_at_rnr(struct evidence_stream *s, const struct flow_event *ev)
{
    s->rnr_timer_max_ns = MAX(s->rnr_timer_max_ns, ev->timer_ns);
    if (s->rnr_timer_min_ns == 0 || ev->timer_ns < s->rnr_timer_min_ns)
        s->rnr_timer_min_ns = ev->timer_ns;
}

/* False: there is no memory for it */
static bool look_at_retries(struct evidence_stream *s, const struct flow_event *ev)
{
    struct round_tries *rounds = g_try_renew(struct round_tries, s->retries.rounds, 1);

    if (rounds == NULL)
        return false;
    *rounds = rounds_tries(s->rounds, ev->psn);
    s->retries = (struct evidence_retries){ev->frame, ev->psn, ev->count, ev->code == 1, rounds};
    /* cppcheck-suppress memleak ; the initializer hands it on */
    return true;
}

/* Events of the other kinds have frames only. */
static bool is_noted(uint8_t kind)
{
    return kind == FLOW_TERMINATE || kind == FLOW_TCP_RETRANSMISSION || kind == FLOW_OUT_OF_ORDER ||
           kind == FLOW_TCP_OUT_OF_ORDER || kind == FLOW_RNR_NAK || kind == FLOW_RETRY_EXHAUSTED;
}

static void note(struct evidence *e, const struct flow_event *ev)
{
    struct evidence_stream *s = is_noted(ev->kind) ? stream_of(e, ev->stream) : NULL;

    if (ev->kind == FLOW_RETRANSMISSION)
        look_at_resent(first_of(e, ev->stream), ev);
    if (s == NULL)
        return;
    if (ev->kind == FLOW_TERMINATE) {
        s->terminate = ev->certain ? ev->terminate : s->terminate;
        s->terminate_known |= ev->certain;
    } else if (ev->kind == FLOW_TCP_RETRANSMISSION) {
        look_at_tcp_resent(s, ev);
    } else if (ev->kind == FLOW_RNR_NAK) {
        look_at_rnr(s, ev);
    } else if (ev->kind == FLOW_RETRY_EXHAUSTED) {
        e->refused += !look_at_retries(s, ev);
    } else {
        s->late_packets_max = MAX(s->late_packets_max, ev->late.packets);
        s->late_ns_max = MAX(s->late_ns_max, ev->late.ns);
    }
}

/* Does it continue something that is not here? The responder counts messages, so a first answer
 * with a high count does too. */
void evidence_first_packet(struct evidence *e, uint32_t stream, const struct rdc_packet *pkt)
{
    const struct rdc_opcode_info *info = &rdc_opcode_table[pkt->ib.bth.opcode];
    bool has_msn = (pkt->ib.ext.present & RDC_EXT_AETH) != 0;
    bool in_message = info->role == RDC_ROLE_REQUEST &&
                      (info->position == RDC_POS_MIDDLE || info->position == RDC_POS_LAST);

    if (!try_list_reach(&e->firsts, stream, sizeof(struct evidence_first))) {
        e->refused++;
        return;
    }
    ((struct evidence_first *)e->firsts.entries)[stream] = (struct evidence_first){
        .psn = pkt->ib.bth.psn,
        .msn = has_msn ? pkt->ib.ext.aeth.msn : 0,
        .known = true,
        .midway = in_message || (has_msn && pkt->ib.ext.aeth.msn > MANY_MESSAGES),
        .in_message = in_message,
        .is_answer = info->role == RDC_ROLE_RESPONSE,
        .has_msn = has_msn,
    };
}

/* Each message has a PSN of its own, or several, and the responder counts from zero (IBTA vol. 1,
 * AETH: MSN). The first packet that was captured need not be the first that was sent. */
bool evidence_counts_older(const struct evidence_first *requests,
                           const struct evidence_first *answers)
{
    int32_t psns = rdc_psn_diff(answers->psn, requests->psn) + 1;

    return answers->has_msn && !requests->is_answer &&
           answers->msn > (uint32_t)(psns > 0 ? psns : 0) + LATE_MESSAGES;
}

/* ------------------------------------------------------------------ the sink */

enum {
    WAS_SPURIOUS = 1 << 8,
    WAS_UNSEEN = 1 << 9,
};

/* The number of an event tells what it was, in case that it becomes something else */
static uint64_t on_event(void *context, const struct flow_event *event)
{
    struct evidence *e = context;

    if (event->stream != FLOW_NO_STREAM) {
        note(e, event);
        keep(e, event, frame_index_add);
        if (event->kind == FLOW_NAK)
            keep_refused(e, event);
    } else if (event->kind == FLOW_ICRC_BAD) {
        keep(e, event, frame_index_add);
    }
    return event->kind | (event->spurious ? WAS_SPURIOUS : 0u) |
           (event->original_frame == 0 ? WAS_UNSEEN : 0u);
}

static void on_amend(void *context, uint64_t number, const struct flow_event *event)
{
    struct evidence *e = context;
    struct flow_event was = *event;

    was.kind = (uint8_t)number;
    was.spurious = (number & WAS_SPURIOUS) != 0;
    was.original_frame = (number & WAS_UNSEEN) == 0;
    keep(e, &was, frame_index_take_out);
    note(e, event);
    keep(e, event, frame_index_add);
}

static void on_round(void *context, const struct flow_round *round)
{
    struct evidence *e = context;
    struct evidence_stream *s = stream_of(e, round->stream);

    if (s != NULL)
        rounds_put(&s->rounds, round, &e->rounds);
}

static void on_stream(void *context, uint32_t stream, const struct rdc_packet *pkt)
{
    evidence_first_packet(context, stream, pkt);
}

struct flow_sink evidence_sink(struct evidence *evidence)
{
    return (struct flow_sink){
        .context = evidence,
        .event = on_event,
        .amend = on_amend,
        .round = on_round,
        .stream = on_stream,
    };
}
