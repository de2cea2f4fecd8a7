/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every extension header and the combinations that opcodes make of them, at every cut: what fits
 * before the cut is decoded and said to be there, what does not is not.
 */
#include "rdc/ib.h"

#include "support.h"

static const struct piece {
    uint16_t ext;
    const char *hex;
} pieces[] = {
    {RDC_EXT_RDETH, "ff 123456"},
    {RDC_EXT_DETH, "89abcdef ff fedcba"},
    {RDC_EXT_XRCETH, "ff 654321"},
    {RDC_EXT_FETH, "ffffff e3"}, /* reserved bits set; selectivity 2, type 3 */
    {RDC_EXT_RETH, "f1f2f3f4f5f6f7f8 e1e2e3e4 80000001"},
    {RDC_EXT_ATOMIC_ETH, "a1a2a3a4a5a6a7a8 b1b2b3b4 c1c2c3c4c5c6c7c8 d1d2d3d4d5d6d7d8"},
    {RDC_EXT_AETH, "62 abcdef"},
    {RDC_EXT_ATOMIC_ACK_ETH, "8899aabbccddeeff"},
    {RDC_EXT_IMM, "deadbeef"},
    {RDC_EXT_IETH, "cafebabe"},
};

static void check_values(const struct rdc_exts *got)
{
    uint16_t there = got->present;

    if (there & RDC_EXT_RDETH)
        assert_int_equal(got->rdeth_ee, 0x123456);
    if (there & RDC_EXT_DETH) {
        assert_int_equal(got->deth.qkey, 0x89abcdefu);
        assert_int_equal(got->deth.src_qpn, 0xfedcba);
    }
    if (there & RDC_EXT_XRCETH)
        assert_int_equal(got->xrceth_srq, 0x654321);
    if (there & RDC_EXT_FETH) {
        assert_int_equal(got->feth.plt, 3);
        assert_int_equal(got->feth.sel, 2);
    }
    if (there & RDC_EXT_RETH) {
        assert_true(got->reth.va == 0xf1f2f3f4f5f6f7f8u);
        assert_int_equal(got->reth.rkey, 0xe1e2e3e4u);
        assert_int_equal(got->reth.length, 0x80000001u);
    }
    if (there & RDC_EXT_ATOMIC_ETH) {
        assert_true(got->atomic_eth.va == 0xa1a2a3a4a5a6a7a8u);
        assert_int_equal(got->atomic_eth.rkey, 0xb1b2b3b4u);
        assert_true(got->atomic_eth.swap_add == 0xc1c2c3c4c5c6c7c8u);
        assert_true(got->atomic_eth.compare == 0xd1d2d3d4d5d6d7d8u);
    }
    if (there & RDC_EXT_AETH) {
        assert_int_equal(got->aeth.syndrome, 0x62);
        assert_int_equal(got->aeth.kind, RDC_AETH_NAK);
        assert_int_equal(got->aeth.value, RDC_NAK_REMOTE_ACCESS);
        assert_int_equal(got->aeth.msn, 0xabcdef);
    }
    if (there & RDC_EXT_ATOMIC_ACK_ETH)
        assert_true(got->atomic_ack_original == 0x8899aabbccddeeffu);
    if (there & RDC_EXT_IMM)
        assert_int_equal(got->imm, 0xdeadbeefu);
    if (there & RDC_EXT_IETH)
        assert_int_equal(got->ieth_rkey, 0xcafebabeu);
}

/* The bytes of a mask's headers; ends[i] is where the i-th of them ends */
static size_t compose(uint16_t mask, uint8_t *bytes, size_t room, uint16_t *exts, size_t *ends)
{
    size_t size = 0, n = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(pieces); i++)
        if (mask & pieces[i].ext) {
            size += support_hex(pieces[i].hex, bytes + size, room - size);
            exts[n] = pieces[i].ext;
            ends[n++] = size;
        }
    exts[n] = 0;
    return size;
}

struct headers {
    uint16_t mask;
    uint16_t exts[SUPPORT_COUNT(pieces) + 1];
    size_t ends[SUPPORT_COUNT(pieces) + 1];
};

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct headers *h = arg;
    struct rdc_cursor snap = {bytes, captured, wire};
    struct rdc_cursor shorter = {bytes, captured, captured};
    struct rdc_exts got, got_shorter;
    uint16_t there = 0;
    size_t taken = 0;

    for (size_t i = 0; h->exts[i] != 0 && h->ends[i] <= captured; i++) {
        there |= h->exts[i];
        taken = h->ends[i];
    }
    assert_int_equal(rdc_exts_decode(&snap, h->mask, &got),
                     captured == wire ? RDC_OK : RDC_TRUNCATED);
    assert_int_equal(rdc_exts_decode(&shorter, h->mask, &got_shorter),
                     captured == wire ? RDC_OK : RDC_MALFORMED);
    assert_int_equal(got.present, there);
    assert_int_equal(got_shorter.present, there);
    assert_ptr_equal(snap.at, bytes + taken);
    check_values(&got);
    check_values(&got_shorter);
}

static void check_mask(uint16_t mask)
{
    uint8_t bytes[128];
    struct headers h = {.mask = mask};
    size_t size = compose(mask, bytes, sizeof bytes, h.exts, h.ends);

    support_each_cut(bytes, size, check_cut, &h);
}

static void each_alone(void **state)
{
    (void)state;
    check_mask(0);
    for (size_t i = 0; i < SUPPORT_COUNT(pieces); i++)
        check_mask(pieces[i].ext);
}

static void as_opcodes_have_them(void **state)
{
    (void)state;
    for (size_t opcode = 0; opcode < 256; opcode++)
        check_mask(rdc_opcode_table[opcode].ext);
}

static void all_at_once(void **state)
{
    (void)state;
    check_mask((1 << SUPPORT_COUNT(pieces)) - 1);
}

/* The table's sizes are those that the decoder takes */
static void sizes_agree(void **state)
{
    (void)state;
    for (size_t opcode = 0; opcode < 256; opcode++) {
        const struct rdc_opcode_info *info = &rdc_opcode_table[opcode];
        const uint8_t bytes[64] = {0};
        struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
        struct rdc_exts got;

        assert_int_equal(rdc_exts_decode(&cur, info->ext, &got), RDC_OK);
        assert_ptr_equal(cur.at, bytes + info->ext_size);
        assert_int_equal(got.present, info->ext);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_alone),
        cmocka_unit_test(as_opcodes_have_them),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(sizes_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
