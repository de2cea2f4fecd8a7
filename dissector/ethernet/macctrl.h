/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RDC_ETHERNET_MACCTRL_H
#define RDC_ETHERNET_MACCTRL_H

#include "rdc/packet.h"
#include "rdc/wire.h"

/* Decodes a MAC control frame; `cur` stands behind the ethertype. Sets kind, transport and `pause`
 * for PFC and PAUSE, a refusal for any other opcode, and notes. */
enum rdc_status rdc_macctrl_decode(struct rdc_cursor *cur, struct rdc_packet *pkt);

#endif
