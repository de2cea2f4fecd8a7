/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Peels any frame layer by layer until a decoder of RDMA headers takes over. This file alone knows
 * which header follows which; the decoders only name a number and its space.
 */
#include "link/peel.h"

#include "ethernet/macctrl.h"
#include "ib/flow_control.h"
#include "ib/transport.h"
#include "link/ethernet.h"
#include "link/frame.h"
#include "link/ipv4.h"
#include "link/link.h"
#include "link/udp.h"

enum {
    PORT_VXLAN = 4789,
    PORT_VXLAN_OLD = 8472, /* Linux before the port was assigned */
    PORT_GENEVE = 6081,
};

struct peel {
    const struct rdc_config *config;
    struct rdc_packet *pkt;
    struct rdc_cursor cur;
    /* where the latest header of each sort began; borrowed */
    const uint8_t *lrh, *vcrc, *grh, *ip, *udp;
    bool fragment; /* of any IP header so far */
};

static enum rdc_status step(struct peel *p, struct rdc_next *next);
static enum rdc_status by_linktype(struct peel *p, struct rdc_next *next);
static enum rdc_status by_ethertype(struct peel *p, struct rdc_next *next);
static enum rdc_status by_ip_protocol(struct peel *p, struct rdc_next *next);
static enum rdc_status by_udp_port(struct peel *p, struct rdc_next *next);
static enum rdc_status by_lnh(struct peel *p, struct rdc_next *next);
static enum rdc_status peel_ip(struct peel *p, uint32_t version, struct rdc_next *next);
static enum rdc_status peel_ip_in_ip(struct peel *p, uint32_t version, struct rdc_next *next);
static enum rdc_status peel_link_packet(struct peel *p, struct rdc_next *next);
static enum rdc_status peel_lrh(struct peel *p, struct rdc_next *next);
static enum rdc_status peel_grh(struct peel *p, struct rdc_next *next);
static enum rdc_status peel_roce(struct peel *p, struct rdc_next *next);
static enum rdc_status peel_transport(struct peel *p, struct rdc_next *next);

void rdc_peel_decode(const struct rdc_config *config, const struct rdc_input *in,
                     struct rdc_packet *pkt)
{
    struct peel p = {.config = config, .pkt = pkt, .cur = rdc_frame_cursor(in)};
    struct rdc_next next = {RDC_SPACE_LINKTYPE, in->linktype};
    enum rdc_status st = RDC_OK;
    int layers = 0;

    rdc_frame_basics(in, pkt);
    pkt->layers = 0;
    pkt->transport = RDC_TRANSPORT_NONE;
    pkt->kind = RDC_KIND_OTHER;
    pkt->address_kind = RDC_ADDRESS_NONE;
    pkt->has_mac = false;
    pkt->ethertype = 0;
    pkt->src_port = 0;
    pkt->dst_port = 0;
    while (st == RDC_OK && next.space != RDC_SPACE_NONE) {
        if (layers++ == RDC_MAX_LAYERS) {
            pkt->notes |= RDC_NOTE_BIT(DEPTH);
            return;
        }
        st = step(&p, &next);
    }
    if (st == RDC_TRUNCATED)
        pkt->notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
    else if (st == RDC_MALFORMED)
        pkt->notes |= RDC_NOTE_BIT(HEADER_MALFORMED);
}

static enum rdc_status step(struct peel *p, struct rdc_next *next)
{
    switch (next->space) {
    case RDC_SPACE_LINKTYPE:
        return by_linktype(p, next);
    case RDC_SPACE_ETHERTYPE:
        return by_ethertype(p, next);
    case RDC_SPACE_IP_VERSION:
        return peel_ip(p, next->value, next);
    case RDC_SPACE_IP_PROTOCOL:
        return by_ip_protocol(p, next);
    case RDC_SPACE_UDP_PORT:
        return by_udp_port(p, next);
    case RDC_SPACE_GRE_PROTOCOL:
        if (next->value == RDC_ETHERTYPE_ERSPAN || next->value == RDC_ETHERTYPE_ERSPAN_III)
            return rdc_erspan_decode(&p->cur, p->pkt, next);
        return by_ethertype(p, next);
    case RDC_SPACE_LNH:
        return by_lnh(p, next);
    case RDC_SPACE_GRH_NEXT:
        return peel_transport(p, next);
    case RDC_SPACE_NONE:
        break;
    }
    return RDC_UNSUPPORTED;
}

static enum rdc_status by_linktype(struct peel *p, struct rdc_next *next)
{
    switch (next->value) {
    case RDC_LINKTYPE_ETHERNET:
        return rdc_ethernet_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_NULL:
    case RDC_LINKTYPE_LOOP:
        return rdc_null_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_RAW_OLD:
    case RDC_LINKTYPE_RAW_BSD:
    case RDC_LINKTYPE_RAW:
    case RDC_LINKTYPE_IPV4:
    case RDC_LINKTYPE_IPV6:
        return rdc_raw_ip_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_LINUX_SLL:
        return rdc_sll_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_LINUX_SLL2:
        return rdc_sll2_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_ERF:
        /* a record in a record would take the sizes twice */
        if (p->pkt->layers != 0)
            return RDC_UNSUPPORTED;
        return rdc_erf_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_IPOIB:
        return rdc_ipoib_decode(&p->cur, p->pkt, next);
    case RDC_LINKTYPE_INFINIBAND:
        return peel_lrh(p, next);
    case RDC_LINKTYPE_IB_LINK_PACKET:
        return peel_link_packet(p, next);
    default:
        return RDC_UNSUPPORTED;
    }
}

static enum rdc_status by_ethertype(struct peel *p, struct rdc_next *next)
{
    switch (next->value) {
    case RDC_ETHERTYPE_IPV4:
        return peel_ip(p, 4, next);
    case RDC_ETHERTYPE_IPV6:
        return peel_ip(p, 6, next);
    case RDC_ETHERTYPE_VLAN:
    case RDC_ETHERTYPE_QINQ:
    case RDC_ETHERTYPE_VLAN_9100:
    case RDC_ETHERTYPE_VLAN_9200:
    case RDC_ETHERTYPE_CSIG:
        return rdc_vlan_decode(&p->cur, p->pkt, next);
    case RDC_ETHERTYPE_ROCEV1:
        return peel_grh(p, next);
    case RDC_ETHERTYPE_MACCTRL:
        next->space = RDC_SPACE_NONE;
        return rdc_macctrl_decode(&p->cur, p->pkt);
    case RDC_ETHERTYPE_TEB:
        return rdc_ethernet_decode(&p->cur, p->pkt, next);
    case RDC_ETHERTYPE_MPLS:
    case RDC_ETHERTYPE_MPLS_MULTICAST:
        return rdc_mpls_decode(&p->cur, p->pkt, next);
    default:
        return RDC_UNSUPPORTED;
    }
}

static enum rdc_status by_ip_protocol(struct peel *p, struct rdc_next *next)
{
    switch (next->value) {
    case RDC_IP_UDP:
        p->udp = p->cur.at;
        return rdc_udp_decode(&p->cur, p->pkt, next);
    case RDC_IP_TCP:
        return rdc_tcp_decode(&p->cur, p->pkt, next);
    case RDC_IP_HOP_BY_HOP:
    case RDC_IP_ROUTING:
    case RDC_IP_FRAGMENT:
    case RDC_IP_DESTINATION:
    case RDC_IP_AH: {
        enum rdc_status st = rdc_ip_extension_decode(&p->cur, p->pkt, next);

        p->fragment |= p->pkt->ip.fragment;
        return st;
    }
    case RDC_IP_GRE:
        return rdc_gre_decode(&p->cur, p->pkt, next);
    case RDC_IP_IPV4:
        return peel_ip_in_ip(p, 4, next);
    case RDC_IP_IPV6:
        return peel_ip_in_ip(p, 6, next);
    case RDC_IP_MPLS:
        return rdc_mpls_decode(&p->cur, p->pkt, next);
    default:
        return RDC_UNSUPPORTED;
    }
}

/* RoCEv2 is so by its destination port, whatever the source port is. */
static enum rdc_status by_udp_port(struct peel *p, struct rdc_next *next)
{
    if (next->value == RDC_ROCEV2_PORT)
        return peel_roce(p, next);
    for (int i = 0; i < p->config->extra_port_count; i++)
        if (next->value == p->config->extra_ports[i])
            return peel_roce(p, next);
    switch (next->value) {
    case PORT_VXLAN:
    case PORT_VXLAN_OLD:
        return rdc_vxlan_decode(&p->cur, p->pkt, next);
    case PORT_GENEVE:
        return rdc_geneve_decode(&p->cur, p->pkt, next);
    default:
        return RDC_UNSUPPORTED;
    }
}

static enum rdc_status by_lnh(struct peel *p, struct rdc_next *next)
{
    switch (next->value) {
    case RDC_LNH_BTH:
        return peel_transport(p, next);
    case RDC_LNH_GRH:
        return peel_grh(p, next);
    default:
        return rdc_raw_infiniband_decode(&p->cur, p->pkt, next);
    }
}

static enum rdc_status peel_ip(struct peel *p, uint32_t version, struct rdc_next *next)
{
    enum rdc_status st;

    p->ip = p->cur.at;
    st = version == 4 ? rdc_ipv4_decode(&p->cur, p->pkt, next)
                      : rdc_ipv6_decode(&p->cur, p->pkt, next);
    if (st == RDC_OK)
        p->fragment |= p->pkt->ip.fragment;
    return st;
}

static enum rdc_status peel_ip_in_ip(struct peel *p, uint32_t version, struct rdc_next *next)
{
    struct rdc_tunnel tunnel = {.kind = RDC_TUNNEL_IPIP, .ecn = p->pkt->ip.ecn};
    enum rdc_status st = peel_ip(p, version, next);

    if (st == RDC_OK)
        rdc_add_tunnel(p->pkt, tunnel);
    return st;
}

static enum rdc_status peel_link_packet(struct peel *p, struct rdc_next *next)
{
    struct rdc_flow_control *fc = &p->pkt->flow_control;
    enum rdc_status st = rdc_flow_control_decode(&p->cur, fc);

    if (st != RDC_OK)
        return st;
    next->space = RDC_SPACE_NONE;
    p->pkt->transport = RDC_TRANSPORT_IB;
    p->pkt->kind = RDC_KIND_FLOW_CONTROL;
    if (!p->config->skip_checksums && !rdc_flow_control_crc_ok(fc))
        p->pkt->notes |= RDC_NOTE_BIT(LPCRC_BAD);
    return RDC_OK;
}

static enum rdc_status peel_lrh(struct peel *p, struct rdc_next *next)
{
    struct rdc_cursor whole = p->cur;
    enum rdc_status st = rdc_local_route_decode(&p->cur, p->pkt, next);
    size_t size;

    if (st != RDC_OK)
        return st;
    p->lrh = whole.at;
    size = (size_t)p->pkt->lrh.length * 4;
    if (whole.captured >= size + RDC_VCRC_LEN)
        p->vcrc = whole.at + size;
    return RDC_OK;
}

static enum rdc_status peel_grh(struct peel *p, struct rdc_next *next)
{
    p->grh = p->cur.at;
    return rdc_global_route_decode(&p->cur, p->pkt, next);
}

static enum rdc_status peel_roce(struct peel *p, struct rdc_next *next)
{
    const struct rdc_envelope env = {
        .transport = RDC_TRANSPORT_ROCEV2,
        .ip = p->ip,
        .udp = p->udp,
        .fragment = p->fragment,
    };

    next->space = RDC_SPACE_NONE;
    rdc_transport_decode(p->config, &p->cur, &env, p->pkt);
    return RDC_OK;
}

/* Behind an LRH or a GRH; without an LRH it is RoCEv1. */
static enum rdc_status peel_transport(struct peel *p, struct rdc_next *next)
{
    const struct rdc_envelope env = {
        .transport = p->lrh != NULL ? RDC_TRANSPORT_IB : RDC_TRANSPORT_ROCEV1,
        .lrh = p->lrh,
        .grh = p->grh,
        .vcrc = p->vcrc,
        .fragment = p->fragment,
    };

    next->space = RDC_SPACE_NONE;
    rdc_transport_decode(p->config, &p->cur, &env, p->pkt);
    return RDC_OK;
}
