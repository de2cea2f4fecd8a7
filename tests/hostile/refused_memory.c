/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 *     refused_memory CAPTURE...
 *
 * The engine reads each capture again and again; each time the system refuses it memory at another
 * of the places where it asks for some: once there, or from there on. It must count every packet,
 * end well, and say that something is missing when memory stays refused. Linked with --wrap for
 * malloc(3) and its kin, so that only what the engine asks for is refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "capture/source.h"
#include "flow/flow.h"

enum {
    PACKETS_MAX = 1500, /* of a capture */
    PLACES = 40,        /* at which memory is refused; of more, some are left out */
};

/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *piece, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *piece, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);

static struct {
    bool armed, from_there_on;
    uint64_t asked, place; /* so far; which is refused, from 1 on */
    uint64_t refused;
} memory;

static bool is_refused(void)
{
    if (!memory.armed)
        return false;
    memory.asked++;
    if (memory.from_there_on ? memory.asked < memory.place : memory.asked != memory.place)
        return false;
    memory.refused++;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *piece, size_t size)
{
    return is_refused() ? NULL : __real_realloc(piece, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __real_aligned_alloc(alignment, size);
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return is_refused() ? MAP_FAILED : __real_mmap64(at, size, protection, flags, fd, offset);
}

/* NOLINTEND(bugprone-reserved-identifier) */

/* ------------------------------------------------------------------ captures */

struct packets {
    struct rdc_packet list[PACKETS_MAX];
    GPtrArray *bytes; /* that they point to */
    size_t count;
};

static bool read_capture(const char *path, struct packets *p)
{
    const struct rdc_config config = {0};
    GError *error = NULL;
    struct source *source = source_open(&path, 1, &(struct source_options){0}, &error);
    struct source_record record;

    if (source == NULL) {
        fprintf(stderr, "refused_memory: %s\n", error->message);
        g_error_free(error);
        return false;
    }
    p->bytes = g_ptr_array_new_with_free_func(g_free);
    for (p->count = 0; p->count < PACKETS_MAX && source_next(source, &record, 1) == 1; p->count++) {
        record.in.bytes = g_memdup2(record.in.bytes, record.in.captured + 1u);
        g_ptr_array_add(p->bytes, (gpointer)(uintptr_t)record.in.bytes);
        rdc_decode(&config, &record.in, &p->list[p->count]);
        p->list[p->count].frame = record.frame;
    }
    source_close(source);
    return true;
}

/* ------------------------------------------------------------------ runs */

static uint64_t on_event(void *context, const struct flow_event *event)
{
    uint64_t *events = context;

    (void)event;
    return ++*events;
}

/* What was said, in short */
struct said {
    uint64_t packets, events, missing, connections, counted;
};

static struct said run(const struct packets *p)
{
    struct said said = {0};
    const struct flow_sink sink = {.context = &said.events, .event = on_event};
    struct flow_engine *engine = flow_engine_new(NULL, &sink);
    struct flow_connection c;
    struct flow_summary sum;

    memory.armed = true;
    for (size_t i = 0; i < p->count; i++)
        flow_packet(engine, &p->list[i]);
    flow_finish(engine);
    memory.armed = false;
    flow_summary_get(engine, &sum);
    said.connections = flow_connection_count(engine);
    for (size_t i = 0; i < said.connections; i++) {
        flow_connection_get(engine, i, &c);
        said.counted += flow_counters_of(&c, true)->packets + flow_counters_of(&c, false)->packets;
    }
    said.packets = sum.packets;
    said.missing = sum.state_refused + sum.untracked_packets;
    flow_engine_free(engine);
    return said;
}

static struct said run_refusing(const struct packets *p, uint64_t place, bool from_there_on)
{
    memory.asked = memory.refused = 0;
    memory.place = place;
    memory.from_there_on = from_there_on;
    return run(p);
}

static bool is_wrong(const char *path, const struct packets *p, const struct said *whole,
                     uint64_t place, bool from_there_on)
{
    struct said said = run_refusing(p, place, from_there_on);
    const char *fault = NULL;

    if (said.packets != p->count)
        fault = "not every packet is counted";
    else if (memory.refused == 0)
        fault = "nothing was refused";
    else if (said.counted > whole->counted)
        fault = "connections have more packets than there are";
    else if (said.missing == 0 && said.counted < whole->counted)
        fault = "packets are missing, and nothing says so";
    else if (said.missing == 0 && said.events != whole->events)
        fault = "other events, and nothing says so";
    if (fault != NULL)
        fprintf(stderr, "%s: memory refused %s place %" PRIu64 ": %s\n", path,
                from_there_on ? "from" : "at", place, fault);
    return fault != NULL;
}

int main(int argc, char **argv)
{
    static struct packets p;
    int wrong = 0, runs = 0;

    for (int i = 1; i < argc; i++) {
        struct said whole;
        uint64_t places;

        if (!read_capture(argv[i], &p))
            return 2;
        whole = run_refusing(&p, 0, false);
        places = memory.asked;
        for (uint64_t k = 1; k <= places; k += 1 + places / PLACES) {
            wrong += is_wrong(argv[i], &p, &whole, k, false);
            wrong += is_wrong(argv[i], &p, &whole, k, true);
            runs += 2;
        }
        g_ptr_array_free(p.bytes, TRUE);
    }
    printf("%d runs of %d captures, %d wrong\n", runs, argc - 1, wrong);
    return wrong > 0 || runs == 0;
}
