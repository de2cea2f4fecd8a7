/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#include "link/ipv4.h"

#define ADDRESSES "0a000001 0a000002 "

static const struct row {
    const char *name;
    const char *hex;
    size_t header;
    size_t left;
    struct rdc_ip ip;
    rdc_notes notes;
    uint8_t refusal;
    enum rdc_space space;
} rows[] = {
    {"plain",
     "456a 001c 1234 4000 40 11 0000 " ADDRESSES "0102030405060708",
     20,
     8,
     {.dscp = 26, .ecn = 2, .ttl = 64, .protocol = 17, .id = 0x1234, .dont_fragment = true},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"good checksum",
     "4500 0014 0001 0000 40 06 66e1 " ADDRESSES,
     20,
     0,
     {.ttl = 64, .protocol = 6, .id = 1},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"bad checksum",
     "4500 0014 0001 0000 40 06 66e2 " ADDRESSES,
     20,
     0,
     {.ttl = 64, .protocol = 6, .id = 1, .checksum_bad = true},
     RDC_NOTE_BIT(IP_CHECKSUM_BAD),
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"options, good checksum",
     "4600 0018 0001 0000 40 06 d1d8 " ADDRESSES "94040000",
     24,
     0,
     {.ttl = 64, .protocol = 6, .id = 1},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"options, bad checksum",
     "4600 0018 0001 0000 40 06 d1d8 " ADDRESSES "94040100",
     24,
     0,
     {.ttl = 64, .protocol = 6, .id = 1, .checksum_bad = true},
     RDC_NOTE_BIT(IP_CHECKSUM_BAD),
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"all options",
     "4f00 003c 0001 0000 40 06 0000 " ADDRESSES
     "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000",
     60,
     0,
     {.ttl = 64, .protocol = 6, .id = 1},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"trailer",
     "4500 0016 0000 0000 ff 06 0000 " ADDRESSES "0102 aaaaaaaa",
     20,
     2,
     {.ttl = 255, .protocol = 6},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"length 0",
     "4500 0000 0000 0000 ff 06 1234 " ADDRESSES "0102 aaaaaaaa",
     20,
     6,
     {.ttl = 255, .protocol = 6},
     0,
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"cut by a mirror",
     "4500 0400 0000 0000 ff 06 0000 " ADDRESSES "0102",
     20,
     1004,
     {.ttl = 255, .protocol = 6},
     RDC_NOTE_BIT(LENGTH_MISMATCH),
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"first fragment",
     "4500 001c 0007 2000 40 11 0000 " ADDRESSES "0102030405060708",
     20,
     8,
     {.ttl = 64, .protocol = 17, .id = 7, .fragment = true},
     RDC_NOTE_BIT(IP_FRAGMENT),
     RDC_REFUSAL_NONE,
     RDC_SPACE_IP_PROTOCOL},
    {"later fragment",
     "4500 001c 0007 20b9 40 11 0000 " ADDRESSES "0102030405060708",
     20,
     8,
     {.ttl = 64, .protocol = 17, .id = 7, .fragment = true, .later_fragment = true},
     RDC_NOTE_BIT(IP_FRAGMENT),
     RDC_REFUSAL_FRAGMENT,
     RDC_SPACE_NONE},
    {"last fragment",
     "4500 001c 0007 00b9 40 11 0000 " ADDRESSES "0102030405060708",
     20,
     8,
     {.ttl = 64, .protocol = 17, .id = 7, .fragment = true, .later_fragment = true},
     RDC_NOTE_BIT(IP_FRAGMENT),
     RDC_REFUSAL_FRAGMENT,
     RDC_SPACE_NONE},
    {"later fragment of TCP",
     "4500 001c 0007 00b9 40 06 0000 " ADDRESSES "0102030405060708",
     20,
     8,
     {.ttl = 64, .protocol = 6, .id = 7, .fragment = true, .later_fragment = true},
     RDC_NOTE_BIT(IP_FRAGMENT),
     RDC_REFUSAL_NONE,
     RDC_SPACE_NONE},
};

static void assert_ip_equal(const struct rdc_ip *got, const struct rdc_ip *want)
{
    assert_int_equal(got->dscp, want->dscp);
    assert_int_equal(got->ecn, want->ecn);
    assert_int_equal(got->ttl, want->ttl);
    assert_int_equal(got->protocol, want->protocol);
    assert_int_equal(got->id, want->id);
    assert_int_equal(got->fragment, want->fragment);
    assert_int_equal(got->later_fragment, want->later_fragment);
    assert_int_equal(got->dont_fragment, want->dont_fragment);
    assert_int_equal(got->checksum_bad, want->checksum_bad);
}

static void each_row(void **state)
{
    static const uint8_t src[16] = {10, 0, 0, 1}, dst[16] = {10, 0, 0, 2};
    struct rdc_packet before = layer_packet();

    (void)state;
    before.src_port = 4789; /* of an outer header */
    before.dst_port = 4789;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct layer run = layer_decode(rdc_ipv4_decode, &before, r->hex, r->header);

        print_message("%s\n", r->name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, r->header);
        assert_int_equal(run.left, r->left);
        assert_ip_equal(&run.pkt.ip, &r->ip);
        assert_int_equal(run.pkt.notes, r->notes);
        assert_int_equal(run.pkt.refusal, r->refusal);
        assert_int_equal(run.next.space, r->space);
        if (r->space == RDC_SPACE_IP_PROTOCOL)
            assert_int_equal(run.next.value, r->ip.protocol);
        assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_IPV4);
        assert_memory_equal(run.pkt.src, src, 16);
        assert_memory_equal(run.pkt.dst, dst, 16);
        assert_int_equal(run.pkt.ethertype, 0x0800);
        assert_int_equal(run.pkt.src_port, 0);
        assert_int_equal(run.pkt.dst_port, 0);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_IPV4));
    }
}

static void not_ipv4(void **state)
{
    static const char *const wrong[] = {
        "6500 0014 0000 0000 40 06 0000 " ADDRESSES, /* version */
        "4400 0014 0000 0000 40 06 0000 " ADDRESSES, /* header length */
        "4500 0013 0000 0000 40 06 0000 " ADDRESSES, /* total length below the header's */
        "4600 0017 0000 0000 40 06 0000 " ADDRESSES "00000000",
    };
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        struct layer run = layer_decode(rdc_ipv4_decode, &before, wrong[i], 0);

        assert_int_equal(run.status, RDC_MALFORMED);
        assert_int_equal(run.taken, 0);
        assert_int_equal(run.pkt.layers, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(not_ipv4),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
