/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Any bytes as a management datagram. An input is two bytes, how much of it was not captured, and
 * the datagram.
 */
#include <stdlib.h>

#include "rdc/cm.h"
#include "rdc/mad.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHOICES = 2,
};

static void must(bool holds);
static void see_field(void *context, const struct rdc_field *field);
static void see_mad(const struct rdc_mad *mad);
static void see_cm(const struct rdc_cm *cm);
static void read_bytes(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rdc_cursor cur;
    struct rdc_mad mad;
    struct rdc_cm cm;

    if (size < CHOICES)
        return 0;
    cur = (struct rdc_cursor){
        .at = data + CHOICES,
        .captured = size - CHOICES,
        .wire = size - CHOICES + rdc_be16(data),
    };
    if (rdc_mad_decode(&cur, &mad) != RDC_OK)
        return 0;
    see_mad(&mad);
    if (rdc_cm_decode(&mad, &cm) == RDC_OK)
        see_cm(&cm);
    return 0;
}

static void see_mad(const struct rdc_mad *mad)
{
    size_t fields = 0;

    must(mad->data_captured <= mad->data_size);
    read_bytes(mad->data, mad->data_captured);
    must(rdc_mad_class_name(mad->mgmt_class) != NULL);
    must(rdc_mad_method_name(mad->mgmt_class, mad->method) != NULL);
    must(rdc_mad_attribute_name(mad->mgmt_class, mad->attribute_id) != NULL);
    must(rdc_mad_status_text(mad->status) != NULL);
    rdc_mad_header_fields(mad, see_field, &fields);
    must(fields > 0);
    rdc_mad_fields(mad, see_field, &fields);
}

static void see_cm(const struct rdc_cm *cm)
{
    size_t fields = 0;
    uint8_t protocol;
    uint16_t port;

    must(rdc_cm_message_name(cm->message) != NULL);
    must(cm->private_captured <= cm->private_size);
    must((cm->private_data == NULL) == (cm->private_captured == 0));
    read_bytes(cm->private_data, cm->private_captured);
    must(cm->present >> RDC_CM_FIELD_COUNT == 0);
    if (cm->has_ip) {
        must(cm->ip_version == 4 || cm->ip_version == 6);
        read_bytes(cm->ip_src, cm->ip_version == 4 ? 4 : 16);
        read_bytes(cm->ip_dst, cm->ip_version == 4 ? 4 : 16);
    }
    must(rdc_cm_reason_text(cm->reason) != NULL);
    if (rdc_service_ip_port(cm->service_id, &protocol, &port))
        (void)rdc_ulp_port_name(port);
    rdc_cm_fields(cm, see_field, &fields);
}

static void see_field(void *context, const struct rdc_field *field)
{
    size_t *fields = context;

    ++*fields;
    must(field->name != NULL && field->name[0] != '\0');
    must(field->kind <= RDC_FIELD_BYTES);
    must(field->count == 0 ? field->index == 0 : field->index < field->count);
    if (field->kind == RDC_FIELD_FLAG)
        must(field->value <= 1);
    if (field->kind == RDC_FIELD_GID)
        read_bytes(field->bytes, 16);
    else if (field->kind == RDC_FIELD_IPV4)
        read_bytes(field->bytes, 4);
    else if (field->kind == RDC_FIELD_STRING || field->kind == RDC_FIELD_BYTES)
        read_bytes(field->bytes, field->size);
}

/* Reads all of them, so that the sanitizer sees where they lie. */
static void read_bytes(const uint8_t *bytes, size_t size)
{
    const volatile uint8_t *p = bytes;

    for (size_t i = 0; i < size; i++)
        (void)p[i];
}

static void must(bool holds)
{
    if (!holds)
        abort();
}
