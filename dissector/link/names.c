/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The words that reports use for what a packet holds.
 */
#include "rdc/packet.h"

const char *rdc_transport_name(uint8_t transport)
{
    static const char *const names[RDC_TRANSPORT_COUNT] = {
        [RDC_TRANSPORT_IB] = "ib",         [RDC_TRANSPORT_ROCEV1] = "rocev1",
        [RDC_TRANSPORT_ROCEV2] = "rocev2", [RDC_TRANSPORT_MACCTRL] = "macctrl",
        [RDC_TRANSPORT_IWARP] = "iwarp",
    };

    return transport < RDC_TRANSPORT_COUNT ? names[transport] : NULL;
}

const char *rdc_linktype_name(uint32_t linktype)
{
    switch (linktype) {
    case RDC_LINKTYPE_NULL:
        return "null";
    case RDC_LINKTYPE_ETHERNET:
        return "ethernet";
    case RDC_LINKTYPE_RAW_OLD:
    case RDC_LINKTYPE_RAW_BSD:
    case RDC_LINKTYPE_RAW:
        return "raw";
    case RDC_LINKTYPE_LOOP:
        return "loop";
    case RDC_LINKTYPE_LINUX_SLL:
        return "sll";
    case RDC_LINKTYPE_ERF:
        return "erf";
    case RDC_LINKTYPE_IPV4:
        return "ipv4";
    case RDC_LINKTYPE_IPV6:
        return "ipv6";
    case RDC_LINKTYPE_IPOIB:
        return "ipoib";
    case RDC_LINKTYPE_INFINIBAND:
        return "infiniband";
    case RDC_LINKTYPE_LINUX_SLL2:
        return "sll2";
    case RDC_LINKTYPE_IB_LINK_PACKET:
        return "infiniband_link";
    default:
        return NULL;
    }
}

const char *rdc_tunnel_name(uint8_t kind)
{
    static const char *const names[RDC_TUNNEL_COUNT] = {
        [RDC_TUNNEL_MPLS] = "mpls",   [RDC_TUNNEL_GRE] = "gre",
        [RDC_TUNNEL_NVGRE] = "nvgre", [RDC_TUNNEL_ERSPAN] = "erspan",
        [RDC_TUNNEL_VXLAN] = "vxlan", [RDC_TUNNEL_GENEVE] = "geneve",
        [RDC_TUNNEL_IPIP] = "ipip",
    };

    return kind < RDC_TUNNEL_COUNT ? names[kind] : NULL;
}

const char *rdc_refusal_text(uint8_t refusal)
{
    static const char *const texts[RDC_REFUSAL_COUNT] = {
        [RDC_REFUSAL_NONE] = "It was not refused.",
        [RDC_REFUSAL_VERSION] = "The BTH version is not 0.",
        [RDC_REFUSAL_SHORT] = "There is no room for a BTH, the headers of its opcode and an ICRC.",
        [RDC_REFUSAL_LENGTH] = "The headers of the opcode, or the pad, do not fit the length.",
        [RDC_REFUSAL_RESERVED] = "The opcode is reserved, and no good ICRC proves it.",
        [RDC_REFUSAL_FRAGMENT] = "It is a later IP fragment: its headers are in another frame.",
        [RDC_REFUSAL_GRH] = "The GRH has another version or next header than InfiniBand's.",
        [RDC_REFUSAL_MACCTRL] = "It is a MAC control frame, but neither PFC nor PAUSE.",
    };

    return refusal < RDC_REFUSAL_COUNT ? texts[refusal] : NULL;
}
