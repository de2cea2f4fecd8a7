/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of frames (see verdicts.h). Records and events stand in pages, so that growing copies
 * nothing, and runs of frames that are no RDMA cost nothing.
 */
#include "plugin/verdicts.h"

#include <glib.h>
#include <stdlib.h>

#include "plugin/messages.h"
#include "rdc/wire.h"

enum {
    PAGE = 4096, /* records or events */
};

#define RTT_MAX (((int64_t)1 << 38) - 1) /* 274 s */

struct kept_event {
    struct flow_event event;
    uint32_t next; /* number + 1 of the frame's next event; 0: none */
};

struct verdicts {
    struct flow_engine *engine;
    const struct rdc_packet *pkt; /* at hand */
    GPtrArray *frames;            /* pages of struct frame_verdict; NULL: no RDMA there */
    GPtrArray *events;            /* pages of struct kept_event */
    uint64_t event_count;
    GPtrArray *fpdus; /* pages of struct frame_fpdu */
    uint64_t fpdu_count;
    GArray *tail;       /* struct flow_event, by frame: what the end of the capture tells */
    GHashTable *rounds; /* set of struct flow_round */
    struct message_table *messages;
    uint64_t original_frame; /* of the packet at hand, when it is a copy; 0: none */
    uint64_t last_frame;
    uint64_t settled_at; /* last_frame of the latest preview */
    bool previewing;
    GArray *numbers[2]; /* uint32_t, number + 1, by stream; [1]: iWARP's */
    uint32_t stream_count;
    GArray *sure; /* struct verdict_connection by stream: numbers that are final; id 0: not yet */
    uint32_t sure_streams, sure_connections;
};

/* ------------------------------------------------------------------ pages */

static struct frame_verdict *frame_at(const struct verdicts *v, uint64_t frame)
{
    struct frame_verdict *page =
        frame / PAGE < v->frames->len ? g_ptr_array_index(v->frames, frame / PAGE) : NULL;

    return page != NULL ? &page[frame % PAGE] : NULL;
}

static struct frame_verdict *frame_make(struct verdicts *v, uint64_t frame)
{
    guint number = (guint)(frame / PAGE);
    struct frame_verdict *page;

    if (number >= v->frames->len)
        g_ptr_array_set_size(v->frames, (gint)number + 1);
    page = g_ptr_array_index(v->frames, number);
    if (page == NULL) {
        page = g_new0(struct frame_verdict, PAGE);
        g_ptr_array_index(v->frames, number) = page;
    }
    return &page[frame % PAGE];
}

static struct kept_event *event_at(const struct verdicts *v, uint64_t number)
{
    struct kept_event *page = g_ptr_array_index(v->events, number / PAGE);

    return &page[number % PAGE];
}

static struct frame_fpdu *fpdu_at(const struct verdicts *v, uint64_t number)
{
    struct frame_fpdu *page = g_ptr_array_index(v->fpdus, number / PAGE);

    return &page[number % PAGE];
}

/* ------------------------------------------------------------------ streams */

/* iWARP's streams are counted apart by the engine. */
static uint32_t *number_of(const struct verdicts *v, uint32_t stream, bool make)
{
    GArray *list = v->numbers[flow_stream_is_iwarp(stream)];
    uint32_t index = stream & ~FLOW_IWARP_STREAM;

    if (index >= list->len && !make)
        return NULL;
    if (index >= list->len)
        g_array_set_size(list, index + 1);
    return &g_array_index(list, uint32_t, index);
}

static void number_stream(struct verdicts *v, uint32_t stream)
{
    uint32_t *number = number_of(v, stream, true);

    if (*number == 0)
        *number = ++v->stream_count;
}

uint32_t verdicts_stream_number(const struct verdicts *v, uint32_t stream)
{
    const uint32_t *number = number_of(v, stream, false);

    return number != NULL && *number != 0 ? *number - 1 : UINT32_MAX;
}

/* ------------------------------------------------------------------ the sink */

static void link_event(struct verdicts *v, uint64_t frame, uint32_t number)
{
    uint32_t *link = &frame_make(v, frame)->first_event;

    while (*link != 0)
        link = &event_at(v, *link - 1)->next;
    *link = number + 1;
}

static uint64_t on_event(void *context, const struct flow_event *event)
{
    struct verdicts *v = context;
    uint64_t number = v->event_count;
    struct frame_verdict *original;

    if (v->previewing) {
        g_array_append_vals(v->tail, event, 1);
        return UINT64_MAX;
    }
    if (number == UINT32_MAX - 1)
        return UINT64_MAX;
    if (number / PAGE >= v->events->len)
        g_ptr_array_add(v->events, g_new0(struct kept_event, PAGE));
    event_at(v, number)->event = *event;
    v->event_count++;
    if (event->stream != FLOW_NO_STREAM)
        number_stream(v, event->stream);
    link_event(v, event->frame, (uint32_t)number);
    if (event->original_frame != 0 && v->pkt != NULL && event->frame == v->pkt->frame)
        v->original_frame = event->original_frame;
    original = frame_at(v, event->original_frame);
    if (event->kind == FLOW_RETRANSMISSION && event->original_frame != 0 && original != NULL &&
        original->resent_in == 0)
        original->resent_in = (uint32_t)event->frame;
    return number;
}

static void on_amend(void *context, uint64_t number, const struct flow_event *event)
{
    struct verdicts *v = context;

    if (number < v->event_count)
        event_at(v, number)->event = *event;
}

static void on_round(void *context, const struct flow_round *round)
{
    struct verdicts *v = context;
    struct flow_round *kept = g_hash_table_lookup(v->rounds, round);
    struct frame_verdict *trigger = frame_at(v, round->trigger_frame);

    if (kept != NULL)
        *kept = *round;
    else
        g_hash_table_add(v->rounds, g_memdup2(round, sizeof(*round)));
    if (round->trigger_frame != 0 && trigger != NULL && trigger->resent_in == 0)
        trigger->resent_in = (uint32_t)round->first_frame;
}

static void on_fpdu(void *context, const struct flow_fpdu *fpdu)
{
    struct verdicts *v = context;
    uint64_t number = v->fpdu_count;
    uint32_t *link;

    if (v->pkt == NULL || number == UINT32_MAX - 1)
        return;
    if (number / PAGE >= v->fpdus->len)
        g_ptr_array_add(v->fpdus, g_new0(struct frame_fpdu, PAGE));
    *fpdu_at(v, number) = (struct frame_fpdu){.to = fpdu->ddp.to,
                                              .stag = fpdu->ddp.stag,
                                              .qn = fpdu->ddp.qn,
                                              .msn = fpdu->ddp.msn,
                                              .mo = fpdu->ddp.mo,
                                              .tcp_seq = fpdu->tcp_seq,
                                              .payload_size = fpdu->rdmap.payload_size,
                                              .length = fpdu->length,
                                              .crc = fpdu->crc,
                                              .markers = fpdu->markers,
                                              .opcode = fpdu->ddp.opcode,
                                              .ddp_set = fpdu->ddp_set,
                                              .tagged = fpdu->ddp.tagged,
                                              .last = fpdu->ddp.last,
                                              .payload_known = fpdu->rdmap_set};
    v->fpdu_count++;
    link = &frame_make(v, v->pkt->frame)->first_fpdu;
    while (*link != 0)
        link = &fpdu_at(v, *link - 1)->next;
    *link = (uint32_t)number + 1;
}

/* A response belongs to the message that it answers, and ends it. */
static void place_response(struct verdicts *v, struct frame_verdict *f)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[v->pkt->ib.bth.opcode];
    struct frame_verdict *request = frame_at(v, f->request);
    struct frame_verdict *first;

    if (f->request == 0 || request == NULL || op->role != RDC_ROLE_RESPONSE ||
        op->operation == RDC_OP_ACKNOWLEDGE)
        return;
    f->message = request->message;
    f->message_first = request->message_first;
    if (!rdc_position_ends(op->position))
        return;
    request->answer = (uint32_t)v->pkt->frame;
    first = frame_at(v, request->message_first);
    if (request->message_first != 0 && first != NULL && first->message_last == 0)
        first->message_last = (uint32_t)v->pkt->frame;
}

static void take_answer(struct frame_verdict *f, const struct flow_facts *facts)
{
    f->request = (uint32_t)facts->request_frame;
    if (facts->rtt_ns < 0 || facts->rtt_ns > RTT_MAX)
        return;
    f->has_rtt = true;
    f->rtt_low = (uint32_t)facts->rtt_ns;
    f->rtt_high = (uint32_t)(facts->rtt_ns >> 32) & 0x3f;
}

static void on_facts(void *context, const struct flow_facts *facts)
{
    struct verdicts *v = context;
    struct frame_verdict *f, *first;
    const struct rdc_opcode_info *op;

    if (facts->stream == FLOW_NO_STREAM)
        return;
    number_stream(v, facts->stream);
    f = frame_make(v, facts->frame);
    f->stream = facts->stream + 1;
    f->expected_psn = facts->expected_psn & RDC_PSN_MASK;
    f->psn_expected = facts->psn_expected;
    if (!f->psn_expected) {
        take_answer(f, facts);
        if (!flow_stream_is_iwarp(facts->stream))
            place_response(v, f);
        return;
    }
    f->outstanding_psns = facts->outstanding_psns;
    message_request(v->messages, f, v->pkt, frame_at(v, v->original_frame));
    first = frame_at(v, f->message_first);
    op = &rdc_opcode_table[v->pkt->ib.bth.opcode];
    if (f->message_first != 0 && first != NULL && first->message_last == 0 &&
        rdc_position_ends(op->position) && !answered_by_data(op->operation))
        first->message_last = (uint32_t)facts->frame;
}

static void on_acknowledged(void *context, uint64_t request_frame, uint64_t answer_frame)
{
    struct verdicts *v = context;
    struct frame_verdict *f = frame_at(v, request_frame);

    if (request_frame == 0 || f == NULL || f->stream == 0)
        return;
    if (f->answer == 0)
        f->answer = (uint32_t)answer_frame;
    if (f->psn_expected)
        message_acknowledged(v->messages, f);
}

/* ------------------------------------------------------------------ life */

struct verdicts *verdicts_new(const struct flow_config *config)
{
    struct verdicts *v = g_new0(struct verdicts, 1);
    struct flow_sink sink = {.context = v,
                             .event = on_event,
                             .amend = on_amend,
                             .round = on_round,
                             .facts = on_facts,
                             .fpdu = on_fpdu,
                             .acknowledged = on_acknowledged};

    v->frames = g_ptr_array_new_with_free_func(g_free);
    v->events = g_ptr_array_new_with_free_func(g_free);
    v->fpdus = g_ptr_array_new_with_free_func(g_free);
    v->tail = g_array_new(FALSE, FALSE, sizeof(struct flow_event));
    v->rounds = g_hash_table_new_full(flow_round_hash, flow_round_equal, g_free, NULL);
    v->messages = message_table_new();
    for (int i = 0; i < 2; i++)
        v->numbers[i] = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    v->sure = g_array_new(FALSE, TRUE, sizeof(struct verdict_connection));
    v->engine = flow_engine_new(config, &sink);
    if (v->engine != NULL)
        return v;
    verdicts_free(v);
    return NULL;
}

void verdicts_free(struct verdicts *v)
{
    if (v == NULL)
        return;
    flow_engine_free(v->engine);
    g_ptr_array_free(v->frames, TRUE);
    g_ptr_array_free(v->events, TRUE);
    g_ptr_array_free(v->fpdus, TRUE);
    g_array_free(v->tail, TRUE);
    g_hash_table_destroy(v->rounds);
    message_table_free(v->messages);
    for (int i = 0; i < 2; i++)
        g_array_free(v->numbers[i], TRUE);
    g_array_free(v->sure, TRUE);
    g_free(v);
}

void verdicts_packet(struct verdicts *v, const struct rdc_packet *pkt)
{
    if (pkt->frame <= v->last_frame)
        return;
    v->last_frame = pkt->frame;
    v->pkt = pkt;
    v->original_frame = 0;
    flow_packet(v->engine, pkt);
    v->pkt = NULL;
}

static gint by_frame(gconstpointer a, gconstpointer b)
{
    const struct flow_event *x = a, *y = b;

    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

void verdicts_settle(struct verdicts *v)
{
    if (v->settled_at == v->last_frame)
        return;
    g_array_set_size(v->tail, 0);
    v->previewing = true;
    flow_preview(v->engine);
    v->previewing = false;
    g_array_sort(v->tail, by_frame);
    v->settled_at = v->last_frame;
}

bool verdicts_settled(const struct verdicts *v)
{
    return v->settled_at == v->last_frame;
}

/* ------------------------------------------------------------------ views */

const struct frame_verdict *verdicts_frame(const struct verdicts *v, uint32_t frame)
{
    return frame_at(v, frame);
}

/* Index of the first event of the tail at or behind a frame */
static guint tail_from(const struct verdicts *v, uint32_t frame)
{
    guint low = 0, high = v->tail->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (g_array_index(v->tail, struct flow_event, middle).frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The cursor is the number + 1 of the next event; above TAIL, that of an event of the tail. */
#define TAIL ((uint64_t)1 << 32)

const struct flow_event *verdicts_event(const struct verdicts *v, uint32_t frame, uint64_t *cursor)
{
    const struct frame_verdict *f = frame_at(v, frame);
    guint i;

    if (*cursor == 0)
        *cursor = f != NULL && f->first_event != 0 ? f->first_event : TAIL;
    if (*cursor < TAIL) {
        const struct kept_event *kept = event_at(v, *cursor - 1);

        *cursor = kept->next != 0 ? kept->next : TAIL;
        return &kept->event;
    }
    if (v->settled_at != v->last_frame || v->tail->len == 0)
        return NULL;
    i = *cursor == TAIL ? tail_from(v, frame) : (guint)(*cursor - TAIL - 1);
    if (i >= v->tail->len || g_array_index(v->tail, struct flow_event, i).frame != frame)
        return NULL;
    *cursor = TAIL + 1 + i + 1;
    return &g_array_index(v->tail, struct flow_event, i);
}

const struct frame_fpdu *verdicts_fpdu(const struct verdicts *v, uint32_t frame, uint64_t *cursor)
{
    const struct frame_verdict *f = frame_at(v, frame);
    const struct frame_fpdu *fpdu;

    if (*cursor == 0)
        *cursor = f != NULL && f->first_fpdu != 0 ? f->first_fpdu : TAIL;
    if (*cursor == TAIL)
        return NULL;
    fpdu = fpdu_at(v, *cursor - 1);
    *cursor = fpdu->next != 0 ? fpdu->next : TAIL;
    return fpdu;
}

const struct flow_round *verdicts_round(const struct verdicts *v, const struct flow_event *event)
{
    struct flow_round key = {.stream = event->round_stream, .number = event->round};

    return event->round == 0 ? NULL : g_hash_table_lookup(v->rounds, &key);
}

const struct flow_engine *verdicts_engine(const struct verdicts *v)
{
    return v->engine;
}

/* ------------------------------------------------------------------ connections */

/* Connections are numbered by their first stream. A number is final when all streams up to it have
 * a pairing that later packets don't undo, or never get one. */
static void number_sure(struct verdicts *v)
{
    struct flow_stream_pairing p;

    while (flow_stream_pairing_get(v->engine, v->sure_streams, &p) && p.final) {
        uint32_t last =
            p.peer != FLOW_NO_STREAM && p.peer > v->sure_streams ? p.peer : v->sure_streams;
        struct verdict_connection *own;

        if (last >= v->sure->len)
            g_array_set_size(v->sure, last + 1);
        own = &g_array_index(v->sure, struct verdict_connection, v->sure_streams);
        if (own->id == 0) {
            *own =
                (struct verdict_connection){++v->sure_connections, true, p.peer != FLOW_NO_STREAM};
            if (p.peer != FLOW_NO_STREAM)
                g_array_index(v->sure, struct verdict_connection, p.peer) =
                    (struct verdict_connection){own->id, false, true};
        }
        v->sure_streams++;
    }
}

bool verdicts_connection(struct verdicts *v, uint32_t stream, struct verdict_connection *out)
{
    uint32_t index;

    if (verdicts_settled(v)) {
        if (!flow_stream_connection(v->engine, stream, &index, &out->a_to_b))
            return false;
        out->id = index + 1;
        out->paired = flow_connection_paired(v->engine, index);
        return true;
    }
    if (flow_iwarp_count(v->engine) > 0)
        return false; /* theirs are numbered among the others, by frames long past */
    number_sure(v);
    if (stream >= v->sure->len || g_array_index(v->sure, struct verdict_connection, stream).id == 0)
        return false;
    *out = g_array_index(v->sure, struct verdict_connection, stream);
    return true;
}
