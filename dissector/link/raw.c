/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Captures without a link header worth the name: BSD loopback (NULL, LOOP), bare IP, and IP over
 * InfiniBand as an interface of the operating system shows it.
 */
#include "link/link.h"

enum {
    NULL_LEN = 4,
    IPOIB_LEN = 4, /* RFC 4391, 6 */
};

static uint16_t family_ethertype(uint32_t family);
static bool is_ipoib_type(const uint8_t *p);

/* The address family in the byte order of the machine that captured (NULL), or big-endian (LOOP):
 * families are small, so the larger reading is the wrong one. */
enum rdc_status rdc_null_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                struct rdc_next *next)
{
    const uint8_t *p;
    enum rdc_status st = rdc_take(cur, NULL_LEN, &p);
    uint32_t big, little;
    uint16_t type;

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_NULL);
    big = rdc_be32(p);
    little = rdc_le32(p);
    type = family_ethertype(big < little ? big : little);
    *next = (struct rdc_next){type != 0 ? RDC_SPACE_ETHERTYPE : RDC_SPACE_NONE, type};
    return RDC_OK;
}

/* Takes nothing: only looks which IP version it is. */
enum rdc_status rdc_raw_ip_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                  struct rdc_next *next)
{
    struct rdc_cursor look = *cur;
    const uint8_t *p;
    enum rdc_status st = rdc_take(&look, 1, &p);

    if (st != RDC_OK)
        return st;
    rdc_mark(pkt, RDC_LAYER_RAW_IP);
    *next = (struct rdc_next){RDC_SPACE_IP_VERSION, p[0] >> 4};
    return RDC_OK;
}

/* A GRH (receiving) or a destination in its place (sending), then ethertype:16 reserved:16. Some
 * writers follow RFC 4391, 6 to the letter and have no GRH. */
enum rdc_status rdc_ipoib_decode(struct rdc_cursor *cur, struct rdc_packet *pkt,
                                 struct rdc_next *next)
{
    struct rdc_cursor bare = *cur, full = *cur;
    const uint8_t *p, *grh;
    enum rdc_status st = rdc_take(&bare, IPOIB_LEN, &p);
    bool is_bare;

    if (st != RDC_OK)
        return st;
    is_bare = is_ipoib_type(p);
    st = rdc_take(&full, RDC_GRH_LEN + IPOIB_LEN, &grh);
    if (st == RDC_OK && (!is_bare || is_ipoib_type(grh + RDC_GRH_LEN))) {
        *cur = full;
        p = grh + RDC_GRH_LEN;
    } else if (is_bare) {
        *cur = bare;
    } else {
        return st;
    }
    rdc_mark(pkt, RDC_LAYER_IPOIB);
    pkt->ethertype = rdc_be16(p);
    *next = (struct rdc_next){RDC_SPACE_ETHERTYPE, pkt->ethertype};
    return RDC_OK;
}

/* AF_INET is 2 everywhere; AF_INET6 is 10 (Linux), 24 (NetBSD, OpenBSD), 28 (FreeBSD), 30 (macOS)
 */
static uint16_t family_ethertype(uint32_t family)
{
    switch (family) {
    case 2:
        return RDC_ETHERTYPE_IPV4;
    case 10:
    case 24:
    case 28:
    case 30:
        return RDC_ETHERTYPE_IPV6;
    default:
        return 0;
    }
}

static bool is_ipoib_type(const uint8_t *p)
{
    uint16_t type = rdc_be16(p);

    return (type == RDC_ETHERTYPE_IPV4 || type == RDC_ETHERTYPE_IPV6 ||
            type == RDC_ETHERTYPE_ARP) &&
           rdc_be16(p + 2) == 0;
}
