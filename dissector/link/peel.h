/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The two ways through a frame. rdc_decode() tries the first, and takes the second where that says
 * no; a test holds them against each other.
 */
#ifndef RDC_LINK_PEEL_H
#define RDC_LINK_PEEL_H

#include "rdc/packet.h"

/* The plain stack of RoCEv2 headers. False, and nothing is set: the frame is something else. */
bool rdc_plain_decode(const struct rdc_config *config, const struct rdc_input *in,
                      struct rdc_packet *pkt);

/* Any frame, header by header. */
void rdc_peel_decode(const struct rdc_config *config, const struct rdc_input *in,
                     struct rdc_packet *pkt);

#endif
