/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A packet as one aligned line for people, in the manner of tcpdump:
 *
 *    12   0.000104000 10.0.0.1 > 10.0.0.2 rocev2 RC_RDMA_WRITE_FIRST qp 0x000011 psn 12 len 1024
 */
#include "render/packet_record.h"

#include <glib.h>

#include "render/address.h"
#include "render/packet_iwarp.h"
#include "render/protocol.h"
#include "render/safe.h"
#include "render/units.h"

enum {
    TIME_WIDTH = 13, /* 999.999999999 */
    TRANSPORT_WIDTH = 7,
    MIN_FRAME_WIDTH = 6,
    MIN_ADDRESSES_WIDTH = 21, /* 10.0.0.1 > 10.0.0.2, and a bit */
    MIN_OPCODE_WIDTH = 28,    /* RC_RDMA_READ_RESPONSE_MIDDLE */
    MAX_COLUMN = 100,         /* a wider column stays ragged */
    ECN_CE = 3,
    PRIORITIES = 8,
};

static const char *line_color(const struct rdc_packet *p);
static void put_frame(struct buffer *out, const struct packet_record *r, struct packet_layout *l);
static void put_addresses(struct buffer *out, const struct rdc_packet *p, struct packet_layout *l);
static void put_what(struct buffer *out, const struct packet_record *r, struct packet_layout *l);
static void put_ib(struct buffer *out, const struct rdc_packet *p, struct packet_layout *l);
static void put_tcp(struct buffer *out, const struct packet_record *r);
static void put_management(struct buffer *out, const struct packet_record *r);
static void put_exts(struct buffer *out, const struct rdc_exts *ext);
static void put_aeth(struct buffer *out, const struct rdc_aeth *aeth);
static void put_marks(struct buffer *out, const struct rdc_packet *p);
static void put_pause(struct buffer *out, const struct rdc_pause *pause);

void packet_line(struct buffer *out, const struct packet_record *r, struct packet_layout *layout)
{
    const char *color = layout->color ? line_color(&r->pkt) : NULL;

    if (color != NULL)
        buffer_string(out, color);
    put_frame(out, r, layout);
    put_addresses(out, &r->pkt, layout);
    put_what(out, r, layout);
    put_marks(out, &r->pkt);
    buffer_string(out, color != NULL ? "\033[0m\n" : "\n");
}

static const char *line_color(const struct rdc_packet *p)
{
    if (p->kind == RDC_KIND_PAUSE)
        return "\033[35m";
    if (p->kind != RDC_KIND_BTH)
        return NULL;
    if (p->ib.icrc_check == RDC_CHECK_BAD ||
        ((p->ib.ext.present & RDC_EXT_AETH) != 0 && p->ib.ext.aeth.kind != RDC_AETH_ACK))
        return "\033[31m";
    if (p->ib.bth.becn || p->ib.bth.fecn || p->ip.ecn == ECN_CE)
        return "\033[33m";
    return NULL;
}

/* Pads what was written since `start` to `width`, in front when `right`; the column grows to it */
static void align(struct buffer *out, struct buffer *cell, size_t *width, bool right)
{
    size_t pad;

    if (cell->used > *width && cell->used <= MAX_COLUMN)
        *width = cell->used;
    pad = *width > cell->used ? *width - cell->used : 0;
    if (right)
        buffer_spaces(out, pad);
    if (cell->used > 0)
        buffer_bytes(out, cell->data, cell->used);
    if (!right)
        buffer_spaces(out, pad);
    buffer_char(out, ' ');
    buffer_done(cell);
}

static void put_frame(struct buffer *out, const struct packet_record *r, struct packet_layout *l)
{
    struct buffer cell = {0};
    size_t time_width = TIME_WIDTH;

    l->frame = MAX(l->frame, MIN_FRAME_WIDTH);
    if (r->file != NULL) {
        safe_text(&cell, r->file);
        buffer_char(&cell, ':');
    }
    buffer_uint(&cell, r->pkt.frame);
    align(out, &cell, &l->frame, true);
    if (r->untimed)
        buffer_char(&cell, '-');
    else
        units_seconds(&cell, r->rel_ns);
    align(out, &cell, &time_width, true);
}

static void put_addresses(struct buffer *out, const struct rdc_packet *p, struct packet_layout *l)
{
    struct buffer cell = {0};

    l->addresses = MAX(l->addresses, MIN_ADDRESSES_WIDTH);
    if (p->address_kind != RDC_ADDRESS_NONE) {
        address_text(&cell, p->address_kind, p->src);
        buffer_string(&cell, " > ");
        address_text(&cell, p->address_kind, p->dst);
    } else if (p->has_mac) {
        address_mac(&cell, p->src_mac);
        if ((p->layers & (1 << RDC_LAYER_SLL | 1 << RDC_LAYER_SLL2)) == 0) {
            buffer_string(&cell, " > ");
            address_mac(&cell, p->dst_mac);
        }
    }
    align(out, &cell, &l->addresses, false);
}

static void put_what(struct buffer *out, const struct packet_record *r, struct packet_layout *l)
{
    const struct rdc_packet *p = &r->pkt;
    struct buffer cell = {0};
    const char *transport = rdc_transport_name(r->iwarp ? RDC_TRANSPORT_IWARP : p->transport);
    size_t width = TRANSPORT_WIDTH;

    buffer_string(&cell, transport != NULL ? transport : "-");
    align(out, &cell, &width, false);
    switch ((enum rdc_kind)p->kind) {
    case RDC_KIND_BTH:
        put_ib(out, p, l);
        put_management(out, r);
        return;
    case RDC_KIND_PAUSE:
        put_pause(out, &p->pause);
        return;
    case RDC_KIND_FLOW_CONTROL:
        buffer_printf(out, "flow control %s vl %u fctbs %u fccl %u",
                      p->flow_control.op == 1 ? "init" : "normal", p->flow_control.vl,
                      p->flow_control.fctbs, p->flow_control.fccl);
        return;
    case RDC_KIND_RAW:
        buffer_printf(out, "raw packet, lnh %u, length %u", p->lrh.lnh, p->wire_size);
        return;
    case RDC_KIND_TCP:
        put_tcp(out, r);
        return;
    case RDC_KIND_OTHER:
        buffer_string(out, protocol_name(p));
        if (p->src_port != 0 || p->dst_port != 0)
            buffer_printf(out, " %u > %u", p->src_port, p->dst_port);
        buffer_printf(out, ", %u bytes", p->wire_size);
        if (p->refusal != RDC_REFUSAL_NONE)
            buffer_printf(out, ", refused: %s", rdc_refusal_text(p->refusal));
        return;
    }
}

/* Flags as tcpdump writes them: [S.] is SYN and ACK */
static void put_tcp(struct buffer *out, const struct packet_record *r)
{
    static const char letters[] = "FSRP.UEW";
    const struct rdc_packet *p = &r->pkt;

    buffer_printf(out, "TCP %u > %u [", p->src_port, p->dst_port);
    for (unsigned i = 0; i < sizeof(letters) - 1; i++)
        if ((p->tcp.flags >> i & 1) != 0)
            buffer_char(out, letters[i]);
    buffer_printf(out, "] seq %u len %u", p->tcp.seq, p->tcp.payload_size);
    packet_iwarp_text(out, r);
}

static void put_hex(struct buffer *out, const char *label, uint64_t value, unsigned digits)
{
    buffer_string(out, label);
    buffer_string(out, "0x");
    buffer_hex(out, value, digits);
}

static void put_uint(struct buffer *out, const char *label, uint64_t value)
{
    buffer_string(out, label);
    buffer_uint(out, value);
}

static void put_ib(struct buffer *out, const struct rdc_packet *p, struct packet_layout *l)
{
    const struct rdc_ib_packet *ib = &p->ib;
    struct buffer cell = {0};

    l->opcode = MAX(l->opcode, MIN_OPCODE_WIDTH);
    buffer_string(&cell, rdc_opcode_table[ib->bth.opcode].name);
    align(out, &cell, &l->opcode, false);
    put_hex(out, "qp ", ib->bth.dest_qpn, 6);
    if (rdc_opcode_table[ib->bth.opcode].service != RDC_SERVICE_CNP)
        put_uint(out, " psn ", ib->bth.psn);
    if (rdc_opcode_table[ib->bth.opcode].payload &&
        rdc_opcode_table[ib->bth.opcode].service != RDC_SERVICE_CNP)
        put_uint(out, " len ", ib->payload_size);
    put_exts(out, &ib->ext);
}

static void put_management(struct buffer *out, const struct packet_record *r)
{
    if (packet_record_has(r, GROUP_CM)) {
        buffer_printf(out, " CM %s", rdc_cm_message_name(r->cm.message));
        if (rdc_cm_has(&r->cm, RDC_CM_HAS_LOCAL_QPN))
            buffer_printf(out, " local qp 0x%06x", r->cm.local_qpn);
        if (rdc_cm_has(&r->cm, RDC_CM_HAS_STARTING_PSN))
            buffer_printf(out, " starting psn %u", r->cm.starting_psn);
        if (r->cm.message == RDC_CM_REJ && rdc_cm_has(&r->cm, RDC_CM_HAS_REASON))
            buffer_printf(out, " reason: %s", rdc_cm_reason_text(r->cm.reason));
    } else if (packet_record_has(r, GROUP_MAD)) {
        buffer_printf(out, " MAD %s %s %s", rdc_mad_class_name(r->mad.mgmt_class),
                      rdc_mad_method_name(r->mad.mgmt_class, r->mad.method),
                      rdc_mad_attribute_name(r->mad.mgmt_class, r->mad.attribute_id));
    }
}

static void put_exts(struct buffer *out, const struct rdc_exts *ext)
{
    if ((ext->present & RDC_EXT_RDETH) != 0)
        put_uint(out, " ee ", ext->rdeth_ee);
    if ((ext->present & RDC_EXT_DETH) != 0)
        put_hex(out, " from qp ", ext->deth.src_qpn, 6);
    if ((ext->present & RDC_EXT_XRCETH) != 0)
        put_hex(out, " srq ", ext->xrceth_srq, 6);
    if ((ext->present & RDC_EXT_FETH) != 0)
        buffer_printf(out, " plt %u sel %u", ext->feth.plt, ext->feth.sel);
    if ((ext->present & RDC_EXT_RETH) != 0) {
        put_hex(out, " va ", ext->reth.va, 16);
        put_hex(out, " rkey ", ext->reth.rkey, 8);
        put_uint(out, " dmalen ", ext->reth.length);
    }
    if ((ext->present & RDC_EXT_ATOMIC_ETH) != 0) {
        put_hex(out, " va ", ext->atomic_eth.va, 16);
        put_hex(out, " rkey ", ext->atomic_eth.rkey, 8);
        put_hex(out, " swap/add ", ext->atomic_eth.swap_add, 1);
        put_hex(out, " compare ", ext->atomic_eth.compare, 1);
    }
    if ((ext->present & RDC_EXT_AETH) != 0)
        put_aeth(out, &ext->aeth);
    if ((ext->present & RDC_EXT_ATOMIC_ACK_ETH) != 0)
        put_hex(out, " original ", ext->atomic_ack_original, 1);
    if ((ext->present & RDC_EXT_IMM) != 0)
        put_hex(out, " imm ", ext->imm, 8);
    if ((ext->present & RDC_EXT_IETH) != 0)
        put_hex(out, " invalidate rkey ", ext->ieth_rkey, 8);
}

static void put_aeth(struct buffer *out, const struct rdc_aeth *aeth)
{
    static const char *const naks[] = {
        [RDC_NAK_SEQUENCE] = "PSN sequence error",
        [RDC_NAK_INVALID_REQUEST] = "invalid request",
        [RDC_NAK_REMOTE_ACCESS] = "remote access error",
        [RDC_NAK_REMOTE_OPERATIONAL] = "remote operational error",
        [RDC_NAK_INVALID_RD_REQUEST] = "invalid RD request",
    };

    switch ((enum rdc_aeth_kind)aeth->kind) {
    case RDC_AETH_ACK:
        put_uint(out, " ack msn ", aeth->msn);
        if (aeth->value != RDC_CREDITS_INVALID)
            put_uint(out, " credits ", rdc_aeth_credits(aeth->value));
        return;
    case RDC_AETH_RNR_NAK:
        buffer_string(out, " RNR NAK, timer ");
        units_duration(out, (int64_t)rdc_rnr_timer_ns(aeth->value));
        break;
    case RDC_AETH_NAK:
        buffer_string(out, " NAK, ");
        buffer_string(out, aeth->value < G_N_ELEMENTS(naks) ? naks[aeth->value] : "reserved code");
        break;
    case RDC_AETH_RESERVED:
        put_hex(out, " reserved syndrome ", aeth->syndrome, 2);
        break;
    }
    put_uint(out, ", msn ", aeth->msn);
}

static void put_marks(struct buffer *out, const struct rdc_packet *p)
{
    bool bth = p->kind == RDC_KIND_BTH;
    bool ip = (p->layers & (1 << RDC_LAYER_IPV4 | 1 << RDC_LAYER_IPV6)) != 0;
    const struct {
        bool there;
        const char *text;
    } marks[] = {
        {bth && p->ib.bth.ack_req, "ack-req"},
        {bth && p->ib.bth.solicited, "solicited"},
        {ip && p->ip.ecn == ECN_CE, "CE"},
        {bth && p->ib.bth.fecn, "FECN"},
        {bth && p->ib.bth.becn, "BECN"},
        {bth && p->ib.icrc_check == RDC_CHECK_BAD, "ICRC bad"},
        {bth && p->ib.vcrc_check == RDC_CHECK_BAD, "VCRC bad"},
        {ip && p->ip.checksum_bad, "IP checksum bad"},
        {p->truncated, "cut"},
    };
    const char *separator = " [";

    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
        if (!marks[i].there)
            continue;
        buffer_string(out, separator);
        buffer_string(out, marks[i].text);
        separator = ", ";
    }
    if (separator[0] == ',')
        buffer_char(out, ']');
}

static void put_pause(struct buffer *out, const struct rdc_pause *pause)
{
    if (!pause->pfc) {
        put_uint(out, "PAUSE quanta ", pause->quanta[0]);
        return;
    }
    buffer_string(out, pause->enabled != 0 ? "PFC" : "PFC, no priority");
    for (unsigned i = 0; i < PRIORITIES; i++) {
        if ((pause->enabled >> i & 1) == 0)
            continue;
        put_uint(out, " prio ", i);
        if (pause->quanta[i] != 0)
            put_uint(out, " quanta ", pause->quanta[i]);
        else
            buffer_string(out, " resume");
    }
}
