/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

#define SGID "fe800000000000000002c90300001f2d "
#define DGID "ff12401bffff00000000000000000001 "

static void local_route(void **state)
{
    static const struct {
        const char *hex;
        size_t left;
        rdc_notes notes;
        uint8_t lnh;
    } rows[] = {
        {"5032 0011 0003 0012 01020304 aaaa", 4, 0, RDC_LNH_BTH},
        {"5033 0011 0003 0012 01020304", 4, 0, RDC_LNH_GRH},
        {"5030 0011 0002 0012", 0, 0, RDC_LNH_RAW_ETHERTYPE},
        {"5131 0011 0002 0012", 0, RDC_NOTE_BIT(LVER), RDC_LNH_RAW_IPV6},
        {"5032 0011 0048 0012 01020304", 280, RDC_NOTE_BIT(LENGTH_MISMATCH), RDC_LNH_BTH},
    };
    static const uint8_t src[16] = {0, 0x12}, dst[16] = {0, 0x11};
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rdc_local_route_decode, &before, rows[i].hex, 8);

        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 8);
        assert_int_equal(run.left, rows[i].left);
        assert_int_equal(run.pkt.notes, rows[i].notes);
        assert_int_equal(run.pkt.lrh.vl, 5);
        assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_LID);
        assert_memory_equal(run.pkt.src, src, 16);
        assert_memory_equal(run.pkt.dst, dst, 16);
        assert_int_equal(run.next.space, RDC_SPACE_LNH);
        assert_int_equal(run.next.value, rows[i].lnh);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_LRH));
    }
}

static void local_route_too_short(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run =
        layer_decode(rdc_local_route_decode, &before, "5032 0011 0001 0012 01020304", 0);

    (void)state;
    assert_int_equal(run.status, RDC_MALFORMED);
    assert_int_equal(run.pkt.layers, 0);
    assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_NONE);
}

static const struct global {
    const char *name;
    const char *hex;
    bool behind_lrh;
    size_t left;
    rdc_notes notes;
} globals[] = {
    {"rocev1", "60000000 0004 1b 01" SGID DGID "01020304", false, 4, 0},
    {"rocev1 with trailer", "60000000 0004 1b 01" SGID DGID "01020304 0000", false, 4, 0},
    {"rocev1 cut by a mirror", "60000000 0040 1b 01" SGID DGID "01020304", false, 64,
     RDC_NOTE_BIT(LENGTH_MISMATCH)},
    {"infiniband", "60000000 0004 1b 01" SGID DGID "01020304", true, 4, 0},
    {"infiniband, lengths disagree", "60000000 0002 1b 01" SGID DGID "01020304", true, 4,
     RDC_NOTE_BIT(LENGTH_MISMATCH)},
};

static void global_route(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(globals); i++) {
        struct rdc_packet before = layer_packet();
        struct layer run;

        before.layers = globals[i].behind_lrh ? layer_bit(RDC_LAYER_LRH) : 0;
        print_message("%s\n", globals[i].name);
        run = layer_decode(rdc_global_route_decode, &before, globals[i].hex, 40);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.taken, 40);
        assert_int_equal(run.left, globals[i].left);
        assert_int_equal(run.pkt.notes, globals[i].notes);
        assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_GID);
        assert_int_equal(run.pkt.src[0], 0xfe);
        assert_int_equal(run.pkt.src[15], 0x2d);
        assert_int_equal(run.pkt.dst[0], 0xff);
        assert_int_equal(run.pkt.dst[15], 0x01);
        assert_int_equal(run.pkt.grh.hop_limit, 1);
        assert_int_equal(run.next.space, RDC_SPACE_GRH_NEXT);
        assert_int_equal(run.pkt.layers, before.layers | layer_bit(RDC_LAYER_GRH));
    }
}

static void global_route_refused(void **state)
{
    static const char *const wrong[] = {
        "40000000 0004 1b 01" SGID DGID "01020304",
        "60000000 0004 11 01" SGID DGID "01020304",
    };
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        struct layer run = layer_decode(rdc_global_route_decode, &before, wrong[i], 40);

        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.pkt.refusal, RDC_REFUSAL_GRH);
        assert_int_equal(run.pkt.notes, RDC_NOTE_BIT(GRH_VERSION));
        assert_int_equal(run.pkt.address_kind, RDC_ADDRESS_NONE);
        assert_int_equal(run.next.space, RDC_SPACE_NONE);
    }
}

static void raw(void **state)
{
    struct rdc_packet before = layer_packet();
    struct layer run;

    (void)state;
    before.lrh.lnh = RDC_LNH_RAW_ETHERTYPE;
    run = layer_decode(rdc_raw_infiniband_decode, &before, "0000 0806 0001", 0);
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.pkt.kind, RDC_KIND_RAW);
    assert_int_equal(run.pkt.transport, RDC_TRANSPORT_IB);
    assert_int_equal(run.pkt.ethertype, 0x0806);
    assert_int_equal(run.next.space, RDC_SPACE_NONE);

    run = layer_decode(rdc_raw_infiniband_decode, &before, "0000 08", 0);
    assert_int_equal(run.status, RDC_MALFORMED);
    assert_int_equal(run.pkt.kind, RDC_KIND_RAW);
    assert_int_equal(run.pkt.ethertype, 0);

    before.lrh.lnh = RDC_LNH_RAW_IPV6;
    run = layer_decode(rdc_raw_infiniband_decode, &before, "60", 0);
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.pkt.kind, RDC_KIND_RAW);
    assert_int_equal(run.pkt.ethertype, 0x86dd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_route),  cmocka_unit_test(local_route_too_short),
        cmocka_unit_test(global_route), cmocka_unit_test(global_route_refused),
        cmocka_unit_test(raw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
