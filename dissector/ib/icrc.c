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

#include "rdc/crc.h"

enum {
    IPV4_LEN = 20,
    IPV6_LEN = 40,
    UDP_LEN = 8,

    FLUSH_LEN = RDC_BTH_LEN + 4 + 16, /* BTH, FETH, RETH */
};

/* The CRC-32 of eight ff bytes: the masked LRH */
#define AFTER_EIGHT_ONES 0xdebb20e3u

/* What is set to ones in a header */
#define MASK_LRH 0xf0, 0, 0, 0, 0, 0, 0, 0
#define MASK_IPV4 0, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0
#define ZEROS_16 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define MASK_IPV6 0x0f, 0xff, 0xff, 0xff, 0, 0, 0, 0xff, ZEROS_16, ZEROS_16
#define MASK_UDP 0, 0, 0, 0, 0, 0, 0xff, 0xff
#define MASK_BTH 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0

/* From the first header that counts to the BTH, filled up with zeros to whole blocks */
static const uint8_t local[32] = {MASK_LRH, MASK_BTH};
static const uint8_t global[64] = {MASK_IPV6, MASK_BTH};
static const uint8_t over_ipv4[48] = {MASK_IPV4, MASK_UDP, MASK_BTH};
static const uint8_t over_ipv6[64] = {MASK_IPV6, MASK_UDP, MASK_BTH};
/* Where something is between IP header and UDP */
static const uint8_t ipv4_alone[32] = {MASK_IPV4};
static const uint8_t ipv6_alone[48] = {MASK_IPV6};
static const uint8_t over_options[32] = {MASK_UDP, MASK_BTH};

static uint32_t over_all(const struct rdc_envelope *env, const uint8_t *end);
static uint32_t rocev2_over_all(const struct rdc_envelope *env, const uint8_t *end);
static uint32_t with_options(const struct rdc_envelope *env, const uint8_t *end);
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
    uint32_t crc = over_all(env, bth + size);

    if (fits(crc, bth + size))
        return RDC_ICRC_GOOD;
    /* rxe has no payload offset for FLUSH: it takes the headers for payload and counts them again,
     * unmasked this time */
    if (bth[0] == RDC_RC_FLUSH && size == FLUSH_LEN &&
        fits(rdc_crc32_update(crc, bth, FLUSH_LEN), bth + size))
        return RDC_ICRC_GOOD_SOFT_ROCE;
    return RDC_ICRC_WRONG;
}

/* `mask` is an array */
#define MASKED(crc, begin, end, mask)                                                              \
    rdc_crc32_masked(crc, begin, (size_t)((end) - (begin)), mask, sizeof(mask))

static uint32_t over_all(const struct rdc_envelope *env, const uint8_t *end)
{
    if (env->transport == RDC_TRANSPORT_ROCEV2)
        return rocev2_over_all(env, end);
    if (env->grh != NULL)
        return MASKED(AFTER_EIGHT_ONES, env->grh, end, global);
    return MASKED(RDC_CRC32_INIT, env->lrh, end, local);
}

static uint32_t rocev2_over_all(const struct rdc_envelope *env, const uint8_t *end)
{
    bool v6 = env->ip[0] >> 4 == 6;

    if (env->udp != env->ip + (v6 ? IPV6_LEN : IPV4_LEN))
        return with_options(env, end);
    return v6 ? MASKED(AFTER_EIGHT_ONES, env->ip, end, over_ipv6)
              : MASKED(AFTER_EIGHT_ONES, env->ip, end, over_ipv4);
}

static uint32_t with_options(const struct rdc_envelope *env, const uint8_t *end)
{
    bool v6 = env->ip[0] >> 4 == 6;
    const uint8_t *options = env->ip + (v6 ? IPV6_LEN : IPV4_LEN);
    uint32_t crc = v6 ? MASKED(AFTER_EIGHT_ONES, env->ip, options, ipv6_alone)
                      : MASKED(AFTER_EIGHT_ONES, env->ip, options, ipv4_alone);

    crc = rdc_crc32_update(crc, options, (size_t)(env->udp - options));
    return MASKED(crc, env->udp, end, over_options);
}

static bool fits(uint32_t crc, const uint8_t *icrc)
{
    return rdc_crc32_done(crc) == rdc_le32(icrc);
}
