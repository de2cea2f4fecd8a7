/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * UC streams (see unreliable.h). They use a requester's history and holes, and none of its rounds.
 */
#include "flow/unreliable.h"

#include "flow/message.h"
#include "flow/request.h"
#include "flow/verdict.h"

enum {
    HISTORY = 256, /* PSNs remembered to tell copies and late packets */
};

static bool begins_message(const struct rdc_packet *pkt)
{
    return rdc_position_begins(rdc_opcode_table[pkt->ib.bth.opcode].position);
}

/* What is missing before a packet that begins a message is the end of another one, at least: of
 * those, a hole that stays open counts one. */
static void hole_before(struct requester *r, const struct rdc_packet *pkt, int64_t u)
{
    struct hole *hole = holes_find(&r->holes, u - 1);

    if (hole != NULL)
        hole->ends_message = begins_message(pkt);
}

/* A message with a gap in it is dropped by the receiver. */
static void message(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                    int64_t u)
{
    struct messages *m = &s->requester->messages;
    const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];
    const struct message_packet message = message_packet_of(pkt, u, u + 1);
    bool was_whole = m->next == u;

    if (message_adds(m, u, u + 1, pkt->ib.payload_size, pkt->ib.bth.opcode))
        message_edge(m, &e->arena, &s->c, stream_times(e, s), &message);
    m->count = 0; /* nothing acknowledges it */
    if (rdc_position_ends(op->position) && !rdc_position_begins(op->position) && !was_whole)
        s->c.dropped_messages++;
}

static void fill(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt, int64_t u,
                 struct hole *hole)
{
    struct requester *r = s->requester;
    struct seen *seen;

    late_original(e, s, pkt, hole);
    hole_close(e, s, pkt, &r->holes, hole, u, u + 1, FLOW_HOLE_REORDERED, true);
    hole_before(r, pkt, u);
    if (rdc_position_ends(rdc_opcode_table[pkt->ib.bth.opcode].position))
        s->c.messages[rdc_opcode_table[pkt->ib.bth.opcode].operation]++;
    seen = history_put(&r->seen, u, r->next - HISTORY, &e->arena);
    if (seen != NULL)
        seen_first(seen, pkt, u, 0);
}

/* Whether a packet below the first one was overtaken by it, and does not begin another life */
static bool began_late(const struct stream *s, const struct requester *r,
                       const struct rdc_packet *pkt, int64_t u)
{
    return r->base - u < HISTORY && (!packet_has_id(pkt) || s->ids.step < 0);
}

void unreliable_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt)
{
    struct requester *r = request_state(e, s);
    struct hole *hole;
    struct seen *seen;
    int64_t u;

    if (r == NULL)
        return;
    u = unwrap(r->next, pkt->ib.bth.psn);
    if (r->started && (u - r->next > EPOCH_JUMP || r->next - u > EPOCH_JUMP))
        request_restart(e, s);
    if (!r->started) {
        r->started = true;
        r->base = r->next = ((int64_t)1 << 32) + pkt->ib.bth.psn;
    }
    u = unwrap(r->next, pkt->ib.bth.psn);
    e->facts.expected_psn = wire_psn(r->next);
    e->facts.psn_expected = true;
    if (u >= r->next) {
        if (u > r->next) {
            hole_open(e, s, pkt, &r->holes, r->next, u);
            hole_before(r, pkt, u);
        }
        seen = history_put(&r->seen, u, u - HISTORY, &e->arena);
        if (seen != NULL)
            seen_first(seen, pkt, u, 0);
        message(e, s, pkt, u);
        r->next = u + 1;
    } else if ((hole = holes_find(&r->holes, u)) != NULL) {
        fill(e, s, pkt, u, hole);
    } else if ((seen = history_find(&r->seen, u)) != NULL) {
        uint64_t copied = copied_frame(e, s, pkt, &r->seen, seen, false);

        duplicate(e, s, pkt, copied != 0 ? copied : seen->frame);
    } else if (u < r->base && began_late(s, r, pkt, u)) {
        late_original(e, s, pkt, NULL);
        seen = history_put(&r->seen, u, r->next - HISTORY, &e->arena);
        if (seen != NULL)
            seen_first(seen, pkt, u, 0);
    }
}

void unreliable_finish(struct flow_engine *e, struct stream *s)
{
    if (s->requester != NULL && s->requester->started)
        holes_finish(e, s, &s->requester->holes, NEVER, FLOW_HOLE_LOST);
}
