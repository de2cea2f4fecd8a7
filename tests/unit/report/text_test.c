/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Text for people and spreadsheets: units, harmless terminals, harmless CSV cells.
 */
#include "support.h"

#include "render/safe.h"
#include "render/units.h"

enum what {
    SAFE,
    CSV,
    DURATION,
    BYTES,
    RATE,
    COUNT,
    SECONDS,
    TIME,
};

static const struct row {
    const char *name;
    enum what what;
    const char *text;
    int64_t number;
    const char *want;
} rows[] = {
    {"safe-plain", SAFE, "a b.pcap", 0, "a b.pcap"},
    {"safe-escape", SAFE, "x\033]0;gone\a", 0, "x\\x1b]0;gone\\x07"},
    {"safe-newline", SAFE, "a\nb", 0, "a\\x0ab"},
    {"safe-c1", SAFE, "\xc2\x9b", 0, "\\x9b"},
    {"safe-bad-byte", SAFE, "\xff", 0, "\\xff"},
    {"safe-right-to-left", SAFE, "\xe2\x80\xae", 0, "\\u202e"},
    {"safe-umlaut", SAFE, "\xc3\xbc", 0, "\xc3\xbc"},
    {"safe-line-separators", SAFE, "a\xe2\x80\xa8\xe2\x80\xa9", 0, "a\\u2028\\u2029"},
    {"safe-private-use", SAFE, "\xee\x80\x80", 0, "\\ue000"},
    {"csv-plain", CSV, "rocev2", 0, "rocev2"},
    {"csv-empty", CSV, "", 0, ""},
    {"csv-comma", CSV, "a,b", 0, "\"a,b\""},
    {"csv-quote", CSV, "a\"b", 0, "\"a\"\"b\""},
    {"csv-newline", CSV, "a\nb", 0, "a\\x0ab"},
    {"csv-formula", CSV, "=cmd|' /C calc'!A0", 0, "\"'=cmd|' /C calc'!A0\""},
    {"csv-formula-at", CSV, "@SUM(1)", 0, "\"'@SUM(1)\""},
    {"csv-formula-minus", CSV, "-1+2.pcap", 0, "\"'-1+2.pcap\""},
    {"csv-formula-space", CSV, " =1", 0, "\"' =1\""},
    {"csv-formula-wide", CSV,
     "\xef\xbc\x9d"
     "1",
     0,
     "\"'\xef\xbc\x9d"
     "1\""},
    {"csv-semicolon", CSV, "a;=1", 0, "\"a;=1\""},
    {"csv-formula-tab", CSV, "\t=1", 0, "\\x09=1"},
    {"duration-ns", DURATION, NULL, 42, "42 ns"},
    {"duration-us", DURATION, NULL, 1250, "1.25 us"},
    {"duration-ms", DURATION, NULL, 655360000, "655 ms"},
    {"duration-s", DURATION, NULL, 12345678901, "12.3 s"},
    {"duration-rounds-up", DURATION, NULL, 9996, "10.0 us"},
    {"duration-negative", DURATION, NULL, -1500, "-1.50 us"},
    {"bytes", BYTES, NULL, 999, "999 B"},
    {"bytes-kib", BYTES, NULL, 65536, "64.0 KiB"},
    {"rate", RATE, NULL, 98300000000, "98.3 Gbit/s"},
    {"rate-zero", RATE, NULL, 0, "0 bit/s"},
    {"count-small", COUNT, NULL, 999, "999"},
    {"count-thousand", COUNT, NULL, 1000, "1,000"},
    {"count-zeros", COUNT, NULL, 1000056, "1,000,056"},
    {"seconds", SECONDS, NULL, 104000, "0.000104000"},
    {"seconds-negative", SECONDS, NULL, -1, "-0.000000001"},
    {"seconds-large", SECONDS, NULL, 3600000000000, "3600.000000000"},
    {"time", TIME, NULL, 1700000000000000007, "2023-11-14 22:13:20.000000007Z"},
    {"time-before-the-epoch", TIME, NULL, -1, "1969-12-31 23:59:59.999999999Z"},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct buffer b = {0};

    switch (row->what) {
    case SAFE:
        safe_text(&b, row->text);
        break;
    case CSV:
        safe_csv(&b, row->text);
        break;
    case DURATION:
        units_duration(&b, row->number);
        break;
    case BYTES:
        units_bytes(&b, (uint64_t)row->number);
        break;
    case RATE:
        units_rate(&b, (double)row->number);
        break;
    case COUNT:
        units_count(&b, (uint64_t)row->number);
        break;
    case SECONDS:
        units_seconds(&b, row->number);
        break;
    case TIME:
        units_time(&b, row->number);
        break;
    }
    buffer_char(&b, '\0');
    assert_string_equal(b.data, row->want);
    buffer_done(&b);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
