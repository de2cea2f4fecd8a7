/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For tests of management datagrams: building one from its non-zero pieces, and writing visited
 * fields as one line of text, those that are zero left out.
 */
#ifndef UNIT_IB_FIELDS_H
#define UNIT_IB_FIELDS_H

#include "support.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "rdc/cm.h"

/* Bytes at a place; a list ends with NULL */
struct piece {
    size_t offset;
    const char *hex;
};

static inline void fields_build(const struct piece *pieces, uint8_t out[RDC_MAD_LEN])
{
    memset(out, 0, RDC_MAD_LEN);
    for (; pieces->hex != NULL; pieces++)
        (void)support_hex(pieces->hex, out + pieces->offset, RDC_MAD_LEN - pieces->offset);
}

struct fields_text {
    char text[4096];
    size_t used;
    size_t count;         /* of all fields, the zero ones too */
    const uint8_t *first; /* bytes of fields must lie between these, when not NULL */
    const uint8_t *last;
};

static inline bool fields_is_zero(const struct rdc_field *f)
{
    for (size_t i = 0; f->bytes != NULL && i < f->size; i++)
        if (f->bytes[i] != 0)
            return false;
    return f->value == 0;
}

static inline void fields_add(struct fields_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void fields_add(struct fields_text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->used += (size_t)vsnprintf(t->text + t->used, sizeof t->text - t->used, format, args);
    va_end(args);
    assert_true(t->used < sizeof t->text);
}

/* rdc_field_visit: " name=value(text)", arrays as name[index] */
static inline void fields_visit(void *context, const struct rdc_field *f)
{
    struct fields_text *t = context;

    t->count++;
    assert_non_null(f->name);
    assert_true(f->size > 0 || f->kind == RDC_FIELD_STRING);
    assert_true(f->count == 0 || f->index < f->count);
    if (f->bytes != NULL && t->first != NULL) {
        assert_true(f->bytes >= t->first);
        assert_true(f->bytes + f->size <= t->last);
    }
    if (fields_is_zero(f))
        return;
    fields_add(t, "%s%s", t->used > 0 ? " " : "", f->name);
    if (f->count > 0)
        fields_add(t, "[%u]", (unsigned)f->index);
    fields_add(t, "=");
    if (f->kind == RDC_FIELD_STRING)
        fields_add(t, "'%.*s'", (int)f->size, (const char *)f->bytes);
    else if (f->bytes != NULL)
        for (size_t i = 0; i < f->size; i++)
            fields_add(t, "%02x", f->bytes[i]);
    else if (f->kind == RDC_FIELD_HEX)
        fields_add(t, "0x%" PRIx64, f->value);
    else
        fields_add(t, "%" PRIu64, f->value);
    if (f->text != NULL)
        fields_add(t, "(%s)", f->text);
}

#endif
