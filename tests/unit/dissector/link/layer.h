/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs one decoder of an encapsulation on bytes from hex, whole and at every cut.
 */
#ifndef UNIT_LINK_LAYER_H
#define UNIT_LINK_LAYER_H

#include "support.h"

#include "link/link.h"

enum {
    LAYER_ROOM = 256,
};

struct layer {
    enum rdc_status status;
    struct rdc_packet pkt;
    struct rdc_next next;
    size_t taken;
    size_t left; /* wire bytes */
    /* for the cuts */
    rdc_link_decode_fn *decode;
    const struct rdc_packet *before;
    size_t header;
};

/* A packet as rdc_decode() has it before its first layer; what it leaves unset holds rubbish. */
static inline struct rdc_packet layer_packet(void)
{
    struct rdc_packet pkt;

    memset(&pkt, 0xa5, sizeof(pkt));
    pkt.layers = 0;
    pkt.notes = 0;
    pkt.transport = RDC_TRANSPORT_NONE;
    pkt.kind = RDC_KIND_OTHER;
    pkt.refusal = RDC_REFUSAL_NONE;
    pkt.address_kind = RDC_ADDRESS_NONE;
    pkt.vlan_count = 0;
    pkt.tunnel_count = 0;
    pkt.has_mac = false;
    pkt.truncated = false;
    pkt.ethertype = 0;
    pkt.src_port = 0;
    pkt.dst_port = 0;
    memset(&pkt.ip, 0, sizeof(pkt.ip));
    return pkt;
}

/* Decodes one cut; one that ends in the header must fail and change nothing. */
static inline void layer_run(struct layer *run, const uint8_t *bytes, size_t captured, size_t wire)
{
    struct rdc_cursor cur = {bytes, captured, wire};
    struct rdc_next none = {RDC_SPACE_LNH, 0x12345678};

    memcpy(&run->pkt, run->before, sizeof(run->pkt));
    run->next = none;
    run->status = run->decode(&cur, &run->pkt, &run->next);
    run->taken = (size_t)(cur.at - bytes);
    run->left = cur.wire;
    assert_true(cur.captured <= cur.wire);
    assert_true(run->taken <= captured);
    assert_int_equal(run->taken + cur.captured <= captured, 1);
    if (captured >= run->header)
        return;
    assert_int_equal(run->status, captured < wire ? RDC_TRUNCATED : RDC_MALFORMED);
    assert_memory_equal(&run->pkt, run->before, sizeof(run->pkt));
    assert_int_equal(run->next.space, none.space);
    assert_int_equal(run->next.value, none.value);
    assert_int_equal(run->taken, 0);
}

static inline void layer_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    struct layer *run = arg;

    if (captured == wire)
        return;
    layer_run(run, bytes, captured, wire);
    if (captured >= run->header)
        assert_int_equal(run->status, RDC_OK);
    layer_run(run, bytes, captured, captured);
}

/* Decodes `hex`, starting with `before`; where `header` is not 0 also every cut of it, of which
 * those shorter than `header` must fail. */
static inline struct layer layer_decode(rdc_link_decode_fn *decode, const struct rdc_packet *before,
                                        const char *hex, size_t header)
{
    struct layer run = {.decode = decode, .before = before, .header = header};
    uint8_t bytes[LAYER_ROOM];
    size_t size = support_hex(hex, bytes, sizeof(bytes));
    uint8_t *copy;

    if (header != 0)
        support_each_cut(bytes, size, layer_cut, &run);
    run.header = 0;
    copy = support_copy(bytes, size);
    layer_run(&run, copy, size, size);
    support_free(copy, size);
    return run;
}

static inline uint32_t layer_bit(enum rdc_layer layer)
{
    return 1u << layer;
}

#endif
