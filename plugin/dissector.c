/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The post-dissector: takes every frame after Wireshark's own dissectors are done with it, runs the
 * core on its bytes, and the engine on it when it comes for the first time.
 */
#include "plugin/fields.h"
#include "plugin/frame.h"
#include "plugin/plugin.h"
#include "plugin/state.h"

#include <epan/tap.h>

int rdmapcap_protocol = -1;
int rdmapcap_tap = -1;

static struct verdicts *verdicts; /* of the file that is open */

/* ------------------------------------------------------------------ the dissector */

/* Whether there is anything to say about the packet */
static bool is_ours(const struct shown_packet *p, const struct rdc_packet *pkt)
{
    return pkt->transport != RDC_TRANSPORT_NONE || pkt->refusal != RDC_REFUSAL_NONE ||
           (p->verdict != NULL && (p->verdict->stream != 0 || p->verdict->first_event != 0));
}

/* Management datagrams are in no stream, but their events are about one. */
static uint32_t stream_of(const struct frame_verdict *f, uint32_t frame)
{
    const struct flow_event *event;
    uint64_t cursor = 0;

    if (f->stream != 0)
        return f->stream - 1;
    event = verdicts_event(verdicts, frame, &cursor);
    return event != NULL ? event->stream : FLOW_NO_STREAM;
}

static void describe(struct shown_packet *p, const struct rdc_packet *pkt, bool revisited)
{
    *p = (struct shown_packet){.pkt = pkt,
                               .verdict = verdicts_frame(verdicts, (uint32_t)pkt->frame),
                               .verdicts = verdicts,
                               .revisited = revisited};
    p->stream = p->verdict != NULL ? stream_of(p->verdict, (uint32_t)pkt->frame) : FLOW_NO_STREAM;
    if (p->stream != FLOW_NO_STREAM)
        p->has_connection = verdicts_connection(verdicts, p->stream, &p->connection);
}

bool frame_connection(uint32_t frame, uint32_t *id)
{
    const struct frame_verdict *f = verdicts != NULL ? verdicts_frame(verdicts, frame) : NULL;
    struct verdict_connection connection;
    uint32_t stream;

    if (f == NULL)
        return false;
    stream = stream_of(f, frame);
    if (stream == FLOW_NO_STREAM)
        return false;
    verdicts_settle(verdicts);
    if (!verdicts_connection(verdicts, stream, &connection))
        return false;
    *id = connection.id;
    return true;
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct rdc_packet *pkt = wmem_new(pinfo->pool, struct rdc_packet);
    bool revisited = PINFO_FD_VISITED(pinfo);
    struct shown_packet *p;

    (void)data;
    if (verdicts == NULL || !frame_decode(tvb, pinfo, pkt))
        return 0;
    if (revisited)
        verdicts_settle(verdicts);
    else
        verdicts_packet(verdicts, pkt);
    p = wmem_new(pinfo->pool, struct shown_packet);
    describe(p, pkt, revisited);
    if (have_tap_listener(rdmapcap_tap))
        tap_queue_packet(rdmapcap_tap, pinfo, p);
    if (!is_ours(p, pkt))
        return 0;
    tree_show(tree, tvb, pinfo, p);
    if (preferences.info_column)
        columns_show(pinfo, p);
    return (int)tvb_captured_length(tvb);
}

/* ------------------------------------------------------------------ life */

static void open_file(void)
{
    struct flow_config config = {.reorder_window_ns = preferences_reorder_window_ns()};

    frame_interfaces_reset();
    verdicts = verdicts_new(&config);
}

static void close_file(void)
{
    verdicts_free(verdicts);
    verdicts = NULL;
}

void dissector_register(void)
{
    rdmapcap_protocol = proto_register_protocol("RDMA analysis", "rdmapcap", "rdmapcap");
    fields_register(rdmapcap_protocol);
    experts_register(rdmapcap_protocol);
    preferences_register(rdmapcap_protocol);
    rdmapcap_tap = register_tap("rdmapcap");
    register_init_routine(open_file);
    register_cleanup_routine(close_file);
    conversation_filters_register();
    register_postdissector(register_dissector("rdmapcap", dissect, rdmapcap_protocol));
}

void dissector_handoff(void)
{
    columns_handoff();
}
