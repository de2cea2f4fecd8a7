/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * UC streams (IBTA vol. 1, 9.8): a gap is a loss, nothing is sent again.
 */
#ifndef FLOW_UNRELIABLE_H
#define FLOW_UNRELIABLE_H

#include "flow/stream.h"

void unreliable_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt);
void unreliable_finish(struct flow_engine *e, struct stream *s);

#endif
