/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The JSON writer: commas, nesting, numbers, and strings that hold anything.
 */
#include "support.h"

#include "render/json_writer.h"

/* A row a string from outside */
static const struct row {
    const char *name;
    const char *string;
    const char *want;
} rows[] = {
    {"plain", "mlx5_0", "\"mlx5_0\""},
    {"empty", "", "\"\""},
    {"quote-and-backslash", "a\"b\\c", "\"a\\\"b\\\\c\""},
    {"newline", "a\nb", "\"a\\u000ab\""},
    {"escape-sequence", "\033[2J", "\"\\u001b[2J\""},
    {"delete", "\x7f", "\"\\u007f\""},
    {"umlaut", "b\xc3\xbcro", "\"b\xc3\xbcro\""},
    {"c1-control", "\xc2\x9b", "\"\\u009b\""},
    {"right-to-left", "\xe2\x80\xae", "\"\\u202e\""},
    {"beyond-the-basic-plane", "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
    {"tag-character", "\xf3\xa0\x80\x81", "\"\\udb40\\udc01\""},
    {"not-utf-8", "a\xff\xc3", "\"a\\ufffd\\ufffd\""},
    {"overlong", "\xc0\xaf", "\"\\ufffd\\ufffd\""},
    {"surrogate", "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
};

static void check_string(void **state)
{
    const struct row *row = *state;
    struct buffer b = {0};
    struct json_writer w = {.out = &b};

    json_string(&w, row->string);
    buffer_char(&b, '\0');
    assert_string_equal(b.data, row->want);
    buffer_done(&b);
}

static void write_sample(struct json_writer *w)
{
    json_open(w, '{');
    json_key(w, "max");
    json_uint(w, UINT64_MAX);
    json_key(w, "min");
    json_int(w, INT64_MIN);
    json_quoted_key(w, "\"va\":", 5);
    json_hex(w, 0xabc, 8);
    json_key(w, "list");
    json_open(w, '[');
    for (unsigned i = 9; i < 102; i += 91) {
        json_element(w);
        json_uint(w, i);
    }
    json_close(w, ']');
    json_key(w, "none");
    json_open(w, '[');
    json_close(w, ']');
    json_key(w, "pct");
    json_double(w, 12.345678, 3);
    json_key(w, "nan");
    json_double(w, 0.0 / (double)(w->depth - 1), 3);
    json_key(w, "ok");
    json_bool(w, true);
    json_close(w, '}');
}

static void check_compact(void **state)
{
    struct buffer b = {0};
    struct json_writer w = {.out = &b};

    (void)state;
    write_sample(&w);
    buffer_char(&b, '\0');
    assert_string_equal(b.data, "{\"max\":18446744073709551615,\"min\":-9223372036854775808,"
                                "\"va\":\"0x00000abc\",\"list\":[9,100],\"none\":[],"
                                "\"pct\":12.346,\"nan\":null,\"ok\":true}");
    buffer_done(&b);
}

static void check_pretty(void **state)
{
    struct buffer b = {0};
    struct json_writer w = {.out = &b, .pretty = true};

    (void)state;
    json_open(&w, '{');
    json_key(&w, "a");
    json_open(&w, '{');
    json_key(&w, "b");
    json_uint(&w, 1);
    json_close(&w, '}');
    json_key(&w, "c");
    json_open(&w, '[');
    json_close(&w, ']');
    json_close(&w, '}');
    buffer_char(&b, '\0');
    assert_string_equal(b.data, "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": []\n}");
    buffer_done(&b);
}

struct sink {
    size_t calls;
    size_t bytes;
    size_t largest;
};

static void count(void *context, const char *data, size_t size)
{
    struct sink *s = context;

    assert_non_null(data);
    s->calls++;
    s->bytes += size;
    s->largest = size > s->largest ? size : s->largest;
}

/* What does not fit goes out first; what is larger than the buffer goes out all the same */
static void check_sink(void **state)
{
    struct sink sink = {0};
    struct buffer b;
    char block[100] = {0};

    (void)state;
    buffer_init_sink(&b, 64, count, &sink);
    for (unsigned i = 0; i < 10; i++)
        buffer_bytes(&b, "0123456789", 10);
    assert_int_equal(sink.calls, 1);
    assert_int_equal(sink.bytes, 60);
    buffer_bytes(&b, block, sizeof(block));
    buffer_flush(&b);
    assert_int_equal(sink.bytes, 200);
    assert_int_equal(sink.largest, 100);
    buffer_done(&b);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 3] = {
        cmocka_unit_test(check_compact),
        cmocka_unit_test(check_pretty),
        cmocka_unit_test(check_sink),
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[3 + i] = (struct CMUnitTest){rows[i].name, check_string, NULL, NULL,
                                           (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
