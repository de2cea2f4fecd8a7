/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MPLS label stacks (RFC 3032), one entry at a time. Nothing in the stack says what is below its
 * bottom, so that is a guess from the first bytes (RFC 4928, RFC 4385).
 */
#include "link/link.h"

enum {
    ENTRY_LEN = 4,
    BOTTOM = 0x01,
    CONTROL_WORD_LEN = 4,
    ETHERNET_LEN = 14,
};

static struct rdc_next guess(struct rdc_cursor *cur);
static bool is_ipv4(const struct rdc_cursor *cur);
static bool is_ipv6(const struct rdc_cursor *cur);
static bool is_ethernet(const struct rdc_cursor *cur, size_t at);

/* label:20 traffic class:3 bottom:1 ttl:8 */
enum rdc_status rdc_mpls_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, ENTRY_LEN, &p);

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_MPLS);
    if ((p[2] & BOTTOM) == 0) {
        *next = (struct rdc_next){RDC_SPACE_ETHERTYPE, RDC_ETHERTYPE_MPLS};
        return RDC_OK;
    }
    rdc_add_tunnel(
        pkt, (struct rdc_tunnel){.kind = RDC_TUNNEL_MPLS, .has_id = true, .id = rdc_be24(p) >> 4});
    *next = guess(cur);
    return RDC_OK;
}

/* A MAC address may begin with any nibble, so an Ethernet pseudowire without control word is
 * believed where a known ethertype stands in its place. */
static struct rdc_next guess(struct rdc_cursor *cur)
{
    const uint8_t *word;

    if (is_ipv4(cur))
        return (struct rdc_next){RDC_SPACE_IP_VERSION, 4};
    if (is_ipv6(cur))
        return (struct rdc_next){RDC_SPACE_IP_VERSION, 6};
    /* a control word that is cut leaves no room for Ethernet either, which then says so */
    if (!is_ethernet(cur, 0) && cur->captured > 0 && cur->at[0] >> 4 == 0)
        (void)!rdc_take(cur, CONTROL_WORD_LEN, &word);
    return (struct rdc_next){RDC_SPACE_ETHERTYPE, RDC_ETHERTYPE_TEB};
}

static bool is_ipv4(const struct rdc_cursor *cur)
{
    const uint8_t *p = cur->at;

    if (cur->captured < 4 || p[0] >> 4 != 4 || (p[0] & 0xf) < 5)
        return false;
    return rdc_be16(p + 2) <= cur->wire || !is_ethernet(cur, 0);
}

static bool is_ipv6(const struct rdc_cursor *cur)
{
    const uint8_t *p = cur->at;

    if (cur->captured < 6 || p[0] >> 4 != 6)
        return false;
    return rdc_be16(p + 4) + 40u <= cur->wire || !is_ethernet(cur, 0);
}

static bool is_ethernet(const struct rdc_cursor *cur, size_t at)
{
    if (cur->captured < at + ETHERNET_LEN)
        return false;
    switch (rdc_be16(cur->at + at + 12)) {
    case RDC_ETHERTYPE_IPV4:
    case RDC_ETHERTYPE_ARP:
    case RDC_ETHERTYPE_VLAN:
    case RDC_ETHERTYPE_QINQ:
    case RDC_ETHERTYPE_IPV6:
    case RDC_ETHERTYPE_MACCTRL:
    case RDC_ETHERTYPE_MPLS:
    case RDC_ETHERTYPE_ROCEV1:
        return true;
    default:
        return false;
    }
}
