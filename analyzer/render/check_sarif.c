/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found as SARIF 2.1.0 (OASIS), section numbers below are of it. A violation is a
 * result of kind "fail", what can't be decided one of kind "open" (3.27.9); what can't be read is a
 * notification of the invocation (3.20.21).
 */
#include "render/check_render.h"
#include "render/check_words.h"
#include "render/json_writer.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static void message(struct json_writer *w, const char *key, struct buffer *text)
{
    buffer_char(text, '\0');
    json_key(w, key);
    json_open(w, '{');
    json_text_member(w, "text", text->data);
    json_close(w, '}');
    buffer_done(text);
}

/* 3.4.3: a URI reference; relative ones stay relative */
static void artifact(struct json_writer *w, const char *file)
{
    char *uri = g_uri_escape_string(file, G_URI_RESERVED_CHARS_SUBCOMPONENT_DELIMITERS "/@", FALSE);
    char *absolute = file[0] == '/' ? g_strconcat("file://", uri, NULL) : NULL;

    json_key(w, "artifactLocation");
    json_open(w, '{');
    json_text_member(w, "uri", absolute != NULL ? absolute : uri);
    json_close(w, '}');
    g_free(absolute);
    g_free(uri);
}

static void locations(struct json_writer *w, const struct check_capture *c,
                      const struct check_violation *v)
{
    json_key(w, "locations");
    json_open(w, '[');
    for (size_t i = 0; i < c->file_count; i++) {
        json_element(w);
        json_open(w, '{');
        json_key(w, "physicalLocation");
        json_open(w, '{');
        artifact(w, c->files[i]);
        json_close(w, '}');
        if (v != NULL && v->connection != 0) {
            struct buffer name = {0};

            buffer_printf(&name, "connection %u, %s - %s", v->connection, v->a, v->b);
            buffer_char(&name, '\0');
            json_key(w, "logicalLocations");
            json_open(w, '[');
            json_element(w);
            json_open(w, '{');
            json_text_member(w, "fullyQualifiedName", name.data);
            json_close(w, '}');
            json_close(w, ']');
            buffer_done(&name);
        }
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void properties(struct json_writer *w, const struct check_report *r,
                       const struct check_capture *c, const struct check_violation *v)
{
    const struct check_rule *rule = &r->rules[v->rule];

    json_key(w, "properties");
    json_open(w, '{');
    json_key(w, "frames");
    json_open(w, '[');
    for (unsigned i = 0; i < v->frame_count; i++) {
        struct buffer frame = {0};

        check_frame(&frame, c, v->frames[i]);
        buffer_char(&frame, '\0');
        json_element(w);
        json_string(w, frame.data);
        buffer_done(&frame);
    }
    json_close(w, ']');
    if (rule->relation != CHECK_ONE_OF) {
        json_key(w, "value");
        check_number(w->out, v->value);
        w->comma = true;
        json_key(w, "limit");
        check_number(w->out, rule->limit);
        w->comma = true;
    }
    json_close(w, '}');
}

/* 3.27 */
static void begin_result(struct json_writer *w, const struct check_report *r, size_t rule,
                         bool open)
{
    json_element(w);
    json_open(w, '{');
    json_text_member(w, "ruleId", r->rules[rule].id);
    json_key(w, "kind");
    json_plain(w, open ? "open" : "fail");
    json_key(w, "level");
    json_plain(w, open ? "none" : "error");
}

static void violations(struct json_writer *w, const struct check_report *r,
                       const struct check_capture *c)
{
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);
        struct buffer text = {0};

        begin_result(w, r, v->rule, false);
        check_sentence(&text, r, c, v);
        message(w, "message", &text);
        locations(w, c, v);
        properties(w, r, c, v);
        json_close(w, '}');
    }
}

static void open_questions(struct json_writer *w, const struct check_report *r,
                           const struct check_capture *c)
{
    for (size_t i = 0; c->opened && i < r->rule_count; i++) {
        struct buffer text = {0};

        if (c->judgements[i].status != CHECK_NOT_SEEN)
            continue;
        begin_result(w, r, i, true);
        buffer_printf(&text, "%s can't be decided: %s", r->rules[i].id, c->judgements[i].unseen);
        message(w, "message", &text);
        locations(w, c, NULL);
        json_close(w, '}');
    }
}

/* 3.58 */
static void notifications(struct json_writer *w, const struct check_report *r)
{
    json_key(w, "toolExecutionNotifications");
    json_open(w, '[');
    for (guint i = 0; i < r->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(r->captures, i);
        struct buffer text = {0};

        if (c->outcome < CHECK_CAPTURE_DAMAGED && c->undecided == NULL)
            continue;
        check_verdict(&text, r, c);
        json_element(w);
        json_open(w, '{');
        json_key(w, "level");
        json_plain(w, "error");
        message(w, "message", &text);
        locations(w, c, NULL);
        json_close(w, '}');
    }
    json_close(w, ']');
}

/* 3.20 */
static void invocation(struct json_writer *w, const struct check_report *r)
{
    json_key(w, "invocations");
    json_open(w, '[');
    json_element(w);
    json_open(w, '{');
    json_key(w, "executionSuccessful");
    json_bool(w, r->exit_status == 0 || r->exit_status == 1);
    json_key(w, "exitCode");
    json_int(w, r->exit_status);
    notifications(w, r);
    json_close(w, '}');
    json_close(w, ']');
}

/* A rule of several relations is one rule here: ids are unique (3.19.23) */
static bool is_repeated(const struct check_report *r, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (r->rules[i].id == r->rules[at].id)
            return true;
    return false;
}

static void tool(struct json_writer *w, const struct check_report *r)
{
    json_key(w, "tool");
    json_open(w, '{');
    json_key(w, "driver");
    json_open(w, '{');
    json_text_member(w, "name", "rdmapcap");
    json_text_member(w, "version", r->tool_version);
    json_key(w, "rules");
    json_open(w, '[');
    for (size_t i = 0; i < r->rule_count; i++) {
        struct buffer text = {0};

        if (is_repeated(r, i))
            continue;
        json_element(w);
        json_open(w, '{');
        json_text_member(w, "id", r->rules[i].id);
        buffer_string(&text, r->rules[i].meaning);
        message(w, "shortDescription", &text);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, '}');
}

void check_render_sarif(struct buffer *out, const struct check_report *r)
{
    struct json_writer w = {.out = out, .pretty = true};

    json_open(&w, '{');
    json_text_member(&w, "$schema", SCHEMA);
    json_text_member(&w, "version", "2.1.0");
    json_key(&w, "runs");
    json_open(&w, '[');
    json_element(&w);
    json_open(&w, '{');
    tool(&w, r);
    invocation(&w, r);
    json_key(&w, "results");
    json_open(&w, '[');
    for (guint i = 0; i < r->captures->len; i++) {
        violations(&w, r, g_ptr_array_index(r->captures, i));
        open_questions(&w, r, g_ptr_array_index(r->captures, i));
    }
    json_close(&w, ']');
    json_close(&w, '}');
    json_close(&w, ']');
    json_close(&w, '}');
    buffer_char(out, '\n');
}
