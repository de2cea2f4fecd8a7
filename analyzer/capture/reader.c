/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opening one capture file: which compression, which format; and what all formats need: interfaces,
 * damage, a record read in advance. The formats themselves are in pcap.c, pcapng.c and wiretap.c.
 */
#include <string.h>

#include "capture/reader.h"
#include "capture/refusal.h"

enum {
    LOOK = 28, /* bytes that decide about the format */
};

static void note_damage(struct reader *r, const char *what, uint64_t offset, bool decompressed);
static bool open_window(struct reader *probe, const struct source_stop *stop, GError **error);
enum {
    INTERFACE_BYTES = 768, /* that an interface takes, in all, while arrays double */
};

static struct reader *begin_format(const struct reader *probe, const struct format *format,
                                   GError **error);
static const struct format *find_format(const uint8_t *start, size_t size);

struct reader *reader_open(struct source_file *file, uint32_t file_index, bool others,
                           const struct source_stop *stop, GError **error)
{
    struct reader probe = {.name = file->name, .file = file, .file_index = file_index};
    struct reader *r = NULL;
    const struct format *format;
    GError *other = NULL;

    if (!open_window(&probe, stop, error))
        return NULL;
    window_fill(&probe.window, LOOK);
    format = find_format(window_bytes(&probe.window), window_left(&probe.window));
    if (format)
        return begin_format(&probe, format, error);
    if (probe.reopenable && others &&
        !refuse_early(file, window_bytes(&probe.window), window_left(&probe.window), &other))
        r = wiretap_open(file, file_index, &other);
    if (!r && other)
        g_propagate_error(error, other);
    else if (!r)
        refuse_unknown(&probe, error);
    window_done(&probe.window);
    return r;
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    if (r->format->end)
        r->format->end(r);
    for (size_t i = r->handed_on; i < r->interfaces->len; i++)
        interface_free(g_ptr_array_index(r->interfaces, i));
    g_ptr_array_free(r->interfaces, TRUE);
    window_done(&r->window);
    g_free(r->damage.text);
    g_free(r);
}

const struct source_record *reader_peek(struct reader *r)
{
    if (!r->has_pending)
        r->has_pending = r->format->next(r, &r->pending, 1) == 1;
    return r->has_pending ? &r->pending : NULL;
}

size_t reader_next(struct reader *r, struct source_record *out, size_t max)
{
    size_t n;

    if (r->has_pending) {
        r->has_pending = false;
        out[0] = r->pending;
        n = 1;
    } else {
        n = r->damage.text ? 0 : r->format->next(r, out, max);
    }
    for (size_t i = 0; i < n && r->interface_base > 0; i++)
        out[i].in.interface += r->interface_base;
    r->file->packets += n;
    return n;
}

/* For as many interfaces again as there are, with what is kept of them elsewhere: GLib's arrays end
 * the process when they can't grow. Asked where those do. */
static bool has_memory(size_t interfaces)
{
    void *probe;

    if ((interfaces & (interfaces - 1)) != 0)
        return true;
    probe = g_try_malloc_n(MAX(interfaces, 1), INTERFACE_BYTES);
    g_free(probe);
    return probe != NULL;
}

struct source_interface *reader_add_interface(struct reader *r)
{
    struct source_interface *face;

    if (r->interfaces->len >= r->interface_room || !has_memory(r->interfaces->len))
        return NULL;
    face = g_try_new0(struct source_interface, 1);
    if (!face)
        return NULL;
    face->file = r->file_index;
    face->fcs_size = -1;
    face->received = face->dropped = face->os_dropped = UINT64_MAX;
    g_ptr_array_add(r->interfaces, face);
    return face;
}

void reader_drop_interface(struct reader *r)
{
    interface_free(g_ptr_array_steal_index(r->interfaces, r->interfaces->len - 1));
}

void interface_free(struct source_interface *face)
{
    g_free(face->name);
    g_free(face->description);
    g_free(face->filter);
    g_free(face->hardware);
    g_free(face->os);
    g_free(face);
}

void reader_damage(struct reader *r, uint64_t offset, const char *text, ...)
{
    char *what;
    va_list ap;

    va_start(ap, text);
    what = g_strdup_vprintf(text, ap);
    va_end(ap);
    note_damage(r, what, offset, r->decompressed);
    g_free(what);
}

void reader_damage_cut(struct reader *r, const char *what, uint64_t expected)
{
    const struct stream *stream = r->window.stream;

    if (r->window.refused)
        reader_damage(r, window_offset(&r->window),
                      "there is no memory for %s of %" G_GUINT64_FORMAT " bytes", what, expected);
    else if (stream->why)
        note_damage(r, stream->why, stream->why_offset, false);
    else
        reader_damage(r, window_offset(&r->window),
                      "the file ends inside %s: %" G_GUINT64_FORMAT
                      " bytes were to come, %zu are there",
                      what, expected, window_left(&r->window));
}

static void note_damage(struct reader *r, const char *what, uint64_t offset, bool decompressed)
{
    if (r->damage.text)
        return;
    r->damage = (struct source_damage){
        .file = r->file_index,
        .offset = offset,
        .decompressed = decompressed,
        .frame = r->frames + 1,
    };
    r->damage.text = g_strdup_printf(
        "%s: %s (at frame %" G_GUINT64_FORMAT ", byte %" G_GUINT64_FORMAT "%s); only what comes "
        "before it was read",
        r->name, what, r->damage.frame, offset, decompressed ? " of the decompressed file" : "");
}

static bool open_window(struct reader *probe, const struct source_stop *stop, GError **error)
{
    struct source_file *file = probe->file;
    struct input *input = input_open(file->path, file->name, stop, error);
    const struct codec *codec;
    struct stream *stream;

    if (!input)
        return false;
    codec = codec_find(input->head, input->head_size);
    stream = codec ? expand_open(input, codec) : &input->stream;
    if (!stream) {
        g_set_error(error, SOURCE_ERROR, SOURCE_ERROR_FILE,
                    "%s: no thread can be started to decompress it; decompress it first",
                    file->name);
        return false;
    }
    probe->input = input;
    probe->reopenable = input->regular;
    probe->decompressed = codec != NULL;
    file->compression = codec ? codec->name : NULL;
    window_init(&probe->window, stream);
    return true;
}

static struct reader *begin_format(const struct reader *probe, const struct format *format,
                                   GError **error)
{
    struct reader *r = g_malloc0(format->size);

    *r = *probe;
    r->format = format;
    r->interfaces = g_ptr_array_new();
    r->interface_room = SOURCE_MAX_INTERFACES;
    r->file->format = format->name;
    r->file->sections = 1;
    if (format->begin(r, error))
        return r;
    reader_close(r);
    return NULL;
}

static const struct format *find_format(const uint8_t *start, size_t size)
{
    static const struct format *const all[] = {&format_pcap, &format_pcapng};

    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i]->matches(start, size))
            return all[i];
    return NULL;
}
