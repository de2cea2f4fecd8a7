/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decodes packets in brief (rdc/brief.h): finds the context, checks what differs between its
 * packets as plain.c does, and takes it; and makes the whole packet of both.
 */
#include "ib/bth.h"
#include "ib/icrc.h"
#include "link/contexts.h"

static bool decode(const struct rdc_contexts *contexts, const struct rdc_config *config,
                   const struct rdc_input *in, const struct rdc_lookup *lookup,
                   const struct rdc_shape *shape, struct rdc_brief *brief);
static bool decode_other(const struct rdc_contexts *contexts, const struct rdc_config *config,
                         const struct rdc_input *in, const struct rdc_shape *shape, uint32_t hash,
                         struct rdc_brief *brief);
static bool set(const struct rdc_config *config, const struct rdc_input *in,
                const struct rdc_shape *shape, uint32_t number, struct rdc_brief *brief);
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
    if (lookup->context == RDC_NO_CONTEXT || in->captured > in->wire ||
        (uint64_t)in->time_ns > (uint64_t)RDC_TIME_LAST_NS)
        return false;
    if (__builtin_expect(!rdc_context_is_of(contexts, lookup->context, in, shape), 0))
        return decode_other(contexts, config, in, shape, lookup->hash, brief);
    return set(config, in, shape, lookup->context, brief);
}

/* Where the first context of the hash is not the frame's */
static __attribute__((noinline)) bool decode_other(const struct rdc_contexts *contexts,
                                                   const struct rdc_config *config,
                                                   const struct rdc_input *in,
                                                   const struct rdc_shape *shape, uint32_t hash,
                                                   struct rdc_brief *brief)
{
    uint32_t number = rdc_contexts_find(contexts, in, shape, hash);

    return number != RDC_NO_CONTEXT && set(config, in, shape, number, brief);
}

/* From the frame's begin. IP and UDP agree on the length as plain.c asks for it; what is behind is
 * trailer. */
INLINE bool set(const struct rdc_config *config, const struct rdc_input *restrict in,
                const struct rdc_shape *shape, uint32_t number, struct rdc_brief *restrict brief)
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

void rdc_brief_whole(const struct rdc_contexts *contexts, const struct rdc_brief *brief,
                     struct rdc_packet *pkt)
{
    const uint8_t *bth = brief->headers;
    const struct rdc_opcode_info *op = &rdc_opcode_table[rdc_brief_opcode(brief)];
    struct rdc_ib_packet *ib = &pkt->ib;
    uint32_t before, there;

    /* but what of a packet without tunnels and InfiniBand's link headers is not set */
    memcpy(pkt, &contexts->packets[brief->context], offsetof(struct rdc_packet, tunnels));
    pkt->frame = brief->frame;
    pkt->time_ns = brief->time_ns;
    pkt->wire_size = brief->wire_size;
    pkt->captured_size = brief->captured_size;
    pkt->truncated = brief->truncated;
    pkt->ip.id = brief->id;
    pkt->ip.ecn = brief->ecn;
    rdc_bth_fields(rdc_be64(bth), rdc_be32(bth + 8), &ib->bth);
    rdc_exts_from_wire(bth + RDC_BTH_LEN, op->ext, &ib->ext);
    ib->icrc_check = brief->icrc_check;
    ib->icrc_captured = brief->icrc_captured;
    ib->icrc = brief->icrc;
    ib->headers_hash = brief->headers_hash;
    ib->payload_size = brief->payload_size;
    before = RDC_ETHERNET_LEN + pkt->vlan_count * (uint32_t)RDC_VLAN_LEN +
             (pkt->address_kind == RDC_ADDRESS_IPV4 ? RDC_IPV4_LEN : RDC_IPV6_LEN) + RDC_UDP_LEN +
             RDC_BTH_LEN + op->ext_size;
    there = brief->captured_size - before;
    ib->payload_captured = there < ib->payload_size ? there : ib->payload_size;
}
