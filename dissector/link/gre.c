/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * GRE (RFC 2784, RFC 2890) and what is built on it: NVGRE (RFC 7637) and ERSPAN, the mirror of
 * switches (draft-foschiano-erspan).
 */
#include "link/link.h"

enum {
    GRE_LEN = 4,
    GRE_CHECKSUM = 0x8000,
    GRE_ROUTING = 0x4000,
    GRE_KEY = 0x2000,
    GRE_SEQUENCE = 0x1000,
    GRE_VERSION = 0x0007,
    WORD_LEN = 4,
    ERSPAN_II_LEN = 8,
    ERSPAN_III_LEN = 12,
    ERSPAN_III_PLATFORM_LEN = 8,
    ERSPAN_VERSION_II = 1,
    ERSPAN_VERSION_III = 2,
    ERSPAN_FRAME_IP = 2,
};

static struct rdc_tunnel tunnel_of(const struct rdc_packet *pkt, uint16_t protocol,
                                   const uint8_t *key);
static enum rdc_status take_erspan_iii(struct rdc_cursor *cur, struct rdc_next *next);

/*  checksum:1 routing:1 key:1 sequence:1 reserved:9 version:3 protocol:16
 *  [checksum:16 reserved:16] [key:32] [sequence:32]
 *
 * Version 1 (PPTP) and source routing are not ours. ERSPAN I is GRE without sequence number, then
 * the frame; II and III have a header of their own. */
enum rdc_status rdc_gre_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                               struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *options;
    enum rdc_status st = rdc_take(&rest, GRE_LEN, &p);
    uint16_t flags, protocol;
    size_t checksum, key, sequence;

    if (st != RDC_OK)
        return st;
    flags = rdc_be16(p);
    protocol = rdc_be16(p + 2);
    if ((flags & (GRE_ROUTING | GRE_VERSION)) != 0)
        return RDC_UNSUPPORTED;
    checksum = (flags & GRE_CHECKSUM) != 0 ? WORD_LEN : 0;
    key = (flags & GRE_KEY) != 0 ? WORD_LEN : 0;
    sequence = (flags & GRE_SEQUENCE) != 0 ? WORD_LEN : 0;
    st = rdc_take(&rest, checksum + key + sequence, &options);
    if (st != RDC_OK)
        return st;
    *cur = rest;
    rdc_mark(pkt, RDC_LAYER_GRE);
    pkt->ethertype = protocol;
    if (protocol == RDC_ETHERTYPE_ERSPAN && sequence == 0) {
        rdc_mark(pkt, RDC_LAYER_ERSPAN);
        rdc_add_tunnel(pkt, (struct rdc_tunnel){.kind = RDC_TUNNEL_ERSPAN, .ecn = pkt->ip.ecn});
        protocol = RDC_ETHERTYPE_TEB;
    } else if (protocol != RDC_ETHERTYPE_ERSPAN && protocol != RDC_ETHERTYPE_ERSPAN_III) {
        rdc_add_tunnel(pkt, tunnel_of(pkt, protocol, key != 0 ? options + checksum : NULL));
        if (protocol == RDC_ETHERTYPE_TEB && key != 0)
            rdc_mark(pkt, RDC_LAYER_NVGRE);
    }
    *next = (struct rdc_next){RDC_SPACE_GRE_PROTOCOL, protocol};
    return RDC_OK;
}

/*  version:4 vlan:12 cos:3 encap:2 truncated:1 session:10
 *  II: reserved:12 index:20
 *  III: timestamp:32 security group:16 p:1 frame type:5 hardware:6 d:1 granularity:2 o:1
 *       [platform subheader:64] when o is set */
enum rdc_status rdc_erspan_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                  struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    struct rdc_next inner = {RDC_SPACE_GRE_PROTOCOL, RDC_ETHERTYPE_TEB};
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, ERSPAN_II_LEN, &p);

    if (st != RDC_OK)
        return st;
    if (p[0] >> 4 == ERSPAN_VERSION_III) {
        rest = *cur;
        st = take_erspan_iii(&rest, &inner);
        if (st != RDC_OK)
            return st;
    } else if (p[0] >> 4 != ERSPAN_VERSION_II) {
        return RDC_UNSUPPORTED;
    }
    *cur = rest;
    rdc_mark(pkt, RDC_LAYER_ERSPAN);
    rdc_add_tunnel(pkt, (struct rdc_tunnel){.kind = RDC_TUNNEL_ERSPAN,
                                            .ecn = pkt->ip.ecn,
                                            .has_id = true,
                                            .id = rdc_be16(p + 2) & 0x3ff});
    *next = inner;
    return RDC_OK;
}

/* NVGRE's key is a virtual subnet of 24 bits and a flow id of 8. */
static struct rdc_tunnel tunnel_of(const struct rdc_packet *pkt, uint16_t protocol,
                                   const uint8_t *key)
{
    struct rdc_tunnel tunnel = {.kind = RDC_TUNNEL_GRE, .ecn = pkt->ip.ecn};

    if (key == NULL)
        return tunnel;
    tunnel.has_id = true;
    tunnel.id = rdc_be32(key);
    if (protocol == RDC_ETHERTYPE_TEB) {
        tunnel.kind = RDC_TUNNEL_NVGRE;
        tunnel.id >>= 8;
    }
    return tunnel;
}

static enum rdc_status take_erspan_iii(struct rdc_cursor *cur, struct rdc_next *next)
{
    const uint8_t *p, *platform;
    enum rdc_status st = rdc_take(cur, ERSPAN_III_LEN, &p);

    if (st != RDC_OK)
        return st;
    if ((p[11] & 0x01) != 0) {
        st = rdc_take(cur, ERSPAN_III_PLATFORM_LEN, &platform);
        if (st != RDC_OK)
            return st;
    }
    if (((p[10] >> 2) & 0x1f) == ERSPAN_FRAME_IP)
        *next = (struct rdc_next){RDC_SPACE_LINKTYPE, RDC_LINKTYPE_RAW};
    return RDC_OK;
}
