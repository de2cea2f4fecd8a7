/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The headers of fixed size: LRH, GRH, BTH, link packet. Every row at every cut: captured shorter
 * is truncated, shorter on the wire is malformed, and neither touches output or cursor.
 */
#include "rdc/ib.h"

#include "ib/flow_control.h"
#include "support.h"

enum {
    POISON = 0xa5,
};

static void check_lrh(struct rdc_cursor *cur, enum rdc_status want, const void *expected);
static void check_grh(struct rdc_cursor *cur, enum rdc_status want, const void *expected);
static void check_bth(struct rdc_cursor *cur, enum rdc_status want, const void *expected);
static void check_fc(struct rdc_cursor *cur, enum rdc_status want, const void *expected);

static const struct rdc_lrh lrh_want = {
    .vl = 0xf, .lver = 2, .sl = 9, .lnh = 3, .dlid = 0xc001, .length = 0x7a5, .slid = 0xbeef};
static const struct rdc_lrh lrh_low = {.lnh = 2, .dlid = 0x11, .length = 10, .slid = 0x12};
static const struct rdc_grh grh_want = {.version = 6,
                                        .tclass = 0xab,
                                        .flow_label = 0xcdef1,
                                        .payload_length = 0x1234,
                                        .next_header = 0x1b,
                                        .hop_limit = 0xfe};
static const struct rdc_bth bth_flags = {.opcode = 0x64,
                                         .solicited = true,
                                         .migrated = true,
                                         .pad = 3,
                                         .tver = 0xf,
                                         .pkey = 0x8001,
                                         .fecn = true,
                                         .becn = true,
                                         .dest_qpn = 0xfffffe,
                                         .ack_req = true,
                                         .psn = 0xfedcba};
static const struct rdc_bth bth_reserved = {.opcode = 0x07, .pkey = 0xffff};
static const struct rdc_bth bth_migrated = {.opcode = 0x04, .migrated = true, .pad = 1};
static const struct rdc_bth bth_becn = {.opcode = 0x81, .becn = true, .dest_qpn = 0x11};
static const struct rdc_flow_control fc_want = {
    .op = 1, .fctbs = 0xabc, .vl = 0xd, .fccl = 0xef0, .lpcrc = 0x1234};

static struct row {
    const char *name;
    const char *hex;
    void (*check)(struct rdc_cursor *cur, enum rdc_status want, const void *expected);
    const void *expected;
} rows[] = {
    {"lrh", "f2 93 c001 07a5 beef", check_lrh, &lrh_want},
    {"lrh reserved bits", "00 0e 0011 f80a 0012", check_lrh, &lrh_low},
    {"grh", "6abcdef1 1234 1b fe 000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f",
     check_grh, &grh_want},
    {"bth all set", "64 ff 8001 c0 fffffe 80 fedcba", check_bth, &bth_flags},
    {"bth reserved bits", "07 00 ffff 3f 000000 7f 000000", check_bth, &bth_reserved},
    {"bth migrated", "04 50 0000 00 000000 00 000000", check_bth, &bth_migrated},
    {"bth becn", "81 00 0000 40 000011 00 000000", check_bth, &bth_becn},
    {"flow control", "1abc def0 3412", check_fc, &fc_want},
};

static void check_lrh(struct rdc_cursor *cur, enum rdc_status want, const void *expected)
{
    const struct rdc_lrh *e = expected;
    struct rdc_lrh got;

    memset(&got, POISON, sizeof got);
    assert_int_equal(rdc_lrh_decode(cur, &got), want);
    if (want != RDC_OK) {
        assert_int_equal(got.length, 0xa5a5);
        return;
    }
    assert_int_equal(got.vl, e->vl);
    assert_int_equal(got.lver, e->lver);
    assert_int_equal(got.sl, e->sl);
    assert_int_equal(got.lnh, e->lnh);
    assert_int_equal(got.dlid, e->dlid);
    assert_int_equal(got.length, e->length);
    assert_int_equal(got.slid, e->slid);
}

static void check_grh(struct rdc_cursor *cur, enum rdc_status want, const void *expected)
{
    const struct rdc_grh *e = expected;
    struct rdc_grh got;
    uint8_t sgid[16], dgid[16];

    memset(&got, POISON, sizeof got);
    memset(sgid, POISON, sizeof sgid);
    memset(dgid, POISON, sizeof dgid);
    assert_int_equal(rdc_grh_decode(cur, &got, sgid, dgid), want);
    for (size_t i = 0; i < 16; i++) {
        assert_int_equal(sgid[i], want == RDC_OK ? i : POISON);
        assert_int_equal(dgid[i], want == RDC_OK ? 0x10 + i : POISON);
    }
    if (want != RDC_OK) {
        assert_int_equal(got.payload_length, 0xa5a5);
        return;
    }
    assert_int_equal(got.version, e->version);
    assert_int_equal(got.tclass, e->tclass);
    assert_int_equal(got.flow_label, e->flow_label);
    assert_int_equal(got.payload_length, e->payload_length);
    assert_int_equal(got.next_header, e->next_header);
    assert_int_equal(got.hop_limit, e->hop_limit);
}

static void check_bth(struct rdc_cursor *cur, enum rdc_status want, const void *expected)
{
    const struct rdc_bth *e = expected;
    struct rdc_bth got = {.pkey = 0xa5a5};

    assert_int_equal(rdc_bth_decode(cur, &got), want);
    if (want != RDC_OK) {
        assert_int_equal(got.pkey, 0xa5a5);
        return;
    }
    assert_int_equal(got.opcode, e->opcode);
    assert_int_equal(got.solicited, e->solicited);
    assert_int_equal(got.migrated, e->migrated);
    assert_int_equal(got.pad, e->pad);
    assert_int_equal(got.tver, e->tver);
    assert_int_equal(got.pkey, e->pkey);
    assert_int_equal(got.fecn, e->fecn);
    assert_int_equal(got.becn, e->becn);
    assert_int_equal(got.dest_qpn, e->dest_qpn);
    assert_int_equal(got.ack_req, e->ack_req);
    assert_int_equal(got.psn, e->psn);
}

static void check_fc(struct rdc_cursor *cur, enum rdc_status want, const void *expected)
{
    const struct rdc_flow_control *e = expected;
    struct rdc_flow_control got = {.fccl = 0xa5a5};

    assert_int_equal(rdc_flow_control_decode(cur, &got), want);
    if (want != RDC_OK) {
        assert_int_equal(got.fccl, 0xa5a5);
        return;
    }
    assert_int_equal(got.op, e->op);
    assert_int_equal(got.fctbs, e->fctbs);
    assert_int_equal(got.vl, e->vl);
    assert_int_equal(got.fccl, e->fccl);
    assert_int_equal(got.lpcrc, e->lpcrc);
}

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct row *row = arg;
    struct rdc_cursor snap = {bytes, captured, wire + 5};
    struct rdc_cursor shorter = {bytes, captured, captured};
    size_t taken = captured == wire ? wire : 0;

    row->check(&snap, captured == wire ? RDC_OK : RDC_TRUNCATED, row->expected);
    row->check(&shorter, captured == wire ? RDC_OK : RDC_MALFORMED, row->expected);
    assert_ptr_equal(snap.at, bytes + taken);
    assert_int_equal(snap.captured, captured - taken);
    assert_int_equal(snap.wire, wire + 5 - taken);
}

static void header_at_every_cut(void **state)
{
    uint8_t bytes[64] = {0};
    struct row *row = *state;

    support_each_cut(bytes, support_hex(row->hex, bytes, sizeof bytes), check_cut, row);
}

/* Link packets with their LPCRC, from a simulated link: op, FCTBS, VL, FCCL */
static void link_packet_crc(void **state)
{
    static const char *const good[] = {"0042 0394 ea04", "0046 05f0 096c", "0048 081d 53e5",
                                       "004d 0a64 8a7f", "0052 0cbc ed21", "0058 0ef2 5a18"};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(good); i++) {
        uint8_t bytes[RDC_LINK_PACKET_LEN];
        size_t size = support_hex(good[i], bytes, sizeof bytes);

        for (size_t bit = 0; bit <= size * 8; bit++) {
            struct rdc_cursor cur = {bytes, size, size};
            struct rdc_flow_control fc;

            if (bit > 0)
                bytes[(bit - 1) / 8] ^= (uint8_t)(1u << (bit - 1) % 8);
            assert_int_equal(rdc_flow_control_decode(&cur, &fc), RDC_OK);
            assert_int_equal(rdc_flow_control_crc_ok(&fc), bit == 0);
            if (bit > 0)
                bytes[(bit - 1) / 8] ^= (uint8_t)(1u << (bit - 1) % 8);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 1];
    size_t n = 0;

    for (; n < SUPPORT_COUNT(rows); n++)
        tests[n] = (struct CMUnitTest){rows[n].name, header_at_every_cut, NULL, NULL, &rows[n]};
    tests[n] = (struct CMUnitTest)cmocka_unit_test(link_packet_crc);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
