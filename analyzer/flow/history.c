/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings of seen PSNs (see history.h).
 */
#include "flow/history.h"

static void move(struct history *h, const struct history *old, uint32_t from)
{
    const struct seen *slot = &old->slots[from];
    uint32_t to = slot->tag & h->mask;

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
    flow_arena_drop(arena, h->slots, (h->mask + 1) * sizeof(*h->slots));
    flow_arena_drop(arena, h->more, (h->mask + 1) * sizeof(*h->more));
}

static void grow(struct history *h, uint32_t size, struct flow_arena *arena)
{
    struct history old = *h;
    struct seen *slots = flow_arena_new(arena, size * sizeof(*slots));

    if (slots == NULL)
        return;
    h->slots = slots;
    h->mask = size - 1;
    h->more = old.more != NULL ? flow_arena_new(arena, size * sizeof(*h->more)) : NULL;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].copies != 0)
            move(h, &old, i);
    drop(&old, arena);
}

bool history_room(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena)
{
    uint32_t wanted = h->slots == NULL ? HISTORY_FIRST : (h->mask + 1) * 2;

    while (wanted < HISTORY_MAX && u - keep >= (int64_t)wanted)
        wanted *= 2;
    if (wanted <= HISTORY_MAX)
        grow(h, wanted, arena);
    return h->slots != NULL;
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
        h->more = flow_arena_new(arena, (h->mask + 1) * sizeof(*h->more));
    if (h->more == NULL)
        return NULL;
    slot->flags |= SEEN_MORE;
    more = &h->more[slot->tag & h->mask];
    *more = (struct seen_more){
        .frame = slot->frame, .time_ns = slot->time_ns, .print = slot->print, .id = slot->id};
    return more;
}

void history_done(struct history *h, struct flow_arena *arena)
{
    drop(h, arena);
    *h = (struct history){0};
}
