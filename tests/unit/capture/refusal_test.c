/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that is refused to a reader: what came before is delivered, and the damage says why the
 * rest is not read.
 */
#include "image.h"

enum {
    LONG = 2 << 20,  /* more than a window holds */
    INTERFACES = 40, /* memory is asked for at the powers of two */
    PLENTY = 1000,
};

static unsigned granted; /* requests that are still granted */

static bool grant(void)
{
    if (granted == 0)
        return false;
    granted--;
    return true;
}

/* In place of GLib's: the program's own come first */
gpointer g_try_realloc(gpointer old, gsize size)
{
    return grant() ? realloc(old, size) : NULL;
}

gpointer g_try_malloc_n(gsize count, gsize size)
{
    return grant() ? calloc(count, size) : NULL;
}

static const struct row {
    const char *name;
    bool ng;
} rows[] = {{"long-record-pcap", false}, {"long-record-pcapng", true}};

static void put_record(struct image *im, bool ng, const char *bytes)
{
    if (ng)
        image_plain_packet(im, 0, 1, bytes);
    else
        image_pcap_record(im, 1, 0, bytes, (uint32_t)strlen(bytes));
}

static void long_record(void **state)
{
    const struct row *row = *state;
    char *bytes = g_strnfill(LONG, 'x');
    struct image im = {0};
    struct reading rd;

    if (row->ng) {
        image_section(&im, false);
        image_plain_interface(&im, 1, 0);
    } else {
        image_pcap(&im, PCAP_US, 4 << 20, 1);
    }
    put_record(&im, row->ng, "abc");
    put_record(&im, row->ng, bytes);
    granted = 1; /* for the interface */
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_int_equal(source_damage_count(rd.source), 1);
    assert_non_null(strstr(source_damage(rd.source, 0)->text, ": there is no memory for a "));
    reading_done(&rd);
    granted = PLENTY;
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 2);
    assert_int_equal(source_damage_count(rd.source), 0);
    reading_done(&rd);
    g_free(bytes);
    image_done(&im);
}

static void many_interfaces(void **state)
{
    struct image im = {0};
    struct reading rd;

    (void)state;
    image_section(&im, false);
    for (unsigned i = 0; i < INTERFACES; i++) {
        image_plain_interface(&im, 1, 0);
        if (i == 0)
            image_plain_packet(&im, 0, 1, "abc");
    }
    granted = 5; /* at none, 1, 2, 4, 8 */
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_int_equal(rd.count, 1);
    assert_int_equal(source_interface_count(rd.source), 16);
    assert_int_equal(source_damage_count(rd.source), 1);
    assert_non_null(strstr(source_damage(rd.source, 0)->text,
                           ": there is no memory for more than 16 interface descriptions"));
    reading_done(&rd);
    image_done(&im);
}

static void no_memory(void **state)
{
    struct image im = {0};
    struct reading rd;

    (void)state;
    image_pcap(&im, PCAP_US, 96, 1);
    granted = 0;
    reading_of(&rd, im.bytes->data, im.bytes->len);
    assert_null(rd.source);
    assert_non_null(strstr(rd.error->message, ": there is no memory to read it"));
    reading_done(&rd);
    image_done(&im);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {rows[0].name, long_record, NULL, NULL, (void *)(uintptr_t)&rows[0]},
        {rows[1].name, long_record, NULL, NULL, (void *)(uintptr_t)&rows[1]},
        cmocka_unit_test(many_interfaces),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
