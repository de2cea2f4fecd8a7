/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the unit tests of all rooms share: cmocka with what it needs, exact-size heap copies that
 * let the address sanitizer see a read one byte too far, replay at every shorter captured size, and
 * bytes from a line of hex.
 */
#ifndef UNIT_SUPPORT_H
#define UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUPPORT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns a copy of `size` bytes that ends where its heap block ends, also for size 0. Release it
 * with support_free(copy, size). */
static inline uint8_t *support_copy(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    assert_non_null(copy);
    if (size == 0)
        return copy + 1;
    memcpy(copy, bytes, size); /* -fanalyzer: NULL goes with 0 only */
    return copy;
}

static inline void support_free(uint8_t *copy, size_t size)
{
    free(size > 0 ? copy : copy - 1);
}

/* Gets `captured` bytes in a block of exactly that size, of a packet that had `wire` bytes */
typedef void support_cut_fn(const uint8_t *bytes, size_t captured, size_t wire, void *arg);

/* Calls `check` once for each captured size: the full one first, then every shorter one to 0. */
static inline void support_each_cut(const void *bytes, size_t size, support_cut_fn *check,
                                    void *arg)
{
    for (size_t cut = 0; cut <= size; cut++) {
        uint8_t *copy = support_copy(bytes, size - cut);

        check(copy, size - cut, size, arg);
        support_free(copy, size - cut);
    }
}

static inline int support_nibble(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;

    return found != NULL ? (int)(found - digits) : -1;
}

/* Bytes of lower-case hex digits, written to `out` (room for `room`); anything else between them
 * (spaces, colons, '|') only separates. Returns their number. */
static inline size_t support_hex(const char *hex, uint8_t *out, size_t room)
{
    size_t size = 0;

    while (*hex != '\0') {
        int high = support_nibble(hex[0]);
        int low = high >= 0 ? support_nibble(hex[1]) : 0;

        if (high < 0) {
            hex++;
            continue;
        }
        assert_true(low >= 0);
        assert_true(size < room);
        out[size++] = (uint8_t)(high << 4 | low);
        hex += 2;
    }
    return size;
}

#endif
