/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#define TIME "0011223344556677 "

static const struct row {
    const char *name;
    const char *hex;
    size_t header;
    uint32_t captured, wire; /* of the frame inside */
    struct rdc_next next;
} rows[] = {
    {"infiniband",
     TIME "15 05 0018 0000 0008 0102030405060708",
     16,
     8,
     8,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_INFINIBAND}},
    {"infiniband, snapped",
     TIME "15 05 0018 0000 0122 0102030405060708",
     16,
     8,
     0x122,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_INFINIBAND}},
    {"link packet, padded",
     TIME "19 05 0018 0000 0006 0102030405060000",
     16,
     6,
     6,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_IB_LINK_PACKET}},
    {"ethernet",
     TIME "02 04 0018 0000 0006 0000 010203040506",
     18,
     6,
     6,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_ETHERNET}},
    {"ethernet, coloured",
     TIME "0b 04 0018 0000 0005 0000 010203040500",
     18,
     5,
     5,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_ETHERNET}},
    {"extension",
     TIME "95 05 0020 0000 0008 0300000000000000 0102030405060708",
     24,
     8,
     8,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_INFINIBAND}},
    {"two extensions",
     TIME "82 05 002a 0000 0008 8300000000000000 0400000000000000 0000 0102030405060708",
     34,
     8,
     8,
     {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_ETHERNET}},
    {"ipv4", TIME "16 04 0012 0000 0002 4500", 16, 2, 2, {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_IPV4}},
    {"ipv6", TIME "17 04 0012 0000 0002 6000", 16, 2, 2, {RDC_SPACE_LINKTYPE, RDC_LINKTYPE_IPV6}},
    {"other", TIME "01 04 0018 0000 0008 0102030405060708", 16, 8, 8, {RDC_SPACE_NONE, UINT32_MAX}},
};

static void each_row(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rdc_erf_decode, &before, rows[i].hex, rows[i].header);

        print_message("%s\n", rows[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, rows[i].header);
        assert_int_equal(run.left, rows[i].wire);
        assert_int_equal(run.pkt.captured_size, rows[i].captured);
        assert_int_equal(run.pkt.wire_size, rows[i].wire);
        assert_int_equal(run.pkt.truncated, rows[i].captured < rows[i].wire);
        assert_int_equal(run.next.space, rows[i].next.space);
        assert_int_equal(run.next.value, rows[i].next.value);
    }
}

static void record_shorter_than_its_headers(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run =
        layer_decode(rdc_erf_decode, &before, TIME "02 04 0011 0000 0006 0000 010203040506", 0);

    (void)state;
    assert_int_equal(run.status, RDC_MALFORMED);
    assert_int_equal(run.taken, 0);
}

/* the record ends here, but more bytes were captured behind it */
static void record_shorter_than_what_is_there(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run =
        layer_decode(rdc_erf_decode, &before, TIME "15 04 0014 0000 0008 0102030405060708", 16);

    (void)state;
    assert_int_equal(run.pkt.captured_size, 4);
    assert_int_equal(run.pkt.wire_size, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(record_shorter_than_its_headers),
        cmocka_unit_test(record_shorter_than_what_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
