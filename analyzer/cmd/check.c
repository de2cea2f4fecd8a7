/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap check: does this capture meet a policy? For CI.
 */
#include <string.h>

#include "analysis/check/check.h"
#include "cmd/feed.h"
#include "cmd/message.h"
#include "cmd/output.h"
#include "render/check_render.h"
#include "render/report_render.h"

struct check {
    struct options options;
    char *policy_path;
    char **max, **min;
    char *dscp, *pcp;
    gboolean together, defaults;
    struct check_policy *policy;
    GPtrArray *captures; /* struct check_capture */
    enum exit_status status;
};

/* ------------------------------------------------------------------ the policy */

static bool limits(struct check *c, enum check_relation relation, const char *option, char **list)
{
    GError *error = NULL;

    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        if (!check_policy_limit(c->policy, relation, list[i], &error)) {
            message_error("%s: %s", option, error->message);
            g_error_free(error);
            return false;
        }
    return true;
}

static bool expectations(struct check *c)
{
    GError *error = NULL;
    bool ok = c->dscp == NULL || check_policy_dscp(c->policy, c->dscp, &error);

    ok = ok && (c->pcp == NULL || check_policy_pcp(c->policy, c->pcp, &error));
    if (!ok) {
        message_error("--expect-%s", error->message);
        g_error_free(error);
    }
    return ok;
}

/* Options count more than the file; the default limits hold where nothing was asked for */
static bool make_policy(struct check *c)
{
    GError *error = NULL;

    c->policy = check_policy_new();
    if (c->policy_path != NULL && !check_policy_read(c->policy, c->policy_path, &error)) {
        message_error("%s", error->message);
        g_error_free(error);
        return false;
    }
    if (!limits(c, CHECK_AT_MOST, "--max", c->max) || !limits(c, CHECK_AT_LEAST, "--min", c->min) ||
        !expectations(c))
        return false;
    if (c->policy->rules->len == 0 || c->defaults)
        check_policy_defaults(c->policy);
    return true;
}

/* ------------------------------------------------------------------ captures */

/* 2, 70, 3, 1, 4, 0 */
static enum exit_status worse(enum exit_status a, enum exit_status b)
{
    static const enum exit_status order[] = {STATUS_USAGE, STATUS_BUG, STATUS_INPUT,
                                             STATUS_VIOLATION, STATUS_UNDECIDED};

    for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return STATUS_OK;
}

static void judge(struct check *c, struct feed *in, struct check_capture *out)
{
    struct check_watch *watch = check_watch_new();
    struct check_marks *marks = check_marks_new(c->policy->dscp, c->policy->pcp);
    struct flow_sink sink = check_watch_sink(watch);
    struct flow_engine *engine = flow_engine_new(&c->options.flow, &sink);
    struct flow_batch batch;

    while (feed_next_batch(in, &batch)) {
        flow_batch(engine, &batch);
        check_marks_batch(marks, &batch);
    }
    flow_finish(engine);
    feed_saw_iwarp(in, engine);
    check_watch_settle(watch);
    check_judge(c->policy, &(struct check_facts){feed_capture(in), engine, watch, marks}, out);
    flow_engine_free(engine);
    check_marks_free(marks);
    check_watch_free(watch);
}

/* Files in the order of the timeline, which only the feed knows */
static void take_files(const struct capture *capture, struct check_capture *out)
{
    for (size_t i = 0; i < capture->file_count && i < out->file_count; i++) {
        if (capture->files[i] == NULL)
            continue;
        g_free(out->files[i]);
        out->files[i] = g_strdup(capture->files[i]);
    }
}

static enum exit_status status_of(enum check_outcome outcome)
{
    static const enum exit_status statuses[] = {
        [CHECK_CAPTURE_PASSED] = STATUS_OK,           [CHECK_CAPTURE_FAILED] = STATUS_VIOLATION,
        [CHECK_CAPTURE_UNDECIDED] = STATUS_UNDECIDED, [CHECK_CAPTURE_DAMAGED] = STATUS_INPUT,
        [CHECK_CAPTURE_UNREADABLE] = STATUS_INPUT,
    };

    return statuses[outcome];
}

/* Reports name the file already */
static void take_damage(struct check_capture *out, const char *text)
{
    char *prefix = g_strconcat(out->files[0], ": ", NULL);

    if (out->file_count == 1 && g_str_has_prefix(text, prefix))
        text += strlen(prefix);
    g_ptr_array_add(out->damage, g_strdup(text));
    g_free(prefix);
}

/* False: go no further, the options are wrong */
static bool one_capture(struct check *c, char **files)
{
    struct options options = c->options;
    const struct check_rule *rules = (const struct check_rule *)(void *)c->policy->rules->data;
    struct check_capture *out =
        check_capture_new((const char *const *)files, c->policy->rules->len);
    enum exit_status status;
    GError *error = NULL;
    struct feed *in;

    options.files = files;
    in = feed_try(&options, &status, &error);
    if (in == NULL) {
        message_error("%s", error->message);
        take_damage(out, error->message);
        g_error_free(error);
    } else {
        judge(c, in, out);
        take_files(feed_capture(in), out);
        for (size_t i = 0; i < feed_damage_count(in); i++)
            take_damage(out, feed_damage(in, i));
        status = feed_close(in, STATUS_OK);
    }
    check_capture_settle(out, rules, c->policy->rules->len);
    c->status = worse(c->status, worse(status, status_of(out->outcome)));
    g_ptr_array_add(c->captures, out);
    return status != STATUS_USAGE;
}

static bool all_captures(struct check *c)
{
    bool ok = true;

    if (c->together)
        return one_capture(c, c->options.files);
    for (size_t i = 0; ok && c->options.files[i] != NULL; i++) {
        char *file[] = {c->options.files[i], NULL};

        ok = one_capture(c, file);
    }
    return ok;
}

/* ------------------------------------------------------------------ output */

static void render(struct buffer *out, const struct options *o, const struct check_report *r)
{
    switch (o->format) {
    case FORMAT_JSON:
        check_render_json(out, r);
        break;
    case FORMAT_JUNIT:
        check_render_junit(out, r);
        break;
    case FORMAT_SARIF:
        check_render_sarif(out, r);
        break;
    case FORMAT_GITHUB:
        check_render_github(out, r);
        break;
    case FORMAT_TEXT:
    case FORMAT_JSONL:
    case FORMAT_CSV:
    case FORMAT_COUNT:
        check_render_text(out, r, o->color, o->all);
        break;
    }
}

static enum exit_status show(struct check *c)
{
    struct check_report report = {
        .tool_version = RDMAPCAP_VERSION,
        .policy = c->policy->path,
        .rules = (const struct check_rule *)(void *)c->policy->rules->data,
        .rule_count = c->policy->rules->len,
        .captures = c->captures,
        .exit_status = (int)c->status,
    };
    struct output out;

    output_open(&out);
    render(&out.buffer, &c->options, &report);
    return worse(c->status, output_close(&out, STATUS_OK));
}

static enum exit_status list(const struct options *o)
{
    static const struct report_column columns[] = {{"name", "Name", false},
                                                   {"unit", "Unit", false},
                                                   {"default", "Default", false},
                                                   {"judged", "Judged", false},
                                                   {"meaning", "Meaning", false}};
    static const char *const judged[] = {[CHECK_EVENTS] = "total",
                                         [CHECK_SUM] = "total",
                                         [CHECK_EACH] = "connection",
                                         [CHECK_CAPTURE] = "capture",
                                         [CHECK_MARKS] = "connection"};
    struct report *report = report_new("rdmapcap.check_list/1", RDMAPCAP_VERSION, NULL, 0);
    struct report_node *table = report_table(&report->root, "limits", "Limits of check",
                                             REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    struct output out;

    for (size_t i = 0; i < check_measure_count; i++) {
        const struct check_measure *m = &check_measures[i];

        report_row(table,
                   (struct report_value[]){report_text(m->name), report_text(m->unit),
                                           m->by_default ? report_count(0) : report_none(),
                                           report_text(judged[m->scope]), report_text(m->meaning)});
    }
    output_open(&out);
    if (o->format == FORMAT_JSON)
        report_render_json(&out.buffer, report);
    else
        report_render_text(&out.buffer, report, &(struct text_style){1000, o->color, true});
    report_free(report);
    return output_close(&out, STATUS_OK);
}

/* ------------------------------------------------------------------ the command */

static enum exit_status check(struct check *c)
{
    enum exit_status status = STATUS_USAGE;

    if (c->options.list)
        return list(&c->options);
    c->captures = g_ptr_array_new();
    if (make_policy(c) && all_captures(c))
        status = show(c);
    for (guint i = 0; i < c->captures->len; i++)
        check_capture_free(g_ptr_array_index(c->captures, i));
    g_ptr_array_free(c->captures, TRUE);
    check_policy_free(c->policy);
    return status;
}

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    struct check c = {0};
    const GOptionEntry own[] = {
        {"policy", 'p', 0, G_OPTION_ARG_FILENAME, &c.policy_path, "Limits from a file", "FILE"},
        {"max", 0, 0, G_OPTION_ARG_STRING_ARRAY, &c.max, "At most; may be given many times",
         "NAME=VALUE"},
        {"min", 0, 0, G_OPTION_ARG_STRING_ARRAY, &c.min, "At least", "NAME=VALUE"},
        {"expect-dscp", 0, 0, G_OPTION_ARG_STRING, &c.dscp, "DSCP values that are allowed", "LIST"},
        {"expect-pcp", 0, 0, G_OPTION_ARG_STRING, &c.pcp, "VLAN priorities that are allowed",
         "LIST"},
        {"defaults", 0, 0, G_OPTION_ARG_NONE, &c.defaults,
         "The default limits too, where others are given", NULL},
        {"together", 0, 0, G_OPTION_ARG_NONE, &c.together, "Join the files into one timeline",
         NULL},
        {0},
    };
    enum exit_status status;

    if (options_parse(&c.options, self, own, argc, argv, &status))
        status = check(&c);
    g_free(c.policy_path);
    g_strfreev(c.max);
    g_strfreev(c.min);
    g_free(c.dscp);
    g_free(c.pcp);
    options_done(&c.options);
    return status;
}

const struct command cmd_check = {
    .name = "check",
    .summary = "Does this capture meet a policy? For CI.",
    .usage = "FILE...",
    .options = OPTIONS_FILES | OPTIONS_VERDICTS | OPTIONS_ROWS | OPTIONS_COLOR,
    .formats = "text json junit sarif github",
    .list = "What can be limited: names, units, defaults",
    .details = "Without limits of your own: no PSN gap, resend, NAK, RNR NAK, timeout, bad ICRC.\n"
               "With --policy, --max, --min, --expect-*: what these name, and nothing else but\n"
               "with --defaults. Counts are totals of a capture; shares and times are those of\n"
               "each connection. What a capture can't show is never a pass: a limit that you\n"
               "named is undecided, a default limit is listed as not checked. A limit for which\n"
               "not all was followed, for want of memory, is undecided always.\n"
               "A policy is a key file, NAME=VALUE below [limits] (at most), [minimum], [expect]\n"
               "(exactly; kinds of events and lists of dscp and pcp too).\n"
               "Exit status: 0 passed, 1 a limit is broken, 2 usage or policy, 3 a FILE is\n"
               "damaged or can't be read, 4 undecided; of several, the first of 2, 3, 1, 4.\n",
    .example = "  rdmapcap check --max psn_gaps=0 --max retransmitted_pct=0.1 run.pcap.gz\n"
               "  rdmapcap check --policy lossless.policy -f junit runs/*.pcap.gz >check.xml\n",
    .run = run,
};
