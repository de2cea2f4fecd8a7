/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report as JSON. Numbers are exact; unknown values are null and their reasons stand in
 * `unknown` beside them; where an object has a member of that name, in that of the object around
 * it, as "OBJECT.MEMBER"; frames of several files are named "FILE:FRAME".
 */
#include "render/report_render.h"

#include <glib.h>
#include <math.h>

#include "render/address.h"
#include "render/json_writer.h"
#include "report/frame.h"

enum {
    PCT_DECIMALS = 4,
    MAX_KEY = 128,
};

/* A row is an object whose members have names with dots: a span of columns below one prefix */
struct span {
    const struct report_column *columns;
    const struct report_value *cells;
    size_t count;
    size_t prefix; /* characters of the keys that name the objects around */
};

static void write_children(struct json_writer *w, const struct report *report,
                           const struct report_node *section);
static void write_table(struct json_writer *w, const struct report *report,
                        const struct report_node *table);
static bool write_object(struct json_writer *w, const struct report *report, struct span span);
static void write_member(struct json_writer *w, const struct report *report, const char *key,
                         const struct report_value *v);
static void write_value(struct json_writer *w, const struct report *report,
                        const struct report_value *v);

void report_render_json(struct buffer *out, const struct report *report)
{
    struct json_writer w = {.out = out, .pretty = true};

    json_open(&w, '{');
    json_key(&w, "schema");
    json_string(&w, report->schema);
    json_key(&w, "tool_version");
    json_string(&w, report->tool_version);
    write_children(&w, report, &report->root);
    json_close(&w, '}');
    buffer_char(out, '\n');
}

void report_render_jsonl(struct buffer *out, const struct report *report,
                         const struct report_node *table)
{
    for (size_t row = 0; row < table->row_count; row++) {
        struct json_writer w = {.out = out};

        write_object(
            &w, report,
            (struct span){table->columns, report_cells(table, row), table->column_count, 0});
        buffer_char(out, '\n');
    }
}

/* A section without key is a heading only: its members belong to the object around it */
static bool is_heading(const struct report_node *n)
{
    return n->kind == REPORT_SECTION && n->key == NULL;
}

static bool is_unknown(const struct report_node *n)
{
    return n->kind == REPORT_ITEM && n->key != NULL && n->value.type == REPORT_UNKNOWN;
}

static void write_members(struct json_writer *w, const struct report *report,
                          const struct report_node *section)
{
    for (const struct report_node *n = section->first; n != NULL; n = n->next) {
        if (is_heading(n)) {
            write_members(w, report, n);
        } else if (n->key != NULL && n->kind == REPORT_ITEM) {
            write_member(w, report, n->key, &n->value);
        } else if (n->key != NULL) {
            json_key(w, n->key);
            if (n->kind == REPORT_TABLE) {
                write_table(w, report, n);
            } else {
                json_open(w, '{');
                write_children(w, report, n);
                json_close(w, '}');
            }
        }
    }
}

/* Its reasons stand in the object around it */
static bool takes_the_name(const struct report_node *section)
{
    for (const struct report_node *n = section->first; n != NULL; n = n->next)
        if (n->key != NULL && strcmp(n->key, "unknown") == 0)
            return true;
    return false;
}

static bool is_object(const struct report_node *n)
{
    return n->kind == REPORT_SECTION && n->key != NULL && takes_the_name(n);
}

static bool any_unknown(const struct report_node *section)
{
    for (const struct report_node *n = section->first; n != NULL; n = n->next)
        if (is_unknown(n) || ((is_heading(n) || is_object(n)) && any_unknown(n)))
            return true;
    return false;
}

/* `object`: the name of the section, or NULL */
static void write_reasons(struct json_writer *w, const struct report_node *section,
                          const char *object)
{
    for (const struct report_node *n = section->first; n != NULL; n = n->next) {
        if (is_heading(n) || (is_object(n) && object == NULL)) {
            write_reasons(w, n, n->key);
        } else if (is_unknown(n)) {
            char key[MAX_KEY];

            g_snprintf(key, sizeof(key), "%s%s%s", object != NULL ? object : "",
                       object != NULL ? "." : "", n->key);
            json_key(w, key);
            json_string(w, n->value.text);
        }
    }
}

static void write_children(struct json_writer *w, const struct report *report,
                           const struct report_node *section)
{
    write_members(w, report, section);
    if (takes_the_name(section) || !any_unknown(section))
        return;
    json_key(w, "unknown");
    json_open(w, '{');
    write_reasons(w, section, NULL);
    json_close(w, '}');
}

static void write_table(struct json_writer *w, const struct report *report,
                        const struct report_node *table)
{
    bool array = table->shape == REPORT_ARRAY;

    json_open(w, array ? '[' : '{');
    for (size_t row = 0; row < table->row_count; row++) {
        const struct report_value *cells = report_cells(table, row);

        if (array)
            json_element(w);
        else
            json_key(w, cells[0].text);
        if (table->shape == REPORT_PAIRS)
            write_value(w, report, &cells[1]);
        else if (array)
            write_object(w, report, (struct span){table->columns, cells, table->column_count, 0});
        else
            write_object(w, report,
                         (struct span){table->columns + 1, cells + 1, table->column_count - 1, 0});
    }
    json_close(w, array ? ']' : '}');
}

/* Columns from `at` on that belong to the same member object */
static size_t same_object(const struct span *s, size_t at, size_t name_size)
{
    const char *name = s->columns[at].key + s->prefix;
    size_t n = 1;

    while (at + n < s->count && s->columns[at + n].key != NULL &&
           strncmp(s->columns[at + n].key + s->prefix, name, name_size + 1) == 0)
        n++;
    return n;
}

/* One of the members is named "unknown" */
static bool has_the_name(struct span s)
{
    for (size_t i = 0; i < s.count; i++)
        if (s.columns[i].key != NULL && strcmp(s.columns[i].key + s.prefix, "unknown") == 0)
            return true;
    return false;
}

/* Of members, and of those of objects that have a member named "unknown" */
static void write_row_reasons(struct json_writer *w, struct span s)
{
    bool named = false;

    json_key(w, "unknown");
    json_open(w, '{');
    for (size_t i = 0, object = 0; i < s.count; i++) {
        const char *name = s.columns[i].key != NULL ? s.columns[i].key + s.prefix : NULL;
        const char *dot = name != NULL ? strchr(name, '.') : NULL;

        if (dot != NULL && i >= object) {
            size_t size = (size_t)(dot - name);

            object = i + same_object(&s, i, size);
            named = has_the_name(
                (struct span){s.columns + i, s.cells + i, object - i, s.prefix + size + 1});
        }
        if (name == NULL || s.cells[i].type != REPORT_UNKNOWN || (dot != NULL && !named))
            continue;
        json_key(w, name);
        json_string(w, s.cells[i].text);
    }
    json_close(w, '}');
}

/* Returns whether reasons are left for the object around it. */
static bool write_object(struct json_writer *w, const struct report *report, struct span s)
{
    bool unknown = false, named = has_the_name(s);

    json_open(w, '{');
    for (size_t i = 0; i < s.count; i++) {
        const char *name = s.columns[i].key != NULL ? s.columns[i].key + s.prefix : NULL;
        const char *dot = name != NULL ? strchr(name, '.') : NULL;

        if (dot != NULL) {
            size_t size = (size_t)(dot - name);
            size_t n = same_object(&s, i, size);
            char *key = g_strndup(name, size);

            json_key(w, key);
            unknown |= write_object(
                w, report, (struct span){s.columns + i, s.cells + i, n, s.prefix + size + 1});
            g_free(key);
            i += n - 1;
        } else if (name != NULL) {
            write_member(w, report, name, &s.cells[i]);
            unknown |= s.cells[i].type == REPORT_UNKNOWN;
        }
    }
    if (unknown && !named)
        write_row_reasons(w, s);
    json_close(w, '}');
    return unknown && named;
}

static const char *file_name(const struct report *report, uint64_t ref)
{
    return frame_file(ref) < report->file_count ? report->files[frame_file(ref)] : "?";
}

/* `first_frame` gets a `first_file` beside it when there are several files */
static void write_member(struct json_writer *w, const struct report *report, const char *key,
                         const struct report_value *v)
{
    json_key(w, key);
    write_value(w, report, v);
    if (v->type == REPORT_FRAME && report->file_count > 1 && g_str_has_suffix(key, "frame")) {
        char *beside = g_strdup_printf("%.*sfile", (int)(strlen(key) - strlen("frame")), key);

        json_key(w, beside);
        json_string(w, file_name(report, v->count));
        g_free(beside);
    }
}

static void write_frames(struct json_writer *w, const struct report *report,
                         const struct report_value *v)
{
    bool pretty = w->pretty;

    json_open(w, '[');
    w->pretty = false; /* short lists of numbers stay on their line */
    for (size_t i = 0; i < v->size; i++) {
        json_element(w);
        if (v->type == REPORT_FRAMES && report->file_count > 1) {
            char *name = g_strdup_printf("%s:%" G_GUINT64_FORMAT, file_name(report, v->list[i]),
                                         frame_number(v->list[i]));
            json_string(w, name);
            g_free(name);
        } else {
            json_uint(w, v->type == REPORT_FRAMES ? frame_number(v->list[i]) : v->list[i]);
        }
    }
    json_close(w, ']');
    w->pretty = pretty;
}

static void write_texts(struct json_writer *w, const struct report_value *v)
{
    json_open(w, '[');
    for (size_t i = 0; v->texts[i] != NULL; i++) {
        json_element(w);
        json_string(w, v->texts[i]);
    }
    json_close(w, ']');
}

static void write_map(struct json_writer *w, const struct report_value *v)
{
    json_open(w, '{');
    for (size_t i = 0; i < v->size; i++) {
        json_key(w, v->texts[i]);
        json_uint(w, v->list[i]);
    }
    json_close(w, '}');
}

static void write_address(struct json_writer *w, const struct report_value *v)
{
    buffer_char(w->out, '"');
    if (v->type == REPORT_MAC)
        address_mac(w->out, v->address);
    else
        address_text(w->out, (uint8_t)v->size, v->address);
    buffer_char(w->out, '"');
    w->comma = true;
}

/* With all digits, as counts are; 2^64 is what the largest count was rounded to */
static void write_rate(struct json_writer *w, double bps)
{
    if (bps >= 0x1p64)
        json_uint(w, UINT64_MAX);
    else if (bps >= 0)
        json_uint(w, (uint64_t)round(bps));
    else
        json_null(w);
}

static void write_value(struct json_writer *w, const struct report *report,
                        const struct report_value *v)
{
    switch ((enum report_type)v->type) {
    case REPORT_UNKNOWN:
    case REPORT_NONE:
        json_null(w);
        break;
    case REPORT_COUNT:
    case REPORT_NUMBER:
    case REPORT_BYTES:
        json_uint(w, v->count);
        break;
    case REPORT_NS:
    case REPORT_TIME:
        json_int(w, v->ns);
        break;
    case REPORT_BPS:
        write_rate(w, v->real);
        break;
    case REPORT_PCT:
    case REPORT_REAL:
        json_double(w, v->real, PCT_DECIMALS);
        break;
    case REPORT_BOOL:
        json_bool(w, v->count != 0);
        break;
    case REPORT_TEXT:
        json_string(w, v->text);
        break;
    case REPORT_MAC:
    case REPORT_ADDRESS:
        write_address(w, v);
        break;
    case REPORT_FRAME:
        json_uint(w, frame_number(v->count));
        break;
    case REPORT_FRAMES:
    case REPORT_NUMBERS:
        write_frames(w, report, v);
        break;
    case REPORT_TEXTS:
        write_texts(w, v);
        break;
    case REPORT_MAP:
        write_map(w, v);
        break;
    }
}
