/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Holes: runs of PSNs that were jumped over, until they are filled or given up. A small sorted
 * list.
 */
#ifndef FLOW_HOLE_H
#define FLOW_HOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/arena.h"

enum {
    /* of one space; beyond them the oldest is given up. A packet that opens or fills one moves the
     * others: at most a microsecond. */
    HOLES_MAX = 1024,
};

struct hole {
    int64_t u; /* first PSN, unwrapped */
    int64_t end;
    uint64_t frame; /* that opened it; 0: not known */
    int64_t time_ns;
    uint64_t packets; /* of the stream, when it opened */
    uint16_t id;      /* IPv4 identification of that frame */
    bool has_id;
    bool nak;          /* a NAK named a PSN in it */
    bool not_captured; /* closed: acknowledged, but kept in case it comes late */
    bool ends_message; /* UC: its last PSN ends a message, since the next one begins one */
};

struct holes {
    uint32_t open; /* those that are not closed */
    uint32_t count;
    struct hole *list; /* of the arena, sorted by u */
    uint32_t room;
};

/* Adds a hole behind all others. When the list is full, the oldest is taken out and returned in
 * *given_up (true); where memory is refused, the new one is. */
bool holes_add(struct holes *holes, const struct hole *hole, struct hole *given_up,
               struct flow_arena *arena);
/* The hole that PSN u is in, or NULL. Valid until the list changes. */
struct hole *holes_find(const struct holes *holes, int64_t u);
/* Cuts [u, end) out of the hole, which may leave none, one or two; false: there is no room for the
 * second, and it is forgotten. */
bool holes_cut(struct holes *holes, struct hole *hole, int64_t u, int64_t end,
               struct flow_arena *arena);
void holes_done(struct holes *holes, struct flow_arena *arena);

#endif
