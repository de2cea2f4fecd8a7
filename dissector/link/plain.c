/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The door of the core, and the stack of headers that nearly all packets have, in one go: Ethernet
 * II, perhaps one VLAN tag, IPv4 without options or IPv6, UDP to RoCEv2's port, BTH, the opcode's
 * extension headers. All is checked before anything is set; whatever is odd in any way (lengths
 * that disagree, a fragment, a header cut off, reserved bits: what would be noted) is left to
 * peel.c, which begins again. Where both can decode a frame, they say the same.
 */
#include "ib/bth.h"
#include "ib/transport.h"
#include "link/ethernet.h"
#include "link/frame.h"
#include "link/ipv4.h"
#include "link/ipv6.h"
#include "link/peel.h"
#include "link/udp.h"
#include "link/vlan.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    IPV4_VERSION_AND_SIZE = 0x45,
    IPV4_FRAGMENT_AND_PROTOCOL = 0x3fff00ff, /* of the word flags, offset, TTL, protocol */
    IPV6_VERSION = 6,

    /* those without rules of their own */
    PLAIN_SERVICES = 1 << RDC_SERVICE_RC | 1 << RDC_SERVICE_UC | 1 << RDC_SERVICE_RD |
                     1 << RDC_SERVICE_UD | 1 << RDC_SERVICE_XRC,
};

/* A frame from its IP header on */
struct plain {
    const uint8_t *ip;
    size_t captured;
    size_t wire;
};

/* From the BTH through the ICRC */
struct transport {
    const uint8_t *bth;
    size_t captured;
    size_t wire;
    uint64_t first; /* 8 bytes of the BTH */
    uint32_t last;
    const struct rdc_opcode_info *op;
    size_t headers; /* BTH and the opcode's extension headers */
    size_t payload;
};

static bool decode(const struct rdc_config *config, const struct rdc_input *in,
                   struct rdc_packet *pkt);
static uint16_t find_ip(const struct rdc_input *in, struct plain *f);
static bool ipv4_is_plain(const struct plain *f);
static bool ipv6_is_plain(const struct plain *f);
static bool find_transport(const struct plain *f, size_t ip_size, size_t length,
                           struct transport *t);
static bool bth_is_plain(struct transport *t);
static void set_link(const struct rdc_input *in, enum rdc_layer ip, struct rdc_packet *pkt);
static void set_vlan(const uint8_t *tag, struct rdc_packet *pkt);
static void set_transport(const struct transport *t, struct rdc_packet *pkt);
static void set_icrc(const struct plain *f, const struct transport *t, bool skip,
                     struct rdc_packet *pkt);

__attribute__((flatten)) void rdc_decode(const struct rdc_config *config,
                                         const struct rdc_input *in, struct rdc_packet *pkt)
{
    if (!decode(config, in, pkt))
        rdc_peel_decode(config, in, pkt);
}

bool rdc_plain_decode(const struct rdc_config *config, const struct rdc_input *in,
                      struct rdc_packet *pkt)
{
    return decode(config, in, pkt);
}

INLINE bool decode(const struct rdc_config *config, const struct rdc_input *restrict in,
                   struct rdc_packet *restrict pkt)
{
    struct plain f;
    struct transport t;

    switch (find_ip(in, &f)) {
    case RDC_ETHERTYPE_IPV4:
        if (!ipv4_is_plain(&f) ||
            !find_transport(&f, RDC_IPV4_LEN, rdc_be16(f.ip + 2) - (size_t)RDC_IPV4_LEN, &t))
            return false;
        set_link(in, RDC_LAYER_IPV4, pkt);
        rdc_ipv4_fields(f.ip, pkt);
        break;
    case RDC_ETHERTYPE_IPV6:
        if (!ipv6_is_plain(&f) || !find_transport(&f, RDC_IPV6_LEN, rdc_be16(f.ip + 4), &t))
            return false;
        set_link(in, RDC_LAYER_IPV6, pkt);
        rdc_ipv6_fields(f.ip, pkt);
        break;
    default:
        return false;
    }
    if (f.ip != in->bytes + RDC_ETHERNET_LEN)
        set_vlan(f.ip - RDC_VLAN_LEN, pkt);
    set_transport(&t, pkt);
    set_icrc(&f, &t, config->skip_checksums, pkt);
    return true;
}

/* Returns the ethertype behind the Ethernet header and one VLAN tag at most; 0: none */
INLINE uint16_t find_ip(const struct rdc_input *in, struct plain *f)
{
    uint32_t captured = in->captured, wire = in->wire;
    size_t before = RDC_ETHERNET_LEN;
    uint16_t type;

    if (in->linktype != RDC_LINKTYPE_ETHERNET || captured > wire || in->time_ns < 0 ||
        in->time_ns > RDC_TIME_LAST_NS)
        return 0;
    if (in->fcs_size > 0) {
        struct rdc_cursor cur = rdc_frame_cursor(in);

        captured = (uint32_t)cur.captured;
        wire = (uint32_t)cur.wire;
    }
    if (captured < RDC_ETHERNET_LEN + RDC_VLAN_LEN)
        return 0;
    type = rdc_be16(in->bytes + RDC_ETHERNET_LEN - 2);
    if (type == RDC_ETHERTYPE_VLAN) {
        before += RDC_VLAN_LEN;
        type = rdc_be16(in->bytes + RDC_ETHERNET_LEN + RDC_VLAN_LEN - 2);
    }
    *f = (struct plain){in->bytes + before, captured - before, wire - before};
    return type;
}

INLINE bool ipv4_is_plain(const struct plain *f)
{
    const uint8_t *ip = f->ip;

    return f->captured >= RDC_IPV4_LEN && ip[0] == IPV4_VERSION_AND_SIZE &&
           (rdc_be32(ip + 6) & IPV4_FRAGMENT_AND_PROTOCOL) == RDC_IP_UDP &&
           (rdc_be16(ip + 10) == 0 || rdc_ipv4_sum_is_good(ip, RDC_IPV4_LEN));
}

INLINE bool ipv6_is_plain(const struct plain *f)
{
    return f->captured >= RDC_IPV6_LEN && f->ip[0] >> 4 == IPV6_VERSION && f->ip[6] == RDC_IP_UDP;
}

/* `length`: of the IP packet behind its header, with which UDP must agree. What is behind it in the
 * frame is trailer. */
INLINE bool find_transport(const struct plain *f, size_t ip_size, size_t length,
                           struct transport *t)
{
    const uint8_t *udp = f->ip + ip_size;
    const size_t before = ip_size + RDC_UDP_LEN;

    if (f->captured < before + RDC_BTH_LEN || length < RDC_UDP_LEN || length > f->wire - ip_size ||
        rdc_be32(udp + 2) != ((uint32_t)RDC_ROCEV2_PORT << 16 | length))
        return false;
    t->bth = f->ip + before;
    t->wire = length - RDC_UDP_LEN;
    t->captured = f->captured - before < t->wire ? f->captured - before : t->wire;
    return bth_is_plain(t);
}

INLINE bool bth_is_plain(struct transport *t)
{
    size_t around;

    t->first = rdc_be64(t->bth);
    t->last = rdc_be32(t->bth + 8);
    t->op = &rdc_opcode_table[t->first >> 56];
    t->headers = RDC_BTH_LEN + (size_t)t->op->ext_size;
    around = t->headers + (size_t)(t->first >> 52 & 0x3) + RDC_ICRC_LEN;
    t->payload = t->wire - around;
    return (PLAIN_SERVICES >> t->op->service & 1) != 0 &&
           (t->first & (RDC_BTH_VERSION | RDC_BTH_RESERVED)) == 0 &&
           (t->last & RDC_BTH_RESERVED_LAST) == 0 && t->captured >= t->headers && t->wire >= around;
}

INLINE void set_link(const struct rdc_input *in, enum rdc_layer ip, struct rdc_packet *pkt)
{
    pkt->time_ns = in->time_ns;
    pkt->wire_size = in->wire;
    pkt->captured_size = in->captured;
    pkt->interface = in->interface;
    pkt->linktype = RDC_LINKTYPE_ETHERNET;
    pkt->truncated = in->captured < in->wire;
    pkt->notes = 0;
    pkt->refusal = RDC_REFUSAL_NONE;
    pkt->vlan_count = 0;
    pkt->tunnel_count = 0;
    memcpy(pkt->macs, in->bytes, sizeof pkt->macs);
    pkt->has_mac = true;
    pkt->layers = 1u << RDC_LAYER_ETHERNET | 1u << ip | 1u << RDC_LAYER_UDP;
    pkt->address_kind = ip == RDC_LAYER_IPV4 ? RDC_ADDRESS_IPV4 : RDC_ADDRESS_IPV6;
    pkt->ethertype = ip == RDC_LAYER_IPV4 ? RDC_ETHERTYPE_IPV4 : RDC_ETHERTYPE_IPV6;
    pkt->ip.fragment = false;
    pkt->ip.later_fragment = false;
    pkt->ip.checksum_bad = false;
    pkt->ip.protocol = RDC_IP_UDP;
}

INLINE void set_vlan(const uint8_t *tag, struct rdc_packet *pkt)
{
    rdc_mark(pkt, RDC_LAYER_VLAN);
    pkt->vlan_count = 1;
    pkt->vlans[0] = rdc_vlan_from_wire(RDC_ETHERTYPE_VLAN, tag);
}

INLINE void set_transport(const struct transport *t, struct rdc_packet *pkt)
{
    struct rdc_ib_packet *ib = &pkt->ib;
    const uint8_t *behind = t->bth + RDC_BTH_LEN;
    size_t there = t->captured - t->headers;

    pkt->src_port = rdc_be16(t->bth - RDC_UDP_LEN);
    pkt->dst_port = RDC_ROCEV2_PORT;
    pkt->transport = RDC_TRANSPORT_ROCEV2;
    pkt->kind = RDC_KIND_BTH;
    rdc_bth_fields(t->first, t->last, &ib->bth);
    ib->bth.tver = 0;
    ib->headers_hash = rdc_headers_hash(t->first, t->last, behind, t->headers - RDC_BTH_LEN);
    ib->payload_size = (uint32_t)t->payload;
    ib->payload_captured = (uint32_t)(there < t->payload ? there : t->payload);
    ib->payload = ib->payload_captured > 0 ? t->bth + t->headers : NULL;
    ib->ext.present = 0;
    if (t->op->ext == 0)
        return;
    rdc_exts_from_wire(behind, t->op->ext, &ib->ext);
    if ((t->op->ext & RDC_EXT_AETH) != 0 && rdc_aeth_is_reserved(&ib->ext.aeth))
        pkt->notes |= RDC_NOTE_BIT(AETH_RESERVED);
}

static __attribute__((noinline)) uint8_t check_icrc(const uint8_t *ip, const uint8_t *bth,
                                                    size_t size, struct rdc_packet *pkt)
{
    const struct rdc_envelope env = {
        .transport = RDC_TRANSPORT_ROCEV2, .ip = ip, .udp = bth - RDC_UDP_LEN};

    return (uint8_t)rdc_transport_icrc(&env, bth, size, pkt);
}

INLINE void set_icrc(const struct plain *f, const struct transport *t, bool skip,
                     struct rdc_packet *pkt)
{
    struct rdc_ib_packet *ib = &pkt->ib;
    size_t size = t->wire - RDC_ICRC_LEN;

    if (t->captured < t->wire) {
        ib->icrc_check = RDC_CHECK_TRUNCATED;
        ib->vcrc_check = RDC_CHECK_ABSENT;
        ib->icrc_captured = false;
        ib->complete = true;
        ib->icrc = 0;
    } else {
        ib->vcrc_check = RDC_CHECK_ABSENT;
        ib->icrc_captured = true;
        ib->complete = true;
        ib->icrc = rdc_be32(t->bth + size);
        if (!skip)
            ib->icrc_check = check_icrc(f->ip, t->bth, size, pkt);
    }
    if (skip)
        ib->icrc_check = RDC_CHECK_SKIPPED;
}
