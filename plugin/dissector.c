/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The post-dissector: takes every frame after Wireshark's own dissectors are done with it, runs the
 * core on its bytes, and the engine on it when it comes for the first time.
 */
#include "plugin/fields.h"
#include "plugin/plugin.h"
#include "plugin/state.h"

#include <epan/exceptions.h>
#include <epan/tap.h>
#include <wiretap/wtap.h>

int rdmapcap_protocol = -1;
int rdmapcap_tap = -1;

static struct verdicts *verdicts; /* of the file that is open */

/* ------------------------------------------------------------------ the frame's bytes */

/* ERF records come without their header: its type says what is there (Endace ERF types). */
static uint32_t erf_linktype(uint8_t type)
{
    switch (type & 0x7f) {
    case 2:  /* ETH */
    case 11: /* COLOR_ETH */
    case 16: /* DSM_COLOR_ETH */
    case 20: /* COLOR_HASH_ETH */
        return RDC_LINKTYPE_ETHERNET;
    case 21: /* INFINIBAND */
        return RDC_LINKTYPE_INFINIBAND;
    case 22: /* IPV4 */
        return RDC_LINKTYPE_IPV4;
    case 23: /* IPV6 */
        return RDC_LINKTYPE_IPV6;
    case 25: /* INFINIBAND_LINK */
        return RDC_LINKTYPE_IB_LINK_PACKET;
    default:
        return UINT32_MAX;
    }
}

static uint32_t linktype_of(int encap, const union wtap_pseudo_header *header)
{
    switch (encap) {
    case WTAP_ENCAP_ETHERNET:
        return RDC_LINKTYPE_ETHERNET;
    case WTAP_ENCAP_RAW_IP:
        return RDC_LINKTYPE_RAW;
    case WTAP_ENCAP_RAW_IP4:
        return RDC_LINKTYPE_IPV4;
    case WTAP_ENCAP_RAW_IP6:
        return RDC_LINKTYPE_IPV6;
    case WTAP_ENCAP_NULL:
        return RDC_LINKTYPE_NULL;
    case WTAP_ENCAP_LOOP:
        return RDC_LINKTYPE_LOOP;
    case WTAP_ENCAP_SLL:
        return RDC_LINKTYPE_LINUX_SLL;
    case WTAP_ENCAP_SLL2:
        return RDC_LINKTYPE_LINUX_SLL2;
    case WTAP_ENCAP_IP_OVER_IB_PCAP:
        return RDC_LINKTYPE_IPOIB;
    case WTAP_ENCAP_INFINIBAND:
        return RDC_LINKTYPE_INFINIBAND;
    case WTAP_ENCAP_ERF:
        return erf_linktype(header->erf.phdr.type);
    default:
        return UINT32_MAX;
    }
}

static bool decode(tvbuff_t *tvb, const packet_info *pinfo, struct rdc_packet *pkt)
{
    const wtap_rec *rec = pinfo->rec;
    unsigned captured = (unsigned)tvb_captured_length(tvb);
    struct rdc_input in = {.captured = captured,
                           .wire = (uint32_t)tvb_reported_length(tvb),
                           .time_ns =
                               (int64_t)pinfo->abs_ts.secs * 1000000000 + pinfo->abs_ts.nsecs,
                           .fcs_size = -1};
    int encap;

    if (rec->rec_type != REC_TYPE_PACKET)
        return false;
    encap = rec->rec_header.packet_header.pkt_encap;
    in.linktype = linktype_of(encap, pinfo->pseudo_header);
    if (in.linktype == UINT32_MAX)
        return false;
    in.bytes = captured > 0 ? tvb_get_ptr(tvb, 0, (int)captured) : NULL;
    if ((rec->presence_flags & WTAP_HAS_INTERFACE_ID) != 0)
        in.interface = rec->rec_header.packet_header.interface_id;
    if (encap == WTAP_ENCAP_ETHERNET && pinfo->pseudo_header->eth.fcs_len >= 0)
        in.fcs_size = (int8_t)pinfo->pseudo_header->eth.fcs_len;
    rdc_decode(&preferences.decode, &in, pkt);
    pkt->frame = pinfo->num;
    return true;
}

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
    if (verdicts == NULL || !decode(tvb, pinfo, pkt))
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
    verdicts = verdicts_new();
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
