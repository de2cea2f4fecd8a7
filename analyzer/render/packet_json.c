/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A packet as one JSON object on one line: `dump --format jsonl`.
 */
#include "render/packet_record.h"

static void write_group(struct json_writer *w, const struct packet_record *r,
                        enum packet_group group);

void packet_json(struct buffer *out, const struct packet_record *r)
{
    struct json_writer w = {.out = out};
    uint64_t groups = r->present | r->unknown;

    json_open(&w, '{');
    while (groups != 0) {
        write_group(&w, r, (enum packet_group)__builtin_ctzll(groups));
        groups &= groups - 1;
    }
    if (r->unknown != 0 || r->untimed) {
        json_key(&w, "unknown");
        packet_record_write_reasons(&w, r);
    }
    json_close(&w, '}');
    buffer_char(out, '\n');
}

static void write_group(struct json_writer *w, const struct packet_record *r,
                        enum packet_group group)
{
    const struct packet_group_info *info = &packet_groups[group];

    if ((r->unknown >> group & 1) != 0) {
        json_key(w, packet_group_key(group));
        json_null(w);
        return;
    }
    if (info->name != NULL) {
        json_begin(w);
        buffer_char(w->out, '"');
        buffer_string(w->out, info->name);
        buffer_bytes(w->out, "\":", 2);
        json_open(w, '{');
    }
    for (size_t i = 0; i < info->count; i++) {
        if (!packet_field_applies(&info->fields[i], r))
            continue;
        json_quoted_key(w, info->fields[i].quoted, info->fields[i].quoted_size);
        packet_field_write(w, &info->fields[i], r);
    }
    if (info->name != NULL)
        json_close(w, '}');
}
