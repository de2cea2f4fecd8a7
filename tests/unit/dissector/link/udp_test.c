/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#include "link/udp.h"

static const struct row {
    const char *name;
    const char *hex;
    bool fragment;
    size_t left;
    rdc_notes notes;
} rows[] = {
    {"plain", "c000 12b7 000c 0000 01020304", false, 4, 0},
    {"no payload", "c000 12b7 0008 0000", false, 0, 0},
    {"length 0", "c000 12b7 0000 0000 01020304", false, 4, 0},
    {"length below the IP payload", "c000 12b7 000a 0000 01020304", false, 2,
     RDC_NOTE_BIT(LENGTH_MISMATCH)},
    {"length beyond the IP payload", "c000 12b7 0100 0000 01020304", false, 4,
     RDC_NOTE_BIT(LENGTH_MISMATCH)},
    {"length of a fragment", "c000 12b7 0100 0000 01020304", true, 4, 0},
};

static void each_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct rdc_packet before = layer_packet();
        struct layer run;

        before.ip.fragment = rows[i].fragment;
        print_message("%s\n", rows[i].name);
        run = layer_decode(rdc_udp_decode, &before, rows[i].hex, 8);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 8);
        assert_int_equal(run.left, rows[i].left);
        assert_int_equal(run.pkt.notes, rows[i].notes);
        assert_int_equal(run.pkt.src_port, 0xc000);
        assert_int_equal(run.pkt.dst_port, 4791);
        assert_int_equal(run.next.space, RDC_SPACE_UDP_PORT);
        assert_int_equal(run.next.value, 4791);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_UDP));
    }
}

static void length_below_the_header(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run = layer_decode(rdc_udp_decode, &before, "c000 12b7 0007 0000 01020304", 0);

    (void)state;
    assert_int_equal(run.status, RDC_MALFORMED);
    assert_int_equal(run.taken, 0);
    assert_int_equal(run.pkt.layers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(length_below_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
