/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#define IPV4 "4500 0014 0000 0000 40 06 0000 0a000001 0a000002"
#define IPV4_FROM_8_0 "4600 0018 0000 0000 40 06 0000 08000001 0a000002 01010101"
#define IPV6 "60000000 0000 3b 40 20010db8000000000000000000000001 20010db8000000000000000000000002"
#define IPV6_FROM_800                                                                              \
    "60000000 0000 3b 40 20010db8080000000000000000000001 20010db8000000000000000000000002"

static const struct bottom {
    const char *name;
    const char *hex; /* below the bottom */
    size_t taken;    /* beside the entry */
    struct rdc_next next;
} bottoms[] = {
    {"IPv4", IPV4, 0, {RDC_SPACE_IP_VERSION, 4}},
    {"IPv4 with options from 8.0", IPV4_FROM_8_0, 0, {RDC_SPACE_IP_VERSION, 4}},
    {"IPv6", IPV6, 0, {RDC_SPACE_IP_VERSION, 6}},
    {"IPv6 from 2001:db8:800::", IPV6_FROM_800, 0, {RDC_SPACE_IP_VERSION, 6}},
    {"Ethernet behind a control word",
     "00000001 020000000002 020000000001 0800 45",
     4,
     {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"Ethernet behind a control word, other type",
     "00000001 020000000002 020000000001 1234 45",
     4,
     {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"Ethernet to 02", "020000000002 020000000001 0800 45", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"Ethernet to 46:00:ff", "4600ff000002 020000000001 8915 45", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"Ethernet to 62", "620000000002 020000000001 8100 0005", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"Ethernet to b8", "b8599f000002 020000000001 1234 45", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"nothing", "", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
    {"less than a control word", "0000", 0, {RDC_SPACE_ETHERTYPE, 0x6558}},
};

static void entry(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run = layer_decode(rdc_mpls_decode, &before, "00011040 00012140", 4);

    (void)state;
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.taken, 4);
    assert_int_equal(run.next.space, RDC_SPACE_ETHERTYPE);
    assert_int_equal(run.next.value, 0x8847);
    assert_int_equal(run.pkt.tunnel_count, 0);
    assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_MPLS));
}

static void bottom(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    before.ip.ecn = 3; /* of an outer header: not this tunnel's */
    for (size_t i = 0; i < SUPPORT_COUNT(bottoms); i++) {
        char hex[2 * LAYER_ROOM] = "12345140";
        struct layer run;

        strcat(hex, bottoms[i].hex);
        print_message("%s\n", bottoms[i].name);
        run = layer_decode(rdc_mpls_decode, &before, hex, 4);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 4 + bottoms[i].taken);
        assert_int_equal(run.next.space, bottoms[i].next.space);
        assert_int_equal(run.next.value, bottoms[i].next.value);
        assert_int_equal(run.pkt.tunnel_count, 1);
        assert_int_equal(run.pkt.tunnels[0].kind, RDC_TUNNEL_MPLS);
        assert_true(run.pkt.tunnels[0].has_id);
        assert_int_equal(run.pkt.tunnels[0].id, 0x12345);
        assert_int_equal(run.pkt.tunnels[0].ecn, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry),
        cmocka_unit_test(bottom),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
