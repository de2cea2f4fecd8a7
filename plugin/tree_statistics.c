/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `-z rdmapcap,tree` and its window: counts and rates of verdicts, operations, triggers.
 */
#include "plugin/plugin.h"
#include "plugin/sentence.h"
#include "plugin/state.h"

#include <epan/stats_tree.h>
#include <epan/tap.h>

static const char verdicts_node[] = "Verdicts";
static const char operations_node[] = "Operations";
static const char triggers_node[] = "Triggers of retransmissions";
static const char connections_node[] = "Connections";

static int verdicts_id, operations_id, triggers_id, connections_id;

static void on_init(stats_tree *st)
{
    verdicts_id = stats_tree_create_pivot(st, verdicts_node, 0);
    triggers_id = stats_tree_create_pivot(st, triggers_node, 0);
    operations_id = stats_tree_create_pivot(st, operations_node, 0);
    connections_id = stats_tree_create_pivot(st, connections_node, 0);
}

static void tick_events(stats_tree *st, const struct shown_packet *p)
{
    const struct flow_event *e;
    uint64_t cursor = 0;

    while ((e = verdicts_event(p->verdicts, (uint32_t)p->pkt->frame, &cursor)) != NULL) {
        stats_tree_tick_pivot(st, verdicts_id, flow_event_name(e->kind));
        if (e->kind == FLOW_RETRANSMISSION)
            stats_tree_tick_pivot(st, triggers_id, flow_trigger_name(resend_facts(p, e).trigger));
    }
}

static tap_packet_status on_packet(stats_tree *st, packet_info *pinfo, epan_dissect_t *edt,
                                   const void *packet, tap_flags_t flags)
{
    const struct shown_packet *p = packet;
    char name[32];

    (void)pinfo;
    (void)edt;
    (void)flags;
    if (p->pkt->transport == RDC_TRANSPORT_NONE)
        return TAP_PACKET_DONT_REDRAW;
    tick_events(st, p);
    if (p->pkt->kind == RDC_KIND_BTH)
        stats_tree_tick_pivot(st, operations_id, rdc_opcode_table[p->pkt->ib.bth.opcode].name);
    if (p->has_connection) {
        g_snprintf(name, sizeof(name), "%u", p->connection.id);
        stats_tree_tick_pivot(st, connections_id, name);
    }
    return TAP_PACKET_REDRAW;
}

void tree_statistics_register(void)
{
    stats_tree_register_plugin("rdmapcap", "rdmapcap", "RDMA verdicts", 0, on_packet, on_init,
                               NULL);
}
