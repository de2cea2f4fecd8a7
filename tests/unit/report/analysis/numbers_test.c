/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers for keys: in the order in which they first come, the same again; refused memory leaves
 * what is there.
 */
#include "report/analysis/refusing.h"

#include "analysis/numbers.h"

enum {
    KEYS = 3000,
    KEY_SIZE = 33,
};

static void key_of(uint8_t key[KEY_SIZE], uint32_t i)
{
    memset(key, 0, KEY_SIZE);
    memcpy(key + KEY_SIZE - sizeof(i), &i, sizeof(i));
}

static void in_order(void **state)
{
    struct numbers numbers = {.key_size = KEY_SIZE};
    uint8_t key[KEY_SIZE];

    (void)state;
    granted = WITHOUT_END;
    key_of(key, 0);
    assert_int_equal(numbers_find(&numbers, key), NO_NUMBER);
    for (unsigned twice = 0; twice < 2; twice++)
        for (uint32_t i = 0; i < KEYS; i++) {
            key_of(key, i * 7);
            assert_int_equal(numbers_of(&numbers, key), i);
            assert_int_equal(numbers_find(&numbers, key), i);
        }
    assert_int_equal(numbers.count, KEYS);
    key_of(key, 1);
    assert_int_equal(numbers_find(&numbers, key), NO_NUMBER);
    numbers_done(&numbers);
}

static void refused(void **state)
{
    struct numbers numbers = {.key_size = KEY_SIZE};
    uint8_t key[KEY_SIZE];
    uint32_t kept = 0;

    (void)state;
    granted = 3;
    for (uint32_t i = 0; i < KEYS; i++) {
        key_of(key, i);
        if (numbers_of(&numbers, key) != NO_NUMBER)
            kept++;
    }
    assert_in_range(kept, 1, KEYS - 1);
    assert_int_equal(numbers.count, kept);
    for (uint32_t i = 0; i < KEYS; i++) {
        key_of(key, i);
        assert_int_equal(numbers_find(&numbers, key), i < kept ? i : NO_NUMBER);
    }
    granted = WITHOUT_END;
    key_of(key, KEYS);
    assert_int_equal(numbers_of(&numbers, key), kept);
    numbers_done(&numbers);
}

static void surely(void **state)
{
    struct numbers numbers = {.key_size = KEY_SIZE};
    uint8_t key[KEY_SIZE];

    (void)state;
    granted = 0;
    for (unsigned twice = 0; twice < 2; twice++)
        for (uint32_t i = 0; i < KEYS; i++) {
            key_of(key, i);
            assert_int_equal(numbers_surely(&numbers, key), i);
        }
    assert_int_equal(numbers.count, KEYS);
    numbers_done(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(refused),
                                       cmocka_unit_test(surely)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
