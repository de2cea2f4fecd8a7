/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Incast (see incast.h). A stream is looked up once; from then on its number leads to its pair of
 * hosts, and that to the destination.
 */
#include "analysis/incast.h"

#include <glib.h>
#include <stdlib.h>

#include "analysis/keyed_hash.h"
#include "analysis/pause.h"

enum {
    TARGETS_MAX = 1 << 16,
    PAIRS_MAX = 1 << 20,
    STREAMS_MAX = 1 << 22,
    TARGETS_SHOWN = 100,
    AHEAD = 8, /* packets before its turn that a packet's pair is asked for */
};

#define NO_NUMBER UINT32_MAX
#define NOWHERE UINT32_MAX /* no packet comes from this interface */

struct target {
    int64_t window;          /* number of the running one */
    uint64_t senders, bytes; /* in it */
    struct incast_target seen;
};

/* A sender and a destination */
struct pair {
    int64_t window; /* the latest one that it was seen in */
    uint32_t target;
    uint32_t interface; /* the target's: whose packets count */
};

/* Two pairs that none is of */
enum {
    UNKNOWN, /* of streams whose pair is to be found yet */
    LEFT_OUT,
    PAIRS_FIRST,
};

struct incast {
    int64_t window;    /* number of the latest packet's */
    int64_t from_ns;   /* its begin */
    uint32_t *pair_of; /* by stream */
    struct pair *pairs;
    struct target *targets;
    uint32_t stream_count, pair_count, target_count;
    GHashTable *targets_by_host, *pairs_by_hosts; /* GBytes -> number + 1 */
    uint64_t not_counted;                         /* streams that have no room */
};

/* A list with room for one more; lists grow at powers of two */
static void *with_room(void *list, uint32_t count, size_t size)
{
    return (count & (count - 1)) == 0 ? g_realloc_n(list, MAX((size_t)count * 2, 1), size) : list;
}

static void add_pair(struct incast *s, uint32_t target, uint32_t interface)
{
    s->pairs = with_room(s->pairs, s->pair_count, sizeof(*s->pairs));
    s->pairs[s->pair_count++] = (struct pair){INT64_MIN, target, interface};
}

static void begin(void *state, const struct capture *capture)
{
    struct incast *s = state;

    (void)capture;
    s->targets_by_host =
        g_hash_table_new_full(keyed_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    s->pairs_by_hosts =
        g_hash_table_new_full(keyed_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    for (unsigned i = 0; i < PAIRS_FIRST; i++)
        add_pair(s, 0, NOWHERE);
}

static void done(void *state)
{
    struct incast *s = state;

    g_free(s->pair_of);
    g_free(s->pairs);
    g_free(s->targets);
    g_hash_table_destroy(s->targets_by_host);
    g_hash_table_destroy(s->pairs_by_hosts);
}

/* ------------------------------------------------------------------ new streams */

/* The number of a key, `fresh` when it is new; NO_NUMBER when that is not to be given */
static uint32_t number_of(GHashTable *table, const void *key, size_t size, uint32_t fresh,
                          uint32_t max)
{
    GBytes *bytes = g_bytes_new(key, size);
    uint32_t found = GPOINTER_TO_UINT(g_hash_table_lookup(table, bytes));

    if (found != 0 || fresh >= max) {
        g_bytes_unref(bytes);
        return found != 0 ? found - 1 : NO_NUMBER;
    }
    g_hash_table_insert(table, bytes, GUINT_TO_POINTER(fresh + 1));
    return fresh;
}

static void add_target(struct incast *s, const struct rdc_packet *pkt)
{
    struct target *t;

    s->targets = with_room(s->targets, s->target_count, sizeof(*t));
    t = &s->targets[s->target_count++];
    *t = (struct target){.window = INT64_MIN};
    t->seen.address_kind = pkt->address_kind;
    memcpy(t->seen.address, pkt->dst, sizeof(t->seen.address));
    t->seen.interface = pkt->interface;
}

static uint32_t find_pair(struct incast *s, const struct rdc_packet *pkt)
{
    uint8_t hosts[1 + 16 + 16];
    uint32_t target, pair;

    hosts[0] = pkt->address_kind;
    memcpy(hosts + 1, pkt->dst, 16);
    memcpy(hosts + 17, pkt->src, 16);
    target = number_of(s->targets_by_host, hosts, 17, s->target_count, TARGETS_MAX);
    pair =
        number_of(s->pairs_by_hosts, hosts, sizeof(hosts), s->pair_count, PAIRS_MAX + PAIRS_FIRST);
    if (target == NO_NUMBER || pair == NO_NUMBER) {
        s->not_counted++;
        return LEFT_OUT;
    }
    if (target == s->target_count)
        add_target(s, pkt);
    if (pair == s->pair_count)
        add_pair(s, target, s->targets[target].seen.interface);
    return pair;
}

static inline struct pair *pair_at(const struct incast *s, uint32_t stream)
{
    return &s->pairs[stream < s->stream_count ? s->pair_of[stream] : UNKNOWN];
}

/* The pair of a stream that may be new */
static __attribute__((noinline)) struct pair *enter(struct incast *s, uint32_t stream,
                                                    const struct rdc_packet *pkt)
{
    if (stream >= STREAMS_MAX) /* or of none */
        return &s->pairs[LEFT_OUT];
    while (stream >= s->stream_count) {
        s->pair_of = with_room(s->pair_of, s->stream_count, sizeof(*s->pair_of));
        s->pair_of[s->stream_count++] = UNKNOWN;
    }
    if (s->pair_of[stream] == UNKNOWN)
        s->pair_of[stream] = find_pair(s, pkt);
    return pair_at(s, stream);
}

/* ------------------------------------------------------------------ windows */

/* Counts the running one, which ends; `next` begins */
static void close_window(struct target *t, int64_t next)
{
    uint64_t senders = t->senders < INCAST_COUNTED ? t->senders : INCAST_COUNTED;

    t->window = next;
    if (t->senders == 0)
        return;
    t->seen.windows++;
    t->seen.of_senders[senders]++;
    if (t->bytes > t->seen.peak_bytes) {
        t->seen.peak_bytes = t->bytes;
        t->seen.peak_senders = t->senders;
    }
    t->senders = t->bytes = 0;
}

static void another_sender(struct target *t, const struct rdc_packet *pkt)
{
    if (++t->senders <= t->seen.max_senders)
        return;
    t->seen.max_senders = t->senders;
    t->seen.max_ns = t->window * INCAST_WINDOW_NS;
    t->seen.max_frame = pkt->frame;
}

static __attribute__((noinline)) void next_window(struct incast *s, int64_t time_ns)
{
    s->window = time_ns / INCAST_WINDOW_NS;
    s->from_ns = s->window * INCAST_WINDOW_NS;
}

static inline void data_packet(struct incast *s, struct pair *p, const struct rdc_packet *pkt)
{
    struct target *t = &s->targets[p->target];

    if (s->window > t->window)
        close_window(t, s->window);
    t->bytes += pkt->wire_size;
    if (p->window != t->window) {
        p->window = t->window;
        another_sender(t, pkt);
    }
}

/* Asks for what the packets of a batch need, of which there is more than the caches hold. */
static inline void fetch(const struct incast *s, const struct analysis_batch *batch, size_t i)
{
    if (i < batch->count && batch->stream[i] < s->stream_count)
        __builtin_prefetch(&s->pair_of[batch->stream[i]]);
    i -= AHEAD / 2;
    if (i < batch->count && batch->stream[i] < s->stream_count)
        __builtin_prefetch(&s->pairs[s->pair_of[batch->stream[i]]], 1);
}

static void packets(void *state, const struct analysis_batch *batch)
{
    struct incast *s = state;

    for (size_t i = 0; i < AHEAD; i++)
        fetch(s, batch, i);
    for (size_t i = 0; i < batch->count; i++) {
        const struct rdc_packet *pkt = &batch->packets[i];
        struct pair *p;

        fetch(s, batch, i + AHEAD);
        if (pkt->kind != RDC_KIND_BTH || pkt->ib.payload_size == 0)
            continue;
        if ((uint64_t)pkt->time_ns - (uint64_t)s->from_ns >= INCAST_WINDOW_NS)
            next_window(s, pkt->time_ns);
        p = pair_at(s, batch->stream[i]);
        if (p->interface != pkt->interface)
            p = enter(s, batch->stream[i], pkt);
        if (p->interface == pkt->interface)
            data_packet(s, p, pkt);
    }
}

/* ------------------------------------------------------------------ what came of it */

static void get(const struct incast *s, size_t index, struct incast_target *out)
{
    struct target t = s->targets[index];

    close_window(&t, t.window);
    *out = t.seen;
}

size_t incast_count(const struct analysis_run *run)
{
    const struct incast *s = analysis_run_state(run, &an_incast);

    return s->target_count;
}

void incast_get(const struct analysis_run *run, size_t index, struct incast_target *out)
{
    get(analysis_run_state(run, &an_incast), index, out);
}

uint64_t incast_quantile(const struct incast_target *t, unsigned permille)
{
    uint64_t want = (t->windows * permille + 999) / 1000, sum = 0;

    for (unsigned i = 1; i <= INCAST_COUNTED; i++) {
        sum += t->of_senders[i];
        if (sum >= want && sum > 0)
            return i;
    }
    return 0;
}

/* ------------------------------------------------------------------ report */

struct ranked {
    uint64_t senders;
    size_t index;
};

static int by_senders(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->senders != y->senders)
        return x->senders > y->senders ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void put_target(struct report_node *table, const struct incast_target *t,
                       const struct analysis_input *in)
{
    struct link_rate rate = pause_link_rate(in->run, in->capture, t->interface);

    report_row(
        table,
        (struct report_value[]){
            report_address(t->address_kind, t->address), report_count(t->max_senders),
            report_count(incast_quantile(t, 500)), report_count(incast_quantile(t, 990)),
            report_count(t->windows), report_frame(t->max_frame), report_bps(incast_peak_bps(t)),
            report_count(t->peak_senders), report_from(report_bps((double)rate.bps), REPORT_STATED),
            report_text(link_rate_source_name(rate.source)),
            report_from(report_pct(100 * incast_peak_bps(t) / (double)rate.bps), REPORT_CLOCKED)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"destination", "To", false},           {"max_senders", "Senders", false},
        {"p50_senders", "p50", true},           {"p99_senders", "p99", false},
        {"windows", "Windows", false},          {"max_frame", "Frame", false},
        {"peak_bps", "Fullest", false},         {"peak_senders", "Of senders", true},
        {"link_rate_bps", "Link rate", false},  {"link_rate_source", "Rate is", false},
        {"peak_of_link_pct", "Of link", false},
    };
    const struct incast *s = state;
    struct report_node *section = report_section(root, "incast", "");
    struct report_node *table =
        report_table(section, "destinations", "Senders to one destination within 100 us",
                     REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    size_t count = s->target_count, with_incast = 0;
    struct ranked *order = g_new(struct ranked, count + 1);
    struct incast_target t;

    for (size_t i = 0; i < count; i++) {
        get(s, i, &t);
        order[i] = (struct ranked){t.max_senders, i};
        with_incast += t.max_senders > 1;
    }
    qsort(order, count, sizeof(*order), by_senders);
    for (size_t i = 0; i < count && i < TARGETS_SHOWN && order[i].senders > 1; i++) {
        get(s, order[i].index, &t);
        put_target(table, &t, in);
    }
    report_item(section, "window_ns", NULL,
                report_from(report_ns(INCAST_WINDOW_NS), REPORT_STATED));
    report_item(section, "max_senders", NULL,
                count > 0 ? report_count(order[0].senders)
                          : report_unknown("there is no RDMA data on the capture"));
    report_item(section, "destinations_of_several", NULL, report_count(with_incast));
    report_item(section, "streams_not_counted", NULL, report_count(s->not_counted));
    g_free(order);
}

const struct analysis an_incast = {
    .name = "incast",
    .summary = "senders to one destination at the same moment",
    .state_size = sizeof(struct incast),
    .begin = begin,
    .packets = packets,
    .report = report,
    .done = done,
};
