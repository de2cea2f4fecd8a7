/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A decoded field as a name and a value, for whoever shows all fields of a structure that has too
 * many to be a C struct each (management attributes). Values are in host order; nothing needs to
 * look at the bytes again.
 */
#ifndef RDC_FIELD_H
#define RDC_FIELD_H

#include <stdint.h>

enum rdc_field_kind {
    RDC_FIELD_NUMBER, /* `value`, a quantity or an enumeration: decimal */
    RDC_FIELD_HEX,    /* `value`, an id, key or mask: hexadecimal, `size` bytes wide */
    RDC_FIELD_FLAG,   /* `value`: 0 or 1 */
    RDC_FIELD_GID,    /* `bytes`: 16, as an IPv6 address */
    RDC_FIELD_IPV4,   /* `bytes`: 4 */
    RDC_FIELD_STRING, /* `bytes`, `size` of them without the padding; not checked for printability
                       */
    RDC_FIELD_BYTES,  /* `bytes`, `size` of them */
};

struct rdc_field {
    const char *name; /* static, a JSON key: "path_mtu_bytes" */
    const char *text; /* static, what `value` means; NULL: nothing to add */
    uint64_t value;
    const uint8_t *bytes; /* borrowed from the packet (or from the struct that was visited) */
    uint16_t size;        /* bytes on the wire, rounded up */
    uint16_t index;       /* of an array: which element; its elements follow one another */
    uint16_t count;       /* of an array: how many elements are visited; 0: a single value */
    uint8_t kind;         /* enum rdc_field_kind */
};

/* Called for each field in wire order */
typedef void rdc_field_visit(void *context, const struct rdc_field *field);

#endif
