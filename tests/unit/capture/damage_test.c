/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every kind of damage and of refusal, with its exact place, on the files of the reader's fuzz
 * corpus (tests/fuzz/corpus/reader).
 */
#include "image.h"

enum {
    NONE = -1,
};

/* `error`: the file is refused. Else `packets` come, then damage at `offset` (NONE: no damage). */
static const struct row {
    const char *name;
    size_t packets;
    int offset;
    bool decompressed;
    const char *text;
    const char *error;
} rows[] = {
    {"pcap-little-endian", 3, NONE, false, NULL, NULL},
    {"pcap-header-only", 0, NONE, false, NULL, NULL},
    {"pcap-record-header-cut", 0, 24, false,
     "the file ends inside the header of a record: 16 bytes were to come, 6 are there", NULL},
    {"pcap-record-cut", 0, 24, false,
     "the file ends inside a record: 30 bytes were to come, 21 are there", NULL},
    {"pcap-absurd-length", 0, 24, false, "a record claims 2147483647 captured bytes", NULL},
    {"pcap-garbage-behind", 3, 87, false, "a record claims 4294967295 captured bytes", NULL},
    {"pcap-header-cut", 0, NONE, false, NULL,
     "ends inside its pcap file header (20 of 24 bytes are there)"},
    {"pcap-version-9", 0, NONE, false, NULL, "version 9.0"},
    {"pcapng-little-endian", 4, NONE, false, NULL, NULL},
    {"pcapng-sections-of-both-orders", 12, NONE, false, NULL, NULL},
    {"pcapng-no-interface", 0, 28, false,
     "a packet is of interface 0, but the section describes only 0", NULL},
    {"pcapng-interface-out-of-range", 0, 48, false,
     "a packet is of interface 9, but the section describes only 1", NULL},
    {"pcapng-simple-no-interface", 0, 28, false, "a packet is of interface 0", NULL},
    {"pcapng-simple-larger-than-block", 0, 48, false,
     "a simple packet of 4000 captured bytes is in a block of 20", NULL},
    {"pcapng-block-cut", 0, 124, false,
     "the file ends inside a block: 44 bytes were to come, 26 are there", NULL},
    {"pcapng-block-length-zero", 0, 28, false, "0x00000006 has the impossible length 0", NULL},
    {"pcapng-block-length-odd", 0, 28, false, "0x00000006 has the impossible length 13", NULL},
    {"pcapng-block-absurd", 0, 28, false, "has the impossible length 2147483644", NULL},
    {"pcapng-block-lengths-differ", 0, 28, false,
     "0x00000006 has the length 16 at its start and 20 at its end", NULL},
    {"pcapng-captured-beyond-block", 0, 48, false,
     "a packet claims 900 captured bytes in a block of 36", NULL},
    {"pcapng-captured-one-beyond-block", 1, 84, false,
     "a packet claims 5 captured bytes in a block of 36", NULL},
    {"pcapng-section-without-interface", 1, 112, false,
     "a packet is of interface 0, but the section describes only 0", NULL},
    {"pcapng-packet-block-short", 0, 48, false,
     "a packet block of 20 bytes is too short for its fields", NULL},
    {"pcapng-packet-option-beyond-block", 1, NONE, false, NULL, NULL},
    {"pcapng-option-beyond-block", 0, 28, false,
     "the description of interface 0 has an option that is longer than its block", NULL},
    {"pcapng-section-order-unknown", 0, 28, false, "byte-order magic 0x44332211", NULL},
    {"pcapng-section-short", 0, NONE, false, NULL, "a section header of 16 bytes is too short"},
    {"pcapng-section-version-2", 0, NONE, false, NULL, "a section header has version 2.0"},
    {"gz-pcap", 3, NONE, false, NULL, NULL},
    {"gz-members", 4, NONE, false, NULL, NULL},
    {"gz-zeros-behind", 3, NONE, false, NULL, NULL},
    {"gz-cut", 2, 60, false, "its compressed data end too early", NULL},
    {"gz-garbage-behind", 3, 74, false, "its gz data are damaged: incorrect header check", NULL},
    {"gz-of-nothing", 0, NONE, false, NULL, "is empty once it is decompressed (gz)"},
    {"gz-of-text", 0, NONE, false, NULL, "is a text file"},
    {"gz-of-cut-pcap", 2, 70, true, "inside the header of a record: 16 bytes were to come, 10",
     NULL},
    {"zst-pcapng", 4, NONE, false, NULL, NULL},
    {"zst-frames", 4, NONE, false, NULL, NULL},
    {"zst-skippable-first", 3, NONE, false, NULL, NULL},
    {"zst-cut", 0, NONE, false, NULL, "its compressed data end too early"},
    {"zst-garbage-behind", 3, 83, false, "its zst data are damaged", NULL},
    {"lz4-pcap", 3, NONE, false, NULL, NULL},
    {"lz4-frames", 4, NONE, false, NULL, NULL},
    {"lz4-cut", 3, 82, false, "its compressed data end too early", NULL},
    {"lz4-garbage-behind", 3, 88, false, "its lz4 data are damaged", NULL},
    {"empty", 0, NONE, false, NULL, "is empty (0 bytes)"},
    {"one-byte", 0, NONE, false, NULL, "is no capture of a known format"},
    {"text", 0, NONE, false, NULL, "is a text file, not a capture"},
    {"xz", 0, NONE, false, NULL, "is compressed with xz"},
};

static void check_damage(const struct reading *rd, const struct row *row, const char *path)
{
    const struct source_damage *damage;

    assert_int_equal(source_damage_count(rd->source), row->offset == NONE ? 0 : 1);
    if (row->offset == NONE)
        return;
    damage = source_damage(rd->source, 0);
    assert_int_equal(damage->offset, row->offset);
    assert_true(damage->decompressed == row->decompressed);
    assert_int_equal(damage->frame, row->packets + 1);
    assert_int_equal(damage->file, 0);
    assert_non_null(strstr(damage->text, row->text));
    if (g_str_has_prefix(row->text, "the description of interface 0"))
        assert_int_equal(source_interface_count(rd->source), 0);
    assert_true(g_str_has_prefix(damage->text, path));
}

static void test_row(void **state)
{
    const struct row *row = *state;
    char *path = g_strdup_printf("tests/fuzz/corpus/reader/%s", row->name);
    const char *paths[] = {path};
    struct reading rd;

    /* small and large batches */
    for (size_t batch = 1; batch <= READING_MAX; batch += READING_MAX - 1) {
        reading_from(&rd, paths, 1, NULL, batch);
        if (row->error) {
            assert_non_null(rd.error);
            assert_true(rd.error->domain == SOURCE_ERROR);
            assert_int_equal(rd.error->code, SOURCE_ERROR_FILE);
            assert_non_null(strstr(rd.error->message, row->error));
            assert_true(g_str_has_prefix(rd.error->message, path));
        } else {
            assert_null(rd.error);
            assert_int_equal(rd.count, row->packets);
            check_damage(&rd, row, path);
        }
        reading_done(&rd);
    }
    g_free(path);
}

static const struct refusal {
    const char *name;
    const char *path;
    const char *error;
} refusals[] = {
    {"a directory", "tests", "tests: is a directory; name the capture files in it"},
    {"no such file", "tests/none.pcap", "tests/none.pcap: there is no such file; check the path"},
    {"a file in a file", "CMakeLists.txt/x", "CMakeLists.txt/x: can't be opened: Not a directory"},
    {"a device without bytes", "/dev/null", "/dev/null: is empty (0 bytes)"},
    {"a program", "/proc/self/exe", "is a program, not a capture"},
    {"zeros without end", "/dev/zero",
     "is no capture of a known format (it begins with the bytes "
     "00 00 00 00 00 00 00 00)"},
};

static void test_refusal(void **state)
{
    const struct refusal *refusal = *state;
    struct reading rd;

    reading_from(&rd, &refusal->path, 1, NULL, READING_MAX);
    assert_non_null(rd.error);
    assert_non_null(strstr(rd.error->message, refusal->error));
    reading_done(&rd);
}

/* Root may read everything: then there is nothing to see */
static void test_unreadable(void **state)
{
    char *path = image_file("x", 1);
    const char *paths[] = {path};
    struct reading rd;

    (void)state;
    if (geteuid() == 0) {
        image_remove(path);
        skip();
    }
    assert_int_equal(chmod(path, 0), 0);
    reading_from(&rd, paths, 1, NULL, READING_MAX);
    assert_non_null(strstr(rd.error->message, "no permission to read this file"));
    reading_done(&rd);
    image_remove(path);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + SUPPORT_COUNT(refusals) + 1] = {
        cmocka_unit_test(test_unreadable)};
    size_t count = 1;

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[count++] = (struct CMUnitTest){.name = rows[i].name,
                                             .test_func = test_row,
                                             .initial_state = (void *)(uintptr_t)&rows[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(refusals); i++)
        tests[count++] = (struct CMUnitTest){.name = refusals[i].name,
                                             .test_func = test_refusal,
                                             .initial_state = (void *)(uintptr_t)&refusals[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
