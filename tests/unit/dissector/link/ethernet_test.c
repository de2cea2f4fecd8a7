/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#include "link/ethernet.h"

static const struct row {
    const char *hex;
    enum rdc_space space;
    uint16_t ethertype;
} ethernets[] = {
    {"020000000002 020000000001 0800", RDC_SPACE_ETHERTYPE, 0x0800},
    {"020000000002 020000000001 0806 0001", RDC_SPACE_ETHERTYPE, 0x0806},
    {"020000000002 020000000001 8915", RDC_SPACE_ETHERTYPE, 0x8915},
    {"020000000002 020000000001 0600", RDC_SPACE_ETHERTYPE, 0x0600},
    {"020000000002 020000000001 05ff", RDC_SPACE_NONE, 0},
    {"020000000002 020000000001 0026 424203", RDC_SPACE_NONE, 0},
};

static void ethernet(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(ethernets); i++) {
        struct layer run = layer_decode(rdc_ethernet_decode, &before, ethernets[i].hex, 14);

        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 14);
        assert_int_equal(run.next.space, ethernets[i].space);
        if (run.next.space == RDC_SPACE_ETHERTYPE)
            assert_int_equal(run.next.value, ethernets[i].ethertype);
        assert_int_equal(run.pkt.ethertype, ethernets[i].ethertype);
        assert_true(run.pkt.has_mac);
        assert_memory_equal(run.pkt.dst_mac, "\x02\0\0\0\0\x02", 6);
        assert_memory_equal(run.pkt.src_mac, "\x02\0\0\0\0\x01", 6);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_ETHERNET));
    }
}

static void vlan(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    before.ethertype = 0x88a8;
    run = layer_decode(rdc_vlan_decode, &before, "7fed 8100 6001", 4);
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.taken, 4);
    assert_int_equal(run.next.space, RDC_SPACE_ETHERTYPE);
    assert_int_equal(run.next.value, 0x8100);
    assert_int_equal(run.pkt.ethertype, 0x8100);
    assert_int_equal(run.pkt.vlan_count, 1);
    assert_int_equal(run.pkt.vlans[0].tpid, 0x88a8);
    assert_int_equal(run.pkt.vlans[0].id, 0xfed);
    assert_int_equal(run.pkt.vlans[0].pcp, 3);
    assert_true(run.pkt.vlans[0].dei);
    assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_VLAN));
}

static void vlan_with_length(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    before.ethertype = 0x8100;
    run = layer_decode(rdc_vlan_decode, &before, "0005 0026", 4);
    assert_int_equal(run.next.space, RDC_SPACE_NONE);
    assert_int_equal(run.pkt.ethertype, 0);
    assert_int_equal(run.pkt.vlans[0].id, 5);
    assert_false(run.pkt.vlans[0].dei);
}

static void tag_that_is_no_vlan(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    before.ethertype = 0x9900;
    run = layer_decode(rdc_vlan_decode, &before, "ffff 0800", 4);
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.next.value, 0x0800);
    assert_int_equal(run.pkt.vlan_count, 0);
    assert_int_equal(run.pkt.layers, 0);
}

static void more_vlans_than_are_kept(void **state)
{
    struct rdc_packet pkt = layer_packet();

    (void)state;
    pkt.ethertype = 0x8100;
    for (unsigned i = 0; i < RDC_MAX_VLANS; i++) {
        struct layer run = layer_decode(rdc_vlan_decode, &pkt, "0005 8100", 4);

        assert_int_equal(run.pkt.vlan_count, i + 1);
        assert_int_equal(run.pkt.notes, 0);
        pkt = run.pkt;
    }
    pkt = layer_decode(rdc_vlan_decode, &pkt, "0006 8100", 4).pkt;
    assert_int_equal(pkt.vlan_count, RDC_MAX_VLANS);
    assert_int_equal(pkt.vlans[RDC_MAX_VLANS - 1].id, 5);
    assert_int_equal(pkt.notes, RDC_NOTE_BIT(DEPTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ethernet),
        cmocka_unit_test(vlan),
        cmocka_unit_test(vlan_with_length),
        cmocka_unit_test(tag_that_is_no_vlan),
        cmocka_unit_test(more_vlans_than_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
