/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#define SRC "20010db8000000000000000000000001 "
#define DST "20010db8000000000000000000000002 "

static const struct row {
    const char *name;
    const char *hex;
    size_t left;
    uint8_t dscp, ecn, ttl, protocol;
    rdc_notes notes;
} rows[] = {
    {"plain", "6ba12345 0008 11 40" SRC DST "0102030405060708", 8, 46, 2, 64, 17, 0},
    {"trailer", "60000000 0002 06 ff" SRC DST "0102030405060708", 2, 0, 0, 255, 6, 0},
    {"payload length 0", "60000000 0000 00 01" SRC DST "0102030405060708", 8, 0, 0, 1, 0, 0},
    {"cut by a mirror", "60000000 0400 11 40" SRC DST "0102", 1024, 0, 0, 64, 17,
     RDC_NOTE_BIT(LENGTH_MISMATCH)},
};

static void header(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    memset(&before.ip, 0xff, sizeof(before.ip)); /* of an outer header */
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct layer run = layer_decode(rdc_ipv6_decode, &before, r->hex, 40);

        print_message("%s\n", r->name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 40);
        assert_int_equal(run.left, r->left);
        assert_int_equal(run.pkt.ip.dscp, r->dscp);
        assert_int_equal(run.pkt.ip.ecn, r->ecn);
        assert_int_equal(run.pkt.ip.ttl, r->ttl);
        assert_int_equal(run.pkt.ip.protocol, r->protocol);
        assert_int_equal(run.pkt.ip.id, 0);
        assert_false(run.pkt.ip.fragment);
        assert_false(run.pkt.ip.later_fragment);
        assert_false(run.pkt.ip.dont_fragment);
        assert_false(run.pkt.ip.checksum_bad);
        assert_int_equal(run.pkt.notes, r->notes);
        assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_IPV6);
        assert_memory_equal(run.pkt.src, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
        assert_memory_equal(run.pkt.dst, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x02", 16);
        assert_int_equal(run.pkt.ethertype, 0x86dd);
        assert_int_equal(run.next.space, RDC_SPACE_IP_PROTOCOL);
        assert_int_equal(run.next.value, r->protocol);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_IPV6));
    }
}

static void not_ipv6(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run = layer_decode(rdc_ipv6_decode, &before, "40000000 0000 11 40" SRC DST, 0);

    (void)state;
    assert_int_equal(run.status, RDC_MALFORMED);
    assert_int_equal(run.pkt.layers, 0);
}

static const struct extension {
    const char *name;
    uint8_t protocol;
    const char *hex;
    size_t size;
    uint8_t next;
    bool fragment, later;
} extensions[] = {
    {"hop-by-hop", 0, "11 00 050200000100", 8, 17, false, false},
    {"destination options", 60, "3c 01 0102030405060708090a0b0c0d0e 11", 16, 60, false, false},
    {"routing", 43, "06 02 0401000000000000000000000000000000000000000001", 24, 6, false, false},
    {"authentication", 51, "11 04 0000 00000001 00000002 0102030405060708090a0b0c", 24, 17, false,
     false},
    {"shortest authentication", 51, "11 00 0000 00000001", 8, 17, false, false},
    {"first fragment", 44, "11 ff 0001 00000007 aaaa", 8, 17, true, false},
    {"later fragment", 44, "11 00 05a9 00000007 aaaa", 8, 17, true, true},
    {"last fragment", 44, "11 00 05a8 00000007 aaaa", 8, 17, true, true},
    {"fragment that is all", 44, "11 00 0000 00000007 aaaa", 8, 17, false, false},
};

static void extension(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(extensions); i++) {
        const struct extension *e = &extensions[i];
        struct rdc_packet before = layer_packet();
        struct layer run;

        before.ip.protocol = e->protocol;
        print_message("%s\n", e->name);
        run = layer_decode(rdc_ip_extension_decode, &before, e->hex, e->size);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, e->size);
        assert_int_equal(run.pkt.ip.protocol, e->next);
        assert_int_equal(run.pkt.ip.fragment, e->fragment);
        assert_int_equal(run.pkt.ip.later_fragment, e->later);
        assert_int_equal(run.pkt.notes, e->fragment ? RDC_NOTE_BIT(IP_FRAGMENT) : 0);
        assert_int_equal(run.pkt.refusal, e->later ? RDC_REFUSAL_FRAGMENT : RDC_REFUSAL_NONE);
        assert_int_equal(run.next.space, e->later ? RDC_SPACE_NONE : RDC_SPACE_IP_PROTOCOL);
    }
}

/* an IPv4 fragment stays one behind an authentication header */
static void extension_of_a_fragment(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    before.ip.protocol = 51;
    before.ip.fragment = true;
    run = layer_decode(rdc_ip_extension_decode, &before, "11 00 0000 00000001", 8);
    assert_true(run.pkt.ip.fragment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header),
        cmocka_unit_test(not_ipv6),
        cmocka_unit_test(extension),
        cmocka_unit_test(extension_of_a_fragment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
