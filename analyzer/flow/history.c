/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings of seen PSNs (see history.h).
 */
#include "flow/history.h"

#include <string.h>

static void move(struct history *h, const struct history *old, uint32_t from)
{
    const struct seen *slot = &old->slots[from];
    uint32_t to = history_place(h, slot->tag);

    h->slots[to] = *slot;
    if ((slot->flags & SEEN_MORE) == 0)
        return;
    if (h->more != NULL)
        h->more[to] = old->more[from];
    else
        h->slots[to].flags &= (uint8_t) ~(SEEN_MORE | SEEN_UNCERTAIN);
}

static void drop(const struct history *h, struct flow_arena *arena)
{
    flow_arena_drop(arena, h->slots, h->room * sizeof(*h->slots));
    flow_arena_drop(arena, h->more, h->room * sizeof(*h->more));
}

/* The highest place of what is in `old`; *stay: all keep theirs */
static uint32_t last_place(const struct history *h, const struct history *old, bool *stay)
{
    uint32_t last = 0;

    *stay = true;
    for (uint32_t i = 0; i < old->room; i++) {
        uint32_t place = history_place(h, old->slots[i].tag);

        if (old->slots[i].copies == 0)
            continue;
        *stay &= place == i;
        last = place > last ? place : last;
    }
    return last;
}

/* Slots when those of before do not reach */
static uint32_t next_room(uint32_t room)
{
    if (room < HISTORY_FIRST)
        return HISTORY_FIRST;
    if (room < HISTORY_SECOND)
        return HISTORY_SECOND;
    return room < HISTORY_THIRD_ROOM ? HISTORY_THIRD_ROOM : room + room / 2;
}

static uint16_t room_for(const struct history *h, uint32_t room, uint32_t last)
{
    while (room <= last)
        room = next_room(room);
    return (uint16_t)(room <= h->mask ? room : h->mask + 1u);
}

/* PSNs, likewise */
static uint32_t next_size(uint32_t size)
{
    if (size < HISTORY_SECOND)
        return HISTORY_SECOND;
    return size < HISTORY_THIRD ? HISTORY_THIRD : size * 2;
}

static void copy(struct history *h, const struct history *old, bool stay)
{
    if (stay && (old->more != NULL) == (h->more != NULL)) {
        if (old->room > 0)
            memcpy(h->slots, old->slots, old->room * sizeof(*h->slots));
        if (old->more != NULL)
            memcpy(h->more, old->more, old->room * sizeof(*h->more));
        return;
    }
    for (uint32_t i = 0; i < old->room; i++)
        if (old->slots[i].copies != 0)
            move(h, old, i);
}

static void grow(struct history *h, int64_t u, uint32_t size, struct flow_arena *arena)
{
    struct history old = *h, new = {.first = old.room > 0 ? old.first : (uint32_t)u,
                                    .mask = (uint16_t)(size - 1)};
    bool stay;
    uint32_t last = last_place(&new, &old, &stay), place = history_place(&new, u);

    new.room = room_for(&new, old.room, place > last ? place : last);
    new.slots = flow_arena_new(arena, new.room * sizeof(*new.slots));
    if (new.slots == NULL)
        return;
    new.more = old.more != NULL ? flow_arena_new(arena, new.room * sizeof(*new.more)) : NULL;
    copy(&new, &old, stay);
    drop(&old, arena);
    *h = new;
}

/* Without memory the ring goes around sooner: newer PSNs take the places of older ones. */
static void halve(struct history *h)
{
    h->mask /= 2;
    for (uint32_t i = h->mask + 1u; i < h->room; i++) {
        const struct seen *slot = &h->slots[i], *older = &h->slots[history_place(h, slot->tag)];

        if (slot->copies != 0 && (older->copies == 0 || slot->tag - older->tag < 1u << 31))
            move(h, h, i);
        h->slots[i].copies = 0;
    }
}

bool history_room(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena)
{
    uint32_t size = h->room == 0 ? HISTORY_FIRST : h->mask + 1u;

    while (size < HISTORY_MAX && u - keep >= (int64_t)size)
        size = next_size(size);
    if (size > h->mask + 1u || history_place(h, u) >= h->room)
        grow(h, u, size, arena);
    while (h->room > 0 && history_place(h, u) >= h->room)
        halve(h);
    return h->room > 0;
}

struct seen *history_put(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena)
{
    struct seen *slot = history_append(h, u, keep, arena);

    if (slot != NULL && slot->copies != 0 && slot->tag != (uint32_t)u &&
        slot->tag - (uint32_t)u < 1u << 31)
        return NULL;
    return slot;
}

struct seen_more *history_add_more(struct history *h, struct seen *slot, struct flow_arena *arena)
{
    struct seen_more *more;

    if ((slot->flags & SEEN_MORE) != 0)
        return history_more(h, slot);
    if (h->more == NULL)
        h->more = flow_arena_new(arena, h->room * sizeof(*h->more));
    if (h->more == NULL)
        return NULL;
    slot->flags |= SEEN_MORE;
    more = &h->more[history_place(h, slot->tag)];
    *more = (struct seen_more){
        .frame = slot->frame, .time_ns = slot->time_ns, .print = slot->print, .id = slot->id};
    return more;
}

void history_done(struct history *h, struct flow_arena *arena)
{
    drop(h, arena);
    *h = (struct history){0};
}
