/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * iWARP in the packet's tree: the FPDUs that a TCP segment completes, and events of its connection.
 */
#include "plugin/tree.h"
#include "rdc/iwarp.h"

/* ------------------------------------------------------------------ FPDUs */

static const char *crc_name(uint8_t crc)
{
    static const char *const names[] = {
        [FPDU_CRC_OK] = "ok",
        [FPDU_CRC_BAD] = "bad",
        [FPDU_CRC_ZERO] = "not checked: zero",
        [FPDU_CRC_UNSEEN] = "not checked: truncated",
        [FPDU_CRC_OFF] = "off",
    };

    return crc < G_N_ELEMENTS(names) ? names[crc] : NULL;
}

static void show_ddp(struct tree *t, const struct frame_fpdu *f)
{
    tree_uint(t, FIELD_RDMAP_OPCODE, f->opcode);
    tree_bool(t, FIELD_DDP_TAGGED, f->tagged);
    tree_bool(t, FIELD_DDP_LAST, f->last);
    if (f->tagged) {
        tree_uint(t, FIELD_DDP_STAG, f->stag);
        tree_uint64(t, FIELD_DDP_TO, f->to);
    } else {
        tree_uint(t, FIELD_DDP_QN, f->qn);
        tree_uint(t, FIELD_DDP_MSN, f->msn);
        tree_uint(t, FIELD_DDP_MO, f->mo);
    }
}

static void show_fpdu(struct tree *t, const struct frame_fpdu *f)
{
    struct tree sub =
        tree_below(t, tree_text(t, FIELD_FPDU, f->ddp_set ? rdc_rdmap_name(f->opcode) : NULL));

    tree_uint(&sub, FIELD_FPDU_SEQ, f->tcp_seq);
    tree_uint(&sub, FIELD_FPDU_LENGTH, f->length);
    tree_text(&sub, FIELD_FPDU_CRC, crc_name(f->crc));
    tree_uint(&sub, FIELD_FPDU_MARKERS, f->markers);
    if (f->payload_known)
        tree_uint(&sub, FIELD_FPDU_PAYLOAD, f->payload_size);
    if (f->ddp_set)
        show_ddp(&sub, f);
}

void tree_iwarp(struct tree *t)
{
    const struct frame_verdict *verdict = t->p->verdict;
    const struct frame_fpdu *f;
    uint64_t cursor = 0;

    if (verdict != NULL && verdict->has_rtt)
        tree_time(t, FIELD_RTT, frame_rtt_ns(verdict));
    while ((f = verdicts_fpdu(t->p->verdicts, (uint32_t)t->p->pkt->frame, &cursor)) != NULL)
        show_fpdu(t, f);
}

/* ------------------------------------------------------------------ events */

static proto_item *resent(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_mark(t, FIELD_TCP_RESENT);
    struct tree sub = tree_below(t, item);

    tree_link(&sub, FIELD_TCP_RESENT_OF, e->original_frame);
    return item;
}

static proto_item *start(struct tree *t, const struct flow_mpa *mpa)
{
    static const char *const names[] = {[FLOW_MPA_REQUEST] = "request",
                                        [FLOW_MPA_REPLY] = "reply",
                                        [FLOW_MPA_INFERRED] = "inferred"};
    proto_item *item =
        tree_text(t, FIELD_MPA, mpa->frame < G_N_ELEMENTS(names) ? names[mpa->frame] : NULL);
    struct tree sub = tree_below(t, item);

    if (mpa->frame == FLOW_MPA_INFERRED)
        return item;
    tree_bool(&sub, FIELD_MPA_MARKERS, mpa->markers);
    tree_bool(&sub, FIELD_MPA_CRC, mpa->crc);
    tree_bool(&sub, FIELD_MPA_REJECT, mpa->reject);
    tree_uint(&sub, FIELD_MPA_REVISION, mpa->revision);
    tree_uint(&sub, FIELD_MPA_PRIVATE, mpa->private_bytes);
    if (mpa->enhanced) {
        tree_uint(&sub, FIELD_MPA_IRD, mpa->ird);
        tree_uint(&sub, FIELD_MPA_ORD, mpa->ord);
    }
    return item;
}

static proto_item *missing_messages(struct tree *t, const struct flow_event *e)
{
    proto_item *item = tree_uint(t, FIELD_MSN_GAP, e->psn);
    struct tree sub = tree_below(t, item);

    tree_uint(&sub, FIELD_MSN_GAP_COUNT, e->count);
    return item;
}

static proto_item *terminate(struct tree *t, const struct flow_event *e)
{
    const struct flow_terminate *why = &e->terminate;
    proto_item *item;
    struct tree sub;

    if (!e->certain)
        return tree_text(t, FIELD_TERMINATE, NULL);
    item = tree_text(t, FIELD_TERMINATE, rdc_terminate_code_text(why->layer, why->type, why->code));
    sub = tree_below(t, item);
    tree_text(&sub, FIELD_TERMINATE_LAYER, rdc_terminate_layer_name(why->layer));
    return item;
}

proto_item *tree_iwarp_event(struct tree *t, const struct flow_event *e)
{
    switch (e->kind) {
    case FLOW_TCP_RETRANSMISSION:
        return resent(t, e);
    case FLOW_TCP_OUT_OF_ORDER:
        return tree_mark(t, FIELD_TCP_LATE);
    case FLOW_TCP_GAP:
        return tree_uint64(t, FIELD_TCP_GAP, e->gap_bytes);
    case FLOW_ZERO_WINDOW:
        return tree_time(t, FIELD_ZERO_WINDOW, (int64_t)e->timer_ns);
    case FLOW_MPA:
        return start(t, &e->mpa);
    case FLOW_FRAMING:
        return tree_text(t, FIELD_FRAMING, e->code != 0 ? "found" : "lost");
    case FLOW_CRC_BAD:
        return tree_mark(t, FIELD_CRC_BAD);
    case FLOW_MSN_GAP:
        return missing_messages(t, e);
    case FLOW_TERMINATE:
        return terminate(t, e);
    default:
        return NULL;
    }
}
