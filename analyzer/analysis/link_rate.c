/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rates of links (see link_rate.h).
 */
#include "analysis/link_rate.h"

#include <glib.h>
#include <string.h>

#include "flow/path.h"

#define MEGA UINT64_C(1000000)
#define GIGA UINT64_C(1000000000)

enum {
    WINDOW_NS = 1000000,
    FRAMING = 20, /* bytes: preamble, start of frame, shortest gap; a captured frame has its FCS */
};

const uint64_t link_rates[LINK_RATES] = {
    10 * MEGA, 100 * MEGA, GIGA,       2500 * MEGA, 5 * GIGA,   10 * GIGA,  25 * GIGA,
    40 * GIGA, 50 * GIGA,  100 * GIGA, 200 * GIGA,  400 * GIGA, 800 * GIGA, 1600 * GIGA,
};

const char *link_rate_source_name(enum link_rate_source source)
{
    static const char *const names[] = {
        [LINK_RATE_GIVEN] = "given",
        [LINK_RATE_INTERFACE] = "interface",
        [LINK_RATE_INFERRED] = "inferred",
    };

    return names[source];
}

#define FREE UINT64_MAX /* second part of no key: there is no such link */

_Static_assert(LOAD_PAIRS <= UINT8_MAX + 1, "a byte tells a pair");

static uint32_t link_index(uint32_t link)
{
    return link < LOAD_LINKS ? link : LOAD_LINKS - 1;
}

/* ------------------------------------------------------------------ rates of links */

static void set_rate(struct load_link *l, unsigned rate)
{
    l->rate = rate;
    l->bytes = rate + 1 < LINK_RATES ? link_rates[rate] / 8 / (GIGA / WINDOW_NS) : UINT64_MAX;
}

void load_meter_init(struct load_meter *m)
{
    *m = (struct load_meter){.routes = g_new0(struct load_route, RDC_ROUTES)};
    for (unsigned i = 0; i < LOAD_LINKS; i++)
        set_rate(&m->links[i], 0);
    for (unsigned i = 0; i < LOAD_PAIRS; i++)
        m->pairs[i].key.second = FREE;
}

void load_meter_done(struct load_meter *m)
{
    g_free(m->routes);
}

/* A slot that two addresses share starts again at each change: less is seen, never more. */
static void add(struct load_meter *m, struct load_slot slots[LOAD_SLOTS], uint64_t mac,
                uint32_t link, uint64_t bytes, uint64_t frame)
{
    uint64_t place = ((uint64_t)link << 48 ^ mac) * UINT64_C(0x9e3779b97f4a7c15);
    struct load_slot *s = &slots[place >> 56];
    struct load_link *l = &m->links[link_index(link)];

    if (s->mac != mac || s->link != link || s->window != m->window)
        *s = (struct load_slot){.mac = mac, .window = m->window, .link = link};
    s->bytes += bytes;
    while (s->bytes > l->bytes) {
        set_rate(l, l->rate + 1);
        __atomic_store_n(&l->since[l->rate], frame, __ATOMIC_RELAXED);
    }
}

/* ------------------------------------------------------------------ pairs */

static inline struct load_key key_of(const struct rdc_packet *pkt)
{
    struct load_key key;
    uint32_t rest;

    memcpy(&key.first, pkt->macs, 8);
    memcpy(&rest, pkt->macs + 8, 4);
    key.second = rest | (uint64_t)pkt->interface << 32;
    return key;
}

static void settle_pair(struct load_meter *m, struct load_pair *p, uint64_t frame)
{
    uint32_t link = (uint32_t)(p->key.second >> 32), rest = (uint32_t)p->key.second;
    uint8_t macs[12];

    memcpy(macs, &p->key.first, 8);
    memcpy(macs + 8, &rest, 4);
    add(m, m->receivers, flow_mac_number(macs), link, p->bytes, frame);
    add(m, m->senders, flow_mac_number(macs + 6), link, p->bytes, frame);
    p->bytes = 0;
}

static void settle_window(struct load_meter *m, uint64_t frame)
{
    for (size_t i = 0; i < m->dirty_count; i++)
        settle_pair(m, &m->pairs[m->dirty[i]], frame);
    m->dirty_count = 0;
}

static __attribute__((noinline)) void next_window(struct load_meter *m, int64_t time_ns,
                                                  uint64_t frame)
{
    settle_window(m, frame);
    m->window = time_ns / WINDOW_NS;
    m->from_ns = m->window * WINDOW_NS;
}

static void enter_window(struct load_meter *m, const struct load_pair *p)
{
    m->dirty[m->dirty_count++] = (uint8_t)(p - m->pairs);
}

/* The pair of a key, in the running window. One that takes the place of another tells of what that
 * did. */
static __attribute__((noinline)) struct load_pair *
pair_of(struct load_meter *m, const struct load_key *key, uint64_t frame)
{
    uint64_t place = ((key->first ^ key->second << 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
    struct load_pair *p = &m->pairs[place];
    bool same = p->key.first == key->first && p->key.second == key->second;

    if (p->bytes == 0)
        enter_window(m, p);
    else if (!same)
        settle_pair(m, p, frame);
    if (!same) {
        p->key = *key;
        p->name = ++m->named * LOAD_PAIRS + place;
    }
    return p;
}

/* ------------------------------------------------------------------ packets */

static inline void reach_window(struct load_meter *m, int64_t time_ns, uint64_t frame)
{
    if ((uint64_t)time_ns - (uint64_t)m->from_ns >= WINDOW_NS)
        next_window(m, time_ns, frame);
}

/* The pair of a route whose pair is another one now, or not in the running window */
static __attribute__((noinline)) struct load_pair *
pair_of_route(struct load_meter *m, const struct rdc_contexts *contexts,
              const struct rdc_brief *brief)
{
    struct load_route *route = &m->routes[brief->route];
    struct rdc_packet like;
    struct load_pair *p;

    if (route->name == 0) {
        rdc_brief_whole(contexts, brief, &like);
        route->key = key_of(&like);
    }
    p = pair_of(m, &route->key, brief->frame);
    route->name = p->name;
    return p;
}

static inline void count_brief(struct load_meter *m, const struct rdc_contexts *contexts,
                               const struct rdc_brief *brief)
{
    uint64_t name = m->routes[brief->route].name;
    struct load_pair *p = &m->pairs[name % LOAD_PAIRS];

    reach_window(m, brief->time_ns, brief->frame);
    if (p->name != name || p->bytes == 0)
        p = pair_of_route(m, contexts, brief);
    p->bytes += (uint64_t)brief->wire_size + FRAMING;
}

static void count_whole(struct load_meter *m, const struct rdc_packet *pkt)
{
    if (pkt->has_mac) {
        const struct load_key key = key_of(pkt);

        reach_window(m, pkt->time_ns, pkt->frame);
        pair_of(m, &key, pkt->frame)->bytes += (uint64_t)pkt->wire_size + FRAMING;
    }
    if (pkt->kind == RDC_KIND_PAUSE)
        settle_window(m, pkt->frame);
}

void load_meter_batch(struct load_meter *m, const struct flow_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        size_t end = flow_batch_run(batch, i);

        for (; i < end; i++)
            count_brief(m, batch->contexts, &batch->briefs[i]);
        if (i < batch->count)
            count_whole(m, &batch->packets[i]);
    }
}

void load_meter_settle(struct load_meter *m)
{
    settle_window(m, UINT64_MAX);
}

/* Frames come in order: what is written meanwhile is of later ones. What was counted before one
 * that pauses was settled by it. */
unsigned load_meter_rate(const struct load_meter *m, uint32_t link, uint64_t frame)
{
    const struct load_link *l = &m->links[link_index(link)];
    unsigned i = 0;

    while (i + 1 < LINK_RATES) {
        uint64_t since = __atomic_load_n(&l->since[i + 1], __ATOMIC_RELAXED);

        if (since == 0 || since > frame)
            break;
        i++;
    }
    return i;
}

bool link_rate_known(const struct capture *capture, uint32_t interface, struct link_rate *out)
{
    if (capture->link_rate_bps != 0) {
        *out = (struct link_rate){capture->link_rate_bps, LINK_RATE_GIVEN};
        return true;
    }
    if (interface < capture->interface_count && capture->interfaces[interface].speed_bps != 0) {
        *out = (struct link_rate){capture->interfaces[interface].speed_bps, LINK_RATE_INTERFACE};
        return true;
    }
    return false;
}
