/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

static const struct row {
    const char *name;
    const char *hex;
    size_t header;
    uint32_t next; /* GRE protocol */
    unsigned tunnels;
    struct rdc_tunnel tunnel;
    uint32_t layers; /* beside GRE */
} rows[] = {
    {"plain", "0000 0800 45", 4, 0x0800, 1, {RDC_TUNNEL_GRE, 2, false, 0}, 0},
    {"checksum", "8000 86dd 1234 0000", 8, 0x86dd, 1, {RDC_TUNNEL_GRE, 2, false, 0}, 0},
    {"key", "2000 0800 12345678", 8, 0x0800, 1, {RDC_TUNNEL_GRE, 2, true, 0x12345678}, 0},
    {"checksum, key, sequence",
     "b000 0800 1234 0000 12345678 00000001",
     16,
     0x0800,
     1,
     {RDC_TUNNEL_GRE, 2, true, 0x12345678},
     0},
    {"Ethernet without key", "0000 6558", 4, 0x6558, 1, {RDC_TUNNEL_GRE, 2, false, 0}, 0},
    {"NVGRE",
     "2000 6558 12345678",
     8,
     0x6558,
     1,
     {RDC_TUNNEL_NVGRE, 2, true, 0x123456},
     1u << RDC_LAYER_NVGRE},
    {"ERSPAN I",
     "0000 88be 02",
     4,
     0x6558,
     1,
     {RDC_TUNNEL_ERSPAN, 2, false, 0},
     1u << RDC_LAYER_ERSPAN},
    {"ERSPAN II", "1000 88be 00000001 1000", 8, 0x88be, 0, {0}, 0},
    {"ERSPAN III", "1000 22eb 00000001 2000", 8, 0x22eb, 0, {0}, 0},
};

static void gre(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    before.ip.ecn = 2;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct layer run = layer_decode(rdc_gre_decode, &before, r->hex, r->header);

        print_message("%s\n", r->name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, r->header);
        assert_int_equal(run.next.space, RDC_SPACE_GRE_PROTOCOL);
        assert_int_equal(run.next.value, r->next);
        assert_int_equal(run.pkt.layers, r->layers | layer_bit(RDC_LAYER_GRE));
        assert_int_equal(run.pkt.tunnel_count, r->tunnels);
        if (r->tunnels == 0)
            continue;
        assert_int_equal(run.pkt.tunnels[0].kind, r->tunnel.kind);
        assert_int_equal(run.pkt.tunnels[0].ecn, r->tunnel.ecn);
        assert_int_equal(run.pkt.tunnels[0].has_id, r->tunnel.has_id);
        assert_int_equal(run.pkt.tunnels[0].id, r->tunnel.id);
    }
}

static const struct erspan {
    const char *name;
    const char *hex;
    size_t header;
    enum rdc_space space;
    uint32_t value;
} erspans[] = {
    {"II", "1005 6bff 0000 0001 02", 8, RDC_SPACE_GRE_PROTOCOL, 0x6558},
    {"III", "2005 6bff 00000001 0000 0000 02", 12, RDC_SPACE_GRE_PROTOCOL, 0x6558},
    {"III with platform header", "2005 6bff 00000001 0000 0001 0102030405060708 02", 20,
     RDC_SPACE_GRE_PROTOCOL, 0x6558},
    {"III with IP", "2005 6bff 00000001 0000 0800 60", 12, RDC_SPACE_LINKTYPE, RDC_LINKTYPE_RAW},
};

static void erspan(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    before.ip.ecn = 1;
    for (size_t i = 0; i < SUPPORT_COUNT(erspans); i++) {
        struct layer run =
            layer_decode(rdc_erspan_decode, &before, erspans[i].hex, erspans[i].header);

        print_message("%s\n", erspans[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.next.space, erspans[i].space);
        assert_int_equal(run.next.value, erspans[i].value);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_ERSPAN));
        assert_int_equal(run.pkt.tunnel_count, 1);
        assert_int_equal(run.pkt.tunnels[0].kind, RDC_TUNNEL_ERSPAN);
        assert_int_equal(run.pkt.tunnels[0].ecn, 1);
        assert_int_equal(run.pkt.tunnels[0].id, 0x3ff);
    }
}

static void unsupported(void **state)
{
    static const struct {
        rdc_link_decode_fn *decode;
        const char *hex;
    } others[] = {
        {rdc_gre_decode, "3001 880b 0010 0001 00000001"}, /* PPTP */
        {rdc_gre_decode, "4000 0800 0000 0000 00000000"}, /* source routing */
        {rdc_erspan_decode, "3005 6bff 0000 0001 0000 0000"},
    };
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(others); i++) {
        struct layer run = layer_decode(others[i].decode, &before, others[i].hex, 0);

        assert_int_equal(run.status, RDC_UNSUPPORTED);
        assert_int_equal(run.taken, 0);
        assert_int_equal(run.pkt.layers, 0);
        assert_int_equal(run.pkt.tunnel_count, 0);
    }
}

static void more_tunnels_than_are_kept(void **state)
{
    struct rdc_packet pkt = layer_packet();

    (void)state;
    for (unsigned i = 0; i < RDC_MAX_TUNNELS; i++)
        pkt = layer_decode(rdc_gre_decode, &pkt, "2000 0800 00000001", 8).pkt;
    assert_int_equal(pkt.tunnel_count, RDC_MAX_TUNNELS);
    assert_int_equal(pkt.notes, 0);
    pkt = layer_decode(rdc_gre_decode, &pkt, "2000 0800 00000002", 8).pkt;
    assert_int_equal(pkt.tunnel_count, RDC_MAX_TUNNELS);
    assert_int_equal(pkt.tunnels[RDC_MAX_TUNNELS - 1].id, 1);
    assert_int_equal(pkt.notes, RDC_NOTE_BIT(DEPTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gre),
        cmocka_unit_test(erspan),
        cmocka_unit_test(unsupported),
        cmocka_unit_test(more_tunnels_than_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
