/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Linux cooked captures ("any" device), both versions: an ethertype and the sender's address.
 */
#include <string.h>

#include "link/link.h"

enum {
    SLL_LEN = 16,
    SLL2_LEN = 20,
    MAC_LEN = 6,
};

static void set_source(struct rdc_packet *pkt, const uint8_t *address, unsigned size);
static struct rdc_next set_ethertype(struct rdc_packet *pkt, uint16_t type);

/* packet type:16 ARPHRD:16 address size:16 address:64 protocol:16 (LINKTYPE_LINUX_SLL) */
enum rdc_status rdc_sll_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                               struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, SLL_LEN, &p);

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_SLL);
    set_source(pkt, p + 6, rdc_be16(p + 4));
    *next = set_ethertype(pkt, rdc_be16(p + 14));
    return RDC_OK;
}

/* protocol:16 reserved:16 interface:32 ARPHRD:16 packet type:8 address size:8 address:64
 * (LINKTYPE_LINUX_SLL2) */
enum rdc_status rdc_sll2_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, SLL2_LEN, &p);

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_SLL2);
    set_source(pkt, p + 12, p[11]);
    *next = set_ethertype(pkt, rdc_be16(p));
    return RDC_OK;
}

static void set_source(struct rdc_packet *pkt, const uint8_t *address, unsigned size)
{
    if (size != MAC_LEN)
        return;
    memcpy(pkt->src_mac, address, MAC_LEN);
    memset(pkt->dst_mac, 0, MAC_LEN);
    pkt->has_mac = true;
}

/* Small numbers are frame types of Linux itself (802.3, 802.2, CAN ...) */
static struct rdc_next set_ethertype(struct rdc_packet *pkt, uint16_t type)
{
    if (type < RDC_ETHERTYPE_MIN)
        return (struct rdc_next){RDC_SPACE_NONE, 0};
    pkt->ethertype = type;
    return (struct rdc_next){RDC_SPACE_ETHERTYPE, type};
}
