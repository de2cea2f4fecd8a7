/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How attributes of management datagrams are described: tables of rows, a row a field. mad_table.c
 * walks them; smp.c, sa.c, perf.c, notice.c and the others hold them.
 */
#ifndef IB_MAD_TABLE_H
#define IB_MAD_TABLE_H

#include <stddef.h>

#include "rdc/mad.h"

/* What a number means. A table ends with a NULL text. */
struct mad_word {
    uint32_t value;
    const char *text;
};

/* Places are bits from the start of the structure, the most significant bit of byte 0 first, as the
 * specification counts them. A table ends with a NULL name. */
struct mad_row {
    const char *name;
    uint16_t bit;
    uint16_t bits;
    uint8_t kind;                 /* enum rdc_field_kind */
    const struct mad_word *words; /* or NULL */
    uint16_t count;               /* elements of an array; 0: a single value */
    uint16_t stride;              /* bits from one element to the next */
};

#define MAD_AT(byte, bit) ((byte)*8 + (bit))
#define MAD_NUMBER(name, byte, bit, bits)                                                          \
    {                                                                                              \
        name, MAD_AT(byte, bit), bits, RDC_FIELD_NUMBER, NULL, 0, 0                                \
    }
#define MAD_WORDS(name, byte, bit, bits, words)                                                    \
    {                                                                                              \
        name, MAD_AT(byte, bit), bits, RDC_FIELD_NUMBER, words, 0, 0                               \
    }
#define MAD_HEX(name, byte, bit, bits)                                                             \
    {                                                                                              \
        name, MAD_AT(byte, bit), bits, RDC_FIELD_HEX, NULL, 0, 0                                   \
    }
#define MAD_FLAG(name, byte, bit)                                                                  \
    {                                                                                              \
        name, MAD_AT(byte, bit), 1, RDC_FIELD_FLAG, NULL, 0, 0                                     \
    }
#define MAD_GID(name, byte)                                                                        \
    {                                                                                              \
        name, MAD_AT(byte, 0), 128, RDC_FIELD_GID, NULL, 0, 0                                      \
    }
#define MAD_STRING(name, byte, bytes)                                                              \
    {                                                                                              \
        name, MAD_AT(byte, 0), (bytes)*8, RDC_FIELD_STRING, NULL, 0, 0                             \
    }
#define MAD_BYTES(name, byte, bytes)                                                               \
    {                                                                                              \
        name, MAD_AT(byte, 0), (bytes)*8, RDC_FIELD_BYTES, NULL, 0, 0                              \
    }
#define MAD_ARRAY(name, byte, bit, bits, kind, count, stride)                                      \
    {                                                                                              \
        name, MAD_AT(byte, bit), bits, RDC_FIELD_##kind, NULL, count, stride                       \
    }
#define MAD_END                                                                                    \
    {                                                                                              \
        NULL, 0, 0, 0, NULL, 0, 0                                                                  \
    }

/* Rows that begin at a byte of the attribute: records contain other attributes */
struct mad_part {
    const struct mad_row *rows;
    uint16_t base;
};

enum {
    MAD_PARTS = 3,
};

/* A table ends with a NULL name. An attribute without rows is known by name only. */
struct mad_attribute {
    uint16_t id;
    const char *name;
    struct mad_part parts[MAD_PARTS];
};

extern const struct mad_attribute mad_common_attributes[];
extern const struct mad_attribute mad_smp_attributes[];
extern const struct mad_attribute mad_sa_attributes[];
extern const struct mad_attribute mad_perf_attributes[];
extern const struct mad_attribute mad_congestion_attributes[];

extern const struct mad_row mad_node_info_rows[];
extern const struct mad_row mad_node_description_rows[];
extern const struct mad_row mad_switch_info_rows[];
extern const struct mad_row mad_guid_info_rows[];
extern const struct mad_row mad_port_info_rows[];
extern const struct mad_row mad_pkey_table_rows[];
extern const struct mad_row mad_sl_to_vl_rows[];
extern const struct mad_row mad_vl_arbitration_rows[];
extern const struct mad_row mad_linear_forwarding_rows[];
extern const struct mad_row mad_multicast_forwarding_rows[];
extern const struct mad_row mad_sm_info_rows[];
extern const struct mad_row mad_class_port_info_rows[];
extern const struct mad_row mad_notice_rows[];
extern const struct mad_row mad_inform_info_rows[];

extern const struct mad_word mad_mtu_words[];
extern const struct mad_word mad_rate_words[];
/* Exponents 0..31 of the timeouts that are 4.096 us * 2^t */
extern const struct mad_word mad_timeout_words[];

/* The attribute of a class, NULL when unknown */
const struct mad_attribute *mad_find_attribute(uint8_t mgmt_class, uint16_t id);
/* Rows for the data details of a notice, from the number of its trap; NULL when unknown */
const struct mad_row *mad_trap_rows(uint16_t trap);
enum {
    MAD_NOTICE_DETAILS = 10, /* where they begin */
};

/* `bits` (1..64) from bit `bit` on */
uint64_t mad_bits(const uint8_t *bytes, size_t bit, size_t bits);
const char *mad_word_text(const struct mad_word *words, uint64_t value);
/* Visits the rows that lie within `captured` bytes */
void mad_visit_rows(const struct mad_row *rows, const uint8_t *bytes, size_t captured,
                    rdc_field_visit *visit, void *context);
/* Visits one value that is in a struct already */
void mad_visit_value(const char *name, uint64_t value, size_t size, enum rdc_field_kind kind,
                     const char *text, rdc_field_visit *visit, void *context);
void mad_visit_bytes(const char *name, const uint8_t *bytes, size_t size, enum rdc_field_kind kind,
                     rdc_field_visit *visit, void *context);

#endif
