/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pcapng reader: packets of all three kinds of blocks, sections, interfaces and what is said
 * about them, in both byte orders.
 */
#include "image.h"

static const struct order {
    const char *name;
    bool big;
} orders[] = {{"little-endian", false}, {"big-endian", true}};

/* Two interfaces with different link types, snap lengths and resolutions */
static void rich_section(struct image *im, bool big)
{
    size_t block;

    image_section(im, big);
    block = image_interface(im, 1, 96);
    image_option(im, 2, "eth0", 4);
    image_option(im, 3, "mirror port", 11);
    image_option_64(im, 8, 100000000000);
    image_option(im, 9, "\x09", 1);
    image_option(im, 11, "\0udp port 4791", 14);
    image_option(im, 12, "Linux", 5);
    image_option(im, 13, "\x04", 1);
    image_option(im, 15, "ConnectX", 8);
    image_option(im, 0, "", 0);
    image_end(im, block);
    block = image_interface(im, 276, 0);
    image_option(im, 9, "\x94", 1);
    image_option_64(im, 14, (uint64_t)-5);
    image_end(im, block);
}

static void test_metadata(void **state)
{
    const struct order *order = *state;
    const struct source_interface *face;
    struct image im = {0};
    struct reading rd;
    size_t block;

    rich_section(&im, order->big);
    image_plain_packet(&im, 1, 7 << 20, "one");
    for (uint64_t drops = 1; drops <= 2; drops++) {
        block = image_begin(&im, 5);
        image_32(&im, 0);
        image_64(&im, 0);
        image_option_64(&im, 4, 1000);
        image_option_64(&im, 5, drops);
        image_option_64(&im, 7, 10 * drops);
        image_end(&im, block);
    }
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_record(&rd, 0, "one", 3, 2000000000);
    assert_int_equal(rd.records[0].in.interface, 1);
    assert_int_equal(rd.records[0].in.linktype, 276);
    assert_int_equal(rd.records[0].in.fcs_size, -1);
    assert_int_equal(source_interface_count(rd.source), 2);
    face = source_interface(rd.source, 0);
    assert_string_equal(face->name, "eth0");
    assert_string_equal(face->description, "mirror port");
    assert_string_equal(face->filter, "udp port 4791");
    assert_string_equal(face->os, "Linux");
    assert_string_equal(face->hardware, "ConnectX");
    assert_true(face->speed_bps == 100000000000);
    assert_int_equal(face->fcs_size, 4);
    assert_int_equal(face->snaplen, 96);
    assert_int_equal(face->ts_exponent, 9);
    assert_false(face->ts_binary);
    assert_int_equal(face->received, 1000);
    assert_int_equal(face->dropped, 2);
    assert_int_equal(face->os_dropped, 20);
    face = source_interface(rd.source, 1);
    assert_null(face->name);
    assert_int_equal(face->linktype, 276);
    assert_int_equal(face->ts_exponent, 20);
    assert_true(face->ts_binary);
    assert_int_equal(face->ts_offset_s, -5);
    assert_true(face->dropped == UINT64_MAX);
    assert_int_equal(face->index, 1);
    reading_done(&rd);
    image_done(&im);
}

/* Counts that no sum can hold stay at the largest, and never become few or unknown. */
static void test_counts_are_bounded(void **state)
{
    const struct order *order = *state;
    struct image im = {0};
    struct reading rd;
    size_t block;

    rich_section(&im, order->big);
    for (unsigned i = 0; i < 2; i++) {
        block = image_packet(&im, 0, i, "a", 64);
        image_option_64(&im, 4, UINT64_C(1) << 63);
        image_end(&im, block);
    }
    block = image_begin(&im, 5); /* statistics */
    image_32(&im, 0);
    image_64(&im, 0);
    image_option_64(&im, 5, UINT64_MAX);
    image_end(&im, block);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 2);
    assert_true(source_interface(rd.source, 0)->packet_drops == SOURCE_MOST);
    assert_true(source_interface(rd.source, 0)->dropped == SOURCE_MOST);
    reading_done(&rd);
    image_done(&im);
}

static void test_packet_options(void **state)
{
    const struct order *order = *state;
    struct image im = {0};
    struct reading rd;
    size_t block;

    rich_section(&im, order->big);
    block = image_packet(&im, 0, 5, "abcde", 64);
    image_option(&im, 1, "a comment", 9);
    image_16(&im, 2); /* flags: inbound, FCS of 2 bytes */
    image_16(&im, 4);
    image_32(&im, 1 | 2 << 5);
    image_option_64(&im, 4, 7);
    image_option(&im, 0, "", 0);
    image_end(&im, block);
    block = image_packet(&im, 0, 6, "abc", 3);
    image_16(&im, 2);
    image_16(&im, 4);
    image_32(&im, 2);
    image_option_64(&im, 4, 1ull << 40);
    image_end(&im, block);
    block = image_packet(&im, 0, 7, "", 0);
    image_16(&im, 2); /* longer than the block */
    image_16(&im, 400);
    image_end(&im, block);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 3);
    assert_record(&rd, 0, "abcde", 64, 5);
    assert_int_equal(rd.records[0].direction, SOURCE_DIRECTION_IN);
    assert_int_equal(rd.records[0].in.fcs_size, 2);
    assert_int_equal(rd.records[0].drops, 7);
    assert_int_equal(rd.records[1].direction, SOURCE_DIRECTION_OUT);
    assert_int_equal(rd.records[1].in.fcs_size, 4);
    assert_true(rd.records[1].drops == UINT32_MAX);
    assert_int_equal(rd.records[2].direction, SOURCE_DIRECTION_UNKNOWN);
    assert_record(&rd, 2, "", 0, 7);
    assert_true(source_interface(rd.source, 0)->packet_drops == (1ull << 40) + 7);
    assert_int_equal(source_damage_count(rd.source), 0);
    reading_done(&rd);
    image_done(&im);
}

/* Simple and obsolete packet blocks, and blocks that are skipped */
static void test_other_blocks(void **state)
{
    static const uint32_t skipped[] = {4, 10, 0xbad, 0x40000bad, 9, 0x7fffffff};
    const struct order *order = *state;
    struct image im = {0};
    struct reading rd;
    size_t block;

    image_section(&im, order->big);
    image_plain_interface(&im, 1, 4);
    for (size_t i = 0; i < SUPPORT_COUNT(skipped); i++) {
        block = image_begin(&im, skipped[i]);
        image_put(&im, "anything at all", i);
        image_pad(&im);
        image_end(&im, block);
    }
    block = image_begin(&im, 3);
    image_32(&im, 3); /* shorter than the snap length */
    image_put(&im, "abc", 3);
    image_end(&im, block);
    block = image_begin(&im, 2);
    image_16(&im, 0);
    image_16(&im, 9); /* drops */
    image_32(&im, 0);
    image_32(&im, 77);
    image_32(&im, 2);
    image_32(&im, 50);
    image_put(&im, "de", 2);
    image_pad(&im);
    image_end(&im, block);
    block = image_begin(&im, 3);
    image_32(&im, 90); /* longer than the snap length */
    image_put(&im, "fghi", 4);
    image_end(&im, block);
    block = image_begin(&im, 2);
    image_16(&im, 0);
    image_16(&im, 0xffff); /* drops unknown */
    image_32(&im, 0);
    image_32(&im, 78);
    image_64(&im, 0);
    image_end(&im, block);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(source_damage_count(rd.source), 0);
    assert_int_equal(rd.count, 4);
    assert_record(&rd, 0, "abc", 3, 77000); /* of the first that has one */
    assert_true(rd.records[0].untimed);
    assert_record(&rd, 1, "de", 50, 77000);
    assert_false(rd.records[1].untimed);
    assert_int_equal(rd.records[1].drops, 9);
    assert_record(&rd, 2, "fghi", 90, 77000);
    assert_true(rd.records[2].untimed);
    assert_record(&rd, 3, "", 0, 78000);
    assert_int_equal(rd.records[3].drops, 0);
    assert_int_equal(source_interface(rd.source, 0)->packet_drops, 9);
    reading_done(&rd);
    image_done(&im);
}

/* Interface numbers start again in each section; the source's do not. */
static void test_sections(void **state)
{
    static const bool big[] = {false, true, true, false};
    struct image im = {0};
    struct reading rd;

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(big); i++) {
        rich_section(&im, big[i]);
        image_plain_packet(&im, 1, (5 + i) << 20, "one");
        image_plain_packet(&im, 0, i, "two");
    }
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(source_damage_count(rd.source), 0);
    assert_int_equal(rd.count, 2 * SUPPORT_COUNT(big));
    assert_int_equal(source_interface_count(rd.source), 2 * SUPPORT_COUNT(big));
    assert_int_equal(source_file(rd.source, 0)->sections, SUPPORT_COUNT(big));
    for (size_t i = 0; i < SUPPORT_COUNT(big); i++) {
        assert_record(&rd, 2 * i, "one", 3, (int64_t)i * 1000000000);
        assert_int_equal(rd.records[2 * i].in.interface, 2 * i + 1);
        assert_int_equal(rd.records[2 * i].in.linktype, 276);
        assert_record(&rd, 2 * i + 1, "two", 3, (int64_t)i);
        assert_int_equal(rd.records[2 * i + 1].in.interface, 2 * i);
        assert_int_equal(rd.records[2 * i + 1].in.linktype, 1);
        assert_int_equal(source_interface(rd.source, 2 * i)->section, i);
    }
    reading_done(&rd);
    image_done(&im);
}

/* Cut at every size: whole packets come, and the damage names the block that is not whole. */
static void test_cut(void **state)
{
    const struct order *order = *state;
    struct image im = {0};
    struct reading rd;
    size_t ends[5];

    image_section(&im, order->big);
    ends[0] = image_size(&im);
    image_plain_interface(&im, 1, 0);
    ends[1] = image_size(&im);
    for (size_t i = 2; i < SUPPORT_COUNT(ends); i++) {
        image_plain_packet(&im, 0, i, "packet");
        ends[i] = image_size(&im);
    }
    for (size_t size = 1; size < im.bytes->len; size++) {
        size_t whole = 0;

        while (ends[whole] <= size)
            whole++;
        reading_of(&rd, im.bytes->data, size);
        if (whole == 0) {
            assert_non_null(rd.error);
            reading_done(&rd);
            continue;
        }
        assert_int_equal(rd.count, whole > 2 ? whole - 2 : 0);
        if (size == ends[whole - 1]) {
            assert_int_equal(source_damage_count(rd.source), 0);
        } else {
            assert_int_equal(source_damage_count(rd.source), 1);
            assert_int_equal(source_damage(rd.source, 0)->offset, ends[whole - 1]);
            assert_int_equal(source_damage(rd.source, 0)->frame, rd.count + 1);
        }
        reading_done(&rd);
    }
    image_done(&im);
}

/* A description without end, names that are no UTF-8, names without end */
static void test_odd_texts(void **state)
{
    char *name = g_strnfill(5000, 'n');
    struct image im = {0};
    struct reading rd;
    size_t block;

    (void)state;
    image_section(&im, false);
    block = image_interface(&im, 1, 0);
    image_option(&im, 2, name, 5000);
    image_option(&im, 2, "second name", 11);
    image_option(&im, 3, "bad\xff\xfe", 5);
    image_option(&im, 12, "", 0);
    image_option(&im, 15, "ends\0here", 9);
    image_end(&im, block);
    image_plain_packet(&im, 0, 1, "x");
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_int_equal(strlen(source_interface(rd.source, 0)->name), SOURCE_MAX_TEXT);
    assert_true(g_utf8_validate(source_interface(rd.source, 0)->description, -1, NULL));
    assert_null(source_interface(rd.source, 0)->os);
    assert_string_equal(source_interface(rd.source, 0)->hardware, "ends");
    reading_done(&rd);
    image_done(&im);
    g_free(name);
}

#define ROWS(rows, function)                                                                       \
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)                                               \
        tests[count++] = (struct CMUnitTest)                                                       \
        {                                                                                          \
            .name = (rows)[i].name, .test_func = (function),                                       \
            .initial_state = (void *)(uintptr_t) & (rows)[i]                                       \
        }

int main(void)
{
    struct CMUnitTest tests[16] = {
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_odd_texts),
    };
    size_t count = 2;

    ROWS(orders, test_metadata);
    ROWS(orders, test_packet_options);
    ROWS(orders, test_counts_are_bounded);
    ROWS(orders, test_other_blocks);
    ROWS(orders, test_cut);
    return _cmocka_run_group_tests("pcapng", tests, count, NULL, NULL);
}
