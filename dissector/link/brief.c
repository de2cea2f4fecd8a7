/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decodes packets in brief (rdc/brief.h): finds the context, checks what differs between its
 * packets as plain.c does, and takes it; and makes the whole packet of both.
 */
#include "ib/bth.h"
#include "ib/icrc.h"
#include "link/contexts.h"
#include "link/peel.h"

enum {
    HEADERS_MAX = RDC_SHAPE_MAX + RDC_BTH_LEN - RDC_BTH_SAME + RDC_BRIEF_EXTS,
};

static bool decode(const struct rdc_contexts *contexts, const struct rdc_config *config,
                   const struct rdc_input *in, const struct rdc_lookup *lookup,
                   const struct rdc_shape *shape, struct rdc_brief *brief);
static bool decode_other(const struct rdc_contexts *contexts, const struct rdc_config *config,
                         const struct rdc_input *in, const struct rdc_shape *shape, uint32_t hash,
                         struct rdc_brief *brief);
static bool set(const struct rdc_contexts *contexts, const struct rdc_config *config,
                const struct rdc_input *in, const struct rdc_shape *shape, uint32_t number,
                struct rdc_brief *brief);
static bool ip_is_plain(const uint8_t *ip, const struct rdc_shape *shape, uint32_t length);
static bool bth_is_plain(const uint8_t *bth, const struct rdc_opcode_info *op);
static bool fits(const struct rdc_input *in, uint32_t end);
static void set_ip(const uint8_t *ip, const struct rdc_shape *shape, struct rdc_brief *brief);
static bool set_exts(const struct rdc_config *config, const struct rdc_input *in, const uint8_t *ip,
                     const uint8_t *bth, uint32_t end, struct rdc_brief *brief);
static bool set_icrc(const struct rdc_config *config, const struct rdc_input *in, const uint8_t *ip,
                     const uint8_t *bth, uint32_t end, struct rdc_brief *brief);
static bool check_icrc(const uint8_t *ip, const uint8_t *bth, const uint8_t *icrc,
                       struct rdc_brief *brief);

__attribute__((flatten)) bool rdc_brief_decode(const struct rdc_contexts *contexts,
                                               const struct rdc_config *config,
                                               const struct rdc_input *in,
                                               const struct rdc_lookup *lookup,
                                               struct rdc_brief *brief)
{
    switch (lookup->shape) {
    case RDC_SHAPE_IPV4:
        return decode(contexts, config, in, lookup, &rdc_shapes[RDC_SHAPE_IPV4], brief);
    case RDC_SHAPE_IPV6:
        return decode(contexts, config, in, lookup, &rdc_shapes[RDC_SHAPE_IPV6], brief);
    case RDC_SHAPE_VLAN_IPV4:
        return decode(contexts, config, in, lookup, &rdc_shapes[RDC_SHAPE_VLAN_IPV4], brief);
    case RDC_SHAPE_VLAN_IPV6:
        return decode(contexts, config, in, lookup, &rdc_shapes[RDC_SHAPE_VLAN_IPV6], brief);
    default:
        brief->context = RDC_NO_CONTEXT;
        return false;
    }
}

INLINE bool decode(const struct rdc_contexts *contexts, const struct rdc_config *config,
                   const struct rdc_input *restrict in, const struct rdc_lookup *lookup,
                   const struct rdc_shape *shape, struct rdc_brief *restrict brief)
{
    brief->context = RDC_NO_CONTEXT;
    if (in->captured > in->wire || (uint64_t)in->time_ns > (uint64_t)RDC_TIME_LAST_NS)
        return false;
    if (__builtin_expect(!rdc_context_is_of(contexts, lookup->context, in, shape), 0))
        return decode_other(contexts, config, in, shape, lookup->hash, brief);
    return set(contexts, config, in, shape, lookup->context, brief);
}

/* Where the context that was looked up is not the frame's: of another frame with its hash, or of
 * none, and the frame's was perhaps learned since. */
static __attribute__((noinline)) bool decode_other(const struct rdc_contexts *contexts,
                                                   const struct rdc_config *config,
                                                   const struct rdc_input *in,
                                                   const struct rdc_shape *shape, uint32_t hash,
                                                   struct rdc_brief *brief)
{
    uint32_t number = rdc_contexts_find(contexts, in, shape, hash);

    return number != RDC_NO_CONTEXT && set(contexts, config, in, shape, number, brief);
}

/* From the frame's begin. IP and UDP agree on the length as plain.c asks for it; what is behind is
 * trailer. */
INLINE bool set(const struct rdc_contexts *contexts, const struct rdc_config *config,
                const struct rdc_input *restrict in, const struct rdc_shape *shape, uint32_t number,
                struct rdc_brief *restrict brief)
{
    const uint32_t udp_at = shape->ip + shape->ip_size, bth_at = udp_at + RDC_UDP_LEN;
    const uint8_t *ip = in->bytes + shape->ip, *bth = in->bytes + bth_at;
    const struct rdc_opcode_info *op = &rdc_opcode_table[bth[0]];
    uint32_t end = udp_at + rdc_be16(in->bytes + udp_at + 4);
    uint32_t payload_at = bth_at + RDC_BTH_LEN + op->ext_size;
    uint32_t around = payload_at + (bth[1] >> 4 & 0x3) + RDC_ICRC_LEN;

    if (!ip_is_plain(ip, shape, end - udp_at) || !fits(in, end) || around > end ||
        in->captured < payload_at || !bth_is_plain(bth, op))
        return false;
    brief->context = number;
    brief->route = (uint16_t)contexts->contexts[number].route;
    brief->time_ns = in->time_ns;
    brief->wire_size = in->wire;
    brief->captured_size = in->captured;
    brief->truncated = in->captured < in->wire;
    brief->payload_size = end - around;
    set_ip(ip, shape, brief);
    memcpy(brief->headers, bth, RDC_BTH_LEN);
    if (op->ext_size > 0)
        return set_exts(config, in, ip, bth, end, brief);
    brief->headers_hash = rdc_headers_hash(rdc_be64(bth), rdc_be32(bth + 8), NULL, 0);
    return set_icrc(config, in, ip, bth, end, brief);
}

INLINE bool ip_is_plain(const uint8_t *ip, const struct rdc_shape *shape, uint32_t length)
{
    if (shape->ip_size == RDC_IPV6_LEN)
        return rdc_be16(ip + 4) == length;
    return rdc_be16(ip + 2) == length + RDC_IPV4_LEN &&
           (rdc_be16(ip + 10) == 0 || rdc_ipv4_sum_is_good(ip, RDC_IPV4_LEN));
}

INLINE bool bth_is_plain(const uint8_t *bth, const struct rdc_opcode_info *op)
{
    return op->service == RDC_SERVICE_RC && op->ext_size <= RDC_BRIEF_EXTS &&
           (bth[8] & RDC_BTH_RESERVED_LAST >> 24) == 0;
}

/* Before the frame check sequence; that of a shorter frame is none (rdc_frame_cursor()). */
INLINE bool fits(const struct rdc_input *in, uint32_t end)
{
    if (end > in->wire)
        return false;
    return in->fcs_size <= 0 || (uint8_t)in->fcs_size > in->wire ||
           end <= in->wire - (uint8_t)in->fcs_size;
}

INLINE void set_ip(const uint8_t *ip, const struct rdc_shape *shape, struct rdc_brief *brief)
{
    bool v4 = shape->ip_size == RDC_IPV4_LEN;

    brief->id = v4 ? rdc_be16(ip + 4) : 0;
    brief->ecn = ip[1] >> (v4 ? 0 : 4) & 0x3;
}

static __attribute__((noinline)) bool set_exts(const struct rdc_config *config,
                                               const struct rdc_input *in, const uint8_t *ip,
                                               const uint8_t *bth, uint32_t end,
                                               struct rdc_brief *brief)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[bth[0]];
    const uint8_t *exts = bth + RDC_BTH_LEN;

    if ((op->ext & RDC_EXT_AETH) != 0 && rdc_syndrome_is_reserved(exts[0])) {
        brief->context = RDC_NO_CONTEXT;
        return false;
    }
    brief->headers_hash = rdc_headers_hash(rdc_be64(bth), rdc_be32(bth + 8), exts, op->ext_size);
    for (size_t i = 0; i < op->ext_size && i < RDC_BRIEF_EXTS; i += 4)
        memcpy(brief->headers + RDC_BTH_LEN + i, exts + i, 4);
    return set_icrc(config, in, ip, bth, end, brief);
}

/* False: it is wrong, which would be noted. */
INLINE bool set_icrc(const struct rdc_config *config, const struct rdc_input *in, const uint8_t *ip,
                     const uint8_t *bth, uint32_t end, struct rdc_brief *brief)
{
    brief->icrc_captured = end <= in->captured;
    brief->icrc = 0;
    brief->icrc_check = config->skip_checksums ? RDC_CHECK_SKIPPED : RDC_CHECK_TRUNCATED;
    if (end > in->captured)
        return true;
    brief->icrc = rdc_be32(in->bytes + end - RDC_ICRC_LEN);
    return config->skip_checksums || check_icrc(ip, bth, in->bytes + end - RDC_ICRC_LEN, brief);
}

static __attribute__((noinline)) bool check_icrc(const uint8_t *ip, const uint8_t *bth,
                                                 const uint8_t *icrc, struct rdc_brief *brief)
{
    const struct rdc_envelope env = {
        .transport = RDC_TRANSPORT_ROCEV2, .ip = ip, .udp = bth - RDC_UDP_LEN};

    brief->icrc_check = RDC_CHECK_OK;
    if (rdc_icrc_judge(&env, bth, (size_t)(icrc - bth)) == RDC_ICRC_GOOD)
        return true;
    brief->context = RDC_NO_CONTEXT;
    return false;
}

/* ------------------------------------------------------------------ whole packets */

static void put_be16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* The headers of the frame, but for checksums: zeros, as some adapters leave them. Returns their
 * size. */
static uint32_t make_headers(const struct rdc_contexts *contexts, const struct rdc_brief *brief,
                             uint8_t headers[HEADERS_MAX])
{
    const struct rdc_context *context = &contexts->contexts[brief->context];
    const struct rdc_shape *shape = &rdc_shapes[rdc_shape_of(context->headers)];
    const struct rdc_opcode_info *op = &rdc_opcode_table[rdc_brief_opcode(brief)];
    const bool v4 = shape->ip_size == RDC_IPV4_LEN;
    uint8_t *ip = headers + shape->ip, *udp = ip + shape->ip_size, *bth = udp + RDC_UDP_LEN;
    uint32_t length = RDC_UDP_LEN + RDC_BTH_LEN + op->ext_size + brief->payload_size +
                      (brief->headers[1] >> 4 & 0x3) + RDC_ICRC_LEN;

    memcpy(headers, context->headers, RDC_HEAD_MAX);
    memcpy(headers + RDC_HEAD_MAX, contexts->tails[brief->context].headers,
           RDC_SHAPE_MAX - RDC_HEAD_MAX);
    ip[1] |= (uint8_t)(brief->ecn << (v4 ? 0 : 4));
    put_be16(ip + (v4 ? 2 : 4), length + (v4 ? RDC_IPV4_LEN : 0));
    if (v4)
        put_be16(ip + 4, brief->id);
    put_be16(udp + 4, length);
    memcpy(bth, brief->headers, RDC_BTH_LEN + op->ext_size);
    return (uint32_t)(bth - headers) + RDC_BTH_LEN + op->ext_size;
}

void rdc_brief_whole(const struct rdc_contexts *contexts, const struct rdc_brief *brief,
                     struct rdc_packet *pkt)
{
    static const struct rdc_config skip = {.skip_checksums = true};
    uint8_t headers[HEADERS_MAX];
    struct rdc_input in = {.bytes = headers,
                           .captured = make_headers(contexts, brief, headers),
                           .wire = brief->wire_size,
                           .linktype = RDC_LINKTYPE_ETHERNET,
                           .interface = contexts->routes[brief->route].packet_interface,
                           .time_ns = brief->time_ns};
    struct rdc_ib_packet *ib = &pkt->ib;
    uint32_t there = brief->captured_size - in.captured;

    rdc_plain_decode(&skip, &in, pkt); /* it can: rdc_brief_decode() asks for all that it does */
    pkt->frame = brief->frame;
    pkt->captured_size = brief->captured_size;
    pkt->truncated = brief->truncated;
    ib->icrc_check = brief->icrc_check;
    ib->icrc_captured = brief->icrc_captured;
    ib->icrc = brief->icrc;
    ib->payload_captured = there < ib->payload_size ? there : ib->payload_size;
    ib->payload = NULL;
}
