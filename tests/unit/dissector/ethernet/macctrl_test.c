/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support.h"

#include "ethernet/macctrl.h"

#define PADDING "00000000000000000000"

static const struct row {
    const char *name;
    const char *hex;
    size_t header;
    struct rdc_pause want;
    rdc_notes notes;
} rows[] = {
    {"pause", "0001 ffff" PADDING, 4, {.quanta = {0xffff}}, 0},
    {"pause, end", "0001 0000", 4, {.quanta = {0}}, 0},
    {"pfc, priority 3",
     "0101 0008 0000 0000 0000 ffff 0000 0000 0000 0000" PADDING,
     20,
     {.pfc = true, .enabled = 0x08, .quanta = {[3] = 0xffff}},
     0},
    {"pfc, all",
     "0101 00ff 0001 0002 0003 0004 0005 0006 0007 0008",
     20,
     {.pfc = true, .enabled = 0xff, .quanta = {1, 2, 3, 4, 5, 6, 7, 8}},
     0},
    {"pfc, quanta of a priority that is not enabled",
     "0101 0001 0000 1234 0000 0000 0000 0000 0000 0000",
     20,
     {.pfc = true, .enabled = 0x01, .quanta = {[1] = 0x1234}},
     0},
    {"pfc, reserved bits",
     "0101 8001 0000 0000 0000 0000 0000 0000 0000 0000",
     20,
     {.pfc = true, .enabled = 0x01},
     RDC_NOTE_BIT(PAUSE_RESERVED)},
};

static struct rdc_packet packet_between(const char *destination, const char *source)
{
    struct rdc_packet pkt;

    memset(&pkt, 0xa5, sizeof(pkt));
    pkt.layers = 1u << RDC_LAYER_ETHERNET;
    pkt.notes = 0;
    pkt.transport = RDC_TRANSPORT_NONE;
    pkt.kind = RDC_KIND_OTHER;
    pkt.refusal = RDC_REFUSAL_NONE;
    pkt.has_mac = true;
    assert_int_equal(support_hex(destination, pkt.dst_mac, 6), 6);
    assert_int_equal(support_hex(source, pkt.src_mac, 6), 6);
    return pkt;
}

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct row *r = arg;
    struct rdc_packet pkt = packet_between("0180c2000001", "020000000001");
    struct rdc_cursor cur = {bytes, captured, wire};
    enum rdc_status st = rdc_macctrl_decode(&cur, &pkt);

    if (captured < r->header) {
        assert_int_equal(st, RDC_TRUNCATED);
        assert_int_equal(pkt.kind, RDC_KIND_OTHER);
        assert_int_equal(pkt.transport, RDC_TRANSPORT_NONE);
        assert_int_equal(pkt.notes, 0);
        return;
    }
    assert_int_equal(st, RDC_OK);
    assert_int_equal(pkt.kind, RDC_KIND_PAUSE);
    assert_int_equal(pkt.transport, RDC_TRANSPORT_MACCTRL);
    assert_int_equal(pkt.refusal, RDC_REFUSAL_NONE);
    assert_int_equal(pkt.notes, r->notes);
    assert_int_equal(pkt.pause.pfc, r->want.pfc);
    assert_int_equal(pkt.pause.enabled, r->want.enabled);
    assert_memory_equal(pkt.pause.quanta, r->want.quanta, sizeof(r->want.quanta));
}

static void each_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct row row = rows[i];
        uint8_t bytes[64];
        size_t size = support_hex(row.hex, bytes, sizeof(bytes));

        print_message("%s\n", row.name);
        support_each_cut(bytes, size, check_cut, &row);
    }
}

static void addresses(void **state)
{
    static const struct {
        const char *destination, *source;
        rdc_notes notes;
    } pairs[] = {
        {"0180c2000001", "020000000001", 0},
        {"0180c2000001", "000000000000", RDC_NOTE_BIT(PAUSE_SOURCE)},
        {"0180c2000001", "93e6d5cbbafe", RDC_NOTE_BIT(PAUSE_SOURCE)},
        {"0180c2000002", "020000000001", RDC_NOTE_BIT(PAUSE_DESTINATION)},
        {"ffffffffffff", "ffffffffffff",
         RDC_NOTE_BIT(PAUSE_SOURCE) | RDC_NOTE_BIT(PAUSE_DESTINATION)},
    };
    static const uint8_t pause[] = {0x00, 0x01, 0x00, 0x00};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(pairs); i++) {
        struct rdc_packet pkt = packet_between(pairs[i].destination, pairs[i].source);
        struct rdc_cursor cur = {pause, sizeof(pause), sizeof(pause)};

        assert_int_equal(rdc_macctrl_decode(&cur, &pkt), RDC_OK);
        assert_int_equal(pkt.notes, pairs[i].notes);
    }
}

static void unknown_addresses(void **state)
{
    struct rdc_packet pkt = packet_between("000000000000", "020000000001");
    static const uint8_t pause[] = {0x00, 0x01, 0x00, 0x00};
    struct rdc_cursor cur = {pause, sizeof(pause), sizeof(pause)};

    (void)state;
    pkt.layers = 1u << RDC_LAYER_SLL;
    assert_int_equal(rdc_macctrl_decode(&cur, &pkt), RDC_OK);
    assert_int_equal(pkt.notes, 0);
    pkt.has_mac = false;
    cur = (struct rdc_cursor){pause, sizeof(pause), sizeof(pause)};
    assert_int_equal(rdc_macctrl_decode(&cur, &pkt), RDC_OK);
    assert_int_equal(pkt.notes, 0);
}

static void other_opcode(void **state)
{
    struct rdc_packet pkt = packet_between("0180c2000001", "020000000001");
    static const uint8_t gate[] = {0x00, 0x02, 0x00, 0x00};
    struct rdc_cursor cur = {gate, sizeof(gate), sizeof(gate)};

    (void)state;
    assert_int_equal(rdc_macctrl_decode(&cur, &pkt), RDC_OK);
    assert_int_equal(pkt.refusal, RDC_REFUSAL_MACCTRL);
    assert_int_equal(pkt.kind, RDC_KIND_OTHER);
    assert_int_equal(pkt.transport, RDC_TRANSPORT_NONE);
}

static void too_short(void **state)
{
    struct rdc_packet pkt = packet_between("0180c2000001", "020000000001");
    static const uint8_t pfc[] = {0x01, 0x01, 0x00, 0x08};
    struct rdc_cursor cur = {pfc, sizeof(pfc), sizeof(pfc)};

    (void)state;
    assert_int_equal(rdc_macctrl_decode(&cur, &pkt), RDC_MALFORMED);
    assert_int_equal(pkt.kind, RDC_KIND_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),     cmocka_unit_test(addresses),
        cmocka_unit_test(other_opcode), cmocka_unit_test(unknown_addresses),
        cmocka_unit_test(too_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
