/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decoded packets for tests of the flow engine, made from a few choices instead of from bytes. What
 * is not chosen is as two hosts 10.0.0.1 and 10.0.0.2 would send it over RoCEv2.
 */
#ifndef FLOW_TEST_BUILD_H
#define FLOW_TEST_BUILD_H

#include <string.h>

#include "rdc/packet.h"

enum {
    BUILD_PMTU = 1024,
    BUILD_SHORT = 64, /* payload of a packet that ends its message */
    BUILD_PORT = 50000,
    BUILD_QPN_A = 0x11,
    BUILD_QPN_B = 0x22,
    BUILD_DEFAULT_SIZE = -1,
    BUILD_MAD_SIZE = 256,
};

enum build_encapsulation {
    BUILD_ROCEV2_IPV4,
    BUILD_ROCEV2_IPV6,
    BUILD_ROCEV1,
    BUILD_IB_LID,
    BUILD_IB_GID,
    BUILD_ENCAPSULATIONS,
};

struct build {
    uint64_t frame;
    int64_t time_ns;
    uint8_t opcode;
    bool back;         /* from host B to host A */
    uint8_t host_a;    /* last byte of the address; 0: 1 */
    uint8_t host_b;    /* 0: 2 */
    uint32_t dest_qpn; /* 0: BUILD_QPN_B, or BUILD_QPN_A when `back` */
    uint32_t src_qpn;  /* of UD; 0: the other one of these */
    uint32_t psn;
    int64_t size; /* payload, of a READ request DMALen; BUILD_DEFAULT_SIZE: by the opcode */
    uint8_t aeth_kind;
    uint8_t aeth_value;
    uint16_t ip_id; /* 0: no identification */
    uint16_t port;  /* 0: BUILD_PORT */
    uint8_t encapsulation;
    uint8_t ecn;
    uint8_t salt; /* something else in the headers that tells two packets apart */
    bool ack_req;
    bool fecn;
    bool icrc_bad;
    bool icrc_unchecked; /* cut off */
    bool ip_checksum_bad;
    bool exts_cut;  /* extension headers were not captured */
    uint8_t vlan;   /* 0: none; PCP + 1 */
    uint8_t tunnel; /* 0: none; enum rdc_tunnel_kind + 1 */
    uint32_t tunnel_id;
    uint32_t interface;
};

static inline uint32_t build_mix(uint32_t hash, uint32_t value)
{
    hash = (hash ^ value) * 0x01000193u;
    return hash ^ hash >> 15;
}

static inline uint32_t build_payload(const struct build *b, const struct rdc_opcode_info *op)
{
    if (!op->payload)
        return 0;
    if (b->size != BUILD_DEFAULT_SIZE)
        return (uint32_t)b->size;
    return rdc_position_ends(op->position) ? BUILD_SHORT : BUILD_PMTU;
}

static inline void build_address(uint8_t address[16], uint8_t encapsulation, uint8_t host)
{
    memset(address, 0, 16);
    if (encapsulation == BUILD_ROCEV2_IPV4) {
        address[0] = 10;
        address[3] = host;
    } else if (encapsulation == BUILD_IB_LID) {
        address[1] = host;
    } else {
        address[0] = 0xfe;
        address[1] = 0x80;
        address[15] = host;
    }
}

static inline void build_link(const struct build *b, struct rdc_packet *pkt)
{
    static const uint8_t kinds[BUILD_ENCAPSULATIONS] = {
        RDC_ADDRESS_IPV4, RDC_ADDRESS_IPV6, RDC_ADDRESS_GID, RDC_ADDRESS_LID, RDC_ADDRESS_GID};
    uint8_t a = b->host_a != 0 ? b->host_a : 1, to = b->host_b != 0 ? b->host_b : 2;
    bool v2 = b->encapsulation <= BUILD_ROCEV2_IPV6;

    pkt->transport = v2                                 ? RDC_TRANSPORT_ROCEV2
                     : b->encapsulation == BUILD_ROCEV1 ? RDC_TRANSPORT_ROCEV1
                                                        : RDC_TRANSPORT_IB;
    pkt->address_kind = kinds[b->encapsulation];
    build_address(pkt->src, b->encapsulation, b->back ? to : a);
    build_address(pkt->dst, b->encapsulation, b->back ? a : to);
    if (v2) {
        bool v4 = b->encapsulation == BUILD_ROCEV2_IPV4;

        pkt->layers |= 1u << (v4 ? RDC_LAYER_IPV4 : RDC_LAYER_IPV6) | 1u << RDC_LAYER_UDP;
        pkt->src_port = b->port != 0 ? b->port : BUILD_PORT;
        pkt->dst_port = RDC_ROCEV2_PORT;
        pkt->ip = (struct rdc_ip){.ecn = b->ecn,
                                  .id = v4 ? b->ip_id : 0,
                                  .protocol = 17,
                                  .ttl = 64,
                                  .checksum_bad = v4 && b->ip_checksum_bad};
    }
    if (b->vlan != 0) {
        pkt->vlan_count = 1;
        pkt->vlans[0] = (struct rdc_vlan){.tpid = 0x8100, .id = 5, .pcp = (b->vlan - 1) & 7};
    }
    if (b->tunnel != 0) {
        pkt->tunnel_count = 1;
        pkt->tunnels[0] = (struct rdc_tunnel){
            .kind = b->tunnel - 1, .has_id = b->tunnel_id != 0, .id = b->tunnel_id};
    }
}

/* What is not set by the decoder is set to rubbish: the engine must not look at it. */
static inline struct rdc_packet build_packet(const struct build *b)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[b->opcode];
    uint32_t length = b->size != BUILD_DEFAULT_SIZE ? (uint32_t)b->size : BUILD_SHORT;
    struct rdc_packet pkt;
    struct rdc_exts *ext = &pkt.ib.ext;

    memset(&pkt, 0xa5, sizeof(pkt));
    pkt.frame = b->frame;
    pkt.time_ns = b->time_ns;
    pkt.interface = b->interface;
    pkt.linktype = RDC_LINKTYPE_ETHERNET;
    pkt.layers = 1u << RDC_LAYER_ETHERNET;
    pkt.notes = 0;
    pkt.kind = RDC_KIND_BTH;
    pkt.refusal = RDC_REFUSAL_NONE;
    pkt.vlan_count = pkt.tunnel_count = 0;
    pkt.has_mac = false;
    pkt.src_port = pkt.dst_port = 0;
    pkt.ip = (struct rdc_ip){0};
    build_link(b, &pkt);
    pkt.ib = (struct rdc_ib_packet){
        .bth = {.opcode = b->opcode,
                .pkey = 0xffff,
                .fecn = b->fecn,
                .dest_qpn = b->dest_qpn != 0 ? b->dest_qpn
                            : b->back        ? BUILD_QPN_A
                                             : BUILD_QPN_B,
                .ack_req = b->ack_req,
                .psn = b->psn & RDC_PSN_MASK},
        .payload_size = build_payload(b, op),
        .complete = !b->exts_cut,
    };
    memset(ext, 0xa5, sizeof(*ext));
    ext->present = b->exts_cut ? 0 : op->ext;
    ext->reth =
        (struct rdc_reth){.length = op->operation == RDC_OP_READ ? length : pkt.ib.payload_size};
    ext->deth = (struct rdc_deth){.src_qpn = b->src_qpn != 0 ? b->src_qpn
                                             : b->back       ? BUILD_QPN_B
                                                             : BUILD_QPN_A};
    ext->aeth = (struct rdc_aeth){.kind = b->aeth_kind, .value = b->aeth_value};
    pkt.ib.headers_hash = build_mix(build_mix(build_mix(2166136261u, b->opcode), pkt.ib.bth.psn),
                                    pkt.ib.bth.dest_qpn << 1 | b->ack_req);
    pkt.ib.headers_hash = build_mix(build_mix(pkt.ib.headers_hash, ext->reth.length),
                                    (uint32_t)b->aeth_kind << 16 | b->aeth_value);
    pkt.ib.headers_hash = build_mix(pkt.ib.headers_hash, b->salt);
    pkt.ib.icrc_check = b->icrc_unchecked ? RDC_CHECK_TRUNCATED
                        : b->icrc_bad     ? RDC_CHECK_BAD
                                          : RDC_CHECK_OK;
    pkt.ib.vcrc_check = RDC_CHECK_ABSENT;
    pkt.ib.icrc_captured = !b->icrc_unchecked;
    pkt.ib.icrc = b->icrc_unchecked ? 0 : build_mix(pkt.ib.headers_hash, 0x1c2c);
    pkt.wire_size = 14 + 20 + 8 + RDC_BTH_LEN + op->ext_size + pkt.ib.payload_size + RDC_ICRC_LEN;
    pkt.captured_size = pkt.wire_size - (b->icrc_unchecked ? RDC_ICRC_LEN : 0);
    pkt.truncated = b->icrc_unchecked;
    return pkt;
}

struct build_cm {
    uint32_t cid, rid; /* communication id of the sender, of the other */
    uint32_t qpn;
    uint8_t timeout, mtu; /* codes */
};

static inline void build_put(uint8_t *at, uint32_t value, int bytes)
{
    while (bytes-- > 0) {
        at[bytes] = (uint8_t)value;
        value >>= 8;
    }
}

/* Makes the packet a MAD of class CM (IBTA vol. 1, 12.6) with what the engine reads; its PSN
 * becomes the starting PSN. `mad` stays borrowed. */
static inline void build_cm_message(struct rdc_packet *pkt, uint8_t mad[BUILD_MAD_SIZE],
                                    uint8_t message, const struct build_cm *cm)
{
    uint8_t *data = mad + 24;

    memset(mad, 0, BUILD_MAD_SIZE);
    mad[0] = 1;
    mad[1] = 7;
    mad[2] = 2;
    mad[3] = 3;
    mad[17] = message;
    build_put(data, cm->cid, 4);
    build_put(data + 4, cm->rid, 4);
    if (message == 0x10) {
        build_put(data + 4, 0, 4);
        build_put(data + 12, 0x01064444, 4);
        build_put(data + 32, cm->qpn, 3);
        build_put(data + 44, pkt->ib.bth.psn, 3);
        data[50] = (uint8_t)(cm->mtu << 4);
        data[95] = (uint8_t)(cm->timeout << 3);
    } else if (message == 0x13) {
        build_put(data + 12, cm->qpn, 3);
        build_put(data + 20, pkt->ib.bth.psn, 3);
    }
    pkt->ib.bth.dest_qpn = 1;
    pkt->ib.bth.psn = 0;
    pkt->ib.payload = mad;
    pkt->ib.payload_size = pkt->ib.payload_captured = BUILD_MAD_SIZE;
}

#endif
