/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Results of `check`; see check_result.h.
 */
#include "report/check_result.h"

struct check_capture *check_capture_new(const char *const *files, size_t rule_count)
{
    struct check_capture *c = g_new0(struct check_capture, 1);

    while (files[c->file_count] != NULL)
        c->file_count++;
    c->files = g_new0(char *, c->file_count + 1);
    for (size_t i = 0; i < c->file_count; i++)
        c->files[i] = g_strdup(files[i]);
    c->damage = g_ptr_array_new_with_free_func(g_free);
    c->judgements = g_new0(struct check_judgement, rule_count + 1);
    c->violations = g_array_new(FALSE, TRUE, sizeof(struct check_violation));
    return c;
}

void check_capture_free(struct check_capture *c)
{
    if (c == NULL)
        return;
    g_strfreev(c->files);
    g_ptr_array_free(c->damage, TRUE);
    g_free(c->judgements);
    g_array_free(c->violations, TRUE);
    g_free(c);
}

size_t check_capture_count(const struct check_capture *c, size_t rule_count,
                           enum check_status status)
{
    size_t n = 0;

    for (size_t i = 0; c->opened && i < rule_count; i++)
        n += c->judgements[i].status == status;
    return n;
}

bool check_is_open(const struct check_rule *rule, const struct check_judgement *judgement)
{
    return judgement->status == CHECK_NOT_SEEN && (rule->named || judgement->given_up);
}

static bool any_open(const struct check_capture *c, const struct check_rule *rules,
                     size_t rule_count)
{
    for (size_t i = 0; i < rule_count; i++)
        if (check_is_open(&rules[i], &c->judgements[i]))
            return true;
    return false;
}

void check_capture_settle(struct check_capture *c, const struct check_rule *rules,
                          size_t rule_count)
{
    if (!c->opened)
        c->outcome = CHECK_CAPTURE_UNREADABLE;
    else if (c->damage->len > 0)
        c->outcome = CHECK_CAPTURE_DAMAGED;
    else if (check_capture_count(c, rule_count, CHECK_FAILED) > 0)
        c->outcome = CHECK_CAPTURE_FAILED;
    else if (c->undecided != NULL || any_open(c, rules, rule_count))
        c->outcome = CHECK_CAPTURE_UNDECIDED;
    else
        c->outcome = CHECK_CAPTURE_PASSED;
}

const char *check_outcome_name(enum check_outcome outcome)
{
    static const char *const names[CHECK_CAPTURE_OUTCOMES] = {
        [CHECK_CAPTURE_PASSED] = "passed",         [CHECK_CAPTURE_FAILED] = "failed",
        [CHECK_CAPTURE_UNDECIDED] = "undecided",   [CHECK_CAPTURE_DAMAGED] = "damaged",
        [CHECK_CAPTURE_UNREADABLE] = "unreadable",
    };

    return names[outcome];
}
