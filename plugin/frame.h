/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A frame as Wireshark holds it, decoded by the core: its bytes, link type, time and interface.
 */
#ifndef PLUGIN_FRAME_H
#define PLUGIN_FRAME_H

#include "plugin/compat.h"
#include "rdc/packet.h"

/* False: no packet, or of a link type that the core does not know */
bool frame_decode(tvbuff_t *tvb, const packet_info *pinfo, struct rdc_packet *pkt);
/* As the file names it; NULL: it does not */
const char *frame_interface_name(const packet_info *pinfo);
/* Another file: interfaces are numbered anew */
void frame_interfaces_reset(void);

#endif
