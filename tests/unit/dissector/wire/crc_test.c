/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CRCs against known values, against a CRC that works bit by bit, and their two paths against
 * each other: all sizes and alignments that change the way through the code.
 */
#include "rdc/crc.h"

#include "support.h"
#include "wire/crc_tables.h"

enum {
    SIZES = 300,
    ALIGNMENTS = 16,
    LONG = 9000,
};

struct kind {
    const char *name;
    uint32_t poly; /* reflected */
    uint32_t init;
    uint32_t check; /* of "123456789" */
    uint32_t ones;  /* of 32 ff bytes */
    uint32_t (*fast)(uint32_t crc, const uint8_t *data, size_t size);
    uint32_t (*portable)(uint32_t crc, const uint8_t *data, size_t size);
};

static uint32_t crc16_fast(uint32_t crc, const uint8_t *data, size_t size)
{
    return rdc_crc16_update((uint16_t)crc, data, size);
}

static uint32_t crc16_portable(uint32_t crc, const uint8_t *data, size_t size)
{
    return rdc_crc16_portable((uint16_t)crc, data, size);
}

/* CRC-32C of 32 ff bytes: RFC 3720, B.4. The 16-bit values are those of the bitwise reference,
 * whose polynomial is proved on real VCRCs by the tests of ib/. */
static struct kind kinds[] = {
    {"crc32", 0xedb88320, RDC_CRC32_INIT, 0xcbf43926, 0xff6cab0b, rdc_crc32_update,
     rdc_crc32_portable},
    {"crc32c", 0x82f63b78, RDC_CRC32C_INIT, 0xe3069283, 0x62a8ab43, rdc_crc32c_update,
     rdc_crc32c_portable},
    {"crc16", 0xd008, RDC_CRC16_INIT, 0x0a3d, 0xc76f, crc16_fast, crc16_portable},
};

static uint32_t bitwise(const struct kind *kind, uint32_t crc, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ kind->poly : crc >> 1;
    }
    return crc;
}

/* Bytes without a period that a table could hide behind */
static void fill(uint8_t *bytes, size_t size)
{
    uint32_t state = 1;

    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

static void known_values(void **state)
{
    const struct kind *kind = *state;
    const uint8_t *digits = (const uint8_t *)"123456789";
    uint8_t ones[32];

    memset(ones, 0xff, sizeof ones);
    assert_int_equal(kind->init ^ kind->fast(kind->init, digits, 9), kind->check);
    assert_int_equal(kind->init ^ kind->portable(kind->init, digits, 9), kind->check);
    assert_int_equal(kind->init ^ kind->fast(kind->init, ones, 32), kind->ones);
    assert_int_equal(kind->init ^ kind->portable(kind->init, ones, 32), kind->ones);
}

static void all_sizes_and_alignments(void **state)
{
    const struct kind *kind = *state;
    uint8_t bytes[SIZES];

    fill(bytes, sizeof bytes);
    for (size_t size = 0; size <= SIZES; size++) {
        uint32_t want = bitwise(kind, kind->init, bytes, size);

        for (size_t shift = 0; shift < ALIGNMENTS; shift++) {
            uint8_t *block = malloc(size + shift + 1);

            assert_non_null(block);
            memcpy(block + 1 + shift, bytes, size); /* ends where the block ends */
            assert_int_equal(kind->fast(kind->init, block + 1 + shift, size), want);
            assert_int_equal(kind->portable(kind->init, block + 1 + shift, size), want);
            free(block);
        }
    }
}

static void pieces_are_the_whole(void **state)
{
    const struct kind *kind = *state;
    uint8_t bytes[SIZES];
    uint32_t want;

    fill(bytes, sizeof bytes);
    want = bitwise(kind, kind->init, bytes, sizeof bytes);
    for (size_t first = 0; first <= sizeof bytes; first++) {
        uint32_t crc = kind->fast(kind->init, bytes, first);

        assert_int_equal(kind->fast(crc, bytes + first, sizeof bytes - first), want);
    }
}

static void jumbo_frames(void **state)
{
    const struct kind *kind = *state;
    uint8_t *bytes = malloc(LONG);

    assert_non_null(bytes);
    fill(bytes, LONG);
    for (size_t size = LONG; size > LONG - 300; size--) {
        uint32_t want = bitwise(kind, kind->init, bytes, size);

        assert_int_equal(kind->fast(kind->init, bytes, size), want);
        assert_int_equal(kind->portable(kind->init, bytes, size), want);
    }
    free(bytes);
}

/* Ones over the first bytes are as if they had been there, also where there are fewer bytes. */
static void masked(void **state)
{
    uint8_t bytes[SIZES], ored[SIZES], mask[RDC_CRC_MASK_MAX];

    (void)state;
    fill(bytes, sizeof bytes);
    memcpy(mask, bytes + SIZES - sizeof mask, sizeof mask);
    for (size_t under = 0; under <= sizeof mask; under += 16) {
        for (size_t i = 0; i < SIZES; i++)
            ored[i] = i < under ? bytes[i] | mask[i] : bytes[i];
        for (size_t size = 0; size <= SIZES; size++) {
            uint8_t *copy = support_copy(bytes, size), *exact = support_copy(mask, under);
            uint32_t want = bitwise(&kinds[0], 7, ored, size);

            assert_int_equal(rdc_crc32_masked(7, copy, size, exact, under), want);
            assert_int_equal(rdc_crc32_masked_portable(7, copy, size, exact, under), want);
            support_free(exact, under);
            support_free(copy, size);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(kinds) * 4 + 1];
    size_t n = 0;

    tests[n++] = (struct CMUnitTest)cmocka_unit_test(masked);

    for (size_t i = 0; i < SUPPORT_COUNT(kinds); i++) {
        tests[n++] = (struct CMUnitTest){kinds[i].name, known_values, NULL, NULL, &kinds[i]};
        tests[n++] =
            (struct CMUnitTest){kinds[i].name, all_sizes_and_alignments, NULL, NULL, &kinds[i]};
        tests[n++] =
            (struct CMUnitTest){kinds[i].name, pieces_are_the_whole, NULL, NULL, &kinds[i]};
        tests[n++] = (struct CMUnitTest){kinds[i].name, jumbo_frames, NULL, NULL, &kinds[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
