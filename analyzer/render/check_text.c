/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found, for people: a line a capture, and below it what was broken or can't be seen.
 */
#include "render/check_render.h"
#include "render/check_words.h"

enum {
    SHOWN = 10, /* violations of one rule, unless all are asked for */
};

struct page {
    struct buffer *out;
    const struct check_report *report;
    bool color, all;
    size_t name_width, comparison_width;
};

static void outcome(struct page *p, const struct check_capture *c)
{
    static const char *const colors[CHECK_CAPTURE_OUTCOMES] = {
        [CHECK_CAPTURE_PASSED] = "32",     [CHECK_CAPTURE_FAILED] = "31",
        [CHECK_CAPTURE_UNDECIDED] = "33",  [CHECK_CAPTURE_DAMAGED] = "31",
        [CHECK_CAPTURE_UNREADABLE] = "31",
    };
    const char *name = check_outcome_name(c->outcome);

    if (p->color)
        buffer_printf(p->out, "\033[%sm%-9s \033[0m", colors[c->outcome], name);
    else
        buffer_printf(p->out, "%-9s ", name);
}

/* Widths of the columns, over what this capture shows */
static void measure(struct page *p, const struct check_capture *c)
{
    struct buffer text = {0};

    p->name_width = p->comparison_width = 0;
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);

        text.used = 0;
        check_comparison(&text, &p->report->rules[v->rule], v);
        p->comparison_width = MAX(p->comparison_width, text.used);
        text.used = 0;
        buffer_string(&text, p->report->rules[v->rule].id);
        p->name_width = MAX(p->name_width, text.used);
    }
    buffer_done(&text);
}

static void one_violation(struct page *p, const struct check_capture *c,
                          const struct check_violation *v)
{
    const struct check_rule *rule = &p->report->rules[v->rule];
    struct buffer cell = {0};

    buffer_string(&cell, rule->id);
    buffer_spaces(&cell, p->name_width - cell.used + 2);
    check_comparison(&cell, rule, v);
    buffer_string(p->out, "  ");
    buffer_bytes(p->out, cell.data, cell.used);
    buffer_spaces(p->out, p->name_width + 2 + p->comparison_width - cell.used + 2);
    check_place(p->out, c, v);
    buffer_char(p->out, '\n');
    buffer_done(&cell);
}

static void violations(struct page *p, const struct check_capture *c)
{
    uint64_t shown = 0;

    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);
        uint64_t count = c->judgements[v->rule].violations;
        bool last = i + 1 == c->violations->len || (v + 1)->rule != v->rule;

        if (shown < SHOWN || p->all) {
            one_violation(p, c, v);
            shown++;
        }
        if (!last)
            continue;
        if (shown < count)
            buffer_printf(p->out, "  %s: and %" G_GUINT64_FORMAT " more\n",
                          p->report->rules[v->rule].id, count - shown);
        shown = 0;
    }
}

static void not_seen(struct page *p, const struct check_capture *c)
{
    for (size_t i = 0; c->opened && i < p->report->rule_count; i++) {
        const struct check_judgement *j = &c->judgements[i];

        if (j->status != CHECK_NOT_SEEN)
            continue;
        buffer_printf(p->out, "  %s: %s: %s\n",
                      check_is_open(&p->report->rules[i], j) ? "can't be decided" : "not checked",
                      p->report->rules[i].id, j->unseen);
    }
}

static void one_capture(struct page *p, const struct check_capture *c)
{
    const struct check_report *r = p->report;

    outcome(p, c);
    check_capture_name(p->out, c);
    buffer_string(p->out, ": ");
    if (c->outcome == CHECK_CAPTURE_PASSED)
        buffer_printf(p->out, "%zu of %zu limits kept, %" G_GUINT64_FORMAT " packets",
                      check_capture_count(c, r->rule_count, CHECK_PASSED), r->rule_count,
                      c->packets);
    else if (c->outcome == CHECK_CAPTURE_UNDECIDED && c->undecided == NULL)
        buffer_string(p->out, "can't decide");
    else
        check_verdict(p->out, r, c);
    buffer_char(p->out, '\n');
    measure(p, c);
    violations(p, c);
    if (c->undecided == NULL)
        not_seen(p, c);
}

void check_render_text(struct buffer *out, const struct check_report *report, bool color, bool all)
{
    struct page p = {.out = out, .report = report, .color = color, .all = all};
    size_t counts[CHECK_CAPTURE_OUTCOMES] = {0};
    const char *between = ": ";

    for (guint i = 0; i < report->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(report->captures, i);

        one_capture(&p, c);
        counts[c->outcome]++;
    }
    if (report->captures->len < 2)
        return;
    buffer_printf(out, "%u captures", report->captures->len);
    for (unsigned i = 0; i < CHECK_CAPTURE_OUTCOMES; i++) {
        if (counts[i] == 0)
            continue;
        buffer_printf(out, "%s%zu %s", between, counts[i],
                      check_outcome_name((enum check_outcome)i));
        between = ", ";
    }
    buffer_char(out, '\n');
}
