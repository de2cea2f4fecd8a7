/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Bytes that were made to collide in the hash of GLib do not in ours.
 */
#include "analysis/keyed_hash.h"

#include "support.h"

enum {
    KEYS = 20000,
    SIZE = 16,
};

static uint64_t compared;

static gboolean equal(gconstpointer a, gconstpointer b)
{
    compared++;
    return g_bytes_equal(a, b);
}

/* The same sum where each byte counts 33 times the next, which is what g_bytes_hash() makes */
static GBytes *bytes_of(uint32_t i)
{
    uint8_t bytes[SIZE];

    for (unsigned at = 0; at < SIZE; at += 2, i /= 7) {
        bytes[at] = (uint8_t)(7 - i % 7);
        bytes[at + 1] = (uint8_t)(i % 7 * 33);
    }
    return g_bytes_new(bytes, sizeof(bytes));
}

static void test_collisions(void **state)
{
    GHashTable *table =
        g_hash_table_new_full(keyed_bytes_hash, equal, (GDestroyNotify)g_bytes_unref, NULL);
    GBytes *first = bytes_of(0), *last = bytes_of(KEYS - 1);

    (void)state;
    assert_int_equal(g_bytes_hash(first), g_bytes_hash(last));
    for (uint32_t i = 0; i < KEYS; i++)
        g_hash_table_add(table, bytes_of(i));
    assert_int_equal(g_hash_table_size(table), KEYS);
    assert_true(g_hash_table_contains(table, first));
    assert_true(g_hash_table_contains(table, last));
    assert_true(compared < KEYS / 10); /* GLib compares only what has the same hash */
    g_hash_table_destroy(table);
    g_bytes_unref(first);
    g_bytes_unref(last);
}

/* Every byte counts, and so does the size. */
static void test_every_byte(void **state)
{
    uint8_t bytes[40] = {0};
    GBytes *nothing = g_bytes_new(bytes, 0);

    (void)state;
    for (gsize size = 1; size <= sizeof(bytes); size++) {
        GBytes *plain = g_bytes_new(bytes, size);

        assert_int_not_equal(keyed_bytes_hash(plain), keyed_bytes_hash(nothing));
        for (gsize at = 0; at < size; at++) {
            GBytes *other;

            bytes[at] = 1;
            other = g_bytes_new(bytes, size);
            assert_int_not_equal(keyed_bytes_hash(plain), keyed_bytes_hash(other));
            g_bytes_unref(other);
            bytes[at] = 0;
        }
        g_bytes_unref(plain);
    }
    g_bytes_unref(nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_every_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
