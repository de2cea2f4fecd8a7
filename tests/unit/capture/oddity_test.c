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

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + SUPPORT_COUNT(ng_rows)];
    size_t n = 0;

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
