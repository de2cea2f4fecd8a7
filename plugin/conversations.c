/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Queue pairs in Wireshark's tables of conversations and endpoints (ports are QPNs there), and
 * "Conversation Filter" entries.
 */
#include "plugin/plugin.h"
#include "plugin/state.h"

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>

/* ------------------------------------------------------------------ tables */

static void address_of(address *out, const struct rdc_packet *pkt, const uint8_t *bytes)
{
    switch ((enum rdc_address_kind)pkt->address_kind) {
    case RDC_ADDRESS_IPV4:
        set_address(out, AT_IPv4, 4, bytes);
        break;
    case RDC_ADDRESS_IPV6:
        set_address(out, AT_IPv6, 16, bytes);
        break;
    case RDC_ADDRESS_GID:
        set_address(out, AT_IB, 16, bytes);
        break;
    case RDC_ADDRESS_LID:
        set_address(out, AT_IB, 2, bytes);
        break;
    case RDC_ADDRESS_NONE:
        clear_address(out);
        break;
    }
}

static const char *conversation_filter(conv_item_t *item, conv_filter_type_e filter)
{
    bool v4 = item->src_address.type == AT_IPv4;
    bool v6 = item->src_address.type == AT_IPv6;

    switch (filter) {
    case CONV_FT_SRC_ADDRESS:
        return v4 ? "ip.src" : v6 ? "ipv6.src" : CONV_FILTER_INVALID;
    case CONV_FT_DST_ADDRESS:
        return v4 ? "ip.dst" : v6 ? "ipv6.dst" : CONV_FILTER_INVALID;
    case CONV_FT_ANY_ADDRESS:
        return v4 ? "ip.addr" : v6 ? "ipv6.addr" : CONV_FILTER_INVALID;
    case CONV_FT_SRC_PORT:
        return "rdmapcap.src_qpn";
    case CONV_FT_DST_PORT:
        return "rdmapcap.dest_qpn";
    case CONV_FT_ANY_PORT:
        return "rdmapcap.qpn";
    }
    return CONV_FILTER_INVALID;
}

static const char *endpoint_filter(endpoint_item_t *item, conv_filter_type_e filter)
{
    bool v4 = item->myaddress.type == AT_IPv4;

    switch (filter) {
    case CONV_FT_SRC_ADDRESS:
    case CONV_FT_DST_ADDRESS:
    case CONV_FT_ANY_ADDRESS:
        return v4 ? "ip.addr" : item->myaddress.type == AT_IPv6 ? "ipv6.addr" : CONV_FILTER_INVALID;
    case CONV_FT_SRC_PORT:
    case CONV_FT_DST_PORT:
    case CONV_FT_ANY_PORT:
        return "rdmapcap.qpn";
    }
    return CONV_FILTER_INVALID;
}

static bool is_listed(const struct shown_packet *p)
{
    return p->pkt->kind == RDC_KIND_BTH && p->stream != FLOW_NO_STREAM &&
           p->pkt->address_kind != RDC_ADDRESS_NONE;
}

static uint32_t source_qpn(const struct shown_packet *p)
{
    uint32_t qpn = 0;

    if ((p->pkt->ib.ext.present & RDC_EXT_DETH) != 0)
        return p->pkt->ib.ext.deth.src_qpn;
    flow_stream_source(verdicts_engine(p->verdicts), p->stream, &qpn);
    return qpn;
}

static tap_packet_status on_conversation(void *table, packet_info *pinfo, epan_dissect_t *edt,
                                         const void *packet, tap_flags_t flags)
{
    static ct_dissector_info_t info = {conversation_filter};
    const struct shown_packet *p = packet;
    conv_hash_t *hash = table;
    address src, dst;

    (void)edt;
    if (!is_listed(p))
        return TAP_PACKET_DONT_REDRAW;
    hash->flags = flags;
    address_of(&src, p->pkt, p->pkt->src);
    address_of(&dst, p->pkt, p->pkt->dst);
    add_conversation_table_data(hash, &src, &dst, source_qpn(p), p->pkt->ib.bth.dest_qpn, 1,
                                (int)p->pkt->wire_size, &pinfo->rel_ts, &pinfo->abs_ts, &info,
                                CONVERSATION_IBQP);
    return TAP_PACKET_REDRAW;
}

static tap_packet_status on_endpoint(void *table, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *packet, tap_flags_t flags)
{
    static et_dissector_info_t info = {endpoint_filter};
    const struct shown_packet *p = packet;
    conv_hash_t *hash = table;
    address src, dst;

    (void)pinfo;
    (void)edt;
    if (!is_listed(p))
        return TAP_PACKET_DONT_REDRAW;
    hash->flags = flags;
    address_of(&src, p->pkt, p->pkt->src);
    address_of(&dst, p->pkt, p->pkt->dst);
    add_endpoint_table_data(hash, &src, source_qpn(p), TRUE, 1, (int)p->pkt->wire_size, &info,
                            ENDPOINT_IBQP);
    add_endpoint_table_data(hash, &dst, p->pkt->ib.bth.dest_qpn, FALSE, 1, (int)p->pkt->wire_size,
                            &info, ENDPOINT_IBQP);
    return TAP_PACKET_REDRAW;
}

void conversations_register(void)
{
    register_conversation_table(rdmapcap_protocol, FALSE, on_conversation, on_endpoint);
}

/* ------------------------------------------------------------------ conversation filter */

#if WS_AT_LEAST(4, 4)
#define USER_DATA , void *data
#define UNUSED_DATA (void)data
#define NO_DATA , NULL
#else
#define USER_DATA
#define UNUSED_DATA (void)0
#define NO_DATA
#endif

static ws_bool has_connection(packet_info *pinfo USER_DATA)
{
    uint32_t id;

    UNUSED_DATA;
    return frame_connection(pinfo->num, &id);
}

static char *connection_filter(packet_info *pinfo USER_DATA)
{
    uint32_t id;

    UNUSED_DATA;
    return frame_connection(pinfo->num, &id) ? g_strdup_printf("rdmapcap.connection == %u", id)
                                             : NULL;
}

void conversation_filters_register(void)
{
    register_conversation_filter("rdmapcap", "RDMA connection", has_connection,
                                 connection_filter NO_DATA);
}
