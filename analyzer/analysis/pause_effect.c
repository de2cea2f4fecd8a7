/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Victims and violations of pauses (see pause_effect.h).
 */
#include "analysis/pause_effect.h"

#include <string.h>

enum {
    MAX_FRAME = 9216 + 20, /* bytes: the largest usual frame with its preamble and gap */
    USUAL = 3,             /* times the mean gap: shorter silences mean nothing */
};

static bool same(const uint8_t a[6], const uint8_t b[6])
{
    return memcmp(a, b, 6) == 0;
}

/* ------------------------------------------------------------------ hosts of a link */

void pause_hosts_packet(struct pause_hosts *h, const struct rdc_packet *pkt)
{
    unsigned kept = 0;

    if (!h->any) {
        h->any = true;
        h->count = same(pkt->src_mac, pkt->dst_mac) ? 1 : 2;
        memcpy(h->mac[0], pkt->src_mac, 6);
        memcpy(h->mac[1], pkt->dst_mac, 6);
        return;
    }
    for (unsigned i = 0; i < h->count; i++)
        if (same(h->mac[i], pkt->src_mac) || same(h->mac[i], pkt->dst_mac))
            memmove(h->mac[kept++], h->mac[i], 6);
    h->count = kept;
}

/* ------------------------------------------------------------------ packets in spite of a pause */

unsigned pause_priority_of(const struct rdc_packet *pkt)
{
    if (pkt->vlan_count > 0)
        return pkt->vlans[pkt->vlan_count - 1].pcp & 7;
    return pkt->transport == RDC_TRANSPORT_ROCEV2 ? pkt->ip.dscp >> 3 & 7 : 0;
}

/* Pause quanta within which a sender must react, by rate (IEEE 802.3, 31B.3.7, which 802.1Q's PFC
 * takes over; of 10 Gbit/s the larger number, 10GBASE-T's). These are the numbers that switches
 * reserve headroom by; beyond 400 Gbit/s we assume its reaction time in ns. */
static int64_t reaction_ns(uint64_t rate_bps)
{
    static const struct {
        uint64_t rate_bps;
        uint16_t quanta;
    } limits[] = {
        {UINT64_C(100000000), 1},      {UINT64_C(1000000000), 2},     {UINT64_C(10000000000), 74},
        {UINT64_C(25000000000), 80},   {UINT64_C(40000000000), 118},  {UINT64_C(50000000000), 147},
        {UINT64_C(100000000000), 394}, {UINT64_C(200000000000), 453}, {UINT64_C(400000000000), 905},
    };
    size_t i = 0;

    while (i + 1 < sizeof(limits) / sizeof(*limits) && rate_bps > limits[i].rate_bps)
        i++;
    if (rate_bps > limits[i].rate_bps)
        rate_bps = limits[i].rate_bps;
    return pause_quanta_ns(limits[i].quanta, rate_bps);
}

static int64_t grace_ns(uint64_t rate_bps)
{
    return reaction_ns(rate_bps) + (int64_t)(MAX_FRAME * UINT64_C(8000000000) / rate_bps);
}

static void count_sender(struct pause_effect *e, const struct rdc_packet *pkt)
{
    for (unsigned i = 0; i < PAUSE_SENDERS; i++) {
        struct pause_sender *s = &e->senders[i];

        if (s->packets > 0 && !same(s->mac, pkt->src_mac))
            continue;
        if (s->packets++ == 0) {
            memcpy(s->mac, pkt->src_mac, 6);
            s->frame = pkt->frame;
        }
        return;
    }
}

void pause_effect_packet(struct pause_effect *e, const struct pause_clock *c, const uint8_t mac[6],
                         const struct rdc_packet *pkt)
{
    if (same(pkt->src_mac, mac))
        return;
    if (pkt->vlan_count > 0)
        e->by_pcp++;
    else
        e->by_dscp++;
    if (c->rate_bps == 0 || !pause_clock_paused(c, pkt->time_ns) ||
        pkt->time_ns - c->since <= grace_ns(c->rate_bps))
        return;
    if (!same(pkt->dst_mac, mac))
        count_sender(e, pkt);
    else if (e->sent_to_port++ == 0)
        e->sent_to_port_frame = pkt->frame;
}

void pause_effect_clocks(struct pause_effect *e, struct pause_clock *clocks, unsigned count,
                         const uint8_t mac[6], const struct rdc_packet *pkt, int64_t silence_ns)
{
    int64_t gap = e->sent_to_port_ns != 0 ? pkt->time_ns - e->sent_to_port_ns : silence_ns;

    if (!same(pkt->dst_mac, mac))
        return;
    e->sent_to_port_ns = pkt->time_ns;
    for (unsigned i = 0; i < count; i++)
        pause_clock_packet(&clocks[i], pkt->time_ns, gap, grace_ns(clocks[i].rate_bps));
}

/* ------------------------------------------------------------------ victims */

int64_t pause_overlap_ns(const struct pause_clock *c, int64_t from, int64_t to)
{
    int64_t since = c->since, until = c->until;

    if (since > from)
        from = since;
    if (until < to)
        to = until;
    return c->pauses > 0 && to > from ? to - from : 0;
}

static struct pause_victim *find_victim(struct pause_effect *e, uint32_t stream)
{
    for (uint32_t i = 0; i < e->victim_count; i++)
        if (e->victims[i].stream == stream)
            return &e->victims[i];
    return NULL;
}

static void add_victim(struct pause_effect *e, const struct pause_victim *victim)
{
    struct pause_victim *v = find_victim(e, victim->stream);

    if (v == NULL && e->victim_count < PAUSE_VICTIMS) {
        v = &e->victims[e->victim_count++];
        *v = *victim;
    }
    if (v == NULL)
        return;
    v->paused++;
    v->paused_ns += victim->to_ns - victim->from_ns;
    if (victim->to_ns - victim->from_ns <= v->to_ns - v->from_ns)
        return;
    v->from_ns = victim->from_ns;
    v->to_ns = victim->to_ns;
    v->ordinary = 0;
}

/* A silence that no pause explains */
static void count_ordinary(struct pause_effect *e, uint32_t stream, int64_t ns)
{
    struct pause_victim *v = find_victim(e, stream);

    if (v != NULL && ns >= v->to_ns - v->from_ns)
        v->ordinary++;
}

void pause_effect_silence(struct pause_effect *e, const struct pause_clock *c, const uint8_t mac[6],
                          const uint8_t src[6], const uint8_t dst[6], uint32_t stream, int64_t from,
                          int64_t to)
{
    struct pause_victim v = {
        .stream = stream, .to_port = same(dst, mac), .from_ns = from, .to_ns = to};

    if (to - from < PAUSE_STALL_NS || same(src, mac))
        return;
    if (pause_overlap_ns(c, from, to) * 2 < to - from) {
        count_ordinary(e, stream, to - from);
        return;
    }
    memcpy(v.src_mac, src, 6);
    add_victim(e, &v);
}

bool pause_effect_hits(const struct pause_victim *v, const struct pause_hosts *hosts, bool is_host,
                       int64_t usual_ns)
{
    if (v->ordinary > v->paused || (v->to_ns - v->from_ns) / USUAL < usual_ns)
        return false;
    if (is_host)
        return v->to_port;
    return hosts->count != 1 || same(hosts->mac[0], v->src_mac);
}

/* ------------------------------------------------------------------ judgement */

static const struct pause_sender *sender(const struct pause_effect *e, const uint8_t mac[6])
{
    for (unsigned i = 0; i < PAUSE_SENDERS; i++)
        if (e->senders[i].packets > 0 && same(e->senders[i].mac, mac))
            return &e->senders[i];
    return NULL;
}

/* Either of two hosts may be the one behind the tap: where both sent in spite of the pause, one of
 * them was wrong. */
static struct pause_judgement judge_two(const struct pause_effect *e,
                                        const struct pause_hosts *hosts)
{
    const struct pause_sender *a = sender(e, hosts->mac[0]), *b = sender(e, hosts->mac[1]);

    if (a == NULL && b == NULL)
        return (struct pause_judgement){0};
    if (a == NULL || b == NULL)
        return (struct pause_judgement){
            .unknown = "it is not known which of the two hosts the port paused"};
    return a->packets < b->packets ? (struct pause_judgement){a->packets, a->frame, NULL}
                                   : (struct pause_judgement){b->packets, b->frame, NULL};
}

struct pause_judgement pause_effect_judge(const struct pause_effect *e,
                                          const struct pause_hosts *hosts, bool is_host)
{
    const struct pause_sender *s;

    if (e->by_pcp + e->by_dscp == 0)
        return (struct pause_judgement){.unknown =
                                            "no packet that it could hold back is on the capture"};
    if (is_host)
        return (struct pause_judgement){e->sent_to_port, e->sent_to_port_frame, NULL};
    if (hosts->count == 2)
        return judge_two(e, hosts);
    if (hosts->count == 0)
        return (struct pause_judgement){
            .unknown = "no host takes part in all packets: which way the pause acted is not known"};
    s = sender(e, hosts->mac[0]);
    return s != NULL ? (struct pause_judgement){s->packets, s->frame, NULL}
                     : (struct pause_judgement){0};
}
