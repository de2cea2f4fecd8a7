/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Policies of `check`: what a file and options ask for, and what they must not.
 */
#include "support.h"

#include <glib/gstdio.h>

#include "analysis/check/check.h"
#include "render/check_words.h"

static const struct row {
    const char *name;
    const char *text;
    const char *rules; /* "psn_gaps<=0 connections>=1", NULL: refused */
    const char *why;   /* in the message, behind the file's name */
} rows[] = {
    {"limits", "[limits]\npsn_gaps=0\nretransmitted_pct = 0.1 \n",
     "psn_gaps<=0 retransmitted_pct<=0.1", NULL},
    {"minimum", "[minimum]\nconnections=1\n[limits]\nconnections=4\n",
     "connections>=1 connections<=4", NULL},
    {"expect", "[expect]\npackets=12\nhole_closed=3\nout_of_order=2\n",
     "packets=12 hole_closed=3 out_of_order=2", NULL},
    {"expect-event-of-the-same-name", "[expect]\nout_of_order=2\nretransmission=1\n",
     "out_of_order=2 retransmission=1", NULL},
    {"marks", "[expect]\ndscp=48, 26\npcp=3;3\n", "dscp:26,48 pcp:3", NULL},
    {"comments", "# a\n[limits]\n# b\nnaks=2\n", "naks<=2", NULL},
    {"byte-order-mark", "\xef\xbb\xbf[limits]\nnaks=2\n", "naks<=2", NULL},
    {"lines-of-dos", "[limits]\r\nnaks=2\r\n[minimum]\r\nnaks=1\r\n", "naks<=2 naks>=1", NULL},
    {"large-and-small", "[limits]\nretransmitted_pct=1e-3\nnaks=1000000\n",
     "retransmitted_pct<=0.001 naks<=1000000", NULL},

    {"unknown-limit", "[limits]\n\nnaks=1\nlost_gaps=0\n", NULL, ":4: there is no limit"},
    {"key-of-another-group", "[limits]\nnaks=1\n[minimum]\npackets=1\nnakz=1\n", NULL,
     ":5: there is no limit"},
    {"event-as-limit", "[limits]\nhole_closed=0\n", NULL, ":2: there is no limit"},
    {"marks-as-limit", "[limits]\ndscp=26\n", NULL, ":2: there is no limit"},
    {"share-as-count", "[expect]\nretransmitted_pct=1\n", NULL,
     ":2: retransmitted_pct is no count"},
    {"unknown-group", "[limits]\nnaks=1\n[limit]\nnaks=1\n", NULL, ":3: unknown group [limit]"},
    {"key-twice", "[limits]\nnaks=2\n\nnaks = 5\n", NULL,
     ":4: naks is there twice (before in line 2)"},
    {"group-twice", "[limits]\nnaks=2\n[expect]\nnaks=1\n[limits]\npsn_gaps=1\n", NULL,
     ":5: [limits] is there twice (before in line 1)"},
    {"translated-key", "[limits]\nnaks=1\npsn_gaps[de]=0\n", NULL,
     ":3: there is no limit of the name \"psn_gaps[de]\""},
    {"hexadecimal", "[limits]\nnaks=0x10\n", NULL, ":2: naks: \"0x10\" is no limit"},
    {"leading-zero", "[limits]\nnaks=010\n", NULL, ":2: naks: \"010\" is no limit"},
    {"signed", "[limits]\nnaks=+1\n", NULL, ":2: naks: \"+1\" is no limit"},
    {"dscp-in-binary", "[expect]\ndscp=001010\n", NULL, ":2: dscp: \"001010\" is no list"},
    {"no-number", "[limits]\nnaks=few\n", NULL, ":2: naks: \"few\" is no limit"},
    {"negative", "[limits]\nnaks=-1\n", NULL, ":2: naks: \"-1\" is no limit"},
    {"trailing", "[limits]\nnaks=1%\n", NULL, ":2: naks: \"1%\" is no limit"},
    {"infinite", "[limits]\nnaks=inf\n", NULL, ":2: naks: \"inf\" is no limit"},
    {"empty-value", "[limits]\nnaks=\n", NULL, ":2: naks: \"\" is no limit"},
    {"dscp-too-large", "[expect]\ndscp=26,64\n", NULL, ":2: dscp: \"26,64\" is no list"},
    {"pcp-empty", "[expect]\npcp=\n", NULL, ":2: pcp: \"\" is no list"},
    {"no-key-file", "# text\nnaks=1\n", NULL, ":2: can't read this policy"},
    {"no-pair", "[limits]\nnaks=1\n\n# text\nnone\n[expect]\nnaks=1\n", NULL,
     ":5: can't read this policy"},
    {"no-pair-without-newline", "[limits]\nnaks=1\nnone", NULL, ":3: can't read this policy"},
    {"first-line", "none\n", NULL, ":1: can't read this policy"},
    {"no-group-name", "[limits]\nnaks=1\n[]\nnaks=2\nnone\n", NULL, ":3: can't read this policy"},
    {"largest-count", "[expect]\npackets=9007199254740991\n", "packets=9007199254740991", NULL},
    {"count-beyond-doubles", "[expect]\nnaks=1\npackets=9007199254740993\n", NULL,
     ":3: packets: 9007199254740993 can't be compared exactly"},
    {"count-with-a-part", "[expect]\npackets=1.5\n", NULL, ":2: packets: 1.5 can't be"},
    {"utf-16", "\xff\xfe[", NULL, "it is UTF-16; save it as UTF-8"},
    {"utf-16-big-endian", "\xfe\xff", NULL, "it is UTF-16; save it as UTF-8"},
    {"nothing", "[limits]\n", NULL, "asks for nothing"},
    {"empty", "", NULL, "asks for nothing"},
};

static void describe(struct buffer *out, const struct check_policy *p)
{
    static const char *const signs[] = {"<=", ">=", "=", ":"};

    for (guint i = 0; i < p->rules->len; i++) {
        const struct check_rule *r = &g_array_index(p->rules, struct check_rule, i);

        buffer_printf(out, "%s%s%s", i > 0 ? " " : "", r->id, signs[r->relation]);
        if (r->relation == CHECK_ONE_OF)
            buffer_string(out, r->allowed);
        else
            check_number(out, r->limit);
        assert_true(r->named);
        assert_non_null(r->unit);
        assert_non_null(r->meaning);
    }
    buffer_char(out, '\0');
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct check_policy *p = check_policy_new();
    struct buffer text = {0};
    GError *error = NULL;
    char *path = NULL;
    int fd = g_file_open_tmp("policy-XXXXXX", &path, NULL);
    bool ok;

    assert_true(fd >= 0);
    g_close(fd, NULL);
    assert_true(g_file_set_contents(path, row->text, -1, NULL));
    ok = check_policy_read(p, path, &error);
    if (row->rules != NULL) {
        assert_true(ok);
        describe(&text, p);
        assert_string_equal(text.data, row->rules);
    } else {
        assert_false(ok);
        assert_true(g_str_has_prefix(error->message, path));
        assert_non_null(strstr(error->message, row->why));
    }
    g_clear_error(&error);
    g_unlink(path);
    g_free(path);
    buffer_done(&text);
    check_policy_free(p);
}

/* What is behind a zero byte would be read by nobody */
static void zero_byte(void **state)
{
    static const char text[] = "[limits]\npackets=1\n\0\npsn_gaps=0\n";
    struct check_policy *p = check_policy_new();
    GError *error = NULL;
    char *path = NULL;
    int fd = g_file_open_tmp("policy-XXXXXX", &path, NULL);

    (void)state;
    assert_true(fd >= 0);
    g_close(fd, NULL);
    assert_true(g_file_set_contents(path, text, sizeof(text) - 1, NULL));
    assert_false(check_policy_read(p, path, &error));
    assert_true(g_str_has_prefix(error->message, path));
    assert_non_null(strstr(error->message, ":3: can't read this policy: there is a zero byte"));
    g_clear_error(&error);
    g_unlink(path);
    g_free(path);
    check_policy_free(p);
}

/* Options come behind the file, and the defaults replace nothing */
static void options_and_defaults(void **state)
{
    struct check_policy *p = check_policy_new();
    struct check_rule *r;

    (void)state;
    assert_true(check_policy_limit(p, CHECK_AT_MOST, " naks = 3", NULL));
    assert_true(check_policy_limit(p, CHECK_AT_MOST, "naks=2", NULL));
    assert_int_equal(p->rules->len, 1);
    check_policy_defaults(p);
    assert_int_equal(p->rules->len, 6);
    for (guint i = 0; i < p->rules->len; i++) {
        r = &g_array_index(p->rules, struct check_rule, i);
        assert_true(r->limit == (i == 0 ? 2 : 0));
        assert_int_equal(r->named, i == 0);
    }
    check_policy_free(p);
}

/* Each name once; each kind of event is found */
static void names(void **state)
{
    (void)state;
    for (size_t i = 0; i < check_measure_count; i++) {
        assert_ptr_equal(check_measure_find(check_measures[i].name), &check_measures[i]);
        assert_int_not_equal(check_measures[i].scope, CHECK_EVENTS);
    }
    for (uint8_t k = 0; k < FLOW_EVENT_KIND_COUNT; k++)
        assert_int_equal(check_event_kind(check_event_find(flow_event_name(k))), k);
    assert_null(check_measure_find("nothing"));
    assert_null(check_event_find("nothing"));
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows) + 3] = {
        {"options-and-defaults", options_and_defaults, NULL, NULL, NULL},
        {"names", names, NULL, NULL, NULL},
        {"zero-byte", zero_byte, NULL, NULL, NULL},
    };

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i + 3] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("check_policy", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
