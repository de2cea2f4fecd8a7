/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The request PSN space of a reliable stream (IBTA vol. 1, 9.7): gaps, resends, late originals,
 * copies.
 */
#ifndef FLOW_REQUEST_H
#define FLOW_REQUEST_H

#include "flow/stream.h"

/* The stream's requester, made when it has none; NULL when memory is refused. */
struct requester *request_state(struct flow_engine *e, struct stream *s);
/* A request packet of RC or XRC */
void request_packet(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt);
/* request_acked.c: the peer acknowledged all PSNs below `acked` (`covered`: as far as a NAK implies
 * it). */
void request_acked(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                   int64_t acked, int64_t covered);
/* A new epoch: forgets PSNs, keeps counters. */
void request_restart(struct flow_engine *e, struct stream *s);
/* No more packets come. `end_ns`: time of the capture's last packet. */
void request_finish(struct flow_engine *e, struct stream *s);

#endif
