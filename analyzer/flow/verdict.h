/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the request and the response machine share: holes that open and close, exact copies, and
 * what is learned about a connection on the way.
 */
#ifndef FLOW_VERDICT_H
#define FLOW_VERDICT_H

#include "flow/stream.h"

/* Opens the hole [u, end) at this packet and reports the gap. */
void hole_open(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
               struct holes *holes, int64_t u, int64_t end);
/* Closes [u, end) of a hole and reports how. `pkt` may be NULL: the capture ended. */
uint64_t hole_close(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                    struct holes *holes, struct hole *hole, int64_t u, int64_t end,
                    enum flow_hole_end as, bool certain);
/* A hole that is still open at the end, but counts as no loss */
void hole_forgive(struct flow_engine *e, struct stream *s, struct hole *hole);
/* All holes that are still open at the end: covered ones were delivered, others are lost or open.
 */
void holes_finish(struct flow_engine *e, struct stream *s, struct holes *holes, int64_t acked,
                  enum flow_hole_end as);

/* Fills a slot of the history: PSN u was seen. */
void seen_first(struct seen *seen, const struct rdc_packet *pkt, int64_t u, uint8_t flags);
void seen_again(struct flow_engine *e, struct history *h, struct seen *seen,
                const struct rdc_packet *pkt);
/* Frame of the earlier copy that this packet exactly repeats, or 0 when it is a resend. `pending`:
 * something explains a resend. */
uint64_t copied_frame(struct flow_engine *e, const struct stream *s, const struct rdc_packet *pkt,
                      const struct history *h, struct seen *seen, bool pending);
void duplicate(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
               uint64_t original_frame);

/* The packet is a late original: counts and reports it. `hole`: the one that it fills, or NULL. */
void late_original(struct flow_engine *e, struct stream *s, const struct rdc_packet *pkt,
                   const struct hole *hole);

/* The path MTU of the stream's connection became known. */
void stream_pmtu(struct flow_engine *e, struct stream *s, uint32_t pmtu);

#endif
