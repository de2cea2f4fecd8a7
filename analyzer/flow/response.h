/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The answers of a reliable stream to its peer's requests (IBTA vol. 1, 9.7.5): acknowledgements,
 * NAKs, READ responses and their own gaps and resends.
 */
#ifndef FLOW_RESPONSE_H
#define FLOW_RESPONSE_H

#include "flow/stream.h"

/* A response packet of RC or XRC that stream t sent */
void response_packet(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt);
/* t got another peer, or a new epoch began: its PSNs mean something else now. */
void response_restart(struct flow_engine *e, struct stream *t);
void response_finish(struct flow_engine *e, struct stream *t);

#endif
