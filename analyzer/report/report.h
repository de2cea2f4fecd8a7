/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report model: what an analysis found, as a typed tree, before anybody knows whether it will
 * be read by a person or by a program. Sections hold items, tables and sections; values know their
 * unit. Renderers (render/report_*.c) walk it and know nothing else.
 *
 * Keys and titles are static strings, borrowed. A node without a key is for people only, one
 * without a title is for programs only. Text values are copied. An unknown value carries its
 * reason.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum report_type {
    REPORT_UNKNOWN, /* `text`: why */
    REPORT_NONE,    /* does not apply: JSON null, text "-" */
    REPORT_COUNT,   /* `count` */
    REPORT_NUMBER,  /* `count`, an id rather than a quantity: no thousands separators */
    REPORT_BYTES,   /* `count` */
    REPORT_NS,      /* `ns`, a duration */
    REPORT_TIME,    /* `ns` since the epoch */
    REPORT_BPS,     /* `real`, bits per second */
    REPORT_PCT,     /* `real`, per cent */
    REPORT_REAL,    /* `real`, a plain quantity */
    REPORT_BOOL,    /* `count` */
    REPORT_TEXT,    /* `text` */
    REPORT_MAC,     /* `address` */
    REPORT_ADDRESS, /* `address`, of the kind `size` (enum rdc_address_kind) */
    REPORT_FRAME,   /* `count`, a frame reference (report/frame.h) */
    REPORT_FRAMES,  /* `list` of frame references */
    REPORT_NUMBERS, /* `list` */
    REPORT_TEXTS,   /* `texts`, NULL-terminated */
    REPORT_MAP,     /* `texts` as names, `list` as their counts */
};

/* How a person should take it; colour, where there is any */
enum report_mood {
    REPORT_PLAIN,
    REPORT_GOOD,
    REPORT_WARNING,
    REPORT_BAD,
};

/* Where a value is from: one that was computed from times of packets is as unknown as they are */
enum report_source {
    REPORT_BY_TYPE, /* NS, TIME, BPS: from times; all others: not */
    REPORT_STATED,  /* not from times: by a setting, a rate of a link */
    REPORT_CLOCKED, /* from times */
};

struct report_value {
    uint8_t type;   /* enum report_type */
    uint8_t mood;   /* enum report_mood */
    uint8_t source; /* enum report_source */
    uint32_t size;  /* of `list`; the kind of `address` */
    union {
        uint64_t count;
        int64_t ns;
        double real;
        const char *text;
        const uint64_t *list;
        uint8_t address[16];
    };
    const char *const *texts;
};

struct report_column {
    const char *key;   /* "packets"; "a.qpn" is the member `qpn` of an object `a` */
    const char *title; /* at the head of the column */
    bool wide;         /* shown only where there is room */
};

enum report_shape {
    REPORT_ARRAY, /* JSON: an array of objects */
    REPORT_KEYED, /* an object; the first column is the key, the others make an object */
    REPORT_PAIRS, /* an object; the first column is the key, the second its value */
};

enum report_kind {
    REPORT_SECTION,
    REPORT_ITEM,
    REPORT_TABLE,
    REPORT_LINE, /* sentences for people; `title`: what stands before them */
};

/* Makes the rows of a table when they are read, one after the other: a long table takes no memory.
 */
struct report_maker {
    /* What the values point to stays until the next row. */
    void (*row)(void *context, size_t row, struct report_value *cells);
    void (*free)(void *context);
    void *context;
};

/* Read by renderers; made by the functions below */
struct report_node {
    enum report_kind kind;
    const char *key;
    const char *title;
    struct report_node *next;
    struct report_node *first, *last; /* SECTION: its children */
    bool detail;                      /* people see it only when they ask for all */
    const char *untimed; /* why all that was computed from times is unknown; NULL: it is known */
    struct report_value value; /* ITEM, LINE */
    enum report_shape shape;   /* TABLE */
    const struct report_column *columns;
    size_t column_count;
    size_t row_count;
    struct report_value *cells; /* row by row; with a maker, those of one row */
    struct report_maker maker;
    bool wraps;       /* TABLE: the last column is text that goes on in the next line */
    size_t text_rows; /* a person sees this many rows unless all are asked for; 0: all */
};

struct report {
    const char *schema; /* "rdmapcap.stats/1" */
    const char *tool_version;
    const char *const *files; /* by the index in a frame reference; borrowed */
    size_t file_count;
    struct report_node root;
};

struct report *report_new(const char *schema, const char *tool_version, const char *const *files,
                          size_t file_count);
/* NULL is accepted */
void report_free(struct report *report);
/* Before anything is added: what is computed from times is unknown, for that reason (static). NULL:
 * it is known. */
void report_without_times(struct report *report, const char *reason);

/* The parent owns what is made */
struct report_node *report_section(struct report_node *parent, const char *key, const char *title);
void report_item(struct report_node *section, const char *key, const char *title,
                 struct report_value value);
void report_line(struct report_node *section, const char *text);
/* Sentences, broken at the width of the page, beside a label: a word, or "" to stand below the
 * sentences before. `mood` colours the label. */
void report_paragraph(struct report_node *section, const char *label, enum report_mood mood,
                      const char *text);
struct report_node *report_table(struct report_node *section, const char *key, const char *title,
                                 enum report_shape shape, const struct report_column *columns,
                                 size_t column_count);
/* `cells`: one value a column */
void report_row(struct report_node *table, const struct report_value *cells);
/* In place of that: `count` rows that are made when they are read. Takes the maker's context. */
void report_rows(struct report_node *table, size_t count, struct report_maker maker);
/* One value a column; borrowed until the next call for this table */
const struct report_value *report_cells(const struct report_node *table, size_t row);

/* Finds a table or section by its key, anywhere below; NULL when there is none */
const struct report_node *report_find(const struct report_node *node, const char *key);

static inline struct report_value report_count(uint64_t n)
{
    return (struct report_value){.type = REPORT_COUNT, .count = n};
}

static inline struct report_value report_number(uint64_t n)
{
    return (struct report_value){.type = REPORT_NUMBER, .count = n};
}

static inline struct report_value report_bytes(uint64_t n)
{
    return (struct report_value){.type = REPORT_BYTES, .count = n};
}

static inline struct report_value report_ns(int64_t ns)
{
    return (struct report_value){.type = REPORT_NS, .ns = ns};
}

static inline struct report_value report_time(int64_t ns)
{
    return (struct report_value){.type = REPORT_TIME, .ns = ns};
}

static inline struct report_value report_bps(double rate)
{
    return (struct report_value){.type = REPORT_BPS, .real = rate};
}

static inline struct report_value report_pct(double pct)
{
    return (struct report_value){.type = REPORT_PCT, .real = pct};
}

static inline struct report_value report_real(double value)
{
    return (struct report_value){.type = REPORT_REAL, .real = value};
}

static inline struct report_value report_bool(bool value)
{
    return (struct report_value){.type = REPORT_BOOL, .count = value};
}

static inline struct report_value report_text(const char *text)
{
    return (struct report_value){.type = REPORT_TEXT, .text = text};
}

static inline struct report_value report_mac(const uint8_t mac[6])
{
    struct report_value v = {.type = REPORT_MAC};

    memcpy(v.address, mac, 6);
    return v;
}

static inline struct report_value report_address(uint8_t kind, const uint8_t address[16])
{
    struct report_value v = {.type = REPORT_ADDRESS, .size = kind};

    memcpy(v.address, address, sizeof(v.address));
    return v;
}

static inline struct report_value report_frame(uint64_t ref)
{
    return (struct report_value){.type = REPORT_FRAME, .count = ref};
}

static inline struct report_value report_frames(const uint64_t *refs, size_t size)
{
    return (struct report_value){.type = REPORT_FRAMES, .list = refs, .size = (uint32_t)size};
}

static inline struct report_value report_numbers(const uint64_t *numbers, size_t size)
{
    return (struct report_value){.type = REPORT_NUMBERS, .list = numbers, .size = (uint32_t)size};
}

static inline struct report_value report_texts(const char *const *texts)
{
    return (struct report_value){.type = REPORT_TEXTS, .texts = texts};
}

static inline struct report_value report_map(const char *const *names, const uint64_t *counts,
                                             size_t size)
{
    return (struct report_value){
        .type = REPORT_MAP, .texts = names, .list = counts, .size = (uint32_t)size};
}

static inline struct report_value report_none(void)
{
    return (struct report_value){.type = REPORT_NONE};
}

static inline struct report_value report_unknown(const char *reason)
{
    return (struct report_value){.type = REPORT_UNKNOWN, .text = reason};
}

static inline struct report_value report_from(struct report_value value, enum report_source source)
{
    value.source = (uint8_t)source;
    return value;
}

static inline struct report_value report_mood(struct report_value value, enum report_mood mood)
{
    value.mood = (uint8_t)mood;
    return value;
}

#endif
