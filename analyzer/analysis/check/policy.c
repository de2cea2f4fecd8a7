/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Policies: what is asked of a capture, as options and files (policy_file.c) name it.
 */
#include "analysis/check/check.h"

#include <string.h>

#include "analysis/decimal.h"

G_DEFINE_QUARK(rdmapcap - check - error - quark, check_error)

#define FAIL(error, ...) g_set_error(error, CHECK_ERROR, CHECK_ERROR_POLICY, __VA_ARGS__)

enum {
    DSCP_COUNT = 64,
    PCP_COUNT = 8,
    EXACT_BITS = 53, /* of a double */
};

struct check_policy *check_policy_new(void)
{
    struct check_policy *p = g_new0(struct check_policy, 1);

    p->rules = g_array_new(FALSE, TRUE, sizeof(struct check_rule));
    p->measures = g_ptr_array_new();
    return p;
}

void check_policy_free(struct check_policy *p)
{
    if (p == NULL)
        return;
    for (guint i = 0; i < p->rules->len; i++)
        g_free(g_array_index(p->rules, struct check_rule, i).allowed);
    g_array_free(p->rules, TRUE);
    g_ptr_array_free(p->measures, TRUE);
    g_free(p->path);
    g_free(p);
}

/* The rule of that measure and relation, made when new. What is said last counts. */
static struct check_rule *rule_of(struct check_policy *p, const struct check_measure *m,
                                  enum check_relation relation)
{
    struct check_rule rule = {.relation = relation, .named = true};

    for (guint i = 0; i < p->rules->len; i++) {
        struct check_rule *r = &g_array_index(p->rules, struct check_rule, i);

        if (g_ptr_array_index(p->measures, i) == m && r->relation == relation)
            return r;
    }
    rule.id = m->scope == CHECK_EVENTS ? flow_event_name(check_event_kind(m)) : m->name;
    rule.unit = m->scope == CHECK_EVENTS ? "events" : m->unit;
    rule.meaning = m->scope == CHECK_EVENTS ? "events of this kind" : m->meaning;
    g_array_append_val(p->rules, rule);
    g_ptr_array_add(p->measures, (gpointer)(uintptr_t)m);
    return &g_array_index(p->rules, struct check_rule, p->rules->len - 1);
}

/* Counts are compared as doubles: what they can't hold would pass as its neighbour. 2^53 itself is
 * what 2^53 + 1 is read as. */
static bool is_exact(double n)
{
    return n < (double)((uint64_t)1 << EXACT_BITS) && n == (double)(uint64_t)n;
}

static bool limit(struct check_policy *p, enum check_relation relation, const char *name,
                  const char *value, GError **error)
{
    const struct check_measure *m = check_measure_find(name);
    double n;

    if (m == NULL && relation == CHECK_EXACTLY)
        m = check_event_find(name);
    if (m == NULL || m->scope == CHECK_MARKS) {
        FAIL(error, "there is no limit of the name \"%s\"; see: rdmapcap check --list", name);
        return false;
    }
    if (relation == CHECK_EXACTLY && m->scope == CHECK_EACH) {
        FAIL(error, "%s is no count; write it below [limits] or [minimum]", name);
        return false;
    }
    if (!decimal_real(value, &n)) {
        FAIL(error, "%s: \"%s\" is no limit; give a decimal number from 0", name, value);
        return false;
    }
    if (relation == CHECK_EXACTLY && !is_exact(n)) {
        FAIL(error, "%s: %s can't be compared exactly; a count is a whole number below 2^%d", name,
             value, EXACT_BITS);
        return false;
    }
    rule_of(p, m, relation)->limit = n;
    return true;
}

bool check_policy_limit(struct check_policy *p, enum check_relation relation, const char *text,
                        GError **error)
{
    char **pair = g_strsplit(text, "=", 2);
    bool ok = g_strv_length(pair) == 2;

    if (ok)
        ok = limit(p, relation, g_strstrip(pair[0]), g_strstrip(pair[1]), error);
    else
        FAIL(error, "\"%s\" is no limit; write NAME=VALUE, such as psn_gaps=0", text);
    g_strfreev(pair);
    return ok;
}

/* ------------------------------------------------------------------ DSCP and PCP */

static bool marks(const char *name, const char *list, unsigned count, uint64_t *set, GError **error)
{
    char **values = g_strsplit_set(list, ",; ", -1);
    uint64_t n;
    bool ok = true;

    *set = 0;
    for (size_t i = 0; ok && values[i] != NULL; i++) {
        if (values[i][0] == '\0')
            continue;
        ok = decimal_whole(values[i], 0, count - 1, &n);
        if (ok)
            *set |= (uint64_t)1 << n;
    }
    g_strfreev(values);
    ok = ok && *set != 0;
    if (!ok)
        FAIL(error, "%s: \"%s\" is no list of values; give numbers from 0 to %u, by commas", name,
             list, count - 1);
    return ok;
}

static void allow(struct check_policy *p, const char *name, uint64_t set)
{
    struct check_rule *rule = rule_of(p, check_measure_find(name), CHECK_ONE_OF);
    GString *text = g_string_new(NULL);

    for (unsigned i = 0; i < DSCP_COUNT; i++)
        if ((set >> i & 1) != 0)
            g_string_append_printf(text, "%s%u", text->len > 0 ? "," : "", i);
    g_free(rule->allowed);
    rule->allowed = g_string_free(text, FALSE);
}

bool check_policy_dscp(struct check_policy *p, const char *list, GError **error)
{
    if (!marks("dscp", list, DSCP_COUNT, &p->dscp, error))
        return false;
    allow(p, "dscp", p->dscp);
    return true;
}

bool check_policy_pcp(struct check_policy *p, const char *list, GError **error)
{
    uint64_t set;

    if (!marks("pcp", list, PCP_COUNT, &set, error))
        return false;
    p->pcp = (uint8_t)set;
    allow(p, "pcp", set);
    return true;
}

void check_policy_defaults(struct check_policy *p)
{
    for (size_t i = 0; i < check_measure_count; i++) {
        guint before = p->rules->len;

        if (check_measures[i].by_default) {
            struct check_rule *rule = rule_of(p, &check_measures[i], CHECK_AT_MOST);

            if (p->rules->len > before)
                rule->named = false;
        }
    }
}
