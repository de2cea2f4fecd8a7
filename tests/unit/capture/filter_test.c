/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libpcap expressions: over several link types in one file, where they can't be compiled, and when
 * they are wrong.
 */
#include "image.h"

/* UDP from port 4791 to 4791, from 10.0.0.1 to 10.0.0.2, no payload; behind it in each table row
 * the link header of its kind */
#define IP_UDP "45 00 00 1c 00 00 00 00 40 11 00 00 0a 00 00 01 0a 00 00 02 12 b7 12 b7 00 08 00 00"

static const struct packet {
    uint16_t linktype;
    const char *hex;
} packets[] = {
    {1, "0a0000000002 0a0000000001 0800" IP_UDP},
    {1, "0a0000000002 0a0000000001 0806 0001"},
    {276, "0800 0000 00000001 0001 00 06 0a0000000001 0000" IP_UDP},
    {101, IP_UDP},
    {1, "0a0000000002 0a0000000001 0800" IP_UDP},
    {4711, IP_UDP},
};

static char *mixed_file(void)
{
    struct image im = {0};
    uint8_t bytes[128];
    size_t size, block;
    char *path;

    image_section(&im, false);
    for (uint32_t i = 0; i < SUPPORT_COUNT(packets); i++) {
        image_plain_interface(&im, packets[i].linktype, 0);
        size = support_hex(packets[i].hex, bytes, sizeof bytes);
        block = image_begin(&im, 6);
        image_32(&im, i);
        image_64(&im, 0);
        image_32(&im, (uint32_t)size);
        image_32(&im, (uint32_t)size);
        image_put(&im, bytes, size);
        image_pad(&im);
        image_end(&im, block);
    }
    path = image_file(im.bytes->data, im.bytes->len);
    image_done(&im);
    return path;
}

static const struct row {
    const char *name;
    const char *expression;
    uint64_t limit;
    size_t count;
    uint64_t frames[6];
    size_t warnings; /* link type 4711 is worth two: not decoded, not filtered */
} rows[] = {
    {"a port on each link type", "udp port 4791", 0, 4, {1, 3, 4, 5}, 2},
    {"the limit counts what matches", "udp port 4791", 3, 3, {1, 3, 4}, 1},
    {"impossible on one link type", "arp", 0, 1, {2}, 3},
    {"nothing", "tcp", 0, 0, {0}, 2},
    {"a host", "src host 10.0.0.1", 2, 2, {1, 3}, 1},
    {"empty expression", "", 0, 5, {1, 2, 3, 4, 5}, 2},
};

static void test_row(void **state)
{
    const struct row *row = *state;
    const struct source_options options = {.bpf = row->expression, .limit = row->limit};
    char *path = mixed_file();
    struct reading rd;

    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_null(rd.error);
    assert_int_equal(rd.count, row->count);
    for (size_t i = 0; i < rd.count; i++)
        assert_int_equal(rd.records[i].frame, row->frames[i]);
    if (row->limit == 0)
        assert_int_equal(source_warning_count(rd.source), row->warnings);
    reading_done(&rd);
    image_remove(path);
}

static void test_wrong(void **state)
{
    const struct source_options options = {.bpf = "udp prt 4791"};
    char *path = mixed_file();
    struct reading rd;

    (void)state;
    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_non_null(rd.error);
    assert_int_equal(rd.error->code, SOURCE_ERROR_FILTER);
    assert_non_null(strstr(rd.error->message, "the filter expression is wrong: "));
    reading_done(&rd);
    image_remove(path);
}

/* Right for Ethernet, but not for what the file begins with: the file is named */
static void test_unsuited(void **state)
{
    const struct source_options options = {.bpf = "ether src 2:0:0:0:0:1"};
    struct image im = {0};
    struct reading rd;
    char *path;

    (void)state;
    image_pcap(&im, 0xa1b2c3d4, 96, 247); /* InfiniBand */
    image_pcap_record(&im, 7, 0, "abc", 3);
    path = image_file(im.bytes->data, im.bytes->len);
    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_non_null(rd.error);
    assert_int_equal(rd.error->code, SOURCE_ERROR_FILTER);
    assert_true(g_str_has_prefix(rd.error->message, path));
    assert_non_null(strstr(rd.error->message, "link type 247"));
    reading_done(&rd);
    image_remove(path);
    image_done(&im);
}

/* Filters see bytes beyond the snap length as absent, and a packet without bytes as no match. */
static void test_short(void **state)
{
    const struct source_options options = {.bpf = "udp"};
    struct image im = {0};
    struct reading rd;
    char *path;

    (void)state;
    image_pcap(&im, PCAP_US, 96, 1);
    image_pcap_record(&im, 1, 1, "", 60);
    image_pcap_record(&im, 1, 1, "123456789012", 60);
    path = image_file(im.bytes->data, im.bytes->len);
    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_null(rd.error);
    assert_int_equal(rd.count, 0);
    assert_int_equal(source_file(rd.source, 0)->packets, 2);
    reading_done(&rd);
    image_remove(path);
    image_done(&im);
}

/* What follows a cut packet in the file is not part of it */
static void test_behind(void **state)
{
    const struct source_options options = {.bpf = "ether[12] = 0x55"};
    struct image im = {0};
    struct reading rd;
    char *path;

    (void)state;
    image_pcap(&im, PCAP_US, 96, 1);
    image_pcap_record(&im, 1, 1, "123456789012", 60);
    image_pcap_record(&im, 0x55, 1, "123456789012\x55", 60);
    path = image_file(im.bytes->data, im.bytes->len);
    reading_from(&rd, (const char *const *)&path, 1, &options, READING_MAX);
    assert_int_equal(rd.count, 1);
    assert_int_equal(rd.records[0].frame, 2);
    reading_done(&rd);
    image_remove(path);
    image_done(&im);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 3] = {
        cmocka_unit_test(test_wrong), cmocka_unit_test(test_unsuited), cmocka_unit_test(test_short),
        cmocka_unit_test(test_behind)};

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 3] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = test_row,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
