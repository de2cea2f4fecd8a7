/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Incast (see incast.h). Packets in brief find their pair of hosts by their route, others by their
 * addresses; it leads to the destination.
 */
#include "analysis/incast.h"

#include <glib.h>
#include <stdlib.h>

#include "analysis/numbers.h"
#include "analysis/pause.h"

enum {
    TARGETS_MAX = 1 << 16,
    PAIRS_MAX = 1 << 20,
    TARGETS_SHOWN = 100,
    RECENT = 256, /* pairs of hosts; a power of two */
};

struct target {
    int64_t window;          /* number of the running one */
    uint64_t senders, bytes; /* in it */
    struct incast_target seen;
};

/* A sender and a destination */
struct pair {
    int64_t window; /* the latest one that it was seen in */
    uint32_t target;
    bool known;
};

/* Numbers of pairs: two that are none */
enum {
    UNKNOWN,  /* not looked for yet, or without room */
    LEFT_OUT, /* the target is seen at another interface, whose packets count */
    PAIRS_FIRST,
};

enum {
    HOST_SIZE = 1 + 16, /* kind and address */
    HOSTS_SIZE = 1 + 16 + 16,
};

/* Hosts of a packet that is told whole, and their pair, when last seen */
struct recent {
    uint8_t src[16], dst[16];
    uint32_t interface;
    uint32_t pair; /* UNKNOWN: none was seen */
    uint8_t address_kind;
};

struct incast {
    int64_t window;         /* number of the latest packet's */
    int64_t from_ns;        /* its begin */
    struct pair *pairs;     /* of `pair_list` */
    struct target *targets; /* of `target_list` */
    uint32_t *pair_like;    /* owned: by route, the pair of its packets in brief */
    struct try_list pair_list, target_list;
    struct numbers target_numbers, pair_numbers; /* those of pairs lack PAIRS_FIRST */
    uint64_t not_counted;                        /* data packets of hosts that have no room */
    struct recent recent[RECENT];
};

static void begin(void *state, const struct capture *capture)
{
    struct incast *s = state;

    (void)capture;
    s->target_numbers.key_size = HOST_SIZE;
    s->pair_numbers.key_size = HOSTS_SIZE;
    s->pair_like = g_new0(uint32_t, RDC_ROUTES);
}

static void done(void *state)
{
    struct incast *s = state;

    g_free(s->pair_like);
    try_list_done(&s->pair_list);
    try_list_done(&s->target_list);
    numbers_done(&s->target_numbers);
    numbers_done(&s->pair_numbers);
}

/* ------------------------------------------------------------------ pairs of hosts */

/* The number of a key that is known, or that may be given one yet */
static uint32_t number_of(struct numbers *numbers, const void *key, uint32_t max)
{
    return numbers->count < max ? numbers_of(numbers, key) : numbers_find(numbers, key);
}

/* False: there is no memory for it */
static bool make_target(struct incast *s, uint32_t target, const struct rdc_packet *pkt)
{
    struct target *t;

    if (!try_list_reach(&s->target_list, target, sizeof(*t)))
        return false;
    s->targets = s->target_list.entries;
    t = &s->targets[target];
    if (t->seen.address_kind != RDC_ADDRESS_NONE)
        return true;
    *t = (struct target){.window = INT64_MIN};
    t->seen.address_kind = pkt->address_kind;
    memcpy(t->seen.address, pkt->dst, sizeof(t->seen.address));
    t->seen.interface = pkt->interface;
    return true;
}

static bool make_pair(struct incast *s, uint32_t pair, uint32_t target)
{
    if (!try_list_reach(&s->pair_list, pair, sizeof(*s->pairs)))
        return false;
    s->pairs = s->pair_list.entries;
    if (s->pairs[pair].known)
        return true;
    s->pairs[pair] = (struct pair){.window = INT64_MIN, .target = target, .known = true};
    return true;
}

/* UNKNOWN: there is no room for it */
static uint32_t find_pair(struct incast *s, const struct rdc_packet *pkt)
{
    uint8_t hosts[HOSTS_SIZE];
    uint32_t target, pair;

    hosts[0] = pkt->address_kind;
    memcpy(hosts + 1, pkt->dst, 16);
    memcpy(hosts + HOST_SIZE, pkt->src, 16);
    target = number_of(&s->target_numbers, hosts, TARGETS_MAX);
    pair = number_of(&s->pair_numbers, hosts, PAIRS_MAX);
    if (target == NO_NUMBER || pair == NO_NUMBER || !make_target(s, target, pkt) ||
        !make_pair(s, pair + PAIRS_FIRST, target))
        return UNKNOWN;
    return s->targets[target].seen.interface == pkt->interface ? pair + PAIRS_FIRST : LEFT_OUT;
}

static inline struct recent *recent_of(struct incast *s, const struct rdc_packet *pkt)
{
    uint64_t words[4];

    memcpy(words, pkt->src, 16);
    memcpy(words + 2, pkt->dst, 16);
    words[0] = (words[0] ^ words[1] << 1 ^ words[2] << 2 ^ words[3] << 3 ^ pkt->interface) *
               UINT64_C(0x9e3779b97f4a7c15);
    return &s->recent[words[0] >> 32 & (RECENT - 1)];
}

static inline bool is_of(const struct recent *r, const struct rdc_packet *pkt)
{
    return r->pair != UNKNOWN && r->interface == pkt->interface &&
           r->address_kind == pkt->address_kind && memcmp(r->src, pkt->src, 16) == 0 &&
           memcmp(r->dst, pkt->dst, 16) == 0;
}

/* That of a packet's hosts, which is remembered for some of them */
static uint32_t pair_of(struct incast *s, const struct rdc_packet *pkt)
{
    struct recent *r = recent_of(s, pkt);

    if (is_of(r, pkt))
        return r->pair;
    *r = (struct recent){
        .interface = pkt->interface, .address_kind = pkt->address_kind, .pair = find_pair(s, pkt)};
    memcpy(r->src, pkt->src, 16);
    memcpy(r->dst, pkt->dst, 16);
    return r->pair;
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

static void another_sender(struct target *t, uint64_t frame)
{
    if (++t->senders <= t->seen.max_senders)
        return;
    t->seen.max_senders = t->senders;
    t->seen.max_ns = t->window * INCAST_WINDOW_NS;
    t->seen.max_frame = frame;
}

static __attribute__((noinline)) void next_window(struct incast *s, int64_t time_ns)
{
    s->window = time_ns / INCAST_WINDOW_NS;
    s->from_ns = s->window * INCAST_WINDOW_NS;
}

static inline void reach_window(struct incast *s, int64_t time_ns)
{
    if ((uint64_t)time_ns - (uint64_t)s->from_ns >= INCAST_WINDOW_NS)
        next_window(s, time_ns);
}

static inline void data_packet(struct incast *s, uint32_t pair, int64_t time_ns, uint64_t frame,
                               uint32_t wire_size)
{
    struct pair *p;
    struct target *t;

    if (pair < PAIRS_FIRST) {
        s->not_counted += pair == UNKNOWN;
        return;
    }
    reach_window(s, time_ns);
    p = &s->pairs[pair];
    t = &s->targets[p->target];
    if (s->window > t->window)
        close_window(t, s->window);
    t->bytes += wire_size;
    if (p->window != t->window) {
        p->window = t->window;
        another_sender(t, frame);
    }
}

/* Data of a connection, or of a datagram's sender; a damaged header may name any host. */
static bool has_data(const struct rdc_packet *pkt)
{
    return pkt->kind == RDC_KIND_BTH && pkt->ib.payload_size > 0 &&
           pkt->ib.bth.dest_qpn >= RDC_QPN_FIRST && pkt->ib.bth.dest_qpn != RDC_QPN_MULTICAST &&
           !rdc_ip_checksum_is_bad(pkt);
}

static void whole_packet(struct incast *s, const struct rdc_packet *pkt)
{
    if (has_data(pkt))
        data_packet(s, pair_of(s, pkt), pkt->time_ns, pkt->frame, pkt->wire_size);
}

/* By the first packet in brief of the route */
static __attribute__((noinline)) uint32_t
pair_of_route(struct incast *s, const struct rdc_contexts *contexts, const struct rdc_brief *brief)
{
    struct rdc_packet like;

    rdc_brief_whole(contexts, brief, &like);
    s->pair_like[brief->route] = find_pair(s, &like);
    return s->pair_like[brief->route];
}

static inline void brief_packet(struct incast *s, const struct rdc_contexts *contexts,
                                const struct rdc_brief *brief)
{
    uint32_t pair = s->pair_like[brief->route];

    if (brief->payload_size == 0)
        return;
    if (pair == UNKNOWN)
        pair = pair_of_route(s, contexts, brief);
    data_packet(s, pair, brief->time_ns, brief->frame, brief->wire_size);
}

static void ahead(void *state, const struct flow_batch *batch)
{
    for (size_t i = 0; batch != NULL && i < batch->count; i++) {
        size_t end = flow_batch_run(batch, i);

        for (; i < end; i++)
            brief_packet(state, batch->contexts, &batch->briefs[i]);
        if (i < batch->count)
            whole_packet(state, &batch->packets[i]);
    }
}

/* ------------------------------------------------------------------ what came of it */

/* Some of the last may have a number, but no memory */
static size_t target_count(const struct incast *s)
{
    return MIN(s->target_numbers.count, s->target_list.room);
}

static void get(const struct incast *s, size_t index, struct incast_target *out)
{
    struct target t = s->targets[index];

    close_window(&t, t.window);
    *out = t.seen;
}

size_t incast_count(const struct analysis_run *run)
{
    const struct incast *s = analysis_run_state(run, &an_incast);

    return target_count(s);
}

uint64_t incast_not_counted(const struct analysis_run *run)
{
    const struct incast *s = analysis_run_state(run, &an_incast);

    return s->not_counted;
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

/* How full it was; a rate that only the load tells is no measure of the load. */
static struct report_value of_link(const struct incast_target *t, const struct link_rate *rate)
{
    if (rate->source == LINK_RATE_INFERRED)
        return report_unknown("the link's rate is only known by its load");
    return report_from(report_pct(100 * incast_peak_bps(t) / (double)rate->bps), REPORT_CLOCKED);
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
                   report_from(report_bps((double)rate.bps), REPORT_STATED),
                   report_text(link_rate_source_name(rate.source)), of_link(t, &rate)});
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
    size_t count = target_count(s), with_incast = 0;
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
    report_item(section, "packets_not_counted", NULL, report_count(s->not_counted));
    g_free(order);
}

const struct analysis an_incast = {
    .name = "incast",
    .summary = "senders to one destination at the same moment",
    .state_size = sizeof(struct incast),
    .begin = begin,
    .ahead = ahead,
    .report = report,
    .done = done,
};
