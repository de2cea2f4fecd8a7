/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several files as one timeline, standard input, compression over many blocks, limit and filter.
 */
#include <fcntl.h>
#include <lz4frame.h>
#include <pthread.h>
#include <zlib.h>

#include "image.h"

/* A pcap with `packets` packets, one a second from `first` on */
static char *pcap_file(uint32_t first, uint32_t packets, size_t cut)
{
    struct image im = {0};
    char *path;

    image_pcap(&im, PCAP_US, 96, 1);
    for (uint32_t i = 0; i < packets; i++)
        image_pcap_record(&im, first + i, 0, "abc", 3);
    path = image_file(im.bytes->data, im.bytes->len - cut);
    image_done(&im);
    return path;
}

static void test_order(void **state)
{
    char *paths[] = {pcap_file(200, 2, 0), pcap_file(0, 0, 0), pcap_file(100, 2, 3),
                     pcap_file(200, 1, 0)};
    static const uint32_t files[] = {2, 0, 0, 3};
    static const uint64_t frames[] = {1, 1, 2, 1};
    struct reading rd;

    (void)state;
    reading_from(&rd, (const char *const *)paths, 4, NULL, READING_MAX);
    assert_int_equal(rd.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rd.records[i].file, files[i]);
        assert_int_equal(rd.records[i].frame, frames[i]);
        assert_int_equal(source_interface(rd.source, rd.records[i].in.interface)->file, files[i]);
    }
    assert_int_equal(source_file_count(rd.source), 4);
    assert_int_equal(source_interface_count(rd.source), 4);
    assert_string_equal(source_file(rd.source, 3)->path, paths[3]);
    assert_int_equal(source_file(rd.source, 0)->packets, 2);
    /* damage of one file does not end the others */
    assert_int_equal(source_damage_count(rd.source), 1);
    assert_int_equal(source_damage(rd.source, 0)->file, 2);
    assert_int_equal(source_damage(rd.source, 0)->frame, 2);
    reading_done(&rd);
    for (size_t i = 0; i < 4; i++)
        image_remove(paths[i]);
}

/* What can't be read is told, and does not keep the others from being read */
static void test_some_bad(void **state)
{
    char *good = pcap_file(1, 1, 0);
    char *empty = pcap_file(0, 0, 0);
    const char *all[] = {"tests", "nowhere.pcap", empty, good};
    struct reading rd;

    (void)state;
    for (size_t count = 3; count <= 4; count++) {
        reading_from(&rd, all, count, NULL, READING_MAX);
        assert_null(rd.error);
        assert_int_equal(rd.count, count - 3);
        assert_int_equal(source_damage_count(rd.source), 2);
        assert_non_null(strstr(source_damage(rd.source, 0)->text, "tests: is a directory"));
        assert_int_equal(source_damage(rd.source, 1)->file, 1);
        assert_non_null(strstr(source_damage(rd.source, 1)->text, "there is no such file"));
        reading_done(&rd);
    }
    reading_from(&rd, all, 2, NULL, READING_MAX);
    assert_non_null(strstr(rd.error->message, "tests: is a directory"));
    reading_done(&rd);
    image_remove(good);
    image_remove(empty);
}

static void test_vanishing(void **state)
{
    char *paths[] = {pcap_file(1, 1, 0), pcap_file(2, 1, 0), pcap_file(3, 1, 0)};
    struct source *src = source_open((const char *const *)paths, 3, NULL, NULL);
    struct source_record rec;

    (void)state;
    assert_non_null(src);
    unlink(paths[1]);
    assert_int_equal(source_next(src, &rec, 1), 1);
    assert_int_equal(source_next(src, &rec, 1), 1);
    assert_int_equal(rec.file, 2);
    assert_int_equal(source_next(src, &rec, 1), 0);
    assert_int_equal(source_damage_count(src), 1);
    assert_non_null(strstr(source_damage(src, 0)->text, "there is no such file"));
    source_close(src);
    for (size_t i = 0; i < 3; i++)
        image_remove(paths[i]);
}

static void test_progress(void **state)
{
    char *paths[] = {pcap_file(1, 1, 0), pcap_file(2, 2, 0)};
    struct source *src = source_open((const char *const *)paths, 2, NULL, NULL);
    struct source_record rec[4];
    uint64_t done, total;

    (void)state;
    assert_non_null(src);
    source_progress(src, &done, &total);
    assert_int_equal(total, 24 + 19 + 24 + 38);
    assert_int_equal(done, 24 + 19);
    while (source_next(src, rec, 4) > 0)
        ;
    source_progress(src, &done, &total);
    assert_int_equal(done, total);
    source_close(src);
    for (size_t i = 0; i < 2; i++)
        image_remove(paths[i]);
}

/* Standard input is a pipe here; `bytes` are written into it slowly, in two halves */
struct feed {
    int fd;
    const uint8_t *bytes;
    size_t size;
    bool stay_open;
};

static void *feed_main(void *arg)
{
    const struct feed *feed = arg;
    size_t half = feed->size / 2;

    assert_int_equal(write(feed->fd, feed->bytes, half), (ssize_t)half);
    g_usleep(20000);
    assert_int_equal(write(feed->fd, feed->bytes + half, feed->size - half),
                     (ssize_t)(feed->size - half));
    if (!feed->stay_open)
        close(feed->fd);
    return NULL;
}

static int replace_stdin(int ends[2])
{
    int before = dup(STDIN_FILENO);

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return before;
}

static void restore_stdin(int before)
{
    dup2(before, STDIN_FILENO);
    close(before);
}

static uint8_t *gz_of(const struct image *im, size_t *size)
{
    uint8_t *gz = g_malloc(im->bytes->len + 1000);
    z_stream z = {0};

    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = im->bytes->data;
    z.avail_in = im->bytes->len;
    z.next_out = gz;
    z.avail_out = im->bytes->len + 1000;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    *size = z.total_out;
    deflateEnd(&z);
    return gz;
}

static const struct pipe_row {
    const char *name;
    bool compressed;
    bool second_file; /* beside an ordinary file, which comes first */
} pipe_rows[] = {
    {"pipe", false, false},
    {"compressed pipe", true, false},
    {"pipe and file", false, true},
    {"compressed pipe and file", true, true},
};

static void test_pipe(void **state)
{
    const struct pipe_row *row = *state;
    char *file = pcap_file(1, 2, 0);
    const char *paths[] = {"-", file};
    struct image im = {.big = true};
    struct reading rd;
    pthread_t thread;
    struct feed feed;
    size_t first = row->second_file ? 2 : 0;
    uint8_t *gz;
    int ends[2];
    int before = replace_stdin(ends);

    image_pcap(&im, PCAP_US, 96, 1);
    image_pcap_record(&im, 100, 0, "piped", 5);
    image_pcap_record(&im, 101, 0, "piped again", 11);
    feed = (struct feed){.fd = ends[1], .bytes = im.bytes->data, .size = im.bytes->len};
    gz = gz_of(&im, row->compressed ? &feed.size : &(size_t){0});
    if (row->compressed)
        feed.bytes = gz;
    pthread_create(&thread, NULL, feed_main, &feed);
    reading_from(&rd, paths, row->second_file ? 2 : 1, NULL, READING_MAX);
    pthread_join(thread, NULL);
    restore_stdin(before);
    assert_int_equal(rd.count, first + 2);
    assert_record(&rd, first, "piped", 5, 100000000000);
    assert_record(&rd, first + 1, "piped again", 11, 101000000000);
    for (size_t i = 0; i < rd.count; i++) {
        assert_int_equal(rd.records[i].file, i < first);
        assert_int_equal(source_interface(rd.source, rd.records[i].in.interface)->file, i < first);
    }
    assert_string_equal(source_file(rd.source, 0)->name, "standard input");
    assert_int_equal(source_damage_count(rd.source), 0);
    reading_done(&rd);
    g_free(gz);
    image_done(&im);
    image_remove(file);
}

/* Closing a source whose pipe is silent does not wait for the pipe. */
static void test_close_early(void **state)
{
    const char *paths[] = {"-"};
    struct image im = {0};
    struct source_record rec;
    struct source *src;
    struct feed feed;
    int ends[2];
    int before = replace_stdin(ends);
    uint8_t *gz;

    (void)state;
    image_pcap(&im, PCAP_US, 96, 1);
    image_pcap_record(&im, 100, 0, "piped", 5);
    gz = gz_of(&im, &feed.size);
    feed = (struct feed){.fd = ends[1], .bytes = gz, .size = feed.size, .stay_open = true};
    feed_main(&feed);
    src = source_open(paths, 1, NULL, NULL);
    assert_non_null(src);
    assert_int_equal(source_next(src, &rec, 1), 1);
    source_close(src);
    close(ends[1]);
    restore_stdin(before);
    g_free(gz);
    image_done(&im);
}

static void test_stdin_twice(void **state)
{
    char *good = pcap_file(1, 1, 0);
    const char *paths[] = {"-", good, "-"};
    struct reading rd;

    (void)state;
    reading_from(&rd, paths, 3, NULL, READING_MAX);
    assert_non_null(strstr(rd.error->message, "standard input: is named twice"));
    reading_done(&rd);
    image_remove(good);
}

/* Larger than the ring of decompressed blocks; stopping in the middle works too */
static void test_large_gz(void **state)
{
    struct source_record out[SOURCE_BATCH];
    struct image im = {0};
    char payload[1201];
    size_t size, n;
    uint64_t count = 0;
    uint8_t *gz;
    char *path;
    struct source *src;

    (void)state;
    image_pcap(&im, PCAP_US, 65535, 1);
    for (uint32_t i = 0; i < 8000; i++) {
        memset(payload, (int)('a' + i % 26), 1200);
        payload[i % 1200] = '\0';
        image_pcap_record(&im, i, 0, payload, 1200);
    }
    gz = gz_of(&im, &size);
    path = image_file(gz, size);
    for (uint64_t stop = 100; stop <= 100000; stop *= 1000) {
        src = source_open((const char *const *)&path, 1, NULL, NULL);
        assert_non_null(src);
        for (count = 0; count < stop && (n = source_next(src, out, SOURCE_BATCH)) > 0; count += n)
            for (size_t i = 0; i < n; i++) {
                uint32_t expected = (uint32_t)(count + i) % 1200;

                assert_int_equal(out[i].in.captured, expected);
                assert_true(expected == 0 ||
                            out[i].in.bytes[expected - 1] == 'a' + (count + i) % 26);
            }
        source_close(src);
    }
    assert_int_equal(count, 8000);
    image_remove(path);
    g_free(gz);
    image_done(&im);
}

/* The file ends behind a compressed block whose output does not fit into the decompressed block any
 * more: the rest must come out although there is no input left. */
static void test_lz4_tail(void **state)
{
    const size_t first_frame = 10 << 10; /* puts a block across the boundary */
    const size_t block = 1 << 20;        /* of expand.c */
    const size_t end_mark = 4;
    struct source_record out[SOURCE_BATCH];
    struct image im = {0};
    uint64_t count = 0, expected = 0;
    size_t room, size, n;
    struct source *src;
    uint8_t *lz4;
    char *path;

    (void)state;
    image_pcap(&im, PCAP_US, 65535, 1);
    for (; im.bytes->len < block + 4096; expected++)
        image_pcap_record(&im, (uint32_t)expected, 0, "0123456789abcdef0123456789abcdef", 48);
    room = LZ4F_compressFrameBound(im.bytes->len, NULL) * 2;
    lz4 = g_malloc(room);
    size = LZ4F_compressFrame(lz4, room, im.bytes->data, first_frame, NULL);
    size += LZ4F_compressFrame(lz4 + size, room - size, im.bytes->data + first_frame,
                               im.bytes->len - first_frame, NULL);
    path = image_file(lz4, size - end_mark);
    src = source_open((const char *const *)&path, 1, NULL, NULL);
    assert_non_null(src);
    while ((n = source_next(src, out, SOURCE_BATCH)) > 0)
        count += n;
    assert_int_equal(count, expected);
    assert_int_equal(source_damage_count(src), 1);
    assert_int_equal(source_damage(src, 0)->offset, size - end_mark);
    source_close(src);
    image_remove(path);
    g_free(lz4);
    image_done(&im);
}

static void test_limit(void **state)
{
    char *paths[] = {pcap_file(1, 3, 0), pcap_file(10, 3, 0)};
    struct reading rd;

    (void)state;
    for (size_t limit = 1; limit <= 8; limit++) {
        const struct source_options options = {.limit = limit};

        for (size_t batch = 1; batch <= 4; batch++) {
            reading_from(&rd, (const char *const *)paths, 2, &options, batch);
            assert_int_equal(rd.count, MIN(limit, 6));
            assert_int_equal(source_next(rd.source, rd.records, 1), 0);
            rd.count = MIN(limit, 6);
            reading_done(&rd);
        }
    }
    for (size_t i = 0; i < 2; i++)
        image_remove(paths[i]);
}

int main(void)
{
    struct CMUnitTest tests[16] = {
        cmocka_unit_test(test_order),       cmocka_unit_test(test_some_bad),
        cmocka_unit_test(test_vanishing),   cmocka_unit_test(test_progress),
        cmocka_unit_test(test_close_early), cmocka_unit_test(test_stdin_twice),
        cmocka_unit_test(test_large_gz),    cmocka_unit_test(test_limit),
        cmocka_unit_test(test_lz4_tail),
    };
    size_t count = 9;

    for (size_t i = 0; i < SUPPORT_COUNT(pipe_rows); i++)
        tests[count++] = (struct CMUnitTest){.name = pipe_rows[i].name,
                                             .test_func = test_pipe,
                                             .initial_state = (void *)(uintptr_t)&pipe_rows[i]};
    return _cmocka_run_group_tests("timeline", tests, count, NULL, NULL);
}
