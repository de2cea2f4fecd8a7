/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The formats of `check`, each read back by a parser that is not ours, on a report with all kinds
 * of outcomes and file names that mean mischief.
 */
#include "support.h"

#include <json-glib/json-glib.h>

#include "render/check_render.h"
#include "report/frame.h"

/* Quotes, markup, a line end, a workflow command, a byte that is no UTF-8, a direction override */
static const char evil[] = "a\"<b>&amp;\n::error::%0A,x\xff\xe2\x80\xae.pcap";

static const struct check_rule rules[] = {
    {.id = "psn_gaps", .unit = "gaps", .meaning = "runs of \"missing\" PSNs", .named = true},
    {.id = "recovery_max_ms", .unit = "ms", .meaning = "longest", .limit = 0.25, .named = true},
    {.id = "connections",
     .unit = "connections",
     .meaning = "their number",
     .relation = CHECK_AT_LEAST,
     .limit = 2,
     .named = true},
    {.id = "dscp",
     .unit = "values",
     .meaning = "DSCP",
     .relation = CHECK_ONE_OF,
     .allowed = (char *)(uintptr_t) "26,48",
     .named = true},
    {.id = "icrc_bad", .unit = "packets", .meaning = "damaged"},
};

enum {
    RULES = SUPPORT_COUNT(rules),
};

struct fixture {
    struct check_report report;
    struct buffer out;
};

static struct check_capture *add(struct fixture *f, const char *first, const char *second)
{
    const char *const files[] = {first, second, NULL};
    struct check_capture *c = check_capture_new(files, RULES);

    c->opened = true;
    c->packets = 12;
    c->connections = 1;
    c->judgements[4] = (struct check_judgement){.status = CHECK_NOT_SEEN, .unseen = "cut off"};
    g_ptr_array_add(f->report.captures, c);
    return c;
}

static void violate(struct check_capture *c, struct check_violation v)
{
    c->judgements[v.rule].status = CHECK_FAILED;
    c->judgements[v.rule].violations++;
    c->judgements[v.rule].known = true;
    c->judgements[v.rule].value = v.value;
    if (v.connection != 0) {
        g_strlcpy(v.a, "10.0.0.1 qp 17", sizeof(v.a));
        g_strlcpy(v.b, "fe80::2 qp ?", sizeof(v.b));
    }
    g_array_append_val(c->violations, v);
}

static void start(struct fixture *f)
{
    struct check_capture *c;

    *f = (struct fixture){.report = {.tool_version = "1.2.3",
                                     .rules = rules,
                                     .rule_count = RULES,
                                     .captures = g_ptr_array_new(),
                                     .exit_status = 3}};
    add(f, "good.pcap", NULL);
    c = add(f, evil, NULL);
    violate(c, (struct check_violation){
                   .rule = 0, .connection = 3, .value = 4, .frames = {7, 8, 9}, .frame_count = 3});
    violate(c, (struct check_violation){.rule = 1,
                                        .connection = 3,
                                        .value = 1.5,
                                        .lower_bound = true,
                                        .frames = {7},
                                        .frame_count = 1});
    violate(c, (struct check_violation){.rule = 2, .value = 1});
    violate(c, (struct check_violation){.rule = 3, .connection = 1, .value = 0, .seen = "0,46"});
    c = add(f, "one.pcap", "/two.pcap");
    violate(
        c,
        (struct check_violation){
            .rule = 0, .connection = 1, .value = 1, .frames = {frame_ref(1, 5)}, .frame_count = 1});
    c = add(f, "short.pcap", NULL);
    c->judgements[0] = (struct check_judgement){.status = CHECK_NOT_SEEN, .unseen = "one-way"};
    c = add(f, "none.pcap", NULL);
    c->opened = false;
    g_ptr_array_add(c->damage, g_strdup("there is no <such> file"));
    for (guint i = 0; i < f->report.captures->len; i++)
        check_capture_settle(g_ptr_array_index(f->report.captures, i), rules, RULES);
}

static void done(struct fixture *f)
{
    for (guint i = 0; i < f->report.captures->len; i++)
        check_capture_free(g_ptr_array_index(f->report.captures, i));
    g_ptr_array_free(f->report.captures, TRUE);
    buffer_done(&f->out);
}

static const char *text(struct fixture *f)
{
    buffer_char(&f->out, '\0');
    assert_true(g_utf8_validate(f->out.data, -1, NULL));
    return f->out.data;
}

/* ------------------------------------------------------------------ JSON */

/* The value at a path as JSON on one line */
static void expect_at(JsonNode *root, const char *path, const char *want)
{
    GError *error = NULL;
    JsonNode *found = json_path_query(path, root, &error);
    char *got;

    assert_null(error);
    got = json_to_string(found, FALSE);
    if (strcmp(got, want) != 0)
        fail_msg("%s is %s, not %s", path, got, want);
    g_free(got);
    json_node_unref(found);
}

static JsonNode *parsed(struct fixture *f)
{
    GError *error = NULL;
    JsonNode *root = json_from_string(text(f), &error);

    if (root == NULL)
        fail_msg("no JSON: %s\n%s", error->message, f->out.data);
    return root;
}

static void json(void **state)
{
    struct fixture f;
    JsonNode *root;

    (void)state;
    start(&f);
    check_render_json(&f.out, &f.report);
    root = parsed(&f);
    expect_at(root, "$.schema", "[\"rdmapcap.check/1\"]");
    expect_at(root, "$.status", "[\"unreadable\"]");
    expect_at(root, "$.exit_status", "[3]");
    expect_at(root, "$.policy.rules[*].limit", "[0,0.25,2,\"26,48\",0]");
    expect_at(root, "$.policy.rules[*].named", "[true,true,true,true,false]");
    expect_at(root, "$.captures[*].status",
              "[\"passed\",\"failed\",\"failed\",\"undecided\",\"unreadable\"]");
    expect_at(root, "$.captures[1].violations[*].rule",
              "[\"psn_gaps\",\"recovery_max_ms\",\"connections\",\"dscp\"]");
    expect_at(root, "$.captures[1].violations[*].value", "[4,1.5,1,\"0,46\"]");
    expect_at(root, "$.captures[1].violations[*].lower_bound", "[false,true,false,false]");
    expect_at(root, "$.captures[1].violations[0].frames", "[[7,8,9]]");
    expect_at(root, "$.captures[1].violations[0].connection",
              "[{\"id\":3,\"a\":\"10.0.0.1 qp 17\",\"b\":\"fe80::2 qp ?\"}]");
    expect_at(root, "$.captures[1].violations[2].connection", "[null]");
    expect_at(root, "$.captures[2].violations[0].frames", "[[\"/two.pcap:5\"]]");
    expect_at(root, "$.captures[3].results[0].status", "[\"undecided\"]");
    expect_at(root, "$.captures[3].results[0].unknown", "[\"one-way\"]");
    expect_at(root, "$.captures[3].results[4].status", "[\"not_checked\"]");
    expect_at(root, "$.captures[4].capture", "[null]");
    expect_at(root, "$.captures[4].damage", "[[\"there is no <such> file\"]]");
    json_node_unref(root);
    done(&f);
}

static void sarif(void **state)
{
    struct fixture f;
    JsonNode *root;

    (void)state;
    start(&f);
    check_render_sarif(&f.out, &f.report);
    root = parsed(&f);
    expect_at(root, "$.version", "[\"2.1.0\"]");
    expect_at(root, "$.runs[0].tool.driver.rules[*].id",
              "[\"psn_gaps\",\"recovery_max_ms\",\"connections\",\"dscp\",\"icrc_bad\"]");
    expect_at(root, "$.runs[0].results[*].kind",
              "[\"open\",\"fail\",\"fail\",\"fail\",\"fail\",\"open\",\"fail\",\"open\",\"open\","
              "\"open\"]");
    expect_at(root, "$.runs[0].results[0:2].level", "[\"none\",\"error\"]");
    expect_at(root, "$.runs[0].results[1].locations[0].physicalLocation.artifactLocation.uri",
              "[\"a%22%3Cb%3E&amp;%0A%3A%3Aerror%3A%3A%250A,x%FF%E2%80%AE.pcap\"]");
    expect_at(root, "$.runs[0].results[1].message.text",
              "[\"psn_gaps 4 > 0: connection 3, 10.0.0.1 qp 17 - fe80::2 qp ?; "
              "frames 7, 8, 9\"]");
    expect_at(root, "$.runs[0].results[1].properties",
              "[{\"frames\":[\"7\",\"8\",\"9\"],\"value\":4,\"limit\":0}]");
    expect_at(root, "$.runs[0].results[6].locations[*].physicalLocation.artifactLocation.uri",
              "[\"one.pcap\",\"file:///two.pcap\"]");
    expect_at(root, "$.runs[0].invocations[0].exitCode", "[3]");
    expect_at(root, "$.runs[0].invocations[0].executionSuccessful", "[false]");
    expect_at(root, "$.runs[0].invocations[0].toolExecutionNotifications[*].message.text",
              "[\"there is no <such> file\"]");
    json_node_unref(root);
    done(&f);
}

/* ------------------------------------------------------------------ JUnit */

struct junit {
    GString *names; /* elements, with the attributes that matter */
};

static void on_element(GMarkupParseContext *context, const char *name, const char **keys,
                       const char **values, gpointer data, GError **error)
{
    struct junit *j = data;

    (void)context;
    (void)error;
    g_string_append_printf(j->names, "%s", name);
    for (size_t i = 0; keys[i] != NULL; i++)
        if (strcmp(keys[i], "classname") != 0 && strcmp(keys[i], "time") != 0)
            g_string_append_printf(j->names, " %s=[%s]", keys[i], values[i]);
    g_string_append_c(j->names, '\n');
}

static void on_text(GMarkupParseContext *context, const char *chars, gsize size, gpointer data,
                    GError **error)
{
    struct junit *j = data;

    (void)context;
    (void)error;
    if (chars[0] != '\n')
        g_string_append_len(j->names, chars, (gssize)size);
}

static const char junit_want[] =
    "testsuites name=[rdmapcap] tests=[5] failures=[2] errors=[2]\n"
    "testsuite name=[rdmapcap] tests=[5] failures=[2] errors=[2] skipped=[0]\n"
    "testcase name=[good.pcap]\n"
    "system-out\nnot checked: icrc_bad: cut off\n"
    "testcase name=[a\"<b>&amp;\\x0a::error::%0A,x\\xff\\u202e.pcap]\n"
    "failure type=[failed] message=[4 limits broken: psn_gaps, recovery_max_ms, connections, "
    "dscp]\n"
    "4 limits broken: psn_gaps, recovery_max_ms, connections, dscp\n"
    "psn_gaps 4 > 0: connection 3, 10.0.0.1 qp 17 - fe80::2 qp ?; frames 7, 8, 9\n"
    "recovery_max_ms at least 1.5 > 0.25 ms: connection 3, 10.0.0.1 qp 17 - fe80::2 qp ?; "
    "frame 7\n"
    "connections 1 < 2: the whole capture\n"
    "dscp 0,46 not in 26,48: connection 1, 10.0.0.1 qp 17 - fe80::2 qp ?\n"
    "system-out\nnot checked: icrc_bad: cut off\n"
    "testcase name=[one.pcap + /two.pcap]\n"
    "failure type=[failed] message=[1 limit broken: psn_gaps]\n"
    "1 limit broken: psn_gaps\n"
    "psn_gaps 1 > 0: connection 1, 10.0.0.1 qp 17 - fe80::2 qp ?; frame /two.pcap:5\n"
    "system-out\nnot checked: icrc_bad: cut off\n"
    "testcase name=[short.pcap]\n"
    "error type=[undecided] message=[can't decide: psn_gaps: one-way]\n"
    "can't decide: psn_gaps: one-way\n"
    "system-out\nnot checked: psn_gaps: one-way\nnot checked: icrc_bad: cut off\n"
    "testcase name=[none.pcap]\n"
    "error type=[unreadable] message=[there is no <such> file]\n"
    "there is no <such> file\n";

static void junit(void **state)
{
    const GMarkupParser parser = {.start_element = on_element, .text = on_text};
    struct junit j = {.names = g_string_new(NULL)};
    GMarkupParseContext *context =
        g_markup_parse_context_new(&parser, (GMarkupParseFlags)0, &j, NULL);
    GError *error = NULL;
    struct fixture f;

    (void)state;
    start(&f);
    check_render_junit(&f.out, &f.report);
    if (!g_markup_parse_context_parse(context, text(&f), -1, &error) ||
        !g_markup_parse_context_end_parse(context, &error))
        fail_msg("no XML: %s", error->message);
    assert_string_equal(j.names->str, junit_want);
    g_markup_parse_context_free(context);
    g_string_free(j.names, TRUE);
    done(&f);
}

/* ------------------------------------------------------------------ GitHub, text */

/* The name of the file in a property, and in a message */
#define EVIL "a\"<b>&amp;\\x0a%3A%3Aerror%3A%3A%250A%2Cx\\xff\\u202e.pcap"
#define SAID "a\"<b>&amp;\\x0a::error::%250A,x\\xff\\u202e.pcap"
#define ENDS "10.0.0.1 qp 17 - fe80::2 qp ?"

static void github(void **state)
{
    struct fixture f;

    (void)state;
    start(&f);
    check_render_github(&f.out, &f.report);
    assert_string_equal(
        text(&f),
        "::warning file=good.pcap,title=rdmapcap icrc_bad::good.pcap: icrc_bad was not checked: "
        "cut off\n"
        "::error file=" EVIL ",title=rdmapcap psn_gaps::" SAID
        ": psn_gaps 4 > 0: connection 3, " ENDS "; frames 7, 8, 9\n"
        "::error file=" EVIL ",title=rdmapcap recovery_max_ms::" SAID
        ": recovery_max_ms at least 1.5 > 0.25 ms: connection 3, " ENDS "; frame 7\n"
        "::error file=" EVIL ",title=rdmapcap connections::" SAID
        ": connections 1 < 2: the whole capture\n"
        "::error file=" EVIL ",title=rdmapcap dscp::" SAID
        ": dscp 0,46 not in 26,48: connection 1, " ENDS "\n"
        "::warning file=" EVIL ",title=rdmapcap icrc_bad::" SAID
        ": icrc_bad was not checked: cut off\n"
        "::error file=one.pcap + /two.pcap,title=rdmapcap psn_gaps::one.pcap + /two.pcap: "
        "psn_gaps 1 > 0: connection 1, " ENDS "; frame /two.pcap:5\n"
        "::warning file=one.pcap + /two.pcap,title=rdmapcap icrc_bad::one.pcap + /two.pcap: "
        "icrc_bad was not checked: cut off\n"
        "::error file=short.pcap,title=rdmapcap psn_gaps::short.pcap: psn_gaps can't be decided: "
        "one-way\n"
        "::warning file=short.pcap,title=rdmapcap icrc_bad::short.pcap: icrc_bad was not checked: "
        "cut off\n"
        "::error file=none.pcap,title=rdmapcap unreadable::none.pcap: there is no <such> file\n");
    done(&f);
}

static void people(void **state)
{
    struct fixture f;

    (void)state;
    start(&f);
    check_render_text(&f.out, &f.report, false, false);
    assert_string_equal(
        text(&f),
        "passed    good.pcap: 4 of 5 limits kept, 12 packets\n"
        "  not checked: icrc_bad: cut off\n"
        "failed    a\"<b>&amp;\\x0a::error::%0A,x\\xff\\u202e.pcap: 4 limits broken: psn_gaps, "
        "recovery_max_ms, connections, dscp\n"
        "  psn_gaps         4 > 0                   connection 3, " ENDS "; frames 7, 8, 9\n"
        "  recovery_max_ms  at least 1.5 > 0.25 ms  connection 3, " ENDS "; frame 7\n"
        "  connections      1 < 2                   the whole capture\n"
        "  dscp             0,46 not in 26,48       connection 1, " ENDS "\n"
        "  not checked: icrc_bad: cut off\n"
        "failed    one.pcap + /two.pcap: 1 limit broken: psn_gaps\n"
        "  psn_gaps  1 > 0  connection 1, " ENDS "; frame /two.pcap:5\n"
        "  not checked: icrc_bad: cut off\n"
        "undecided short.pcap: can't decide\n"
        "  can't be decided: psn_gaps: one-way\n"
        "  not checked: icrc_bad: cut off\n"
        "unreadable none.pcap: there is no <such> file\n"
        "5 captures: 1 passed, 2 failed, 1 undecided, 1 unreadable\n");
    done(&f);
}

/* A rule that many connections break: ten are shown, the rest is counted */
static void many(void **state)
{
    struct fixture f = {.report = {.tool_version = "1",
                                   .rules = rules,
                                   .rule_count = RULES,
                                   .captures = g_ptr_array_new()}};
    struct check_capture *c = add(&f, "a.pcap", NULL);
    char **lines;

    (void)state;
    for (uint32_t i = 1; i <= CHECK_KEPT; i++)
        violate(c, (struct check_violation){.rule = 0, .connection = i, .value = 1});
    c->judgements[0].violations = 250;
    check_capture_settle(c, rules, RULES);
    check_render_text(&f.out, &f.report, false, false);
    lines = g_strsplit(text(&f), "\n", -1);
    assert_int_equal(g_strv_length(lines), 1 + 10 + 1 + 1 + 1);
    assert_string_equal(lines[11], "  psn_gaps: and 240 more");
    g_strfreev(lines);
    f.out.used = 0;
    check_render_text(&f.out, &f.report, false, true);
    lines = g_strsplit(text(&f), "\n", -1);
    assert_int_equal(g_strv_length(lines), 1 + CHECK_KEPT + 1 + 1 + 1);
    assert_string_equal(lines[CHECK_KEPT + 1], "  psn_gaps: and 150 more");
    g_strfreev(lines);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"json", json, NULL, NULL, NULL},     {"sarif", sarif, NULL, NULL, NULL},
        {"junit", junit, NULL, NULL, NULL},   {"github", github, NULL, NULL, NULL},
        {"people", people, NULL, NULL, NULL}, {"many", many, NULL, NULL, NULL},
    };

    return _cmocka_run_group_tests("check_render", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
