/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What came of pauses: a row for each port and priority, with whom they held up.
 */
#include "analysis/pause_ports.h"

enum {
    PORTS_LOOKED_AT = 256, /* with more, no connection is compared with each of them */
};

#define BUSY_NS INT64_C(1000000) /* a stream that sent so shortly ago was busy */

/* Of a slot */
static int priority_of(unsigned slot)
{
    return slot == PRIORITIES ? PAUSE_GLOBAL : (int)slot;
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
    if (pause_link(p, s->link)->count > 2) {
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
    p->lasting_since = INT64_MAX;
    for (guint i = 0; p->sources->len <= PORTS_LOOKED_AT && i < p->sources->len; i++) {
        const struct source *s = source_at(p, i);

        for (unsigned k = 0; k < SLOTS; k++) {
            struct lasting pause = {s, s->slots[k], clock_of(p, s), priority_of(k)};

            if (pause.slot == NULL || !pause.slot->clocks[pause.clock].paused)
                continue;
            p->lasting_since = MIN(p->lasting_since, pause.slot->clocks[pause.clock].since);
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

void pause_connection(void *state, const struct analysis_input *in, const struct flow_connection *c)
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
        pause_connection(p, in, &c);
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
    const struct link_ports *l = pause_link(p, s->link);

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
