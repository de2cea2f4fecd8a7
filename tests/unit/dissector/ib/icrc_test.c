/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * ICRC and VCRC on whole packets of every encapsulation: good as they are, good when a bit changes
 * that may change on the way, wrong when any other bit does. Packets are from Soft-RoCE and from a
 * simulator with a CRC of its own; those marked "composed" were put together with zlib's CRC.
 */
#include "ib/icrc.h"

#include "support.h"

enum {
    NONE = -1,
    ROOM = 256,
};

static struct row {
    const char *name;
    const char *hex; /* from the first header that counts to the ICRC, or the VCRC for native IB */
    uint8_t transport;
    int lrh, grh, ip, udp, bth; /* offsets */
    bool soft_roce;
    struct {
        uint8_t offset, bits;
    } variant[8]; /* what may change, beside BTH byte 4 */
} rows[] = {
    {"rocev2 ipv4 acknowledge",
     "456a0030 03f44000 40112247 0a01000b 0a01000c | f16912b7001c0000 |"
     "1140ffff0003741200d95bb8 1f00000a | 9ca4268e",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     20,
     28,
     false,
     {{1, 0xff}, {8, 0xff}, {10, 0xff}, {11, 0xff}, {26, 0xff}, {27, 0xff}}},
    {"rocev2 ipv4 write with immediate, soft-roce",
     "45000040 39f84000 4011ecb2 0a000001 0a000002 | de9f12b7002c0000 |"
     "0b00ffff0000007580310006 00007f7ac2bcb0000000255500000000 abc00003 | 3b7fa747",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     20,
     28,
     false,
     {{1, 0xff}, {8, 0xff}, {10, 0xff}, {11, 0xff}, {26, 0xff}, {27, 0xff}}},
    {"rocev2 ipv4 send last, padded, soft-roce",
     "45000058 3a014000 4011ec91 0a000001 0a000002 | de9f12b700440000 | 0200ffff000000758031000f |"
     "01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3dae1e8eff6fd040b121920272e |"
     "e6ae9ebf",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     20,
     28,
     false,
     {{1, 0xff}, {8, 0xff}, {10, 0xff}, {11, 0xff}, {26, 0xff}, {27, 0xff}}},
    {"rocev2 ipv4 with options, composed",
     "466a0050 03d34000 3f111234 0a01000b 0a01000c 94040000 | f16912b700385678 |"
     "0a30ffffc003741280f2a4ea 00007f0000110000000018000000000d |"
     "68656c6c6f2c20776f726c6421 000000 | ce124712",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     24,
     32,
     false,
     {{1, 0xff}, {8, 0xff}, {10, 0xff}, {11, 0xff}, {30, 0xff}, {31, 0xff}}},
    {"rocev2 ipv6 acknowledge",
     "66a8c660 001c1140 20010db8000100000000000000000012 20010db8000100000000000000000011 |"
     "c64312b7001c0000 | 1140ffff0000956a0074761d 1f000001 | 2d048b9d",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     40,
     48,
     false,
     {{0, 0x0f}, {1, 0xff}, {2, 0xff}, {3, 0xff}, {7, 0xff}, {46, 0xff}, {47, 0xff}}},
    {"rocev2 ipv6 with destination options, composed",
     "6ab12345 00403c40 20010db8000100000000000000000012 20010db8000100000000000000000011 |"
     "1100010400000000 | f16912b700385678 |"
     "0a30ffffc003741280f2a4ea 00007f0000110000000018000000000d |"
     "68656c6c6f2c20776f726c6421 000000 | 238d7268",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     48,
     56,
     false,
     {{0, 0x0f}, {1, 0xff}, {2, 0xff}, {3, 0xff}, {7, 0xff}, {54, 0xff}, {55, 0xff}}},
    {"rocev1 read request",
     "68000000 00201b40 fe80000000000000ba599ffffe000002 fe80000000000000ba599ffffe000001 |"
     "0c40ffff0000fca500c42e1c 00007f00000000000000180000001388 | 87656830",
     RDC_TRANSPORT_ROCEV1,
     NONE,
     0,
     NONE,
     NONE,
     40,
     false,
     {{0, 0x0f}, {1, 0xff}, {2, 0xff}, {3, 0xff}, {7, 0xff}}},
    {"ib acknowledge",
     "00020011 00070012 | 1140ffff00011e8b00759350 1f000001 | ce960c31 | 5b31",
     RDC_TRANSPORT_IB,
     0,
     NONE,
     NONE,
     NONE,
     8,
     false,
     {{0, 0xf0}}},
    {"ib cmp_swap",
     "00020011 000d0012 | 1440ffff00011e8b80733615 "
     "00007f00000200000000180000000000000011130000000000"
     "000000 | 20a3398e | 107c",
     RDC_TRANSPORT_IB,
     0,
     NONE,
     NONE,
     NONE,
     8,
     false,
     {{0, 0xf0}}},
    {"ib global write, composed",
     "70130012 00180011 |"
     "6dcabcde 00301b3f fe80000000000000ba599ffffe000002 fe80000000000000ba599ffffe000001 |"
     "0a30ffffc003741280f2a4ea 00007f0000110000000018000000000d |"
     "68656c6c6f2c20776f726c6421 000000 | 06165652 | 915c",
     RDC_TRANSPORT_IB,
     0,
     8,
     NONE,
     NONE,
     48,
     false,
     {{0, 0xff}, {1, 0xff}, {8, 0x0f}, {9, 0xff}, {10, 0xff}, {11, 0xff}, {15, 0xff}}},
    {"rocev2 ipv4 flush, soft-roce's own icrc",
     "45000040 3a144000 4011ec96 0a000001 0a000002 | de9f12b7002c0000 |"
     "1c00ffff0000007580310025 00000001 00007f7ac2bcb0000000255500001000 | 0ea23953",
     RDC_TRANSPORT_ROCEV2,
     NONE,
     NONE,
     0,
     20,
     28,
     true,
     {{1, 0xff}, {8, 0xff}, {10, 0xff}, {11, 0xff}, {26, 0xff}, {27, 0xff}}},
};

static const uint8_t *at(const uint8_t *bytes, int offset)
{
    return offset == NONE ? NULL : bytes + offset;
}

static struct rdc_envelope envelope(const struct row *row, const uint8_t *bytes, size_t size)
{
    return (struct rdc_envelope){
        .transport = row->transport,
        .lrh = at(bytes, row->lrh),
        .grh = at(bytes, row->grh),
        .ip = at(bytes, row->ip),
        .udp = at(bytes, row->udp),
        .vcrc = row->transport == RDC_TRANSPORT_IB ? bytes + size - RDC_VCRC_LEN : NULL,
    };
}

static bool may_change(const struct row *row, size_t offset, uint8_t bits)
{
    /* Soft-RoCE counts the BTH of a FLUSH a second time as it is */
    if (offset == (size_t)row->bth + 4)
        return !row->soft_roce;
    /* the masked LRH of a global packet: no byte of it counts */
    if (row->lrh != NONE && row->grh != NONE && offset < RDC_LRH_LEN)
        return true;
    for (size_t i = 0; i < SUPPORT_COUNT(row->variant); i++)
        if (row->variant[i].bits != 0 && row->variant[i].offset == offset)
            return (row->variant[i].bits & bits) != 0;
    return false;
}

static enum rdc_icrc_verdict judge(const struct row *row, const uint8_t *bytes, size_t size)
{
    struct rdc_envelope env = envelope(row, bytes, size);
    size_t end = size - (env.vcrc != NULL ? RDC_VCRC_LEN : 0);

    assert_true(rdc_icrc_covered(&env));
    return rdc_icrc_judge(&env, bytes + row->bth, end - RDC_ICRC_LEN - (size_t)row->bth);
}

static void every_bit(void **state)
{
    const struct row *row = *state;
    enum rdc_icrc_verdict good = row->soft_roce ? RDC_ICRC_GOOD_SOFT_ROCE : RDC_ICRC_GOOD;
    uint8_t room[ROOM];
    size_t size = support_hex(row->hex, room, sizeof room);
    uint8_t *bytes = support_copy(room, size);
    size_t end = size - (row->transport == RDC_TRANSPORT_IB ? RDC_VCRC_LEN : 0);

    assert_int_equal(judge(row, bytes, size), good);
    for (size_t i = 0; i < end * 8; i++) {
        uint8_t bit = (uint8_t)(1u << i % 8);

        if (i / 8 == (size_t)row->ip && bit >= 0x10)
            continue; /* another IP version is another envelope */
        bytes[i / 8] ^= bit;
        assert_int_equal(judge(row, bytes, size),
                         may_change(row, i / 8, bit) ? good : RDC_ICRC_WRONG);
        bytes[i / 8] ^= bit;
    }
    support_free(bytes, size);
}

static void every_bit_of_vcrc(void **state)
{
    const struct row *row = *state;
    uint8_t bytes[ROOM] = {0};
    size_t size = support_hex(row->hex, bytes, sizeof bytes);
    struct rdc_envelope env = envelope(row, bytes, size);

    if (row->transport != RDC_TRANSPORT_IB)
        return;
    assert_true(rdc_vcrc_good(&env));
    for (size_t i = 0; i < size * 8; i++) {
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        assert_false(rdc_vcrc_good(&env));
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
}

/* Without the headers that it covers there is no ICRC to judge */
static void covered(void **state)
{
    const uint8_t byte = 0;
    struct rdc_envelope env = {.transport = RDC_TRANSPORT_ROCEV2, .ip = &byte};

    (void)state;
    assert_false(rdc_icrc_covered(&env));
    env.udp = &byte;
    assert_true(rdc_icrc_covered(&env));
    env.transport = RDC_TRANSPORT_ROCEV1;
    assert_false(rdc_icrc_covered(&env));
    env.transport = RDC_TRANSPORT_IB;
    assert_false(rdc_icrc_covered(&env));
    env.lrh = &byte;
    assert_true(rdc_icrc_covered(&env));
    env.transport = RDC_TRANSPORT_NONE;
    assert_false(rdc_icrc_covered(&env));
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) * 2 + 1];
    size_t n = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        tests[n++] = (struct CMUnitTest){rows[i].name, every_bit, NULL, NULL, &rows[i]};
        tests[n++] = (struct CMUnitTest){rows[i].name, every_bit_of_vcrc, NULL, NULL, &rows[i]};
    }
    tests[n] = (struct CMUnitTest)cmocka_unit_test(covered);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
