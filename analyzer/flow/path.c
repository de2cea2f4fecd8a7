/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The way of a stream through the network (see path.h).
 */
#include "flow/path.h"

#include <string.h>

static struct flow_path_changes *changes(struct flow_path *p, struct flow_arena *arena)
{
    if (p->changes == NULL)
        p->changes = flow_arena_new(arena, sizeof(*p->changes));
    return p->changes;
}

static void first(uint64_t *frame, const struct rdc_packet *pkt)
{
    if (*frame == 0)
        *frame = pkt->frame;
}

static void note_priority(struct flow_path *p, const struct rdc_packet *pkt,
                          enum flow_packet_class class, struct flow_arena *arena)
{
    uint8_t dscp = pkt->transport == RDC_TRANSPORT_ROCEV2 ? pkt->ip.dscp & 63 : 0;
    uint8_t pcp = pkt->vlan_count > 0 ? pkt->vlans[pkt->vlan_count - 1].pcp & 7 : FLOW_UNTAGGED;
    bool known = p->pcp_seen[class] != 0;

    if (known && dscp == p->dscp[class] && pcp == p->pcp[class])
        return;
    p->dscp[class] = dscp;
    p->pcp[class] = pcp;
    p->pcp_seen[class] |= (uint16_t)(1u << pcp);
    if (pkt->transport == RDC_TRANSPORT_ROCEV2)
        p->dscp_seen[class] |= (uint64_t)1 << dscp;
    if (!known || changes(p, arena) == NULL)
        return;
    p->changes->priority_changes++;
    first(&p->changes->priority_frame, pkt);
}

static void note_ttl(struct flow_path *p, const struct rdc_packet *pkt, struct flow_arena *arena)
{
    uint8_t ttl = (pkt->layers >> RDC_LAYER_GRH & 1) != 0  ? pkt->grh.hop_limit
                  : pkt->transport == RDC_TRANSPORT_ROCEV2 ? pkt->ip.ttl
                                                           : 0;

    if (ttl == p->ttl || ttl == 0)
        return;
    if (p->ttl == 0) {
        p->ttl = p->ttl_first = ttl;
        return;
    }
    p->ttl = ttl;
    if (changes(p, arena) == NULL)
        return;
    if (p->changes->ttl_changes++ == 0) {
        p->changes->ttl_min = p->changes->ttl_max = p->ttl_first;
        p->changes->ttl_frame = pkt->frame;
    }
    if (ttl < p->changes->ttl_min)
        p->changes->ttl_min = ttl;
    if (ttl > p->changes->ttl_max)
        p->changes->ttl_max = ttl;
}

static void note_mac(struct flow_path *p, const struct rdc_packet *pkt, struct flow_arena *arena)
{
    if (!pkt->has_mac)
        return;
    if (!p->has_mac) {
        p->has_mac = true;
        memcpy(p->src_mac, pkt->src_mac, 6);
        memcpy(p->dst_mac, pkt->dst_mac, 6);
        return;
    }
    if (memcmp(p->src_mac, pkt->src_mac, 6) == 0 || changes(p, arena) == NULL ||
        p->changes->src_mac_frame != 0)
        return;
    memcpy(p->changes->src_mac, pkt->src_mac, 6);
    p->changes->src_mac_frame = pkt->frame;
}

void flow_path_changed(struct flow_path *p, const struct rdc_packet *pkt,
                       enum flow_packet_class class, struct flow_arena *arena)
{
    if (!p->seen) {
        p->seen = true;
        p->interface = pkt->interface;
    } else if (p->interface != pkt->interface) {
        return;
    }
    note_priority(p, pkt, class, arena);
    note_mac(p, pkt, arena);
    if (class != FLOW_CLASS_CNP) /* often made by other parts of an adapter */
        note_ttl(p, pkt, arena);
}

void flow_path_odd_size(struct flow_path *p, const struct rdc_packet *pkt, uint32_t pmtu,
                        struct flow_arena *arena)
{
    uint8_t position = rdc_opcode_table[pkt->ib.bth.opcode].position;
    bool must_fill = position == RDC_POS_FIRST || position == RDC_POS_MIDDLE;
    uint32_t size = pkt->ib.payload_size;

    if (size > p->largest)
        p->largest = size < UINT16_MAX ? (uint16_t)size : UINT16_MAX;
    if (must_fill && p->full_size == 0)
        p->full_size = size < UINT16_MAX ? (uint16_t)size : UINT16_MAX;
    if (pmtu == 0 || (size <= pmtu && !(must_fill && size < pmtu)) || changes(p, arena) == NULL)
        return;
    if (size > pmtu) {
        p->changes->larger++;
        first(&p->changes->larger_frame, pkt);
    } else {
        p->changes->smaller++;
        first(&p->changes->smaller_frame, pkt);
    }
}
