/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How the network carries a stream: MAC addresses, TTL, priority by kind of packet, sizes against
 * the path MTU; and what of it changed within the stream. Looks at the interface that saw the
 * stream first: another one may stand behind a router.
 */
#ifndef FLOW_PATH_H
#define FLOW_PATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "flow/arena.h"
#include "rdc/packet.h"

enum flow_packet_class {
    FLOW_CLASS_DATA, /* requests and READ responses */
    FLOW_CLASS_ACK,  /* acknowledgements, those of atomics too */
    FLOW_CLASS_CNP,
    FLOW_CLASS_COUNT,
};

enum {
    FLOW_UNTAGGED = 8, /* stands for a PCP where there is no VLAN tag */
};

/* What changed; kept only for streams in which something did. Frames are 0 where nothing did. */
struct flow_path_changes {
    uint64_t src_mac_frame; /* first packet from another MAC address */
    uint8_t src_mac[6];     /* that address */
    uint8_t ttl_min, ttl_max;
    uint64_t ttl_changes;
    uint64_t ttl_frame;
    uint64_t priority_changes; /* of packets of one class */
    uint64_t priority_frame;
    uint64_t larger; /* payload above the path MTU */
    uint64_t larger_frame;
    uint64_t smaller; /* FIRST or MIDDLE packets that do not fill the path MTU */
    uint64_t smaller_frame;
};

struct flow_path {
    uint64_t latest[FLOW_CLASS_COUNT]; /* all of that in one word: most packets change nothing */
    uint16_t full_size; /* payload of the first FIRST or MIDDLE packet; 0: none was seen */
    uint16_t largest;   /* payload */
    uint32_t interface;
    uint64_t dscp_seen[FLOW_CLASS_COUNT]; /* bit sets of DSCP values; RoCEv2 only */
    uint16_t pcp_seen[FLOW_CLASS_COUNT];  /* bit sets of PCP values and FLOW_UNTAGGED */
    uint8_t dscp[FLOW_CLASS_COUNT];       /* latest */
    uint8_t pcp[FLOW_CLASS_COUNT];        /* latest; FLOW_UNTAGGED */
    uint8_t src_mac[6], dst_mac[6];       /* of the first packet, set when has_mac */
    bool has_mac;
    bool seen;
    uint8_t ttl; /* latest TTL or hop limit, of other packets than CNPs; 0: none yet */
    uint8_t ttl_first;
    struct flow_path_changes *changes; /* of the arena; NULL: nothing changed */
};

static inline enum flow_packet_class flow_opcode_class(uint8_t opcode)
{
    static const uint8_t classes[RDC_OP_COUNT] = {
        [RDC_OP_CNP] = FLOW_CLASS_CNP,
        [RDC_OP_ACKNOWLEDGE] = FLOW_CLASS_ACK,
        [RDC_OP_ATOMIC_ACKNOWLEDGE] = FLOW_CLASS_ACK,
    }; /* all others: FLOW_CLASS_DATA */

    return (enum flow_packet_class)classes[rdc_opcode_table[opcode].operation];
}

static inline enum flow_packet_class flow_packet_class(const struct rdc_packet *pkt)
{
    return flow_opcode_class(pkt->ib.bth.opcode);
}

/* A packet that differs from the latest one of its class. Where the arena gives nothing, changes
 * are not counted. */
void flow_path_changed(struct flow_path *p, const struct rdc_packet *pkt,
                       enum flow_packet_class class, struct flow_arena *arena);
/* `pmtu` in bytes, 0: not known. */
void flow_path_odd_size(struct flow_path *p, const struct rdc_packet *pkt, uint32_t pmtu,
                        struct flow_arena *arena);

/* A MAC address as a number; in no order */
static inline uint64_t flow_mac_number(const uint8_t mac[6])
{
    uint32_t first;
    uint16_t last;

    memcpy(&first, mac, 4);
    memcpy(&last, mac + 4, 2);
    return (uint64_t)first << 16 | last;
}

/* All that is looked at, in one word. Only with another MAC address may two differences cancel out,
 * by a rare chance. */
static inline uint64_t flow_path_word(const struct rdc_packet *pkt)
{
    uint64_t word = (uint64_t)pkt->interface << 1 | 1;

    if (pkt->has_mac)
        word ^= flow_mac_number(pkt->src_mac) * UINT64_C(0x9e3779b97f4a7c15);
    if (pkt->vlan_count > 0)
        word ^= (uint64_t)(pkt->vlans[pkt->vlan_count - 1].pcp + 1) << 60;
    if (pkt->transport == RDC_TRANSPORT_ROCEV2)
        word ^= (uint64_t)pkt->ip.dscp << 52 ^ (uint64_t)pkt->ip.ttl << 44;
    if ((pkt->layers >> RDC_LAYER_GRH & 1) != 0)
        word ^= (uint64_t)pkt->grh.hop_limit << 36;
    return word;
}

/* A packet of kind BTH that its receiver accepts. Returns whether it differs from the latest one of
 * its class. */
static inline bool flow_path_packet(struct flow_path *p, const struct rdc_packet *pkt,
                                    enum flow_packet_class class, struct flow_arena *arena)
{
    uint64_t word = flow_path_word(pkt);

    if (p->latest[class] == word)
        return false;
    p->latest[class] = word;
    flow_path_changed(p, pkt, class, arena);
    return true;
}

/* Most packets fill the path MTU, or say no more than others did. */
static inline void flow_path_size(struct flow_path *p, const struct rdc_packet *pkt, uint32_t pmtu,
                                  struct flow_arena *arena)
{
    uint32_t size = pkt->ib.payload_size;

    if (size != p->full_size || size != pmtu)
        flow_path_odd_size(p, pkt, pmtu, arena);
}

#endif
