/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which fields a packet has, and which of them this capture does not show, and why. The fields
 * themselves are in packet_fields.c.
 */
#include "render/packet_record.h"

#include <glib.h>

const char packet_untimed_reason[] = "the file has no time for this packet";

static uint64_t groups_of_exts(uint16_t exts);
static void complete_ib(struct packet_record *r, uint64_t *present);
static void complete_mad(struct packet_record *r, uint64_t *present);

#define BIT(group) ((uint64_t)1 << (group))

void packet_record_complete(struct packet_record *r)
{
    const struct rdc_packet *p = &r->pkt;
    uint64_t present = BIT(GROUP_FRAME) | BIT(GROUP_TIME) | BIT(GROUP_TRANSPORT);
    const struct {
        bool there;
        enum packet_group group;
    } optional[] = {
        {r->file != NULL, GROUP_FILE},
        {p->has_mac, GROUP_MAC},
        {p->vlan_count > 0, GROUP_VLAN},
        {p->tunnel_count > 0, GROUP_TUNNEL},
        {p->address_kind != RDC_ADDRESS_NONE, GROUP_ADDRESS},
        {p->refusal != RDC_REFUSAL_NONE, GROUP_REFUSED},
        {(p->layers & 1 << RDC_LAYER_UDP) != 0, GROUP_UDP},
        {(p->layers & (1 << RDC_LAYER_IPV4 | 1 << RDC_LAYER_IPV6)) != 0, GROUP_IP},
        {(p->layers & 1 << RDC_LAYER_LRH) != 0, GROUP_LRH},
        {(p->layers & 1 << RDC_LAYER_GRH) != 0, GROUP_GRH},
        {p->kind == RDC_KIND_PAUSE, GROUP_PAUSE},
        {p->kind == RDC_KIND_FLOW_CONTROL, GROUP_FLOW_CONTROL},
        {p->kind == RDC_KIND_TCP, GROUP_TCP},
        {p->kind == RDC_KIND_TCP && r->has_mpa, GROUP_MPA},
        {p->kind == RDC_KIND_TCP && r->fpdu_count > 0, GROUP_FPDUS},
        {p->notes != 0, GROUP_NOTES},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(optional); i++)
        present |= (uint64_t)optional[i].there << optional[i].group;
    r->unknown = 0;
    if (p->kind == RDC_KIND_BTH)
        complete_ib(r, &present);
    r->present = present;
}

static bool is_uncheckable(uint8_t check)
{
    return check == RDC_CHECK_TRUNCATED || check == RDC_CHECK_FRAGMENT ||
           check == RDC_CHECK_SKIPPED;
}

static void complete_ib(struct packet_record *r, uint64_t *present)
{
    const struct rdc_ib_packet *ib = &r->pkt.ib;
    uint16_t missing = rdc_opcode_table[ib->bth.opcode].ext & (uint16_t)~ib->ext.present;

    *present |= BIT(GROUP_BTH) | BIT(GROUP_PAYLOAD) | groups_of_exts(ib->ext.present);
    complete_mad(r, present);
    if (ib->icrc_check != RDC_CHECK_ABSENT)
        *present |= BIT(GROUP_ICRC);
    if (ib->vcrc_check != RDC_CHECK_ABSENT)
        *present |= BIT(GROUP_VCRC);
    r->unknown = groups_of_exts(missing) | (uint64_t)is_uncheckable(ib->icrc_check) << GROUP_ICRC |
                 (uint64_t)is_uncheckable(ib->vcrc_check) << GROUP_VCRC;
}

/* QP0 and QP1 (IBTA vol. 1, 13.2) */
static void complete_mad(struct packet_record *r, uint64_t *present)
{
    const struct rdc_ib_packet *ib = &r->pkt.ib;
    struct rdc_cursor cur = {ib->payload, ib->payload_captured, ib->payload_size};

    if (ib->bth.dest_qpn > 1 || ib->payload == NULL ||
        rdc_opcode_table[ib->bth.opcode].service != RDC_SERVICE_UD ||
        rdc_mad_decode(&cur, &r->mad) != RDC_OK)
        return;
    *present |= BIT(GROUP_MAD);
    if (rdc_cm_decode(&r->mad, &r->cm) == RDC_OK)
        *present |= BIT(GROUP_CM);
}

static uint64_t groups_of_exts(uint16_t exts)
{
    static const struct {
        uint16_t ext;
        uint8_t group;
    } map[] = {
        {RDC_EXT_RDETH, GROUP_RDETH},
        {RDC_EXT_DETH, GROUP_DETH},
        {RDC_EXT_XRCETH, GROUP_XRCETH},
        {RDC_EXT_FETH, GROUP_FETH},
        {RDC_EXT_RETH, GROUP_RETH},
        {RDC_EXT_AETH, GROUP_AETH},
        {RDC_EXT_ATOMIC_ETH, GROUP_ATOMIC_ETH},
        {RDC_EXT_ATOMIC_ACK_ETH, GROUP_ATOMIC_ACK_ETH},
        {RDC_EXT_IMM, GROUP_IMM},
        {RDC_EXT_IETH, GROUP_IETH},
    };
    uint64_t groups = 0;

    if (exts == 0)
        return 0;
    for (size_t i = 0; i < G_N_ELEMENTS(map); i++)
        if ((exts & map[i].ext) != 0)
            groups |= BIT(map[i].group);
    return groups;
}

static const char *check_reason(uint8_t check)
{
    return check == RDC_CHECK_TRUNCATED  ? "not all bytes of the packet were captured"
           : check == RDC_CHECK_FRAGMENT ? "a fragment of an IP packet"
                                         : "not checked";
}

const char *packet_record_reason(const struct packet_record *r, enum packet_group group)
{
    if (group == GROUP_ICRC)
        return check_reason(r->pkt.ib.icrc_check);
    if (group == GROUP_VCRC)
        return check_reason(r->pkt.ib.vcrc_check);
    return r->pkt.truncated ? "cut by the snap length" : "does not fit into the packet";
}

const char *packet_group_key(enum packet_group group)
{
    const struct packet_group_info *info = &packet_groups[group];

    return info->name != NULL ? info->name : info->fields[0].key;
}

void packet_record_write_reasons(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '{');
    if (r->untimed) {
        json_text_member(w, "time_ns", packet_untimed_reason);
        json_text_member(w, "rel_ns", packet_untimed_reason);
    }
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        if ((r->unknown >> group & 1) == 0)
            continue;
        json_key(w, packet_group_key((enum packet_group)group));
        json_string(w, packet_record_reason(r, (enum packet_group)group));
    }
    json_close(w, '}');
}
