/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the parts of the plugin share: the protocol, the preferences, and the verdicts of the file
 * that is open.
 */
#ifndef PLUGIN_STATE_H
#define PLUGIN_STATE_H

#include <epan/range.h>

#include "plugin/compat.h"
#include "plugin/verdicts.h"

struct preferences {
    range_t *rocev2_ports;     /* beside 4791 */
    ws_uint link_rate_gbps;    /* 0: not known */
    ws_uint reorder_window_us; /* 0: not known */
    ws_bool info_column;
    struct rdc_config decode; /* what the ports mean to the core */
};

extern int rdmapcap_protocol;
extern int rdmapcap_tap;
extern struct preferences preferences;

/* A packet as it is decoded, with what is known about it; what listeners of the tap get. Valid
 * while the packet is dissected. */
struct shown_packet {
    const struct rdc_packet *pkt;
    const struct frame_verdict *verdict; /* NULL: none */
    struct verdicts *verdicts;
    uint32_t stream; /* FLOW_NO_STREAM: it has to do with none */
    bool has_connection;
    bool revisited; /* the frame was shown before: what is said is settled */
    struct verdict_connection connection;
};

/* The connection that a frame of the open file belongs to */
bool frame_connection(uint32_t frame, uint32_t *id);

void preferences_register(int protocol);
/* 0: the engine's own judgement */
int64_t preferences_reorder_window_ns(void);
void experts_register(int protocol);
/* Adds an event of the packet to the tree, and to the expert information. `item` may be NULL. */
void expert_event(packet_info *pinfo, proto_item *item, const struct shown_packet *p,
                  const struct flow_event *event);
void expert_notes(packet_info *pinfo, proto_item *item, const struct rdc_packet *pkt);
/* All fields of the packet */
void tree_show(proto_tree *tree, tvbuff_t *tvb, packet_info *pinfo, const struct shown_packet *p);
/* Once, when all protocols are there */
void columns_handoff(void);
/* The protocol and info columns */
void columns_show(packet_info *pinfo, const struct shown_packet *p);

#endif
