/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The encapsulations, one decoder a header, all of one shape: take the header from the cursor,
 * write what it says into the packet, and tell what follows as a number in a number space. Which
 * decoder such a number means is for peel.c alone.
 *
 * On anything but RDC_OK a decoder leaves cursor, packet and `next` as they were, unless its own
 * comment says otherwise. A length field beyond the frame's end widens the cursor: mirrors cut
 * frames, and what they cut counts as not captured.
 */
#ifndef RDC_LINK_LINK_H
#define RDC_LINK_LINK_H

#include <stdint.h>

#include "rdc/packet.h"
#include "rdc/wire.h"

/* What the number of the next header means */
enum rdc_space {
    RDC_SPACE_NONE, /* nothing that is known how to decode */
    RDC_SPACE_LINKTYPE,
    RDC_SPACE_ETHERTYPE,
    RDC_SPACE_IP_VERSION, /* first nibble of an IP header */
    RDC_SPACE_IP_PROTOCOL,
    RDC_SPACE_UDP_PORT, /* destination port */
    RDC_SPACE_GRE_PROTOCOL,
    RDC_SPACE_LNH,      /* enum rdc_lnh */
    RDC_SPACE_GRH_NEXT, /* next header of a GRH */
};

struct rdc_next {
    enum rdc_space space;
    uint32_t value;
};

enum rdc_ethertype {
    RDC_ETHERTYPE_IPV4 = 0x0800,
    RDC_ETHERTYPE_ARP = 0x0806,
    RDC_ETHERTYPE_TEB = 0x6558, /* transparent Ethernet bridging */
    RDC_ETHERTYPE_VLAN = 0x8100,
    RDC_ETHERTYPE_IPV6 = 0x86dd,
    RDC_ETHERTYPE_MACCTRL = 0x8808,
    RDC_ETHERTYPE_MPLS = 0x8847,
    RDC_ETHERTYPE_MPLS_MULTICAST = 0x8848,
    RDC_ETHERTYPE_QINQ = 0x88a8,
    RDC_ETHERTYPE_ERSPAN = 0x88be,
    RDC_ETHERTYPE_ROCEV1 = 0x8915,
    RDC_ETHERTYPE_VLAN_9100 = 0x9100, /* QinQ before 802.1ad */
    RDC_ETHERTYPE_VLAN_9200 = 0x9200,
    RDC_ETHERTYPE_CSIG = 0x9900, /* congestion signalling: a tag like a VLAN's, but none */
    RDC_ETHERTYPE_ERSPAN_III = 0x22eb,
    RDC_ETHERTYPE_MIN = 0x0600, /* below: an 802.3 length */
};

enum rdc_ip_protocol {
    RDC_IP_HOP_BY_HOP = 0,
    RDC_IP_IPV4 = 4,
    RDC_IP_TCP = 6,
    RDC_IP_UDP = 17,
    RDC_IP_IPV6 = 41,
    RDC_IP_ROUTING = 43,
    RDC_IP_FRAGMENT = 44,
    RDC_IP_GRE = 47,
    RDC_IP_AH = 51,
    RDC_IP_DESTINATION = 60,
    RDC_IP_MPLS = 137,
};

typedef enum rdc_status rdc_link_decode_fn(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                           struct rdc_next *next);

rdc_link_decode_fn rdc_vlan_decode; /* stands at the TCI: `pkt->ethertype` is the TPID */
rdc_link_decode_fn rdc_sll_decode;
rdc_link_decode_fn rdc_sll2_decode;
rdc_link_decode_fn rdc_null_decode;
rdc_link_decode_fn rdc_raw_ip_decode;
rdc_link_decode_fn rdc_erf_decode; /* sets the packet's sizes to those of the frame inside */
rdc_link_decode_fn rdc_ipoib_decode;
rdc_link_decode_fn rdc_local_route_decode;
rdc_link_decode_fn rdc_global_route_decode;
/* Behind an LRH with LNH 0 or 1. The packet is raw also where its raw header is cut. */
rdc_link_decode_fn rdc_raw_infiniband_decode;
rdc_link_decode_fn rdc_ipv6_decode;
rdc_link_decode_fn rdc_ip_extension_decode; /* `pkt->ip.protocol` says which */
rdc_link_decode_fn rdc_tcp_decode;
rdc_link_decode_fn rdc_mpls_decode; /* one label stack entry */
rdc_link_decode_fn rdc_gre_decode;
rdc_link_decode_fn rdc_erspan_decode;
rdc_link_decode_fn rdc_vxlan_decode;
rdc_link_decode_fn rdc_geneve_decode;

static inline void rdc_mark(struct rdc_packet *pkt, enum rdc_layer layer)
{
    pkt->layers |= 1u << layer;
}

/* Limits the cursor to `wire` bytes, or widens it where the packet claims more than the frame has
 * (then the two lengths disagree, and what is missing was not captured). */
static inline void rdc_set_wire(struct rdc_cursor *cur, size_t wire, struct rdc_packet *pkt)
{
    if (rdc_limit(cur, wire) == RDC_OK)
        return;
    cur->wire = wire;
    pkt->notes |= RDC_NOTE_BIT(LENGTH_MISMATCH);
}

/* Remembers a tunnel; one that finds no room is only noted. */
static inline void rdc_add_tunnel(struct rdc_packet *pkt, struct rdc_tunnel tunnel)
{
    if (pkt->tunnel_count < RDC_MAX_TUNNELS)
        pkt->tunnels[pkt->tunnel_count++] = tunnel;
    else
        pkt->notes |= RDC_NOTE_BIT(DEPTH);
}

#endif
