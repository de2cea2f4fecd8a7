/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Syndromes, RNR timers and credit codes: every value of them.
 */
#include "rdc/ib.h"

#include "support.h"

static void syndromes(void **state)
{
    (void)state;
    for (uint32_t syndrome = 0; syndrome < 256; syndrome++) {
        struct rdc_aeth aeth = rdc_aeth_from_wire(syndrome << 24 | 0xabcdef);
        enum rdc_aeth_kind want = RDC_AETH_RESERVED;

        if (syndrome < 0x20)
            want = RDC_AETH_ACK;
        else if (syndrome < 0x40)
            want = RDC_AETH_RNR_NAK;
        else if (syndrome >= 0x60 && syndrome < 0x80)
            want = RDC_AETH_NAK;
        assert_int_equal(aeth.syndrome, syndrome);
        assert_int_equal(aeth.kind, want);
        assert_int_equal(aeth.value, syndrome % 32);
        assert_int_equal(aeth.msn, 0xabcdef);
    }
}

/* IBTA vol. 1, table 45, in ms as printed there */
static void rnr_timers(void **state)
{
    static const double ms[32] = {
        655.36, 0.01,  0.02,  0.03,  0.04,  0.06,   0.08,   0.12,   0.16,   0.24,   0.32,
        0.48,   0.64,  0.96,  1.28,  1.92,  2.56,   3.84,   5.12,   7.68,   10.24,  15.36,
        20.48,  30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52,
    };

    (void)state;
    for (uint8_t code = 0; code < 32; code++) {
        assert_true(rdc_rnr_timer_ns(code) == (uint64_t)(ms[code] * 1e6 + 0.5));
        assert_true(rdc_rnr_timer_ns(code | 0x20) == rdc_rnr_timer_ns(code));
    }
}

/* IBTA vol. 1, table 44: from 4 on each code is half as much again, then twice, the one before */
static void credit_codes(void **state)
{
    (void)state;
    for (uint8_t code = 0; code < 4; code++)
        assert_int_equal(rdc_aeth_credits(code), code);
    for (uint8_t code = 4; code < RDC_CREDITS_INVALID; code++)
        assert_int_equal(rdc_aeth_credits(code), (code % 2 ? 3u : 2u) << (code / 2 - 1));
    assert_int_equal(rdc_aeth_credits(30), 32768);
    assert_int_equal(rdc_aeth_credits(RDC_CREDITS_INVALID), 0);
}

static void nak_names(void **state)
{
    (void)state;
    assert_string_equal(rdc_nak_name(0), "sequence");
    assert_string_equal(rdc_nak_name(1), "invalid_request");
    assert_string_equal(rdc_nak_name(2), "access");
    assert_string_equal(rdc_nak_name(3), "operational");
    assert_string_equal(rdc_nak_name(4), "invalid_rd");
    for (unsigned code = 5; code < 256; code++)
        assert_string_equal(rdc_nak_name((uint8_t)code), "reserved");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syndromes),
        cmocka_unit_test(rnr_timers),
        cmocka_unit_test(credit_codes),
        cmocka_unit_test(nak_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
