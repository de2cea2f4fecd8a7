/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found, for programs: schema "rdmapcap.check/1".
 */
#include "render/check_render.h"
#include "render/check_words.h"
#include "render/json_writer.h"

static void number_member(struct json_writer *w, const char *key, double value)
{
    json_key(w, key);
    check_number(w->out, value);
    w->comma = true;
}

static const char *relation_name(enum check_relation relation)
{
    static const char *const names[] = {
        [CHECK_AT_MOST] = "at_most",
        [CHECK_AT_LEAST] = "at_least",
        [CHECK_EXACTLY] = "exactly",
        [CHECK_ONE_OF] = "one_of",
    };

    return names[relation];
}

static void limit_member(struct json_writer *w, const struct check_rule *rule)
{
    if (rule->relation == CHECK_ONE_OF)
        json_text_member(w, "limit", rule->allowed);
    else
        number_member(w, "limit", rule->limit);
}

static void rule_members(struct json_writer *w, const struct check_rule *rule)
{
    json_text_member(w, "rule", rule->id);
    json_text_member(w, "relation", relation_name(rule->relation));
    limit_member(w, rule);
    json_text_member(w, "unit", rule->unit);
}

static void policy(struct json_writer *w, const struct check_report *r)
{
    json_key(w, "policy");
    json_open(w, '{');
    json_text_member(w, "file", r->policy);
    json_key(w, "rules");
    json_open(w, '[');
    for (size_t i = 0; i < r->rule_count; i++) {
        json_element(w);
        json_open(w, '{');
        rule_members(w, &r->rules[i]);
        json_key(w, "named");
        json_bool(w, r->rules[i].named);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

static void endpoints(struct json_writer *w, const struct check_violation *v)
{
    json_key(w, "connection");
    if (v->connection == 0) {
        json_null(w);
        return;
    }
    json_open(w, '{');
    json_uint_member(w, "id", v->connection);
    json_text_member(w, "a", v->a);
    json_text_member(w, "b", v->b);
    json_close(w, '}');
}

static void frames(struct json_writer *w, const struct check_capture *c,
                   const struct check_violation *v)
{
    bool pretty = w->pretty;

    json_key(w, "frames");
    json_open(w, '[');
    w->pretty = false;
    for (unsigned i = 0; i < v->frame_count; i++) {
        struct buffer name = {0};

        json_element(w);
        check_frame(&name, c, v->frames[i]);
        buffer_char(&name, '\0');
        if (c->file_count > 1)
            json_string(w, name.data);
        else
            json_literal(w, name.data);
        buffer_done(&name);
    }
    json_close(w, ']');
    w->pretty = pretty;
}

static void violations(struct json_writer *w, const struct check_report *r,
                       const struct check_capture *c)
{
    json_key(w, "violations");
    json_open(w, '[');
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);
        struct buffer message = {0};

        json_element(w);
        json_open(w, '{');
        rule_members(w, &r->rules[v->rule]);
        if (r->rules[v->rule].relation == CHECK_ONE_OF)
            json_text_member(w, "value", v->seen);
        else
            number_member(w, "value", v->value);
        json_key(w, "lower_bound");
        json_bool(w, v->lower_bound);
        endpoints(w, v);
        frames(w, c, v);
        check_sentence(&message, r, c, v);
        buffer_char(&message, '\0');
        json_text_member(w, "message", message.data);
        buffer_done(&message);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void judgements(struct json_writer *w, const struct check_report *r,
                       const struct check_capture *c)
{
    static const char *const names[] = {
        [CHECK_PASSED] = "passed", [CHECK_FAILED] = "failed", [CHECK_NOT_SEEN] = "not_checked"};

    json_key(w, "results");
    json_open(w, '[');
    for (size_t i = 0; c->opened && i < r->rule_count; i++) {
        const struct check_judgement *j = &c->judgements[i];

        json_element(w);
        json_open(w, '{');
        json_text_member(w, "rule", r->rules[i].id);
        json_text_member(w, "relation", relation_name(r->rules[i].relation));
        json_text_member(w, "status",
                         check_is_open(&r->rules[i], j) ? "undecided" : names[j->status]);
        if (j->known) {
            number_member(w, "value", j->value);
        } else if (r->rules[i].relation != CHECK_ONE_OF) {
            json_key(w, "value");
            json_null(w);
        }
        json_key(w, "lower_bound");
        json_bool(w, j->known && j->lower_bound);
        json_text_member(w, "unknown", j->unseen);
        json_uint_member(w, "violations", j->violations);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void texts(struct json_writer *w, const char *key, char *const *list, size_t count)
{
    json_key(w, key);
    json_open(w, '[');
    for (size_t i = 0; i < count; i++) {
        json_element(w);
        json_string(w, list[i]);
    }
    json_close(w, ']');
}

static void capture(struct json_writer *w, const struct check_report *r,
                    const struct check_capture *c)
{
    json_open(w, '{');
    texts(w, "files", c->files, c->file_count);
    json_text_member(w, "status", check_outcome_name(c->outcome));
    json_key(w, "capture");
    if (c->opened) {
        json_open(w, '{');
        json_uint_member(w, "packets", c->packets);
        json_uint_member(w, "connections", c->connections);
        json_close(w, '}');
    } else {
        json_null(w);
    }
    texts(w, "damage", (char *const *)c->damage->pdata, c->damage->len);
    json_text_member(w, "undecided", c->undecided);
    violations(w, r, c);
    judgements(w, r, c);
    json_close(w, '}');
}

static void all_files(struct json_writer *w, const struct check_report *r)
{
    json_key(w, "capture");
    json_open(w, '{');
    json_key(w, "files");
    json_open(w, '[');
    for (guint i = 0; i < r->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(r->captures, i);

        for (size_t k = 0; k < c->file_count; k++) {
            json_element(w);
            json_string(w, c->files[k]);
        }
    }
    json_close(w, ']');
    json_close(w, '}');
}

/* Of all captures; NULL where it says nothing about them */
static const char *status(const struct check_report *r)
{
    static const char *const names[] = {
        [0] = "passed", [1] = "failed", [3] = "unreadable", [4] = "undecided"};

    for (guint i = 0; r->exit_status == 3 && i < r->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(r->captures, i);

        if (c->outcome == CHECK_CAPTURE_DAMAGED)
            return check_outcome_name(c->outcome);
    }
    return (size_t)r->exit_status < G_N_ELEMENTS(names) ? names[r->exit_status] : NULL;
}

void check_render_json(struct buffer *out, const struct check_report *r)
{
    struct json_writer w = {.out = out, .pretty = true};

    json_open(&w, '{');
    json_text_member(&w, "schema", "rdmapcap.check/1");
    json_text_member(&w, "tool_version", r->tool_version);
    all_files(&w, r);
    json_text_member(&w, "status", status(r));
    json_uint_member(&w, "exit_status", (uint64_t)r->exit_status);
    policy(&w, r);
    json_key(&w, "captures");
    json_open(&w, '[');
    for (guint i = 0; i < r->captures->len; i++) {
        json_element(&w);
        capture(&w, r, g_ptr_array_index(r->captures, i));
    }
    json_close(&w, ']');
    json_close(&w, '}');
    buffer_char(out, '\n');
}
