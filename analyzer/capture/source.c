/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Several capture files in a row, in the order of their first packets; filter and limit; damage and
 * warnings. How one file is read is in reader.c.
 */
#include <string.h>

#include "capture/filter.h"
#include "capture/reader.h"

#define NO_LINKTYPE UINT32_MAX /* no format can write it */

/* A file that waits for its turn, or had it */
struct entry {
    struct source_file file;
    uint32_t index;  /* in the order given */
    bool unreadable; /* not even its first packet; told as damage */
    bool has_packet;
    int64_t first_ns;      /* of its first packet */
    struct reader *reader; /* kept open where it can't be opened again */
    uint64_t size;         /* 0: unknown */
};

struct source {
    struct entry *entries; /* in the order given */
    struct entry **order;  /* in the order of reading */
    size_t count;
    size_t turn;           /* entries of `order` that were begun */
    struct reader *reader; /* of the file being read, or NULL */
    bool others;           /* ask libwiretap too */
    const struct source_stop *stop;
    struct filter *filter;
    uint64_t limit;         /* packets still wanted */
    bool none_will_do;      /* as of the options */
    uint64_t done;          /* bytes of the files finished */
    uint32_t last_linktype; /* or NO_LINKTYPE */
    GHashTable *linktypes;  /* seen */
    GPtrArray *interfaces;
    GArray *damage; /* of struct source_damage */
    GPtrArray *warnings;
    GArray *odd; /* of struct source_odd; its texts are among the warnings */
};

static bool open_all(struct source *src, const char *const *paths, GError **error);
static bool probe_all(struct source *src, GError **error);
static bool probe(struct source *src, struct entry *e, GError **error);
static void unreadable(struct source *src, const struct entry *e, GError *why);
static int by_first_packet(const void *a, const void *b);
static bool begin_only(struct source *src, GError **error);
static bool begin_first(struct source *src, GError **error);
static bool begin(struct source *src, struct entry *e, GError **error);
static bool check_filter(struct source *src, GError **error);
static bool begin_next(struct source *src);
static void finish(struct source *src);
static size_t stop_early(struct source *src);
static void tell_odd(struct source *src, uint64_t last);
static void take_interfaces(struct source *src);
static size_t accept(struct source *src, struct source_record *out, size_t n);
static void see_linktype(struct source *src, const struct source_record *rec);
static void add_damage(struct source *src, struct source_damage damage);

G_DEFINE_QUARK(rdmapcap - source - error, source_error)

struct source *source_open(const char *const *paths, size_t count,
                           const struct source_options *options, GError **error)
{
    struct source *src = g_new0(struct source, 1);

    src->count = count;
    src->entries = g_new0(struct entry, count);
    src->order = g_new0(struct entry *, count);
    src->last_linktype = NO_LINKTYPE;
    src->linktypes = g_hash_table_new(NULL, NULL);
    src->interfaces = g_ptr_array_new_with_free_func((GDestroyNotify)interface_free);
    src->damage = g_array_new(FALSE, FALSE, sizeof(struct source_damage));
    src->warnings = g_ptr_array_new_with_free_func(g_free);
    src->odd = g_array_new(FALSE, FALSE, sizeof(struct source_odd));
    src->limit = options && options->limit > 0 ? options->limit : UINT64_MAX;
    src->stop = options ? options->stop : NULL;
    src->none_will_do = options && options->none_will_do;
    src->others = !options || !options->own_formats_only;
    if (options && options->bpf)
        src->filter = filter_new(options->bpf);
    if (open_all(src, paths, error) && check_filter(src, error))
        return src;
    source_close(src);
    return NULL;
}

size_t source_next(struct source *src, struct source_record *out, size_t max)
{
    while (src->limit > 0) {
        size_t n;

        if (src->stop && src->stop->asked)
            return stop_early(src);
        if (!src->reader && !begin_next(src))
            return 0;
        n = reader_next(src->reader, out, max < src->limit ? max : (size_t)src->limit);
        take_interfaces(src);
        if (n == 0) {
            finish(src);
            continue;
        }
        n = accept(src, out, n);
        if (n > src->limit)
            n = (size_t)src->limit;
        src->limit -= n;
        if (src->limit == 0)
            tell_odd(src, out[n - 1].frame);
        if (n > 0)
            return n;
    }
    return 0;
}

void source_close(struct source *src)
{
    if (!src)
        return;
    reader_close(src->reader);
    for (size_t i = 0; i < src->count; i++) {
        reader_close(src->entries[i].reader);
        g_free(src->entries[i].file.application);
        g_free((char *)(uintptr_t)src->entries[i].file.path);
    }
    for (guint i = 0; i < src->damage->len; i++)
        g_free(g_array_index(src->damage, struct source_damage, i).text);
    g_array_free(src->damage, TRUE);
    g_ptr_array_free(src->warnings, TRUE);
    g_array_free(src->odd, TRUE);
    g_ptr_array_free(src->interfaces, TRUE);
    g_hash_table_destroy(src->linktypes);
    filter_free(src->filter);
    g_free(src->order);
    g_free(src->entries);
    g_free(src);
}

size_t source_damage_count(const struct source *src)
{
    return src->damage->len;
}

const struct source_damage *source_damage(const struct source *src, size_t i)
{
    return &g_array_index(src->damage, struct source_damage, i);
}

size_t source_warning_count(const struct source *src)
{
    return src->warnings->len;
}

const char *source_warning(const struct source *src, size_t i)
{
    return src->warnings->pdata[i];
}

size_t source_odd_count(const struct source *src)
{
    return src->odd->len;
}

const struct source_odd *source_odd(const struct source *src, size_t i)
{
    return &g_array_index(src->odd, struct source_odd, i);
}

size_t source_interface_count(const struct source *src)
{
    return src->interfaces->len;
}

const struct source_interface *source_interface(const struct source *src, size_t id)
{
    return src->interfaces->pdata[id];
}

size_t source_file_count(const struct source *src)
{
    return src->count;
}

const struct source_file *source_file(const struct source *src, size_t i)
{
    return &src->entries[i].file;
}

void source_progress(const struct source *src, uint64_t *done, uint64_t *total)
{
    const struct input *input = src->reader ? src->reader->input : NULL;

    *done = src->done + (input ? __atomic_load_n(&input->position, __ATOMIC_RELAXED) : 0);
    *total = 0;
    for (size_t i = 0; i < src->count; i++) {
        if (src->entries[i].size == 0) {
            *total = 0;
            return;
        }
        *total += src->entries[i].size;
    }
}

static bool open_all(struct source *src, const char *const *paths, GError **error)
{
    bool has_stdin = false;

    for (size_t i = 0; i < src->count; i++) {
        struct entry *e = &src->entries[i];
        bool is_stdin = strcmp(paths[i], "-") == 0;

        e->index = (uint32_t)i;
        e->file.path = g_strdup(paths[i]);
        e->file.name = is_stdin ? "standard input" : e->file.path;
        src->order[i] = e;
        if (is_stdin && has_stdin) {
            g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                        "standard input: is named twice; \"-\" can be given once");
            return false;
        }
        has_stdin = has_stdin || is_stdin;
    }
    return src->count == 1 ? begin_only(src, error)
                           : probe_all(src, error) && begin_first(src, error);
}

static bool begin_only(struct source *src, GError **error)
{
    GError *why = NULL;

    src->turn = 1;
    if (begin(src, src->order[0], &why)) {
        reader_peek(src->reader);
        return true;
    }
    if (src->none_will_do)
        unreadable(src, src->order[0], why);
    else
        g_propagate_error(error, why);
    return src->none_will_do;
}

/* The first that can still be read, now that all were looked at */
static bool begin_first(struct source *src, GError **error)
{
    if (begin_next(src)) {
        reader_peek(src->reader);
        return true;
    }
    if (!src->none_will_do)
        g_set_error_literal(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                            source_damage(src, source_damage_count(src) - 1)->text);
    return src->none_will_do;
}

/* What can't be read counts as damaged at its first frame, unless nothing can be read at all. */
static bool probe_all(struct source *src, GError **error)
{
    size_t readable = 0;

    for (size_t i = 0; i < src->count; i++) {
        struct entry *e = &src->entries[i];
        GError *why = NULL;

        e->unreadable = !probe(src, e, &why);
        readable += !e->unreadable;
        if (e->unreadable)
            unreadable(src, e, why);
    }
    if (readable > 0)
        qsort(src->order, src->count, sizeof *src->order, by_first_packet);
    else if (!src->none_will_do)
        g_set_error_literal(error, SOURCE_ERROR, SOURCE_ERROR_FILE, source_damage(src, 0)->text);
    return readable > 0 || src->none_will_do;
}

/* Looks at a file's first packet. What can be opened again is closed until its turn: a thousand
 * rotated files must not be open at once. */
static bool probe(struct source *src, struct entry *e, GError **error)
{
    struct reader *r = reader_open(&e->file, e->index, src->others, src->stop, error);
    const struct source_record *first;

    if (!r)
        return false;
    e->size = r->input ? r->input->size : 0;
    first = reader_peek(r);
    e->has_packet = first != NULL;
    e->first_ns = first ? first->in.time_ns : 0;
    if (!r->reopenable) {
        e->reader = r;
        return true;
    }
    reader_close(r);
    return true;
}

/* Takes `why` */
static void unreadable(struct source *src, const struct entry *e, GError *why)
{
    add_damage(
        src, (struct source_damage){.file = e->index, .frame = 1, .text = g_strdup(why->message)});
    g_error_free(why);
}

/* Files without packets come last, behind them those that can't be read; the order given decides
 * between equals */
static int by_first_packet(const void *a, const void *b)
{
    const struct entry *x = *(struct entry *const *)a;
    const struct entry *y = *(struct entry *const *)b;

    if (x->unreadable != y->unreadable)
        return x->unreadable ? 1 : -1;
    if (x->has_packet != y->has_packet)
        return x->has_packet ? -1 : 1;
    if (x->has_packet && x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool begin(struct source *src, struct entry *e, GError **error)
{
    struct reader *r = e->reader;

    e->reader = NULL;
    if (!r) {
        g_free(e->file.application);
        e->file.application = NULL;
        r = reader_open(&e->file, e->index, src->others, src->stop, error);
    }
    if (!r)
        return false;
    e->size = r->input ? r->input->size : 0;
    r->interface_base = src->interfaces->len;
    r->interface_room = SOURCE_MAX_INTERFACES - MIN(src->interfaces->len, SOURCE_MAX_INTERFACES);
    src->reader = r;
    return true;
}

/* A wrong expression must be told from one that does not suit a link type: it is compiled for the
 * first packet's link type, or Ethernet. */
static bool check_filter(struct source *src, GError **error)
{
    const struct source_record *first = src->reader ? reader_peek(src->reader) : NULL;
    uint32_t linktype = first ? first->in.linktype : RDC_LINKTYPE_ETHERNET;
    const char *why;

    if (!src->filter)
        return true;
    why = filter_prepare(src->filter, linktype);
    if (!why)
        return true;
    if (first && !filter_prepare(src->filter, RDC_LINKTYPE_ETHERNET)) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILTER,
                    "%s: the filter can't be used on packets of link type %u, which the file "
                    "begins with (%s); see pcap-filter(7)",
                    src->reader->name, linktype, why);
        return false;
    }
    g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILTER,
                "the filter expression is wrong: %s; see pcap-filter(7)", why);
    return false;
}

static bool begin_next(struct source *src)
{
    while (src->turn < src->count) {
        struct entry *e = src->order[src->turn++];
        GError *error = NULL;

        if (e->unreadable)
            continue;
        if (begin(src, e, &error))
            return true;
        unreadable(src, e, error); /* it could be opened before: it changed meanwhile */
    }
    return false;
}

/* Without a file being read, the next one tells */
static size_t stop_early(struct source *src)
{
    struct reader *r = src->reader;

    src->limit = 0;
    if (r) {
        reader_damage(r, window_offset(&r->window), "reading it was interrupted");
        finish(src);
    } else if (src->turn < src->count) {
        const struct entry *e = src->order[src->turn];

        add_damage(src, (struct source_damage){
                            .file = e->index,
                            .frame = 1,
                            .text = g_strdup_printf("%s: was not read: interrupted before it",
                                                    e->file.name)});
    }
    return 0;
}

static void finish(struct source *src)
{
    struct reader *r = src->reader;

    tell_odd(src, UINT64_MAX);
    src->done += r->input ? r->input->position : 0;
    if (r->damage.text) {
        add_damage(src, r->damage);
        r->damage.text = NULL;
    }
    src->reader = NULL;
    reader_close(r);
}

/* The reader will not be asked for more; it may have read ahead of the frame delivered last */
static void tell_odd(struct source *src, uint64_t last)
{
    const struct reader *r = src->reader;

    for (enum oddity kind = 0; kind < ODDITY_COUNT; kind++) {
        char *text = oddities_text(&r->odd, kind, r->name, last);
        struct source_odd odd = {.file = r->file_index,
                                 .frame = oddity_is_of_packet(kind) ? r->odd.of[kind].frame : 0,
                                 .count = r->odd.of[kind].count,
                                 .text = text};

        if (!text)
            continue;
        g_ptr_array_add(src->warnings, text);
        g_array_append_val(src->odd, odd);
    }
}

static void take_interfaces(struct source *src)
{
    struct reader *r = src->reader;

    while (r->handed_on < r->interfaces->len)
        g_ptr_array_add(src->interfaces, r->interfaces->pdata[r->handed_on++]);
}

/* Notes new link types; with a filter, keeps the records that match. */
static size_t accept(struct source *src, struct source_record *out, size_t n)
{
    /* packets of one interface are of one link type */
    size_t linktypes = src->reader->interfaces->len > 1 ? n : 1, kept = 0;

    for (size_t i = 0; i < linktypes; i++)
        if (out[i].in.linktype != src->last_linktype)
            see_linktype(src, &out[i]);
    if (!src->filter)
        return n;
    for (size_t i = 0; i < n; i++)
        if (filter_match(src->filter, &out[i].in))
            out[kept++] = out[i];
    return kept;
}

static void see_linktype(struct source *src, const struct source_record *rec)
{
    const char *name = src->entries[rec->file].file.name;
    uint32_t linktype = rec->in.linktype;
    const char *why;

    src->last_linktype = linktype;
    if (!g_hash_table_add(src->linktypes, GUINT_TO_POINTER(linktype)))
        return;
    if (!rdc_linktype_name(linktype))
        g_ptr_array_add(
            src->warnings,
            g_strdup_printf("%s: packets of link type %u (first: frame %" G_GUINT64_FORMAT
                            ") are counted, but not decoded: the link type is not known",
                            name, linktype, rec->frame));
    why = src->filter ? filter_prepare(src->filter, linktype) : NULL;
    if (why)
        g_ptr_array_add(
            src->warnings,
            g_strdup_printf("%s: packets of link type %u (first: frame %" G_GUINT64_FORMAT
                            ") are left out: the filter can't be used on them (%s)",
                            name, linktype, rec->frame, why));
}

static void add_damage(struct source *src, struct source_damage damage)
{
    g_array_append_val(src->damage, damage);
}
