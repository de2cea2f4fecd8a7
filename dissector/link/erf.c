/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of the Extensible Record Format (Endace): a header, extension headers, then a frame of
 * one of many link types. The record's own bytes are no part of the frame, so the packet's sizes
 * become those of the frame.
 */
#include "link/link.h"

enum {
    ERF_LEN = 16,
    EXTENSION_LEN = 8,
    ETHERNET_PAD_LEN = 2, /* offset and pad before an Ethernet frame */
    MORE = 0x80,          /* an extension header follows */
    TYPE_MASK = 0x7f,
};

enum erf_type {
    ERF_ETH = 2,
    ERF_COLOR_ETH = 11,
    ERF_DSM_COLOR_ETH = 16,
    ERF_COLOR_HASH_ETH = 20,
    ERF_INFINIBAND = 21,
    ERF_IPV4 = 22,
    ERF_IPV6 = 23,
    ERF_INFINIBAND_LINK = 25,
};

static uint32_t linktype_of(uint8_t type);
static enum rdc_status skip_extensions(struct rdc_cursor *cur, uint8_t type);
static void set_sizes(struct rdc_cursor *cur, size_t record, size_t wire, struct rdc_packet *pkt);

/* timestamp:64 type:8 flags:8 rlen:16 lctr:16 wlen:16; rlen: the record with all its headers,
 * wlen: the frame on its wire */
enum rdc_status rdc_erf_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                               struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *pad;
    enum rdc_status st = rdc_take(&rest, ERF_LEN, &p);
    uint32_t linktype;
    size_t headers;

    if (st != RDC_OK)
        return st;
    st = skip_extensions(&rest, p[8]);
    if (st != RDC_OK)
        return st;
    linktype = linktype_of(p[8] & TYPE_MASK);
    if (linktype == RDC_LINKTYPE_ETHERNET) {
        st = rdc_take(&rest, ETHERNET_PAD_LEN, &pad);
        if (st != RDC_OK)
            return st;
    }
    headers = (size_t)(rest.at - cur->at);
    if (rdc_be16(p + 10) < headers)
        return RDC_MALFORMED;
    set_sizes(&rest, rdc_be16(p + 10) - headers, rdc_be16(p + 14), pkt);
    *cur = rest;
    rdc_mark(pkt, RDC_LAYER_ERF);
    *next =
        (struct rdc_next){linktype == UINT32_MAX ? RDC_SPACE_NONE : RDC_SPACE_LINKTYPE, linktype};
    return RDC_OK;
}

static uint32_t linktype_of(uint8_t type)
{
    switch (type) {
    case ERF_ETH:
    case ERF_COLOR_ETH:
    case ERF_DSM_COLOR_ETH:
    case ERF_COLOR_HASH_ETH:
        return RDC_LINKTYPE_ETHERNET;
    case ERF_INFINIBAND:
        return RDC_LINKTYPE_INFINIBAND;
    case ERF_INFINIBAND_LINK:
        return RDC_LINKTYPE_IB_LINK_PACKET;
    case ERF_IPV4:
        return RDC_LINKTYPE_IPV4;
    case ERF_IPV6:
        return RDC_LINKTYPE_IPV6;
    default:
        return UINT32_MAX;
    }
}

/* Bit 7 of a type, the record's or an extension's, says that one more extension follows. */
static enum rdc_status skip_extensions(struct rdc_cursor *cur, uint8_t type)
{
    while ((type & MORE) != 0) {
        const uint8_t *p;
        enum rdc_status st = rdc_take(cur, EXTENSION_LEN, &p);

        if (st != RDC_OK)
            return st;
        type = p[0];
    }
    return RDC_OK;
}

/* Records are padded to 8 bytes, and may hold less than the wire had. */
static void set_sizes(struct rdc_cursor *cur, size_t record, size_t wire, struct rdc_packet *pkt)
{
    if (cur->captured > record)
        cur->captured = record;
    if (cur->captured > wire)
        cur->captured = wire;
    cur->wire = wire;
    pkt->captured_size = (uint32_t)cur->captured;
    pkt->wire_size = (uint32_t)wire;
    pkt->truncated = cur->captured < wire;
}
