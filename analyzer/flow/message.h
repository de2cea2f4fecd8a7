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
    int64_t next;   /* PSN that continues it */
    bool whole;     /* its packets came without a gap */
};

/* One that begins or ends a message, which m->bytes, next and whole tell of already */
void message_edge(struct messages *m, struct flow_arena *arena, struct flow_counters *c,
                  struct flow_times *times, const struct rdc_packet *pkt, int64_t u, int64_t end);

/* A request packet seen for the first time; `end` is behind its last PSN. */
static inline void message_packet(struct messages *m, struct flow_arena *arena,
                                  struct flow_counters *c, struct flow_times *times,
                                  const struct rdc_packet *pkt, int64_t u, int64_t end)
{
    uint8_t position = rdc_opcode_table[pkt->ib.bth.opcode].position;
    bool begins = rdc_position_begins(position);

    m->whole = begins || (m->whole && m->next == u);
    m->bytes = (begins ? 0 : m->bytes) + pkt->ib.payload_size;
    m->next = end;
    if (position != RDC_POS_MIDDLE)
        message_edge(m, arena, c, times, pkt, u, end);
}

/* All PSNs below `acked` are acknowledged at time_ns. */
void message_acked(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                   int64_t acked, int64_t time_ns);
/* The last response to the READ or atomic request at PSN u came. */
void message_answered(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                      int64_t u, int64_t time_ns);
void message_reset(struct messages *m);

#endif
