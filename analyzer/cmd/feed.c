/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reading loop; see feed.h.
 */
#include "cmd/feed.h"

#include "analysis/complete.h"
#include "cmd/feed_read.h"
#include "cmd/feed_ring.h"
#include "cmd/interrupt.h"
#include "cmd/message.h"
#include "cmd/option_text.h"
#include "cmd/progress.h"
#include "report/frame.h"

struct feed {
    struct feed_read read;
    struct feed_ring *ring; /* NULL: reads between two batches */
    bool begun;
    struct capture capture;
    char *options;                    /* as the capture has them */
    GArray *interfaces;               /* of struct capture_interface */
    struct capture_span *untimed;     /* packets without a time; NULL: none yet, or no memory */
    struct capture_span untimed_span; /* then */
    struct feed_block *block;         /* packets before `at` were handed on */
    size_t at;
    struct feed_block own; /* where there is no ring */
};

enum {
    UNTIMED_SPANS = 1 << 16, /* beyond, all packets that follow count as without a time */
};

static size_t next_packets(struct feed *in, size_t *at);
static struct feed_block *next_block(struct feed *in);
static void take_untimed(struct feed *in, const struct feed_block *block);
static void add_untimed(struct feed *in, struct capture_span span);
static void describe_drops(struct feed *in);
static void describe_odd(struct feed *in);
static struct feed *open_feed(const struct options *options, bool none_will_do,
                              enum exit_status *status, GError **error);
static void tell_no_rdma(const struct capture *c, bool partly);

/* An object of JSON is for programs, which want one whatever the files are. */
struct feed *feed_open(const struct options *options, enum exit_status *status)
{
    GError *error = NULL;
    struct feed *in = open_feed(options, options->format == FORMAT_JSON, status, &error);

    if (in == NULL) {
        message_error("%s", error->message);
        g_error_free(error);
    }
    return in;
}

struct feed *feed_try(const struct options *options, enum exit_status *status, GError **error)
{
    return open_feed(options, false, status, error);
}

static struct feed *open_feed(const struct options *options, bool none_will_do,
                              enum exit_status *status, GError **error)
{
    const char *const *paths = (const char *const *)options->files;
    struct source_options source_options = {.bpf = options->bpf,
                                            .limit = options->limit,
                                            .none_will_do = none_will_do,
                                            .stop = interrupt_watch()};
    size_t count_of_paths = g_strv_length(options->files);
    GError *why = NULL;
    struct source *source = source_open(paths, count_of_paths, &source_options, &why);
    struct feed *in;

    *status = STATUS_OK;
    if (source == NULL) {
        *status =
            g_error_matches(why, SOURCE_ERROR, SOURCE_ERROR_FILTER) ? STATUS_USAGE : STATUS_INPUT;
        g_propagate_error(error, why);
        return NULL;
    }
    in = g_new0(struct feed, 1);
    in->interfaces = g_array_new(FALSE, FALSE, sizeof(struct capture_interface));
    in->read = (struct feed_read){
        .options = options,
        .source = source,
        .capture = &in->capture,
        .files = g_new0(const char *, count_of_paths),
        .links = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };
    in->capture.files = in->read.files;
    in->capture.file_count = count_of_paths;
    in->capture.link_rate_bps = options->link_rate_bps;
    in->capture.reorder_window_ns = options->flow.reorder_window_ns;
    in->capture.limit = options->limit;
    in->capture.filter = options->bpf;
    in->capture.options = in->options = option_text_reading(options);
    feed_block_init(&in->own);
    progress_begin(&in->read.progress, options->quiet);
    return in;
}

void feed_observe(struct feed *in, const struct feed_observer *observer)
{
    in->read.first = *observer;
}

size_t feed_next(struct feed *in, const struct rdc_packet **packets)
{
    size_t at, count = next_packets(in, &at);

    *packets = &in->block->packets[at];
    return count;
}

bool feed_next_batch(struct feed *in, struct flow_batch *batch)
{
    size_t at;

    if (!in->begun)
        feed_read_in_brief(&in->read);
    if (next_packets(in, &at) == 0)
        return false;
    feed_block_batch(in->block, at, batch);
    return true;
}

/* Hands on some packets, from place `at` of the block on. */
static size_t next_packets(struct feed *in, size_t *at)
{
    size_t count;

    if (in->block == NULL || in->at == in->block->count) {
        in->block = next_block(in);
        in->at = 0;
    }
    *at = in->at;
    count = MIN(in->block->count - in->at, FEED_BATCH);
    in->at += count;
    return count;
}

static struct feed_block *next_block(struct feed *in)
{
    struct feed_block *block = &in->own;
    struct capture *c = &in->capture;

    if (!in->begun && in->read.options->threads > 1)
        in->ring = feed_ring_new(&in->read);
    in->begun = true;
    if (in->ring != NULL)
        block = feed_ring_next(in->ring);
    else
        feed_read_block(&in->read, block, FEED_BATCH, false);
    g_array_append_vals(in->interfaces, block->interfaces->data, block->interfaces->len);
    c->interfaces = (const struct capture_interface *)(const void *)in->interfaces->data;
    c->interface_count = in->interfaces->len;
    if (block->untimed->len > 0)
        take_untimed(in, block);
    return block;
}

static void take_untimed(struct feed *in, const struct feed_block *block)
{
    struct capture *c = &in->capture;

    if (in->untimed == NULL && c->untimed_span_count == 0)
        in->untimed = g_try_new(struct capture_span, UNTIMED_SPANS);
    for (guint i = 0; i < block->untimed->len; i++)
        add_untimed(in, g_array_index(block->untimed, struct capture_span, i));
}

static void add_untimed(struct feed *in, struct capture_span span)
{
    struct capture *c = &in->capture;
    struct capture_span *spans = in->untimed != NULL ? in->untimed : &in->untimed_span;
    size_t room = in->untimed != NULL ? UNTIMED_SPANS : 1;
    struct capture_span *last = spans + c->untimed_span_count - 1;

    c->untimed_spans = spans;
    if (c->untimed_span_count > 0 && last->last >= span.first - 1)
        last->last = MAX(last->last, span.last);
    else if (c->untimed_span_count < room)
        spans[c->untimed_span_count++] = span;
    else
        last->last = UINT64_MAX;
}

/* The largest count: they overlap */
static uint64_t drops_of(const struct source_interface *f)
{
    uint64_t drops = f->dropped;

    if (drops == UINT64_MAX || (f->os_dropped != UINT64_MAX && f->os_dropped > drops))
        drops = f->os_dropped;
    if (f->packet_drops > 0 && (drops == UINT64_MAX || f->packet_drops > drops))
        drops = f->packet_drops;
    return drops;
}

void feed_saw_iwarp(struct feed *in, const struct flow_engine *engine)
{
    capture_saw_iwarp(&in->capture, engine);
}

void feed_tell_limits(const struct feed *in, const struct flow_engine *engine, uint64_t rounds)
{
    char *left_out = complete_left_out(&(struct complete_facts){&in->capture, engine, rounds, 0});

    if (left_out != NULL)
        message_note("not all of it was followed: %s", left_out);
    g_free(left_out);
    if (in->capture.overlap_count > 0 && !in->read.options->quiet)
        message_note("%s begins before the end of %s: files of one run are read one behind the "
                     "other, so what was sent once looks sent again; look at each by itself, or "
                     "merge them by time first",
                     in->capture.files[frame_file(in->capture.overlaps[0].frame)],
                     in->capture.files[in->capture.overlaps[0].earlier]);
}

const struct capture *feed_capture(struct feed *in)
{
    struct capture *c = &in->capture;

    if (in->block == NULL || in->block->count > 0) /* not at the end */
        return c;
    describe_drops(in);
    for (size_t i = 0; i < feed_damage_count(in) && i < CAPTURE_MAX_DAMAGE; i++)
        c->damage[i] = feed_damage(in, i);
    for (size_t i = 0; i < source_warning_count(in->read.source) && i < CAPTURE_MAX_WARNINGS; i++)
        c->warnings[i] = source_warning(in->read.source, i);
    describe_odd(in);
    return c;
}

/* They come last in a file */
static void describe_drops(struct feed *in)
{
    struct capture *c = &in->capture;

    c->drops = 0;
    c->drops_known = false;
    for (guint i = 0; i < in->interfaces->len; i++) {
        struct capture_interface *described =
            &g_array_index(in->interfaces, struct capture_interface, i);

        described->drops = drops_of(source_interface(in->read.source, i));
        if (described->drops != UINT64_MAX) {
            c->drops_known = true;
            c->drops = source_sum(c->drops, described->drops);
        }
    }
}

static void describe_odd(struct feed *in)
{
    const struct source *source = in->read.source;
    struct capture *c = &in->capture;

    c->odd_count = MIN(source_odd_count(source), CAPTURE_MAX_ODD);
    c->odd_records = 0;
    for (size_t i = 0; i < source_odd_count(source); i++) {
        const struct source_odd *odd = source_odd(source, i);
        const char *name = source_file(source, odd->file)->name;
        size_t place = 0;

        c->odd_records = source_sum(c->odd_records, odd->count);
        if (i >= c->odd_count)
            continue;
        while (place < in->read.entered && in->read.files[place] != name)
            place++;
        c->odd[i] =
            (struct capture_odd){odd->frame != 0 ? frame_ref(place, odd->frame) : 0, odd->text};
    }
}

size_t feed_damage_count(const struct feed *in)
{
    return source_damage_count(in->read.source);
}

const char *feed_damage(const struct feed *in, size_t index)
{
    return source_damage(in->read.source, index)->text;
}

/* Pauses belong to RDMA's fabric: whoever looks at them alone needs no hint. */
static bool holds_pauses(const struct capture *c)
{
    bool found = false;

    for (size_t i = 0; i < c->protocol_count; i++)
        found = found || strcmp(c->protocols[i].name, "MAC control") == 0;
    return found;
}

enum exit_status feed_close(struct feed *in, enum exit_status status)
{
    const struct options *options;
    struct source *source;

    if (in == NULL)
        return status;
    feed_ring_free(in->ring);
    options = in->read.options;
    source = in->read.source;
    progress_end(&in->read.progress);
    for (size_t i = 0; !options->quiet && i < source_warning_count(source); i++)
        message_note("%s", source_warning(source, i));
    if (!options->quiet && in->capture.untimed_span_count > 0)
        message_note("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " packets have no time (first: "
                     "frame %" G_GUINT64_FORMAT "): what would be computed from times is unknown",
                     in->capture.untimed, in->capture.packets,
                     frame_number(in->capture.untimed_spans[0].first));
    for (size_t i = 0; i < source_damage_count(source); i++) {
        message_error("%s", source_damage(source, i)->text);
        status = STATUS_INPUT;
    }
    if (!options->quiet && in->capture.rdma_packets == 0 && !holds_pauses(&in->capture) &&
        (in->capture.packets > 0 || status != STATUS_INPUT))
        tell_no_rdma(&in->capture, options->limit != 0 || options->bpf != NULL);
    source_close(source);
    free(in->read.contexts);
    feed_block_done(&in->own);
    g_array_free(in->interfaces, TRUE);
    g_free(in->untimed);
    g_free(in->options);
    g_array_free(in->read.links, TRUE);
    g_free(in->read.files);
    g_free(in);
    return status;
}

/* The usual reasons, the most frequent first */
static void tell_no_rdma(const struct capture *c, bool partly)
{
    GString *held = g_string_new(NULL);

    for (size_t i = 0; i < c->protocol_count; i++)
        g_string_append_printf(held, "%s%s %" G_GUINT64_FORMAT, i > 0 ? ", " : "",
                               c->protocols[i].name, c->protocols[i].packets);
    message_note("no RDMA in %s%s; packets: %s", partly ? "what was asked for of " : "",
                 c->file_count == 1 ? c->files[0] : "these files",
                 held->len > 0 ? held->str : "none");
    if (c->packets > 0 && !partly) {
        message_note("RDMA bypasses the kernel, so a capture on the host itself does not see it: "
                     "switch on the adapter's sniffer, or capture at a mirror port of the switch");
        message_note("or the capture filter left it out, or RoCEv2 uses another UDP port than "
                     "4791: see --rocev2-port");
    }
    g_string_free(held, TRUE);
}
