/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The straight way through plain RoCEv2 frames against the general one: every opcode, whole, at
 * every cut, of every length, and with every bit turned.
 */
#include "link/peel.h"

#include "dissector/same.h"
#include "rdc/crc.h"
#include "support.h"

enum {
    ROOM = 256,
    PAYLOAD = 9, /* and 3 bytes of pad */
    PAD = 3,
    TRAILER = 6,
};

struct frame {
    uint8_t bytes[ROOM];
    size_t size;
    size_t ip;        /* where its header begins */
    size_t transport; /* where the BTH begins */
    bool v6;
};

static void set_length(struct frame *f, size_t udp);
static void sign(struct frame *f);

static struct frame build(uint8_t opcode, bool tagged, bool v6)
{
    const size_t behind =
        RDC_BTH_LEN + rdc_opcode_table[opcode].ext_size + PAYLOAD + PAD + RDC_ICRC_LEN;
    struct frame f = {.v6 = v6};

    f.ip = support_hex("020000000002 020000000001", f.bytes, ROOM);
    if (tagged)
        f.ip += support_hex("8100 b00a", f.bytes + f.ip, ROOM - f.ip);
    f.ip += support_hex(v6 ? "86dd" : "0800", f.bytes + f.ip, ROOM - f.ip);
    f.transport = f.ip + support_hex(v6 ? "66812345 0000 11 40 "
                                          "20010db8000000000000000000000001"
                                          "20010db8000000000000000000000002"
                                          "c001 12b7 0000 0000"
                                        : "4569 0000 1234 4000 40 11 0000 0a000001 0a000002"
                                          "c001 12b7 0000 0000",
                                     f.bytes + f.ip, ROOM - f.ip);
    set_length(&f, behind + 8);
    support_hex("00 f0 1234 c0 000011 80 fedcba", f.bytes + f.transport, ROOM - f.transport);
    f.bytes[f.transport] = opcode;
    for (size_t i = RDC_BTH_LEN; i < behind; i++)
        f.bytes[f.transport + i] = (uint8_t)(i * 7);
    if ((rdc_opcode_table[opcode].ext & RDC_EXT_AETH) != 0) /* an ACK */
        f.bytes[f.transport + RDC_BTH_LEN +
                ((rdc_opcode_table[opcode].ext & RDC_EXT_RDETH) != 0 ? 4 : 0)] = 0x1f;
    f.size = f.transport + behind + TRAILER;
    sign(&f);
    return f;
}

static void set_length(struct frame *f, size_t udp)
{
    f->bytes[f->ip + (f->v6 ? 5 : 3)] = (uint8_t)(udp + (f->v6 ? 0 : 20));
    f->bytes[f->transport - 3] = (uint8_t)udp;
}

static void set_ones(struct frame *f, const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        f->bytes[f->ip + at[i]] = 0xff;
}

/* The header's checksum, and the ICRC of the spec's own words: ones where it may change */
static void sign(struct frame *f)
{
    static const uint8_t v4[] = {1, 8, 10, 11, 26, 27, 32}, v6[] = {1, 2, 3, 7, 46, 47, 52};
    static const uint8_t lrh[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const size_t end = f->size - TRAILER - RDC_ICRC_LEN;
    struct frame masked;
    uint32_t sum = 0, crc;

    if (!f->v6)
        memset(f->bytes + f->ip + 10, 0, 2);
    for (size_t i = 0; !f->v6 && i < 20; i += 2)
        sum += rdc_be16(f->bytes + f->ip + i);
    sum = ~((sum & 0xffff) + (sum >> 16));
    if (!f->v6) {
        f->bytes[f->ip + 10] = (uint8_t)(sum >> 8);
        f->bytes[f->ip + 11] = (uint8_t)sum;
    }
    masked = *f;
    set_ones(&masked, f->v6 ? v6 : v4, sizeof v4);
    masked.bytes[f->ip] |= f->v6 ? 0x0f : 0;
    crc = rdc_crc32_update(RDC_CRC32_INIT, lrh, sizeof lrh);
    crc = rdc_crc32_done(rdc_crc32_update(crc, masked.bytes + f->ip, end - f->ip));
    for (size_t i = 0; i < RDC_ICRC_LEN; i++)
        f->bytes[end + i] = (uint8_t)(crc >> 8 * i);
}

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

static struct rdc_input input(const uint8_t *bytes, size_t captured, size_t wire)
{
    return (struct rdc_input){
        .bytes = bytes,
        .captured = (uint32_t)captured,
        .wire = (uint32_t)wire,
        .linktype = RDC_LINKTYPE_ETHERNET,
        .interface = 3,
        .time_ns = 1234567890123456789,
        .fcs_size = -1,
    };
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

/* Any bit of headers and payload turned, with all checksums as they were, and with good ones */
static void check_bits(const struct frame *f)
{
    static const struct rdc_config config;

    for (size_t bit = 0; bit < (f->size - TRAILER - RDC_ICRC_LEN - PAD) * 8; bit++) {
        for (int again = 0; again < 2; again++) {
            struct frame turned = *f;
            struct rdc_input in = input(turned.bytes, turned.size, turned.size);

            turned.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            if (again)
                sign(&turned);
            compare(&config, &in);
        }
    }
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
