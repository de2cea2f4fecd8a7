/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the TCP part of the engine finds in one packet after the other, for records of packets.
 */
#ifndef CMD_TCP_FOLLOW_H
#define CMD_TCP_FOLLOW_H

#include "flow/flow.h"
#include "render/packet_record.h"

struct tcp_follow;

struct tcp_follow *tcp_follow_new(void);
/* NULL is accepted */
void tcp_follow_free(struct tcp_follow *t);
/* Takes the record's packet and fills in what its stream tells; the FPDUs are borrowed until the
 * next call. */
void tcp_follow_packet(struct tcp_follow *t, struct packet_record *record);
/* Borrowed */
const struct flow_engine *tcp_follow_engine(const struct tcp_follow *t);

#endif
