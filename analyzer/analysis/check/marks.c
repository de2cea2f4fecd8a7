/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames with a DSCP or PCP that was not expected; see marks.h.
 */
#include "analysis/check/marks.h"

#include <glib.h>
#include <string.h>

enum {
    KEPT = 3,           /* frames an endpoint */
    MAX_ENDPOINTS = 64, /* more are violations without frames */
};

struct offender {
    bool pcp;
    uint8_t address[16];
    uint32_t qpn;
    uint8_t count;
    uint64_t frames[KEPT];
};

struct check_marks {
    uint64_t dscp;
    uint8_t pcp;
    size_t count;
    struct offender offenders[MAX_ENDPOINTS];
    bool expected[RDC_ROUTES]; /* those of packets in brief of a route are expected */
};

struct check_marks *check_marks_new(uint64_t dscp, uint8_t pcp)
{
    struct check_marks *m = g_new0(struct check_marks, 1);

    m->dscp = dscp;
    m->pcp = pcp;
    return m;
}

void check_marks_free(struct check_marks *m)
{
    g_free(m);
}

static struct offender *find(struct check_marks *m, bool pcp, const uint8_t address[16],
                             uint32_t qpn)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->offenders[i].pcp == pcp && m->offenders[i].qpn == qpn &&
            memcmp(m->offenders[i].address, address, 16) == 0)
            return &m->offenders[i];
    return NULL;
}

static void keep(struct check_marks *m, bool pcp, const struct rdc_packet *pkt)
{
    uint32_t qpn = pkt->ib.bth.dest_qpn;
    struct offender *o = find(m, pcp, pkt->dst, qpn);

    if (o == NULL && m->count < MAX_ENDPOINTS) {
        o = &m->offenders[m->count++];
        *o = (struct offender){.pcp = pcp, .qpn = qpn};
        memcpy(o->address, pkt->dst, sizeof(o->address));
    }
    if (o != NULL && o->count < KEPT)
        o->frames[o->count++] = pkt->frame;
}

/* Returns whether it has marks that are expected. */
static bool look_at(struct check_marks *m, const struct rdc_packet *pkt)
{
    bool expected = true;

    if (pkt->kind != RDC_KIND_BTH || pkt->address_kind == RDC_ADDRESS_NONE)
        return true;
    if (m->dscp != 0 && pkt->transport == RDC_TRANSPORT_ROCEV2 &&
        (m->dscp >> (pkt->ip.dscp & 63) & 1) == 0) {
        keep(m, false, pkt);
        expected = false;
    }
    if (m->pcp != 0 && pkt->vlan_count > 0 &&
        (m->pcp >> (pkt->vlans[pkt->vlan_count - 1].pcp & 7) & 1) == 0) {
        keep(m, true, pkt);
        expected = false;
    }
    return expected;
}

/* All packets in brief of a route have the same marks. */
static void look_at_brief(struct check_marks *m, const struct rdc_contexts *contexts,
                          const struct rdc_brief *brief)
{
    struct rdc_packet pkt;

    if (m->expected[brief->route])
        return;
    rdc_brief_whole(contexts, brief, &pkt);
    m->expected[brief->route] = look_at(m, &pkt);
}

void check_marks_batch(struct check_marks *m, const struct flow_batch *batch)
{
    if (m->dscp == 0 && m->pcp == 0)
        return;
    for (size_t i = 0; i < batch->count; i++) {
        if (flow_batch_is_brief(batch, i))
            look_at_brief(m, batch->contexts, &batch->briefs[i]);
        else
            look_at(m, &batch->packets[i]);
    }
}

size_t check_marks_frames(const struct check_marks *m, bool pcp, const struct flow_endpoint *to,
                          uint64_t *frames, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; to->qpn_known && i < m->count; i++) {
        const struct offender *o = &m->offenders[i];

        if (o->pcp != pcp || o->qpn != to->qpn || memcmp(o->address, to->address, 16) != 0)
            continue;
        while (n < o->count && n < room) {
            frames[n] = o->frames[n];
            n++;
        }
    }
    return n;
}
