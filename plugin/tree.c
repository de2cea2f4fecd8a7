/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The packet's tree: who it belongs to, what it links to, its headers. Its events are another
 * file's work (tree_events.c).
 */
#include "plugin/tree.h"

#include "rdc/note.h"

/* ------------------------------------------------------------------ adding fields */

static proto_item *done(proto_item *item)
{
    proto_item_set_generated(item);
    return item;
}

proto_item *tree_uint(struct tree *t, enum field field, uint32_t value)
{
    return done(proto_tree_add_uint(t->tree, field_ids[field], t->tvb, 0, 0, value));
}

proto_item *tree_uint64(struct tree *t, enum field field, uint64_t value)
{
    return done(proto_tree_add_uint64(t->tree, field_ids[field], t->tvb, 0, 0, value));
}

proto_item *tree_bool(struct tree *t, enum field field, bool value)
{
    return done(proto_tree_add_boolean(t->tree, field_ids[field], t->tvb, 0, 0, value));
}

proto_item *tree_text(struct tree *t, enum field field, const char *value)
{
    return done(proto_tree_add_string(t->tree, field_ids[field], t->tvb, 0, 0,
                                      value != NULL ? value : "unknown"));
}

proto_item *tree_time(struct tree *t, enum field field, int64_t ns)
{
    nstime_t time = {(time_t)(ns / 1000000000), (int)(ns % 1000000000)};

    return done(proto_tree_add_time(t->tree, field_ids[field], t->tvb, 0, 0, &time));
}

proto_item *tree_mark(struct tree *t, enum field field)
{
    return done(proto_tree_add_item(t->tree, field_ids[field], t->tvb, 0, 0, ENC_NA));
}

void tree_link(struct tree *t, enum field field, uint64_t frame)
{
    if (frame != 0)
        tree_uint(t, field, (uint32_t)frame);
}

struct tree tree_below(const struct tree *t, proto_item *item)
{
    struct tree sub = *t;

    sub.tree = proto_item_add_subtree(item, tree_ids[1]);
    return sub;
}

/* ------------------------------------------------------------------ identity */

static void show_identity(struct tree *t)
{
    const struct shown_packet *p = t->p;
    struct flow_stream_pairing pairing;

    if (p->has_connection) {
        tree_uint(t, FIELD_CONNECTION, p->connection.id);
        tree_text(t, FIELD_DIRECTION, p->connection.a_to_b ? "a_to_b" : "b_to_a");
    }
    if (p->stream == FLOW_NO_STREAM)
        return;
    tree_uint(t, FIELD_STREAM, verdicts_stream_number(p->verdicts, p->stream));
    if (flow_stream_pairing_get(verdicts_engine(p->verdicts), p->stream, &pairing) &&
        pairing.paired_by != FLOW_UNPAIRED && (p->revisited || pairing.paired_by == FLOW_PAIRED_CM))
        tree_text(t, FIELD_PAIRED_BY, flow_pairing_name(pairing.paired_by));
}

/* Both values of rdmapcap.qpn are for filters only. */
static void hidden_qpn(struct tree *t, uint32_t qpn)
{
    proto_item_set_hidden(tree_uint(t, FIELD_QPN, qpn));
}

/* QPN of the sender: told by the packet, or by its connection */
static void show_source(struct tree *t)
{
    const struct rdc_ib_packet *ib = &t->p->pkt->ib;
    uint32_t qpn = ib->ext.deth.src_qpn;
    bool in_packet = (ib->ext.present & RDC_EXT_DETH) != 0;

    if (!in_packet && !flow_stream_source(verdicts_engine(t->p->verdicts), t->p->stream, &qpn))
        return;
    if (!in_packet && !t->p->has_connection)
        return;
    tree_uint(t, FIELD_SRC_QPN, qpn);
    hidden_qpn(t, qpn);
}

/* ------------------------------------------------------------------ headers */

static const char *check_name(uint8_t check)
{
    static const char *const names[] = {
        [RDC_CHECK_ABSENT] = "absent",
        [RDC_CHECK_OK] = "ok",
        [RDC_CHECK_BAD] = "bad",
        [RDC_CHECK_TRUNCATED] = "not checked: truncated",
        [RDC_CHECK_FRAGMENT] = "not checked: fragment",
        [RDC_CHECK_SKIPPED] = "not checked",
    };

    return check < G_N_ELEMENTS(names) ? names[check] : "unknown";
}

static void show_bth(struct tree *t)
{
    const struct rdc_ib_packet *ib = &t->p->pkt->ib;
    const struct rdc_opcode_info *op = &rdc_opcode_table[ib->bth.opcode];

    tree_text(t, FIELD_SERVICE, rdc_service_name(op->service));
    tree_uint(t, FIELD_OPCODE, ib->bth.opcode);
    tree_text(t, FIELD_OPCODE_NAME, op->name);
    if (op->operation != RDC_OP_NONE)
        tree_text(t, FIELD_OPERATION, rdc_operation_name(op->operation));
    tree_uint(t, FIELD_DEST_QPN, ib->bth.dest_qpn);
    hidden_qpn(t, ib->bth.dest_qpn);
    show_source(t);
    tree_uint(t, FIELD_PSN, ib->bth.psn);
    if (t->p->verdict != NULL && t->p->verdict->psn_expected)
        tree_uint(t, FIELD_EXPECTED_PSN, t->p->verdict->expected_psn);
    tree_bool(t, FIELD_ACK_REQ, ib->bth.ack_req);
    tree_bool(t, FIELD_FECN, ib->bth.fecn);
    tree_bool(t, FIELD_BECN, ib->bth.becn);
    tree_uint(t, FIELD_PAYLOAD, ib->payload_size);
    tree_text(t, FIELD_ICRC, check_name(ib->icrc_check));
    if (ib->vcrc_check != RDC_CHECK_ABSENT)
        tree_text(t, FIELD_VCRC, check_name(ib->vcrc_check));
}

static void show_aeth(struct tree *t, const struct rdc_aeth *aeth)
{
    static const char *const kinds[] = {[RDC_AETH_ACK] = "ack",
                                        [RDC_AETH_RNR_NAK] = "rnr_nak",
                                        [RDC_AETH_NAK] = "nak",
                                        [RDC_AETH_RESERVED] = "reserved"};

    tree_text(t, FIELD_AETH, aeth->kind < G_N_ELEMENTS(kinds) ? kinds[aeth->kind] : NULL);
    tree_uint(t, FIELD_MSN, aeth->msn);
    if (aeth->kind == RDC_AETH_ACK && aeth->value != RDC_CREDITS_INVALID)
        tree_uint(t, FIELD_CREDITS, rdc_aeth_credits(aeth->value));
}

static void show_atomic(struct tree *t, const struct rdc_exts *ext)
{
    if ((ext->present & RDC_EXT_ATOMIC_ETH) != 0) {
        tree_uint64(t, FIELD_ATOMIC_VA, ext->atomic_eth.va);
        tree_uint64(t, FIELD_SWAP_ADD, ext->atomic_eth.swap_add);
        tree_uint64(t, FIELD_COMPARE, ext->atomic_eth.compare);
    }
    if ((ext->present & RDC_EXT_ATOMIC_ACK_ETH) != 0)
        tree_uint64(t, FIELD_ORIGINAL, ext->atomic_ack_original);
}

static void show_headers(struct tree *t)
{
    const struct rdc_exts *ext = &t->p->pkt->ib.ext;

    if ((ext->present & RDC_EXT_RDETH) != 0)
        tree_uint(t, FIELD_EE, ext->rdeth_ee);
    if ((ext->present & RDC_EXT_DETH) != 0)
        tree_uint(t, FIELD_QKEY, ext->deth.qkey);
    if ((ext->present & RDC_EXT_XRCETH) != 0)
        tree_uint(t, FIELD_SRQ, ext->xrceth_srq);
    if ((ext->present & RDC_EXT_FETH) != 0) {
        tree_uint(t, FIELD_FLUSH_PLT, ext->feth.plt);
        tree_uint(t, FIELD_FLUSH_SEL, ext->feth.sel);
    }
    if ((ext->present & RDC_EXT_RETH) != 0) {
        tree_uint64(t, FIELD_VA, ext->reth.va);
        tree_uint(t, FIELD_RKEY, ext->reth.rkey);
        tree_uint(t, FIELD_DMA_LENGTH, ext->reth.length);
    }
    show_atomic(t, ext);
    if ((ext->present & RDC_EXT_AETH) != 0)
        show_aeth(t, &ext->aeth);
    if ((ext->present & RDC_EXT_IMM) != 0)
        tree_uint(t, FIELD_IMM, ext->imm);
    if ((ext->present & RDC_EXT_IETH) != 0)
        tree_uint(t, FIELD_INVALIDATE, ext->ieth_rkey);
}

/* ------------------------------------------------------------------ links */

/* What a response is to the request that it names */
static enum field link_of_response(const struct rdc_ib_packet *ib)
{
    if (rdc_opcode_table[ib->bth.opcode].operation != RDC_OP_ACKNOWLEDGE)
        return FIELD_REQUEST_IN;
    if ((ib->ext.present & RDC_EXT_AETH) != 0 && ib->ext.aeth.kind != RDC_AETH_ACK)
        return FIELD_REFUSES_FRAME;
    return FIELD_ACKS_FRAME;
}

static void show_links(struct tree *t)
{
    const struct frame_verdict *f = t->p->verdict;
    const struct frame_verdict *first;
    uint8_t operation;

    if (f == NULL || f->stream == 0 || t->p->pkt->kind != RDC_KIND_BTH)
        return;
    operation = rdc_opcode_table[t->p->pkt->ib.bth.opcode].operation;
    if (f->message != 0) {
        first = verdicts_frame(t->p->verdicts, f->message_first);
        tree_uint(t, FIELD_MESSAGE, f->message);
        tree_link(t, FIELD_MESSAGE_FIRST, f->message_first);
        tree_link(t, FIELD_MESSAGE_LAST, first != NULL ? first->message_last : 0);
    }
    if (!f->psn_expected)
        tree_link(t, link_of_response(&t->p->pkt->ib), f->request);
    tree_link(t, answered_by_data(operation) ? FIELD_RESPONSE_IN : FIELD_ACKED_IN, f->answer);
    tree_link(t, operation == RDC_OP_ACKNOWLEDGE ? FIELD_ROUND_FRAME : FIELD_RETRANSMITTED_IN,
              f->resent_in);
    if (f->has_rtt)
        tree_time(t, FIELD_RTT, frame_rtt_ns(f));
    if (f->psn_expected && f->outstanding_psns != 0) {
        tree_uint(t, FIELD_OUTSTANDING, f->outstanding_psns);
        tree_uint(t, FIELD_OUTSTANDING_BYTES, f->outstanding_bytes);
    }
}

static void show_notes(struct tree *t)
{
    const struct rdc_packet *pkt = t->p->pkt;

    for (int i = 0; i < RDC_NOTE_COUNT; i++)
        if ((pkt->notes >> i & 1) != 0)
            tree_text(t, FIELD_NOTE, rdc_note_table[i].id);
    if (pkt->refusal != RDC_REFUSAL_NONE)
        tree_text(t, FIELD_REFUSED, rdc_refusal_text(pkt->refusal));
}

/* ------------------------------------------------------------------ all of it */

void tree_show(proto_tree *tree, tvbuff_t *tvb, packet_info *pinfo, const struct shown_packet *p)
{
    proto_item *item = proto_tree_add_item(tree, rdmapcap_protocol, tvb, 0, 0, ENC_NA);
    struct tree t = {proto_item_add_subtree(item, tree_ids[0]), tvb, pinfo, p};

    proto_item_set_generated(item);
    if (p->has_connection)
        proto_item_append_text(item, ", connection %u %s", p->connection.id,
                               p->connection.a_to_b ? "a>b" : "b>a");
    tree_events(&t, item);
    expert_notes(pinfo, item, p->pkt);
    if (tree == NULL)
        return;
    show_identity(&t);
    if (p->stream != FLOW_NO_STREAM && flow_stream_is_iwarp(p->stream))
        tree_text(&t, FIELD_TRANSPORT, rdc_transport_name(RDC_TRANSPORT_IWARP));
    else if (p->pkt->transport != RDC_TRANSPORT_NONE)
        tree_text(&t, FIELD_TRANSPORT, rdc_transport_name(p->pkt->transport));
    show_links(&t);
    if (p->pkt->kind == RDC_KIND_BTH) {
        show_bth(&t);
        show_headers(&t);
    } else if (p->pkt->kind == RDC_KIND_TCP) {
        tree_iwarp(&t);
    }
    show_notes(&t);
}
