/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of what is in a capture beside RDMA.
 */
#include "render/protocol.h"

#include <stddef.h>

#include "rdc/packet.h"

struct name {
    uint16_t number;
    const char *name;
};

/* IANA protocol numbers */
static const struct name ip_protocols[] = {
    {1, "ICMP"},  {2, "IGMP"},  {4, "IP in IP"}, {6, "TCP"},    {17, "UDP"},    {41, "IPv6 in IP"},
    {46, "RSVP"}, {47, "GRE"},  {50, "ESP"},     {51, "AH"},    {58, "ICMPv6"}, {88, "EIGRP"},
    {89, "OSPF"}, {103, "PIM"}, {112, "VRRP"},   {132, "SCTP"}, {0, NULL},
};

/* IEEE ethertypes */
static const struct name ethertypes[] = {
    {0x0800, "IPv4"}, {0x0806, "ARP"},
    {0x86dd, "IPv6"}, {0x8808, "MAC control"},
    {0x8809, "LACP"}, {0x8847, "MPLS"},
    {0x8848, "MPLS"}, {0x888e, "802.1X"},
    {0x88cc, "LLDP"}, {0x88e5, "MACsec"},
    {0x88f7, "PTP"},  {0x8906, "FCoE"},
    {0x8914, "FIP"},  {0x8915, "RoCEv1 (refused)"},
    {0, NULL},
};

static const char *look_up(const struct name *names, uint16_t number)
{
    for (; names->name != NULL; names++)
        if (names->number == number)
            return names->name;
    return NULL;
}

const char *protocol_name(const struct rdc_packet *pkt)
{
    static const char *const transports[RDC_TRANSPORT_COUNT] = {
        [RDC_TRANSPORT_IB] = "InfiniBand", [RDC_TRANSPORT_ROCEV1] = "RoCEv1",
        [RDC_TRANSPORT_ROCEV2] = "RoCEv2", [RDC_TRANSPORT_MACCTRL] = "MAC control",
        [RDC_TRANSPORT_IWARP] = "iWARP",
    };
    const char *name = NULL;

    if (pkt->transport < RDC_TRANSPORT_COUNT)
        name = transports[pkt->transport];
    if (name == NULL && (pkt->layers & (1 << RDC_LAYER_IPV4 | 1 << RDC_LAYER_IPV6)) != 0)
        name = look_up(ip_protocols, pkt->ip.protocol);
    if (name == NULL)
        name = look_up(ethertypes, pkt->ethertype);
    return name != NULL ? name : "other";
}
