/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Readers, the cursor's two kinds of "too short", and serial arithmetic across its wraps.
 */
#include "rdc/wire.h"

#include "support.h"

static void readers(void **state)
{
    const uint8_t bytes[] = {0xf1, 0x02, 0x83, 0x04, 0xf5, 0x06, 0x87, 0x08};

    (void)state;
    assert_int_equal(rdc_be16(bytes), 0xf102);
    assert_int_equal(rdc_be24(bytes), 0xf10283);
    assert_int_equal(rdc_be32(bytes), 0xf1028304u);
    assert_true(rdc_be64(bytes) == 0xf1028304f5068708u);
    assert_int_equal(rdc_le16(bytes), 0x02f1);
    assert_int_equal(rdc_le32(bytes), 0x048302f1);
}

static void take_moves_the_cursor(void **state)
{
    const uint8_t bytes[8] = {0};
    const uint8_t *p = NULL;
    struct rdc_cursor cur = {bytes, 8, 10};

    (void)state;
    assert_int_equal(rdc_take(&cur, 3, &p), RDC_OK);
    assert_ptr_equal(p, bytes);
    assert_ptr_equal(cur.at, bytes + 3);
    assert_int_equal(cur.captured, 5);
    assert_int_equal(cur.wire, 7);
    assert_int_equal(rdc_take(&cur, 0, &p), RDC_OK);
    assert_ptr_equal(p, bytes + 3);
    assert_int_equal(rdc_take(&cur, 5, &p), RDC_OK);
    assert_int_equal(cur.captured, 0);
    assert_int_equal(cur.wire, 2);
}

static void take_tells_truncated_from_malformed(void **state)
{
    const uint8_t bytes[8] = {0};
    const uint8_t *p = NULL;
    struct rdc_cursor cur = {bytes, 8, 10};

    (void)state;
    assert_int_equal(rdc_take(&cur, 9, &p), RDC_TRUNCATED);
    assert_int_equal(rdc_take(&cur, 10, &p), RDC_TRUNCATED);
    assert_int_equal(rdc_take(&cur, 11, &p), RDC_MALFORMED);
    assert_int_equal(rdc_take(&cur, SIZE_MAX, &p), RDC_MALFORMED);
    assert_null(p);
    assert_ptr_equal(cur.at, bytes);
    assert_int_equal(cur.captured, 8);
    assert_int_equal(cur.wire, 10);
}

static void limit_cuts_both_sizes(void **state)
{
    const uint8_t bytes[8] = {0};
    struct rdc_cursor cur = {bytes, 8, 10};

    (void)state;
    assert_int_equal(rdc_limit(&cur, 11), RDC_MALFORMED);
    assert_int_equal(cur.wire, 10);
    assert_int_equal(rdc_limit(&cur, 9), RDC_OK);
    assert_int_equal(cur.captured, 8);
    assert_int_equal(cur.wire, 9);
    assert_int_equal(rdc_limit(&cur, 4), RDC_OK);
    assert_int_equal(cur.captured, 4);
    assert_int_equal(cur.wire, 4);
}

static void psn_arithmetic(void **state)
{
    static const struct {
        uint32_t a, b;
        int32_t want;
    } rows[] = {
        {0, 0, 0},
        {1, 0, 1},
        {0, 1, -1},
        {0, 0xffffff, 1},
        {0xffffff, 0, -1},
        {0x7fffff, 0, 0x7fffff},
        {0x800000, 0, -0x800000},
        {0, 0x800000, -0x800000},
        {0x800001, 0, -0x7fffff},
        {5, 0xfffffb, 10},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        assert_int_equal(rdc_psn_diff(rows[i].a, rows[i].b), rows[i].want);
    assert_int_equal(rdc_psn_add(0xffffff, 1), 0);
    assert_int_equal(rdc_psn_add(0xfffffe, 3), 1);
    assert_int_equal(rdc_psn_add(0, 0xffffffff), 0xffffff);
}

static void tcp_and_ip_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(rdc_seq_diff(1, 0xffffffff), 2);
    assert_int_equal(rdc_seq_diff(0xffffffff, 1), -2);
    assert_int_equal(rdc_seq_diff(0x7fffffff, 0), INT32_MAX);
    assert_int_equal(rdc_seq_diff(0x80000000, 0), INT32_MIN);
    assert_int_equal(rdc_id_diff(1, 0xffff), 2);
    assert_int_equal(rdc_id_diff(0xffff, 1), -2);
    assert_int_equal(rdc_id_diff(0x7fff, 0), 0x7fff);
    assert_int_equal(rdc_id_diff(0x8000, 0), -0x8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers),
        cmocka_unit_test(take_moves_the_cursor),
        cmocka_unit_test(take_tells_truncated_from_malformed),
        cmocka_unit_test(limit_cuts_both_sizes),
        cmocka_unit_test(psn_arithmetic),
        cmocka_unit_test(tcp_and_ip_arithmetic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
