/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MPA start-up frames, FPDU framing, markers. Frames marked "siw" are Soft-iWARP's own bytes.
 */
#include "support.h"

#include <stdio.h>

#include "rdc/crc.h"
#include "rdc/iwarp.h"

#define REQUEST "4d50412049442052657120467261 6d65"
#define REPLY "4d504120494420526570204672616d65"

static const struct mpa_row {
    const char *name;
    const char *wire;
    enum rdc_status status;
    const char *want; /* print_mpa() */
} mpa_rows[] = {
    {"siw rping request", REQUEST "1002000400010001", RDC_OK,
     "request rev 2 pd 4 S ird 1 ord 1 data 0"},
    {"siw rping reply", REPLY "1002000400010001", RDC_OK, "reply rev 2 pd 4 S ird 1 ord 1 data 0"},
    {"siw reject", REPLY "70020008 00040004 676f2061", RDC_OK,
     "reply C R rev 2 pd 8 S ird 4 ord 4 data 4"},
    {"revision 1, markers, private data", REQUEST "80010003 616263", RDC_OK,
     "request M rev 1 pd 3 ird 0 ord 0 data 3"},
    {"peer to peer, each RTR alone: Send", REQUEST "50020004 c0010002", RDC_OK,
     "request C rev 2 pd 4 S A B ird 1 ord 2 data 0"},
    {"write RTR", REQUEST "50020004 80018002", RDC_OK,
     "request C rev 2 pd 4 S A C' ird 1 ord 2 data 0"},
    {"read RTR, depths left to the ULP", REQUEST "50020004 bfff7fff", RDC_OK,
     "request C rev 2 pd 4 S A D ird 16383 ord 16383 data 0"},
    {"revision 2 without enhanced fields", REQUEST "40020004 00010001", RDC_OK,
     "request C rev 2 pd 4 ird 0 ord 0 data 4"},
    {"S without room for its fields", REQUEST "50020002 0001", RDC_OK,
     "request C rev 2 pd 2 ird 0 ord 0 data 2 length_mismatch"},
    {"S means nothing in revision 1", REQUEST "50010004 00010001", RDC_OK,
     "request C rev 1 pd 4 ird 0 ord 0 data 4 mpa_reserved"},
    {"a request can't reject", REQUEST "20010000", RDC_OK, "request rev 1 pd 0 ird 0 ord 0 data 0"},
    {"reserved flag of revision 2", REPLY "01020000", RDC_OK,
     "reply rev 2 pd 0 ird 0 ord 0 data 0 mpa_reserved"},
    {"another key", "4d50412049442052657120467261 6d66 00010000", RDC_UNSUPPORTED, NULL},
    {"private data beyond the limit", REQUEST "00010201", RDC_MALFORMED, NULL},
    {"private data that is not there", REQUEST "00010001", RDC_MALFORMED, NULL},
};

static void print_mpa(const struct rdc_mpa *m, char *out, size_t room)
{
    snprintf(out, room, "%s%s%s%s rev %u pd %u%s%s%s%s%s ird %u ord %u data %u%s%s%s",
             m->reply ? "reply" : "request", m->markers ? " M" : "", m->crc ? " C" : "",
             m->reject ? " R" : "", (unsigned)m->revision, (unsigned)m->private_size,
             m->enhanced ? " S" : "", m->peer_to_peer ? " A" : "", m->rtr_send ? " B" : "",
             m->rtr_write ? " C'" : "", m->rtr_read ? " D" : "", (unsigned)m->ird, (unsigned)m->ord,
             (unsigned)m->private_data_size,
             m->notes & RDC_NOTE_BIT(LENGTH_MISMATCH) ? " length_mismatch" : "",
             m->notes & RDC_NOTE_BIT(MPA_RESERVED) ? " mpa_reserved" : "",
             m->notes & RDC_NOTE_BIT(HEADER_TRUNCATED) ? " cut" : "");
}

static void check_mpa(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct mpa_row *row = arg;
    struct rdc_cursor cur = {bytes, captured, wire};
    struct rdc_mpa mpa;
    char text[200];
    enum rdc_status st = rdc_mpa_decode(&cur, &mpa);

    if (captured == wire) {
        assert_int_equal(st, row->status);
        if (st != RDC_OK)
            return;
        print_mpa(&mpa, text, sizeof text);
        assert_string_equal(text, row->want);
        assert_int_equal(cur.wire, 0);
        assert_int_equal(cur.captured, 0);
        assert_ptr_equal(cur.at, bytes + captured);
    } else if (captured < RDC_MPA_HEADER_LEN) {
        assert_int_not_equal(st, RDC_OK);
        assert_ptr_equal(cur.at, bytes);
    } else if (st == RDC_OK) {
        assert_true(mpa.notes & RDC_NOTE_BIT(HEADER_TRUNCATED));
        if (mpa.private_data_captured > 0)
            assert_ptr_equal(mpa.private_data + mpa.private_data_captured, bytes + captured);
        else
            assert_null(mpa.private_data);
    }
}

static void mpa_frame(void **state)
{
    const struct mpa_row *row = *state;
    uint8_t bytes[64];
    size_t size = support_hex(row->wire, bytes, sizeof bytes);

    support_each_cut(bytes, size, check_mpa, *state);
}

static void mpa_longest(void **state)
{
    uint8_t bytes[RDC_MPA_HEADER_LEN + RDC_MPA_PRIVATE_MAX + 1] = "MPA ID Req Frame";
    struct rdc_cursor cur = {bytes, sizeof bytes, sizeof bytes};
    struct rdc_mpa mpa;

    (void)state;
    bytes[17] = 1;
    bytes[18] = RDC_MPA_PRIVATE_MAX >> 8;
    bytes[19] = 1;
    assert_int_equal(rdc_mpa_decode(&cur, &mpa), RDC_MALFORMED);
    bytes[19] = 0;
    assert_int_equal(rdc_mpa_decode(&cur, &mpa), RDC_OK);
    assert_int_equal(mpa.private_data_captured, RDC_MPA_PRIVATE_MAX);
    assert_int_equal(cur.captured, 1);
}

static void mpa_start(void **state)
{
    static const char stream[] = "MPA ID Reply";

    (void)state;
    assert_true(rdc_mpa_is_start(NULL, 0));
    assert_true(rdc_mpa_is_start((const uint8_t *)stream, 8));
    assert_true(rdc_mpa_is_start((const uint8_t *)stream, 10));
    assert_false(rdc_mpa_is_start((const uint8_t *)stream, 11));
}

static const struct fpdu_row {
    const char *name;
    const char *wire;
    enum rdc_status status;
    uint16_t ulpdu;
    uint8_t pad;
    uint32_t crc;
} fpdu_rows[] = {
    {"siw Send of one byte", "0013 41430000000000000000000000010000000000 0000 00 ae6392ef", RDC_OK,
     19, 3, 0xef9263ae},
    {"empty", "0000 0000 11223344", RDC_OK, 0, 2, 0x44332211},
    {"no pad", "0002 abcd 01020304", RDC_OK, 2, 0, 0x04030201},
    {"length beyond the bytes", "0005 0102030405 00 010203", RDC_MALFORMED, 0, 0, 0},
};

static void check_fpdu(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct fpdu_row *row = arg;
    struct rdc_cursor cur = {bytes, captured, wire};
    struct rdc_fpdu fpdu;
    enum rdc_status st = rdc_fpdu_decode(&cur, &fpdu);

    if (captured < RDC_FPDU_LENGTH_LEN) {
        assert_int_equal(st, RDC_TRUNCATED);
        assert_ptr_equal(cur.at, bytes);
        return;
    }
    assert_int_equal(st, row->status);
    if (st != RDC_OK)
        return;
    assert_int_equal(fpdu.ulpdu_length, row->ulpdu);
    assert_int_equal(fpdu.pad, row->pad);
    assert_int_equal(fpdu.crc_captured, captured == wire);
    assert_int_equal(fpdu.crc, captured == wire ? row->crc : 0);
    assert_int_equal(fpdu.ulpdu.wire, row->ulpdu);
    assert_true(fpdu.ulpdu.captured <= row->ulpdu);
    assert_true(fpdu.ulpdu.captured == row->ulpdu || fpdu.ulpdu.captured == captured - 2);
    assert_int_equal(cur.wire, wire - rdc_fpdu_size(row->ulpdu));
}

static void fpdu_frame(void **state)
{
    const struct fpdu_row *row = *state;
    uint8_t bytes[64];
    size_t size = support_hex(row->wire, bytes, sizeof bytes);

    support_each_cut(bytes, size, check_fpdu, *state);
}

/* The CRC of siw's Send is in the byte order of rdc/crc.h */
static void fpdu_crc(void **state)
{
    uint8_t bytes[64];
    size_t size = support_hex(fpdu_rows[0].wire, bytes, sizeof bytes);
    uint32_t crc = rdc_crc32c_update(RDC_CRC32C_INIT, bytes, size - RDC_FPDU_CRC_LEN);
    struct rdc_cursor cur = {bytes, size, size};
    struct rdc_fpdu fpdu;

    (void)state;
    assert_int_equal(rdc_fpdu_decode(&cur, &fpdu), RDC_OK);
    assert_int_equal(fpdu.crc, rdc_crc32c_done(crc));
}

static void fpdu_sizes(void **state)
{
    static const struct {
        uint16_t ulpdu;
        uint32_t plain;
        uint64_t offset;
        uint32_t marked;
    } rows[] = {
        {0, 8, 1, 8},
        {0, 8, 0, 12},   /* a marker in front */
        {0, 8, 504, 8},  /* ends where a marker begins, which is the next FPDU's */
        {0, 8, 508, 12}, /* a marker inside */
        {1, 8, 4, 8},
        {2, 8, 4, 8},
        {3, 12, 4, 12},
        {502, 508, 0, 512},
        {502, 508, 4, 508},
        {502, 508, 8, 512},
        {504, 512, 0, 520},
        {65535, 65544, 4, 65544 + 4 * 129},
        {65535, 65544, 0x1000000000000200, 65544 + 4 * 130},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        assert_int_equal(rdc_fpdu_size(rows[i].ulpdu), rows[i].plain);
        assert_int_equal(rdc_fpdu_size_with_markers(rows[i].ulpdu, rows[i].offset), rows[i].marked);
    }
}

/* Against counting byte by byte */
static void fpdu_sizes_exhaustive(void **state)
{
    (void)state;
    for (uint16_t ulpdu = 0; ulpdu < 1600; ulpdu = (uint16_t)(ulpdu + 13)) {
        for (uint32_t offset = 0; offset < 1024; offset += 4) {
            uint32_t size = 0;

            for (uint32_t left = rdc_fpdu_size(ulpdu); left > 0; left--, size++)
                if ((offset + size) % RDC_MARKER_SPACING == 0)
                    size += RDC_MARKER_LEN;
            assert_int_equal(rdc_fpdu_size_with_markers(ulpdu, offset), size);
        }
    }
}

static void check_marker(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    struct rdc_cursor cur = {bytes, captured, wire};
    struct rdc_marker marker;
    enum rdc_status st = rdc_marker_decode(&cur, &marker);

    (void)arg;
    assert_int_equal(st, captured == wire ? RDC_OK : RDC_TRUNCATED);
    if (st != RDC_OK)
        return;
    assert_int_equal(marker.reserved, 1);
    assert_int_equal(marker.fpdu_offset, 0x1f4);
}

static void marker_frame(void **state)
{
    static const uint8_t bytes[] = {0, 1, 0x01, 0xf4};

    (void)state;
    support_each_cut(bytes, sizeof bytes, check_marker, NULL);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(mpa_rows) + SUPPORT_COUNT(fpdu_rows) + 6] = {
        cmocka_unit_test(mpa_start),
        cmocka_unit_test(mpa_longest),
        cmocka_unit_test(fpdu_sizes),
        cmocka_unit_test(fpdu_crc),
        cmocka_unit_test(fpdu_sizes_exhaustive),
        cmocka_unit_test(marker_frame),
    };
    size_t n = 6;

    for (size_t i = 0; i < SUPPORT_COUNT(mpa_rows); i++)
        tests[n++] = (struct CMUnitTest){.name = mpa_rows[i].name,
                                         .test_func = mpa_frame,
                                         .initial_state = (void *)(uintptr_t)&mpa_rows[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(fpdu_rows); i++)
        tests[n++] = (struct CMUnitTest){.name = fpdu_rows[i].name,
                                         .test_func = fpdu_frame,
                                         .initial_state = (void *)(uintptr_t)&fpdu_rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
