/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of holes (see hole.h).
 */
#include "flow/hole.h"

#include <string.h>

enum {
    FIRST_ROOM = 4,
};

static bool make_room(struct holes *holes, struct flow_arena *arena)
{
    struct hole *list =
        flow_arena_room(arena, holes->list, sizeof(*list), holes->count, &holes->room, FIRST_ROOM);

    if (list == NULL)
        return false;
    holes->list = list;
    return true;
}

static void take_out(struct holes *holes, uint32_t at)
{
    holes->open -= !holes->list[at].not_captured;
    holes->count--;
    memmove(&holes->list[at], &holes->list[at + 1], (holes->count - at) * sizeof(*holes->list));
}

bool holes_add(struct holes *holes, const struct hole *hole, struct hole *given_up,
               struct flow_arena *arena)
{
    bool full = holes->count >= HOLES_MAX;

    if (full) {
        *given_up = holes->list[0];
        take_out(holes, 0);
    }
    if (!make_room(holes, arena)) {
        *given_up = *hole;
        return true;
    }
    holes->list[holes->count++] = *hole;
    holes->open += !hole->not_captured;
    return full;
}

struct hole *holes_find(const struct holes *holes, int64_t u)
{
    uint32_t low = 0, high = holes->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (holes->list[middle].end <= u)
            low = middle + 1;
        else
            high = middle;
    }
    return low < holes->count && holes->list[low].u <= u ? &holes->list[low] : NULL;
}

bool holes_cut(struct holes *holes, struct hole *hole, int64_t u, int64_t end,
               struct flow_arena *arena)
{
    uint32_t at = (uint32_t)(hole - holes->list);
    struct hole rest = *hole;

    if (end >= hole->end && u <= hole->u) {
        take_out(holes, at);
    } else if (end >= hole->end) {
        hole->end = u;
    } else if (u <= hole->u) {
        hole->u = end;
    } else if (holes->count < HOLES_MAX && make_room(holes, arena)) {
        hole = &holes->list[at];
        memmove(hole + 1, hole, (holes->count - at) * sizeof(*hole));
        holes->count++;
        holes->open += !rest.not_captured;
        hole->end = u;
        hole[1].u = end;
    } else {
        hole->end = u;
        return false;
    }
    return true;
}

void holes_done(struct holes *holes, struct flow_arena *arena)
{
    flow_arena_drop(arena, holes->list, holes->room * sizeof(*holes->list));
    *holes = (struct holes){0};
}
