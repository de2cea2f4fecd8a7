/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading and decoding; see feed_read.h.
 */
#include "cmd/feed_read.h"

#include "render/protocol.h"
#include "report/frame.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOCK_EVERY = 64, /* blocks */
    CLAIMED = 8,      /* packets before they are written */
    LOOKED_UP = 8,    /* packets before their turn that their contexts begin to be looked up */
    LINE = 64,

    /* Looking for contexts in vain takes longer than decoding does. Of more connections than there
     * are contexts, one makes way before it is of use; other packets have none. So packets in brief
     * pay for those that are not, and where they can't, none is looked for for some time. */
    BRIEF_EARNS = 2,
    WHOLE_COSTS = 1,
    CONTEXT_COSTS = 4, /* to learn one */
    CREDIT_MAX = CONTEXT_COSTS * RDC_CONTEXTS,
    CREDIT_AGAIN = 1 << 12, /* after a rest */
    REST = 1 << 18,         /* packets */
};

static void show_progress(struct feed_read *r);
static uint64_t frame_of(const struct feed_read *r, size_t i);
static int64_t time_of(const struct feed_block *block, size_t i);
static void enter_file(struct feed_read *r, uint32_t file);
static void begin_file(struct feed_read *r, const struct feed_block *block);
static void enter_empty_files(struct feed_read *r);
static size_t decode(struct feed_read *r, struct feed_block *block, bool far);
static void note_untimed(struct feed_read *r, struct feed_block *block);
static void note_first_time(struct feed_read *r, const struct feed_block *block);
static void count(struct capture *c, struct feed_block *block);
static void show_first(const struct feed_observer *first, struct feed_block *block);
static void take_interfaces(struct feed_read *r, struct feed_block *block);
static void keep_payload(struct feed_block *block);

/* Without memory for contexts, all packets come whole. */
void feed_read_in_brief(struct feed_read *r)
{
    r->contexts = calloc(1, rdc_contexts_size());
    r->credit = CREDIT_MAX;
}

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
    untimed = decode(r, block, keep);
    if (block->count > 0 && r->entered > entered && entered > 0)
        begin_file(r, block);
    count(r->capture, block);
    if (untimed > 0)
        note_untimed(r, block);
    r->capture->untimed += untimed;
    if (!r->has_time)
        note_first_time(r, block);
    if (r->first.batch != NULL)
        show_first(&r->first, block);
    if (keep)
        keep_payload(block);
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
        capture_begin_file(r->capture, frame_of(r, 0), time_of(block, 0), r->latest);
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

static inline uint64_t bit_of(size_t i)
{
    return (uint64_t)1 << i % FEED_BATCH;
}

static inline bool is_whole(const struct feed_block *block, size_t i)
{
    return (block->whole[i / FEED_BATCH] & bit_of(i)) != 0;
}

static uint64_t frame_of(const struct feed_read *r, size_t i)
{
    return frame_ref(r->entered - 1, 0) | r->records[i].frame;
}

/* The decoder moves a time that is out of its range. */
static int64_t time_of(const struct feed_block *block, size_t i)
{
    return is_whole(block, i) ? block->packets[i].time_ns : block->briefs[i].time_ns;
}

/* With two threads, the other processor has had the memory last: asks for it before it is written.
 */
static inline void claim(void *memory, size_t size)
{
    for (size_t at = 0; at < size; at += LINE)
        __builtin_prefetch((uint8_t *)memory + at, 1);
}

static inline void decode_whole(const struct feed_read *r, struct feed_block *block, size_t i)
{
    const uint32_t *links = (const uint32_t *)(const void *)r->links->data;
    struct rdc_packet *pkt = &block->packets[i];

    rdc_decode(&r->options->decode, &r->records[i].in, pkt);
    pkt->frame = frame_of(r, i);
    if (pkt->interface < r->links->len)
        pkt->interface = links[pkt->interface];
    block->whole[i / FEED_BATCH] |= bit_of(i);
}

/* One that is not like those before it */
static __attribute__((noinline)) void decode_new(struct feed_read *r, struct feed_block *block,
                                                 size_t i)
{
    struct rdc_brief *brief = &block->briefs[i];

    decode_whole(r, block, i);
    brief->context = RDC_NO_CONTEXT;
    brief->learned = rdc_contexts_learn(r->contexts, &r->records[i].in, &block->packets[i]);
    r->credit -= brief->learned != RDC_NO_CONTEXT ? CONTEXT_COSTS : WHOLE_COSTS;
}

static size_t decode_in_brief(struct feed_read *r, struct feed_block *block, bool far)
{
    const struct rdc_config *config = &r->options->decode;
    const size_t count = block->count;
    struct rdc_lookup lookups[FEED_BLOCK];
    size_t untimed = 0, briefs = 0;

    for (size_t i = 0; i < LOOKED_UP && i < count; i++)
        rdc_lookup_begin(r->contexts, &r->records[i].in, &lookups[i]);
    for (size_t i = 0; i < LOOKED_UP / 2 && i < count; i++)
        rdc_lookup_go_on(r->contexts, &lookups[i]);
    for (size_t i = 0; i < count; i++) {
        const struct source_record *record = &r->records[i];
        struct rdc_brief *brief = &block->briefs[i];

        if (i + LOOKED_UP < count)
            rdc_lookup_begin(r->contexts, &r->records[i + LOOKED_UP].in, &lookups[i + LOOKED_UP]);
        if (i + LOOKED_UP / 2 < count)
            rdc_lookup_go_on(r->contexts, &lookups[i + LOOKED_UP / 2]);
        if (far && i + CLAIMED < count)
            claim(&block->briefs[i + CLAIMED], sizeof(*brief));
        if (rdc_brief_decode(r->contexts, config, &record->in, &lookups[i], brief)) {
            brief->frame = frame_of(r, i);
            briefs++;
        } else {
            decode_new(r, block, i);
        }
        untimed += record->untimed;
    }
    r->credit = MIN(r->credit + (int64_t)briefs * BRIEF_EARNS, CREDIT_MAX);
    return untimed;
}

static size_t decode_all_whole(const struct feed_read *r, struct feed_block *block, bool far)
{
    size_t untimed = 0;

    for (size_t i = 0; i < block->count; i++) {
        if (far && i + CLAIMED < block->count)
            claim(&block->packets[i + CLAIMED], offsetof(struct rdc_packet, tunnels));
        decode_whole(r, block, i);
        untimed += r->records[i].untimed;
    }
    return untimed;
}

/* Whether it is worth it for these packets */
static bool look_for_contexts(struct feed_read *r, size_t count)
{
    if (r->contexts == NULL || r->credit > 0)
        return r->contexts != NULL;
    r->rested += count;
    if (r->rested >= REST) {
        r->rested = 0;
        r->credit = CREDIT_AGAIN;
    }
    return false;
}

/* How many have no time */
static size_t decode(struct feed_read *r, struct feed_block *block, bool far)
{
    memset(block->whole, 0, sizeof(block->whole));
    block->contexts = look_for_contexts(r, block->count) ? r->contexts : NULL;
    return block->contexts != NULL ? decode_in_brief(r, block, far)
                                   : decode_all_whole(r, block, far);
}

static void note_untimed(struct feed_read *r, struct feed_block *block)
{
    struct capture_span span = {0};

    for (size_t i = 0; i < block->count; i++) {
        if (!r->records[i].untimed)
            continue;
        if (i == 0 || !r->records[i - 1].untimed)
            span.first = frame_of(r, i);
        span.last = frame_of(r, i);
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
            r->capture->first_time_ns = time_of(block, i);
    }
}

void feed_block_batch(struct feed_block *block, size_t at, struct flow_batch *batch)
{
    batch->contexts = block->contexts;
    batch->briefs = block->contexts != NULL ? &block->briefs[at] : NULL;
    batch->packets = &block->packets[at];
    batch->count = MIN(block->count - at, FEED_BATCH);
    batch->whole = block->whole[at / FEED_BATCH];
}

/* What is no RDMA never comes in brief. */
static void count_others(struct capture *c, const struct flow_batch *batch)
{
    for (uint64_t whole = batch->whole; whole != 0; whole &= whole - 1) {
        const struct rdc_packet *pkt = &batch->packets[__builtin_ctzll(whole)];
        const char *protocol = protocol_beside_rdma(pkt);

        if (protocol != NULL)
            capture_count_other(c, protocol, pkt->wire_size);
    }
}

static void count(struct capture *c, struct feed_block *block)
{
    struct flow_batch batch;

    for (size_t at = 0; at < block->count; at += FEED_BATCH) {
        feed_block_batch(block, at, &batch);
        if (capture_count(c, &batch) > 0)
            count_others(c, &batch);
    }
}

static void show_first(const struct feed_observer *first, struct feed_block *block)
{
    struct flow_batch batch;

    for (size_t at = 0; at < block->count; at += FEED_BATCH) {
        feed_block_batch(block, at, &batch);
        first->batch(first->context, &batch);
    }
}

/* Only TCP and management are looked into later on. */
static bool is_read_on(const struct rdc_packet *pkt)
{
    return pkt->kind == RDC_KIND_TCP ||
           (pkt->kind == RDC_KIND_BTH && pkt->ib.bth.dest_qpn < RDC_QPN_FIRST);
}

static const uint8_t **payload_of(struct rdc_packet *pkt, uint32_t *size)
{
    *size = pkt->kind == RDC_KIND_TCP ? pkt->tcp.payload_captured : pkt->ib.payload_captured;
    return pkt->kind == RDC_KIND_TCP ? &pkt->tcp.payload : &pkt->ib.payload;
}

/* Index of the next packet that is whole, from `i` on; FEED_BLOCK: none. None has a payload but
 * these. */
static size_t next_whole(const struct feed_block *block, size_t i)
{
    while (i < FEED_BLOCK) {
        uint64_t rest = block->whole[i / FEED_BATCH] >> i % FEED_BATCH;

        if (rest != 0)
            return i + (size_t)__builtin_ctzll(rest);
        i += FEED_BATCH - i % FEED_BATCH;
    }
    return FEED_BLOCK;
}

/* Their bytes move when the array grows, so that pointers are set when all of them are there. */
static void keep_payload(struct feed_block *block)
{
    const uint8_t **borrowed;
    size_t at = 0;
    uint32_t size;

    g_byte_array_set_size(block->payload, 0);
    for (size_t i = 0; (i = next_whole(block, i)) < FEED_BLOCK; i++) {
        borrowed = payload_of(&block->packets[i], &size);
        if (is_read_on(&block->packets[i]) && *borrowed != NULL)
            g_byte_array_append(block->payload, *borrowed, size);
    }
    for (size_t i = 0; (i = next_whole(block, i)) < FEED_BLOCK; i++) {
        borrowed = payload_of(&block->packets[i], &size);
        if (!is_read_on(&block->packets[i])) {
            if (block->packets[i].kind == RDC_KIND_BTH)
                *borrowed = NULL;
        } else if (*borrowed != NULL) {
            *borrowed = block->payload->data + at;
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
