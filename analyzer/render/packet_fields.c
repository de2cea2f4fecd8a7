/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of a dump's fields, and which of them a packet has. To add a field: a row here. To add
 * a header: a group in packet_record.h, its fields here, its presence in packet_record_complete().
 */
#include "render/packet_record.h"

#include <glib.h>

#include "render/address.h"
#include "render/packet_iwarp.h"
#include "render/packet_management.h"

enum {
    PRIORITIES = 8,
};

static void write_link(struct json_writer *w, const struct packet_record *r);
static void write_file(struct json_writer *w, const struct packet_record *r);
static void write_src_mac(struct json_writer *w, const struct packet_record *r);
static void write_dst_mac(struct json_writer *w, const struct packet_record *r);
static void write_vlan(struct json_writer *w, const struct packet_record *r);
static void write_tunnel(struct json_writer *w, const struct packet_record *r);
static void write_tunnels(struct json_writer *w, const struct packet_record *r);
static bool is_nested(const struct packet_record *r);
static void write_src(struct json_writer *w, const struct packet_record *r);
static void write_dst(struct json_writer *w, const struct packet_record *r);
static void write_transport(struct json_writer *w, const struct packet_record *r);
static void write_refused(struct json_writer *w, const struct packet_record *r);
static void write_opcode_name(struct json_writer *w, const struct packet_record *r);
static void write_aeth_kind(struct json_writer *w, const struct packet_record *r);
static void write_nak_code(struct json_writer *w, const struct packet_record *r);
static void write_credits(struct json_writer *w, const struct packet_record *r);
static void write_rnr_timer(struct json_writer *w, const struct packet_record *r);
static bool is_nak(const struct packet_record *r);
static bool is_ack(const struct packet_record *r);
static bool is_rnr_nak(const struct packet_record *r);
static void write_icrc(struct json_writer *w, const struct packet_record *r);
static void write_vcrc(struct json_writer *w, const struct packet_record *r);
static void write_pause_kind(struct json_writer *w, const struct packet_record *r);
static void write_pause_enabled(struct json_writer *w, const struct packet_record *r);
static void write_pause_quanta(struct json_writer *w, const struct packet_record *r);
static void write_notes(struct json_writer *w, const struct packet_record *r);

#define FIELD(name, kind, member, condition, writer)                                               \
    {                                                                                              \
        .key = (name), .quoted = "\"" name "\":", .quoted_size = sizeof("\"" name "\":") - 1,      \
        .offset = offsetof(struct packet_record, member),                                          \
        .size = sizeof(((struct packet_record *)0)->member), .type = (kind),                       \
        .applies = (condition), .write = (writer),                                                 \
    }
#define NUMBER(name, member) FIELD(name, FIELD_NUMBER, member, NULL, NULL)
#define TIME(name, member) FIELD(name, FIELD_TIME, member, NULL, NULL)
#define BOOLEAN(name, member) FIELD(name, FIELD_BOOL, member, NULL, NULL)
#define HEX(name, member) FIELD(name, FIELD_HEX, member, NULL, NULL)
#define CUSTOM(name, writer) FIELD(name, FIELD_CUSTOM, present, NULL, writer)
#define ONLY_IF(condition, name, writer) FIELD(name, FIELD_CUSTOM, present, condition, writer)

static const struct packet_field frame_fields[] = {NUMBER("frame", pkt.frame)};
static const struct packet_field file_fields[] = {CUSTOM("file", write_file)};
static const struct packet_field time_fields[] = {
    TIME("time_ns", pkt.time_ns),        TIME("rel_ns", rel_ns),
    NUMBER("wire_bytes", pkt.wire_size), NUMBER("captured_bytes", pkt.captured_size),
    CUSTOM("link", write_link),
};
static const struct packet_field mac_fields[] = {
    CUSTOM("src_mac", write_src_mac),
    CUSTOM("dst_mac", write_dst_mac),
};
static const struct packet_field vlan_fields[] = {CUSTOM("vlan", write_vlan)};
static const struct packet_field tunnel_fields[] = {
    CUSTOM("tunnel", write_tunnel),
    ONLY_IF(is_nested, "tunnels", write_tunnels),
};
static const struct packet_field address_fields[] = {
    CUSTOM("src", write_src),
    CUSTOM("dst", write_dst),
};
static const struct packet_field transport_fields[] = {CUSTOM("transport", write_transport)};
static const struct packet_field refused_fields[] = {CUSTOM("refused", write_refused)};
static const struct packet_field udp_fields[] = {
    NUMBER("udp_src_port", pkt.src_port),
    NUMBER("udp_dst_port", pkt.dst_port),
};
static const struct packet_field ip_fields[] = {
    NUMBER("dscp", pkt.ip.dscp),
    NUMBER("ecn", pkt.ip.ecn),
    NUMBER("ttl", pkt.ip.ttl),
};
static const struct packet_field lrh_fields[] = {
    NUMBER("vl", pkt.lrh.vl),     NUMBER("sl", pkt.lrh.sl),     NUMBER("lnh", pkt.lrh.lnh),
    NUMBER("dlid", pkt.lrh.dlid), NUMBER("slid", pkt.lrh.slid), NUMBER("length", pkt.lrh.length),
};
static const struct packet_field grh_fields[] = {
    NUMBER("tclass", pkt.grh.tclass),
    NUMBER("flow_label", pkt.grh.flow_label),
    NUMBER("payload_length", pkt.grh.payload_length),
    NUMBER("next_header", pkt.grh.next_header),
    NUMBER("hop_limit", pkt.grh.hop_limit),
};
static const struct packet_field bth_fields[] = {
    NUMBER("opcode", pkt.ib.bth.opcode),
    CUSTOM("opcode_name", write_opcode_name),
    BOOLEAN("solicited", pkt.ib.bth.solicited),
    BOOLEAN("migrated", pkt.ib.bth.migrated),
    NUMBER("pad", pkt.ib.bth.pad),
    NUMBER("tver", pkt.ib.bth.tver),
    NUMBER("pkey", pkt.ib.bth.pkey),
    BOOLEAN("fecn", pkt.ib.bth.fecn),
    BOOLEAN("becn", pkt.ib.bth.becn),
    NUMBER("dest_qpn", pkt.ib.bth.dest_qpn),
    BOOLEAN("ack_req", pkt.ib.bth.ack_req),
    NUMBER("psn", pkt.ib.bth.psn),
};
static const struct packet_field reth_fields[] = {
    HEX("va", pkt.ib.ext.reth.va),
    HEX("rkey", pkt.ib.ext.reth.rkey),
    NUMBER("length", pkt.ib.ext.reth.length),
};
static const struct packet_field aeth_fields[] = {
    NUMBER("syndrome", pkt.ib.ext.aeth.syndrome),     CUSTOM("kind", write_aeth_kind),
    ONLY_IF(is_nak, "code", write_nak_code),          ONLY_IF(is_ack, "credits", write_credits),
    ONLY_IF(is_rnr_nak, "timer_ns", write_rnr_timer), NUMBER("msn", pkt.ib.ext.aeth.msn),
};
static const struct packet_field deth_fields[] = {
    NUMBER("qkey", pkt.ib.ext.deth.qkey),
    NUMBER("src_qpn", pkt.ib.ext.deth.src_qpn),
};
static const struct packet_field atomic_eth_fields[] = {
    HEX("va", pkt.ib.ext.atomic_eth.va),
    HEX("rkey", pkt.ib.ext.atomic_eth.rkey),
    HEX("swap_add", pkt.ib.ext.atomic_eth.swap_add),
    HEX("compare", pkt.ib.ext.atomic_eth.compare),
};
static const struct packet_field atomic_ack_eth_fields[] = {
    HEX("original", pkt.ib.ext.atomic_ack_original),
};
static const struct packet_field imm_fields[] = {NUMBER("imm", pkt.ib.ext.imm)};
static const struct packet_field ieth_fields[] = {HEX("rkey", pkt.ib.ext.ieth_rkey)};
static const struct packet_field rdeth_fields[] = {NUMBER("ee", pkt.ib.ext.rdeth_ee)};
static const struct packet_field xrceth_fields[] = {NUMBER("srq", pkt.ib.ext.xrceth_srq)};
static const struct packet_field feth_fields[] = {
    NUMBER("plt", pkt.ib.ext.feth.plt),
    NUMBER("sel", pkt.ib.ext.feth.sel),
};
static const struct packet_field payload_fields[] = {
    NUMBER("payload_bytes", pkt.ib.payload_size),
};
static const struct packet_field icrc_fields[] = {CUSTOM("icrc", write_icrc)};
static const struct packet_field vcrc_fields[] = {CUSTOM("vcrc", write_vcrc)};
/* objects of many shapes */
static const struct packet_field mad_fields[] = {CUSTOM("mad", packet_write_mad)};
static const struct packet_field cm_fields[] = {CUSTOM("cm", packet_write_cm)};
static const struct packet_field pause_fields[] = {
    CUSTOM("kind", write_pause_kind),
    CUSTOM("enabled", write_pause_enabled),
    CUSTOM("quanta", write_pause_quanta),
};
static const struct packet_field flow_control_fields[] = {
    NUMBER("op", pkt.flow_control.op),
    NUMBER("vl", pkt.flow_control.vl),
    NUMBER("fctbs", pkt.flow_control.fctbs),
    NUMBER("fccl", pkt.flow_control.fccl),
};
static const struct packet_field tcp_fields[] = {
    NUMBER("src_port", pkt.src_port),
    NUMBER("dst_port", pkt.dst_port),
    NUMBER("seq", pkt.tcp.seq),
    NUMBER("ack", pkt.tcp.ack),
    NUMBER("flags", pkt.tcp.flags),
    NUMBER("window", pkt.tcp.window),
    NUMBER("payload_bytes", pkt.tcp.payload_size),
};
static const struct packet_field mpa_fields[] = {CUSTOM("mpa", packet_write_mpa)};
static const struct packet_field fpdus_fields[] = {CUSTOM("fpdus", packet_write_fpdus)};
static const struct packet_field notes_fields[] = {CUSTOM("notes", write_notes)};

#define GROUP(name, title, list)                                                                   \
    {                                                                                              \
        (name), (title), (list), G_N_ELEMENTS(list)                                                \
    }

const struct packet_group_info packet_groups[GROUP_COUNT] = {
    [GROUP_FRAME] = GROUP(NULL, "Frame", frame_fields),
    [GROUP_FILE] = GROUP(NULL, "File", file_fields),
    [GROUP_TIME] = GROUP(NULL, "Capture", time_fields),
    [GROUP_MAC] = GROUP(NULL, "Ethernet", mac_fields),
    [GROUP_VLAN] = GROUP(NULL, "VLAN", vlan_fields),
    [GROUP_TUNNEL] = GROUP(NULL, "Tunnel", tunnel_fields),
    [GROUP_ADDRESS] = GROUP(NULL, "Addresses", address_fields),
    [GROUP_TRANSPORT] = GROUP(NULL, "Transport", transport_fields),
    [GROUP_REFUSED] = GROUP(NULL, "Refused", refused_fields),
    [GROUP_UDP] = GROUP(NULL, "UDP", udp_fields),
    [GROUP_IP] = GROUP(NULL, "IP", ip_fields),
    [GROUP_LRH] = GROUP("lrh", "LRH", lrh_fields),
    [GROUP_GRH] = GROUP("grh", "GRH", grh_fields),
    [GROUP_BTH] = GROUP(NULL, "BTH", bth_fields),
    [GROUP_RETH] = GROUP("reth", "RETH", reth_fields),
    [GROUP_AETH] = GROUP("aeth", "AETH", aeth_fields),
    [GROUP_DETH] = GROUP("deth", "DETH", deth_fields),
    [GROUP_ATOMIC_ETH] = GROUP("atomic_eth", "AtomicETH", atomic_eth_fields),
    [GROUP_ATOMIC_ACK_ETH] = GROUP("atomic_ack_eth", "AtomicAckETH", atomic_ack_eth_fields),
    [GROUP_IMM] = GROUP(NULL, "ImmDt", imm_fields),
    [GROUP_IETH] = GROUP("ieth", "IETH", ieth_fields),
    [GROUP_RDETH] = GROUP("rdeth", "RDETH", rdeth_fields),
    [GROUP_XRCETH] = GROUP("xrceth", "XRCETH", xrceth_fields),
    [GROUP_FETH] = GROUP("feth", "FETH", feth_fields),
    [GROUP_PAYLOAD] = GROUP(NULL, "Payload", payload_fields),
    [GROUP_ICRC] = GROUP(NULL, "ICRC", icrc_fields),
    [GROUP_VCRC] = GROUP(NULL, "VCRC", vcrc_fields),
    [GROUP_MAD] = GROUP(NULL, "MAD", mad_fields),
    [GROUP_CM] = GROUP(NULL, "CM", cm_fields),
    [GROUP_PAUSE] = GROUP("pause", "MAC control", pause_fields),
    [GROUP_FLOW_CONTROL] = GROUP("flow_control", "Flow control", flow_control_fields),
    [GROUP_TCP] = GROUP("tcp", "TCP", tcp_fields),
    [GROUP_MPA] = GROUP(NULL, "MPA", mpa_fields),
    [GROUP_FPDUS] = GROUP(NULL, "FPDUs", fpdus_fields),
    [GROUP_NOTES] = GROUP(NULL, "Notes", notes_fields),
};

static uint64_t load(const void *base, size_t offset, size_t size)
{
    const char *at = (const char *)base + offset;
    uint64_t v64 = 0;
    uint32_t v32;
    uint16_t v16;

    switch (size) {
    case 1:
        return (uint8_t)*at;
    case 2:
        memcpy(&v16, at, sizeof(v16));
        return v16;
    case 4:
        memcpy(&v32, at, sizeof(v32));
        return v32;
    default:
        memcpy(&v64, at, sizeof(v64));
        return v64;
    }
}

void packet_field_write(struct json_writer *w, const struct packet_field *field,
                        const struct packet_record *r)
{
    switch ((enum packet_field_type)field->type) {
    case FIELD_NUMBER:
        json_uint(w, load(r, field->offset, field->size));
        break;
    case FIELD_TIME:
        if (r->untimed)
            json_null(w);
        else
            json_int(w, (int64_t)load(r, field->offset, field->size));
        break;
    case FIELD_BOOL:
        json_bool(w, load(r, field->offset, field->size) != 0);
        break;
    case FIELD_HEX:
        json_hex(w, load(r, field->offset, field->size), field->size * 2u);
        break;
    case FIELD_CUSTOM:
        field->write(w, r);
        break;
    }
}

static void member_uint(struct json_writer *w, const char *quoted, uint64_t value)
{
    json_quoted_key(w, quoted, strlen(quoted));
    json_uint(w, value);
}

static void member_plain(struct json_writer *w, const char *quoted, const char *value)
{
    json_quoted_key(w, quoted, strlen(quoted));
    json_plain(w, value);
}

static void write_file(struct json_writer *w, const struct packet_record *r)
{
    json_string(w, r->file);
}

static void write_link(struct json_writer *w, const struct packet_record *r)
{
    const char *name = rdc_linktype_name(r->pkt.linktype);

    if (name != NULL)
        json_plain(w, name);
    else
        json_uint(w, r->pkt.linktype);
}

static void write_mac(struct json_writer *w, const uint8_t mac[6])
{
    buffer_char(w->out, '"');
    address_mac(w->out, mac);
    buffer_char(w->out, '"');
    w->comma = true;
}

static void write_src_mac(struct json_writer *w, const struct packet_record *r)
{
    write_mac(w, r->pkt.src_mac);
}

static void write_dst_mac(struct json_writer *w, const struct packet_record *r)
{
    write_mac(w, r->pkt.dst_mac);
}

static void write_vlan(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '[');
    for (unsigned i = 0; i < r->pkt.vlan_count && i < RDC_MAX_VLANS; i++) {
        json_element(w);
        json_open(w, '{');
        member_uint(w, "\"id\":", r->pkt.vlans[i].id);
        member_uint(w, "\"pcp\":", r->pkt.vlans[i].pcp);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void write_one_tunnel(struct json_writer *w, const struct rdc_tunnel *t)
{
    json_open(w, '{');
    member_plain(w, "\"kind\":", rdc_tunnel_name(t->kind));
    json_quoted_key(w, "\"id\":", 5);
    if (t->has_id)
        json_uint(w, t->id);
    else
        json_null(w);
    json_close(w, '}');
}

/* The innermost: it is part of the stream's identity */
static void write_tunnel(struct json_writer *w, const struct packet_record *r)
{
    write_one_tunnel(w, &r->pkt.tunnels[MIN(r->pkt.tunnel_count, RDC_MAX_TUNNELS) - 1]);
}

static bool is_nested(const struct packet_record *r)
{
    return r->pkt.tunnel_count > 1;
}

/* All, outermost first */
static void write_tunnels(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '[');
    for (unsigned i = 0; i < r->pkt.tunnel_count && i < RDC_MAX_TUNNELS; i++) {
        json_element(w);
        write_one_tunnel(w, &r->pkt.tunnels[i]);
    }
    json_close(w, ']');
}

static void write_address(struct json_writer *w, uint8_t kind, const uint8_t address[16])
{
    buffer_char(w->out, '"');
    address_text(w->out, kind, address);
    buffer_char(w->out, '"');
    w->comma = true;
}

static void write_src(struct json_writer *w, const struct packet_record *r)
{
    write_address(w, r->pkt.address_kind, r->pkt.src);
}

static void write_dst(struct json_writer *w, const struct packet_record *r)
{
    write_address(w, r->pkt.address_kind, r->pkt.dst);
}

static void write_transport(struct json_writer *w, const struct packet_record *r)
{
    uint8_t transport = r->iwarp ? RDC_TRANSPORT_IWARP : r->pkt.transport;
    const char *name = rdc_transport_name(transport);

    if (name != NULL)
        json_plain(w, name);
    else
        json_null(w);
}

static void write_refused(struct json_writer *w, const struct packet_record *r)
{
    json_plain(w, rdc_refusal_text(r->pkt.refusal));
}

static void write_opcode_name(struct json_writer *w, const struct packet_record *r)
{
    json_plain(w, rdc_opcode_table[r->pkt.ib.bth.opcode].name);
}

static void write_aeth_kind(struct json_writer *w, const struct packet_record *r)
{
    static const char *const kinds[] = {[RDC_AETH_ACK] = "ack",
                                        [RDC_AETH_RNR_NAK] = "rnr_nak",
                                        [RDC_AETH_NAK] = "nak",
                                        [RDC_AETH_RESERVED] = "reserved"};

    json_plain(w, kinds[r->pkt.ib.ext.aeth.kind & 3]);
}

static bool is_nak(const struct packet_record *r)
{
    return r->pkt.ib.ext.aeth.kind == RDC_AETH_NAK;
}

static bool is_ack(const struct packet_record *r)
{
    return r->pkt.ib.ext.aeth.kind == RDC_AETH_ACK;
}

static bool is_rnr_nak(const struct packet_record *r)
{
    return r->pkt.ib.ext.aeth.kind == RDC_AETH_RNR_NAK;
}

static void write_nak_code(struct json_writer *w, const struct packet_record *r)
{
    json_plain(w, rdc_nak_name(r->pkt.ib.ext.aeth.value));
}

static void write_credits(struct json_writer *w, const struct packet_record *r)
{
    if (r->pkt.ib.ext.aeth.value == RDC_CREDITS_INVALID)
        json_null(w);
    else
        json_uint(w, rdc_aeth_credits(r->pkt.ib.ext.aeth.value));
}

static void write_rnr_timer(struct json_writer *w, const struct packet_record *r)
{
    json_uint(w, rdc_rnr_timer_ns(r->pkt.ib.ext.aeth.value));
}

static void write_check(struct json_writer *w, uint8_t check)
{
    json_plain(w, check == RDC_CHECK_OK ? "ok" : "bad");
}

static void write_icrc(struct json_writer *w, const struct packet_record *r)
{
    write_check(w, r->pkt.ib.icrc_check);
}

static void write_vcrc(struct json_writer *w, const struct packet_record *r)
{
    write_check(w, r->pkt.ib.vcrc_check);
}

static void write_pause_kind(struct json_writer *w, const struct packet_record *r)
{
    json_plain(w, r->pkt.pause.pfc ? "pfc" : "pause");
}

static void write_pause_enabled(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '[');
    for (unsigned i = 0; r->pkt.pause.pfc && i < PRIORITIES; i++) {
        if ((r->pkt.pause.enabled >> i & 1) != 0) {
            json_element(w);
            json_uint(w, i);
        }
    }
    json_close(w, ']');
}

static void write_pause_quanta(struct json_writer *w, const struct packet_record *r)
{
    if (!r->pkt.pause.pfc) {
        json_uint(w, r->pkt.pause.quanta[0]);
        return;
    }
    json_open(w, '[');
    for (unsigned i = 0; i < PRIORITIES; i++) {
        json_element(w);
        json_uint(w, r->pkt.pause.quanta[i]);
    }
    json_close(w, ']');
}

static void write_notes(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '[');
    for (unsigned i = 0; i < RDC_NOTE_COUNT; i++) {
        if ((r->pkt.notes >> i & 1) != 0) {
            json_element(w);
            json_plain(w, rdc_note_table[i].id);
        }
    }
    json_close(w, ']');
}
