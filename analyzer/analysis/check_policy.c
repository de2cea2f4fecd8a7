/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Policies: what is asked of a capture, from options and from a key file:
 *
 *     [limits]             at most
 *     psn_gaps=0
 *     retransmitted_pct=0.1
 *     [minimum]            at least
 *     connections=1
 *     [expect]             exactly: counts, numbers of events of a kind, or lists of marks
 *     out_of_order=3
 *     hole_closed=3
 *     dscp=26,48
 */
#include "analysis/check.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MAX_POLICY = 1 << 20, /* bytes */
};

G_DEFINE_QUARK(rdmapcap - check - error - quark, check_error)

#define FAIL(error, ...) g_set_error(error, CHECK_ERROR, CHECK_ERROR_POLICY, __VA_ARGS__)

enum {
    DSCP_COUNT = 64,
    PCP_COUNT = 8,
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

static bool number(const char *text, double *out)
{
    char *end;

    *out = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && *out >= 0;
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
    if (!number(value, &n)) {
        FAIL(error, "%s: \"%s\" is no limit; give a number from 0", name, value);
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
    guint64 n;
    bool ok = true;

    *set = 0;
    for (size_t i = 0; ok && values[i] != NULL; i++) {
        if (values[i][0] == '\0')
            continue;
        ok = g_ascii_string_to_unsigned(values[i], 10, 0, count - 1, &n, NULL);
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

/* ------------------------------------------------------------------ the file */

/* GKeyFile does not tell where it found a key. 0: not found. */
static unsigned line_of(const char *text, const char *group, const char *key)
{
    char **lines = g_strsplit(text, "\n", -1);
    char *head = g_strdup_printf("[%s]", group);
    bool inside = false;
    unsigned found = 0;

    for (unsigned i = 0; found == 0 && lines[i] != NULL; i++) {
        const char *line = g_strstrip(lines[i]);
        size_t size = key != NULL ? strlen(key) : 0;

        if (line[0] == '[')
            inside = strcmp(line, head) == 0;
        if (inside && (key == NULL || (strncmp(line, key, size) == 0 &&
                                       (line[size] == '=' || g_ascii_isspace(line[size])))))
            found = i + 1;
    }
    g_free(head);
    g_strfreev(lines);
    return found;
}

static bool read_key(struct check_policy *p, const char *group, const char *key, const char *value,
                     GError **error)
{
    if (strcmp(group, "limits") == 0)
        return limit(p, CHECK_AT_MOST, key, value, error);
    if (strcmp(group, "minimum") == 0)
        return limit(p, CHECK_AT_LEAST, key, value, error);
    if (strcmp(key, "dscp") == 0)
        return check_policy_dscp(p, value, error);
    if (strcmp(key, "pcp") == 0)
        return check_policy_pcp(p, value, error);
    return limit(p, CHECK_EXACTLY, key, value, error);
}

static bool read_group(struct check_policy *p, GKeyFile *file, const char *text, const char *group,
                       GError **error)
{
    char **keys = g_key_file_get_keys(file, group, NULL, NULL);
    GError *why = NULL;

    for (size_t i = 0; why == NULL && keys[i] != NULL; i++) {
        char *value = g_key_file_get_value(file, group, keys[i], NULL);

        if (!read_key(p, group, keys[i], g_strstrip(value), &why))
            g_prefix_error(&why, "%s:%u: ", p->path, line_of(text, group, keys[i]));
        g_free(value);
    }
    g_strfreev(keys);
    if (why != NULL)
        g_propagate_error(error, why);
    return why == NULL;
}

static bool read_groups(struct check_policy *p, GKeyFile *file, const char *text, GError **error)
{
    static const char *const known[] = {"limits", "minimum", "expect", NULL};
    char **groups = g_key_file_get_groups(file, NULL);
    bool ok = true;

    for (size_t i = 0; ok && groups[i] != NULL; i++) {
        ok = g_strv_contains(known, groups[i]);
        if (!ok)
            FAIL(error, "%s:%u: unknown group [%s]; a policy has [limits], [minimum] and [expect]",
                 p->path, line_of(text, groups[i], NULL), groups[i]);
        else
            ok = read_group(p, file, text, groups[i], error);
    }
    g_strfreev(groups);
    if (ok && p->rules->len == 0) {
        FAIL(error, "%s: the policy asks for nothing; write limits below [limits]", p->path);
        ok = false;
    }
    return ok;
}

bool check_policy_read(struct check_policy *p, const char *path, GError **error)
{
    GKeyFile *file = g_key_file_new();
    GError *why = NULL;
    char *text = NULL;
    struct stat info;
    gsize size;
    bool ok;

    g_free(p->path);
    p->path = g_strdup(path);
    if (stat(path, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_size > MAX_POLICY)) {
        FAIL(error, "%s: this is no policy: a policy is a text file of at most %d KiB", path,
             MAX_POLICY / 1024);
        g_key_file_free(file);
        return false;
    }
    ok = g_file_get_contents(path, &text, &size, &why) &&
         g_key_file_load_from_data(file, text, size, G_KEY_FILE_NONE, &why);
    if (ok)
        ok = read_groups(p, file, text, error);
    else
        FAIL(error, "%s: can't read this policy: %s", path, why->message);
    g_clear_error(&why);
    g_free(text);
    g_key_file_free(file);
    return ok;
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
