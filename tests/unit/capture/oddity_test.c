/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records that can be read but say what can't be: each is told once a file, with its place.
 */
#include "image.h"

enum {
    NEVER = 0,
};

/* Three records; the odd ones are in `fraction` and `wire` */
static const struct row {
    const char *name;
    uint32_t magic;
    bool big;
    uint32_t fraction[3];
    uint32_t wire[3];
    uint64_t limit;
    const char *text[2];
} rows[] = {
    {"nothing", PCAP_US, false, {0, 999999, 0}, {3, 3, 9}, NEVER, {NULL}},
    {"nothing in ns", PCAP_NS, true, {0, 999999999, 0}, {3, 4, 5}, NEVER, {NULL}},
    {"microseconds",
     PCAP_US,
     false,
     {0, 1000000, 0},
     {3, 3, 3},
     NEVER,
     {": frame 2 (byte 43) has a second or more behind the point of its time stamp"}},
    {"nanoseconds",
     PCAP_NS,
     true,
     {0, 1, 1000000000},
     {3, 3, 3},
     NEVER,
     {": frame 3 (byte 62) has a second or more"}},
    {"lengths",
     PCAP_US,
     true,
     {0, 0, 0},
     {2, 3, 0},
     NEVER,
     {": frame 1 (byte 24) has more captured bytes than its length on the wire says; so have 1 "
      "more"}},
    {"both",
     PCAP_US,
     false,
     {0, UINT32_MAX, 0},
     {3, 0, 3},
     NEVER,
     {": frame 2 (byte 43) has a second", ": frame 2 (byte 43) has more captured"}},
    {"behind the limit", PCAP_US, false, {0, 0, 1000000}, {3, 3, 3}, 2, {NULL}},
    {"at the limit", PCAP_US, false, {0, 1000000, 1000000}, {3, 3, 3}, 2, {": frame 2 (byte 43)"}},
};

static void expect(const struct reading *rd, const char *const *texts)
{
    size_t count = texts[0] == NULL ? 0 : texts[1] == NULL ? 1 : 2;

    assert_int_equal(source_warning_count(rd->source), count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(strstr(source_warning(rd->source, i), texts[i]));
}

static void test_pcap(void **state)
{
    const struct row *row = *state;
    const struct source_options options = {.limit = row->limit};
    struct image im = {.big = row->big};
    struct reading rd;
    char *path;

    image_pcap(&im, row->magic, 96, 1);
    for (size_t i = 0; i < 3; i++)
        image_pcap_record(&im, 7, row->fraction[i], "abc", row->wire[i]);
    path = image_file(im.bytes->data, im.bytes->len);
    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_int_equal(rd.count, row->limit > 0 ? row->limit : 3);
    assert_int_equal(source_damage_count(rd.source), 0);
    expect(&rd, row->text);
    if (row->limit != NEVER && row->text[0] != NULL) /* nothing is read beyond it */
        assert_int_equal(source_odd(rd.source, 0)->count, 1);
    reading_done(&rd);
    image_remove(path);
    image_done(&im);
}

/* The interface's ticks are seconds, 10^-0 */
static void seconds(struct image *im)
{
    size_t interface = image_interface(im, 1, 0);
    const uint8_t resolution = 0;

    image_option(im, 9, &resolution, 1);
    image_end(im, interface);
}

static const struct ng_row {
    const char *name;
    uint64_t ticks;
    uint32_t wire;
    const char *text[2];
} ng_rows[] = {
    {"pcapng: nothing", 4611686018, 3, {NULL}},
    {"pcapng: the year 292 billion",
     UINT64_MAX,
     3,
     {": frame 1 (byte 56) has a time stamp that can't be, before 1970 or after 2116"}},
    {"pcapng: length", 1, 2, {": frame 1 (byte 56) has more captured bytes"}},
    {"pcapng: both",
     UINT64_MAX,
     0,
     {": frame 1 (byte 56) has a time", ": frame 1 (byte 56) has more"}},
};

static void test_pcapng(void **state)
{
    const struct ng_row *row = *state;
    struct reading rd;

    for (int big = 0; big <= 1; big++) {
        struct image im = {0};

        image_section(&im, big != 0);
        seconds(&im);
        assert_int_equal(im.bytes->len, 56);
        image_end(&im, image_packet(&im, 0, row->ticks, "abc", row->wire));
        reading_of(&rd, im.bytes->data, im.bytes->len);
        assert_int_equal(rd.count, 1);
        expect(&rd, row->text);
        reading_done(&rd);
        image_done(&im);
    }
}

/* An option of `code` and `size` that holds as many zero bytes as `there` in a block of `type` */
static const struct option_row {
    const char *name;
    uint32_t type;
    uint16_t code, size, there;
    const char *text; /* of a warning; NULL: none */
    const char *damage;
} option_rows[] = {
    {"option: section, good", 0x0a0d0d0a, 4, 8, 8, NULL, NULL},
    {"option: section, too long", 0x0a0d0d0a, 4, 9, 8,
     ": the block at byte 0 has an option that does not fit there", NULL},
    {"option: packet, good", 6, 2, 4, 4, NULL, NULL},
    {"option: packet, too long", 6, 1, 40, 8, ": frame 1 (byte 72) has an option that does not fit",
     NULL},
    {"option: packet, flags of the wrong size", 6, 2, 2, 4, ": frame 1 (byte 72) has an option",
     NULL},
    {"option: packet, drops of the wrong size", 6, 4, 4, 4, ": frame 1 (byte 72) has an option",
     NULL},
    {"option: statistics, good", 5, 5, 8, 8, NULL, NULL},
    {"option: statistics, too long", 5, 4, 12, 8,
     ": the block at byte 120 has an option that does not fit there", NULL},
    {"option: statistics, wrong size", 5, 5, 4, 4, ": the block at byte 120 has an option", NULL},
    {"option: interface, good", 1, 8, 8, 8, NULL, NULL},
    {"option: interface, too long", 1, 8, 9, 8, NULL, "an option that is longer than its block"},
    {"option: interface, speed of the wrong size", 1, 8, 4, 4,
     ": the block at byte 40 has an option", NULL},
    {"option: interface, resolution of the wrong size", 1, 9, 2, 4, NULL,
     "a time resolution or offset of the wrong size"},
    {"option: interface, offset of the wrong size", 1, 14, 4, 4, NULL,
     "a time resolution or offset of the wrong size"},
};

/* `row`'s option where the block is of its type, else one of a comment of as many bytes */
static void row_option(struct image *im, const struct option_row *row, uint32_t type)
{
    static const uint8_t zeros[64];
    bool here = row->type == type;

    image_16(im, here ? row->code : 1);
    image_16(im, here ? row->size : 8);
    image_put(im, zeros, here ? row->there : 8);
}

static void test_options(void **state)
{
    const struct option_row *row = *state;
    struct reading rd;

    for (int big = 0; big <= 1; big++) {
        struct image im = {.big = big != 0};
        size_t block = image_begin(&im, 0x0a0d0d0a);

        image_32(&im, 0x1a2b3c4d);
        image_16(&im, 1);
        image_16(&im, 0);
        image_64(&im, UINT64_MAX);
        row_option(&im, row, 0x0a0d0d0a);
        image_end(&im, block);
        block = image_interface(&im, 1, 0);
        row_option(&im, row, 1);
        image_end(&im, block);
        block = image_packet(&im, 0, 1, "abc", 3);
        row_option(&im, row, 6);
        image_end(&im, block);
        block = image_begin(&im, 5);
        image_32(&im, 0);
        image_64(&im, 0);
        row_option(&im, row, 5);
        image_end(&im, block);
        reading_of(&rd, im.bytes->data, im.bytes->len);
        assert_int_equal(rd.count, row->damage == NULL);
        assert_int_equal(source_damage_count(rd.source), row->damage != NULL);
        if (row->damage != NULL)
            assert_non_null(strstr(source_damage(rd.source, 0)->text, row->damage));
        assert_int_equal(source_warning_count(rd.source), row->text != NULL);
        assert_int_equal(source_odd_count(rd.source), row->text != NULL);
        if (row->text != NULL)
            assert_non_null(strstr(source_warning(rd.source, 0), row->text));
        reading_done(&rd);
        image_done(&im);
    }
}

static void test_statistics_of_nothing(void **state)
{
    struct image im = {0};
    struct reading rd;
    size_t block;

    (void)state;
    image_section(&im, false);
    image_end(&im, image_interface(&im, 1, 0));
    block = image_begin(&im, 5);
    image_32(&im, 7);
    image_64(&im, 0);
    image_end(&im, block);
    image_end(&im, image_begin(&im, 5));
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(source_warning_count(rd.source), 1);
    assert_non_null(
        strstr(source_warning(rd.source, 0),
               ": the block at byte 48 has statistics that are too short or of no known "
               "interface, and were left out; so have 1 more"));
    assert_int_equal(source_odd(rd.source, 0)->count, 2);
    assert_int_equal(source_odd(rd.source, 0)->frame, 0);
    reading_done(&rd);
    image_done(&im);
}

int main(void)
{
    struct CMUnitTest
        tests[SUPPORT_COUNT(rows) + SUPPORT_COUNT(ng_rows) + SUPPORT_COUNT(option_rows) + 1];
    size_t n = 0;

    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_statistics_of_nothing);
    for (size_t i = 0; i < SUPPORT_COUNT(option_rows); i++)
        tests[n++] = (struct CMUnitTest){.name = option_rows[i].name,
                                         .test_func = test_options,
                                         .initial_state = (void *)(uintptr_t)&option_rows[i]};

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[n++] = (struct CMUnitTest){.name = rows[i].name,
                                         .test_func = test_pcap,
                                         .initial_state = (void *)(uintptr_t)&rows[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(ng_rows); i++)
        tests[n++] = (struct CMUnitTest){.name = ng_rows[i].name,
                                         .test_func = test_pcapng,
                                         .initial_state = (void *)(uintptr_t)&ng_rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
