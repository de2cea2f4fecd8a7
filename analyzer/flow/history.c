/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings of seen PSNs (see history.h).
 */
#include "flow/history.h"

static void grow(struct history *h, uint32_t size, struct flow_arena *arena)
{
    struct history old = *h;
    struct seen *slots = flow_arena_new(arena, size * sizeof(*slots));

    if (slots == NULL)
        return;
    h->slots = slots;
    h->mask = size - 1;
    for (uint32_t i = 0; old.slots != NULL && i <= old.mask; i++)
        if (old.slots[i].copies != 0)
            slots[old.slots[i].tag & h->mask] = old.slots[i];
    flow_arena_drop(arena, old.slots, (old.mask + 1) * sizeof(struct seen));
}

struct seen *history_put(struct history *h, int64_t u, int64_t keep, struct flow_arena *arena)
{
    struct seen *slot;
    uint32_t size = h->slots != NULL ? h->mask + 1 : 0;

    if (size == 0) {
        grow(h, HISTORY_FIRST, arena);
    } else if (size < HISTORY_MAX && u - keep >= (int64_t)size) {
        uint32_t wanted = size * 2;

        while (wanted < HISTORY_MAX && u - keep >= (int64_t)wanted)
            wanted *= 2;
        grow(h, wanted, arena);
    }
    if (h->slots == NULL)
        return NULL;
    slot = &h->slots[(uint64_t)u & h->mask];
    if (slot->copies != 0 && (slot->tag - (uint32_t)u) < 1u << 31 && slot->tag != (uint32_t)u)
        return NULL;
    *slot = (struct seen){.tag = (uint32_t)u};
    return slot;
}

void history_done(struct history *h, struct flow_arena *arena)
{
    flow_arena_drop(arena, h->slots, (h->mask + 1) * sizeof(struct seen));
    *h = (struct history){0};
}
