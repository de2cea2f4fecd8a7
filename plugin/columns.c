/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The Protocol and Info columns: verdicts in front of what Wireshark's dissector says, and its own
 * words where that is wrong.
 */
#include "plugin/duration.h"
#include "plugin/sentence.h"
#include "plugin/state.h"
#include "rdc/iwarp.h"

#include <string.h>

#include <epan/column-info.h>
#include <epan/column-utils.h>

enum {
    FPDUS_SHOWN = 4, /* of one segment */
};

/* What Wireshark made of the packet */
struct dissected {
    bool transport; /* it saw InfiniBand's transport */
    bool network;   /* and took the payload for a network protocol (Ethernet over InfiniBand) */
};

/* Ids of Wireshark's protocols, looked up once */
static int infiniband_id = -1, ip_id = -1, ipv6_id = -1;

void columns_handoff(void)
{
    infiniband_id = proto_get_id_by_filter_name("infiniband");
    ip_id = proto_get_id_by_filter_name("ip");
    ipv6_id = proto_get_id_by_filter_name("ipv6");
}

static struct dissected dissected_as(packet_info *pinfo)
{
    struct dissected d = {false, false};

    for (wmem_list_frame_t *f = wmem_list_head(pinfo->layers); f != NULL;
         f = wmem_list_frame_next(f)) {
        int protocol = GPOINTER_TO_INT(wmem_list_frame_data(f));

        d.network |= d.transport && (protocol == ip_id || protocol == ipv6_id);
        d.transport |= protocol == infiniband_id;
    }
    return d;
}

/* No protocol above has put its name into the column */
static bool is_transport_only(packet_info *pinfo)
{
    const char *protocol = col_get_text(pinfo->cinfo, COL_PROTOCOL);

    return protocol != NULL && (strcmp(protocol, "RRoCE") == 0 || strcmp(protocol, "RoCE") == 0 ||
                                strcmp(protocol, "InfiniBand") == 0);
}

static bool says_wrong(packet_info *pinfo, const struct rdc_packet *pkt, const struct dissected *as)
{
    const char *info = col_get_text(pinfo->cinfo, COL_INFO);

    if (!as->transport || (as->network && pkt->transport != RDC_TRANSPORT_IB))
        return true;
    if (info == NULL)
        return false;
    if (strstr(info, "Unknown OpCode") != NULL)
        return true;
    if (strstr(info, "Malformed Packet") == NULL && strstr(info, "Invalid Packet Length") == NULL)
        return false;
    /* cut by the snap length, or by a guess what the payload might be */
    return pkt->truncated || (pkt->ib.complete && is_transport_only(pinfo));
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
    char **words = g_strsplit(name, "_", -1);
    wmem_strbuf_t *title = wmem_strbuf_new(pool, words[0]);

    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++) {
        char *word = words[i];

        for (char *c = word; strcmp(words[i], "RDMA") != 0 && *c != '\0'; c++)
            if (c != word)
                *c = g_ascii_tolower(*c);
        wmem_strbuf_append_printf(title, " %s", word);
    }
    g_strfreev(words);
    return wmem_strbuf_get_str(title);
}

static void correct(packet_info *pinfo, const struct shown_packet *p, const struct dissected *as)
{
    const struct rdc_bth *bth = &p->pkt->ib.bth;
    const struct rdc_opcode_info *op = &rdc_opcode_table[bth->opcode];

    if (!as->transport || as->network)
        col_set_str(pinfo->cinfo, COL_PROTOCOL, protocol_title(p->pkt->transport));
    col_add_fstr(pinfo->cinfo, COL_INFO, "%s QP=0x%06x", opcode_title(pinfo->pool, op->name),
                 bth->dest_qpn);
    if (op->service != RDC_SERVICE_CNP)
        col_append_fstr(pinfo->cinfo, COL_INFO, " PSN=%u", bth->psn);
    else if (p->has_connection)
        col_append_fstr(pinfo->cinfo, COL_INFO, " slows connection %u %s", p->connection.id,
                        p->connection.a_to_b ? "b>a" : "a>b");
}

/* "RNR NAK, wait 1.28 ms" */
static const char *rnr_mark(wmem_allocator_t *pool, uint64_t timer_ns)
{
    char *words = duration_words((int64_t)timer_ns);
    const char *mark = wmem_strdup_printf(pool, "RNR NAK, wait %s", words);

    g_free(words);
    return mark;
}

/* "Retransmission of 34 (NAK)", as far as that is known now */
static const char *resend_mark(wmem_allocator_t *pool, const struct flow_event *e,
                               const struct shown_packet *p)
{
    static const char *const reasons[FLOW_TRIGGER_COUNT] = {
        [FLOW_TRIGGER_NAK] = " (NAK)",
        [FLOW_TRIGGER_RNR] = " (RNR NAK)",
        [FLOW_TRIGGER_READ] = " (lost response)",
        [FLOW_TRIGGER_TIMEOUT] = " (timeout)",
        [FLOW_TRIGGER_UNKNOWN] = "",
    };
    struct resend_facts facts = resend_facts(p, e);
    wmem_strbuf_t *mark =
        wmem_strbuf_new(pool, facts.spurious_known && facts.spurious ? "Spurious retransmission"
                                                                     : "Retransmission");

    if (e->original_frame != 0)
        wmem_strbuf_append_printf(mark, " of %u", (unsigned)e->original_frame);
    if (facts.trigger_known)
        wmem_strbuf_append(mark, reasons[facts.trigger]);
    return wmem_strbuf_get_str(mark);
}

/* What Wireshark's own analysis of TCP says already need not be said again. */
static const char *tcp_mark(packet_info *pinfo, const char *its_word, const char *mark)
{
    const char *info = col_get_text(pinfo->cinfo, COL_INFO);

    return info != NULL && strstr(info, its_word) != NULL ? NULL : mark;
}

/* What stands in front, or NULL */
static const char *mark_of(packet_info *pinfo, const struct flow_event *e,
                           const struct shown_packet *p)
{
    wmem_allocator_t *pool = pinfo->pool;

    switch ((enum flow_event_kind)e->kind) {
    case FLOW_GAP:
        return wmem_strdup_printf(pool, "%u PSN%s missing", e->count, e->count == 1 ? "" : "s");
    case FLOW_RETRANSMISSION:
        return resend_mark(pool, e, p);
    case FLOW_OUT_OF_ORDER:
        return "Out of order";
    case FLOW_DUPLICATE:
        return wmem_strdup_printf(pool, "Duplicate of %u", (unsigned)e->original_frame);
    case FLOW_RNR_NAK:
        return rnr_mark(pool, e->timer_ns);
    case FLOW_NAK:
        return wmem_strdup_printf(pool, "NAK %s", rdc_nak_name(e->code));
    case FLOW_ACKED_UNSEEN:
        return "Acknowledges unseen";
    case FLOW_ACKED_EARLY:
        return "Acknowledges early";
    case FLOW_CE:
        return "CE";
    case FLOW_ICRC_BAD:
        return "Bad ICRC";
    case FLOW_RETRY_EXHAUSTED:
        return "Retries exhausted";
    case FLOW_TCP_RETRANSMISSION:
        return tcp_mark(pinfo, "Retransmission]", "TCP retransmission");
    case FLOW_TCP_OUT_OF_ORDER:
        return tcp_mark(pinfo, "Out-Of-Order]", "TCP out of order");
    case FLOW_CRC_BAD:
        return "Bad MPA CRC";
    case FLOW_TERMINATE:
        return "Terminate";
    case FLOW_MSN_GAP:
        return "MSN gap";
    case FLOW_TCP_GAP:
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
        const char *mark = mark_of(pinfo, e, p);

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

/* FPDUs of TCP streams that Wireshark does not take for iWARP: no handshake, or another protocol
 * has the port. */
static void put_fpdus(packet_info *pinfo, const struct shown_packet *p)
{
    const struct frame_fpdu *f;
    uint64_t cursor = 0;
    unsigned count = 0;

    if (proto_is_frame_protocol(pinfo->layers, "iwarp_mpa"))
        return;
    while ((f = verdicts_fpdu(p->verdicts, (uint32_t)p->pkt->frame, &cursor)) != NULL) {
        if (count == FPDUS_SHOWN) {
            col_append_str(pinfo->cinfo, COL_INFO, ", ...");
            break;
        }
        col_append_fstr(pinfo->cinfo, COL_INFO, "%s%s", count++ == 0 ? " iWARP " : ", ",
                        f->ddp_set ? rdc_rdmap_name(f->opcode) : "FPDU");
    }
    if (count > 0)
        col_set_str(pinfo->cinfo, COL_PROTOCOL, "iWARP");
}

static void put_pause(packet_info *pinfo, const struct rdc_packet *pkt)
{
    if (!pkt->pause.pfc)
        return; /* Wireshark says the quanta */
    for (unsigned i = 0; i < 8; i++) {
        if ((pkt->pause.enabled >> i & 1) == 0)
            continue;
        col_append_fstr(pinfo->cinfo, COL_INFO, ", priority %u: ", i);
        if (pkt->pause.quanta[i] != 0)
            col_append_fstr(pinfo->cinfo, COL_INFO, "%u quanta", pkt->pause.quanta[i]);
        else
            col_append_str(pinfo->cinfo, COL_INFO, "go on");
    }
}

void columns_show(packet_info *pinfo, const struct shown_packet *p)
{
    if (pinfo->cinfo == NULL)
        return;
    col_set_writable(pinfo->cinfo, COL_INFO, TRUE);
    col_set_writable(pinfo->cinfo, COL_PROTOCOL, TRUE);
    if (p->pkt->kind == RDC_KIND_PAUSE)
        put_pause(pinfo, p->pkt);
    if (p->pkt->kind == RDC_KIND_BTH) {
        struct dissected as = dissected_as(pinfo);

        if (says_wrong(pinfo, p->pkt, &as)) {
            col_clear_fence(pinfo->cinfo, COL_INFO);
            correct(pinfo, p, &as);
        }
    }
    if (p->pkt->kind == RDC_KIND_TCP)
        put_fpdus(pinfo, p);
    put_marks(pinfo, p);
}
