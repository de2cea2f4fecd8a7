/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The own reader against libpcap and, where the build has it, libwiretap: the same records, times,
 * lengths and bytes in every capture at hand (captures/, the folder that RDMAPCAP_TRUTH_DIR names,
 * and the reader's fuzz corpus).
 */
#include <ftw.h>
#include <pcap/pcap.h>
#include <zlib.h>

#include "capture/reader.h"
#include "image.h"

enum {
    MAX_FILES = 2000,
};

static char *files[MAX_FILES];
static size_t file_count;

static int collect(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    static const char *const endings[] = {".pcap",     ".pcapng",     ".cap",    ".erf",
                                          ".pcap.gz",  ".pcapng.gz",  ".cap.gz", ".pcap.zst",
                                          ".pcap.lz4", ".pcapng.zst", ".snoop"};

    (void)st;
    (void)ftw;
    if (kind != FTW_F || file_count == MAX_FILES)
        return 0;
    for (size_t i = 0; i < SUPPORT_COUNT(endings); i++)
        if (g_str_has_suffix(path, endings[i])) {
            files[file_count++] = g_strdup(path);
            return 0;
        }
    return 0;
}

static int collect_corpus(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)ftw;
    /* zlib and this reader differ in what they make of damaged gz data */
    if (kind == FTW_F && file_count < MAX_FILES && strstr(path, "/pcap"))
        files[file_count++] = g_strdup(path);
    return 0;
}

static void forget_files(void)
{
    while (file_count > 0)
        g_free(files[--file_count]);
}

static void collect_captures(void)
{
    const char *more = g_getenv("RDMAPCAP_TRUTH_DIR");

    forget_files();
    nftw("captures", collect, 8, FTW_PHYS);
    if (more && *more)
        nftw(more, collect, 8, FTW_PHYS);
    assert_true(file_count > 0);
}

/* The next record of the own reader; NULL at the end */
static const struct source_record *next_own(struct source *src, struct source_record *rec)
{
    return source_next(src, rec, 1) == 1 ? rec : NULL;
}

static void must_equal(const char *path, const struct source_record *own, const uint8_t *bytes,
                       uint32_t captured, uint32_t wire, int64_t time_ns)
{
    if (own && own->in.captured == captured && own->in.wire == wire &&
        (own->untimed || own->in.time_ns == time_ns) && memcmp(own->in.bytes, bytes, captured) == 0)
        return;
    if (own)
        fail_msg("%s: frame %lu: %u of %u bytes at %ld, the other reader has %u of %u at %ld", path,
                 (unsigned long)own->frame, own->in.captured, own->in.wire, (long)own->in.time_ns,
                 captured, wire, (long)time_ns);
    fail_msg("%s: the other reader has one packet more", path);
}

/* All of a file, decompressed where it is gz (zlib reads others as they are) */
static GByteArray *decompressed(const char *path)
{
    GByteArray *all = g_byte_array_new();
    gzFile gz = gzopen(path, "rb");
    uint8_t some[65536];
    int n;

    assert_non_null(gz);
    while ((n = gzread(gz, some, sizeof some)) > 0)
        g_byte_array_append(all, some, (guint)n);
    gzclose(gz);
    return all;
}

/* libpcap stops at an interface that differs from the first one: not damage */
static bool is_limit_of_libpcap(const char *why)
{
    return strstr(why, "different from the") != NULL;
}

/* Nanoseconds; what does not fit becomes the nearest that does, as in the own reader. Where libpcap
 * has 32 bits for each part it wraps around: the own reader's is taken. */
static int64_t time_of(const struct timeval *ts, const struct source_record *own)
{
    const int64_t last_s = INT64_MAX / 1000000000;

    if (sizeof(ts->tv_sec) == sizeof(int32_t) && own)
        return own->in.time_ns;
    if (ts->tv_sec > last_s)
        return INT64_MAX;
    return ts->tv_sec < -last_s ? INT64_MIN : (int64_t)ts->tv_sec * 1000000000 + ts->tv_usec;
}

/* False: libpcap does not read it */
static bool compare_with_libpcap(const char *path, bool sound)
{
    GByteArray *all = decompressed(path);
    FILE *stream = all->len > 0 ? fmemopen(all->data, all->len, "rb") : NULL;
    char why[PCAP_ERRBUF_SIZE];
    pcap_t *pcap =
        stream ? pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, why)
               : NULL;
    struct source *src = pcap ? source_open(&path, 1, NULL, NULL) : NULL;
    struct pcap_pkthdr *h;
    const uint8_t *bytes;
    struct source_record rec;
    int rc;

    if (pcap && !src)
        fail_msg("%s: is read by libpcap only", path);
    while (pcap && (rc = pcap_next_ex(pcap, &h, &bytes)) == 1) {
        const struct source_record *own = next_own(src, &rec);

        must_equal(path, own, bytes, h->caplen, h->len, time_of(&h->ts, own));
    }
    if (pcap && rc == PCAP_ERROR_BREAK) {
        if (next_own(src, &rec) || source_damage_count(src) > 0)
            fail_msg("%s: libpcap ends well, at frame %lu", path, (unsigned long)rec.frame);
    } else if (pcap && sound && !is_limit_of_libpcap(pcap_geterr(pcap))) {
        fail_msg("%s: libpcap finds damage: %s", path, pcap_geterr(pcap));
    }
    source_close(src);
    if (pcap)
        pcap_close(pcap);
    else if (stream)
        fclose(stream);
    g_byte_array_free(all, TRUE);
    return pcap != NULL;
}

static void test_libpcap(void **state)
{
    size_t compared = 0;

    (void)state;
    collect_captures();
    for (size_t i = 0; i < file_count; i++)
        compared += compare_with_libpcap(files[i], true);
    print_message("%zu of %zu files compared with libpcap\n", compared, file_count);
    assert_true(compared > 0);
    forget_files();
}

/* Damaged files too: up to the damage both readers agree. */
static void test_libpcap_corpus(void **state)
{
    size_t compared = 0;

    (void)state;
    forget_files();
    nftw("tests/fuzz/corpus/reader", collect_corpus, 8, FTW_PHYS);
    for (size_t i = 0; i < file_count; i++)
        compared += compare_with_libpcap(files[i], false);
    print_message("%zu of %zu files compared with libpcap\n", compared, file_count);
    assert_true(compared > 10);
    forget_files();
}

/* False: libwiretap does not read it, or the build has none */
static bool compare_with_libwiretap(const char *path)
{
    struct source_file file = {.path = path, .name = path};
    struct reader *other = wiretap_open(&file, 0, NULL);
    struct source *src = other ? source_open(&path, 1, NULL, NULL) : NULL;
    struct source_record theirs, ours;

    if (!other)
        return false;
    if (!src)
        fail_msg("%s: is read by libwiretap only", path);
    while (reader_next(other, &theirs, 1) == 1) {
        const struct source_record *own = next_own(src, &ours);
        /* of ERF in pcap, libwiretap has taken the ERF header away, and the time from it */
        if (!own || own->in.linktype != RDC_LINKTYPE_ERF)
            must_equal(path, own, theirs.in.bytes, theirs.in.captured, theirs.in.wire,
                       theirs.in.time_ns);
    }
    if (next_own(src, &ours))
        fail_msg("%s: libwiretap ends before frame %lu", path, (unsigned long)ours.frame);
    if ((other->damage.text != NULL) != (source_damage_count(src) > 0))
        fail_msg("%s: only one of both finds damage: %s", path,
                 other->damage.text ? other->damage.text : source_damage(src, 0)->text);
    source_close(src);
    reader_close(other);
    return true;
}

static void test_libwiretap(void **state)
{
    size_t compared = 0;

    (void)state;
    collect_captures();
    for (size_t i = 0; i < file_count; i++)
        compared += compare_with_libwiretap(files[i]);
    print_message("%zu of %zu files compared with libwiretap\n", compared, file_count);
    forget_files();
    if (compared == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_libpcap),
        cmocka_unit_test(test_libpcap_corpus),
        cmocka_unit_test(test_libwiretap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
