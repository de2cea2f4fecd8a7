/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Incast (see incast.h). A stream is looked up once; from then on its number leads to its
 * destination and to its pair of hosts.
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
};

#define UNKNOWN UINT32_MAX
#define LEFT_OUT (UINT32_MAX - 1)

struct target {
    int64_t window;          /* number of the running one */
    uint64_t senders, bytes; /* in it */
    struct incast_target seen;
};

struct place {
    uint32_t target; /* UNKNOWN, LEFT_OUT */
    uint32_t pair;
};

struct incast {
    int64_t window;                  /* number of the latest packet's */
    int64_t from_ns;                 /* its begin */
    GArray *targets;                 /* of struct target */
    GArray *last_seen;               /* of int64_t, by pair: its latest window */
    GArray *places;                  /* of struct place, by stream */
    GHashTable *target_of, *pair_of; /* GBytes -> number + 1 */
    uint64_t not_counted;            /* streams that have no room */
};

static void begin(void *state, const struct capture *capture)
{
    struct incast *s = state;

    (void)capture;
    s->targets = g_array_new(FALSE, FALSE, sizeof(struct target));
    s->last_seen = g_array_new(FALSE, FALSE, sizeof(int64_t));
    s->places = g_array_new(FALSE, FALSE, sizeof(struct place));
    s->target_of =
        g_hash_table_new_full(keyed_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    s->pair_of =
        g_hash_table_new_full(keyed_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
}

static void done(void *state)
{
    struct incast *s = state;

    g_array_free(s->targets, TRUE);
    g_array_free(s->last_seen, TRUE);
    g_array_free(s->places, TRUE);
    g_hash_table_destroy(s->target_of);
    g_hash_table_destroy(s->pair_of);
}

/* ------------------------------------------------------------------ new streams */

/* The number of a key, `fresh` when it is new; UNKNOWN when that is not to be given */
static uint32_t number_of(GHashTable *table, const void *key, size_t size, uint32_t fresh,
                          uint32_t max)
{
    GBytes *bytes = g_bytes_new(key, size);
    uint32_t found = GPOINTER_TO_UINT(g_hash_table_lookup(table, bytes));

    if (found != 0 || fresh >= max) {
        g_bytes_unref(bytes);
        return found != 0 ? found - 1 : UNKNOWN;
    }
    g_hash_table_insert(table, bytes, GUINT_TO_POINTER(fresh + 1));
    return fresh;
}

static struct place find_place(struct incast *s, const struct rdc_packet *pkt)
{
    struct target fresh = {.window = INT64_MIN};
    struct place p = {LEFT_OUT, 0};
    const int64_t never = INT64_MIN;
    uint8_t hosts[1 + 16 + 16];
    uint32_t target;

    hosts[0] = pkt->address_kind;
    memcpy(hosts + 1, pkt->dst, 16);
    memcpy(hosts + 17, pkt->src, 16);
    target = number_of(s->target_of, hosts, 17, s->targets->len, TARGETS_MAX);
    p.pair = number_of(s->pair_of, hosts, sizeof(hosts), s->last_seen->len, PAIRS_MAX);
    if (target == UNKNOWN || p.pair == UNKNOWN) {
        s->not_counted++;
        return p;
    }
    p.target = target;
    if (p.target == s->targets->len) {
        fresh.seen.address_kind = pkt->address_kind;
        memcpy(fresh.seen.address, pkt->dst, 16);
        fresh.seen.interface = pkt->interface;
        g_array_append_val(s->targets, fresh);
    }
    if (p.pair == s->last_seen->len)
        g_array_append_val(s->last_seen, never);
    return p;
}

/* NULL: not known yet, or left out */
static inline const struct place *known_place(const struct incast *s, uint32_t stream)
{
    const struct place *p = &g_array_index(s->places, struct place, stream);

    return stream < s->places->len && p->target < s->targets->len ? p : NULL;
}

/* That of a stream whose place is not known, or NULL: it is of none, or of one that is left out */
static __attribute__((noinline)) const struct place *new_place(struct incast *s, uint32_t stream,
                                                               const struct rdc_packet *pkt)
{
    struct place unknown = {UNKNOWN, 0};
    struct place *p;

    if (stream >= STREAMS_MAX)
        return NULL;
    while (stream >= s->places->len)
        g_array_append_val(s->places, unknown);
    p = &g_array_index(s->places, struct place, stream);
    if (p->target == UNKNOWN)
        *p = find_place(s, pkt);
    return known_place(s, stream);
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

static inline void data_packet(struct incast *s, const struct place *p,
                               const struct rdc_packet *pkt)
{
    struct target *t = &g_array_index(s->targets, struct target, p->target);
    int64_t *last = &g_array_index(s->last_seen, int64_t, p->pair);

    if (t->seen.interface != pkt->interface)
        return;
    if (s->window > t->window)
        close_window(t, s->window);
    t->bytes += pkt->wire_size;
    if (*last != t->window) {
        *last = t->window;
        another_sender(t, pkt);
    }
}

static void packets(void *state, const struct analysis_batch *batch)
{
    struct incast *s = state;

    for (size_t i = 0; i < batch->count; i++) {
        const struct rdc_packet *pkt = &batch->packets[i];
        const struct place *p;

        if (pkt->kind != RDC_KIND_BTH || pkt->ib.payload_size == 0)
            continue;
        if ((uint64_t)pkt->time_ns - (uint64_t)s->from_ns >= INCAST_WINDOW_NS)
            next_window(s, pkt->time_ns);
        p = known_place(s, batch->stream[i]);
        if (p == NULL)
            p = new_place(s, batch->stream[i], pkt);
        if (p != NULL)
            data_packet(s, p, pkt);
    }
}

/* ------------------------------------------------------------------ what came of it */

static void get(const struct incast *s, size_t index, struct incast_target *out)
{
    struct target t = g_array_index(s->targets, struct target, index);

    close_window(&t, t.window);
    *out = t.seen;
}

size_t incast_count(const struct analysis_run *run)
{
    const struct incast *s = analysis_run_state(run, &an_incast);

    return s->targets->len;
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

    report_row(table,
               (struct report_value[]){
                   report_address(t->address_kind, t->address), report_count(t->max_senders),
                   report_count(incast_quantile(t, 500)), report_count(incast_quantile(t, 990)),
                   report_count(t->windows), report_frame(t->max_frame),
                   report_bps(incast_peak_bps(t)), report_count(t->peak_senders),
                   report_bps((double)rate.bps), report_text(link_rate_source_name(rate.source)),
                   report_pct(100 * incast_peak_bps(t) / (double)rate.bps)});
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
    size_t count = s->targets->len, with_incast = 0;
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
    report_item(section, "window_ns", NULL, report_ns(INCAST_WINDOW_NS));
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
