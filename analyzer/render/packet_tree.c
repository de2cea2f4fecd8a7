/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All fields of a packet for people, a header a line, folded: `dump -v`.
 */
#include "render/packet_iwarp.h"
#include "render/packet_record.h"

enum {
    INDENT = 8,
    TITLE_WIDTH = 14,
    WIDTH = 100,
};

struct fold {
    struct buffer *out;
    size_t column;
};

static void put_group(struct fold *f, const struct packet_record *r,
                      const struct packet_group_info *info);
static void put_fpdus(struct fold *f, const struct packet_record *r);
static void put_title(struct fold *f, const char *title);

void packet_tree(struct buffer *out, const struct packet_record *r)
{
    struct fold f = {.out = out};

    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct packet_group_info *info = &packet_groups[g];

        if (g == GROUP_FRAME || g == GROUP_FILE)
            continue; /* the line above has them */
        if ((r->unknown >> g & 1) != 0) {
            put_title(&f, info->title);
            buffer_string(out, "unknown: ");
            buffer_string(out, packet_record_reason(r, (enum packet_group)g));
            buffer_char(out, '\n');
        } else if (g == GROUP_FPDUS) {
            put_fpdus(&f, r);
        } else if (packet_record_has(r, (enum packet_group)g)) {
            put_title(&f, info->title);
            put_group(&f, r, info);
            buffer_char(out, '\n');
        }
    }
}

static void put_title(struct fold *f, const char *title)
{
    size_t length = strlen(title);

    buffer_spaces(f->out, INDENT);
    buffer_string(f->out, title);
    buffer_spaces(f->out, length < TITLE_WIDTH ? TITLE_WIDTH - length : 1);
    f->column = INDENT + TITLE_WIDTH;
}

/* "reason_text consumer" explains the member before it */
static bool is_explanation(const char *text, size_t size, size_t *value)
{
    const char *space = memchr(text, ' ', size);

    *value = space != NULL ? (size_t)(space - text) + 1 : 0;
    return *value > 6 && memcmp(space - 5, "_text", 5) == 0;
}

static void new_line(struct fold *f)
{
    buffer_char(f->out, '\n');
    buffer_spaces(f->out, INDENT + TITLE_WIDTH);
    f->column = INDENT + TITLE_WIDTH;
}

/* One "key value", on a new line where it does not fit; long ones are broken anywhere */
static void put_member(struct fold *f, const char *text, size_t size)
{
    bool first = f->column == INDENT + TITLE_WIDTH;
    size_t value;
    bool explains = is_explanation(text, size, &value);

    if (explains) {
        text += value;
        size -= value;
    } else if (!first) {
        buffer_char(f->out, ',');
    }
    if (!first && f->column + size + 3 >= WIDTH) {
        new_line(f);
    } else if (!first) {
        buffer_char(f->out, ' ');
        f->column += 2;
    }
    if (explains)
        buffer_char(f->out, '(');
    for (; f->column + size >= WIDTH && size > 0; new_line(f)) {
        size_t n = WIDTH - 1 - f->column;

        buffer_bytes(f->out, text, n);
        text += n;
        size -= n;
    }
    buffer_bytes(f->out, text, size);
    if (explains)
        buffer_char(f->out, ')');
    f->column += size + 2 * explains;
}

/* The members of a JSON object (or one value) as prose: no quotes, no outer braces. Those of
 * objects in it can be folded too, down to `deepest`. */
static void put_members(struct fold *f, struct buffer *json, unsigned deepest)
{
    size_t begin = 0;
    size_t end = 0;
    unsigned depth = 0;
    bool quoted = false;

    buffer_char(json, ',');
    for (size_t i = 0; i < json->used; i++) {
        char c = json->data[i];

        if (c == '"' && (i == 0 || json->data[i - 1] != '\\')) {
            quoted = !quoted;
        } else if (!quoted && c == ',' && depth <= deepest) {
            if (end > begin)
                put_member(f, json->data + begin, end - begin);
            begin = end;
        } else if (!quoted && strchr("{}[]", c) != NULL) {
            bool open = c == '{' || c == '[';
            bool outer = open ? depth == 0 : depth == 1;

            depth = open ? depth + 1 : depth - 1;
            if (!outer || c == '[' || c == ']')
                json->data[end++] = c;
        } else {
            json->data[end++] = !quoted && c == ':' ? ' ' : c;
        }
    }
}

static void put_group(struct fold *f, const struct packet_record *r,
                      const struct packet_group_info *info)
{
    for (size_t i = 0; i < info->count; i++) {
        struct buffer json = {0};
        struct json_writer w = {.out = &json};
        const struct packet_field *field = &info->fields[i];

        if (!packet_field_applies(field, r))
            continue;
        if (field->type == FIELD_CUSTOM) {
            packet_field_write(&w, field, r);
            if (json.data[0] != '{') { /* the object's members have their own names */
                json.used = 0;
                w.comma = false;
            }
        }
        if (json.used == 0) {
            buffer_bytes(&json, field->quoted, field->quoted_size);
            packet_field_write(&w, field, r);
        }
        put_members(f, &json, 1);
        buffer_done(&json);
    }
}

static void put_fpdus(struct fold *f, const struct packet_record *r)
{
    for (size_t i = 0; i < r->fpdu_count; i++) {
        struct buffer json = {0};
        struct json_writer w = {.out = &json};

        put_title(f, "FPDU");
        packet_write_fpdu(&w, &r->fpdus[i]);
        put_members(f, &json, 2);
        buffer_char(f->out, '\n');
        buffer_done(&json);
    }
}
