/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The `mad` and `cm` objects of a dump: structures whose fields the core visits one by one.
 */
#include "render/packet_management.h"

#include <glib.h>

#include "render/address.h"
#include "render/packet_record.h"

static void write_field(void *context, const struct rdc_field *field);

void packet_write_mad(struct json_writer *w, const struct packet_record *r)
{
    const struct rdc_mad *mad = &r->mad;

    json_open(w, '{');
    json_key(w, "class");
    json_uint(w, mad->mgmt_class);
    json_key(w, "class_name");
    json_plain(w, rdc_mad_class_name(mad->mgmt_class));
    json_key(w, "method");
    json_uint(w, mad->method);
    json_key(w, "method_name");
    json_plain(w, rdc_mad_method_name(mad->mgmt_class, mad->method));
    json_key(w, "attribute");
    json_uint(w, mad->attribute_id);
    json_key(w, "attribute_name");
    json_plain(w, rdc_mad_attribute_name(mad->mgmt_class, mad->attribute_id));
    json_key(w, "status");
    json_uint(w, mad->status);
    json_key(w, "transaction_id");
    json_hex(w, mad->transaction_id, 16);
    json_key(w, "attribute_modifier");
    json_hex(w, mad->attribute_modifier, 8);
    if (!packet_record_has(r, GROUP_CM)) {
        json_key(w, "fields");
        json_open(w, '{');
        rdc_mad_fields(mad, write_field, w);
        json_close(w, '}');
    }
    json_close(w, '}');
}

void packet_write_cm(struct json_writer *w, const struct packet_record *r)
{
    json_open(w, '{');
    json_key(w, "message");
    json_plain(w, rdc_cm_message_name(r->cm.message));
    rdc_cm_fields(&r->cm, write_field, w);
    json_close(w, '}');
}

static void write_bytes(struct json_writer *w, const uint8_t *bytes, size_t size)
{
    buffer_char(w->out, '"');
    for (size_t i = 0; i < size; i++)
        buffer_hex(w->out, bytes[i], 2);
    buffer_char(w->out, '"');
    w->comma = true;
}

static void write_address(struct json_writer *w, uint8_t kind, const uint8_t *bytes, size_t size)
{
    uint8_t address[16] = {0};

    memcpy(address, bytes, size);
    buffer_char(w->out, '"');
    address_text(w->out, kind, address);
    buffer_char(w->out, '"');
    w->comma = true;
}

static void write_value(struct json_writer *w, const struct rdc_field *field)
{
    char *copy;

    switch ((enum rdc_field_kind)field->kind) {
    case RDC_FIELD_NUMBER:
        json_uint(w, field->value);
        break;
    case RDC_FIELD_HEX:
        json_hex(w, field->value, field->size * 2u);
        break;
    case RDC_FIELD_FLAG:
        json_bool(w, field->value != 0);
        break;
    case RDC_FIELD_GID:
        write_address(w, RDC_ADDRESS_GID, field->bytes, 16);
        break;
    case RDC_FIELD_IPV4:
        write_address(w, RDC_ADDRESS_IPV4, field->bytes, 4);
        break;
    case RDC_FIELD_STRING:
        copy = g_strndup((const char *)field->bytes, field->size);
        json_string(w, copy);
        g_free(copy);
        break;
    case RDC_FIELD_BYTES:
        write_bytes(w, field->bytes, field->size);
        break;
    }
}

/* A value, an element of an array, or a value with its meaning beside it */
static void write_field(void *context, const struct rdc_field *field)
{
    struct json_writer *w = context;

    if (field->count == 0 || field->index == 0)
        json_key(w, field->name);
    if (field->count > 0) {
        if (field->index == 0)
            json_open(w, '[');
        json_element(w);
    }
    write_value(w, field);
    if (field->count > 0 && field->index + 1u == field->count) {
        json_close(w, ']');
    } else if (field->count == 0 && field->text != NULL) {
        char *key = g_strconcat(field->name, "_text", NULL);

        json_key(w, key);
        json_string(w, field->text);
        g_free(key);
    }
}
