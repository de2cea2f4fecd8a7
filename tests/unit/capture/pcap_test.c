/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pcap reader: each variant of the format, and each record at each place where a file can end.
 */
#include "image.h"

static const struct variant {
    const char *name;
    uint32_t magic;
    bool big;
    int64_t tick_ns;
} variants[] = {
    {"us little-endian", PCAP_US, false, 1000},
    {"us big-endian", PCAP_US, true, 1000},
    {"ns little-endian", PCAP_NS, false, 1},
    {"ns big-endian", PCAP_NS, true, 1},
};

static void three_records(struct image *im)
{
    image_pcap_record(im, 1700000000, 999999, "first packet", 100);
    image_pcap_record(im, 1700000001, 0, "", 0);
    image_pcap_record(im, 4294967295u, 1, "x", 1);
}

static void test_variant(void **state)
{
    const struct variant *v = *state;
    struct image im = {.big = v->big};
    struct reading rd;

    image_pcap(&im, v->magic, 96, 1);
    three_records(&im);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 3);
    assert_record(&rd, 0, "first packet", 100, 1700000000000000000 + 999999 * v->tick_ns);
    assert_record(&rd, 1, "", 0, 1700000001000000000);
    assert_record(&rd, 2, "x", 1, 4294967295000000000 + v->tick_ns);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rd.records[i].frame, i + 1);
        assert_int_equal(rd.records[i].in.linktype, 1);
        assert_int_equal(rd.records[i].in.fcs_size, -1);
        assert_int_equal(rd.records[i].in.interface, 0);
        assert_false(rd.records[i].untimed);
    }
    assert_int_equal(source_damage_count(rd.source), 0);
    assert_int_equal(source_warning_count(rd.source), 0);
    assert_int_equal(source_interface_count(rd.source), 1);
    assert_int_equal(source_interface(rd.source, 0)->snaplen, 96);
    assert_int_equal(source_interface(rd.source, 0)->ts_exponent, v->tick_ns == 1 ? 9 : 6);
    assert_string_equal(source_file(rd.source, 0)->format, "pcap");
    assert_true(source_file(rd.source, 0)->big_endian == v->big);
    assert_int_equal(source_file(rd.source, 0)->packets, 3);
    reading_done(&rd);
    image_done(&im);
}

/* At every size: the whole records come, and the damage names where the next one begins. */
static void test_cut(void **state)
{
    const struct variant *v = *state;
    const size_t starts[] = {24, 24 + 28, 24 + 28 + 16, 24 + 28 + 16 + 17};
    struct image im = {.big = v->big};
    struct reading rd;

    image_pcap(&im, v->magic, 96, 1);
    three_records(&im);
    assert_int_equal(im.bytes->len, starts[3]);
    for (size_t size = 1; size < im.bytes->len; size++) {
        size_t whole = 0;

        reading_of(&rd, im.bytes->data, size);
        while (starts[whole + 1] <= size)
            whole++;
        if (size < starts[0]) {
            assert_non_null(rd.error);
        } else if (size == starts[whole]) {
            assert_int_equal(rd.count, whole);
            assert_int_equal(source_damage_count(rd.source), 0);
        } else {
            assert_int_equal(rd.count, whole);
            assert_int_equal(source_damage_count(rd.source), 1);
            assert_int_equal(source_damage(rd.source, 0)->offset, starts[whole]);
            assert_int_equal(source_damage(rd.source, 0)->frame, whole + 1);
            assert_non_null(strstr(source_damage(rd.source, 0)->text, "the file ends inside"));
        }
        reading_done(&rd);
    }
    image_done(&im);
}

static void test_modified(void **state)
{
    static const uint8_t packet_types[] = {0, 2, 3, 4};
    static const uint8_t directions[] = {SOURCE_DIRECTION_IN, SOURCE_DIRECTION_IN,
                                         SOURCE_DIRECTION_UNKNOWN, SOURCE_DIRECTION_OUT};
    struct image im = {0};
    struct reading rd;

    (void)state;
    image_pcap(&im, PCAP_MODIFIED, 65535, 1);
    for (size_t i = 0; i < SUPPORT_COUNT(packet_types); i++) {
        image_64(&im, 0);
        image_32(&im, 3);
        image_32(&im, 3);
        image_32(&im, 7);      /* interface */
        image_16(&im, 0x0800); /* protocol */
        image_put(&im, &packet_types[i], 1);
        image_put(&im, "", 1);
        image_put(&im, "abc", 3);
    }
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, SUPPORT_COUNT(packet_types));
    for (size_t i = 0; i < SUPPORT_COUNT(packet_types); i++) {
        assert_record(&rd, i, "abc", 3, 0);
        assert_int_equal(rd.records[i].direction, directions[i]);
    }
    assert_int_equal(source_damage_count(rd.source), 0);
    reading_done(&rd);
    image_done(&im);
}

static const struct link_row {
    const char *name;
    uint32_t word;
    uint32_t linktype;
    int8_t fcs_size;
} link_rows[] = {
    {"no FCS said", 1, 1, -1},           {"FCS of 4 bytes", 0x24000001, 1, 4},
    {"no FCS at all", 0x04000001, 1, 0}, {"FCS bits without their flag", 0x20000001, 1, -1},
    {"InfiniBand", 247, 247, -1},
};

static void test_link(void **state)
{
    const struct link_row *row = *state;
    struct image im = {0};
    struct reading rd;

    image_pcap(&im, PCAP_US, 96, row->word);
    image_pcap_record(&im, 1, 1, "abc", 3);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_int_equal(rd.records[0].in.linktype, row->linktype);
    assert_int_equal(rd.records[0].in.fcs_size, row->fcs_size);
    assert_int_equal(source_warning_count(rd.source), 0);
    reading_done(&rd);
    image_done(&im);
}

static void test_unknown_link(void **state)
{
    struct image im = {0};
    struct reading rd;

    (void)state;
    image_pcap(&im, PCAP_US, 96, 4711);
    image_pcap_record(&im, 1, 1, "abc", 3);
    image_pcap_record(&im, 1, 2, "abc", 3);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 2);
    assert_int_equal(source_warning_count(rd.source), 1);
    assert_non_null(strstr(source_warning(rd.source, 0), "link type 4711 (first: frame 1)"));
    reading_done(&rd);
    image_done(&im);
}

static const struct length_row {
    const char *name;
    uint32_t snaplen;
    uint32_t captured;
    bool believed;
} length_rows[] = {
    {"above snaplen, yet usual", 96, SOURCE_USUAL_RECORD, true},
    {"above snaplen and unusual", 96, SOURCE_USUAL_RECORD + 1, false},
    {"unusual, but snaplen allows it", 1 << 20, 1 << 20, true},
    {"one above a large snaplen", 1 << 20, (1 << 20) + 1, false},
    {"no snaplen", 0, SOURCE_USUAL_RECORD + 1, false},
    {"the largest", UINT32_MAX, SOURCE_MAX_RECORD, true},
    {"beyond the largest", UINT32_MAX, SOURCE_MAX_RECORD + 1, false},
    {"all ones", 65535, UINT32_MAX, false},
};

/* A record of any believable size comes whole, with another before and one behind it; one that is
 * not ends the file, also where it is whole */
static void test_length(void **state)
{
    const struct length_row *row = *state;
    const uint32_t there = MIN(row->captured, SOURCE_MAX_RECORD + 1);
    const uint32_t first = 8192; /* more than is read to tell the format: then comes all */
    uint8_t *zeros = g_malloc0(there);
    struct image im = {0};
    struct reading rd;

    image_pcap(&im, PCAP_US, row->snaplen, 1);
    image_64(&im, 0);
    image_32(&im, first);
    image_32(&im, first);
    image_put(&im, zeros, first);
    image_64(&im, 0);
    image_32(&im, row->captured);
    image_32(&im, row->captured);
    image_put(&im, zeros, there);
    image_pcap_record(&im, 1, 1, "def", 3);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    if (row->believed) {
        assert_int_equal(rd.count, 3);
        assert_int_equal(rd.records[1].in.captured, row->captured);
        assert_memory_equal(rd.records[1].in.bytes, zeros, row->captured);
        assert_record(&rd, 2, "def", 3, 1000001000);
        assert_int_equal(source_damage_count(rd.source), 0);
    } else {
        assert_int_equal(rd.count, 1);
        assert_int_equal(source_damage_count(rd.source), 1);
        assert_int_equal(source_damage(rd.source, 0)->offset, 24 + 16 + first);
        assert_int_equal(source_damage(rd.source, 0)->frame, 2);
        assert_non_null(strstr(source_damage(rd.source, 0)->text, "absurd"));
    }
    reading_done(&rd);
    image_done(&im);
    g_free(zeros);
}

static const struct joined_row {
    const char *name;
    uint32_t magic;
    bool big;
    uint32_t zone;
    uint16_t minor;
    bool noticed;
} joined_rows[] = {
    {"joined: the same form", PCAP_US, false, 0, 4, true},
    {"joined: the other byte order", PCAP_US, true, 0, 4, true},
    {"joined: nanoseconds", PCAP_NS, false, 0, 4, true},
    {"joined: nanoseconds, the other byte order", PCAP_NS, true, 0, 4, true},
    {"joined: the modified form", PCAP_MODIFIED, false, 0, 4, true},
    {"joined: a time zone east", PCAP_US, false, 3600, 4, true},
    {"joined: a time zone west", PCAP_US, false, (uint32_t)-3600, 4, true},
    {"not joined: another version", PCAP_US, false, 0, 5, false},
};

/* Another file's header where a record should be: what comes before it is read, and it is named */
static void test_joined(void **state)
{
    const struct joined_row *row = *state;
    struct image im = {0}, other = {.big = row->big};
    struct reading rd;

    image_pcap(&im, PCAP_US, 96, 1);
    image_pcap_record(&im, 1, 1, "abc", 3);
    image_pcap_record(&im, 1, 2, "", 60);
    image_pcap(&other, row->magic, 96, 1);
    other.bytes->data[row->big ? 7 : 6] = (uint8_t)row->minor;
    for (unsigned i = 0; i < 4; i++)
        other.bytes->data[8 + i] = (uint8_t)(row->zone >> 8 * (row->big ? 3 - i : i));
    image_pcap_record(&other, 1, 3, "def", 3);
    image_put(&im, other.bytes->data, other.bytes->len);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, row->noticed ? 2 : 4);
    if (row->noticed) {
        assert_int_equal(source_damage_count(rd.source), 1);
        assert_int_equal(source_damage(rd.source, 0)->offset, 24 + 19 + 16);
        assert_int_equal(source_damage(rd.source, 0)->frame, 3);
        assert_non_null(strstr(source_damage(rd.source, 0)->text, "files were joined"));
    }
    reading_done(&rd);
    image_done(&im);
    image_done(&other);
}

/* Records that straddle the end of a block of 1 MiB, at every alignment */
static void test_straddling(void **state)
{
    struct source_record out[SOURCE_BATCH];
    struct image im = {0};
    uint64_t expected = 0;
    const char *paths[1];
    struct source *src;
    char *path;
    size_t n;

    (void)state;
    image_pcap(&im, PCAP_NS, 96, 1);
    for (uint32_t i = 0; i < 70000; i++) {
        image_32(&im, i);
        image_32(&im, 0);
        image_32(&im, i % 61);
        image_32(&im, i);
        for (uint32_t j = 0; j < i % 61; j++) {
            uint8_t byte = (uint8_t)(i + j);

            image_put(&im, &byte, 1);
        }
    }
    path = image_file(im.bytes->data, im.bytes->len);
    paths[0] = path;
    src = source_open(paths, 1, NULL, NULL);
    assert_non_null(src);
    while ((n = source_next(src, out, SOURCE_BATCH)) > 0)
        for (size_t i = 0; i < n; i++, expected++) {
            assert_int_equal(out[i].frame, expected + 1);
            assert_int_equal(out[i].in.wire, expected);
            assert_int_equal(out[i].in.captured, expected % 61);
            for (uint32_t j = 0; j < out[i].in.captured; j++)
                assert_int_equal(out[i].in.bytes[j], (uint8_t)(expected + j));
        }
    assert_int_equal(expected, 70000);
    source_close(src);
    image_remove(path);
    image_done(&im);
}

/* Versions before 2.3 have the lengths in the other order, 2.3 has either */
static const struct version_row {
    const char *name;
    uint16_t minor;
    bool swapped;
    uint32_t wire;
} version_rows[] = {
    {"2.4", 4, false, 60},
    {"2.3 as now", 3, false, 60},
    {"2.3 swapped", 3, true, 60},
    {"2.2", 2, true, 60},
    {"2.2, more captured than there was", 2, true, 2},
};

static void test_version(void **state)
{
    const struct version_row *row = *state;
    struct image im = {0};
    struct reading rd;

    image_pcap(&im, PCAP_US, 96, 1);
    im.bytes->data[6] = (uint8_t)row->minor;
    image_64(&im, 0);
    image_32(&im, row->swapped ? row->wire : 3);
    image_32(&im, row->swapped ? 3 : row->wire);
    image_put(&im, "abc", 3);
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_record(&rd, 0, "abc", row->wire, 0);
    reading_done(&rd);
    image_done(&im);
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
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(test_modified),
        cmocka_unit_test(test_unknown_link),
        cmocka_unit_test(test_straddling),
    };
    size_t count = 3;

    ROWS(variants, test_variant);
    ROWS(variants, test_cut);
    ROWS(link_rows, test_link);
    ROWS(length_rows, test_length);
    ROWS(version_rows, test_version);
    ROWS(joined_rows, test_joined);
    return _cmocka_run_group_tests("pcap", tests, count, NULL, NULL);
}
