/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Building, searching and freeing the report tree.
 */
#include "report/report.h"

#include <glib.h>

static void node_clear(struct report_node *node);

struct report *report_new(const char *schema, const char *tool_version, const char *const *files,
                          size_t file_count)
{
    struct report *report = g_new0(struct report, 1);

    report->schema = schema;
    report->tool_version = tool_version;
    report->files = files;
    report->file_count = file_count;
    report->root.kind = REPORT_SECTION;
    return report;
}

void report_free(struct report *report)
{
    if (report == NULL)
        return;
    node_clear(&report->root);
    g_free(report);
}

void report_without_times(struct report *report, const char *reason)
{
    report->root.untimed = reason;
}

static struct report_node *add(struct report_node *parent, enum report_kind kind, const char *key,
                               const char *title)
{
    struct report_node *node = g_new0(struct report_node, 1);

    node->kind = kind;
    node->key = key;
    node->title = title;
    node->untimed = parent->untimed;
    if (parent->last != NULL)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

static struct report_value timed(const struct report_node *node, struct report_value v)
{
    bool of_time = v.type == REPORT_NS || v.type == REPORT_TIME || v.type == REPORT_BPS;

    if (node->untimed == NULL || v.source == REPORT_STATED ||
        (!of_time && v.source != REPORT_CLOCKED))
        return v;
    return report_unknown(node->untimed);
}

/* The tree outlives what analyses hand over */
static struct report_value value_copy(struct report_value v)
{
    if (v.type == REPORT_TEXT || v.type == REPORT_UNKNOWN)
        v.text = g_strdup(v.text);
    else if (v.type == REPORT_FRAMES || v.type == REPORT_NUMBERS || v.type == REPORT_MAP)
        v.list = g_memdup2(v.list, v.size * sizeof(*v.list));
    if (v.type == REPORT_MAP) {
        char **names = g_new0(char *, v.size + 1);

        for (size_t i = 0; i < v.size; i++)
            names[i] = g_strdup(v.texts[i]);
        v.texts = (const char *const *)names;
    } else if (v.type == REPORT_TEXTS) {
        v.texts = (const char *const *)g_strdupv((char **)(uintptr_t)v.texts);
    }
    return v;
}

static void value_clear(struct report_value *v)
{
    if (v->type == REPORT_TEXT || v->type == REPORT_UNKNOWN)
        g_free((char *)(uintptr_t)v->text);
    else if (v->type == REPORT_FRAMES || v->type == REPORT_NUMBERS || v->type == REPORT_MAP)
        g_free((uint64_t *)(uintptr_t)v->list);
    if (v->type == REPORT_MAP || v->type == REPORT_TEXTS)
        g_strfreev((char **)(uintptr_t)v->texts);
}

static void node_clear(struct report_node *node)
{
    struct report_node *child = node->first;

    while (child != NULL) {
        struct report_node *next = child->next;

        node_clear(child);
        g_free(child);
        child = next;
    }
    if (node->kind == REPORT_ITEM || node->kind == REPORT_LINE)
        value_clear(&node->value);
    for (size_t i = 0; node->maker.row == NULL && i < node->row_count * node->column_count; i++)
        value_clear(&node->cells[i]);
    g_free(node->cells);
    if (node->maker.free != NULL)
        node->maker.free(node->maker.context);
}

struct report_node *report_section(struct report_node *parent, const char *key, const char *title)
{
    return add(parent, REPORT_SECTION, key, title);
}

void report_item(struct report_node *section, const char *key, const char *title,
                 struct report_value value)
{
    add(section, REPORT_ITEM, key, title)->value = value_copy(timed(section, value));
}

void report_line(struct report_node *section, const char *text)
{
    add(section, REPORT_LINE, NULL, NULL)->value = value_copy(report_text(text));
}

void report_paragraph(struct report_node *section, const char *label, enum report_mood mood,
                      const char *text)
{
    struct report_node *node = add(section, REPORT_LINE, NULL, label);

    node->value = value_copy(report_text(text));
    node->value.mood = (uint8_t)mood;
}

struct report_node *report_table(struct report_node *section, const char *key, const char *title,
                                 enum report_shape shape, const struct report_column *columns,
                                 size_t column_count)
{
    struct report_node *table = add(section, REPORT_TABLE, key, title);

    table->shape = shape;
    table->columns = columns;
    table->column_count = column_count;
    return table;
}

void report_row(struct report_node *table, const struct report_value *cells)
{
    size_t used = table->row_count * table->column_count;

    /* grows at powers of two */
    if ((table->row_count & (table->row_count - 1)) == 0)
        table->cells = g_renew(struct report_value, table->cells,
                               MAX(table->row_count * 2, 1) * table->column_count);
    for (size_t i = 0; i < table->column_count; i++)
        table->cells[used + i] = value_copy(timed(table, cells[i]));
    table->row_count++;
}

void report_rows(struct report_node *table, size_t count, struct report_maker maker)
{
    g_assert(table->row_count == 0);
    table->cells = g_new0(struct report_value, table->column_count);
    table->row_count = count;
    table->maker = maker;
}

const struct report_value *report_cells(const struct report_node *table, size_t row)
{
    if (table->maker.row == NULL)
        return table->cells + row * table->column_count;
    table->maker.row(table->maker.context, row, table->cells);
    for (size_t i = 0; table->untimed != NULL && i < table->column_count; i++)
        table->cells[i] = timed(table, table->cells[i]);
    return table->cells;
}

const struct report_node *report_find(const struct report_node *node, const char *key)
{
    for (const struct report_node *child = node->first; child != NULL; child = child->next) {
        const struct report_node *found =
            g_strcmp0(child->key, key) == 0 ? child : report_find(child, key);

        if (found != NULL)
            return found;
    }
    return NULL;
}
