/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Overlay networks in UDP: VXLAN (RFC 7348) and Geneve (RFC 8926).
 */
#include "link/link.h"

enum {
    OVERLAY_LEN = 8,
    VXLAN_VNI_VALID = 0x08,
};

/* flags:8 reserved:24 vni:24 reserved:8; then an Ethernet frame */
enum rdc_status rdc_vxlan_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                 struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&rest, OVERLAY_LEN, &p);

    if (st != RDC_OK)
        return st;
    if ((p[0] & VXLAN_VNI_VALID) == 0)
        return RDC_UNSUPPORTED;
    *cur = rest;
    rdc_mark(pkt, RDC_LAYER_VXLAN);
    rdc_add_tunnel(pkt, (struct rdc_tunnel){.kind = RDC_TUNNEL_VXLAN,
                                            .ecn = pkt->ip.ecn,
                                            .has_id = true,
                                            .id = rdc_be24(p + 4)});
    *next = (struct rdc_next){RDC_SPACE_ETHERTYPE, RDC_ETHERTYPE_TEB};
    return RDC_OK;
}

/* version:2 options size in words:6 o:1 c:1 reserved:6 protocol:16 vni:24 reserved:8 options */
enum rdc_status rdc_geneve_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                  struct rdc_next *next)
{
    struct rdc_cursor rest = *cur;
    const uint8_t *p, *options;
    enum rdc_status st = rdc_take(&rest, OVERLAY_LEN, &p);

    if (st != RDC_OK)
        return st;
    if (p[0] >> 6 != 0)
        return RDC_UNSUPPORTED;
    st = rdc_take(&rest, (p[0] & 0x3fu) * 4, &options);
    if (st != RDC_OK)
        return st;
    *cur = rest;
    rdc_mark(pkt, RDC_LAYER_GENEVE);
    rdc_add_tunnel(pkt, (struct rdc_tunnel){.kind = RDC_TUNNEL_GENEVE,
                                            .ecn = pkt->ip.ecn,
                                            .has_id = true,
                                            .id = rdc_be24(p + 4)});
    pkt->ethertype = rdc_be16(p + 2);
    *next = (struct rdc_next){RDC_SPACE_ETHERTYPE, pkt->ethertype};
    return RDC_OK;
}
