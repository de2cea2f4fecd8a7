/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every kind of finding, the gravest first: X(NAME, "id", severity, "title", "what it means",
 * "what to look at next"). The order of this list is the order of findings of one severity.
 * docs/findings.md shows each with its packets; a test keeps both lists alike.
 */
#ifndef ANALYSIS_FINDINGS_LIST_H
#define ANALYSIS_FINDINGS_LIST_H

/* clang-format off */
#define FINDING_LIST(X)                                                                            \
    X(RETRY_EXHAUSTED, "retry-exhausted", ERROR,                                                   \
      "No answer got through, requester gave up",                                                  \
      "The same packet went out again and again without an acknowledgement, then the requester "   \
      "fell silent: its retry count ran out and the queue pair is in the error state. Answers "    \
      "that came past the capture point got lost behind it.",                                      \
      "Is the peer alive? Capture there too: do these requests arrive, do answers leave?")         \
    X(NO_ANSWER, "no-answer", ERROR, "Peer or path stopped answering",                             \
      "The same packet came past the capture point three times or more, and no acknowledgement, "  \
      "NAK or response to it came in between. Nothing got through on this connection meanwhile; "  \
      "it is an error when that was still so at the end of the capture.",                          \
      "Is the peer alive? Capture there too: do these requests arrive, do answers leave?")         \
    X(RNR_RETRY_EXHAUSTED, "rnr-retry-exhausted", ERROR, "Requester gave up: receiver not ready",  \
      "The receiver refused the same packet each time because no receive buffer was posted, until "\
      "the requester's RNR retry count ran out.",                                                  \
      "See why the receiver posts no receives; rnr_retry 7 would repeat for ever.")                \
    X(REMOTE_ACCESS_ERROR, "remote-access-error", ERROR, "Remote access error",                    \
      "The responder refused a WRITE, READ or atomic: wrong rkey, address out of the region, or "  \
      "missing permission. The connection is dead.",                                               \
      "Compare the request (dump -v --frames) with the region that the responder registered.")              \
    X(REMOTE_INVALID_REQUEST, "remote-invalid-request", ERROR, "Remote invalid request",           \
      "The responder could not accept the form of a request: an operation that is not enabled, a " \
      "message longer than its buffer, or packets larger than its path MTU. The connection is "    \
      "dead.",                                                                                     \
      "Compare path MTU, access flags and buffer sizes of both queue pairs.")                      \
    X(REMOTE_OPERATIONAL_ERROR, "remote-operational-error", ERROR, "Remote operational error",     \
      "The responder failed to complete a request by a fault of its own. The connection is dead.", \
      "Look into the log of the responder's host and adapter.")                                    \
    X(REMOTE_INVALID_RD, "remote-invalid-rd-request", ERROR, "Remote invalid RD request",          \
      "The responder refused a request of the reliable datagram service.",                         \
      "Compare the EE contexts and Q_Keys of both sides.")                                         \
    X(NAK_RESERVED, "nak-reserved-code", ERROR, "NAK of a code that means nothing",                \
      "The responder refused a request with a NAK whose code the specification reserves: what "    \
      "it objects to can't be told.",                                                              \
      "Look at the NAK and at the request (dump -v): is it a packet of that responder at all?")    \
    X(TERMINATE, "iwarp-terminate", ERROR, "iWARP connection terminated",                          \
      "One side sent a Terminate message: it found an error that ends the connection. The "        \
      "message names the layer and the error.",                                                    \
      "Look at the request that it is about (dump -v --frames), and at the buffers "               \
      "of that side.")                                                                             \
    X(CRC_BAD, "mpa-crc-bad", ERROR, "Damaged FPDUs",                                              \
      "The CRC of FPDUs is wrong although the checksum of TCP was right: the data was "            \
      "changed on its way, or by a host.",                                                         \
      "Find what the damaged packets have in common: a switch, an adapter, an offload.")           \
    X(PFC_STORM, "pfc-storm", ERROR, "PFC storm",                                                  \
      "A port paused its link partner for at least 200 ms without a break, or for more than "      \
      "half of a second. Nothing of that priority moves meanwhile, and the pause spreads "         \
      "backwards through the fabric.",                                                             \
      "Look at the host or port that pauses: a slow receiver, a sick adapter; is a PFC "           \
      "watchdog on?")                                                                              \
    X(PFC_UNRELEASED, "pfc-not-released", WARNING, "Still paused at the end",                      \
      "A port paused its link partner, never let it go, and still held it when the capture "       \
      "ended. What was held back may be stuck.",                                                   \
      "Look at the host or port that pauses: a slow receiver, a sick adapter; is a PFC "           \
      "watchdog on?")                                                                              \
    X(ICRC_BAD, "icrc-bad", ERROR, "Damaged packets",                                              \
      "The ICRC of packets is wrong: they were changed on their way although each link's own "     \
      "checksum was right, so a switch or adapter damaged them inside. Receivers drop them.",      \
      "Find what the damaged packets have in common: a switch, an adapter.")                       \
    X(CM_REJECT, "cm-reject", WARNING, "Connection refused",                                       \
      "The called side rejected a connection request. The reason is in the message.",              \
      "See what the reason says; for consumer-defined reasons ask the listening program.")         \
    X(MPA_REJECT, "mpa-reject", WARNING, "iWARP connection refused",                               \
      "The called side rejected the start-up of MPA: TCP was connected, iWARP was not.",           \
      "Ask the listening program; the private data of the reply may say why.")                     \
    X(CM_UNANSWERED, "cm-unanswered", WARNING, "Set-up or teardown not answered in time",          \
      "A request to connect was repeated, or got no answer within the time that the caller "       \
      "allows; or a request to disconnect was repeated. No answer had come past the capture "      \
      "point before.",                                                                             \
      "Did the answer come late, or never? Is the host that was asked up, does its GID answer, "   \
      "do management packets get through both ways?")                                              \
    X(PAUSE_IGNORED, "pause-not-respected", WARNING, "Pause not respected",                        \
      "Packets of a paused priority were sent while the pause lasted: the link partner does "      \
      "not stop, so the buffer that the pause protects may overflow.",                             \
      "Compare the PFC settings of both ends of this link: priorities, and the mapping to "        \
      "them.")                                                                                     \
    X(MUTUAL_PAUSE, "mutual-pause", WARNING, "Two ports paused each other",                        \
      "Both ports of a link paused the same priority at once. When this spreads in a "             \
      "circle, nothing moves any more: a deadlock.",                                               \
      "Look for a cycle of buffers: which switches pause whom, and who began?")                    \
    X(LINK_PAUSE, "link-pause", WARNING, "802.3x PAUSE beside RDMA",                               \
      "A PAUSE frame stops all traffic of a link, whatever its priority. Storage, training "       \
      "and management hold each other up.",                                                        \
      "Switch global pause off on both ports, and PFC on for the RDMA priority.")                  \
    X(IP_FRAGMENTS, "ip-fragments", WARNING, "Fragments of RoCEv2 packets",                        \
      "RoCEv2 packets were cut into IP fragments on the way. No adapter puts them together: "      \
      "they are lost.",                                                                            \
      "Make the MTU of every hop at least the path MTU plus headers; look for tunnels.")           \
    X(MTU_TROUBLE, "mtu-trouble", WARNING, "Packets that do not fit the path MTU",                 \
      "Packets are larger than the path MTU of the connection, or do not fill it, or the "         \
      "two sides use different ones. IBTA wants FIRST and MIDDLE packets filled exactly.",         \
      "Compare the path MTU of both queue pairs with the MTU of the ports.")                       \
    X(MSN_GAP, "msn-gap", WARNING, "iWARP message numbers jump",                                   \
      "Message sequence numbers of a queue jump although no byte of the TCP stream is missing: "   \
      "the sender leaves numbers out, or counts several queues as one. A receiver that checks "    \
      "ends the connection.",                                                                      \
      "A fault of the sending adapter or its driver: look for a newer one.")                       \
    X(FRAMING_LOST, "mpa-framing-lost", WARNING, "Bytes that are no FPDU",                         \
      "Behind an FPDU stand bytes that can not be one: a length was damaged or is wrong. "         \
      "The receiver loses its place in the stream.",                                               \
      "Look at these frames (dump -v --frames); capture at the other side too.")                            \
    X(REORDERING_RESENDS, "reordering-with-resends", WARNING, "Reordering, and resends",           \
      "Packets came late, and packets were sent again on the same connection: a receiver that "    \
      "wants order takes late packets for lost ones.",                                             \
      "Where the network reorders (adaptive routing), the adapter must accept it.")                \
    X(LOSS_BEFORE_TAP, "loss-before-tap", WARNING, "Packets lost before the capture point",        \
      "Packets of this sender never came here and were sent again: they were lost between the "    \
      "sender and the capture point (the place where the capture was made). The count is a lower " \
      "bound.",                                                                                    \
      "Read the drop counters from the sender to the capture point, by priority.")                 \
    X(ATOMIC_ANSWER_LOST, "atomic-answer-lost", WARNING,                                           \
      "Answers to atomics lost before the capture point",                                          \
      "Answers to atomics never came here, and came when the atomics had gone out again: they "    \
      "were lost between the responder and the capture point. They count in no sum of lost "       \
      "packets. The count is a lower bound.",                                                      \
      "Read the drop counters from the responder to the capture point, by priority.")              \
    X(LOSS_AFTER_TAP, "loss-after-tap", WARNING, "Packets lost behind the capture point",          \
      "Packets passed here, and the receiver asked for them again or never acknowledged them: "    \
      "they were lost between the capture point and the receiver, or the answer was. An estimate.",\
      "Read the drop counters from the capture point to the receiver, and the receiver's own.")    \
    X(ANSWER_LOST, "answer-lost", WARNING, "Acknowledgements lost behind the capture point",       \
      "A sender went back to what had been acknowledged here: the acknowledgement was lost "       \
      "between the capture point and that sender, or came too late. The packets themselves had "   \
      "arrived.",                                                                                  \
      "Read the drop counters from the capture point back to the sender, and the sender's own.")   \
    X(CM_ANSWER_LOST, "cm-answer-lost", WARNING, "Answers to set-up or teardown lost",              \
      "A request to connect or to disconnect was repeated although its answer had come past the "  \
      "capture point long before: that got lost on its way back to the one who asked.",            \
      "Read the drop counters from the capture point to the host that asked, management packets "  \
      "included.")                                                                                 \
    X(UC_LOSS, "uc-loss", WARNING, "Messages lost on an unreliable connection",                    \
      "Packets of an unreliable connection are missing. Nobody sends them again: the messages "    \
      "that they belong to are gone.",                                                             \
      "Read the drop counters up to the capture point; only the program can repeat messages.")     \
    X(RNR_TIMER_LONGEST, "rnr-timer-longest", WARNING, "RNR timer of 655.36 ms",                   \
      "Receiver-not-ready answers carry timer code 0. It reads like none, but it is the longest "  \
      "there is: each refusal stops the sender for 655.36 ms.",                                    \
      "Set the receiver's min_rnr_timer to a small code, for example 1 (10 us).")                  \
    X(RNR_STALL, "rnr-stall", WARNING, "Receiver not ready",                                       \
      "The receiver had no receive buffer posted and sent the requester away. Each time the "      \
      "sender waits for the timer in the answer and goes back.",                                   \
      "Make the receiver post more receives, earlier; check its min_rnr_timer.")                   \
    X(TIMEOUT_RECOVERY, "timeout-recovery", WARNING, "Resent only after a timeout",                \
      "Nothing told the sender of a loss, so it waited until its acknowledgement timeout ran out. "\
      "Such stalls are a thousand times longer than a recovery by NAK.",                           \
      "Find the loss first; then compare the measured timer with the configured one.")             \
    X(NAK_NOT_FOLLOWED, "nak-not-followed", WARNING, "NAK that nobody followed",                   \
      "A receiver asked for a packet again, and it did not go out again to the end of the capture, "\
      "100 ms or more later: the NAK was lost behind the capture point, or the sender hangs. The "\
      "packet itself is missing at the receiver.",                                                 \
      "Capture at the sender: does the NAK arrive? If so, look at its queue pair and its adapter.")\
    X(NEVER_ANSWERED, "never-answered", WARNING, "Requests without an answer",                     \
      "Requests that ask for an answer got none to the end of the capture, a second or more "      \
      "later, and were not sent again: the connection hangs, or one of its ends is gone.",         \
      "Are both queue pairs still there, and in which state? Capture at the peer, too.")           \
    X(CREDITS_AT_ZERO, "credits-at-zero", WARNING, "No credits left",                              \
      "A port of an InfiniBand link had no credits on a virtual lane: it could send nothing "      \
      "until the other port took packets.",                                                        \
      "Look at the receiving side of this link, then follow the congestion towards its "           \
      "root.")                                                                                     \
    X(ZERO_WINDOW, "tcp-zero-window", WARNING, "TCP receiver took nothing",                        \
      "A host closed its TCP window: its iWARP side did not take data for a while, so the "        \
      "sender had to wait.",                                                                       \
      "Look at the load of that host and at its receive buffers.")                                 \
    X(PFC_PAUSE, "pfc-pause", NOTE, "Port paused its link partner",                                \
      "A port was about to run out of buffer and stopped its link partner: a host that is slow "   \
      "to receive, or a switch whose way on is full or paused itself. Short pauses are what PFC "  \
      "is for; long ones are congestion that ECN should have prevented.",                          \
      "Why can't that port take more? Compare its ECN thresholds with its PFC thresholds.")        \
    X(CE_WITHOUT_CNP, "ce-without-cnp", WARNING, "Congestion marks without CNP",                   \
      "Packets arrive with a CE mark, and the receiver never sends a CNP: the sender does "        \
      "not learn of the congestion.",                                                              \
      "Switch the notification point on at the receiver (roce_np, for the priority of this "       \
      "traffic).")                                                                                 \
    X(CNP_WITHOUT_EFFECT, "cnp-without-effect", WARNING, "CNPs without effect",                    \
      "The sender is told to slow down and goes on as fast as before: its reaction point is "      \
      "off, or it is at its lowest rate already.",                                                 \
      "Switch the reaction point on at the sender (roce_rp, for the priority of this "             \
      "traffic).")                                                                                 \
    X(INCAST, "incast", NOTE, "Many senders at once",                                              \
      "Several hosts sent to one destination within 100 us. Their sum can exceed its link: "       \
      "queues, marks, pauses or loss follow.",                                                     \
      "Spread the senders in time, or give the destination a faster link.")                        \
    X(CONGESTION_MARKS, "congestion-marks", NOTE, "Data marked by congestion",                     \
      "Switches mark packets with CE when their queue grows beyond a threshold. Some marks "       \
      "are how ECN works; many are lasting congestion.",                                           \
      "Find which senders share the destination; check that CNPs make them slow down.")            \
    X(AMPLIFICATION, "go-back-n-amplification", WARNING, "Go-back-N amplification",                \
      "For each lost packet the sender repeated many that had arrived: go-back-N starts again at " \
      "the lost one. The more data is in flight, the dearer a loss is.",                           \
      "Stop the loss; else less data in flight, or adapters that repeat selectively.")             \
    X(RETRANSMISSION_SHARE, "retransmission-share", WARNING, "Large share sent again",             \
      "A considerable part of what this side sent are copies of what it had sent before.",         \
      "Its story (flows --connection) names the cause of each round.")                             \
    X(SPURIOUS, "spurious-retransmission", WARNING, "Sent again for nothing",                      \
      "Packets were repeated that the receiver had acknowledged already, before they were "        \
      "repeated: the acknowledgement was lost or late, or the timeout is too short.",              \
      "Compare the acknowledgement timeout with the round trip.")                                  \
    X(CNP_ON_DATA_PRIORITY, "cnp-on-data-priority", WARNING, "CNPs on the priority of the data",   \
      "CNPs wait in the same queues as the data whose congestion they report, and are "            \
      "paused with it.",                                                                           \
      "Give CNPs a priority of their own, the highest (DSCP 48 by default).")                      \
    X(PRIORITY_CHANGES, "priority-changes", WARNING, "Priority changes within a stream",           \
      "Packets of one kind and one stream carry different DSCP or PCP values: some of them "       \
      "are in the wrong class, perhaps a lossy one.",                                              \
      "Compare the traffic class settings of the sender (cma_roce_tos, trust mode).")              \
    X(MIXED_PRIORITY, "mixed-priority", WARNING, "The two directions differ in priority",          \
      "Both sides of a connection send data, and not on the same priority: one of them is "        \
      "not configured as the other.",                                                              \
      "Compare DSCP, PCP and trust mode of both hosts.")                                           \
    X(LOW_ENTROPY, "low-path-entropy", WARNING, "Few source ports: few paths",                     \
      "Many queue pairs between two hosts use few UDP source ports. Switches choose the "          \
      "path by them, so this traffic shares a path while others are idle.",                        \
      "Let the adapter choose the source port by queue pair (flow label, "                         \
      "roce_qp_udp_sport).")                                                                       \
    X(SECOND_SOURCE_MAC, "second-source-mac", WARNING, "One address, two MAC addresses",           \
      "Packets of one stream come from a second MAC address: a failover, a duplicate IP "          \
      "address, or somebody who forges packets.",                                                  \
      "See which host owns the second MAC address.")                                               \
    X(CRC_OFF, "mpa-crc-off", WARNING, "No CRC on a path that loses data",                         \
      "The CRC of MPA is not in use, and segments are lost on the way. The checksum of TCP "       \
      "alone does not find all damage.",                                                           \
      "Switch CRCs on, unless both hosts are on one trusted link.")                                \
    X(CNP_TOO_CLOSE, "cnp-too-close", NOTE, "CNPs very close together",                            \
      "CNPs for one connection are less than 4 us apart. A notification point should send "        \
      "one per 50 us or so; more of them cost bandwidth and slow the sender too far.",             \
      "Check min_time_between_cnps of the receiver.")                                              \
    X(REORDERING, "reordering-without-loss", NOTE, "Reordering without loss",                      \
      "Packets overtook each other, none was lost, none was sent again: adaptive routing or "      \
      "several paths, and adapters that cope with it.",                                            \
      "Nothing to repair; if it is a surprise, look for a second path.")                           \
    X(PATH_CHANGE, "path-change", NOTE, "The way has changed",                                     \
      "The TTL or hop limit of a stream changes: its packets take ways of different length.",      \
      "Compare the time with routing changes, link failures and losses.")                          \
    X(CNP_WITHOUT_CE, "cnp-without-ce", NOTE, "CNPs without a mark",                               \
      "CNPs came for data that had no CE mark here: the mark is set behind this place, or the "    \
      "CNP has another reason.",                                                                   \
      "Capture at the receiver to see the marks.")                                                 \
    X(HOLES_OPEN, "missing-at-the-end", NOTE, "Still missing at the end",                          \
      "Packets that were lost had not been sent again when the capture ended.",                    \
      "Capture longer, or look whether the connection died.")                                      \
    X(NETWORK_COPIES, "duplicated-packets", NOTE, "Copied packets",                                \
      "Some packets are here twice, bit by bit: the network or the mirror copied them.",           \
      "Look for a loop or a mirror that sees the packets at two places.")                          \
    X(FILES_OVERLAP, "files-overlap", WARNING, "Files of the same time",                           \
      "A file begins before another one in front of it has ended: two captures of the same time, " \
      "or one file twice. They were read one behind the other, so that what was sent once looks "  \
      "sent again. Resends, losses, timeouts and times tell nothing here.",                        \
      "Look at each file by itself, or merge them by time first (mergecap -w BOTH FILE FILE).")    \
    X(CAPTURE_INCOMPLETE, "capture-incomplete", WARNING, "The capture missed packets",             \
      "Packets were delivered that are not here: they were acknowledged, or the capture says "     \
      "itself that it dropped some. What looks like a loss may be one of the capture.",            \
      "Capture with larger buffers, a filter or a shorter snap length.")                           \
    X(CAPTURE_DUPLICATED, "capture-duplicated", WARNING, "Everything is captured twice",           \
      "Most packets are here two times: the mirror copies both the ingress and the egress. "       \
      "Copies are left out of the verdicts, but counts and rates of packets are doubled.",         \
      "Mirror one direction of each port only.")                                                   \
    X(TIME_DISORDER, "time-disorder", NOTE, "Time stamps run backwards",                           \
      "Packets are older than those before them. The analysis follows the order of the file; "     \
      "times across such places are wrong by that much.",                                          \
      "Capture with one queue, or sort by time (reordercap) when the stamps can be trusted.")      \
    X(DIRECTIONS_OUT_OF_STEP, "directions-out-of-step", NOTE,                                      \
      "The directions were recorded out of step",                                                  \
      "Acknowledgements come before the packets that they acknowledge, which are right behind. "   \
      "So the two directions were recorded by different queues, ports or clocks: nothing is "      \
      "missing, but times from one direction to the other (round trips, delays of answers) are "   \
      "wrong by that much at least, and whether a resend was needless can't be told.",             \
      "Capture both directions with one queue; set the clocks of the ports or hosts by PTP.")      \
    X(TIMES_MISSING, "times-missing", NOTE, "Packets without a time",                              \
      "The file has no time for some packets (simple packet blocks of pcapng). Times, durations "  \
      "and rates that would be computed from them are unknown; where the story of a connection "   \
      "names some, these packets count as being as old as the one before.",                        \
      "Capture into pcap, or into pcapng with enhanced packet blocks.")                            \
    X(IMPOSSIBLE_RECORDS, "impossible-records", NOTE, "Records that say what can't be",            \
      "The file says what can't be: a time before 1970 or after 2116, a second or more behind "    \
      "the point of a time, more captured bytes than there were, an option that does not fit "     \
      "into its block. What could be read counts as it stands.",                                   \
      "Look at these frames; the program that wrote the file, or the disk it was on, is "          \
      "at fault.")                                                                                 \
    X(ICRC_UNUSABLE, "icrc-unusable", NOTE, "ICRCs tell nothing",                                  \
      "Nearly all ICRCs of a sender at an interface are wrong: the packets were rewritten, made "   \
      "by hand, or captured before the adapter filled it in. Damage can't be told here.",          \
      "Capture behind the adapter, at a mirror port.")                                             \
    X(CAPTURE_TRUNCATED, "capture-truncated", NOTE, "Packets are cut",                             \
      "Packets were not captured whole. ICRCs of cut packets are not checked, and headers may be " \
      "missing.",                                                                                  \
      "Capture at least 128 bytes a packet for headers, all of it for ICRCs.")                     \
    X(ONE_WAY, "one-way", NOTE, "One direction only",                                              \
      "Of some connections only one direction is here. What the other side said is unknown: "      \
      "acknowledgements, NAKs, round trips, losses behind the capture point.",                     \
      "Mirror both directions; check for asymmetric paths.")                                       \
    X(MIDFLOW_START, "mid-flow-start", NOTE, "Connections that were running already",              \
      "The capture began after these connections did. Set-up, path MTU and earlier losses are "    \
      "unknown.",                                                                                  \
      "Nothing, unless the set-up matters: then capture earlier.")                                 \
    X(LIMITS_REACHED, "limits-reached", WARNING, "Not all of it was followed",                     \
      "The capture holds more connections or losses than are kept in memory. Packets beyond the "  \
      "limits are counted, but not judged.",                                                       \
      "Look at a part: --bpf with the hosts in question.")                                         \
    X(NOT_ECT, "not-ect", NOTE, "Data that can't be marked",                                       \
      "RoCEv2 data is sent as Not-ECT: a switch can't mark it, so it fills its buffer and then "   \
      "pauses or drops.",                                                                          \
      "Switch ECN on at the sender (notification and reaction point, traffic class).")             \
    X(DEFAULT_PRIORITY, "default-priority", NOTE, "Data on the default priority",                  \
      "RoCE data carries no priority: DSCP 0 or none, PCP 0 or no tag. It shares queues "          \
      "with all other traffic, and PFC for a priority does not protect it.",                       \
      "Set a traffic class for RDMA at the hosts, and trust it at the switches.")                  \
    X(ROCEV1_PRESENT, "rocev1-present", NOTE, "RoCEv1 is in use",                                  \
      "RoCEv1 has no IP header: it can't be routed, can't be marked with ECN, and no switch "      \
      "spreads it over paths.",                                                                    \
      "Choose a RoCEv2 GID index on both sides.")
/* clang-format on */

#endif
