/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was seen, by PSN: a ring of the latest PSNs of one space. A slot tells the first copy
 * of a packet, and where it came again, the latest. PSNs are unwrapped: 64-bit numbers whose low 24
 * bits are the wire's.
 */
#ifndef FLOW_HISTORY_H
#define FLOW_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/arena.h"

enum {
    /* A ring has room for so many PSNs, one after the other, and then for twice as many. So it has
     * slots, but for the third, and then half as many again. */
    HISTORY_FIRST = 4,
    HISTORY_SECOND = 16,
    HISTORY_THIRD = 64,
    HISTORY_THIRD_ROOM = 48,
    HISTORY_MAX = 16384, /* PSNs remembered of one space at the most */
};

enum seen_flag {
    SEEN_WANTS_ACK = 1 << 0, /* AckReq, or the end of a message: its ACK is a sample of the RTT */
    SEEN_RESENT = 1 << 1,    /* sent again, or itself a resend: no sample (Karn) */
    SEEN_REPEATED = 1 << 2,  /* the latest copy has had its exact duplicate */
    SEEN_UNCERTAIN = 1 << 3, /* its first copy filled a hole, but could be a late original */
    SEEN_MORE = 1 << 4,      /* struct seen_more tells more of it */
    SEEN_SPURIOUS = 1 << 5,  /* SEEN_UNCERTAIN: counted as spurious */
    SEEN_LOST = 1 << 6,      /* SEEN_UNCERTAIN: counted as lost before the tap */
    SEEN_ASKS = 1 << 7,      /* AckReq: the responder has to answer */
};

/* The first copy of a packet: half a cache line, since nearly every packet writes one. */
struct seen {
    uint64_t frame;
    int64_t time_ns;
    uint32_t print; /* fingerprint: headers, UDP source port, ICRC */
    uint32_t tag;   /* low half of the unwrapped PSN */
    uint32_t bytes; /* of requests: payload sent for the first time up to and with it, low half */
    uint16_t id;    /* IPv4 identification */
    uint8_t copies; /* 0: empty slot; stays at 255 */
    uint8_t flags;  /* enum seen_flag */
};

/* Of the few that came again, or may be late originals */
struct seen_more {
    uint64_t frame; /* the latest copy */
    int64_t time_ns;
    uint64_t event; /* SEEN_UNCERTAIN: number of its event */
    uint32_t print;
    uint32_t
        filled_before; /* SEEN_UNCERTAIN: tag of the PSN that filled a hole before, in its round */
    uint16_t id;
    uint16_t round; /* SEEN_UNCERTAIN: low half of the round's number */
    uint16_t size;  /* SEEN_UNCERTAIN: payload bytes; at most 65535 */
};

struct history {
    struct seen *slots;     /* of the arena */
    struct seen_more *more; /* the same, one for each slot; from the first SEEN_MORE on */
    uint32_t first;         /* low half of the PSN whose place is 0 */
    uint16_t mask;          /* places of the ring, a power of two, less 1 */
    uint16_t room;          /* slots: places that no PSN had yet have none, but for a few */
};

/* `u`: a PSN, or its low half */
static inline uint32_t history_place(const struct history *h, int64_t u)
{
    return ((uint32_t)u - h->first) & h->mask;
}

static inline struct seen *history_find(const struct history *h, int64_t u)
{
    uint32_t place = history_place(h, u);
    struct seen *slot;

    if (place >= h->room)
        return 0;
    slot = &h->slots[place];
    return slot->copies != 0 && slot->tag == (uint32_t)u ? slot : 0;
}

/* What more is known of a slot, or NULL */
static inline struct seen_more *history_more(const struct history *h, const struct seen *slot)
{
    /* -fanalyzer: slots that were not found are not asked about */
    return (slot->flags & SEEN_MORE) != 0 ? &h->more[history_place(h, slot->tag)] : 0;
}

static inline uint64_t history_latest_frame(const struct history *h, const struct seen *slot)
{
    /* -fanalyzer: as above */
    return (slot->flags & SEEN_MORE) != 0 ? h->more[history_place(h, slot->tag)].frame
                                          : slot->frame;
}

/* Fills a slot: PSN u was seen, for the first time. `id`: 0: it has none */
static inline void history_set(struct seen *slot, int64_t u, uint64_t frame, int64_t time_ns,
                               uint32_t print, uint16_t id, uint8_t flags)
{
    slot->frame = frame;
    slot->time_ns = time_ns;
    slot->print = print;
    slot->tag = (uint32_t)u;
    slot->bytes = 0;
    slot->id = id;
    slot->copies = 1;
    slot->flags = flags;
}

/* Grows the ring, which is too small for PSNs from `keep` to u, or has no slot for u; false: there
 * is none. */
bool history_room(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena);

/* The slot for PSN u, which is higher than all before; NULL when there is no memory at all. What it
 * held is over: all of struct seen is to be set. The ring is grown first so that PSNs from `keep`
 * on stay, within HISTORY_MAX and what the arena gives. */
static inline struct seen *history_append(struct history *h, int64_t u, int64_t keep,
                                          struct flow_arena *arena)
{
    if (u - keep > (int64_t)h->mask || history_place(h, u) >= h->room)
        if (!history_room(h, u, keep, arena))
            return 0;
    return &h->slots[history_place(h, u)];
}

/* The same for any PSN; NULL, too, when a newer PSN holds the slot */
struct seen *history_put(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena);
/* What more is known of a slot, begun with its first copy when there is nothing yet (SEEN_MORE);
 * NULL when there is no memory. */
struct seen_more *history_add_more(struct history *h, struct seen *slot, struct flow_arena *arena);
void history_done(struct history *h, struct flow_arena *arena);

#endif
