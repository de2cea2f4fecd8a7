/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report as a page for people: headings, aligned items, aligned tables that fit the page.
 */
#include "render/report_render.h"

#include <glib.h>

#include "render/address.h"
#include "render/safe.h"
#include "render/units.h"
#include "report/frame.h"

enum {
    ITEM_TITLE_WIDTH = 26,
    LABEL_WIDTH = 9,
    INDENT = 2,
    GAP = 2,          /* between columns */
    NARROWEST = 8,    /* a column is not cut below this */
    FRAMES_SHOWN = 3, /* of a list of frames */
};

static void put_children(struct buffer *out, const struct report *report,
                         const struct report_node *section, const struct text_style *style);
static void put_heading(struct buffer *out, const char *title, const struct text_style *style);
static void put_item(struct buffer *out, const struct report *report,
                     const struct report_node *item, const struct text_style *style);
static void put_line(struct buffer *out, const struct report_node *line,
                     const struct text_style *style);
static void put_table(struct buffer *out, const struct report *report,
                      const struct report_node *table, const struct text_style *style);
static char *value_text(const struct report *report, const struct report_value *v, bool all);

void report_render_text(struct buffer *out, const struct report *report,
                        const struct text_style *style)
{
    put_children(out, report, &report->root, style);
}

static void put_children(struct buffer *out, const struct report *report,
                         const struct report_node *section, const struct text_style *style)
{
    for (const struct report_node *n = section->first; n != NULL; n = n->next) {
        if (n->detail && !style->all)
            continue;
        switch (n->kind) {
        case REPORT_SECTION:
            if (n->title != NULL) {
                put_heading(out, n->title, style);
                put_children(out, report, n, style);
            }
            break;
        case REPORT_ITEM:
            if (n->title != NULL)
                put_item(out, report, n, style);
            break;
        case REPORT_LINE:
            put_line(out, n, style);
            break;
        case REPORT_TABLE:
            if (n->title != NULL && n->row_count > 0)
                put_table(out, report, n, style);
            break;
        }
    }
}

static void put_color(struct buffer *out, const char *code, const struct text_style *style)
{
    if (style->color)
        buffer_string(out, code);
}

static const char *mood_code(uint8_t mood)
{
    static const char *const codes[] = {[REPORT_PLAIN] = "",
                                        [REPORT_GOOD] = "\033[32m",
                                        [REPORT_WARNING] = "\033[33m",
                                        [REPORT_BAD] = "\033[31m"};

    return codes[mood & 3];
}

static void put_heading(struct buffer *out, const char *title, const struct text_style *style)
{
    if (title[0] == '\0')
        return;
    if (out->used > 0)
        buffer_char(out, '\n');
    put_color(out, "\033[1m", style);
    safe_text(out, title);
    put_color(out, "\033[0m", style);
    buffer_char(out, '\n');
}

/* At most `width` columns, with an ellipsis where something is left out */
static void put_cut(struct buffer *out, const char *text, size_t width)
{
    size_t used = 0;

    if (safe_width(text) <= width) {
        buffer_string(out, text);
        return;
    }
    for (const char *p = text; *p != '\0' && used + 3 < width; used++) {
        const char *start = p;

        (void)safe_next(&p);
        buffer_bytes(out, start, (size_t)(p - start));
    }
    buffer_string(out, "...");
}

/* Words from column `at` on, broken before the page ends; the next lines begin at `hang`. `text` is
 * safe to print. */
static void put_wrapped(struct buffer *out, const char *text, size_t at, size_t hang, size_t width)
{
    size_t column = at;

    for (bool first = true; *text != '\0'; first = false) {
        size_t size = strcspn(text, " ");
        char *word = g_strndup(text, size);
        size_t wide = safe_width(word);

        if (!first && column + 1 + wide > width) {
            buffer_char(out, '\n');
            buffer_spaces(out, hang);
            column = hang;
        } else if (!first) {
            buffer_char(out, ' ');
            column++;
        }
        buffer_string(out, word);
        column += wide;
        g_free(word);
        text += size + (text[size] == ' ');
    }
}

static void put_line(struct buffer *out, const struct report_node *line,
                     const struct text_style *style)
{
    bool labelled = line->title != NULL;
    size_t label = labelled ? safe_width(line->title) : 0;
    size_t at = INDENT + (labelled ? MAX(LABEL_WIDTH, label + 1) : 0);
    struct buffer text = {0};

    buffer_spaces(out, INDENT);
    if (labelled) {
        put_color(out, mood_code(line->value.mood), style);
        safe_text(out, line->title);
        put_color(out, line->value.mood != REPORT_PLAIN ? "\033[0m" : "", style);
        buffer_spaces(out, at - INDENT - label);
    }
    safe_text(&text, line->value.text);
    buffer_char(&text, '\0');
    put_wrapped(out, text.data, at, at, style->width);
    buffer_done(&text);
    buffer_char(out, '\n');
}

static void put_item(struct buffer *out, const struct report *report,
                     const struct report_node *item, const struct text_style *style)
{
    char *text = value_text(report, &item->value, style->all);
    size_t title_width = safe_width(item->title);

    buffer_spaces(out, INDENT);
    safe_text(out, item->title);
    buffer_spaces(out, title_width < ITEM_TITLE_WIDTH ? ITEM_TITLE_WIDTH - title_width : 1);
    put_color(out, mood_code(item->value.mood), style);
    put_wrapped(out, text, MAX(title_width + 1, ITEM_TITLE_WIDTH) + INDENT,
                ITEM_TITLE_WIDTH + INDENT, style->width);
    if (item->value.type == REPORT_UNKNOWN) {
        buffer_string(out, ": ");
        safe_text(out, item->value.text);
    }
    put_color(out, item->value.mood != REPORT_PLAIN ? "\033[0m" : "", style);
    buffer_char(out, '\n');
    g_free(text);
}

/* A table laid out: the width of each column; 0: not shown */
struct layout {
    size_t rows;
    size_t columns;
    size_t *widths;
    bool *right; /* numbers stand to the right */
    bool *empty; /* nothing but zeros */
};

static bool is_number(uint8_t type)
{
    return type == REPORT_COUNT || type == REPORT_NUMBER || type == REPORT_BYTES ||
           type == REPORT_NS || type == REPORT_BPS || type == REPORT_PCT || type == REPORT_REAL ||
           type == REPORT_FRAME;
}

static void lay_out(struct layout *l, const struct report *report, const struct report_node *t,
                    const struct text_style *style)
{
    l->rows = style->all || t->text_rows == 0 ? t->row_count : MIN(t->row_count, t->text_rows);
    l->columns = t->column_count;
    l->widths = g_new0(size_t, l->columns);
    l->right = g_new0(bool, l->columns);
    l->empty = g_new(bool, l->columns);
    for (size_t c = 0; c < l->columns; c++) {
        l->widths[c] = t->columns[c].title != NULL ? MAX(safe_width(t->columns[c].title), 1) : 0;
        l->empty[c] = true;
    }
    for (size_t r = 0; r < l->rows; r++) {
        const struct report_value *cells = report_cells(t, r);

        for (size_t c = 0; c < l->columns; c++) {
            char *text = l->widths[c] > 0 ? value_text(report, &cells[c], style->all) : NULL;

            if (text == NULL)
                continue;
            l->right[c] |= is_number(cells[c].type);
            l->empty[c] &= strcmp(text, "0") == 0 || strcmp(text, "-") == 0;
            l->widths[c] = MAX(l->widths[c], safe_width(text));
            g_free(text);
        }
    }
}

static size_t table_width(const struct layout *l)
{
    size_t width = 0;

    for (size_t c = 0; c < l->columns; c++)
        width += l->widths[c] > 0 ? l->widths[c] + GAP : 0;
    return width; /* the indent takes the last gap's place */
}

/* The last column takes what is left of the page. */
static void fit_last(struct layout *l, size_t width)
{
    size_t last = l->columns - 1;
    size_t others = table_width(l) - l->widths[last];

    l->widths[last] = MAX(NARROWEST, width > others ? width - others : 0);
}

/* Leaves out wide columns, empty ones before others, the last first; then cuts the widest columns
 * of text */
static void fit(struct layout *l, const struct report_node *t, size_t width)
{
    if (t->wraps && table_width(l) > width)
        fit_last(l, width);
    for (size_t c = l->columns; c-- > 0 && table_width(l) > width;)
        if (t->columns[c].wide && l->empty[c])
            l->widths[c] = 0;
    for (size_t c = l->columns; c-- > 0 && table_width(l) > width;)
        if (t->columns[c].wide)
            l->widths[c] = 0;
    while (table_width(l) > width) {
        size_t widest = l->columns;

        for (size_t c = 0; c < l->columns; c++)
            if (!l->right[c] && l->widths[c] > NARROWEST &&
                (widest == l->columns || l->widths[c] > l->widths[widest]))
                widest = c;
        if (widest == l->columns)
            return;
        l->widths[widest]--;
    }
}

struct cell {
    const char *text;
    size_t width;
    bool right;
    bool last;    /* of its line: needs no padding */
    size_t wraps; /* column that its next lines begin at; 0: one line */
    uint8_t mood;
};

static void put_cell(struct buffer *out, const struct cell *cell, const struct text_style *style)
{
    size_t size = safe_width(cell->text);
    size_t pad = size < cell->width ? cell->width - size : 0;

    buffer_spaces(out, cell->right ? pad : 0);
    put_color(out, mood_code(cell->mood), style);
    if (cell->wraps > 0)
        put_wrapped(out, cell->text, cell->wraps, cell->wraps, cell->wraps + cell->width);
    else
        put_cut(out, cell->text, cell->width);
    put_color(out, cell->mood != REPORT_PLAIN ? "\033[0m" : "", style);
    if (!cell->last)
        buffer_spaces(out, (cell->right ? 0 : pad) + GAP);
}

/* The titles where there are no `cells` */
static void put_row(struct buffer *out, const struct report *report, const struct report_node *t,
                    const struct layout *l, const struct report_value *cells,
                    const struct text_style *style)
{
    size_t last = l->columns;

    while (last > 0 && l->widths[last - 1] == 0)
        last--;
    buffer_spaces(out, INDENT);
    for (size_t c = 0; c < last; c++) {
        struct cell cell = {.width = l->widths[c], .right = l->right[c], .last = c == last - 1};
        char *text;

        if (cell.width == 0)
            continue;
        text = cells != NULL ? value_text(report, &cells[c], style->all) : NULL;
        cell.text = cells != NULL ? text : t->columns[c].title;
        cell.mood = cells != NULL ? cells[c].mood : REPORT_PLAIN;
        if (t->wraps && cell.last && cells != NULL)
            cell.wraps = INDENT + table_width(l) - GAP - cell.width;
        put_cell(out, &cell, style);
        g_free(text);
    }
    buffer_char(out, '\n');
}

static void put_table(struct buffer *out, const struct report *report, const struct report_node *t,
                      const struct text_style *style)
{
    struct layout l;

    put_heading(out, t->title, style);
    lay_out(&l, report, t, style);
    fit(&l, t, style->width);
    put_row(out, report, t, &l, NULL, style);
    for (size_t r = 0; r < l.rows; r++)
        put_row(out, report, t, &l, report_cells(t, r), style);
    if (l.rows < t->row_count)
        buffer_printf(out, "  ... and %" G_GSIZE_FORMAT " more (--all shows them)\n",
                      t->row_count - l.rows);
    g_free(l.widths);
    g_free(l.right);
    g_free(l.empty);
}

/* `before`: the reference that stands in front of it; 0: none. Its file is not named again. */
static void put_frame(struct buffer *b, const struct report *report, uint64_t ref, uint64_t before)
{
    size_t file = frame_file(ref);

    if (report->file_count > 1 && file < report->file_count &&
        (before == 0 || frame_file(before) != file)) {
        safe_text(b, frame_file_label(report->files, report->file_count, file));
        buffer_char(b, ':');
    }
    buffer_uint(b, frame_number(ref));
}

static void put_list(struct buffer *b, const struct report *report, const struct report_value *v,
                     bool all)
{
    size_t shown = v->type == REPORT_FRAMES && !all ? FRAMES_SHOWN : SIZE_MAX;
    size_t i = 0;

    for (; v->type == REPORT_TEXTS ? v->texts[i] != NULL : i < v->size; i++) {
        if (i == shown)
            break;
        if (i > 0)
            buffer_string(b, ", ");
        if (v->type == REPORT_TEXTS || v->type == REPORT_MAP)
            safe_text(b, v->texts[i]);
        if (v->type == REPORT_MAP)
            buffer_char(b, ' ');
        if (v->type == REPORT_FRAMES)
            put_frame(b, report, v->list[i], i > 0 ? v->list[i - 1] : 0);
        else if (v->type == REPORT_NUMBERS)
            buffer_uint(b, v->list[i]);
        else if (v->type == REPORT_MAP)
            units_count(b, v->list[i]);
    }
    if (i == 0)
        buffer_char(b, '-');
    else if (i == shown && v->size > shown)
        buffer_string(b, ", ...");
}

/* Owned by the caller; safe to print */
static char *value_text(const struct report *report, const struct report_value *v, bool all)
{
    struct buffer b = {0};
    char real[G_ASCII_DTOSTR_BUF_SIZE];

    switch ((enum report_type)v->type) {
    case REPORT_UNKNOWN:
        buffer_string(&b, "unknown");
        break;
    case REPORT_NONE:
        buffer_char(&b, '-');
        break;
    case REPORT_COUNT:
        units_count(&b, v->count);
        break;
    case REPORT_NUMBER:
        buffer_uint(&b, v->count);
        break;
    case REPORT_BYTES:
        units_bytes(&b, v->count);
        break;
    case REPORT_NS:
        units_duration(&b, v->ns);
        break;
    case REPORT_TIME:
        units_time(&b, v->ns);
        break;
    case REPORT_BPS:
        units_rate(&b, v->real);
        break;
    case REPORT_PCT:
        buffer_string(&b, g_ascii_formatd(real, sizeof(real), "%.2f", v->real));
        buffer_string(&b, " %");
        break;
    case REPORT_REAL:
        buffer_string(&b, g_ascii_formatd(real, sizeof(real), "%.2f", v->real));
        break;
    case REPORT_BOOL:
        buffer_string(&b, v->count != 0 ? "yes" : "no");
        break;
    case REPORT_TEXT:
        safe_text(&b, v->text);
        break;
    case REPORT_MAC:
        address_mac(&b, v->address);
        break;
    case REPORT_ADDRESS:
        address_text(&b, (uint8_t)v->size, v->address);
        break;
    case REPORT_FRAME:
        put_frame(&b, report, v->count, 0);
        break;
    case REPORT_FRAMES:
    case REPORT_NUMBERS:
    case REPORT_TEXTS:
    case REPORT_MAP:
        put_list(&b, report, v, all);
        break;
    }
    buffer_char(&b, '\0');
    return b.data;
}
