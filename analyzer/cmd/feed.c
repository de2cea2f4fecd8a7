/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The reading loop; see feed.h.
 */
#include "cmd/feed.h"

#include "capture/source.h"
#include "cmd/interrupt.h"
#include "cmd/message.h"
#include "cmd/progress.h"
#include "render/protocol.h"
#include "report/frame.h"

enum {
    CLOCK_EVERY = 256, /* batches */
};

struct feed {
    const struct options *options;
    struct source *source;
    struct progress progress;
    struct capture capture;
    GArray *interfaces; /* of struct capture_interface */
    const char **files; /* by place on the timeline; NULL: not reached yet */
    size_t entered;     /* files reached */
    uint32_t current;   /* index of the path of files[entered - 1] */
    uint64_t batches;
    struct source_record records[FEED_BATCH];
    struct rdc_packet packets[FEED_BATCH];
};

static size_t read_records(struct feed *in);
static void decode(struct feed *in, const struct source_record *record, struct rdc_packet *out);
static void take_interfaces(struct feed *in);
static void tell_no_rdma(const struct capture *c, bool partly);

struct feed *feed_open(const struct options *options, enum exit_status *status)
{
    GError *error = NULL;
    struct feed *in = feed_try(options, status, &error);

    if (in == NULL) {
        message_error("%s", error->message);
        g_error_free(error);
    }
    return in;
}

struct feed *feed_try(const struct options *options, enum exit_status *status, GError **error)
{
    const char *const *paths = (const char *const *)options->files;
    struct source_options source_options = {
        .bpf = options->bpf, .limit = options->limit, .stop = interrupt_watch()};
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
    in->options = options;
    in->source = source;
    in->files = g_new0(const char *, count_of_paths);
    in->interfaces = g_array_new(FALSE, FALSE, sizeof(struct capture_interface));
    in->capture.files = in->files;
    in->capture.file_count = count_of_paths;
    in->capture.link_rate_bps = options->link_rate_bps;
    in->capture.reorder_window_ns = options->flow.reorder_window_ns;
    progress_begin(&in->progress, options->quiet);
    return in;
}

/* Files come one after the other; each gets the next place on the timeline */
static void enter_file(struct feed *in, uint32_t file)
{
    if (in->entered > 0 && in->current == file)
        return;
    in->current = file;
    in->files[in->entered++] = source_file(in->source, file)->name;
}

/* Those without packets come last */
static void enter_empty_files(struct feed *in)
{
    for (uint32_t file = 0; file < in->capture.file_count; file++) {
        const char *name = source_file(in->source, file)->name;
        size_t i = 0;

        while (i < in->entered && in->files[i] != name)
            i++;
        if (i == in->entered)
            in->files[in->entered++] = name;
    }
}

size_t feed_next(struct feed *in, const struct rdc_packet **packets)
{
    size_t count = read_records(in);

    for (size_t i = 0; i < count; i++)
        decode(in, &in->records[i], &in->packets[i]);
    if (count == 0)
        enter_empty_files(in);
    *packets = in->packets;
    return count;
}

/* All of one file */
static size_t read_records(struct feed *in)
{
    size_t count = source_next(in->source, in->records, FEED_BATCH);
    uint64_t done, total;

    if (count > 0)
        enter_file(in, in->records[0].file);
    if (in->progress.on && in->batches++ % CLOCK_EVERY == 0) {
        source_progress(in->source, &done, &total);
        progress_show(&in->progress, in->capture.packets, done, total);
    }
    return count;
}

static inline void decode(struct feed *in, const struct source_record *record,
                          struct rdc_packet *out)
{
    rdc_decode(&in->options->decode, &record->in, out);
    out->frame = frame_ref(in->entered - 1, record->frame);
    if (out->interface >= in->capture.interface_count)
        take_interfaces(in);
    out->interface = capture_link(&in->capture, out->interface);
    capture_count(&in->capture, out, protocol_beside_rdma(out));
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

/* Files of one timeline are parts of one capture: the same place and name in each is one link. */
static uint32_t link_of(const struct feed *in, uint32_t id)
{
    const struct source_interface *f = source_interface(in->source, id);
    const struct source_interface *first = source_interface(in->source, 0);

    if (f->index < id) {
        const struct source_interface *other = source_interface(in->source, f->index);

        if (other->file == first->file && other->section == first->section &&
            g_strcmp0(other->name, f->name) == 0)
            return f->index;
    }
    return id;
}

static void take_interfaces(struct feed *in)
{
    struct capture *c = &in->capture;

    for (uint32_t i = in->interfaces->len; i < source_interface_count(in->source); i++) {
        const struct source_interface *f = source_interface(in->source, i);
        struct capture_interface described = {
            .name = f->name,
            .file = source_file(in->source, f->file)->name,
            .linktype = f->linktype,
            .link = link_of(in, i),
            .snaplen = f->snaplen,
            .speed_bps = f->speed_bps,
            .drops = UINT64_MAX,
        };

        g_array_append_val(in->interfaces, described);
    }
    c->interfaces = (const struct capture_interface *)(const void *)in->interfaces->data;
    c->interface_count = in->interfaces->len;
}

void feed_saw_iwarp(struct feed *in, const struct flow_engine *engine)
{
    capture_saw_iwarp(&in->capture, engine);
}

const struct capture *feed_capture(struct feed *in)
{
    struct capture *c = &in->capture;

    take_interfaces(in);
    c->drops = 0;
    c->drops_known = false;
    for (guint i = 0; i < in->interfaces->len; i++) {
        struct capture_interface *described =
            &g_array_index(in->interfaces, struct capture_interface, i);

        described->drops = drops_of(source_interface(in->source, i));
        if (described->drops != UINT64_MAX) {
            c->drops_known = true;
            c->drops += described->drops;
        }
    }
    for (size_t i = 0; i < source_damage_count(in->source) && i < CAPTURE_MAX_DAMAGE; i++)
        c->damage[i] = source_damage(in->source, i)->text;
    return c;
}

size_t feed_damage_count(const struct feed *in)
{
    return source_damage_count(in->source);
}

const char *feed_damage(const struct feed *in, size_t index)
{
    return source_damage(in->source, index)->text;
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
    if (in == NULL)
        return status;
    progress_end(&in->progress);
    for (size_t i = 0; !in->options->quiet && i < source_warning_count(in->source); i++)
        message_note("%s", source_warning(in->source, i));
    for (size_t i = 0; i < source_damage_count(in->source); i++) {
        message_error("%s", source_damage(in->source, i)->text);
        status = STATUS_INPUT;
    }
    if (!in->options->quiet && in->capture.rdma_packets == 0 && !holds_pauses(&in->capture))
        tell_no_rdma(&in->capture, in->options->limit != 0 || in->options->bpf != NULL);
    source_close(in->source);
    g_array_free(in->interfaces, TRUE);
    g_free(in->files);
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
