/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every kind of finding, the gravest first: X(NAME, "id", severity, "title", "what it means",
 * "what to look at next"). The order of this list is the order of findings of one severity.
 * docs/findings.md shows each with its packets; a test keeps both lists alike.
 */
#ifndef ANALYSIS_FINDING_LIST_H
#define ANALYSIS_FINDING_LIST_H

/* clang-format off */
#define FINDING_LIST(X)                                                                            \
    X(RETRY_EXHAUSTED, "retry-exhausted", ERROR, "Requester gave up",                              \
      "The same packet went out again and again without an acknowledgement, then the requester "   \
      "fell silent: its retry count ran out and the queue pair is in the error state.",            \
      "Capture at the peer too: was it alive, does anything get through on this path?")            \
    X(RNR_RETRY_EXHAUSTED, "rnr-retry-exhausted", ERROR, "Requester gave up: receiver not ready",  \
      "The receiver refused the same packet each time because no receive buffer was posted, until "\
      "the requester's RNR retry count ran out.",                                                  \
      "See why the receiver posts no receives; rnr_retry 7 would repeat for ever.")                \
    X(REMOTE_ACCESS_ERROR, "remote-access-error", ERROR, "Remote access error",                    \
      "The responder refused a WRITE, READ or atomic: wrong rkey, address out of the region, or "  \
      "missing permission. The connection is dead.",                                               \
      "Compare the request (dump -v) with the region that the responder registered.")              \
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
    X(PFC_STORM, "pfc-storm", ERROR, "PFC storm",                                                  \
      "A port paused its link partner for at least 200 ms without a break, or for more than "      \
      "half of a second. Nothing of that priority moves meanwhile, and the pause spreads "         \
      "backwards through the fabric.",                                                             \
      "Look at the host or port that pauses: a slow receiver, a sick adapter; is a PFC "           \
      "watchdog on?")                                                                              \
    X(ICRC_BAD, "icrc-bad", ERROR, "Damaged packets",                                              \
      "The ICRC of packets is wrong: they were changed on their way although each link's own "     \
      "checksum was right, so a switch or adapter damaged them inside. Receivers drop them.",      \
      "Find what the damaged packets have in common: a switch, an adapter.")                       \
    X(MUTUAL_PAUSE, "mutual-pause", WARNING, "Two ports paused each other",                        \
      "Both ports of a link paused the same priority at once. When this spreads in a "             \
      "circle, nothing moves any more: a deadlock.",                                               \
      "Look for a cycle of buffers: which switches pause whom, and who began?")                    \
    X(LINK_PAUSE, "link-pause", WARNING, "802.3x PAUSE beside RDMA",                               \
      "A PAUSE frame stops all traffic of a link, whatever its priority. Storage, training "       \
      "and management hold each other up.",                                                        \
      "Switch global pause off on both ports, and PFC on for the RDMA priority.")                  \
    X(PFC_PAUSE, "pfc-pause", NOTE, "Ports that paused",                                           \
      "A receiver was about to run out of buffer and stopped its link partner. Short pauses "      \
      "are what PFC is for; long ones are congestion that ECN should have prevented.",             \
      "See who paused first; compare ECN thresholds with PFC thresholds.")                         \
    X(REORDERING_RESENDS, "reordering-with-resends", WARNING, "Reordering, and resends",           \
      "Packets came late, and packets were sent again on the same connection: a receiver that "    \
      "wants order takes late packets for lost ones.",                                             \
      "Where the network reorders (adaptive routing), the adapter must accept it.")                \
    X(LOSS_BEFORE_TAP, "loss-before-tap", WARNING, "Packets lost before the tap",                  \
      "Packets of this sender never came here and were sent again: they were lost between the "    \
      "sender and the place of the capture. The count is a lower bound.",                          \
      "Read the drop counters from the sender to the tap, by priority.")                           \
    X(LOSS_AFTER_TAP, "loss-after-tap", WARNING, "Packets lost behind the tap",                    \
      "Packets passed here, and the receiver asked for them again or never acknowledged them: "    \
      "they were lost between the tap and the receiver, or the answer was. An estimate.",          \
      "Read the drop counters from the tap to the receiver, and the receiver's own.")              \
    X(UC_LOSS, "uc-loss", WARNING, "Messages lost on an unreliable connection",                    \
      "Packets of an unreliable connection are missing. Nobody sends them again: the messages "    \
      "that they belong to are gone.",                                                             \
      "Read the drop counters up to the tap; only the program can repeat messages.")               \
    X(RNR_TIMER_LONGEST, "rnr-timer-longest", WARNING, "RNR timer of 655.36 ms",                   \
      "Receiver-not-ready answers carry timer code 0. It reads like none, but it is the longest "  \
      "there is: each refusal stops the sender for 655.36 ms.",                                    \
      "Set the receiver's min_rnr_timer to a small code, for example 1 (10 us).")                  \
    X(RNR_STALL, "rnr-stall", WARNING, "Receiver not ready",                                       \
      "The receiver had no receive buffer posted and sent the requester away. Each time the "      \
      "sender waits for the timer in the answer and goes back.",                                   \
      "Make the receiver post more receives, earlier; check its min_rnr_timer.")                   \
    X(TIMEOUT_RECOVERY, "timeout-recovery", WARNING, "Recovery by timeout",                        \
      "Nothing told the sender of a loss, so it waited until its acknowledgement timeout ran out. "\
      "Such stalls are a thousand times longer than a recovery by NAK.",                           \
      "Find the loss first; then compare the measured timer with the configured one.")             \
    X(AMPLIFICATION, "go-back-n-amplification", WARNING, "Go-back-N amplification",                \
      "For each lost packet the sender repeated many that had arrived: go-back-N starts again at " \
      "the lost one. The more data is in flight, the dearer a loss is.",                           \
      "Stop the loss; else use selective repeat, or less data in flight.")                         \
    X(RETRANSMISSION_SHARE, "retransmission-share", WARNING, "Large share sent again",             \
      "A considerable part of what this side sent are copies of what it had sent before.",         \
      "Its story (flows --connection) names the cause of each round.")                             \
    X(SPURIOUS, "spurious-retransmission", WARNING, "Sent again for nothing",                      \
      "Packets were repeated that the receiver had acknowledged already, before they were "        \
      "repeated: the acknowledgement was lost or late, or the timeout is too short.",              \
      "Compare the acknowledgement timeout with the round trip.")                                  \
    X(REORDERING, "reordering-without-loss", NOTE, "Reordering without loss",                      \
      "Packets overtook each other, none was lost, none was sent again: adaptive routing or "      \
      "several paths, and adapters that cope with it.",                                            \
      "Nothing to repair; if it is a surprise, look for a second path.")                           \
    X(HOLES_OPEN, "missing-at-the-end", NOTE, "Still missing at the end",                          \
      "Packets that were lost had not been sent again when the capture ended.",                    \
      "Capture longer, or look whether the connection died.")                                      \
    X(NETWORK_COPIES, "duplicated-packets", NOTE, "Copied packets",                                \
      "Some packets are here twice, bit by bit: the network or the mirror copied them.",           \
      "Look for a loop or a mirror that sees the packets at two places.")                          \
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
    X(ICRC_UNUSABLE, "icrc-unusable", NOTE, "ICRCs tell nothing",                                  \
      "Nearly all ICRCs of an interface are wrong: the packets were rewritten, made by hand, or "  \
      "captured before the adapter filled it in. Damage can't be told here.",                      \
      "Capture behind the adapter, at a mirror port.")                                             \
    X(CAPTURE_TRUNCATED, "capture-truncated", NOTE, "Packets are cut",                             \
      "Packets were not captured whole. ICRCs of cut packets are not checked, and headers may be " \
      "missing.",                                                                                  \
      "Capture at least 128 bytes a packet for headers, all of it for ICRCs.")                     \
    X(ONE_WAY, "one-way", NOTE, "One direction only",                                              \
      "Of some connections only one direction is here. What the other side said is unknown: "      \
      "acknowledgements, NAKs, round trips, losses behind the tap.",                               \
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
    X(ROCEV1_PRESENT, "rocev1-present", NOTE, "RoCEv1 is in use",                                  \
      "RoCEv1 has no IP header: it can't be routed, can't be marked with ECN, and no switch "      \
      "spreads it over paths.",                                                                    \
      "Choose a RoCEv2 GID index on both sides.")
/* clang-format on */

#endif
