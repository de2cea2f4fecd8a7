/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks the tables of rows that describe attributes, and holds the words that several share.
 */
#include "ib/mad_table.h"

#include <string.h>

static void visit_element(const struct mad_row *row, size_t index, size_t count,
                          const uint8_t *bytes, rdc_field_visit *visit, void *context);
static size_t captured_elements(const struct mad_row *row, size_t captured);
static size_t string_size(const uint8_t *bytes, size_t size);

/* 15.2.5.16, the codes of path records */
const struct mad_word mad_rate_words[] = {
    {2, "2.5 Gb/s"},  {3, "10 Gb/s"},   {4, "30 Gb/s"},    {5, "5 Gb/s"},    {6, "20 Gb/s"},
    {7, "40 Gb/s"},   {8, "60 Gb/s"},   {9, "80 Gb/s"},    {10, "120 Gb/s"}, {11, "14 Gb/s"},
    {12, "56 Gb/s"},  {13, "112 Gb/s"}, {14, "168 Gb/s"},  {15, "25 Gb/s"},  {16, "100 Gb/s"},
    {17, "200 Gb/s"}, {18, "300 Gb/s"}, {19, "28 Gb/s"},   {20, "50 Gb/s"},  {21, "400 Gb/s"},
    {22, "600 Gb/s"}, {23, "800 Gb/s"}, {24, "1200 Gb/s"}, {0, NULL},
};

const struct mad_word mad_mtu_words[] = {
    {1, "256 bytes"},  {2, "512 bytes"},  {3, "1024 bytes"},
    {4, "2048 bytes"}, {5, "4096 bytes"}, {0, NULL},
};

const struct mad_word mad_timeout_words[] = {
    {0, "4.096 us"}, {1, "8.192 us"}, {2, "16.4 us"},  {3, "32.8 us"},  {4, "65.5 us"},
    {5, "131 us"},   {6, "262 us"},   {7, "524 us"},   {8, "1.05 ms"},  {9, "2.10 ms"},
    {10, "4.19 ms"}, {11, "8.39 ms"}, {12, "16.8 ms"}, {13, "33.6 ms"}, {14, "67.1 ms"},
    {15, "134 ms"},  {16, "268 ms"},  {17, "537 ms"},  {18, "1.07 s"},  {19, "2.15 s"},
    {20, "4.29 s"},  {21, "8.59 s"},  {22, "17.2 s"},  {23, "34.4 s"},  {24, "68.7 s"},
    {25, "137 s"},   {26, "275 s"},   {27, "550 s"},   {28, "1100 s"},  {29, "2199 s"},
    {30, "4398 s"},  {31, "8796 s"},  {0, NULL},
};

uint32_t rdc_mtu_bytes(uint8_t code)
{
    return code >= 1 && code <= 5 ? 128u << code : 0;
}

uint64_t rdc_ib_rate_bps(uint8_t code)
{
    /* In units of 100 Mb/s, as the names of the codes have it (14 Gb/s is 14.0625) */
    static const uint16_t rates[] = {
        0,    0,    25,  100,  300,  50,   200, 400, 600,  800,  1200, 140,   560,
        1120, 1680, 250, 1000, 2000, 3000, 280, 500, 4000, 6000, 8000, 12000,
    };

    return code < sizeof rates / sizeof rates[0] ? rates[code] * UINT64_C(100000000) : 0;
}

uint64_t mad_bits(const uint8_t *bytes, size_t bit, size_t bits)
{
    size_t last = (bit + bits - 1) / 8;
    uint64_t value = bytes[bit / 8] & (0xffu >> bit % 8);

    for (size_t i = bit / 8 + 1; i < last; i++)
        value = value << 8 | bytes[i];
    if (last > bit / 8) {
        size_t used = (bit + bits - 1) % 8 + 1;

        return value << used | bytes[last] >> (8 - used);
    }
    return value >> (7 - (bit + bits - 1) % 8);
}

const char *mad_word_text(const struct mad_word *words, uint64_t value)
{
    for (; words != NULL && words->text != NULL; words++)
        if (words->value == value)
            return words->text;
    return NULL;
}

void mad_visit_rows(const struct mad_row *rows, const uint8_t *bytes, size_t captured,
                    rdc_field_visit *visit, void *context)
{
    for (const struct mad_row *row = rows; row != NULL && row->name != NULL; row++) {
        size_t count = captured_elements(row, captured);

        for (size_t i = 0; i < count; i++)
            visit_element(row, i, row->count > 0 ? count : 0, bytes, visit, context);
    }
}

void mad_visit_value(const char *name, uint64_t value, size_t size, enum rdc_field_kind kind,
                     const char *text, rdc_field_visit *visit, void *context)
{
    struct rdc_field field = {
        .name = name,
        .text = text,
        .value = value,
        .size = (uint16_t)size,
        .kind = (uint8_t)kind,
    };

    visit(context, &field);
}

void mad_visit_bytes(const char *name, const uint8_t *bytes, size_t size, enum rdc_field_kind kind,
                     rdc_field_visit *visit, void *context)
{
    struct rdc_field field = {
        .name = name,
        .bytes = bytes,
        .size = (uint16_t)size,
        .kind = (uint8_t)kind,
    };

    visit(context, &field);
}

static void visit_element(const struct mad_row *row, size_t index, size_t count,
                          const uint8_t *bytes, rdc_field_visit *visit, void *context)
{
    size_t bit = row->bit + index * row->stride;
    struct rdc_field field = {
        .name = row->name,
        .size = (uint16_t)((row->bits + 7) / 8),
        .index = (uint16_t)index,
        .count = (uint16_t)count,
        .kind = row->kind,
    };

    if (row->kind == RDC_FIELD_NUMBER || row->kind == RDC_FIELD_HEX ||
        row->kind == RDC_FIELD_FLAG) {
        field.value = mad_bits(bytes, bit, row->bits);
        field.text = mad_word_text(row->words, field.value);
    } else {
        field.bytes = bytes + bit / 8;
        if (row->kind == RDC_FIELD_STRING)
            field.size = (uint16_t)string_size(field.bytes, field.size);
    }
    visit(context, &field);
}

/* How many elements of a row (of a single value: 0 or 1) are whole within the captured bytes */
static size_t captured_elements(const struct mad_row *row, size_t captured)
{
    size_t count = row->count > 0 ? row->count : 1;
    size_t n = 0;

    while (n < count && row->bit + n * row->stride + row->bits <= captured * 8)
        n++;
    return n;
}

/* Strings are padded with zeros, and with blanks by some */
static size_t string_size(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, 0, size);
    size_t n = end != NULL ? (size_t)(end - bytes) : size;

    while (n > 0 && bytes[n - 1] == ' ')
        n--;
    return n;
}
