/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting a capture's packets, whatever is in them (see capture.h).
 */
#include "analysis/capture.h"

#include <glib.h>
#include <string.h>

#include "flow/flow.h"

static void count_linktype(struct capture *c, uint32_t linktype)
{
    for (size_t i = 0; i < c->linktype_count; i++)
        if (c->linktypes[i] == linktype)
            return;
    if (c->linktype_count < CAPTURE_MAX_LINKTYPES)
        c->linktypes[c->linktype_count++] = linktype;
}

/* Names are static strings: the same name is the same pointer, nearly always */
static void count_protocol(struct capture *c, const char *name, uint32_t bytes)
{
    size_t i = 0;

    while (i < c->protocol_count && g_strcmp0(c->protocols[i].name, name) != 0)
        i++;
    if (i == CAPTURE_MAX_PROTOCOLS)
        return;
    if (i == c->protocol_count)
        c->protocols[c->protocol_count++].name = name;
    c->protocols[i].packets++;
    c->protocols[i].bytes += bytes;
}

void capture_count(struct capture *c, const struct rdc_packet *pkt, const char *protocol)
{
    if (c->packets == 0)
        c->first_time_ns = c->last_time_ns = c->previous_ns = pkt->time_ns;
    c->packets++;
    c->bytes += pkt->wire_size;
    c->truncated += pkt->truncated;
    c->time_runs_back += pkt->time_ns < c->previous_ns;
    c->previous_ns = pkt->time_ns;
    c->last_time_ns = MAX(c->last_time_ns, pkt->time_ns);
    if (c->linktype_count == 0 || c->linktypes[0] != pkt->linktype)
        count_linktype(c, pkt->linktype);
    if (protocol == NULL)
        c->rdma_packets++;
    else
        count_protocol(c, protocol, pkt->wire_size);
}

void capture_saw_iwarp(struct capture *c, const struct flow_engine *engine)
{
    struct flow_iwarp_traffic iwarp = flow_iwarp_traffic(engine);

    c->rdma_packets += iwarp.packets;
    for (size_t i = 0; i < c->protocol_count; i++) {
        struct capture_protocol *p = &c->protocols[i];

        if (strcmp(p->name, "TCP") != 0)
            continue;
        p->packets -= MIN(iwarp.packets, p->packets);
        p->bytes -= MIN(iwarp.wire_bytes, p->bytes);
        if (p->packets == 0)
            *p = c->protocols[--c->protocol_count];
        return;
    }
}
