/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found as JUnit XML, which CI systems show as a list of tests: a case a capture. What
 * can't be decided or read is an error, never a skipped case: those are shown as harmless.
 */
#include "render/check_render.h"
#include "render/check_words.h"

/* XML 1.0, 2.4. `text` has been made printable before. */
static void escaped(struct buffer *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        switch (text[i]) {
        case '&':
            buffer_string(out, "&amp;");
            break;
        case '<':
            buffer_string(out, "&lt;");
            break;
        case '>':
            buffer_string(out, "&gt;");
            break;
        case '"':
            buffer_string(out, "&quot;");
            break;
        default:
            buffer_char(out, text[i]);
        }
    }
}

static void escaped_name(struct buffer *out, const struct check_capture *c)
{
    struct buffer name = {0};

    check_capture_name(&name, c);
    escaped(out, name.data, name.used);
    buffer_done(&name);
}

static void violations(struct buffer *out, const struct check_report *r,
                       const struct check_capture *c)
{
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);
        struct buffer text = {0};

        check_sentence(&text, r, c, v);
        escaped(out, text.data, text.used);
        buffer_char(out, '\n');
        buffer_done(&text);
    }
}

static void not_seen(struct buffer *out, const struct check_report *r,
                     const struct check_capture *c)
{
    for (size_t i = 0; c->opened && i < r->rule_count; i++)
        if (c->judgements[i].status == CHECK_NOT_SEEN)
            buffer_printf(out, "not checked: %s: %s\n", r->rules[i].id, c->judgements[i].unseen);
}

static void problem(struct buffer *out, const struct check_report *r, const struct check_capture *c)
{
    const char *element = c->outcome == CHECK_CAPTURE_FAILED ? "failure" : "error";
    struct buffer verdict = {0};

    check_verdict(&verdict, r, c);
    buffer_printf(out, "      <%s type=\"%s\" message=\"", element, check_outcome_name(c->outcome));
    escaped(out, verdict.data, verdict.used);
    buffer_string(out, "\">");
    escaped(out, verdict.data, verdict.used);
    buffer_char(out, '\n');
    violations(out, r, c);
    buffer_printf(out, "</%s>\n", element);
    buffer_done(&verdict);
}

static void test_case(struct buffer *out, const struct check_report *r,
                      const struct check_capture *c)
{
    buffer_string(out, "    <testcase classname=\"rdmapcap.check\" name=\"");
    escaped_name(out, c);
    buffer_string(out, "\" time=\"0\">\n");
    if (c->outcome != CHECK_CAPTURE_PASSED)
        problem(out, r, c);
    if (check_capture_count(c, r->rule_count, CHECK_NOT_SEEN) > 0) {
        buffer_string(out, "      <system-out>");
        not_seen(out, r, c);
        buffer_string(out, "</system-out>\n");
    }
    buffer_string(out, "    </testcase>\n");
}

static void counts(struct buffer *out, const struct check_report *r)
{
    unsigned failures = 0, errors = 0;

    for (guint i = 0; i < r->captures->len; i++) {
        const struct check_capture *c = g_ptr_array_index(r->captures, i);

        failures += c->outcome == CHECK_CAPTURE_FAILED;
        errors += c->outcome >= CHECK_CAPTURE_UNDECIDED;
    }
    buffer_printf(out, "name=\"rdmapcap\" tests=\"%u\" failures=\"%u\" errors=\"%u\"",
                  r->captures->len, failures, errors);
}

void check_render_junit(struct buffer *out, const struct check_report *r)
{
    buffer_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ");
    counts(out, r);
    buffer_string(out, " time=\"0\">\n  <testsuite ");
    counts(out, r);
    buffer_string(out, " skipped=\"0\" time=\"0\">\n");
    for (guint i = 0; i < r->captures->len; i++)
        test_case(out, r, g_ptr_array_index(r->captures, i));
    buffer_string(out, "  </testsuite>\n</testsuites>\n");
}
