/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading and decoding; see feed_read.h.
 */
#include "cmd/feed_read.h"

#include "render/protocol.h"
#include "report/frame.h"

enum {
    CLOCK_EVERY = 64, /* blocks */
    CLAIMED = 8,      /* packets before they are written */
    LINE = 64,
};

static void show_progress(struct feed_read *r);
static void enter_file(struct feed_read *r, uint32_t file);
static void begin_file(struct feed_read *r, const struct feed_block *block);
static void enter_empty_files(struct feed_read *r);
static size_t decode(const struct feed_read *r, struct rdc_packet *packets, size_t n, bool far);
static void note_untimed(struct feed_read *r, struct feed_block *block);
static void note_first_time(struct feed_read *r, const struct feed_block *block);
static void count(struct capture *c, const struct rdc_packet *packets, size_t n);
static void take_interfaces(struct feed_read *r, struct feed_block *block);
static void keep_payload(GByteArray *payload, struct rdc_packet *packets, size_t count);

void feed_block_init(struct feed_block *block)
{
    block->count = 0;
    block->interfaces = g_array_new(FALSE, FALSE, sizeof(struct capture_interface));
    block->untimed = g_array_new(FALSE, FALSE, sizeof(struct capture_span));
    block->payload = g_byte_array_new();
}

void feed_block_done(struct feed_block *block)
{
    g_array_free(block->interfaces, TRUE);
    g_array_free(block->untimed, TRUE);
    g_byte_array_free(block->payload, TRUE);
}

void feed_read_block(struct feed_read *r, struct feed_block *block, size_t max, bool keep)
{
    size_t untimed, entered = r->entered;

    g_array_set_size(block->interfaces, 0);
    g_array_set_size(block->untimed, 0);
    block->count = source_next(r->source, r->records, max);
    if (block->count > 0)
        enter_file(r, r->records[0].file); /* all are of one file */
    else
        enter_empty_files(r);
    take_interfaces(r, block);
    untimed = decode(r, block->packets, block->count, keep);
    if (block->count > 0 && r->entered > entered && entered > 0)
        begin_file(r, block);
    count(r->capture, block->packets, block->count);
    if (untimed > 0)
        note_untimed(r, block);
    r->capture->untimed += untimed;
    if (!r->has_time)
        note_first_time(r, block);
    if (r->first.packets != NULL)
        r->first.packets(r->first.context, block->packets, block->hints, block->count);
    if (keep)
        keep_payload(block->payload, block->packets, block->count);
    if (r->progress.on && r->blocks++ % CLOCK_EVERY == 0)
        show_progress(r);
}

static void show_progress(struct feed_read *r)
{
    uint64_t done, total;

    source_progress(r->source, &done, &total);
    progress_show(&r->progress, r->capture->packets, done, total);
}

/* ------------------------------------------------------------------ files */

/* Files come one after the other; each gets the next place on the timeline */
static void enter_file(struct feed_read *r, uint32_t file)
{
    if (r->entered > 0 && r->current == file)
        return;
    r->current = file;
    r->files[r->entered++] = source_file(r->source, file)->name;
}

/* A file behind the first one begins: does it overlap one before it? */
static void begin_file(struct feed_read *r, const struct feed_block *block)
{
    if (r->entered == 2 || r->capture->last_time_ns > r->latest_ns) {
        r->latest = r->entered - 2;
        r->latest_ns = r->capture->last_time_ns;
    }
    if (r->has_time && !r->records[0].untimed)
        capture_begin_file(r->capture, &block->packets[0], r->latest);
}

/* Those without packets come last */
static void enter_empty_files(struct feed_read *r)
{
    for (uint32_t file = 0; file < r->capture->file_count; file++) {
        const char *name = source_file(r->source, file)->name;
        size_t i = 0;

        while (i < r->entered && r->files[i] != name)
            i++;
        if (i == r->entered)
            r->files[r->entered++] = name;
    }
}

/* ------------------------------------------------------------------ packets */

/* With two threads, the other processor has had the memory last: asks for it before it is written.
 */
static inline void claim(struct rdc_packet *pkt)
{
    for (size_t at = 0; at < offsetof(struct rdc_packet, tunnels); at += LINE)
        __builtin_prefetch((uint8_t *)pkt + at, 1);
}

/* How many have no time */
static size_t decode(const struct feed_read *r, struct rdc_packet *packets, size_t n, bool far)
{
    const struct rdc_config *config = &r->options->decode;
    const uint32_t *links = (const uint32_t *)(const void *)r->links->data;
    const uint32_t link_count = r->links->len;
    const uint64_t file = frame_ref(r->entered - 1, 0);
    size_t untimed = 0;

    for (size_t i = 0; i < n; i++) {
        const struct source_record *record = &r->records[i];
        struct rdc_packet *pkt = &packets[i];

        if (far && i + CLAIMED < n)
            claim(&packets[i + CLAIMED]);
        rdc_decode(config, &record->in, pkt);
        pkt->frame = file | record->frame;
        untimed += record->untimed;
        if (pkt->interface < link_count)
            pkt->interface = links[pkt->interface];
    }
    return untimed;
}

static void note_untimed(struct feed_read *r, struct feed_block *block)
{
    struct capture_span span = {0};

    for (size_t i = 0; i < block->count; i++) {
        if (!r->records[i].untimed)
            continue;
        if (i == 0 || !r->records[i - 1].untimed)
            span.first = block->packets[i].frame;
        span.last = block->packets[i].frame;
        if (i + 1 == block->count || !r->records[i + 1].untimed)
            g_array_append_val(block->untimed, span);
    }
}

/* Packets before the first that has a time are not the beginning of it */
static void note_first_time(struct feed_read *r, const struct feed_block *block)
{
    for (size_t i = 0; !r->has_time && i < block->count; i++) {
        r->has_time = !r->records[i].untimed;
        if (r->has_time)
            r->capture->first_time_ns = block->packets[i].time_ns;
    }
}

static void count(struct capture *c, const struct rdc_packet *packets, size_t n)
{
    if (capture_count(c, packets, n) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *protocol = protocol_beside_rdma(&packets[i]);

        if (protocol != NULL)
            capture_count_other(c, protocol, packets[i].wire_size);
    }
}

/* Only TCP and management are looked into later on. */
static bool is_read_on(const struct rdc_packet *pkt)
{
    return pkt->kind == RDC_KIND_TCP || (pkt->kind == RDC_KIND_BTH && pkt->ib.bth.dest_qpn <= 1);
}

static const uint8_t **payload_of(struct rdc_packet *pkt, uint32_t *size)
{
    *size = pkt->kind == RDC_KIND_TCP ? pkt->tcp.payload_captured : pkt->ib.payload_captured;
    return pkt->kind == RDC_KIND_TCP ? &pkt->tcp.payload : &pkt->ib.payload;
}

/* The bytes move when the array grows, so that pointers are set when all of them are there. */
static void keep_payload(GByteArray *payload, struct rdc_packet *packets, size_t count)
{
    const uint8_t **borrowed;
    size_t at = 0;
    uint32_t size;

    g_byte_array_set_size(payload, 0);
    for (size_t i = 0; i < count; i++) {
        if (!is_read_on(&packets[i]))
            continue;
        borrowed = payload_of(&packets[i], &size);
        if (*borrowed != NULL)
            g_byte_array_append(payload, *borrowed, size);
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_read_on(&packets[i])) {
            if (packets[i].kind == RDC_KIND_BTH)
                packets[i].ib.payload = NULL;
            continue;
        }
        borrowed = payload_of(&packets[i], &size);
        if (*borrowed != NULL) {
            *borrowed = payload->data + at;
            at += size;
        }
    }
}

/* ------------------------------------------------------------------ interfaces */

/* Files of one timeline are parts of one capture: the same place and name in each is one link. */
static uint32_t link_of(const struct feed_read *r, uint32_t id)
{
    const struct source_interface *f = source_interface(r->source, id);
    const struct source_interface *first = source_interface(r->source, 0);

    if (f->index < id) {
        const struct source_interface *other = source_interface(r->source, f->index);

        if (other->file == first->file && other->section == first->section &&
            g_strcmp0(other->name, f->name) == 0)
            return f->index;
    }
    return id;
}

static void take_interfaces(struct feed_read *r, struct feed_block *block)
{
    for (uint32_t i = r->links->len; i < source_interface_count(r->source); i++) {
        const struct source_interface *f = source_interface(r->source, i);
        uint32_t link = link_of(r, i);
        struct capture_interface described = {
            .name = f->name,
            .file = source_file(r->source, f->file)->name,
            .linktype = f->linktype,
            .snaplen = f->snaplen,
            .speed_bps = f->speed_bps,
            .drops = UINT64_MAX,
        };

        g_array_append_val(block->interfaces, described);
        g_array_append_val(r->links, link);
    }
}
