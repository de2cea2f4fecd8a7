/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a packet is, in a word, also when it is none of ours: "RoCEv2", "TCP", "ARP", "other".
 */
#ifndef RENDER_PROTOCOL_H
#define RENDER_PROTOCOL_H

struct rdc_packet;

/* A static string */
const char *protocol_name(const struct rdc_packet *pkt);

#endif
