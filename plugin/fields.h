/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The fields that display filters, columns and I/O graphs can name: one list. They are documented
 * in docs/wireshark.md; a name that was released stays.
 */
#ifndef PLUGIN_FIELDS_H
#define PLUGIN_FIELDS_H

#include "plugin/compat.h"

#define FRAME_LINK(kind) FRAMENUM_TYPE(FT_FRAMENUM_##kind)

/* X(ID, "Title", "name behind rdmapcap.", type, display, strings, "what it says") */
#define FIELD_LIST(X)                                                                              \
    X(STREAM, "Stream", "stream", FT_UINT32, BASE_DEC, NULL,                                       \
      "Index of the stream: one direction, to one queue pair, or of a TCP connection")             \
    X(CONNECTION, "Connection", "connection", FT_UINT32, BASE_DEC, NULL,                           \
      "Number of the connection, as rdmapcap flows shows it")                                      \
    X(DIRECTION, "Direction", "direction", FT_STRING, BASE_NONE, NULL,                             \
      "a_to_b: sent by the side that sent the connection's first frame; or b_to_a")                \
    X(PAIRED_BY, "Paired by", "paired_by", FT_STRING, BASE_NONE, NULL,                             \
      "What tells that the two streams belong together: cm, sport, psn or only")                   \
    X(TRANSPORT, "Transport", "transport", FT_STRING, BASE_NONE, NULL,                             \
      "ib, rocev1, rocev2, iwarp or macctrl")                                                      \
    X(SERVICE, "Service", "service", FT_STRING, BASE_NONE, NULL, "RC, UC, UD, RD, XRC or CNP")     \
    X(OPCODE, "Opcode", "opcode", FT_UINT8, BASE_HEX, NULL, "BTH opcode")                          \
    X(OPCODE_NAME, "Opcode name", "opcode_name", FT_STRING, BASE_NONE, NULL,                       \
      "BTH opcode as the specification spells it")                                                 \
    X(OPERATION, "Operation", "operation", FT_STRING, BASE_NONE, NULL,                             \
      "Operation that the packet belongs to")                                                      \
    X(DEST_QPN, "Destination QP", "dest_qpn", FT_UINT24, BASE_HEX, NULL, "Queue pair it is for")   \
    X(SRC_QPN, "Source QP", "src_qpn", FT_UINT24, BASE_HEX, NULL,                                  \
      "Queue pair that sent it, from the pairing or from the DETH")                                \
    X(QPN, "Queue pair", "qpn", FT_UINT24, BASE_HEX, NULL, "Source or destination queue pair")     \
    X(PSN, "PSN", "psn", FT_UINT24, BASE_DEC, NULL, "Packet sequence number")                      \
    X(EXPECTED_PSN, "Expected PSN", "expected_psn", FT_UINT24, BASE_DEC, NULL,                     \
      "PSN that was next in this stream")                                                          \
    X(ACK_REQ, "Acknowledgement requested", "ack_req", FT_BOOLEAN, BASE_NONE, NULL, NULL)          \
    X(FECN, "FECN", "fecn", FT_BOOLEAN, BASE_NONE, NULL, "Forward congestion bit of the BTH")      \
    X(BECN, "BECN", "becn", FT_BOOLEAN, BASE_NONE, NULL, "Backward congestion bit of the BTH")     \
    X(PAYLOAD, "Payload", "payload_bytes", FT_UINT32, BASE_DEC, NULL,                              \
      "Bytes of payload, without pad and ICRC")                                                    \
    X(ICRC, "ICRC", "icrc", FT_STRING, BASE_NONE, NULL, "ok, bad, or why it was not checked")      \
    X(VCRC, "VCRC", "vcrc", FT_STRING, BASE_NONE, NULL, "ok, bad, or why it was not checked")      \
    X(MESSAGE, "Message", "message", FT_UINT32, BASE_DEC, NULL,                                    \
      "Number of the message in its stream, from 1, as far as the capture shows")                  \
    X(MESSAGE_FIRST, "First frame of the message", "message.first", FT_FRAMENUM, BASE_NONE, NULL,  \
      NULL)                                                                                        \
    X(MESSAGE_LAST, "Last frame of the message", "message.last", FT_FRAMENUM, BASE_NONE, NULL,     \
      "Of one that data answers: of the answer")                                                   \
    X(REQUEST_IN, "Request in", "request_in", FT_FRAMENUM, BASE_NONE, FRAME_LINK(REQUEST),         \
      "Frame of the request that this answers with data")                                          \
    X(RESPONSE_IN, "Response in", "response_in", FT_FRAMENUM, BASE_NONE, FRAME_LINK(RESPONSE),     \
      "Frame of the last response to this request")                                                \
    X(ACKS_FRAME, "Acknowledges frame", "acks_frame", FT_FRAMENUM, BASE_NONE, FRAME_LINK(ACK),     \
      "Frame of the request whose PSN this acknowledgement has")                                   \
    X(REFUSES_FRAME, "Refuses frame", "refuses_frame", FT_FRAMENUM, BASE_NONE, NULL,               \
      "Frame of the request whose PSN this NAK or RNR NAK has")                                    \
    X(ACKED_IN, "Acknowledged in", "acked_in", FT_FRAMENUM, BASE_NONE, FRAME_LINK(RESPONSE),       \
      "Frame of the first acknowledgement that covers this request")                               \
    X(RTT, "Round trip time", "rtt", FT_RELATIVE_TIME, BASE_NONE, NULL,                            \
      "From the request to this acknowledgement: from the tap to the responder and back")          \
    X(OUTSTANDING, "Outstanding packets", "outstanding", FT_UINT32, BASE_DEC, NULL,                \
      "PSNs not acknowledged, with this packet")                                                   \
    X(OUTSTANDING_BYTES, "Outstanding bytes", "outstanding_bytes", FT_UINT32, BASE_DEC, NULL,      \
      "Payload not acknowledged, with this packet")                                                \
    X(VERDICT, "Verdict", "verdict", FT_STRING, BASE_NONE, NULL,                                   \
      "Kind of event: gap, retransmission, out_of_order, duplicate, nak, ...")                     \
    X(GAP, "Gap", "gap", FT_NONE, BASE_NONE, NULL, "PSNs were jumped over")                        \
    X(GAP_FIRST, "First missing PSN", "gap.first_psn", FT_UINT24, BASE_DEC, NULL, NULL)            \
    X(GAP_COUNT, "Missing PSNs", "gap.count", FT_UINT32, BASE_DEC, NULL, NULL)                     \
    X(RETRANSMISSION, "Retransmission", "retransmission", FT_NONE, BASE_NONE, NULL,                \
      "A packet that was sent before")                                                             \
    X(RETRANSMISSION_OF, "Retransmission of", "retransmission.of", FT_FRAMENUM, BASE_NONE,         \
      FRAME_LINK(RETRANS_PREV), "Frame of the first copy; absent: it is not on the capture")       \
    X(TRIGGER, "Trigger", "retransmission.trigger", FT_STRING, BASE_NONE, NULL,                    \
      "Why: nak, rnr, read, timeout or unknown")                                                   \
    X(TRIGGER_FRAME, "Trigger frame", "retransmission.trigger_frame", FT_FRAMENUM, BASE_NONE,      \
      NULL, "Frame that made the sender go back")                                                  \
    X(ROUND, "Round", "retransmission.round", FT_UINT32, BASE_DEC, NULL,                           \
      "Number of the retransmission round in its stream")                                          \
    X(SPURIOUS, "Spurious", "retransmission.spurious", FT_BOOLEAN, BASE_NONE, NULL,                \
      "It was acknowledged before")                                                                \
    X(CERTAIN, "Certain", "retransmission.certain", FT_BOOLEAN, BASE_NONE, NULL,                   \
      "False: it could also be a late original")                                                   \
    X(RETRANSMITTED_IN, "Retransmitted in", "retransmitted_in", FT_FRAMENUM, BASE_NONE,            \
      FRAME_LINK(RETRANS_NEXT), "Frame of the first resend")                                       \
    X(ROUND_FRAME, "Answered by the round from", "round_frame", FT_FRAMENUM, BASE_NONE,            \
      FRAME_LINK(RETRANS_NEXT), "First resent frame of the round that this one triggered")         \
    X(OUT_OF_ORDER, "Out of order", "out_of_order", FT_NONE, BASE_NONE, NULL, "A late original")   \
    X(LATE_PACKETS, "Late by packets", "out_of_order.packets", FT_UINT64, BASE_DEC, NULL, NULL)    \
    X(LATE_TIME, "Late by", "out_of_order.time", FT_RELATIVE_TIME, BASE_NONE, NULL,                \
      "After the packet that showed it missing; negative: the file's time stamps run back")        \
    X(DUPLICATE, "Duplicate", "duplicate", FT_NONE, BASE_NONE, NULL,                               \
      "A copy that the network or the mirror made")                                                \
    X(DUPLICATE_OF, "Duplicate of", "duplicate.of", FT_FRAMENUM, BASE_NONE, NULL, NULL)            \
    X(HOLE_CLOSED, "Hole closed", "hole_closed", FT_STRING, BASE_NONE, NULL,                       \
      "How missing PSNs ended: retransmitted, reordered, not-captured, lost or open")              \
    X(HOLE_FIRST, "First PSN of the hole", "hole_closed.first_psn", FT_UINT24, BASE_DEC, NULL,     \
      NULL)                                                                                        \
    X(HOLE_COUNT, "PSNs of the hole", "hole_closed.count", FT_UINT32, BASE_DEC, NULL, NULL)        \
    X(NAK, "NAK", "nak", FT_STRING, BASE_NONE, NULL,                                               \
      "sequence, invalid_request, access, operational or invalid_rd")                              \
    X(RNR_NAK, "RNR NAK", "rnr_nak", FT_RELATIVE_TIME, BASE_NONE, NULL,                            \
      "The receiver was not ready: the time that the sender has to wait")                          \
    X(ACKED_UNSEEN, "Acknowledges what was not captured", "acked_unseen", FT_NONE, BASE_NONE,      \
      NULL, "It acknowledges a PSN that is not on the capture")                                    \
    X(ACKED_EARLY, "Recorded before what it acknowledges", "acked_early", FT_NONE, BASE_NONE,      \
      NULL, "It acknowledges a PSN that comes later on the capture")                               \
    X(CE, "Congestion experienced", "ce", FT_NONE, BASE_NONE, NULL,                                \
      "A data packet that was marked on its way")                                                  \
    X(CNP, "Congestion notification", "cnp", FT_NONE, BASE_NONE, NULL, NULL)                       \
    X(CNP_THROTTLES, "Throttles", "cnp.throttles", FT_STRING, BASE_NONE, NULL,                     \
      "Direction of the connection that is told to slow down")                                     \
    X(PAUSE, "Pause", "pause", FT_STRING, BASE_NONE, NULL, "pfc or pause")                         \
    X(PAUSE_SOURCE, "Pausing port", "pause.source", FT_ETHER, BASE_NONE, NULL, NULL)               \
    X(PAUSE_PRIORITY, "Priority", "pause.priority", FT_UINT8, BASE_DEC, NULL, NULL)                \
    X(PAUSE_QUANTA, "Quanta", "pause.quanta", FT_UINT16, BASE_DEC, NULL,                           \
      "Of 512 bit times; 0: go on")                                                                \
    X(PAUSE_TIME, "Pause time", "pause.time", FT_RELATIVE_TIME, BASE_NONE, NULL,                   \
      "With the link rate of the preferences")                                                     \
    X(ICRC_BAD, "Bad ICRC", "icrc_bad", FT_NONE, BASE_NONE, NULL,                                  \
      "The packet is damaged: the receiver drops it")                                              \
    X(CM, "Connection management", "cm", FT_STRING, BASE_NONE, NULL, NULL)                         \
    X(TEARDOWN, "Teardown", "teardown", FT_NONE, BASE_NONE, NULL, NULL)                            \
    X(RETRY_EXHAUSTED, "Retries exhausted", "retry_exhausted", FT_STRING, BASE_NONE, NULL,         \
      "timeout or rnr")                                                                            \
    X(RETRY_TRIES, "Tries", "retry_exhausted.tries", FT_UINT32, BASE_DEC, NULL, NULL)              \
    X(FPDU, "FPDU", "fpdu", FT_STRING, BASE_NONE, NULL,                                            \
      "iWARP: an FPDU that this segment completes, by its RDMAP operation")                        \
    X(FPDU_SEQ, "TCP sequence number", "fpdu.tcp_seq", FT_UINT32, BASE_DEC, NULL,                  \
      "Of the FPDU's first byte")                                                                  \
    X(FPDU_LENGTH, "ULPDU length", "fpdu.length", FT_UINT16, BASE_DEC, NULL, NULL)                 \
    X(FPDU_CRC, "CRC32c", "fpdu.crc", FT_STRING, BASE_NONE, NULL, "ok, bad, off, or not checked")  \
    X(FPDU_MARKERS, "Markers", "fpdu.markers", FT_UINT8, BASE_DEC, NULL, "MPA markers in it")      \
    X(FPDU_PAYLOAD, "FPDU payload", "fpdu.payload_bytes", FT_UINT32, BASE_DEC, NULL,               \
      "Bytes behind the RDMAP header")                                                             \
    X(RDMAP_OPCODE, "RDMAP opcode", "rdmap.opcode", FT_UINT8, BASE_DEC, NULL, NULL)                \
    X(DDP_TAGGED, "DDP: tagged", "ddp.tagged", FT_BOOLEAN, BASE_NONE, NULL, NULL)                  \
    X(DDP_LAST, "DDP: last segment", "ddp.last", FT_BOOLEAN, BASE_NONE, NULL, NULL)                \
    X(DDP_STAG, "DDP: STag", "ddp.stag", FT_UINT32, BASE_HEX, NULL, NULL)                          \
    X(DDP_TO, "DDP: tagged offset", "ddp.to", FT_UINT64, BASE_HEX, NULL, NULL)                     \
    X(DDP_QN, "DDP: queue", "ddp.qn", FT_UINT32, BASE_DEC, NULL, NULL)                             \
    X(DDP_MSN, "DDP: MSN", "ddp.msn", FT_UINT32, BASE_DEC, NULL, NULL)                             \
    X(DDP_MO, "DDP: message offset", "ddp.mo", FT_UINT32, BASE_DEC, NULL, NULL)                    \
    X(TCP_RESENT, "TCP retransmission", "tcp_retransmission", FT_NONE, BASE_NONE, NULL,            \
      "iWARP: bytes that were sent before")                                                        \
    X(TCP_RESENT_OF, "TCP retransmission of", "tcp_retransmission.of", FT_FRAMENUM, BASE_NONE,     \
      FRAME_LINK(RETRANS_PREV), NULL)                                                              \
    X(TCP_LATE, "TCP out of order", "tcp_out_of_order", FT_NONE, BASE_NONE, NULL,                  \
      "iWARP: bytes that come late")                                                               \
    X(TCP_GAP, "TCP gap", "tcp_gap", FT_UINT64, BASE_DEC, NULL,                                    \
      "iWARP: bytes of the stream that are not on the capture")                                    \
    X(ZERO_WINDOW, "Zero window", "zero_window", FT_RELATIVE_TIME, BASE_NONE, NULL,                \
      "iWARP: how long the receiver took nothing")                                                 \
    X(MPA, "MPA", "mpa", FT_STRING, BASE_NONE, NULL,                                               \
      "request, reply, or inferred: iWARP without its start on the capture")                       \
    X(MPA_MARKERS, "MPA: markers", "mpa.markers", FT_BOOLEAN, BASE_NONE, NULL, NULL)               \
    X(MPA_CRC, "MPA: CRC", "mpa.crc", FT_BOOLEAN, BASE_NONE, NULL, NULL)                           \
    X(MPA_REJECT, "MPA: rejected", "mpa.reject", FT_BOOLEAN, BASE_NONE, NULL, NULL)                \
    X(MPA_REVISION, "MPA: revision", "mpa.revision", FT_UINT8, BASE_DEC, NULL, NULL)               \
    X(MPA_IRD, "MPA: IRD", "mpa.ird", FT_UINT16, BASE_DEC, NULL, NULL)                             \
    X(MPA_ORD, "MPA: ORD", "mpa.ord", FT_UINT16, BASE_DEC, NULL, NULL)                             \
    X(MPA_PRIVATE, "MPA: private data", "mpa.private_bytes", FT_UINT16, BASE_DEC, NULL, NULL)      \
    X(FRAMING, "FPDU framing", "framing", FT_STRING, BASE_NONE, NULL, "lost or found")             \
    X(CRC_BAD, "Bad CRC32c", "crc_bad", FT_NONE, BASE_NONE, NULL, "An FPDU is damaged")            \
    X(MSN_GAP, "Missing MSN", "msn_gap", FT_UINT32, BASE_DEC, NULL, "The first one missing")       \
    X(MSN_GAP_COUNT, "Missing MSNs", "msn_gap.count", FT_UINT32, BASE_DEC, NULL, NULL)             \
    X(TERMINATE, "Terminate", "terminate", FT_STRING, BASE_NONE, NULL,                             \
      "iWARP: why the connection was given up")                                                    \
    X(TERMINATE_LAYER, "Terminate: layer", "terminate.layer", FT_STRING, BASE_NONE, NULL, NULL)    \
    X(NOTE, "Note", "note", FT_STRING, BASE_NONE, NULL, "What is odd in the packet")               \
    X(REFUSED, "Not RDMA", "refused", FT_STRING, BASE_NONE, NULL,                                  \
      "Why a packet that looks like RDMA is not taken for it")                                     \
    X(SRQ, "XRCETH: SRQ", "xrceth.srq", FT_UINT24, BASE_HEX, NULL, NULL)                           \
    X(EE, "RDETH: EE context", "rdeth.ee", FT_UINT24, BASE_HEX, NULL, NULL)                        \
    X(QKEY, "DETH: Q_Key", "deth.qkey", FT_UINT32, BASE_HEX, NULL, NULL)                           \
    X(VA, "RETH: virtual address", "reth.va", FT_UINT64, BASE_HEX, NULL, NULL)                     \
    X(RKEY, "RETH: R_Key", "reth.rkey", FT_UINT32, BASE_HEX, NULL, NULL)                           \
    X(DMA_LENGTH, "RETH: DMA length", "reth.length", FT_UINT32, BASE_DEC, NULL, NULL)              \
    X(AETH, "AETH", "aeth", FT_STRING, BASE_NONE, NULL, "ack, rnr_nak, nak or reserved")           \
    X(MSN, "AETH: MSN", "aeth.msn", FT_UINT24, BASE_DEC, NULL, NULL)                               \
    X(CREDITS, "AETH: credits", "aeth.credits", FT_UINT32, BASE_DEC, NULL, NULL)                   \
    X(ATOMIC_VA, "AtomicETH: virtual address", "atomic_eth.va", FT_UINT64, BASE_HEX, NULL, NULL)   \
    X(SWAP_ADD, "AtomicETH: swap or add", "atomic_eth.swap_add", FT_UINT64, BASE_HEX, NULL, NULL)  \
    X(COMPARE, "AtomicETH: compare", "atomic_eth.compare", FT_UINT64, BASE_HEX, NULL, NULL)        \
    X(ORIGINAL, "AtomicAckETH: original data", "atomic_ack_eth.original", FT_UINT64, BASE_HEX,     \
      NULL, NULL)                                                                                  \
    X(IMM, "Immediate data", "imm", FT_UINT32, BASE_HEX, NULL, NULL)                               \
    X(INVALIDATE, "IETH: R_Key", "ieth.rkey", FT_UINT32, BASE_HEX, NULL, NULL)                     \
    X(FLUSH_PLT, "FETH: placement type", "feth.plt", FT_UINT8, BASE_DEC, NULL,                     \
      "Bit 0: global visibility, bit 1: persistence")                                              \
    X(FLUSH_SEL, "FETH: selectivity", "feth.sel", FT_UINT8, BASE_DEC, NULL, NULL)

enum field {
#define X(id, title, name, type, display, strings, text) FIELD_##id,
    FIELD_LIST(X)
#undef X
        FIELD_COUNT,
};

/* Registered ids, by enum field */
extern int field_ids[FIELD_COUNT];
extern int tree_ids[2]; /* of the protocol's tree and of trees below */

void fields_register(int protocol);

#endif
