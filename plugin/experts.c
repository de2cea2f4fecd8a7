/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Expert information: one kind for each kind of event, and one for each note of the core.
 */
#include "plugin/sentence.h"
#include "plugin/state.h"
#include "rdc/note.h"

#include <epan/expert.h>

static expert_field event_experts[FLOW_EVENT_KIND_COUNT];
static expert_field note_experts[RDC_NOTE_COUNT];

/* X(kind, "name", group, severity, "summary") */
#define EVENT_LIST(X)                                                                              \
    X(GAP, "gap", SEQUENCE, WARN, "PSNs are missing before this packet")                           \
    X(RETRANSMISSION, "retransmission", SEQUENCE, NOTE, "Retransmission")                          \
    X(OUT_OF_ORDER, "out_of_order", SEQUENCE, NOTE, "A late original")                             \
    X(DUPLICATE, "duplicate", SEQUENCE, NOTE, "A copy made by the network or the mirror")          \
    X(HOLE_CLOSED, "hole_closed", SEQUENCE, CHAT, "Missing PSNs are accounted for")                \
    X(NAK, "nak", RESPONSE_CODE, WARN, "NAK")                                                      \
    X(RNR_NAK, "rnr_nak", RESPONSE_CODE, WARN, "Receiver not ready")                               \
    X(ACKED_UNSEEN, "acked_unseen", SEQUENCE, NOTE, "Acknowledges what was not captured")          \
    X(ACKED_EARLY, "acked_early", SEQUENCE, NOTE, "Recorded before what it acknowledges")          \
    X(CE, "ce", SEQUENCE, CHAT, "Marked: congestion experienced")                                  \
    X(CNP, "cnp", SEQUENCE, NOTE, "Congestion notification")                                       \
    X(PAUSE, "pause", SEQUENCE, NOTE, "Pause frame")                                               \
    X(ICRC_BAD, "icrc_bad", CHECKSUM, ERROR, "Bad ICRC: the receiver drops the packet")            \
    X(CM, "cm", SEQUENCE, CHAT, "Connection management")                                           \
    X(TEARDOWN, "teardown", SEQUENCE, CHAT, "The connection is torn down")                         \
    X(RETRY_EXHAUSTED, "retry_exhausted", SEQUENCE, ERROR, "The sender gave up")                   \
    X(TCP_RETRANSMISSION, "tcp_retransmission", SEQUENCE, NOTE, "iWARP: TCP retransmission")       \
    X(TCP_OUT_OF_ORDER, "tcp_out_of_order", SEQUENCE, NOTE, "iWARP: a late TCP segment")           \
    X(TCP_GAP, "tcp_gap", SEQUENCE, WARN, "iWARP: bytes of the stream are missing")                \
    X(ZERO_WINDOW, "zero_window", SEQUENCE, NOTE, "iWARP: the receiver took nothing")              \
    X(MPA, "mpa", SEQUENCE, CHAT, "iWARP: the connection starts")                                  \
    X(FRAMING, "framing", SEQUENCE, WARN, "iWARP: FPDU framing is lost or found again")            \
    X(CRC_BAD, "crc_bad", CHECKSUM, ERROR, "iWARP: bad CRC32c of an FPDU")                         \
    X(MSN_GAP, "msn_gap", SEQUENCE, WARN, "iWARP: messages are missing")                           \
    X(TERMINATE, "terminate", RESPONSE_CODE, ERROR, "iWARP: Terminate")

static ei_register_info event_info[] = {
#define X(kind, name, group, severity, summary)                                                    \
    {&event_experts[FLOW_##kind],                                                                  \
     {"rdmapcap.expert." name, PI_##group, PI_##severity, summary, EXPFILL}},
    EVENT_LIST(X)
#undef X
};

_Static_assert(sizeof(event_info) / sizeof(event_info[0]) == FLOW_EVENT_KIND_COUNT,
               "an expert item for each kind of event");

static ei_register_info note_info[] = {
#define PI_NOTE_OF_NOTE PI_NOTE
#define PI_NOTE_OF_WARNING PI_WARN
#define PI_NOTE_OF_ERROR PI_ERROR
#define X(name, id, severity, spec, text)                                                          \
    {&note_experts[RDC_NOTE_##name],                                                               \
     {"rdmapcap.expert.note." id, PI_PROTOCOL, PI_NOTE_OF_##severity, text, EXPFILL}},
    RDC_NOTE_LIST(X)
#undef X
};

void experts_register(int protocol)
{
    static const expert_field unset = EI_INIT;
    expert_module_t *module = expert_register_protocol(protocol);

    for (int i = 0; i < FLOW_EVENT_KIND_COUNT; i++)
        event_experts[i] = unset;
    for (int i = 0; i < RDC_NOTE_COUNT; i++)
        note_experts[i] = unset;
    expert_register_field_array(module, event_info, (int)G_N_ELEMENTS(event_info));
    expert_register_field_array(module, note_info, (int)G_N_ELEMENTS(note_info));
}

/* The same words for the same thing, so that Wireshark can count them; what differs stands in the
 * tree. NULL: the summary is all. */
static const char *words_of(const struct shown_packet *p, const struct flow_event *event)
{
    static const char *const resends[FLOW_TRIGGER_COUNT] = {
        [FLOW_TRIGGER_NAK] = "Retransmission after a NAK",
        [FLOW_TRIGGER_RNR] = "Retransmission after an RNR NAK",
        [FLOW_TRIGGER_READ] = "Retransmission after a missing response",
        [FLOW_TRIGGER_TIMEOUT] = "Retransmission after a timeout",
        [FLOW_TRIGGER_UNKNOWN] = "Retransmission for no visible reason",
    };
    static const char *const naks[] = {
        [RDC_NAK_SEQUENCE] = "NAK: PSN sequence error",
        [RDC_NAK_INVALID_REQUEST] = "NAK: invalid request",
        [RDC_NAK_REMOTE_ACCESS] = "NAK: remote access error",
        [RDC_NAK_REMOTE_OPERATIONAL] = "NAK: remote operational error",
        [RDC_NAK_INVALID_RD_REQUEST] = "NAK: invalid RD request",
    };
    struct resend_facts facts = resend_facts(p, event);

    if (event->kind == FLOW_RETRANSMISSION && facts.trigger_known)
        return resends[facts.trigger];
    if (event->kind == FLOW_NAK && event->code < G_N_ELEMENTS(naks))
        return naks[event->code];
    return NULL;
}

void expert_event(packet_info *pinfo, proto_item *item, const struct shown_packet *p,
                  const struct flow_event *event)
{
    const char *words;

    if (event->kind >= FLOW_EVENT_KIND_COUNT || event_experts[event->kind].ei < 0)
        return;
    words = words_of(p, event);
    if (words != NULL)
        expert_add_info_format(pinfo, item, &event_experts[event->kind], "%s", words);
    else
        expert_add_info(pinfo, item, &event_experts[event->kind]);
}

void expert_notes(packet_info *pinfo, proto_item *item, const struct rdc_packet *pkt)
{
    if (pkt->notes == 0)
        return;
    for (int i = 0; i < RDC_NOTE_COUNT; i++)
        if ((pkt->notes >> i & 1) != 0 && i != RDC_NOTE_ICRC_BAD) /* an event tells */
            expert_add_info(pinfo, item, &note_experts[i]);
}
