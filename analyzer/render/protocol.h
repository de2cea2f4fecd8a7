/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a packet is, in a word, also when it is none of ours: "RoCEv2", "TCP", "ARP", "other".
 */
#ifndef RENDER_PROTOCOL_H
#define RENDER_PROTOCOL_H

#include <stddef.h>

#include "rdc/packet.h"

/* A static string */
const char *protocol_name(const struct rdc_packet *pkt);
/* The same of what is no RDMA (PFC and PAUSE are none); NULL where it is. */
static inline const char *protocol_beside_rdma(const struct rdc_packet *pkt)
{
    return pkt->transport == RDC_TRANSPORT_NONE || pkt->transport == RDC_TRANSPORT_MACCTRL
               ? protocol_name(pkt)
               : NULL;
}

#endif
