/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether two packets say the same, by what rdc/packet.h promises to set: what it leaves unset may
 * differ.
 */
#ifndef UNIT_DISSECTOR_SAME_H
#define UNIT_DISSECTOR_SAME_H

#include <string.h>

#include "rdc/packet.h"

#define SAME(member)                                                                               \
    do {                                                                                           \
        if (a->member != b->member)                                                                \
            return #member;                                                                        \
    } while (0)
#define SAME_BYTES(member)                                                                         \
    do {                                                                                           \
        if (memcmp(a->member, b->member, sizeof a->member) != 0)                                   \
            return #member;                                                                        \
    } while (0)

/* Each returns the first member that differs; NULL: none does. */
static inline const char *same_exts(const struct rdc_exts *a, const struct rdc_exts *b)
{
    SAME(present);
    if ((a->present & RDC_EXT_FETH) != 0) {
        SAME(feth.plt);
        SAME(feth.sel);
    }
    if ((a->present & RDC_EXT_AETH) != 0) {
        SAME(aeth.syndrome);
        SAME(aeth.kind);
        SAME(aeth.value);
        SAME(aeth.msn);
    }
    if ((a->present & RDC_EXT_RETH) != 0) {
        SAME(reth.va);
        SAME(reth.rkey);
        SAME(reth.length);
    }
    if ((a->present & RDC_EXT_DETH) != 0) {
        SAME(deth.qkey);
        SAME(deth.src_qpn);
    }
    if ((a->present & RDC_EXT_ATOMIC_ETH) != 0) {
        SAME(atomic_eth.va);
        SAME(atomic_eth.rkey);
        SAME(atomic_eth.swap_add);
        SAME(atomic_eth.compare);
    }
    if ((a->present & RDC_EXT_IMM) != 0)
        SAME(imm);
    if ((a->present & RDC_EXT_IETH) != 0)
        SAME(ieth_rkey);
    if ((a->present & RDC_EXT_ATOMIC_ACK_ETH) != 0)
        SAME(atomic_ack_original);
    if ((a->present & RDC_EXT_RDETH) != 0)
        SAME(rdeth_ee);
    if ((a->present & RDC_EXT_XRCETH) != 0)
        SAME(xrceth_srq);
    return NULL;
}

static inline const char *same_ib(const struct rdc_ib_packet *a, const struct rdc_ib_packet *b)
{
    SAME(bth.opcode);
    SAME(bth.solicited);
    SAME(bth.migrated);
    SAME(bth.pad);
    SAME(bth.tver);
    SAME(bth.fecn);
    SAME(bth.becn);
    SAME(bth.ack_req);
    SAME(bth.dest_qpn);
    SAME(bth.psn);
    SAME(bth.pkey);
    SAME(icrc_check);
    SAME(vcrc_check);
    SAME(icrc_captured);
    SAME(icrc);
    SAME(complete);
    SAME(headers_hash);
    SAME(payload_size);
    SAME(payload_captured);
    SAME(payload);
    return same_exts(&a->ext, &b->ext);
}

static inline const char *same_tcp(const struct rdc_tcp *a, const struct rdc_tcp *b)
{
    SAME(seq);
    SAME(ack);
    SAME(flags);
    SAME(payload_size);
    SAME(payload_captured);
    SAME(payload);
    return NULL;
}

static inline const char *same_link(const struct rdc_packet *a, const struct rdc_packet *b)
{
    SAME(time_ns);
    SAME(wire_size);
    SAME(captured_size);
    SAME(interface);
    SAME(linktype);
    SAME(truncated);
    SAME(layers);
    SAME(ethertype);
    SAME(has_mac);
    SAME(address_kind);
    SAME(vlan_count);
    SAME(tunnel_count);
    if (a->has_mac)
        SAME_BYTES(src_mac);
    if (a->has_mac && (a->layers & 1u << RDC_LAYER_ETHERNET) != 0)
        SAME_BYTES(dst_mac);
    if (a->address_kind != RDC_ADDRESS_NONE) {
        SAME_BYTES(src);
        SAME_BYTES(dst);
    }
    if ((a->layers & (1u << RDC_LAYER_IPV4 | 1u << RDC_LAYER_IPV6)) != 0) {
        SAME(ip.id);
        SAME(ip.dscp);
        SAME(ip.ecn);
        SAME(ip.ttl);
        SAME(ip.dont_fragment);
        SAME(ip.fragment);
        SAME(ip.later_fragment);
        SAME(ip.checksum_bad);
        SAME(ip.protocol);
    }
    for (uint8_t i = 0; i < a->vlan_count; i++) {
        SAME(vlans[i].tpid);
        SAME(vlans[i].id);
        SAME(vlans[i].pcp);
        SAME(vlans[i].dei);
    }
    for (uint8_t i = 0; i < a->tunnel_count; i++) {
        SAME(tunnels[i].kind);
        SAME(tunnels[i].ecn);
        SAME(tunnels[i].has_id);
    }
    return NULL;
}

static inline const char *same_packet(const struct rdc_packet *a, const struct rdc_packet *b)
{
    const char *differs = same_link(a, b);

    if (differs != NULL)
        return differs;
    SAME(notes);
    SAME(transport);
    SAME(kind);
    SAME(refusal);
    SAME(src_port);
    SAME(dst_port);
    if (a->kind == RDC_KIND_BTH)
        return same_ib(&a->ib, &b->ib);
    return a->kind == RDC_KIND_TCP ? same_tcp(&a->tcp, &b->tcp) : NULL;
}

#undef SAME
#undef SAME_BYTES

#endif
