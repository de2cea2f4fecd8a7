/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the BTH to the ICRC of any packet of InfiniBand's transport, and whether the bytes are such
 * a packet at all: UDP port 4791 may carry anything. What is between BTH and payload is in bth.c
 * and exts.c, the checksums are in icrc.c and vcrc.c.
 */
#include "ib/transport.h"

#include <string.h>

#include "ib/bth.h"
#include "ib/icrc.h"

/* The packet at hand: its bytes from the BTH on, and what its opcode makes of them */
struct span {
    const struct rdc_envelope *env;
    const uint8_t *bth;
    size_t captured;
    size_t wire; /* through the ICRC */
    const struct rdc_opcode_info *op;
    size_t headers; /* BTH and the opcode's extension headers */
};

static size_t wire_size(const struct rdc_cursor *cur, const struct rdc_envelope *env);
static void refuse(struct rdc_packet *pkt, enum rdc_refusal why);
static enum rdc_refusal doubt(const struct span *s, const struct rdc_bth *bth);
static bool proven(const struct span *s);
static void decode_headers(const struct span *s, struct rdc_cursor *cur, struct rdc_packet *pkt);
static bool decode_exts(uint16_t ext, struct rdc_cursor *cur, struct rdc_packet *pkt);
static void note_oddities(const struct span *s, struct rdc_packet *pkt);
static void set_payload(const struct span *s, struct rdc_packet *pkt);
static enum rdc_check check_icrc(const struct span *s, bool skip, struct rdc_packet *pkt);
static enum rdc_check check_vcrc(const struct rdc_envelope *env, bool skip, struct rdc_packet *pkt);

void rdc_transport_decode(const struct rdc_config *config, struct rdc_cursor *cur,
                          const struct rdc_envelope *env, struct rdc_packet *pkt)
{
    struct rdc_ib_packet *ib = &pkt->ib;
    struct span s = {
        .env = env, .bth = cur->at, .captured = cur->captured, .wire = wire_size(cur, env)};
    enum rdc_refusal why;

    pkt->transport = env->transport;
    pkt->kind = RDC_KIND_OTHER;
    pkt->refusal = RDC_REFUSAL_NONE;
    cur->wire = s.wire;
    if (s.wire < RDC_BTH_LEN + RDC_ICRC_LEN) {
        refuse(pkt, RDC_REFUSAL_SHORT);
        return;
    }
    if (rdc_bth_decode(cur, &ib->bth) != RDC_OK) {
        pkt->notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
        return;
    }
    s.op = &rdc_opcode_table[ib->bth.opcode];
    s.headers = RDC_BTH_LEN + (size_t)s.op->ext_size;

    why = doubt(&s, &ib->bth);
    if (why != RDC_REFUSAL_NONE && !proven(&s)) {
        refuse(pkt, why);
        return;
    }
    pkt->kind = RDC_KIND_BTH;
    decode_headers(&s, cur, pkt);
    note_oddities(&s, pkt);
    set_payload(&s, pkt);
    ib->icrc_check = (uint8_t)check_icrc(&s, config->skip_checksums, pkt);
    ib->vcrc_check = (uint8_t)check_vcrc(env, config->skip_checksums, pkt);
}

/* A first fragment's own bytes end before the packet does: the UDP length is the whole packet's.
 * What other fragments carry is not captured. */
static size_t wire_size(const struct rdc_cursor *cur, const struct rdc_envelope *env)
{
    const size_t udp_header = 8;
    size_t length;

    if (!env->fragment || env->udp == NULL)
        return cur->wire;
    length = rdc_be16(env->udp + 4);
    return length > cur->wire + udp_header ? length - udp_header : cur->wire;
}

static void refuse(struct rdc_packet *pkt, enum rdc_refusal why)
{
    pkt->transport = RDC_TRANSPORT_NONE;
    pkt->kind = RDC_KIND_OTHER;
    pkt->refusal = (uint8_t)why;
}

/* Why these bytes may be something else; only their ICRC can then tell. IBTA vol. 1, 9.6: a
 * receiver drops such packets too. */
static enum rdc_refusal doubt(const struct span *s, const struct rdc_bth *bth)
{
    if (bth->tver != 0)
        return RDC_REFUSAL_VERSION;
    if (s->op->service == RDC_SERVICE_RESERVED)
        return RDC_REFUSAL_RESERVED;
    if (s->wire < s->headers + bth->pad + RDC_ICRC_LEN)
        return RDC_REFUSAL_LENGTH;
    return RDC_REFUSAL_NONE;
}

/* Asked for few packets, so asked even where checksums are to be skipped: which packets are
 * believed must not depend on that. */
static bool proven(const struct span *s)
{
    return !s->env->fragment && s->captured == s->wire && rdc_icrc_covered(s->env) &&
           rdc_icrc_judge(s->env, s->bth, s->wire - RDC_ICRC_LEN) != RDC_ICRC_WRONG;
}

static void decode_headers(const struct span *s, struct rdc_cursor *cur, struct rdc_packet *pkt)
{
    struct rdc_ib_packet *ib = &pkt->ib;

    /* an extension header never takes bytes of the ICRC: a limit within the packet is no error */
    if (rdc_limit(cur, s->wire - RDC_BTH_LEN - RDC_ICRC_LEN) != RDC_OK)
        return;
    ib->ext.present = 0;
    ib->complete = s->op->ext == 0 || decode_exts(s->op->ext, cur, pkt);
    ib->headers_hash =
        rdc_headers_hash(rdc_be64(s->bth), rdc_be32(s->bth + 8), s->bth + RDC_BTH_LEN,
                         (size_t)(cur->at - s->bth) - RDC_BTH_LEN);
}

static bool decode_exts(uint16_t ext, struct rdc_cursor *cur, struct rdc_packet *pkt)
{
    enum rdc_status status = rdc_exts_decode(cur, ext, &pkt->ib.ext);

    if (status == RDC_TRUNCATED)
        pkt->notes |= RDC_NOTE_BIT(HEADER_TRUNCATED);
    else if (status != RDC_OK)
        pkt->notes |= RDC_NOTE_BIT(HEADER_MALFORMED);
    return status == RDC_OK;
}

static void note_oddities(const struct span *s, struct rdc_packet *pkt)
{
    const struct rdc_ib_packet *ib = &pkt->ib;

    if (ib->bth.tver != 0)
        pkt->notes |= RDC_NOTE_BIT(BTH_VERSION);
    if ((rdc_be64(s->bth) & RDC_BTH_RESERVED) != 0 ||
        (rdc_be32(s->bth + 8) & RDC_BTH_RESERVED_LAST) != 0)
        pkt->notes |= RDC_NOTE_BIT(BTH_RESERVED);
    if (s->op->service == RDC_SERVICE_RESERVED)
        pkt->notes |= RDC_NOTE_BIT(OPCODE_RESERVED);
    if (s->op->service == RDC_SERVICE_VENDOR)
        pkt->notes |= RDC_NOTE_BIT(OPCODE_VENDOR);
    if (s->op->service == RDC_SERVICE_CNP && !ib->bth.becn)
        pkt->notes |= RDC_NOTE_BIT(CNP_NO_BECN);
    if ((ib->ext.present & RDC_EXT_AETH) != 0 && rdc_aeth_is_reserved(&ib->ext.aeth))
        pkt->notes |= RDC_NOTE_BIT(AETH_RESERVED);
}

static void set_payload(const struct span *s, struct rdc_packet *pkt)
{
    struct rdc_ib_packet *ib = &pkt->ib;
    size_t around = s->headers + ib->bth.pad + RDC_ICRC_LEN;
    size_t there = s->captured > s->headers ? s->captured - s->headers : 0;
    size_t size = 0;

    if (s->wire >= around)
        size = s->wire - around;
    else if (s->wire >= s->headers + RDC_ICRC_LEN)
        pkt->notes |= RDC_NOTE_BIT(PAD_TOO_LARGE);
    if (s->op->service == RDC_SERVICE_CNP) /* 16 reserved bytes, A17.9.3 */
        size = 0;
    ib->payload_size = (uint32_t)size;
    ib->payload_captured = (uint32_t)(there < size ? there : size);
    ib->payload = ib->payload_captured > 0 ? s->bth + s->headers : NULL;
}

static enum rdc_check check_icrc(const struct span *s, bool skip, struct rdc_packet *pkt)
{
    const uint8_t *icrc = s->bth + s->wire - RDC_ICRC_LEN;

    pkt->ib.icrc_captured = s->captured == s->wire && !s->env->fragment;
    pkt->ib.icrc = pkt->ib.icrc_captured ? rdc_be32(icrc) : 0;
    if (skip)
        return RDC_CHECK_SKIPPED;
    if (s->env->fragment)
        return RDC_CHECK_FRAGMENT;
    if (s->captured < s->wire)
        return RDC_CHECK_TRUNCATED;
    if (!rdc_icrc_covered(s->env))
        return RDC_CHECK_ABSENT;
    return rdc_transport_icrc(s->env, s->bth, s->wire - RDC_ICRC_LEN, pkt);
}

enum rdc_check rdc_transport_icrc(const struct rdc_envelope *env, const uint8_t *bth, size_t size,
                                  struct rdc_packet *pkt)
{
    switch (rdc_icrc_judge(env, bth, size)) {
    case RDC_ICRC_GOOD:
        return RDC_CHECK_OK;
    case RDC_ICRC_GOOD_SOFT_ROCE:
        pkt->notes |= RDC_NOTE_BIT(ICRC_SOFT_ROCE);
        return RDC_CHECK_OK;
    case RDC_ICRC_WRONG:
    default:
        pkt->notes |= RDC_NOTE_BIT(ICRC_BAD);
        return RDC_CHECK_BAD;
    }
}

static enum rdc_check check_vcrc(const struct rdc_envelope *env, bool skip, struct rdc_packet *pkt)
{
    if (env->transport != RDC_TRANSPORT_IB)
        return RDC_CHECK_ABSENT;
    if (env->vcrc == NULL)
        return pkt->truncated ? RDC_CHECK_TRUNCATED : RDC_CHECK_ABSENT;
    if (skip)
        return RDC_CHECK_SKIPPED;
    if (env->lrh == NULL)
        return RDC_CHECK_ABSENT;
    if (rdc_vcrc_good(env))
        return RDC_CHECK_OK;
    pkt->notes |= RDC_NOTE_BIT(VCRC_BAD);
    return RDC_CHECK_BAD;
}
