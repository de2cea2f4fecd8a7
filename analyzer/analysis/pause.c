/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who paused whom? PFC frames by source and priority, 802.3x PAUSE by source: how many stopped
 * (XOFF) and how many let go (XON).
 */
#include <glib.h>

#include "analysis/analyses.h"

enum {
    PRIORITIES = 8,
    PAUSE = PRIORITIES, /* slot of 802.3x, which knows no priority */
    MAX_SOURCES = 4096,
};

struct source {
    uint8_t mac[6];
    struct {
        uint64_t xoff;
        uint64_t xon;
        struct tally frames;
    } slots[PRIORITIES + 1];
};

struct pause {
    struct source *sources;
    size_t count;
    size_t recent;
    uint64_t not_counted; /* frames of more sources than are told apart */
};

static struct source *find(struct pause *p, const uint8_t mac[6])
{
    if (p->recent < p->count && memcmp(p->sources[p->recent].mac, mac, 6) == 0)
        return &p->sources[p->recent];
    for (p->recent = 0; p->recent < p->count; p->recent++)
        if (memcmp(p->sources[p->recent].mac, mac, 6) == 0)
            return &p->sources[p->recent];
    if (p->count == MAX_SOURCES)
        return NULL;
    if ((p->count & (p->count - 1)) == 0) /* grows at powers of two */
        p->sources = g_renew(struct source, p->sources, MAX(p->count * 2, 1));
    p->sources[p->count] = (struct source){0};
    memcpy(p->sources[p->count].mac, mac, 6);
    return &p->sources[p->count++];
}

static void packet(void *state, const struct rdc_packet *pkt)
{
    static const uint8_t no_mac[6] = {0};
    struct pause *p = state;
    struct source *s;
    unsigned slots;

    if (pkt->kind != RDC_KIND_PAUSE)
        return;
    s = find(p, pkt->has_mac ? pkt->src_mac : no_mac);
    if (s == NULL) {
        p->not_counted++;
        return;
    }
    slots = pkt->pause.pfc ? pkt->pause.enabled : 1u << PAUSE;
    for (unsigned i = 0; i <= PAUSE; i++) {
        if ((slots >> i & 1) == 0)
            continue;
        if (pkt->pause.quanta[i == PAUSE ? 0 : i] != 0)
            s->slots[i].xoff++;
        else
            s->slots[i].xon++;
        tally_add(&s->slots[i].frames, pkt->frame);
    }
}

static void put_source(struct report_node *table, const struct source *s)
{
    for (unsigned i = 0; i <= PAUSE; i++)
        if (s->slots[i].frames.count > 0)
            report_row(table,
                       (struct report_value[]){
                           report_mac(s->mac), i == PAUSE ? report_none() : report_number(i),
                           report_mood(report_count(s->slots[i].xoff), REPORT_WARNING),
                           report_count(s->slots[i].xon), tally_frames(&s->slots[i].frames)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"source", "Source", false},           {"priority", "Priority", false},
        {"xoff_frames", "XOFF frames", false}, {"xon_frames", "XON frames", false},
        {"frames", "First frames", false},
    };
    const struct pause *p = state;
    struct report_node *table =
        report_table(root, "pfc", "PFC and PAUSE", REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    (void)in;
    for (size_t i = 0; i < p->count; i++)
        put_source(table, &p->sources[i]);
    if (p->not_counted > 0)
        report_item(root, "pfc_frames_not_counted", "Pauses of more sources",
                    report_count(p->not_counted));
}

static void done(void *state)
{
    g_free(((struct pause *)state)->sources);
}

const struct analysis an_pause = {
    .name = "pause",
    .summary = "PFC and PAUSE frames by source and priority",
    .state_size = sizeof(struct pause),
    .packet = packet,
    .report = report,
    .done = done,
};
