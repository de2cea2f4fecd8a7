/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who paused whom, and for how long? PFC frames (IEEE 802.1Qbb) by port and priority, PAUSE (802.3
 * annex 31B) by port. A pause lasts quanta of bit times, so it needs the rate of the link; where
 * that must be inferred from the load of the whole capture, one clock for each standard rate runs.
 */
#include "analysis/pause.h"

#include <glib.h>

#include "analysis/pause_clock.h"

enum {
    PRIORITIES = 8,
    SLOTS = PRIORITIES + 1, /* the last: PAUSE */
    MAX_SOURCES = 4096,
};

struct slot {
    uint64_t xoff, xon;
    struct tally frames;
    uint64_t first_xoff_frame;
    int64_t first_xoff_ns;
    struct tally mutual;
    uint32_t mutual_clocks;      /* set of the clocks by which it is so */
    struct pause_clock clocks[]; /* one where the rate is known, else LINK_RATES */
};

struct source {
    uint8_t mac[6];
    uint32_t link;
    bool rate_known;
    struct link_rate rate;
    uint32_t peer;             /* the other port of the link */
    struct slot *slots[SLOTS]; /* owned, lazily */
};

/* Ports that pause, of one link */
struct link_ports {
    uint32_t link;
    uint32_t count;
    uint32_t latest; /* source */
};

struct pause {
    const struct capture *capture;
    struct load_meter load;
    GArray *sources; /* of struct source */
    GArray *links;   /* of struct link_ports */
    size_t recent;
    uint64_t not_counted; /* frames of more sources than are told apart */
};

#define NO_PEER UINT32_MAX

static struct source *source_at(const struct pause *p, size_t i)
{
    return &g_array_index(p->sources, struct source, i);
}

/* ------------------------------------------------------------------ ports */

static struct link_ports *ports_of(const struct pause *p, uint32_t link)
{
    for (guint i = 0; i < p->links->len; i++) {
        struct link_ports *l = &g_array_index(p->links, struct link_ports, i);

        if (l->link == link)
            return l;
    }
    return NULL;
}

/* A link has two ports; where more of them pause, the capture holds several links. */
static void join_link(struct pause *p, uint32_t index)
{
    struct source *s = source_at(p, index);
    struct link_ports *l = ports_of(p, s->link);

    if (l == NULL) {
        struct link_ports first = {s->link, 1, index};

        g_array_append_val(p->links, first);
        return;
    }
    if (l->count++ == 1) {
        s->peer = l->latest;
        source_at(p, l->latest)->peer = index;
    }
    l->latest = index;
}

static struct source *find(struct pause *p, const uint8_t mac[6], uint32_t interface)
{
    uint32_t link = capture_link(p->capture, interface);
    struct source fresh = {.link = link, .peer = NO_PEER};

    if (p->recent < p->sources->len && source_at(p, p->recent)->link == link &&
        memcmp(source_at(p, p->recent)->mac, mac, 6) == 0)
        return source_at(p, p->recent);
    for (p->recent = 0; p->recent < p->sources->len; p->recent++)
        if (source_at(p, p->recent)->link == link &&
            memcmp(source_at(p, p->recent)->mac, mac, 6) == 0)
            return source_at(p, p->recent);
    if (p->sources->len == MAX_SOURCES)
        return NULL;
    memcpy(fresh.mac, mac, 6);
    fresh.rate_known = link_rate_known(p->capture, interface, &fresh.rate);
    g_array_append_val(p->sources, fresh);
    join_link(p, p->sources->len - 1);
    return source_at(p, p->recent);
}

static unsigned clock_count(const struct source *s)
{
    return s->rate_known ? 1 : LINK_RATES;
}

static struct slot *slot_of(struct source *s, unsigned priority)
{
    struct slot *slot = s->slots[priority];
    unsigned clocks = clock_count(s);

    if (slot != NULL)
        return slot;
    slot = g_malloc0(sizeof(*slot) + clocks * sizeof(slot->clocks[0]));
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

static void step(const struct pause *p, struct source *s, unsigned priority, uint16_t quanta,
                 const struct rdc_packet *pkt)
{
    struct slot *slot = slot_of(s, priority);

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
    if (!pkt->pause.pfc) {
        step(p, s, PRIORITIES, pkt->pause.quanta[0], pkt);
        return;
    }
    for (unsigned i = 0; i < PRIORITIES; i++)
        if ((pkt->pause.enabled >> i & 1) != 0)
            step(p, s, i, pkt->pause.quanta[i], pkt);
}

static void packet(void *state, const struct rdc_packet *pkt)
{
    struct pause *p = state;

    if (pkt->kind == RDC_KIND_PAUSE)
        pause_frame(p, pkt);
    else if (p->capture->link_rate_bps == 0)
        load_meter_packet(&p->load, capture_link(p->capture, pkt->interface), pkt);
}

static void begin(void *state, const struct capture *capture)
{
    struct pause *p = state;

    p->capture = capture;
    p->sources = g_array_new(FALSE, FALSE, sizeof(struct source));
    p->links = g_array_new(FALSE, FALSE, sizeof(struct link_ports));
}

static void done(void *state)
{
    struct pause *p = state;

    for (guint i = 0; i < p->sources->len; i++)
        for (unsigned k = 0; k < SLOTS; k++)
            g_free(source_at(p, i)->slots[k]);
    g_array_free(p->sources, TRUE);
    g_array_free(p->links, TRUE);
}

/* ------------------------------------------------------------------ what came of it */

size_t pause_row_count(const void *state)
{
    const struct pause *p = state;
    size_t n = 0;

    for (guint i = 0; i < p->sources->len; i++)
        for (unsigned k = 0; k < SLOTS; k++)
            n += source_at(p, i)->slots[k] != NULL;
    return n;
}

static void put_mutual(const struct pause *p, const struct source *s, const struct slot *slot,
                       unsigned clock, struct pause_row *out)
{
    static const char several[] =
        "more than two ports pause on this interface: it shows several links";

    if (ports_of(p, s->link)->count > 2) {
        out->mutual_unknown = several;
    } else if ((slot->mutual_clocks >> clock & 1) != 0) {
        out->has_mutual = true;
        memcpy(out->mutual_with, source_at(p, s->peer)->mac, 6);
        out->mutual = slot->mutual;
    }
}

static void fill(const struct pause *p, const struct capture *capture, const struct source *s,
                 unsigned priority, struct pause_row *out)
{
    const struct slot *slot = s->slots[priority];
    unsigned clock = s->rate_known ? 0 : link_rate_for_load(load_meter_peak(&p->load, s->link));
    struct pause_clock c = slot->clocks[clock];
    int64_t span = capture->last_time_ns - capture->first_time_ns;

    pause_clock_finish(&c, capture->last_time_ns);
    *out = (struct pause_row){
        .priority = priority == PRIORITIES ? PAUSE_GLOBAL : (int)priority,
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
        .estimate = !s->rate_known,
    };
    memcpy(out->source, s->mac, 6);
    put_mutual(p, s, slot, clock, out);
}

void pause_row_get(const void *state, const struct capture *capture, size_t index,
                   struct pause_row *out)
{
    const struct pause *p = state;

    for (guint i = 0; i < p->sources->len; i++)
        for (unsigned k = 0; k < SLOTS; k++)
            if (source_at(p, i)->slots[k] != NULL && index-- == 0)
                fill(p, capture, source_at(p, i), k, out);
}

/* ------------------------------------------------------------------ report */

static void put_row(struct report_node *table, const struct pause_row *r)
{
    struct report_value share = report_unknown("the capture has no length in time"), rate = share;

    if (r->paused_pct >= 0) {
        share = report_pct(r->paused_pct);
        rate = report_real(r->pauses_per_second);
    }
    report_row(
        table,
        (struct report_value[]){
            report_mac(r->source),
            r->priority == PAUSE_GLOBAL ? report_none() : report_number((uint64_t)r->priority),
            report_number(r->link),
            report_mood(report_count(r->xoff_frames), REPORT_WARNING),
            report_count(r->xon_frames),
            report_count(r->pauses),
            rate,
            report_ns(r->paused_ns),
            share,
            report_ns(r->longest_ns),
            r->longest_frame != 0 ? report_frame(r->longest_frame) : report_none(),
            report_bps((double)r->rate.bps),
            report_text(link_rate_source_name(r->rate.source)),
            report_bool(r->estimate),
            report_mood(report_count(r->storms), r->storms > 0 ? REPORT_BAD : REPORT_PLAIN),
            r->storm_frame != 0 ? report_frame(r->storm_frame) : report_none(),
            r->mutual_unknown != NULL ? report_unknown(r->mutual_unknown)
            : r->has_mutual           ? report_mac(r->mutual_with)
                                      : report_none(),
            tally_frames(&r->mutual),
            report_unknown("not measured"),
            report_unknown("not measured"),
            r->first_xoff_frame != 0 ? report_frame(r->first_xoff_frame) : report_none(),
            tally_frames(&r->frames),
        });
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"source", "Source", false},
        {"priority", "Priority", false},
        {"link", NULL, false},
        {"xoff_frames", "XOFF", false},
        {"xon_frames", "XON", false},
        {"pauses", NULL, false},
        {"pauses_per_second", NULL, false},
        {"paused_ns", "Paused", false},
        {"paused_pct", "Share", false},
        {"longest_pause_ns", "Longest", false},
        {"longest_pause_frame", NULL, false},
        {"link_rate_bps", "Link rate", false},
        {"link_rate_source", "Rate is", false},
        {"estimate", NULL, false},
        {"storms", "Storms", true},
        {"storm_frame", NULL, false},
        {"mutual_with", "Mutual with", true},
        {"mutual_frames", NULL, false},
        {"violations", NULL, false},
        {"victims", NULL, false},
        {"first_xoff_frame", NULL, false},
        {"frames", "First frames", true},
    };
    const struct pause *p = state;
    struct report_node *table =
        report_table(root, "pfc", "PFC and PAUSE", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));
    struct pause_row row;

    for (size_t i = 0; i < pause_row_count(p); i++) {
        pause_row_get(p, in->capture, i, &row);
        put_row(table, &row);
    }
    if (p->sources->len == 0)
        report_item(root, "pfc_visible", NULL,
                    report_unknown("no PFC visible at this tap: MACs consume pause frames, and "
                                   "mirrors leave them out"));
    else
        report_item(root, "pfc_visible", NULL, report_bool(true));
    if (p->not_counted > 0)
        report_item(root, "pfc_frames_not_counted", "Pauses of more sources",
                    report_count(p->not_counted));
}

const struct analysis an_pause = {
    .name = "pause",
    .summary = "PFC and PAUSE frames by source and priority",
    .state_size = sizeof(struct pause),
    .begin = begin,
    .packet = packet,
    .report = report,
    .done = done,
};
