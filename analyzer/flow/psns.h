/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many PSNs a request consumes: a READ as many as its answer has packets (IBTA vol. 1, 9.4.4),
 * every other one.
 */
#ifndef FLOW_PSNS_H
#define FLOW_PSNS_H

#include "flow/stream.h"

/* Requests that are answered with data, one of enum rdc_operation each */
static inline bool psns_is_read_like(uint8_t operation)
{
    const uint32_t all = 1u << RDC_OP_READ | 1u << RDC_OP_CMP_SWAP | 1u << RDC_OP_FETCH_ADD |
                         1u << RDC_OP_FLUSH | 1u << RDC_OP_ATOMIC_WRITE;

    return (all >> operation & 1) != 0;
}

/* Of a READ of so many bytes; 0: unknown */
uint32_t psns_of_length(const struct stream *s, uint32_t length);
/* psns_of() of a READ */
uint32_t psns_of_read(const struct stream *s, const struct rdc_packet *pkt);

/* 0: unknown (a READ whose length or path MTU is not known) */
static inline uint32_t psns_of(const struct stream *s, const struct rdc_packet *pkt)
{
    return rdc_opcode_table[pkt->ib.bth.opcode].operation == RDC_OP_READ ? psns_of_read(s, pkt) : 1;
}

/* The path MTU became known: READs whose PSN count waited for it get it. */
void psns_pmtu_known(struct stream *s);
/* After a READ of unknown PSN count: the next request, PSN u, tells the count, and often the path
 * MTU; not where its identification shows that others went out between. */
void psns_settle(struct flow_engine *e, struct stream *s, int64_t u);

#endif
