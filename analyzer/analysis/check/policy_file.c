/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Policies in files. A GLib key file:
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
 *
 * Each group and each key of a group once. What the names mean is in policy.c.
 */
#include <string.h>
#include <sys/stat.h>

#include "analysis/check/check.h"

enum {
    MAX_POLICY = 64 << 10, /* bytes */
};

#define FAIL(error, ...) g_set_error(error, CHECK_ERROR, CHECK_ERROR_POLICY, __VA_ARGS__)

/* Some editors of Windows begin a text with it */
static const char byte_order_mark[] = "\xef\xbb\xbf";

static unsigned lines_in(const char *text);
static bool read_text(struct check_policy *p, const char *text, GError **error);
static bool said_once(const struct check_policy *p, const char *text, GError **error);
static bool read_groups(struct check_policy *p, GKeyFile *file, const char *text, GError **error);
static bool read_group(struct check_policy *p, GKeyFile *file, const char *text, const char *group,
                       GError **error);
static bool read_key(struct check_policy *p, const char *group, const char *key, const char *value,
                     GError **error);

bool check_policy_read(struct check_policy *p, const char *path, GError **error)
{
    GError *why = NULL;
    char *text = NULL;
    gsize size = 0;
    struct stat info;
    bool ok;

    g_free(p->path);
    p->path = g_strdup(path);
    if (stat(path, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_size > MAX_POLICY)) {
        FAIL(error, "%s: this is no policy: a policy is a text file of at most %d KiB", path,
             MAX_POLICY / 1024);
        return false;
    }
    if (!g_file_get_contents(path, &text, &size, &why)) {
        FAIL(error, "%s: can't read this policy: %s", path, why->message);
        g_error_free(why);
        return false;
    }
    if (g_str_has_prefix(text, "\xff\xfe") || g_str_has_prefix(text, "\xfe\xff")) {
        FAIL(error, "%s: can't read this policy: it is UTF-16; save it as UTF-8", path);
        g_free(text);
        return false;
    }
    if (strlen(text) < size) {
        FAIL(error, "%s:%u: can't read this policy: there is a zero byte, which no text has", path,
             lines_in(text));
        g_free(text);
        return false;
    }
    ok = read_text(
        p, g_str_has_prefix(text, byte_order_mark) ? text + strlen(byte_order_mark) : text, error);
    g_free(text);
    return ok;
}

static unsigned lines_in(const char *text)
{
    unsigned lines = 1;

    while ((text = strchr(text, '\n')) != NULL) {
        lines++;
        text++;
    }
    return lines;
}

/* The end of a line, its newline included */
static size_t end_of_line(const char *text, unsigned line)
{
    const char *at = text;

    for (unsigned i = 0; i < line && *at != '\0'; i++) {
        const char *end = strchr(at, '\n');

        at = end != NULL ? end + 1 : at + strlen(at);
    }
    return (size_t)(at - text);
}

/* GKeyFile does not tell where it gave up: at the last line of the shortest beginning that it
 * refuses. */
static unsigned broken_line(const char *text)
{
    unsigned good = 0, bad = lines_in(text);

    while (bad - good > 1) {
        unsigned middle = good + (bad - good) / 2;
        GKeyFile *file = g_key_file_new();

        if (g_key_file_load_from_data(file, text, end_of_line(text, middle),
                                      G_KEY_FILE_KEEP_TRANSLATIONS, NULL))
            good = middle;
        else
            bad = middle;
        g_key_file_free(file);
    }
    return bad;
}

static bool read_text(struct check_policy *p, const char *text, GError **error)
{
    GKeyFile *file = g_key_file_new();
    GError *why = NULL;
    bool ok = g_key_file_load_from_data(file, text, (gsize)-1, G_KEY_FILE_KEEP_TRANSLATIONS, &why);

    if (ok)
        ok = said_once(p, text, error) && read_groups(p, file, text, error);
    else
        FAIL(error, "%s:%u: can't read this policy: %s", p->path, broken_line(text), why->message);
    g_clear_error(&why);
    g_key_file_free(file);
    return ok;
}

/* What a line says: "[group]", or the key of "key=value". Cuts the line; NULL: nothing. */
static const char *name_of(char *line)
{
    char *equals = strchr(line, '=');

    g_strstrip(line);
    if (line[0] == '[')
        return line;
    if (line[0] == '#' || equals == NULL)
        return NULL;
    *equals = '\0';
    return g_strchomp(line);
}

/* GKeyFile takes the last of two equal keys and joins equal groups: half of such a policy would be
 * ignored without a word. */
static bool said_once(const struct check_policy *p, const char *text, GError **error)
{
    GHashTable *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    char **lines = g_strsplit(text, "\n", -1);
    const char *group = "";
    unsigned first = 0;

    for (unsigned i = 0; first == 0 && lines[i] != NULL; i++) {
        const char *name = name_of(lines[i]);
        char *full;

        if (name == NULL)
            continue;
        if (name[0] == '[')
            group = name;
        full = g_strconcat(group, name, NULL);
        first = GPOINTER_TO_UINT(g_hash_table_lookup(seen, full));
        if (first != 0)
            FAIL(error, "%s:%u: %s is there twice (before in line %u); remove one", p->path, i + 1,
                 name, first);
        g_hash_table_insert(seen, full, GUINT_TO_POINTER(i + 1));
    }
    g_hash_table_destroy(seen);
    g_strfreev(lines);
    return first == 0;
}

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

static bool read_limit(struct check_policy *p, enum check_relation relation, const char *key,
                       const char *value, GError **error)
{
    char *text = g_strconcat(key, "=", value, NULL);
    bool ok = check_policy_limit(p, relation, text, error);

    g_free(text);
    return ok;
}

static bool read_key(struct check_policy *p, const char *group, const char *key, const char *value,
                     GError **error)
{
    if (strcmp(group, "limits") == 0)
        return read_limit(p, CHECK_AT_MOST, key, value, error);
    if (strcmp(group, "minimum") == 0)
        return read_limit(p, CHECK_AT_LEAST, key, value, error);
    if (strcmp(key, "dscp") == 0)
        return check_policy_dscp(p, value, error);
    if (strcmp(key, "pcp") == 0)
        return check_policy_pcp(p, value, error);
    return read_limit(p, CHECK_EXACTLY, key, value, error);
}
