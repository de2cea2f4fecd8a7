/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Connections as communication management announces them (IBTA vol. 1, chapter 12): which QPNs
 * belong together, where their PSNs start, and when they end.
 */
#ifndef FLOW_SETUP_H
#define FLOW_SETUP_H

#include "flow/stream.h"

struct cm_table;

/* A management datagram on QP1 */
void setup_packet(struct flow_engine *e, const struct rdc_packet *pkt);
/* A new stream: applies what was announced about it. */
void setup_new_stream(struct flow_engine *e, struct stream *s);
void setup_free(struct cm_table *cm);

#endif
