/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as a frame of any link type, and frames that differ from it in one bit as ones of its
 * context. An input is four bytes of choices and the frame:
 *   link type (an index of the list below), flags, bytes of the frame that were not captured:16
 */
#include <stdlib.h>
#include <string.h>

#include "dissector/same.h"
#include "link/contexts.h"
#include "link/peel.h"
#include "rdc/packet.h"
#include "rdc/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 4,
    FLAG_FCS = 0x03, /* what the capture says of the frame check sequence */
    FLAG_SKIP_CHECKSUMS = 0x04,
    FLAG_EXTRA_PORT = 0x08,
    EXTRA_PORT = 4792,
};

static const uint32_t linktypes[] = {
    RDC_LINKTYPE_ETHERNET,   RDC_LINKTYPE_NULL,
    RDC_LINKTYPE_RAW_OLD,    RDC_LINKTYPE_RAW_BSD,
    RDC_LINKTYPE_RAW,        RDC_LINKTYPE_LOOP,
    RDC_LINKTYPE_LINUX_SLL,  RDC_LINKTYPE_ERF,
    RDC_LINKTYPE_IPV4,       RDC_LINKTYPE_IPV6,
    RDC_LINKTYPE_IPOIB,      RDC_LINKTYPE_INFINIBAND,
    RDC_LINKTYPE_LINUX_SLL2, RDC_LINKTYPE_IB_LINK_PACKET,
};
static const int8_t fcs_sizes[] = {0, 4, -1, 0};

static void must(bool holds);
static void check_briefs(const struct rdc_config *config, const struct rdc_input *in,
                         const struct rdc_packet *pkt);
static void check_brief(const struct rdc_contexts *contexts, const struct rdc_config *config,
                        const struct rdc_input *in);
static void check_packet(const struct rdc_input *in, const struct rdc_packet *pkt);
static void check_payload(const struct rdc_input *in, const uint8_t *payload, uint32_t captured,
                          uint32_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rdc_config config = {0};
    struct rdc_input in = {0};
    struct rdc_packet pkt;
    struct rdc_packet again;

    if (size < CHOICES)
        return 0;
    config.skip_checksums = (data[1] & FLAG_SKIP_CHECKSUMS) != 0;
    if ((data[1] & FLAG_EXTRA_PORT) != 0)
        config.extra_ports[config.extra_port_count++] = EXTRA_PORT;
    in.linktype = linktypes[data[0] % (sizeof(linktypes) / sizeof(linktypes[0]))];
    in.fcs_size = fcs_sizes[data[1] & FLAG_FCS];
    in.bytes = data + CHOICES;
    in.captured = (uint32_t)(size - CHOICES);
    in.wire = in.captured + rdc_be16(data + 2);

    /* What the decoder leaves unset must not matter to it. */
    memset(&pkt, 0xa5, sizeof(pkt));
    memset(&again, 0x5a, sizeof(again));
    rdc_decode(&config, &in, &pkt);
    rdc_peel_decode(&config, &in, &again); /* the general way, also for plain frames */
    must(same_packet(&pkt, &again) == NULL);
    check_packet(&in, &pkt);
    check_briefs(&config, &in, &pkt);
    return 0;
}

/* Of the first headers, any byte differs by one bit; which one it is depends on the payload. */
static void check_briefs(const struct rdc_config *config, const struct rdc_input *in,
                         const struct rdc_packet *pkt)
{
    static struct rdc_contexts *contexts;
    struct rdc_input other = *in;
    uint8_t *copy;

    if (contexts == NULL)
        contexts = calloc(1, rdc_contexts_size());
    if (contexts == NULL)
        abort();
    contexts->newest = 0;
    contexts->bucket_mask = 0;
    contexts->route_count = 0;
    memset(contexts->buckets, 0, 2 * sizeof *contexts->buckets); /* one context needs no more */
    if (rdc_contexts_learn(contexts, in, pkt) == RDC_NO_CONTEXT)
        return;
    must(rdc_contexts_learn(contexts, in, pkt) == 1);
    check_brief(contexts, config, in);
    copy = malloc(in->captured);
    if (copy == NULL)
        abort();
    memcpy(copy, in->bytes, in->captured);
    other.bytes = copy;
    for (size_t i = 0; i < in->captured && i < RDC_SHAPE_MAX + RDC_BRIEF_EXTS; i++) {
        uint8_t bit = (uint8_t)(1u << (in->bytes[in->captured - 1] + i) % 8);

        copy[i] ^= bit;
        check_brief(contexts, config, &other);
        copy[i] ^= bit;
    }
    other.captured = other.wire = in->captured - 1; /* perhaps not all that the lengths say */
    check_brief(contexts, config, &other);
    other.time_ns = INT64_MAX;
    check_brief(contexts, config, &other);
    free(copy);
}

static void check_brief(const struct rdc_contexts *contexts, const struct rdc_config *config,
                        const struct rdc_input *in)
{
    struct rdc_packet whole, decoded;
    struct rdc_brief brief;

    memset(&brief, 0xa5, sizeof brief);
    if (!rdc_brief_decode_now(contexts, config, in, &brief))
        return;
    rdc_brief_whole(contexts, &brief, &whole);
    rdc_decode(config, in, &decoded);
    decoded.ib.payload = NULL;
    must(same_packet(&whole, &decoded) == NULL);
}

static void check_packet(const struct rdc_input *in, const struct rdc_packet *pkt)
{
    must(pkt->transport < RDC_TRANSPORT_COUNT);
    must(pkt->refusal < RDC_REFUSAL_COUNT);
    must(pkt->vlan_count <= RDC_MAX_VLANS);
    must(pkt->tunnel_count <= RDC_MAX_TUNNELS);
    must(pkt->captured_size <= pkt->wire_size);
    must(rdc_linktype_name(in->linktype) != NULL);
    must((rdc_transport_name(pkt->transport) == NULL) == (pkt->transport == RDC_TRANSPORT_NONE));
    for (uint8_t i = 0; i < pkt->tunnel_count; i++)
        must(rdc_tunnel_name(pkt->tunnels[i].kind) != NULL);
    must(rdc_refusal_text(pkt->refusal) != NULL);
    if (pkt->kind == RDC_KIND_BTH) {
        const struct rdc_opcode_info *op = &rdc_opcode_table[pkt->ib.bth.opcode];

        must(rdc_operation_name(op->operation) != NULL && rdc_service_name(op->service) != NULL);
        must(pkt->transport != RDC_TRANSPORT_NONE);
        must(pkt->ib.ext.present ==
             (pkt->ib.ext.present & rdc_opcode_table[pkt->ib.bth.opcode].ext));
        check_payload(in, pkt->ib.payload, pkt->ib.payload_captured, pkt->ib.payload_size);
    }
    if (pkt->kind == RDC_KIND_TCP)
        check_payload(in, pkt->tcp.payload, pkt->tcp.payload_captured, pkt->tcp.payload_size);
}

/* A borrowed payload lies within the frame; a read of all of it shows the sanitizer that. */
static void check_payload(const struct rdc_input *in, const uint8_t *payload, uint32_t captured,
                          uint32_t size)
{
    must(captured <= size);
    must((payload == NULL) == (captured == 0));
    if (payload == NULL)
        return;
    must(payload >= in->bytes && captured <= in->captured);
    must((size_t)(payload - in->bytes) <= in->captured - captured);
}

static void must(bool holds)
{
    if (!holds)
        abort();
}
