/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event log (see event_log.h). Events have a fixed size, so event number n stands at n times
 * that size of the file, and an amendment writes one record in place.
 */
#include "analysis/event_log.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/try_list.h"

enum {
    CHUNK = 32768,        /* events in memory */
    ROUNDS_MAX = 1 << 21, /* rounds kept of all streams */
};

/* Rounds of one stream by their number - 1; of those that are not kept, `number` is 0 */
struct stream_rounds {
    struct try_list list;
};

struct event_log {
    struct flow_event *chunk; /* owned: events chunk_start .. count - 1 */
    uint64_t chunk_start;
    uint64_t count;
    uint64_t finishing;     /* number of the first event of flow_finish(); UINT64_MAX */
    int fd;                 /* -1: nothing was written yet */
    int error;              /* errno of the file; 0: none */
    struct try_list rounds; /* struct stream_rounds *, by stream */
    uint64_t rounds_kept, rounds_refused;
};

struct event_log *event_log_new(void)
{
    struct event_log *log = g_new0(struct event_log, 1);

    log->chunk = g_new(struct flow_event, CHUNK);
    log->finishing = UINT64_MAX;
    log->fd = -1;
    return log;
}

void event_log_free(struct event_log *log)
{
    if (log == NULL)
        return;
    if (log->fd >= 0)
        close(log->fd);
    for (uint32_t i = 0; i < log->rounds.room; i++) {
        struct stream_rounds *r = try_list_pointer(&log->rounds, i);

        if (r != NULL)
            try_list_done(&r->list);
        g_free(r);
    }
    try_list_done(&log->rounds);
    g_free(log->chunk);
    g_free(log);
}

/* ------------------------------------------------------------------ the file */

static bool open_file(struct event_log *log)
{
    char *name = NULL;

    log->fd = g_file_open_tmp("rdmapcap-XXXXXX", &name, NULL);
    if (log->fd < 0) {
        log->error = errno;
        return false;
    }
    g_unlink(name);
    g_free(name);
    return true;
}

static void transfer(struct event_log *log, bool write, void *data, size_t size, uint64_t at)
{
    char *bytes = data;

    while (size > 0 && log->error == 0) {
        ssize_t n = write ? pwrite(log->fd, bytes, size, (off_t)at)
                          : pread(log->fd, bytes, size, (off_t)at);

        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
            at += (uint64_t)n;
        } else if (n == 0 || errno != EINTR) {
            log->error = n == 0 ? EIO : errno;
        }
    }
}

static void spill(struct event_log *log)
{
    if (log->fd < 0 && !open_file(log))
        return;
    transfer(log, true, log->chunk, CHUNK * sizeof(*log->chunk),
             log->chunk_start * sizeof(*log->chunk));
    log->chunk_start = log->count;
}

/* ------------------------------------------------------------------ the sink */

static uint64_t on_event(void *context, const struct flow_event *event)
{
    struct event_log *log = context;

    if (log->count - log->chunk_start == CHUNK)
        spill(log);
    if (log->error == 0)
        log->chunk[log->count - log->chunk_start] = *event;
    return log->error == 0 ? log->count++ : log->count;
}

static void on_amend(void *context, uint64_t number, const struct flow_event *event)
{
    struct event_log *log = context;

    if (number >= log->chunk_start) {
        if (number < log->count)
            log->chunk[number - log->chunk_start] = *event;
    } else {
        struct flow_event copy = *event;

        transfer(log, true, &copy, sizeof(copy), number * sizeof(copy));
    }
}

/* A place for round `number` of a stream; NULL: there is none. Rounds are of InfiniBand and RoCE,
 * whose streams are numbered from 0; those of a stream come in order. */
static struct flow_round *round_made(struct event_log *log, uint32_t stream, uint32_t number)
{
    struct stream_rounds *r = try_list_made(&log->rounds, stream, sizeof(*r));
    struct flow_round *round;

    if (r == NULL || number == 0 ||
        !try_list_reach(&r->list, number - 1, sizeof(struct flow_round)))
        return NULL;
    round = (struct flow_round *)r->list.entries + number - 1;
    if (round->number == 0 && log->rounds_kept == ROUNDS_MAX)
        return NULL;
    log->rounds_kept += round->number == 0;
    return round;
}

static void on_round(void *context, const struct flow_round *round)
{
    struct event_log *log = context;
    struct flow_round *kept;

    if (flow_stream_is_iwarp(round->stream))
        return;
    kept = round_made(log, round->stream, round->number);
    if (kept != NULL)
        *kept = *round;
    else
        log->rounds_refused++;
}

struct flow_sink event_log_sink(struct event_log *log)
{
    return (struct flow_sink){
        .context = log, .event = on_event, .amend = on_amend, .round = on_round};
}

void event_log_finishing(struct event_log *log)
{
    log->finishing = log->count;
}

/* ------------------------------------------------------------------ reading it back */

struct reader {
    struct event_log *log;
    struct flow_event *part; /* owned: events part_start .. */
    uint64_t part_start;
    bool filled;
};

static const struct flow_event *event_at(struct reader *r, uint64_t number)
{
    struct event_log *log = r->log;

    if (number >= log->chunk_start)
        return &log->chunk[number - log->chunk_start];
    if (!r->filled || number < r->part_start || number >= r->part_start + CHUNK) {
        r->part_start = number / CHUNK * CHUNK;
        r->filled = true;
        transfer(log, false, r->part, CHUNK * sizeof(*r->part), r->part_start * sizeof(*r->part));
    }
    return &r->part[number - r->part_start];
}

static int by_frame(const void *a, const void *b)
{
    const struct flow_event *x = a, *y = b;

    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

bool event_log_walk(struct event_log *log, void (*visit)(void *context, const struct flow_event *),
                    void *context, GError **error)
{
    uint64_t end = MIN(log->finishing, log->count);
    GArray *late = g_array_new(FALSE, FALSE, sizeof(struct flow_event));
    struct reader r = {.log = log, .part = g_new(struct flow_event, CHUNK)};
    guint next = 0;

    for (uint64_t i = end; i < log->count && log->error == 0; i++)
        g_array_append_vals(late, event_at(&r, i), 1);
    g_array_sort(late, by_frame);
    for (uint64_t i = 0; i < end && log->error == 0; i++) {
        const struct flow_event *event = event_at(&r, i);

        while (next < late->len &&
               g_array_index(late, struct flow_event, next).frame < event->frame)
            visit(context, &g_array_index(late, struct flow_event, next++));
        visit(context, event);
    }
    while (next < late->len && log->error == 0)
        visit(context, &g_array_index(late, struct flow_event, next++));
    g_array_free(late, TRUE);
    g_free(r.part);
    if (log->error != 0)
        g_set_error(
            error, G_FILE_ERROR, (gint)g_file_error_from_errno(log->error),
            "events don't fit into a temporary file in %s: %s; set TMPDIR to a larger place",
            g_get_tmp_dir(), g_strerror(log->error));
    return log->error == 0;
}

uint64_t event_log_refused(const struct event_log *log)
{
    return log->rounds_refused;
}

static const struct flow_round *round_of(const struct event_log *log, uint32_t stream,
                                         uint32_t number)
{
    const struct stream_rounds *r = try_list_pointer(&log->rounds, stream);
    const struct flow_round *round = r != NULL && number > 0 && number <= r->list.room
                                         ? (const struct flow_round *)r->list.entries + number - 1
                                         : NULL;

    return round != NULL && round->number != 0 ? round : NULL;
}

const struct flow_round *event_log_round(const struct event_log *log,
                                         const struct flow_event *event)
{
    return event->round == 0 ? NULL : round_of(log, event->round_stream, event->round);
}

GPtrArray *event_log_rounds(const struct event_log *log, uint32_t stream)
{
    const struct stream_rounds *r = try_list_pointer(&log->rounds, stream);
    GPtrArray *list = g_ptr_array_new();

    for (uint32_t number = 1; r != NULL && number <= r->list.room; number++) {
        const struct flow_round *round = round_of(log, stream, number);

        if (round != NULL)
            g_ptr_array_add(list, (gpointer)(uintptr_t)round);
    }
    return list;
}
