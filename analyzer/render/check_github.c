/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found as workflow commands of GitHub Actions, which become annotations of the run.
 * A capture that passes says nothing.
 */
#include "render/check_render.h"
#include "render/check_words.h"

/* Commands end with the line; in properties, ':' and ',' are special too */
static void escaped(struct buffer *out, const char *text, size_t size, bool property)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];

        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            buffer_printf(out, "%%%02X", (unsigned)c);
        else
            buffer_char(out, c);
    }
}

static void command(struct buffer *out, const char *level, const struct check_capture *c,
                    const char *title, const struct buffer *message)
{
    struct buffer file = {0};

    check_capture_name(&file, c);
    buffer_printf(out, "::%s file=", level);
    escaped(out, file.data, file.used, true);
    buffer_printf(out, ",title=rdmapcap %s::", title);
    escaped(out, file.data, file.used, false);
    buffer_string(out, ": ");
    escaped(out, message->data, message->used, false);
    buffer_char(out, '\n');
    buffer_done(&file);
}

static void violations(struct buffer *out, const struct check_report *r,
                       const struct check_capture *c)
{
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);
        struct buffer message = {0};

        check_sentence(&message, r, c, v);
        command(out, "error", c, r->rules[v->rule].id, &message);
        buffer_done(&message);
    }
}

static void not_seen(struct buffer *out, const struct check_report *r,
                     const struct check_capture *c)
{
    for (size_t i = 0; c->opened && i < r->rule_count; i++) {
        const struct check_judgement *j = &c->judgements[i];
        bool open = check_is_open(&r->rules[i], j);
        struct buffer message = {0};

        if (j->status != CHECK_NOT_SEEN)
            continue;
        buffer_printf(&message, "%s %s: %s", r->rules[i].id,
                      open ? "can't be decided" : "was not checked", j->unseen);
        command(out, open ? "error" : "warning", c, r->rules[i].id, &message);
        buffer_done(&message);
    }
}

void check_render_github(struct buffer *out, const struct check_report *r)
{
    for (guint i = 0; i < r->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(r->captures, i);
        struct buffer verdict = {0};

        check_verdict(&verdict, r, c);
        if (c->outcome >= CHECK_CAPTURE_DAMAGED || c->undecided != NULL)
            command(out, "error", c, check_outcome_name(c->outcome), &verdict);
        buffer_done(&verdict);
        violations(out, r, c);
        if (c->undecided == NULL)
            not_seen(out, r, c);
    }
}
