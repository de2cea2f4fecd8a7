/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#define GID "00112233445566778899aabbccddeeff"
#define GRH "60000000 0024 04 ff " GID GID

static const struct row {
    const char *name;
    rdc_link_decode_fn *decode;
    const char *hex;
    size_t header; /* that must have been captured */
    size_t taken;
    struct rdc_next next;
} rows[] = {
    {"null little-endian", rdc_null_decode, "02000000 45", 4, 4, {RDC_SPACE_ETHERTYPE, 0x0800}},
    {"null big-endian", rdc_null_decode, "00000002 45", 4, 4, {RDC_SPACE_ETHERTYPE, 0x0800}},
    {"null Linux v6", rdc_null_decode, "0a000000", 4, 4, {RDC_SPACE_ETHERTYPE, 0x86dd}},
    {"null NetBSD v6", rdc_null_decode, "18000000", 4, 4, {RDC_SPACE_ETHERTYPE, 0x86dd}},
    {"null FreeBSD v6", rdc_null_decode, "0000001c", 4, 4, {RDC_SPACE_ETHERTYPE, 0x86dd}},
    {"null macOS v6", rdc_null_decode, "1e000000", 4, 4, {RDC_SPACE_ETHERTYPE, 0x86dd}},
    {"null other", rdc_null_decode, "07000000", 4, 4, {RDC_SPACE_NONE, 0}},
    {"raw v4", rdc_raw_ip_decode, "45", 1, 0, {RDC_SPACE_IP_VERSION, 4}},
    {"raw v6", rdc_raw_ip_decode, "60 00", 1, 0, {RDC_SPACE_IP_VERSION, 6}},
    {"ipoib GRH", rdc_ipoib_decode, GRH "0800 0000 45", 44, 44, {RDC_SPACE_ETHERTYPE, 0x0800}},
    {"ipoib GRH other", rdc_ipoib_decode, GRH "8035 0000", 44, 44, {RDC_SPACE_ETHERTYPE, 0x8035}},
    {"ipoib v6", rdc_ipoib_decode, GRH "86dd 0000", 44, 44, {RDC_SPACE_ETHERTYPE, 0x86dd}},
    {"ipoib short form", rdc_ipoib_decode, "0800 0000 45", 4, 4, {RDC_SPACE_ETHERTYPE, 0x0800}},
    {"ipoib short form, long packet",
     rdc_ipoib_decode,
     "86dd 0000" GRH "0102 0304",
     4,
     4,
     {RDC_SPACE_ETHERTYPE, 0x86dd}},
};

static void each_row(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rows[i].decode, &before, rows[i].hex, rows[i].header);

        print_message("%s\n", rows[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, rows[i].taken);
        assert_int_equal(run.next.space, rows[i].next.space);
        assert_int_equal(run.next.value, rows[i].next.value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
