/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Protocol and Info columns: verdicts in front of what Wireshark's dissector says, and its own
 * words where that is wrong.
 */
#include "plugin/sentence.h"
#include "plugin/state.h"

#include <string.h>

#include <epan/column-info.h>
#include <epan/column-utils.h>

/* Whether Wireshark took the packet for InfiniBand's transport at all */
static bool was_dissected(packet_info *pinfo)
{
    return proto_is_frame_protocol(pinfo->layers, "infiniband");
}

static bool says_wrong(packet_info *pinfo, const struct rdc_packet *pkt)
{
    const char *info = col_get_text(pinfo->cinfo, COL_INFO);

    if (!was_dissected(pinfo))
        return true;
    if (info == NULL)
        return false;
    if (strstr(info, "Unknown OpCode") != NULL)
        return true;
    return pkt->truncated && (strstr(info, "Malformed Packet") != NULL ||
                              strstr(info, "Invalid Packet Length") != NULL);
}

static const char *protocol_title(uint8_t transport)
{
    switch (transport) {
    case RDC_TRANSPORT_ROCEV1:
        return "RoCE";
    case RDC_TRANSPORT_ROCEV2:
        return "RRoCE";
    default:
        return "InfiniBand";
    }
}

/* "RC_SEND_ONLY" as Wireshark writes it: "RC Send Only" */
static const char *opcode_title(wmem_allocator_t *pool, const char *name)
{
    char *title = wmem_strdup(pool, name);
    bool in_word = false, first = true;

    for (char *c = title; *c != '\0'; c++) {
        if (*c == '_') {
            *c = ' ';
            in_word = false;
            first = false;
            continue;
        }
        if (in_word && !first && g_ascii_isalpha(*c))
            *c = g_ascii_tolower(*c);
        in_word = true;
    }
    return title;
}

static void correct(packet_info *pinfo, const struct rdc_packet *pkt)
{
    const struct rdc_bth *bth = &pkt->ib.bth;

    if (!was_dissected(pinfo))
        col_set_str(pinfo->cinfo, COL_PROTOCOL, protocol_title(pkt->transport));
    col_add_fstr(pinfo->cinfo, COL_INFO, "%s QP=0x%06x PSN=%u",
                 opcode_title(pinfo->pool, rdc_opcode_table[bth->opcode].name), bth->dest_qpn,
                 bth->psn);
}

/* What stands in front, or NULL */
static const char *mark_of(const struct flow_event *e, const struct shown_packet *p,
                           wmem_allocator_t *pool)
{
    switch ((enum flow_event_kind)e->kind) {
    case FLOW_GAP:
        return wmem_strdup_printf(pool, "%u PSN%s missing", e->count, e->count == 1 ? "" : "s");
    case FLOW_RETRANSMISSION:
        return e->spurious && p->has_connection && p->connection.paired ? "Spurious retransmission"
                                                                        : "Retransmission";
    case FLOW_OUT_OF_ORDER:
        return "Out of order";
    case FLOW_DUPLICATE:
        return "Duplicate";
    case FLOW_RNR_NAK:
        return "RNR NAK";
    case FLOW_NAK:
        return wmem_strdup_printf(pool, "NAK %s", rdc_nak_name(e->code));
    case FLOW_ACKED_UNSEEN:
        return "Acknowledges unseen";
    case FLOW_CE:
        return "CE";
    case FLOW_ICRC_BAD:
        return "Bad ICRC";
    case FLOW_RETRY_EXHAUSTED:
        return "Retries exhausted";
    case FLOW_TCP_RETRANSMISSION:
    case FLOW_TCP_OUT_OF_ORDER: /* Wireshark's own TCP analysis says these */
    case FLOW_TCP_GAP:
        return NULL;
    case FLOW_CRC_BAD:
        return "Bad MPA CRC";
    case FLOW_TERMINATE:
        return "Terminate";
    case FLOW_MSN_GAP:
        return "MSN gap";
    case FLOW_ZERO_WINDOW:
    case FLOW_MPA:
    case FLOW_FRAMING:
    case FLOW_TEARDOWN:
    case FLOW_HOLE_CLOSED:
    case FLOW_CNP:
    case FLOW_CM:
    case FLOW_PAUSE:
    case FLOW_EVENT_KIND_COUNT:
        break;
    }
    return NULL;
}

static void put_marks(packet_info *pinfo, const struct shown_packet *p)
{
    const struct flow_event *e;
    uint64_t cursor = 0;
    wmem_strbuf_t *marks = NULL;

    while ((e = verdicts_event(p->verdicts, (uint32_t)p->pkt->frame, &cursor)) != NULL) {
        const char *mark = mark_of(e, p, pinfo->pool);

        if (mark == NULL)
            continue;
        if (marks == NULL)
            marks = wmem_strbuf_new(pinfo->pool, "[RDMA ");
        else
            wmem_strbuf_append(marks, ", ");
        wmem_strbuf_append(marks, mark);
    }
    if (marks != NULL) {
        wmem_strbuf_append(marks, "] ");
        col_prepend_fstr(pinfo->cinfo, COL_INFO, "%s", wmem_strbuf_get_str(marks));
    }
}

static void put_pause(packet_info *pinfo, const struct rdc_packet *pkt)
{
    if (!pkt->pause.pfc)
        return; /* Wireshark says the quanta */
    col_append_str(pinfo->cinfo, COL_INFO, ", priorities");
    for (unsigned i = 0; i < 8; i++)
        if ((pkt->pause.enabled >> i & 1) != 0)
            col_append_fstr(pinfo->cinfo, COL_INFO, " %u:%s", i,
                            pkt->pause.quanta[i] != 0 ? "pause" : "go on");
}

void columns_show(packet_info *pinfo, const struct shown_packet *p)
{
    if (pinfo->cinfo == NULL)
        return;
    col_set_writable(pinfo->cinfo, COL_INFO, TRUE);
    col_set_writable(pinfo->cinfo, COL_PROTOCOL, TRUE);
    if (p->pkt->kind == RDC_KIND_PAUSE)
        put_pause(pinfo, p->pkt);
    if (p->pkt->kind == RDC_KIND_BTH && says_wrong(pinfo, p->pkt)) {
        col_clear_fence(pinfo->cinfo, COL_INFO);
        correct(pinfo, p->pkt);
    }
    put_marks(pinfo, p);
}
