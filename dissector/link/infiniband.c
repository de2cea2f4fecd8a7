/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How InfiniBand's own link and network headers lead to a transport header: lengths, addresses,
 * and raw packets. The headers themselves are read in ib/.
 */
#include <string.h>

#include "link/link.h"

enum {
    RWH_LEN = 4, /* raw header: reserved:16 ethertype:16 (IBTA vol. 1, 5.3) */
    GRH_VERSION = 6,
    GRH_NEXT_IBA = 0x1b,
};

static void set_lid(uint8_t address[16], uint16_t lid);

/* Leaves the cursor at what follows the LRH, limited by PktLen to the bytes up to the ICRC's end
 * (raw packets have no ICRC); the VCRC behind them is cut off. */
enum rdc_status rdc_local_route_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                       struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    struct rdc_lrh lrh;
    enum rdc_status st = rdc_lrh_decode(&rest, &lrh);
    size_t size;

    if (st != RDC_OK)
        return st;
    size = (size_t)lrh.length * 4;
    if (size < RDC_LRH_LEN)
        return RDC_MALFORMED;
    *cur = rest;
    pkt->lrh = lrh;
    rdc_set_wire(cur, size - RDC_LRH_LEN, pkt);
    if (lrh.lver != 0)
        pkt->notes |= RDC_NOTE_BIT(LVER);
    pkt->address_kind = RDC_ADDRESS_LID;
    set_lid(pkt->src, lrh.slid);
    set_lid(pkt->dst, lrh.dlid);
    pkt->src_port = 0;
    pkt->dst_port = 0;
    rdc_mark(pkt, RDC_LAYER_LRH);
    *next = (struct rdc_next){RDC_SPACE_LNH, lrh.lnh};
    return RDC_OK;
}

/* The payload length counts from behind the GRH to the ICRC's end (IBTA vol. 1, 8.3). Behind an LRH
 * that has PktLen, which rules; behind an Ethernet header it alone tells trailer from packet. */
enum rdc_status rdc_global_route_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                        struct rdc_next *next)
{
    uint8_t sgid[16], dgid[16];
    enum rdc_status st = rdc_grh_decode(cur, &pkt->grh, sgid, dgid);
    size_t size;

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_GRH);
    if (pkt->grh.version != GRH_VERSION || pkt->grh.next_header != GRH_NEXT_IBA) {
        pkt->notes |= RDC_NOTE_BIT(GRH_VERSION);
        pkt->refusal = RDC_REFUSAL_GRH;
        *next = (struct rdc_next){RDC_SPACE_NONE, 0};
        return RDC_OK;
    }
    pkt->address_kind = RDC_ADDRESS_GID;
    memcpy(pkt->src, sgid, sizeof(sgid));
    memcpy(pkt->dst, dgid, sizeof(dgid));
    pkt->src_port = 0;
    pkt->dst_port = 0;
    size = pkt->grh.payload_length;
    if ((pkt->layers & 1u << RDC_LAYER_LRH) == 0)
        rdc_set_wire(cur, size, pkt);
    else if (size != cur->wire)
        pkt->notes |= RDC_NOTE_BIT(LENGTH_MISMATCH);
    *next = (struct rdc_next){RDC_SPACE_GRH_NEXT, GRH_NEXT_IBA};
    return RDC_OK;
}

enum rdc_status rdc_raw_infiniband_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                          struct rdc_next *next)
{
    const uint8_t *p;

    pkt->transport = RDC_TRANSPORT_IB;
    pkt->kind = RDC_KIND_RAW;
    *next = (struct rdc_next){RDC_SPACE_NONE, 0};
    if (pkt->lrh.lnh == RDC_LNH_RAW_IPV6) {
        pkt->ethertype = RDC_ETHERTYPE_IPV6;
    } else {
        enum rdc_status st = rdc_take(cur, RWH_LEN, &p);

        if (st != RDC_OK)
            return st;
        pkt->ethertype = rdc_be16(p + 2);
    }
    return RDC_OK;
}

static void set_lid(uint8_t address[16], uint16_t lid)
{
    memset(address, 0, 16);
    address[0] = (uint8_t)(lid >> 8);
    address[1] = (uint8_t)lid;
}
