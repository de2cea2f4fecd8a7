/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A packet as a CSV line. Columns have the names of the JSON keys, "reth.va" for a member of an
 * object; a cell that is an array or an object there holds its JSON.
 */
#include "render/packet_record.h"

#include <glib.h>

#include "render/safe.h"

static void write_cell(struct buffer *out, struct buffer *scratch, const struct packet_field *field,
                       const struct packet_record *r);
static void write_unknown(struct buffer *out, struct buffer *scratch,
                          const struct packet_record *r);

void packet_csv_header(struct buffer *out)
{
    for (size_t g = 0; g < GROUP_COUNT; g++) {
        const struct packet_group_info *info = &packet_groups[g];

        for (size_t i = 0; i < info->count; i++) {
            if (g > 0 || i > 0)
                buffer_char(out, ',');
            if (info->name != NULL) {
                buffer_string(out, info->name);
                buffer_char(out, '.');
            }
            buffer_string(out, info->fields[i].key);
        }
    }
    buffer_string(out, ",unknown\n");
}

void packet_csv(struct buffer *out, const struct packet_record *r)
{
    struct buffer scratch = {0};

    for (size_t g = 0; g < GROUP_COUNT; g++) {
        const struct packet_group_info *info = &packet_groups[g];
        bool known = packet_record_has(r, (enum packet_group)g) && (r->unknown >> g & 1) == 0;

        for (size_t i = 0; i < info->count; i++) {
            if (g > 0 || i > 0)
                buffer_char(out, ',');
            if (known && packet_field_applies(&info->fields[i], r))
                write_cell(out, &scratch, &info->fields[i], r);
        }
    }
    buffer_char(out, ',');
    write_unknown(out, &scratch, r);
    buffer_char(out, '\n');
    buffer_done(&scratch);
}

/* RFC 4180. For values of ours, which hold no control characters and are no formulas */
static void put_quoted(struct buffer *out, const char *text, size_t size)
{
    buffer_char(out, '"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            buffer_char(out, '"');
        buffer_char(out, text[i]);
    }
    buffer_char(out, '"');
}

/* Why which cells are empty */
static void write_unknown(struct buffer *out, struct buffer *scratch, const struct packet_record *r)
{
    struct json_writer w = {.out = scratch};

    if (r->unknown == 0 && !r->untimed)
        return;
    scratch->used = 0;
    packet_record_write_reasons(&w, r);
    put_quoted(out, scratch->data, scratch->used);
}

/* The JSON value, without the quotes of a string */
static void write_cell(struct buffer *out, struct buffer *scratch, const struct packet_field *field,
                       const struct packet_record *r)
{
    struct json_writer w = {.out = scratch};

    scratch->used = 0;
    if (field->type == FIELD_TIME && r->untimed)
        return;
    if (field->type == FIELD_NUMBER || field->type == FIELD_TIME || field->type == FIELD_BOOL) {
        w.out = out;
        packet_field_write(&w, field, r);
        return;
    }
    if (field == &packet_groups[GROUP_FILE].fields[0]) { /* the only string that is not ours */
        safe_csv(out, r->file);
        return;
    }
    packet_field_write(&w, field, r);
    if (scratch->data[0] == '{' || scratch->data[0] == '[')
        put_quoted(out, scratch->data, scratch->used);
    else if (scratch->data[0] == '"' && memchr(scratch->data, ',', scratch->used) != NULL)
        put_quoted(out, scratch->data + 1, scratch->used - 2);
    else if (scratch->data[0] == '"')
        buffer_bytes(out, scratch->data + 1, scratch->used - 2);
    else if (scratch->data[0] != 'n') /* null */
        buffer_bytes(out, scratch->data, scratch->used);
}
