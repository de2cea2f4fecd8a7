/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who paused whom, and for how long? PFC frames (IEEE 802.1Qbb) by port and priority, PAUSE (802.3
 * annex 31B) by port. A pause lasts quanta of bit times, so it needs the rate of the link; where
 * that must be inferred from the load of the whole capture, one clock for each standard rate runs.
 */
#include "analysis/pause_ports.h"

#include "analysis/keyed_hash.h"

enum {
    MAX_SOURCES = 4096,
    PLACES = 2 * MAX_SOURCES,
};

#define NO_PEER UINT32_MAX

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

struct link_ports *pause_link(const struct pause *p, uint32_t link)
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
    l = pause_link(p, link);
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

const struct analysis an_pause = {
    .name = "pause",
    .summary = "PFC and PAUSE frames by source and priority",
    .state_size = sizeof(struct pause),
    .begin = begin,
    .ahead = ahead,
    .packets = packets,
    .connection = pause_connection,
    .report = pause_report,
    .done = done,
};
