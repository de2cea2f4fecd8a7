/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

static const struct row {
    rdc_link_decode_fn *decode;
    const char *hex;
    size_t header;
    enum rdc_space space;
    uint16_t ethertype;
    bool has_mac;
    enum rdc_layer layer;
} rows[] = {
    {rdc_sll_decode, "0000 0001 0006 020000000001 0000 0800 45", 16, RDC_SPACE_ETHERTYPE, 0x0800,
     true, RDC_LAYER_SLL},
    {rdc_sll_decode, "0004 0304 0006 000000000000 0000 86dd", 16, RDC_SPACE_ETHERTYPE, 0x86dd, true,
     RDC_LAYER_SLL},
    {rdc_sll_decode, "0000 0020 0014 80000029fe800000 0800", 16, RDC_SPACE_ETHERTYPE, 0x0800, false,
     RDC_LAYER_SLL},
    {rdc_sll_decode, "0000 0001 0006 020000000001 0000 0004", 16, RDC_SPACE_NONE, 0, true,
     RDC_LAYER_SLL},
    {rdc_sll2_decode, "8915 0000 00000003 0001 00 06 020000000001 0000 60", 20, RDC_SPACE_ETHERTYPE,
     0x8915, true, RDC_LAYER_SLL2},
    {rdc_sll2_decode, "0800 0000 00000003 0200 04 00 0000000000000000", 20, RDC_SPACE_ETHERTYPE,
     0x0800, false, RDC_LAYER_SLL2},
    {rdc_sll2_decode, "0001 0000 00000003 0001 00 06 020000000001 0000", 20, RDC_SPACE_NONE, 0,
     true, RDC_LAYER_SLL2},
};

static void cooked(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rows[i].decode, &before, rows[i].hex, rows[i].header);

        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, rows[i].header);
        assert_int_equal(run.next.space, rows[i].space);
        assert_int_equal(run.next.value, rows[i].ethertype);
        assert_int_equal(run.pkt.ethertype, rows[i].ethertype);
        assert_int_equal(run.pkt.has_mac, rows[i].has_mac);
        assert_int_equal(run.pkt.layers, layer_bit(rows[i].layer));
    }
}

static void source_only(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    run = layer_decode(rdc_sll_decode, &before, rows[0].hex, rows[0].header);
    assert_memory_equal(run.pkt.src_mac, "\x02\0\0\0\0\x01", 6);
    assert_memory_equal(run.pkt.dst_mac, "\0\0\0\0\0\0", 6);
    run = layer_decode(rdc_sll2_decode, &before, rows[4].hex, rows[4].header);
    assert_memory_equal(run.pkt.src_mac, "\x02\0\0\0\0\x01", 6);
    assert_memory_equal(run.pkt.dst_mac, "\0\0\0\0\0\0", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cooked),
        cmocka_unit_test(source_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
