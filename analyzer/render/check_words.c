/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Violations in words; see check_words.h.
 */
#include "render/check_words.h"

#include <math.h>
#include <string.h>

#include "render/safe.h"
#include "report/frame.h"

void check_number(struct buffer *out, double value)
{
    char text[64];
    size_t size;

    if (value < 1e15 && value >= floor(value) && value <= floor(value)) {
        buffer_uint(out, (uint64_t)value);
        return;
    }
    g_ascii_formatd(text, sizeof(text), "%.4f", value);
    size = strlen(text);
    while (text[size - 1] == '0')
        size--;
    size -= text[size - 1] == '.';
    buffer_bytes(out, text, size);
}

/* Counts need no unit */
static void unit(struct buffer *out, const struct check_rule *rule)
{
    if (strcmp(rule->unit, "%") == 0 || strcmp(rule->unit, "ms") == 0 ||
        strcmp(rule->unit, "us") == 0) {
        buffer_char(out, ' ');
        buffer_string(out, rule->unit);
    }
}

void check_comparison(struct buffer *out, const struct check_rule *rule,
                      const struct check_violation *v)
{
    static const char *const signs[] = {
        [CHECK_AT_MOST] = " > ",
        [CHECK_AT_LEAST] = " < ",
        [CHECK_EXACTLY] = " != ",
    };

    if (rule->relation == CHECK_ONE_OF) {
        buffer_string(out, v->seen);
        buffer_string(out, " not in ");
        buffer_string(out, rule->allowed);
        return;
    }
    if (v->lower_bound)
        buffer_string(out, "at least ");
    check_number(out, v->value);
    buffer_string(out, signs[rule->relation]);
    check_number(out, rule->limit);
    unit(out, rule);
}

void check_frame(struct buffer *out, const struct check_capture *capture, uint64_t frame)
{
    if (capture->file_count > 1) {
        safe_text(out, capture->files[frame_file(frame)]);
        buffer_char(out, ':');
    }
    buffer_uint(out, frame_number(frame));
}

void check_place(struct buffer *out, const struct check_capture *capture,
                 const struct check_violation *v)
{
    if (v->connection != 0)
        buffer_printf(out, "connection %u, %s - %s", v->connection, v->a, v->b);
    else
        buffer_string(out, "the whole capture");
    if (v->frame_count > 0)
        buffer_string(out, v->frame_count == 1 ? "; frame " : "; frames ");
    for (unsigned i = 0; i < v->frame_count; i++) {
        if (i > 0)
            buffer_string(out, ", ");
        check_frame(out, capture, v->frames[i]);
    }
}

void check_sentence(struct buffer *out, const struct check_report *report,
                    const struct check_capture *capture, const struct check_violation *v)
{
    const struct check_rule *rule = &report->rules[v->rule];

    buffer_string(out, rule->id);
    buffer_char(out, ' ');
    check_comparison(out, rule, v);
    buffer_string(out, ": ");
    check_place(out, capture, v);
}

void check_capture_name(struct buffer *out, const struct check_capture *capture)
{
    for (size_t i = 0; i < capture->file_count; i++) {
        if (i > 0)
            buffer_string(out, " + ");
        safe_text(out, capture->files[i]);
    }
}

static void rules_that_failed(struct buffer *out, const struct check_report *report,
                              const struct check_capture *capture)
{
    size_t n = check_capture_count(capture, report->rule_count, CHECK_FAILED);
    const char *between = ": ";

    buffer_printf(out, "%zu %s broken", n, n == 1 ? "limit" : "limits");
    for (size_t i = 0; i < report->rule_count; i++) {
        if (capture->judgements[i].status != CHECK_FAILED)
            continue;
        buffer_string(out, between);
        buffer_string(out, report->rules[i].id);
        between = ", ";
    }
}

static void what_is_open(struct buffer *out, const struct check_report *report,
                         const struct check_capture *capture)
{
    buffer_string(out, "can't decide: ");
    if (capture->undecided != NULL) {
        buffer_string(out, capture->undecided);
        return;
    }
    for (size_t i = 0, n = 0; i < report->rule_count; i++)
        if (check_is_open(&report->rules[i], &capture->judgements[i])) {
            buffer_string(out, n++ > 0 ? "; " : "");
            buffer_printf(out, "%s: %s", report->rules[i].id, capture->judgements[i].unseen);
        }
}

void check_verdict(struct buffer *out, const struct check_report *report,
                   const struct check_capture *capture)
{
    switch (capture->outcome) {
    case CHECK_CAPTURE_PASSED:
        break;
    case CHECK_CAPTURE_FAILED:
        rules_that_failed(out, report, capture);
        break;
    case CHECK_CAPTURE_UNDECIDED:
        what_is_open(out, report, capture);
        break;
    case CHECK_CAPTURE_DAMAGED:
    case CHECK_CAPTURE_UNREADABLE:
    case CHECK_CAPTURE_OUTCOMES:
        for (guint i = 0; i < capture->damage->len; i++) {
            buffer_string(out, i > 0 ? "; " : "");
            safe_text(out, g_ptr_array_index(capture->damage, i));
        }
        break;
    }
}
