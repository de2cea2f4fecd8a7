/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of a requester: which are complete, how long until they were acknowledged.
 */
#ifndef FLOW_MESSAGE_H
#define FLOW_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/arena.h"
#include "flow/flow.h"

enum {
    /* Unacknowledged messages that are timed. An acknowledgement looks at those before it, and a
     * message that begins before others moves them: at most a microsecond. */
    MESSAGES_MAX = 1024,
};

#define MESSAGE_BROKEN INT64_MIN

struct message {
    int64_t u;   /* first packet seen */
    int64_t end; /* behind its last PSN; INT64_MAX: not known yet */
    int64_t start_ns;
    bool answered_by_data; /* READ or atomic: done when its last response comes */
};

struct messages {
    struct message *list; /* of the arena, sorted by u */
    uint32_t count;
    uint32_t room;
    uint64_t bytes; /* of the message that is being sent */
    int64_t next;   /* PSN that continues it; MESSAGE_BROKEN: its packets came with a gap */
};

/* A request packet seen for the first time */
struct message_packet {
    int64_t u, end; /* its PSN; behind its last one */
    int64_t time_ns;
    uint32_t read_length; /* DMALen of a READ */
    bool has_length;      /* it is known */
    uint8_t opcode;
};

static inline struct message_packet message_packet_of(const struct rdc_packet *pkt, int64_t u,
                                                      int64_t end)
{
    bool has_length = rdc_opcode_table[pkt->ib.bth.opcode].operation == RDC_OP_READ &&
                      (pkt->ib.ext.present & RDC_EXT_RETH) != 0;

    return (struct message_packet){.u = u,
                                   .end = end,
                                   .time_ns = pkt->time_ns,
                                   .read_length = has_length ? pkt->ib.ext.reth.length : 0,
                                   .has_length = has_length,
                                   .opcode = pkt->ib.bth.opcode};
}

/* Adds it to the message that is being sent. Returns whether it begins or ends one, which
 * message_edge() has to be told then. */
static inline bool message_adds(struct messages *m, int64_t u, int64_t end, uint32_t payload_size,
                                uint8_t opcode)
{
    uint8_t position = rdc_opcode_table[opcode].position;
    bool begins = rdc_position_begins(position);

    m->bytes = (begins ? 0 : m->bytes) + payload_size;
    m->next = begins || m->next == u ? end : MESSAGE_BROKEN;
    return position != RDC_POS_MIDDLE;
}

void message_edge(struct messages *m, struct flow_arena *arena, struct flow_counters *c,
                  struct flow_times *times, const struct message_packet *p);

/* All PSNs below `acked` are acknowledged at time_ns. `times`: NULL: it is not known when. */
void message_acked(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                   int64_t acked, int64_t time_ns);
/* The last response to the READ or atomic request at PSN u came. */
void message_answered(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                      int64_t u, int64_t time_ns);
/* At the begin, and where PSNs begin anew */
void message_reset(struct messages *m);

#endif
