/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting a capture's packets, whatever is in them (see capture.h).
 */
#include "analysis/capture.h"

#include <glib.h>
#include <string.h>

#include "flow/flow.h"

#define MS INT64_C(1000000)
#define S (1000 * MS)

static void count_linktype(struct capture *c, uint32_t linktype)
{
    for (size_t i = 0; i < c->linktype_count; i++)
        if (c->linktypes[i] == linktype)
            return;
    if (c->linktype_count < CAPTURE_MAX_LINKTYPES)
        c->linktypes[c->linktype_count++] = linktype;
}

const char *capture_end(const struct capture *c)
{
    return capture_is_limited(c) ? "the end of what was read (--limit)" : "the end of the capture";
}

char *capture_chosen(const struct capture *c)
{
    GString *text;

    if (!capture_is_limited(c) && c->filter == NULL)
        return NULL;
    text = g_string_new("Only ");
    if (capture_is_limited(c))
        g_string_append_printf(text, "the first %s", say_many(c->packets, "packet").text);
    else
        g_string_append(text, "packets");
    if (c->filter != NULL)
        g_string_append_printf(text, " that --bpf '%s' lets through", c->filter);
    g_string_append_printf(text, " %s read%s: what is missing here may have been left out by that.",
                           say_verb(capture_is_limited(c) ? c->packets : 2, "was", "were"),
                           capture_is_limited(c) ? " (--limit)" : "");
    return g_string_free(text, FALSE);
}

static bool is_rdma(const struct rdc_packet *pkt)
{
    return pkt->transport != RDC_TRANSPORT_NONE && pkt->transport != RDC_TRANSPORT_MACCTRL;
}

/* What packets add, apart from the capture: the compiler keeps it in registers */
struct sums {
    uint64_t bytes, truncated, back;
    int64_t previous, last;
};

static inline void add(struct sums *sums, int64_t time_ns, uint32_t wire_size, bool truncated)
{
    sums->bytes += wire_size;
    sums->truncated += truncated;
    if (time_ns >= sums->last) /* and so than the one before it */
        sums->last = time_ns;
    else
        sums->back += time_ns < sums->previous;
    sums->previous = time_ns;
}

static void begin(struct capture *c, int64_t first_ns)
{
    c->first_time_ns = c->last_time_ns = c->previous_ns = first_ns;
}

/* Whole packets come before those that are told in brief because of them: their link types are
 * known. */
size_t capture_count(struct capture *c, const struct flow_batch *batch)
{
    struct sums sums = {0};
    size_t others = 0;

    if (c->packets == 0 && batch->count > 0)
        begin(c,
              flow_batch_is_brief(batch, 0) ? batch->briefs[0].time_ns : batch->packets[0].time_ns);
    sums.previous = c->previous_ns;
    sums.last = c->last_time_ns;
    for (size_t i = 0; i < batch->count; i++) {
        size_t end = flow_batch_run(batch, i);

        for (; i < end; i++)
            add(&sums, batch->briefs[i].time_ns, batch->briefs[i].wire_size,
                batch->briefs[i].truncated);
        if (i == batch->count)
            break;
        add(&sums, batch->packets[i].time_ns, batch->packets[i].wire_size,
            batch->packets[i].truncated);
        others += !is_rdma(&batch->packets[i]);
        if (c->linktype_count == 0 || c->linktypes[0] != batch->packets[i].linktype)
            count_linktype(c, batch->packets[i].linktype);
    }
    c->packets += batch->count;
    c->bytes += sums.bytes;
    c->truncated += sums.truncated;
    c->time_runs_back += sums.back;
    c->previous_ns = sums.previous;
    c->last_time_ns = sums.last;
    c->rdma_packets += batch->count - others;
    return others;
}

/* Rotated files may share a few packets' time where the queues of an adapter are captured side by
 * side: how much is little shows whether time runs back within files, too. */
static bool is_overlap(const struct capture *c, int64_t ns)
{
    int64_t little = c->time_runs_back > c->overlap_count ? S : MS;

    return ns > MIN(little, (c->last_time_ns - c->first_time_ns) / 2);
}

void capture_begin_file(struct capture *c, uint64_t frame, int64_t time_ns, size_t earlier)
{
    int64_t ns = c->last_time_ns - time_ns;

    if (c->packets == 0 || ns <= 0 || !is_overlap(c, ns))
        return;
    if (c->overlap_count < CAPTURE_MAX_OVERLAPS)
        c->overlaps[c->overlap_count] = (struct capture_overlap){frame, earlier, ns};
    c->overlap_count++;
}

const char *capture_untimed_reason(const struct capture *c)
{
    if (c->untimed == 0)
        return NULL;
    return capture_has_times(c) ? "the file has no time for some packets"
                                : "the file has no time for any packet";
}

struct say say_span(const struct capture *c, int64_t ns)
{
    if (c->untimed > 0)
        return (struct say){"an unknown time"};
    return say_ns(ns);
}

struct say say_since_start(const struct capture *c, int64_t time_ns)
{
    bool before = time_ns < c->first_time_ns;
    struct say span = say_span(c, before ? c->first_time_ns - time_ns : time_ns - c->first_time_ns);

    g_strlcat(span.text, before ? " before the first packet" : " into the capture",
              sizeof(span.text));
    return span;
}

bool capture_frame_is_timed(const struct capture *c, uint64_t frame)
{
    size_t low = 0, high = c->untimed_span_count;

    while (low < high) { /* the first span that does not end before the frame */
        size_t middle = low + (high - low) / 2;

        if (c->untimed_spans[middle].last < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low == c->untimed_span_count || frame < c->untimed_spans[low].first;
}

/* Names are static strings: the same name is the same pointer, nearly always */
void capture_count_other(struct capture *c, const char *protocol, uint32_t bytes)
{
    size_t i = 0;

    while (i < c->protocol_count && g_strcmp0(c->protocols[i].name, protocol) != 0)
        i++;
    if (i == CAPTURE_MAX_PROTOCOLS)
        return;
    if (i == c->protocol_count)
        c->protocols[c->protocol_count++].name = protocol;
    c->protocols[i].packets++;
    c->protocols[i].bytes += bytes;
}

void capture_saw_iwarp(struct capture *c, const struct flow_engine *engine)
{
    struct flow_iwarp_traffic iwarp = flow_iwarp_traffic(engine);

    c->rdma_packets += iwarp.packets;
    for (size_t i = 0; i < c->protocol_count; i++) {
        struct capture_protocol *p = &c->protocols[i];

        if (strcmp(p->name, "TCP") != 0)
            continue;
        p->packets -= MIN(iwarp.packets, p->packets);
        p->bytes -= MIN(iwarp.wire_bytes, p->bytes);
        if (p->packets == 0)
            *p = c->protocols[--c->protocol_count];
        return;
    }
}
