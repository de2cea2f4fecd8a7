/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * READ-like requests of a requester (see reads.h).
 */
#include "flow/reads.h"

#include <string.h>

enum {
    FIRST_ROOM = 1,
    KEPT = 64, /* answered requests that are remembered at the least, half of them at times */
};

/* How many of the oldest are forgotten, so many at once that adding stays cheap. Answers come in
 * order: where one was seen, those before it came, or will not be asked for again. */
static uint32_t to_forget(const struct reads *reads)
{
    if (reads->count >= KEPT && reads->list[reads->count / 2 - 1].answered)
        return reads->count / 2;
    return reads->count >= READS_MAX ? READS_MAX / 4 : 0;
}

static bool make_room(struct reads *reads, struct flow_arena *arena)
{
    struct read_request *list;
    uint32_t forgotten;

    if (reads->count < reads->room)
        return true;
    forgotten = to_forget(reads);
    if (forgotten > 0) {
        reads->count -= forgotten;
        memmove(reads->list, reads->list + forgotten, reads->count * sizeof(*reads->list));
        return true;
    }
    list =
        flow_arena_room(arena, reads->list, sizeof(*list), reads->count, &reads->room, FIRST_ROOM);
    if (list == NULL)
        return false;
    reads->list = list;
    return true;
}

/* Whether it is the first that ends behind u */
static bool is_first_behind(const struct reads *reads, uint32_t at, int64_t u)
{
    return (at == 0 || reads->list[at - 1].end <= u) && reads->list[at].end > u;
}

uint32_t reads_from(const struct reads *reads, int64_t u)
{
    uint32_t low = 0, high = reads->count;

    if (high == 0 || reads->list[high - 1].end <= u)
        return high;
    if (reads->hint < high && is_first_behind(reads, reads->hint, u))
        return reads->hint;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (reads->list[middle].end <= u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct read_request *reads_add(struct reads *reads, const struct read_request *request,
                               struct flow_arena *arena)
{
    uint32_t at;

    if (!make_room(reads, arena))
        return NULL;
    at = reads_from(reads, request->u);
    memmove(&reads->list[at + 1], &reads->list[at], (reads->count - at) * sizeof(*reads->list));
    reads->list[at] = *request;
    reads->count++;
    return &reads->list[at];
}

struct read_request *reads_find(const struct reads *reads, int64_t u)
{
    uint32_t at = reads_from(reads, u);

    return at < reads->count && reads->list[at].u <= u ? &reads->list[at] : NULL;
}

void reads_repeat(struct read_request *read, int64_t u, uint64_t frame, uint32_t round)
{
    read->repeat_u[read->repeats % REPEATS_KEPT] = u;
    read->repeat_frame[read->repeats % REPEATS_KEPT] = frame;
    read->repeats++;
    read->round = round;
}

uint64_t reads_asked_in(const struct read_request *read, int64_t u)
{
    uint32_t kept = read->repeats < REPEATS_KEPT ? read->repeats : REPEATS_KEPT;

    for (uint32_t i = 1; i <= kept; i++)
        if (read->repeat_u[(read->repeats - i) % REPEATS_KEPT] <= u)
            return read->repeat_frame[(read->repeats - i) % REPEATS_KEPT];
    return read->frame;
}

uint32_t reads_repeats(const struct read_request *read, int64_t u)
{
    uint32_t kept = read->repeats < REPEATS_KEPT ? read->repeats : REPEATS_KEPT;
    uint32_t n = 0;

    for (uint32_t i = 0; i < kept; i++)
        n += read->repeat_u[i] <= u;
    return n == kept ? read->repeats : n;
}
