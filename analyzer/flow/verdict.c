/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Holes, copies, path MTU (see verdict.h).
 */
#include "flow/verdict.h"

#include "flow/psns.h"

/* ------------------------------------------------------------------ holes */

static uint64_t report_close(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                             int64_t u, int64_t end, enum flow_hole_end as, bool certain)
{
    struct flow_event ev = {.kind = FLOW_HOLE_CLOSED,
                            .psn = wire_psn(u),
                            .count = (uint32_t)(end - u),
                            .as = (uint8_t)as,
                            .certain = certain};

    if (pkt != NULL)
        ev.code = rdc_opcode_table[pkt->ib.bth.opcode].operation;
    return engine_event(e, &ev, s, pkt);
}

static void leave_open(struct flow_engine *e, struct stream *s, int64_t u, int64_t end,
                       enum flow_hole_end as)
{
    s->c.holes_open += (uint64_t)(end - u);
    report_close(e, s, NULL, u, end, as, true);
}

void hole_open(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
               struct holes *holes, int64_t u, int64_t end)
{
    struct flow_event ev = {
        .kind = FLOW_GAP, .psn = wire_psn(u), .count = (uint32_t)(end - u), .certain = true};
    struct hole hole = {.u = u,
                        .end = end,
                        .frame = pkt->frame,
                        .time_ns = pkt->time_ns,
                        .packets = s->c.packets,
                        .id = pkt->ip.id,
                        .has_id = packet_has_id(pkt)};
    struct hole given_up;

    s->c.gaps++;
    s->c.gap_psns += (uint64_t)(end - u);
    engine_event(e, &ev, s, pkt);
    if (!holes_add(holes, &hole, &given_up, &e->arena))
        return;
    if (given_up.u == u) { /* there is no memory to see how it ends */
        leave_open(e, s, u, end, FLOW_HOLE_OPEN);
    } else if (!given_up.not_captured) {
        s->c.lost_before_tap += (uint64_t)(given_up.end - given_up.u);
        s->c.dropped_messages += given_up.ends_message;
        report_close(e, s, pkt, given_up.u, given_up.end, FLOW_HOLE_LOST, true);
    }
}

uint64_t hole_close(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                    struct holes *holes, struct hole *hole, int64_t u, int64_t end,
                    enum flow_hole_end as, bool certain)
{
    uint64_t event = report_close(e, s, pkt, u, end, as, certain);
    int64_t rest;

    if (hole->not_captured) {
        s->c.not_captured -= (uint64_t)(end - u);
    } else if (as == FLOW_HOLE_NOT_CAPTURED) {
        s->c.not_captured += (uint64_t)(end - u);
        hole->not_captured = true;
        holes->open--;
        return event; /* kept: it may still come late */
    }
    rest = hole->not_captured ? end : hole->end;
    if (!holes_cut(holes, hole, u, end, &e->arena) && rest > end)
        leave_open(e, s, end, rest, FLOW_HOLE_OPEN);
    return event;
}

void hole_forgive(struct flow_engine *e, struct stream *s, struct hole *hole)
{
    if (hole->not_captured)
        return;
    leave_open(e, s, hole->u, hole->end, FLOW_HOLE_OPEN);
    hole->not_captured = true;
}

void holes_finish(struct flow_engine *e, struct stream *s, struct holes *holes, int64_t acked,
                  enum flow_hole_end as)
{
    for (uint32_t i = 0; i < holes->count; i++) {
        struct hole *hole = &holes->list[i];
        int64_t covered = acked < hole->u ? hole->u : acked > hole->end ? hole->end : acked;

        if (hole->not_captured)
            continue;
        if (covered > hole->u) {
            s->c.not_captured += (uint64_t)(covered - hole->u);
            report_close(e, s, NULL, hole->u, covered, FLOW_HOLE_NOT_CAPTURED, true);
        }
        if (covered < hole->end) {
            s->c.lost_before_tap += (uint64_t)(hole->end - covered);
            s->c.dropped_messages += hole->ends_message;
            leave_open(e, s, covered, hole->end, as);
        }
        hole->not_captured = true;
    }
    holes->open = 0;
}

/* ------------------------------------------------------------------ copies */

void seen_first(struct seen *seen, const struct rdc_packet *pkt, int64_t u, uint8_t flags)
{
    history_set(seen, u, pkt->frame, pkt->time_ns, packet_print(pkt), packet_id(pkt), flags);
}

void seen_again(struct flow_engine *e, struct history *h, struct seen *seen,
                const struct rdc_packet *pkt)
{
    struct seen_more *more = history_add_more(h, seen, &e->arena);

    if (more != NULL) {
        more->frame = pkt->frame;
        more->time_ns = pkt->time_ns;
        more->print = packet_print(pkt);
        more->id = packet_id(pkt);
    }
    if (seen->copies < UINT8_MAX)
        seen->copies++;
    seen->flags |= SEEN_RESENT;
    seen->flags &= (uint8_t)~SEEN_REPEATED;
}

static bool exact(const struct seen_more *copy, const struct seen_more *now, bool by_id)
{
    int64_t age = now->time_ns - copy->time_ns;

    if (copy->print != now->print)
        return false;
    return by_id ? copy->id == now->id && age < ID_COPY_NS : age <= COPY_NS;
}

/* Whether an identification says which packet it is: where they count up. Of the first two packets
 * nothing shows that yet; the same one at another interface is the same packet there. */
static bool id_tells(const struct stream *s, const struct rdc_packet *pkt)
{
    return packet_has_id(pkt) && (stream_ids_count(s) || (s->c.packets == 2 && s->ids.steps == 0 &&
                                                          pkt->interface != s->interface));
}

uint64_t copied_frame(struct flow_engine *e, const struct stream *s, const struct rdc_packet *pkt,
                      const struct history *h, struct seen *seen, bool pending)
{
    struct seen_more now = {
        .time_ns = pkt->time_ns, .print = packet_print(pkt), .id = packet_id(pkt)};
    struct seen_more first = {
        .frame = seen->frame, .time_ns = seen->time_ns, .print = seen->print, .id = seen->id};
    const struct seen_more *copy = history_more(h, seen);
    bool by_id = id_tells(s, pkt);
    bool first_repeat = (seen->flags & SEEN_REPEATED) == 0;

    if (copy == NULL || !exact(copy, &now, by_id))
        copy = &first;
    if (!exact(copy, &now, by_id))
        return 0;
    if (by_id || !pending || (engine_captured_twice(e) && first_repeat)) {
        e->repeats += first_repeat;
        seen->flags |= SEEN_REPEATED;
        return copy->frame;
    }
    return 0;
}

void duplicate(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
               uint64_t original_frame)
{
    struct flow_event ev = {.kind = FLOW_DUPLICATE,
                            .psn = pkt->ib.bth.psn,
                            .original_frame = original_frame,
                            .certain = id_tells(s, pkt) || engine_captured_twice(e)};

    s->c.duplicates++;
    engine_event(e, &ev, s, pkt);
}

void late_original(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                   const struct hole *hole)
{
    struct flow_event ev = {.kind = FLOW_OUT_OF_ORDER, .psn = pkt->ib.bth.psn, .certain = true};

    if (hole != NULL && hole->frame != 0) {
        ev.late.packets = s->c.packets > hole->packets ? s->c.packets - hole->packets : 0;
        ev.late.ns = pkt->time_ns - hole->time_ns;
    }
    s->c.out_of_order++;
    engine_event(e, &ev, s, pkt);
}

/* ------------------------------------------------------------------ path MTU */

void stream_pmtu(struct flow_engine *e, struct stream *s, uint32_t pmtu)
{
    struct stream *peer = stream_peer(e, s);

    if (s->pmtu != 0)
        return;
    s->pmtu = pmtu;
    psns_pmtu_known(s);
    if (peer != NULL && peer->pmtu == 0) {
        peer->pmtu = pmtu;
        psns_pmtu_known(peer);
    }
}
