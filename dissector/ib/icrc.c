/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The invariant CRC: Ethernet's CRC-32 over all that does not change on the way, with ones in the
 * place of what does (IBTA vol. 1, 7.8.1; RoCEv1: A16.5; RoCEv2: A17.3.2), stored with its low byte
 * first:
 *   native, LRH and BTH      LRH with ones for the VL
 *   native, LRH, GRH, BTH    eight ff bytes (the LRH), GRH with ones for traffic class, flow label
 *                            and hop limit
 *   RoCEv1                   eight ff bytes, GRH as above
 *   RoCEv2                   eight ff bytes, IPv6 as the GRH, IPv4 with ones for TOS, TTL and
 *                            checksum, UDP with ones for the checksum
 * and then for all of them BTH with ones for its byte 4 (FECN, BECN, reserved), everything else to
 * the end of the pad. IP options and IPv6 extension headers are counted as they are.
 */
#include "ib/icrc.h"

#include <string.h>

#include "rdc/crc.h"

enum {
    IPV4_LEN = 20,
    IPV6_LEN = 40,
    UDP_LEN = 8,
    HEAD_MAX = IPV6_LEN + UDP_LEN + RDC_BTH_LEN,

    FLUSH_LEN = RDC_BTH_LEN + 4 + 16, /* BTH, FETH, RETH */
};

/* The CRC-32 of eight ff bytes: the masked LRH */
#define AFTER_EIGHT_ONES 0xdebb20e3u

static uint32_t through_bth(const struct rdc_envelope *env, const uint8_t *bth);
static uint32_t rocev2_through_bth(const struct rdc_envelope *env, const uint8_t *bth);
static uint32_t crc_with_bth(uint32_t crc, uint8_t *head, size_t size, const uint8_t *bth);
static size_t mask_ipv4(uint8_t *head, const uint8_t *ip);
static size_t mask_ipv6(uint8_t *head, const uint8_t *ip);
static bool fits(uint32_t crc, const uint8_t *icrc);

bool rdc_icrc_covered(const struct rdc_envelope *env)
{
    switch (env->transport) {
    case RDC_TRANSPORT_IB:
        return env->lrh != NULL || env->grh != NULL;
    case RDC_TRANSPORT_ROCEV1:
        return env->grh != NULL;
    case RDC_TRANSPORT_ROCEV2:
        return env->ip != NULL && env->udp != NULL;
    default:
        return false;
    }
}

enum rdc_icrc_verdict rdc_icrc_judge(const struct rdc_envelope *env, const uint8_t *bth,
                                     size_t size)
{
    uint32_t crc = through_bth(env, bth);

    crc = rdc_crc32_update(crc, bth + RDC_BTH_LEN, size - RDC_BTH_LEN);
    if (fits(crc, bth + size))
        return RDC_ICRC_GOOD;
    /* rxe has no payload offset for FLUSH: it takes the headers for payload and counts them again,
     * unmasked this time */
    if (bth[0] == RDC_RC_FLUSH && size == FLUSH_LEN &&
        fits(rdc_crc32_update(crc, bth, FLUSH_LEN), bth + size))
        return RDC_ICRC_GOOD_SOFT_ROCE;
    return RDC_ICRC_WRONG;
}

static uint32_t through_bth(const struct rdc_envelope *env, const uint8_t *bth)
{
    uint8_t head[HEAD_MAX];

    if (env->transport == RDC_TRANSPORT_ROCEV2)
        return rocev2_through_bth(env, bth);
    if (env->grh != NULL)
        return crc_with_bth(AFTER_EIGHT_ONES, head, mask_ipv6(head, env->grh), bth);
    memcpy(head, env->lrh, RDC_LRH_LEN);
    head[0] |= 0xf0;
    return crc_with_bth(RDC_CRC32_INIT, head, RDC_LRH_LEN, bth);
}

static uint32_t rocev2_through_bth(const struct rdc_envelope *env, const uint8_t *bth)
{
    uint8_t head[HEAD_MAX];
    uint32_t crc = AFTER_EIGHT_ONES;
    size_t size = env->ip[0] >> 4 == 6 ? mask_ipv6(head, env->ip) : mask_ipv4(head, env->ip);
    const uint8_t *options = env->ip + size;

    if (options != env->udp) {
        crc = rdc_crc32_update(crc, head, size);
        crc = rdc_crc32_update(crc, options, (size_t)(env->udp - options));
        size = 0;
    }
    memcpy(head + size, env->udp, UDP_LEN);
    memset(head + size + 6, 0xff, 2);
    return crc_with_bth(crc, head, size + UDP_LEN, bth);
}

/* Appends the masked BTH to the `size` bytes at `head` */
static uint32_t crc_with_bth(uint32_t crc, uint8_t *head, size_t size, const uint8_t *bth)
{
    memcpy(head + size, bth, RDC_BTH_LEN);
    head[size + 4] = 0xff;
    return rdc_crc32_update(crc, head, size + RDC_BTH_LEN);
}

/* Both return the size of the header without options */
static size_t mask_ipv4(uint8_t *head, const uint8_t *ip)
{
    memcpy(head, ip, IPV4_LEN);
    head[1] = 0xff;
    head[8] = 0xff;
    memset(head + 10, 0xff, 2);
    return IPV4_LEN;
}

static size_t mask_ipv6(uint8_t *head, const uint8_t *ip)
{
    memcpy(head, ip, IPV6_LEN);
    head[0] |= 0x0f;
    memset(head + 1, 0xff, 3);
    head[7] = 0xff;
    return IPV6_LEN;
}

static bool fits(uint32_t crc, const uint8_t *icrc)
{
    return rdc_crc32_done(crc) == rdc_le32(icrc);
}
