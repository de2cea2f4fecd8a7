/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The packet's events in its tree: one item each, whose text is the command line's sentence, with
 * the values below it.
 */
#include "plugin/sentence.h"
#include "plugin/tree.h"
#include "rdc/cm.h"

static proto_item *resend(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_mark(t, FIELD_RETRANSMISSION);
    struct tree sub = tree_below(t, item);
    struct resend_facts facts = resend_facts(t->p, e);

    tree_link(&sub, FIELD_RETRANSMISSION_OF, e->original_frame);
    if (facts.trigger_known)
        tree_text(&sub, FIELD_TRIGGER, flow_trigger_name(facts.trigger));
    tree_link(&sub, FIELD_TRIGGER_FRAME, facts.trigger_frame);
    if (e->round != 0)
        tree_uint(&sub, FIELD_ROUND, e->round);
    if (facts.spurious_known)
        tree_bool(&sub, FIELD_SPURIOUS, facts.spurious);
    if (facts.certain_known)
        tree_bool(&sub, FIELD_CERTAIN, facts.certain);
    return item;
}

static proto_item *gap(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_mark(t, FIELD_GAP);
    struct tree sub = tree_below(t, item);

    tree_uint(&sub, FIELD_GAP_FIRST, e->psn);
    tree_uint(&sub, FIELD_GAP_COUNT, e->count);
    return item;
}

static proto_item *late(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_mark(t, FIELD_OUT_OF_ORDER);
    struct tree sub = tree_below(t, item);

    if (e->late.packets != 0) {
        tree_uint64(&sub, FIELD_LATE_PACKETS, e->late.packets);
        tree_time(&sub, FIELD_LATE_TIME, e->late.ns);
    }
    return item;
}

static proto_item *duplicate(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_mark(t, FIELD_DUPLICATE);
    struct tree sub = tree_below(t, item);

    tree_link(&sub, FIELD_DUPLICATE_OF, e->original_frame);
    return item;
}

static proto_item *hole(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_text(t, FIELD_HOLE_CLOSED, flow_hole_end_name(e->as));
    struct tree sub = tree_below(t, item);

    tree_uint(&sub, FIELD_HOLE_FIRST, e->psn);
    tree_uint(&sub, FIELD_HOLE_COUNT, e->count);
    return item;
}

static void pause_timer(struct tree *t, uint16_t quanta)
{
    tree_uint(t, FIELD_PAUSE_QUANTA, quanta);
    if (preferences.link_rate_gbps != 0)
        tree_time(t, FIELD_PAUSE_TIME,
                  ((int64_t)quanta * 512 + preferences.link_rate_gbps / 2) /
                      (int64_t)preferences.link_rate_gbps);
}

static proto_item *pause_frame(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_text(t, FIELD_PAUSE, e->pause.pfc ? "pfc" : "pause");
    struct tree sub = tree_below(t, item);

    proto_item_set_generated(proto_tree_add_ether(sub.tree, field_ids[FIELD_PAUSE_SOURCE], t->tvb,
                                                  0, 0, e->pause.source));
    if (!e->pause.pfc)
        pause_timer(&sub, e->pause.quanta[0]);
    for (uint32_t i = 0; e->pause.pfc && i < 8; i++) {
        if ((e->pause.enabled >> i & 1) == 0)
            continue;
        tree_uint(&sub, FIELD_PAUSE_PRIORITY, i);
        pause_timer(&sub, e->pause.quanta[i]);
    }
    return item;
}

/* A CNP travels in the stream towards the sender that it slows down. */
static proto_item *notification(struct tree *t)
{
    proto_item *item = tree_mark(t, FIELD_CNP);
    struct tree sub = tree_below(t, item);

    if (t->p->has_connection)
        tree_text(&sub, FIELD_CNP_THROTTLES, t->p->connection.a_to_b ? "b_to_a" : "a_to_b");
    return item;
}

static proto_item *given_up(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_text(t, FIELD_RETRY_EXHAUSTED, e->code != 0 ? "rnr" : "timeout");
    struct tree sub = tree_below(t, item);

    tree_uint(&sub, FIELD_RETRY_TRIES, e->count);
    return item;
}

static proto_item *add(struct tree *t, const struct flow_event *e)
{
    switch ((enum flow_event_kind)e->kind) {
    case FLOW_GAP:
        return gap(t, e);
    case FLOW_RETRANSMISSION:
        return resend(t, e);
    case FLOW_OUT_OF_ORDER:
        return late(t, e);
    case FLOW_DUPLICATE:
        return duplicate(t, e);
    case FLOW_HOLE_CLOSED:
        return hole(t, e);
    case FLOW_NAK:
        return tree_text(t, FIELD_NAK, rdc_nak_name(e->code));
    case FLOW_RNR_NAK:
        return tree_time(t, FIELD_RNR_NAK, (int64_t)e->timer_ns);
    case FLOW_ACKED_UNSEEN:
        return tree_mark(t, FIELD_ACKED_UNSEEN);
    case FLOW_ACKED_EARLY:
        return tree_mark(t, FIELD_ACKED_EARLY);
    case FLOW_CE:
        return tree_mark(t, FIELD_CE);
    case FLOW_CNP:
        return notification(t);
    case FLOW_PAUSE:
        return pause_frame(t, e);
    case FLOW_ICRC_BAD:
        return tree_mark(t, FIELD_ICRC_BAD);
    case FLOW_CM:
        return tree_text(t, FIELD_CM, rdc_cm_message_name(e->code));
    case FLOW_TEARDOWN:
        return tree_mark(t, FIELD_TEARDOWN);
    case FLOW_RETRY_EXHAUSTED:
        return given_up(t, e);
    case FLOW_TCP_RETRANSMISSION:
    case FLOW_TCP_OUT_OF_ORDER:
    case FLOW_TCP_GAP:
    case FLOW_ZERO_WINDOW:
    case FLOW_MPA:
    case FLOW_FRAMING:
    case FLOW_CRC_BAD:
    case FLOW_MSN_GAP:
    case FLOW_TERMINATE:
        return tree_iwarp_event(t, e);
    case FLOW_EVENT_KIND_COUNT:
        break;
    }
    return NULL;
}

/* Whether the sentence says more than the field's title */
static bool has_details(uint8_t kind)
{
    return kind != FLOW_CE && kind != FLOW_CNP && kind != FLOW_TEARDOWN && kind != FLOW_CM;
}

void tree_events(struct tree *t, proto_item *top)
{
    const struct flow_event *e;
    uint64_t cursor = 0;

    while ((e = verdicts_event(t->p->verdicts, (uint32_t)t->p->pkt->frame, &cursor)) != NULL) {
        proto_item *item = NULL;

        if (t->tree != NULL) {
            tree_text(t, FIELD_VERDICT, flow_event_name(e->kind));
            item = add(t, e);
            if (has_details(e->kind))
                proto_item_append_text(item, ": %s", sentence_of(t->pinfo->pool, t->p, e));
            proto_item_append_text(top, ", %s", flow_event_name(e->kind));
        }
        expert_event(t->pinfo, item != NULL ? item : top, t->p, e);
    }
}
