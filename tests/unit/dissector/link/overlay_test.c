/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

static const struct row {
    const char *name;
    rdc_link_decode_fn *decode;
    const char *hex;
    size_t header;
    uint16_t ethertype; /* that follows */
    uint8_t kind;
    enum rdc_layer layer;
} rows[] = {
    {"vxlan", rdc_vxlan_decode, "08000000 123456 00 02", 8, 0x6558, RDC_TUNNEL_VXLAN,
     RDC_LAYER_VXLAN},
    {"vxlan with group policy", rdc_vxlan_decode, "88001234 123456 00", 8, 0x6558, RDC_TUNNEL_VXLAN,
     RDC_LAYER_VXLAN},
    {"geneve", rdc_geneve_decode, "0000 6558 123456 00", 8, 0x6558, RDC_TUNNEL_GENEVE,
     RDC_LAYER_GENEVE},
    {"geneve with IPv4", rdc_geneve_decode, "0080 0800 123456 ff 45", 8, 0x0800, RDC_TUNNEL_GENEVE,
     RDC_LAYER_GENEVE},
    {"geneve with options", rdc_geneve_decode, "0340 6558 123456 00 0102800200000001 00000002 02",
     20, 0x6558, RDC_TUNNEL_GENEVE, RDC_LAYER_GENEVE},
};

static void each_row(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    before.ip.ecn = 3;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rows[i].decode, &before, rows[i].hex, rows[i].header);

        print_message("%s\n", rows[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, rows[i].header);
        assert_int_equal(run.next.space, RDC_SPACE_ETHERTYPE);
        assert_int_equal(run.next.value, rows[i].ethertype);
        assert_int_equal(run.pkt.layers, layer_bit(rows[i].layer));
        assert_int_equal(run.pkt.tunnel_count, 1);
        assert_int_equal(run.pkt.tunnels[0].kind, rows[i].kind);
        assert_true(run.pkt.tunnels[0].has_id);
        assert_int_equal(run.pkt.tunnels[0].id, 0x123456);
        assert_int_equal(run.pkt.tunnels[0].ecn, 3);
    }
}

static void unsupported(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    run = layer_decode(rdc_vxlan_decode, &before, "00000000 123456 00", 0);
    assert_int_equal(run.status, RDC_UNSUPPORTED);
    assert_int_equal(run.pkt.layers, 0);
    run = layer_decode(rdc_geneve_decode, &before, "4000 6558 123456 00", 0);
    assert_int_equal(run.status, RDC_UNSUPPORTED);
    assert_int_equal(run.pkt.layers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(unsupported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
