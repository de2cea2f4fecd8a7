/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looking ahead. With many streams, their state is larger than the caches near the processor, and
 * a packet after the other would wait for memory, line by line. So what some packets will need is
 * asked for together, step by step along the pointers that lead there. Nothing here changes state.
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
        __builtin_prefetch(&h->slots[(uint64_t)unwrap(near, psn) & h->mask], 1);
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

/* Nothing is known yet of streams that begin with one of these packets. */
void flow_expect(struct flow_engine *e, const struct rdc_packet *packets, size_t count)
{
    struct expected *x = &e->expected;
    const struct rdc_packet *of[FLOW_BATCH]; /* those of known streams */
    const struct stream *streams[FLOW_BATCH];
    size_t n = 0;

    x->next = packets;
    x->at = 0;
    x->count = count <= FLOW_BATCH ? (uint32_t)count : FLOW_BATCH;
    for (size_t i = 0; i < x->count; i++)
        x->hash[i] = packets[i].kind == RDC_KIND_BTH ? engine_expect(e, &packets[i]) : 0;
    for (size_t i = 0; i < x->count; i++) {
        x->stream[i] = packets[i].kind == RDC_KIND_BTH ? engine_expected(e, x->hash[i]) : NULL;
        of[n] = &packets[i];
        streams[n] = x->stream[i];
        n += x->stream[i] != NULL;
    }
    for (size_t i = 0; i < n; i++)
        fetch_stream(streams[i]);
    for (size_t i = 0; i < n; i++)
        fetch_parts(e, streams[i], of[i]);
    for (size_t i = 0; i < n; i++)
        if (opcode_of(of[i])->role != RDC_ROLE_REQUEST)
            fetch_answered(e, streams[i]);
    for (size_t i = 0; i < n; i++)
        fetch_rest(e, streams[i], of[i]);
}
