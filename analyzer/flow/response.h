/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The answers of a reliable stream to its peer's requests (IBTA vol. 1, 9.7.5): acknowledgements,
 * NAKs, READ responses and their own gaps and resends.
 */
#ifndef FLOW_RESPONSE_H
#define FLOW_RESPONSE_H

#include "flow/stream.h"

/* A response with data that was not seen before */
struct response {
    int64_t u; /* its PSN */
    uint64_t frame;
    int64_t time_ns;
    uint32_t print;
    uint16_t id;
    uint8_t flags; /* enum seen_flag */
};

/* Remembers an answer to the requests of s. */
void response_first(struct flow_engine *e, const struct stream *s, struct responder *p,
                    const struct response *x);
/* The last packet of an answer to a READ or atomic request of s, at PSN a, if it reaches its end */
void response_ends(struct flow_engine *e, struct stream *s, struct read_request *read, int64_t a,
                   int64_t time_ns);
/* A response packet of RC or XRC that stream t sent */
void response_packet(struct flow_engine *e, struct stream *t, const struct rdc_packet *pkt);
/* An acknowledgement of PSN u of the stream's requests came: perhaps a sample of the round trip */
void response_rtt(struct flow_engine *e, struct stream *s, int64_t time_ns, int64_t u);
/* t got another peer, or a new epoch began: its PSNs mean something else now. */
void response_restart(struct flow_engine *e, struct stream *t);
void response_finish(struct flow_engine *e, struct stream *t);

#endif
