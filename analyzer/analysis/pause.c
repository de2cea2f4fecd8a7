/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who paused whom, and for how long? PFC frames (IEEE 802.1Qbb) by port and priority, PAUSE (802.3
 * annex 31B) by port. A pause lasts quanta of bit times, so it needs the rate of the link; where
 * that must be inferred from the load of the whole capture, one clock for each standard rate runs.
 */
#include "analysis/pause.h"

#include <glib.h>

#include "analysis/keyed_hash.h"
#include "analysis/pause_clock.h"
#include "analysis/pause_effect.h"

enum {
    PRIORITIES = 8,
    SLOTS = PRIORITIES + 1, /* the last: PAUSE */
    MAX_SOURCES = 4096,
    PLACES = 2 * MAX_SOURCES,
    PORTS_WATCHED = 8,     /* of a link, for their effect */
    PORTS_LOOKED_AT = 256, /* with more, nobody looks through all connections for each of them */
};

struct slot {
    uint64_t xoff, xon;
    struct tally frames;
    uint64_t first_xoff_frame;
    int64_t first_xoff_ns;
    struct tally mutual;
    struct pause_effect effect;
    uint32_t mutual_clocks;      /* set of the clocks by which it is so */
    struct pause_clock clocks[]; /* one where the rate is known, else LINK_RATES */
};

struct source {
    uint8_t mac[6];
    uint32_t link;
    bool rate_known;
    unsigned clock; /* the one to go by so far */
    struct link_rate rate;
    bool is_host;              /* source or destination of data */
    uint32_t peer;             /* the other port of the link */
    struct slot *slots[SLOTS]; /* owned, lazily */
};

/* Ports that pause, of one link */
struct link_ports {
    uint32_t link;
    uint32_t count;
    uint32_t latest; /* source */
    uint32_t sources[PORTS_WATCHED];
    struct pause_hosts hosts;
};

/* A pause that goes on at the end */
struct lasting {
    const struct source *source;
    struct slot *slot;
    unsigned clock;
    int priority;
};

struct pause {
    const struct capture *capture;
    struct load_meter load;
    GArray *sources;                       /* of struct source */
    GArray *links;                         /* of struct link_ports */
    uint16_t *source_places, *link_places; /* owned: hash tables of PLACES, 1 + index, or 0 */
    size_t recent;                         /* source */
    size_t recent_link;
    uint64_t not_counted;  /* frames of more sources than are told apart, or without memory */
    GArray *lasting;       /* owned, of struct lasting; from the first connection that is shown */
    int64_t lasting_since; /* the earliest of them; valid when there is one */
};

#define NO_PEER UINT32_MAX
#define BUSY_NS INT64_C(1000000) /* a stream that sent so shortly ago was busy */

/* Of a slot */
static int priority_of(unsigned slot)
{
    return slot == PRIORITIES ? PAUSE_GLOBAL : (int)slot;
}

static struct source *source_at(const struct pause *p, size_t i)
{
    return &g_array_index(p->sources, struct source, i);
}

/* ------------------------------------------------------------------ ports */

static struct link_ports *link_at(const struct pause *p, size_t i)
{
    return &g_array_index(p->links, struct link_ports, i);
}

/* That of the link, or a free one; half of them are */
static uint16_t *place_of_link(const struct pause *p, uint32_t link)
{
    size_t at = keyed_words_hash(link, 0) % PLACES;

    while (p->link_places[at] != 0 && link_at(p, p->link_places[at] - 1u)->link != link)
        at = (at + 1) % PLACES;
    return &p->link_places[at];
}

static struct link_ports *find_link(const struct pause *p, uint32_t link)
{
    uint16_t number = *place_of_link(p, link);

    return number != 0 ? link_at(p, number - 1u) : NULL;
}

/* The same, for one packet after the other */
static struct link_ports *ports_of(struct pause *p, uint32_t link)
{
    struct link_ports *l;

    if (p->recent_link < p->links->len && link_at(p, p->recent_link)->link == link)
        return link_at(p, p->recent_link);
    l = find_link(p, link);
    if (l != NULL)
        p->recent_link = (size_t)(l - link_at(p, 0));
    return l;
}

static void add_link(struct pause *p, uint32_t link, uint32_t source)
{
    struct link_ports first = {.link = link, .count = 1, .latest = source, .sources = {source}};

    g_array_append_val(p->links, first);
    *place_of_link(p, link) = (uint16_t)p->links->len;
}

/* A link has two ports; where more of them pause, the capture holds several links. */
static void join_link(struct pause *p, uint32_t index)
{
    struct source *s = source_at(p, index);
    struct link_ports *l = ports_of(p, s->link);

    if (l == NULL) {
        add_link(p, s->link, index);
        return;
    }
    if (l->count < PORTS_WATCHED)
        l->sources[l->count] = index;
    if (l->count++ == 1) {
        s->peer = l->latest;
        source_at(p, l->latest)->peer = index;
    }
    l->latest = index;
}

static bool is_source(const struct pause *p, size_t i, const uint8_t mac[6], uint32_t link)
{
    return source_at(p, i)->link == link && memcmp(source_at(p, i)->mac, mac, 6) == 0;
}

/* That of the source, or a free one; half of them are */
static uint16_t *place_of(const struct pause *p, const uint8_t mac[6], uint32_t link)
{
    size_t at = keyed_words_hash(flow_mac_number(mac), link) % PLACES;

    while (p->source_places[at] != 0 && !is_source(p, p->source_places[at] - 1u, mac, link))
        at = (at + 1) % PLACES;
    return &p->source_places[at];
}

static struct source *find(struct pause *p, const uint8_t mac[6], uint32_t link)
{
    struct source fresh = {.link = link, .peer = NO_PEER};
    uint16_t *place;

    if (p->recent < p->sources->len && is_source(p, p->recent, mac, link))
        return source_at(p, p->recent);
    place = place_of(p, mac, link);
    if (*place == 0 && p->sources->len == MAX_SOURCES)
        return NULL;
    p->recent = *place != 0 ? *place - 1u : p->sources->len;
    if (*place != 0)
        return source_at(p, p->recent);
    *place = (uint16_t)(p->sources->len + 1);
    memcpy(fresh.mac, mac, 6);
    fresh.rate_known = link_rate_known(p->capture, link, &fresh.rate);
    g_array_append_val(p->sources, fresh);
    join_link(p, p->sources->len - 1);
    return source_at(p, p->recent);
}

static unsigned clock_count(const struct source *s)
{
    return s->rate_known ? 1 : LINK_RATES;
}

/* NULL: there is no memory for it */
static struct slot *slot_of(struct source *s, unsigned priority)
{
    struct slot *slot = s->slots[priority];
    unsigned clocks = clock_count(s);

    if (slot != NULL)
        return slot;
    slot = g_try_malloc0(sizeof(*slot) + clocks * sizeof(slot->clocks[0]));
    if (slot == NULL)
        return NULL;
    for (unsigned i = 0; i < clocks; i++)
        pause_clock_init(&slot->clocks[i], s->rate_known ? s->rate.bps : link_rates[i],
                         !s->rate_known);
    s->slots[priority] = slot;
    return slot;
}

/* ------------------------------------------------------------------ frames */

/* Both ports of a link hold each other back: neither can drain (IEEE 802.1Qbb, deadlock) */
static void note_mutual(const struct pause *p, struct source *s, unsigned priority,
                        const struct rdc_packet *pkt)
{
    struct source *other = s->peer != NO_PEER ? source_at(p, s->peer) : NULL;
    struct slot *mine = s->slots[priority], *theirs;
    uint32_t clocks = 0;

    if (other == NULL || (theirs = other->slots[priority]) == NULL)
        return;
    for (unsigned i = 0; i < clock_count(s) && i < clock_count(other); i++)
        if (pause_clock_paused(&theirs->clocks[i], pkt->time_ns))
            clocks |= 1u << i;
    if (clocks == 0)
        return;
    mine->mutual_clocks |= clocks;
    theirs->mutual_clocks |= clocks;
    tally_add(&mine->mutual, pkt->frame);
}

static void step(struct pause *p, struct source *s, unsigned priority, uint16_t quanta,
                 const struct rdc_packet *pkt)
{
    struct slot *slot = slot_of(s, priority);

    if (slot == NULL) {
        p->not_counted++;
        return;
    }
    tally_add(&slot->frames, pkt->frame);
    for (unsigned i = 0; i < clock_count(s); i++)
        pause_clock_frame(&slot->clocks[i], pkt->frame, pkt->time_ns, quanta);
    if (quanta == 0) {
        slot->xon++;
        return;
    }
    if (slot->xoff++ == 0) {
        slot->first_xoff_frame = pkt->frame;
        slot->first_xoff_ns = pkt->time_ns;
    }
    note_mutual(p, s, priority, pkt);
}

static void pause_frame(struct pause *p, const struct rdc_packet *pkt)
{
    static const uint8_t no_mac[6] = {0};
    struct source *s = find(p, pkt->has_mac ? pkt->src_mac : no_mac, pkt->interface);

    if (s == NULL) {
        p->not_counted++;
        return;
    }
    if (!s->rate_known)
        s->clock = load_meter_rate(&p->load, s->link, pkt->frame);
    if (!pkt->pause.pfc) {
        step(p, s, PRIORITIES, pkt->pause.quanta[0], pkt);
        return;
    }
    for (unsigned i = 0; i < PRIORITIES; i++)
        if ((pkt->pause.enabled >> i & 1) != 0)
            step(p, s, i, pkt->pause.quanta[i], pkt);
}

/* Not only RDMA loads a link. */
static void ahead(void *state, const struct flow_batch *batch)
{
    struct pause *p = state;

    if (p->capture->link_rate_bps != 0)
        return;
    if (batch != NULL)
        load_meter_batch(&p->load, batch);
    else
        load_meter_settle(&p->load);
}

/* ------------------------------------------------------------------ what pauses do */

/* A packet of a stream, and how long that had been silent */
static void affect(struct source *s, unsigned priority, const struct rdc_packet *pkt,
                   uint32_t stream, int64_t silence_ns)
{
    struct slot *slot = s->slots[priority];
    const struct pause_clock *c;

    if (slot == NULL)
        return;
    c = &slot->clocks[s->clock];
    pause_effect_packet(&slot->effect, c, s->mac, pkt);
    if (silence_ns >= PAUSE_STALL_NS)
        pause_effect_silence(&slot->effect, c, s->mac, pkt->src_mac, pkt->dst_mac, stream,
                             pkt->time_ns - silence_ns, pkt->time_ns);
    pause_effect_clocks(&slot->effect, &slot->clocks[s->clock], clock_count(s) - s->clock, s->mac,
                        pkt, silence_ns);
}

static void stream_packet(struct pause *p, const struct rdc_packet *pkt, uint32_t stream,
                          int64_t silence_ns)
{
    struct link_ports *l = pkt->has_mac ? ports_of(p, pkt->interface) : NULL;

    if (l == NULL)
        return;
    pause_hosts_packet(&l->hosts, pkt);
    for (uint32_t i = 0; i < l->count && i < PORTS_WATCHED; i++) {
        struct source *s = source_at(p, l->sources[i]);

        s->is_host = s->is_host || memcmp(s->mac, pkt->src_mac, 6) == 0 ||
                     memcmp(s->mac, pkt->dst_mac, 6) == 0;
        affect(s, pause_priority_of(pkt), pkt, stream, silence_ns);
        affect(s, PRIORITIES, pkt, stream, silence_ns);
    }
}

/* Most captures have no pauses: then there is nothing to look at. */
static void packets(void *state, struct flow_batch *batch, uint64_t unusual)
{
    struct pause *p = state;

    if (p->sources->len == 0 && unusual == 0)
        return;
    for (size_t i = 0; i < batch->count; i++) {
        const struct rdc_packet *pkt = flow_batch_packet(batch, i);

        if (pkt->kind == RDC_KIND_PAUSE)
            pause_frame(p, pkt);
        else if (p->sources->len > 0 && batch->stream[i] != FLOW_NO_STREAM)
            stream_packet(p, pkt, batch->stream[i], batch->silence_ns[i]);
    }
}

static void begin(void *state, const struct capture *capture)
{
    struct pause *p = state;

    p->capture = capture;
    load_meter_init(&p->load);
    p->sources = g_array_sized_new(FALSE, FALSE, sizeof(struct source), MAX_SOURCES);
    p->links = g_array_sized_new(FALSE, FALSE, sizeof(struct link_ports), MAX_SOURCES);
    p->source_places = g_new0(uint16_t, PLACES);
    p->link_places = g_new0(uint16_t, PLACES);
}

static void done(void *state)
{
    struct pause *p = state;

    for (guint i = 0; i < p->sources->len; i++)
        for (unsigned k = 0; k < SLOTS; k++)
            g_free(source_at(p, i)->slots[k]);
    load_meter_done(&p->load);
    if (p->lasting != NULL)
        g_array_free(p->lasting, TRUE);
    g_array_free(p->sources, TRUE);
    g_array_free(p->links, TRUE);
    g_free(p->source_places);
    g_free(p->link_places);
}

/* ------------------------------------------------------------------ what came of it */

struct link_rate pause_link_rate(const struct analysis_run *run, const struct capture *capture,
                                 uint32_t interface)
{
    const struct pause *p = analysis_run_state(run, &an_pause);
    unsigned shown = load_meter_rate(&p->load, interface, UINT64_MAX);
    struct link_rate rate;

    if (!link_rate_known(capture, interface, &rate))
        rate = (struct link_rate){link_rates[shown], LINK_RATE_INFERRED};
    return rate;
}

uint64_t pause_not_counted(const void *state)
{
    return ((const struct pause *)state)->not_counted;
}

/* As pause_priority_of() */
static int path_priority(const struct flow_path *path)
{
    return path->pcp[FLOW_CLASS_DATA] != FLOW_UNTAGGED ? path->pcp[FLOW_CLASS_DATA]
                                                       : path->dscp[FLOW_CLASS_DATA] >> 3;
}

size_t pause_row_count(const void *state)
{
    const struct pause *p = state;
    size_t n = 0;

    for (guint i = 0; i < p->sources->len; i++)
        for (unsigned k = 0; k < SLOTS; k++)
            n += source_at(p, i)->slots[k] != NULL;
    return n;
}

static const char several[] = "more than two ports pause on this interface: it shows several links";

static void put_mutual(const struct pause *p, const struct source *s, const struct slot *slot,
                       unsigned clock, struct pause_row *out)
{
    /* -fanalyzer: a source has joined its link, here and below */
    if (find_link(p, s->link)->count > 2) {
        out->mutual_unknown = several;
    } else if ((slot->mutual_clocks >> clock & 1) != 0) {
        out->has_mutual = true;
        memcpy(out->mutual_with, source_at(p, s->peer)->mac, 6);
        out->mutual = slot->mutual;
    }
}

/* ------------------------------------------------------------------ connections that stopped */

/* The clock to go by */
static unsigned clock_of(const struct pause *p, const struct source *s)
{
    return s->rate_known ? 0 : load_meter_rate(&p->load, s->link, UINT64_MAX);
}

static void find_lasting(struct pause *p)
{
    p->lasting = g_array_new(FALSE, FALSE, sizeof(struct lasting));
    for (guint i = 0; p->sources->len <= PORTS_LOOKED_AT && i < p->sources->len; i++) {
        const struct source *s = source_at(p, i);

        for (unsigned k = 0; k < SLOTS; k++) {
            struct lasting pause = {s, s->slots[k], clock_of(p, s), priority_of(k)};

            if (pause.slot == NULL || !pause.slot->clocks[pause.clock].paused)
                continue;
            p->lasting_since = p->lasting->len == 0
                                   ? pause.slot->clocks[pause.clock].since
                                   : MIN(p->lasting_since, pause.slot->clocks[pause.clock].since);
            g_array_append_val(p->lasting, pause);
        }
    }
}

/* A direction that was busy when the pause began and has sent nothing since: a packet that would
 * end its silence is not on the capture. */
static void stopped(const struct lasting *pause, const struct flow_direction *d, int64_t end_ns)
{
    const struct pause_clock *c = &pause->slot->clocks[pause->clock];

    if (d->path->interface != pause->source->link ||
        (pause->priority != PAUSE_GLOBAL && path_priority(d->path) != pause->priority) ||
        c->since - d->last_data_ns > BUSY_NS)
        return;
    pause_effect_silence(&pause->slot->effect, c, pause->source->mac, d->path->src_mac,
                         d->path->dst_mac, d->stream, d->last_data_ns, end_ns);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct pause *p = state;

    if (p->lasting == NULL)
        find_lasting(p);
    for (unsigned k = 0; c != NULL && p->lasting->len > 0 && k < 2; k++) {
        const struct flow_direction *d = k == 0 ? &c->a_to_b : &c->b_to_a;

        if (d->path == NULL || d->last_data_ns == INT64_MIN ||
            p->lasting_since - d->last_data_ns > BUSY_NS ||
            in->capture->last_time_ns - d->last_data_ns < PAUSE_STALL_NS)
            continue;
        for (guint i = 0; i < p->lasting->len; i++)
            stopped(&g_array_index(p->lasting, struct lasting, i), d, in->capture->last_time_ns);
    }
}

void pause_connections(const struct analysis_run *run, const struct analysis_input *in)
{
    struct pause *p = (void *)(uintptr_t)analysis_run_state(run, &an_pause);
    struct flow_connection c;

    for (size_t i = 0; i < flow_connection_count(in->engine); i++) {
        flow_connection_get(in->engine, i, &c);
        connection(p, in, &c);
    }
}

/* ------------------------------------------------------------------ rows */

/* The mean gap between data packets of a stream, but for the silences of a victim */
static int64_t usual_gap_ns(const struct flow_engine *engine, const struct pause_victim *v)
{
    const struct flow_direction *d;
    struct flow_connection c;
    uint32_t index;
    bool a_to_b;
    int64_t ns;

    if (!flow_stream_connection(engine, v->stream, &index, &a_to_b))
        return 0;
    flow_connection_get(engine, index, &c);
    d = a_to_b ? &c.a_to_b : &c.b_to_a;
    if (d->counters == NULL || d->counters->data_packets <= (uint64_t)v->paused + 1)
        return 0;
    ns = d->last_data_ns - d->first_ns - v->paused_ns;
    return ns > 0 ? ns / (int64_t)(d->counters->data_packets - v->paused - 1) : 0;
}

static void put_effect(const struct pause *p, const struct analysis_input *in,
                       const struct source *s, const struct pause_effect *effect,
                       struct pause_row *out)
{
    const struct link_ports *l = find_link(p, s->link);

    if (out->estimate) {
        out->violations.unknown = "the link rate is inferred: pauses may have been shorter";
    } else if (l->count > 2) { /* -fanalyzer: as above */
        out->violations.unknown = several;
    } else {
        out->violations = pause_effect_judge(effect, &l->hosts, s->is_host);
    }
    if (!s->is_host) { /* a switch: its partner is a host that takes part in all packets */
        out->partners = l->hosts.count;
        memcpy(out->partner, l->hosts.mac, sizeof(out->partner));
    }
    if (out->priority != PAUSE_GLOBAL && effect->by_pcp + effect->by_dscp > 0)
        out->priority_from = effect->by_pcp > 0 ? "pcp" : "dscp";
    for (uint32_t i = 0; i < effect->victim_count; i++) {
        const struct pause_victim *v = &effect->victims[i];

        if (!pause_effect_hits(v, &l->hosts, s->is_host, usual_gap_ns(in->engine, v)))
            continue;
        out->victim_from_ns[out->victim_count] = v->from_ns;
        out->victim_to_ns[out->victim_count] = v->to_ns;
        out->victims[out->victim_count++] = v->stream;
    }
}

static void fill(const struct pause *p, const struct analysis_input *in, const struct source *s,
                 unsigned priority, struct pause_row *out)
{
    const struct capture *capture = in->capture;
    const struct slot *slot = s->slots[priority];
    unsigned clock = clock_of(p, s);
    struct pause_clock c = slot->clocks[clock];
    int64_t span = capture->last_time_ns - capture->first_time_ns;

    pause_clock_finish(&c, capture->last_time_ns);
    *out = (struct pause_row){
        .priority = priority_of(priority),
        .link = s->link,
        .xoff_frames = slot->xoff,
        .xon_frames = slot->xon,
        .frames = slot->frames,
        .first_xoff_frame = slot->first_xoff_frame,
        .first_xoff_ns = slot->first_xoff_ns,
        .pauses = c.pauses,
        .paused_ns = c.paused_ns,
        .paused_pct = span > 0 ? MIN(100.0 * (double)c.paused_ns / (double)span, 100.0) : -1,
        .pauses_per_second = span > 0 ? (double)c.pauses * 1e9 / (double)span : -1,
        .longest_ns = c.longest_ns,
        .longest_frame = c.longest_frame,
        .storms = c.storms,
        .storm_frame = c.storm_frame,
        .rate = {c.rate_bps, s->rate_known ? s->rate.source : LINK_RATE_INFERRED},
        .last_end_ns = c.until,
        .paused_at_end = pause_clock_paused(&slot->clocks[clock], capture->last_time_ns),
        .refreshed = slot->clocks[clock].xoffs > 1,
        .paused_since_ns = slot->clocks[clock].since,
        .paused_since_frame = slot->clocks[clock].since_frame,
        .is_host = s->is_host,
        .estimate = !s->rate_known,
    };
    memcpy(out->source, s->mac, 6);
    if (c.pauses > 0 && c.in_vain == c.pauses) {
        out->in_vain = true;
        out->paused_pct = -1;
    }
    put_mutual(p, s, slot, clock, out);
    put_effect(p, in, s, &slot->effect, out);
}

void pause_rows(const void *state, const struct analysis_input *in,
                void (*visit)(void *context, const struct pause_row *row), void *context)
{
    const struct pause *p = state;
    struct pause_row row;

    for (guint i = 0; i < p->sources->len; i++) {
        for (unsigned k = 0; k < SLOTS; k++) {
            if (source_at(p, i)->slots[k] == NULL)
                continue;
            fill(p, in, source_at(p, i), k, &row);
            visit(context, &row);
        }
    }
}

const struct analysis an_pause = {
    .name = "pause",
    .summary = "PFC and PAUSE frames by source and priority",
    .state_size = sizeof(struct pause),
    .begin = begin,
    .ahead = ahead,
    .packets = packets,
    .connection = connection,
    .report = pause_report,
    .done = done,
};
