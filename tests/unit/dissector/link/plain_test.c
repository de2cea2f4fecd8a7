/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The straight way through plain RoCEv2 frames against the general one: every opcode, whole, at
 * every cut, of every length, and with every bit turned.
 */
#include "link/peel.h"

#include "dissector/link/plain_frame.h"
#include "dissector/same.h"

/* Decodes both ways. Returns whether the straight way was taken; where not, it set nothing. */
static bool compare(const struct rdc_config *config, const struct rdc_input *in)
{
    struct rdc_packet straight, untouched, general;
    const char *differs;
    bool taken;

    memset(&straight, 0xa5, sizeof straight);
    memset(&untouched, 0xa5, sizeof untouched);
    memset(&general, 0x5a, sizeof general);
    taken = rdc_plain_decode(config, in, &straight);
    if (!taken) {
        assert_memory_equal(&straight, &untouched, sizeof straight);
        return false;
    }
    rdc_peel_decode(config, in, &general);
    differs = same_packet(&straight, &general);
    if (differs != NULL)
        fail_msg("%s differs", differs);
    return true;
}

/* Most of those that are not specified: they are all alike. */
static bool is_left_out(uint8_t opcode)
{
    return rdc_opcode_table[opcode].service >= RDC_SERVICE_RESERVED && opcode % 16 != 15;
}

static void each_opcode(void (*check)(const struct frame *f))
{
    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (int i = 0; i < 4 && !is_left_out((uint8_t)opcode); i++) {
            struct frame f = build((uint8_t)opcode, i % 2 != 0, i / 2 != 0);

            check(&f);
        }
}

static bool is_plain(uint8_t opcode)
{
    uint8_t service = rdc_opcode_table[opcode].service;

    return service != RDC_SERVICE_CNP && service < RDC_SERVICE_RESERVED;
}

/* Whole frames of known opcodes go the straight way, with a good ICRC; others go the general one.
 */
static void check_whole(const struct frame *f)
{
    static const struct rdc_config checking, skipping = {.skip_checksums = true};
    uint8_t *copy = support_copy(f->bytes, f->size);
    struct rdc_input in = input(copy, f->size, f->size);
    bool plain = is_plain(f->bytes[f->transport]);
    struct rdc_packet pkt;

    assert_int_equal(compare(&checking, &in), plain);
    assert_int_equal(compare(&skipping, &in), plain);
    rdc_decode(&checking, &in, &pkt);
    if (plain) {
        assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_OK);
        assert_int_equal(pkt.ib.payload_size, PAYLOAD);
        assert_int_equal(pkt.notes, 0);
    }
    in.time_ns = INT64_MIN;
    compare(&checking, &in);
    in.time_ns = INT64_MAX;
    compare(&checking, &in);
    support_free(copy, f->size);
}

static void whole(void **state)
{
    (void)state;
    each_opcode(check_whole);
}

/* What is cut off was cut by the capture, or by the sender, or is a frame check sequence. */
static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    static const struct rdc_config config;
    size_t *taken = arg;

    for (int8_t fcs = -1; fcs <= TRAILER; fcs++) {
        struct rdc_input in = input(bytes, captured, wire);

        in.fcs_size = fcs;
        *taken += compare(&config, &in);
        in.wire = (uint32_t)captured;
        *taken += compare(&config, &in);
        in.wire = 0; /* less than captured: counts as that */
        *taken += compare(&config, &in);
        in.linktype = RDC_LINKTYPE_NULL;
        assert_false(compare(&config, &in));
    }
}

static void check_cuts(const struct frame *f)
{
    size_t taken = 0;

    support_each_cut(f->bytes, f->size, check_cut, &taken);
    assert_true((taken > PAYLOAD) == is_plain(f->bytes[f->transport]));
}

static void cuts(void **state)
{
    (void)state;
    each_opcode(check_cuts);
}

/* All lengths that IP and UDP agree on, down to none at all and beyond the frame */
static void check_lengths(const struct frame *f)
{
    static const struct rdc_config config;
    size_t taken = 0;

    for (size_t udp = 0; udp < f->size; udp++) {
        struct frame other = *f;
        struct rdc_input in = input(other.bytes, other.size, other.size);

        set_length(&other, udp);
        sign(&other);
        taken += compare(&config, &in);
    }
    assert_int_equal(taken, is_plain(f->bytes[f->transport]) ? PAYLOAD + TRAILER + 1 : 0);
}

static void lengths(void **state)
{
    (void)state;
    each_opcode(check_lengths);
}

/* An IPv4 length that is less than its header: with 32 bits, what it leaves looks like a port. */
static void less_than_nothing(void **state)
{
    static const struct rdc_config config;
    struct frame f = build(RDC_RC_SEND_ONLY, false, false);
    struct rdc_input in = input(f.bytes, f.size, f.size);

    (void)state;
    f.bytes[f.ip + 3] = 4;
    memcpy(f.bytes + f.transport - 6, "\xff\xff\xff\xf0", 4);
    sign(&f);
    assert_false(compare(&config, &in));
}

static void check_turned(const struct frame *turned, size_t bit, const void *config)
{
    const struct rdc_input in = input(turned->bytes, turned->size, turned->size);

    (void)bit;
    compare(config, &in);
}

/* Of headers and payload */
static void check_bits(const struct frame *f)
{
    static const struct rdc_config config;

    each_bit(f, (f->size - TRAILER - RDC_ICRC_LEN - PAD) * 8, check_turned, &config);
}

static void bits(void **state)
{
    (void)state;
    each_opcode(check_bits);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),   cmocka_unit_test(cuts),
        cmocka_unit_test(lengths), cmocka_unit_test(less_than_nothing),
        cmocka_unit_test(bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
