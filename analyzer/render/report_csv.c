/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table of the report as CSV (RFC 4180). Column names are the JSON keys, exact numbers as in
 * JSON; an unknown cell is empty; lists are joined by spaces.
 */
#include "render/report_render.h"

#include <glib.h>

#include "render/address.h"
#include "render/safe.h"
#include "report/frame.h"

static void write_cell(struct buffer *out, const struct report *report,
                       const struct report_value *v);

void report_render_csv(struct buffer *out, const struct report *report,
                       const struct report_node *table)
{
    for (size_t row = 0; row <= table->row_count; row++) {
        const struct report_value *cells = row > 0 ? report_cells(table, row - 1) : NULL;
        const char *separator = "";

        for (size_t c = 0; c < table->column_count; c++) {
            if (table->columns[c].key == NULL)
                continue;
            buffer_string(out, separator);
            separator = ",";
            if (cells == NULL)
                buffer_string(out, table->columns[c].key);
            else
                write_cell(out, report, &cells[c]);
        }
        buffer_char(out, '\n');
    }
}

static void put_frame(struct buffer *b, const struct report *report, uint64_t ref)
{
    if (report->file_count > 1) {
        buffer_string(b,
                      frame_file(ref) < report->file_count ? report->files[frame_file(ref)] : "?");
        buffer_char(b, ':');
    }
    buffer_uint(b, frame_number(ref));
}

static void put_list(struct buffer *b, const struct report *report, const struct report_value *v)
{
    for (size_t i = 0; v->type == REPORT_TEXTS ? v->texts[i] != NULL : i < v->size; i++) {
        if (i > 0)
            buffer_char(b, ' ');
        if (v->type == REPORT_TEXTS || v->type == REPORT_MAP)
            buffer_string(b, v->texts[i]);
        if (v->type == REPORT_MAP)
            buffer_char(b, '=');
        if (v->type == REPORT_FRAMES)
            put_frame(b, report, v->list[i]);
        else if (v->type != REPORT_TEXTS)
            buffer_uint(b, v->list[i]);
    }
}

static void write_cell(struct buffer *out, const struct report *report,
                       const struct report_value *v)
{
    struct buffer cell = {0};
    char real[G_ASCII_DTOSTR_BUF_SIZE];

    switch ((enum report_type)v->type) {
    case REPORT_UNKNOWN:
    case REPORT_NONE:
        return;
    case REPORT_COUNT:
    case REPORT_NUMBER:
    case REPORT_BYTES:
        buffer_uint(out, v->count);
        return;
    case REPORT_NS:
    case REPORT_TIME:
        buffer_int(out, v->ns);
        return;
    case REPORT_BPS:
    case REPORT_PCT:
    case REPORT_REAL:
        buffer_string(out, g_ascii_formatd(real, sizeof(real),
                                           v->type == REPORT_BPS ? "%.0f" : "%.4f", v->real));
        return;
    case REPORT_BOOL:
        buffer_string(out, v->count != 0 ? "true" : "false");
        return;
    case REPORT_TEXT:
        safe_csv(out, v->text);
        return;
    case REPORT_MAC:
        address_mac(out, v->address);
        return;
    case REPORT_ADDRESS:
        address_text(out, (uint8_t)v->size, v->address);
        return;
    case REPORT_FRAME:
        put_frame(&cell, report, v->count);
        break;
    case REPORT_FRAMES:
    case REPORT_NUMBERS:
    case REPORT_TEXTS:
    case REPORT_MAP:
        put_list(&cell, report, v);
        break;
    }
    buffer_char(&cell, '\0');
    safe_csv(out, cell.data);
    buffer_done(&cell);
}
