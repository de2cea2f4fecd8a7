/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Messages of a requester (see message.h).
 */
#include "flow/message.h"

#include <string.h>

#include "flow/psns.h"

/* The oldest will hardly be acknowledged any more: the capture missed how they ended. */
static void give_up_oldest(struct messages *m)
{
    m->count -= MESSAGES_MAX / 4;
    memmove(m->list, m->list + MESSAGES_MAX / 4, m->count * sizeof(*m->list));
}

/* Index of the first one that begins behind PSN u; mostly there is none */
static uint32_t first_behind(const struct messages *m, int64_t u)
{
    uint32_t low = 0, high = m->count;

    if (high == 0 || m->list[high - 1].u <= u)
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (m->list[middle].u <= u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void begin(struct messages *m, struct flow_arena *arena, int64_t u, int64_t time_ns,
                  bool data)
{
    struct message *list;
    uint32_t at;

    if (m->count == MESSAGES_MAX)
        give_up_oldest(m);
    list = flow_arena_room(arena, m->list, sizeof(*list), m->count, &m->room, 2);
    if (list == NULL)
        return;
    m->list = list;
    at = first_behind(m, u);
    memmove(&m->list[at + 1], &m->list[at], (m->count - at) * sizeof(*m->list));
    m->list[at] = (struct message){u, INT64_MAX, time_ns, data};
    m->count++;
}

static void end_at(struct messages *m, int64_t u, int64_t end)
{
    uint32_t i = first_behind(m, u);

    if (i > 0 && m->list[i - 1].end == INT64_MAX)
        m->list[i - 1].end = end;
}

/* Bytes of a message are known when all its packets came in order, or at once from its RETH. */
static void measure(struct messages *m, struct flow_arena *arena, struct flow_counters *c,
                    struct flow_times *times, const struct message_packet *p)
{
    if (m->next == MESSAGE_BROKEN)
        return;
    if (p->has_length)
        m->bytes = p->read_length;
    c->message_bytes += m->bytes;
    if (times != NULL)
        flow_histogram_add(&times->message_size, (int64_t)m->bytes, arena);
}

void message_edge(struct messages *m, struct flow_arena *arena, struct flow_counters *c,
                  struct flow_times *times, const struct message_packet *p)
{
    const struct rdc_opcode_info *op = &rdc_opcode_table[p->opcode];

    if (rdc_position_ends(op->position))
        measure(m, arena, c, times, p);
    if (rdc_position_begins(op->position))
        begin(m, arena, p->u, p->time_ns, psns_is_read_like(op->operation));
    if (rdc_position_ends(op->position)) {
        c->messages[op->operation]++;
        end_at(m, p->u, p->end);
    }
}

static void time_one(const struct message *one, struct flow_arena *arena, struct flow_times *times,
                     int64_t time_ns)
{
    if (times != NULL)
        flow_histogram_add(&times->message_latency, time_ns - one->start_ns, arena);
}

/* Takes [from, to) out. */
static void take_out(struct messages *m, uint32_t from, uint32_t to)
{
    memmove(&m->list[from], &m->list[to], (m->count - to) * sizeof(*m->list));
    m->count -= to - from;
}

void message_acked(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                   int64_t acked, int64_t time_ns)
{
    uint32_t kept = 0, i = 0;

    for (; i < m->count && m->list[i].u < acked; i++) {
        if (m->list[i].end <= acked && !m->list[i].answered_by_data)
            time_one(&m->list[i], arena, times, time_ns);
        else if (kept++ < i)
            m->list[kept - 1] = m->list[i];
    }
    if (kept < i)
        take_out(m, kept, i);
}

void message_answered(struct messages *m, struct flow_arena *arena, struct flow_times *times,
                      int64_t u, int64_t time_ns)
{
    for (uint32_t i = first_behind(m, u); i > 0 && m->list[i - 1].u == u; i--) {
        if (m->list[i - 1].answered_by_data) {
            time_one(&m->list[i - 1], arena, times, time_ns);
            take_out(m, i - 1, i);
            return;
        }
    }
}

void message_reset(struct messages *m)
{
    m->count = 0;
    m->next = MESSAGE_BROKEN;
}
