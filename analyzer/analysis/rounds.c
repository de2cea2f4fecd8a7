/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See rounds.h.
 */
#include "analysis/rounds.h"

#include <glib.h>
#include <string.h>

#define BYTES_MAX ((size_t)64 << 20)

struct rounds {
    struct round_sums *sums; /* of the rounds up to `settled`; NULL: none */
    uint32_t settled;        /* number of the last one */
    uint32_t count, room;
    struct flow_round *waiting; /* `count` that follow */
};

void rounds_free(struct rounds *r)
{
    if (r == NULL)
        return;
    g_free(r->sums);
    g_free(r->waiting);
    g_free(r);
}

static bool take(struct rounds_memory *memory, size_t bytes)
{
    if (bytes > BYTES_MAX - memory->bytes)
        return false;
    memory->bytes += bytes;
    return true;
}

/* Adds the oldest one to the sums. */
static void settle(struct rounds *r, struct rounds_memory *memory)
{
    if (r->sums == NULL && take(memory, sizeof(*r->sums)))
        r->sums = g_try_new0(struct round_sums, 1);
    if (r->sums == NULL)
        return;
    round_sums_add(r->sums, &r->waiting[0]);
    r->settled++;
    r->count--;
    memmove(r->waiting, r->waiting + 1, r->count * sizeof(*r->waiting));
}

static void grow(struct rounds *r, struct rounds_memory *memory)
{
    uint32_t more = MAX(r->room, 1);
    struct flow_round *waiting;

    if (!take(memory, more * sizeof(*r->waiting)))
        return;
    waiting = g_try_renew(struct flow_round, r->waiting, r->room + more);
    if (waiting == NULL)
        return;
    r->room += more;
    r->waiting = waiting;
}

static bool make_room(struct rounds *r, struct rounds_memory *memory)
{
    if (r->count == r->room && r->room < FLOW_ROUNDS_OPEN)
        grow(r, memory);
    if (r->count == r->room && r->count > 0)
        settle(r, memory);
    return r->count < r->room;
}

/* A settled round changes when a NAK proves to be none, after a timeout was learned; or it was
 * settled too soon, for want of memory. */
static void change(struct rounds *r, const struct flow_round *round, struct rounds_memory *memory)
{
    if (r->settled + r->count - round->number < FLOW_ROUNDS_OPEN)
        memory->refused++;
    else
        round_sums_timeout(r->sums, round);
}

/* Rounds of a stream are numbered without holes. */
void rounds_put(struct rounds **rounds, const struct flow_round *round,
                struct rounds_memory *memory)
{
    struct rounds *r = *rounds;

    if (r == NULL && round->number == 1 && take(memory, sizeof(*r)))
        *rounds = r = g_try_new0(struct rounds, 1);
    if (r != NULL && round->number <= r->settled)
        change(r, round, memory);
    else if (r != NULL && round->number <= r->settled + r->count)
        r->waiting[round->number - r->settled - 1] = *round;
    else if (r != NULL && round->number == r->settled + r->count + 1 && make_room(r, memory))
        r->waiting[r->count++] = *round;
    else
        memory->refused++;
}

void rounds_sums(const struct rounds *r, struct round_sums *out)
{
    if (r != NULL && r->sums != NULL)
        *out = *r->sums;
    else
        *out = (struct round_sums){0};
    for (uint32_t i = 0; r != NULL && i < r->count; i++)
        round_sums_add(out, &r->waiting[i]);
    round_sums_end(out);
}

struct outages rounds_outages(const struct rounds *r)
{
    struct outages out = {0};

    if (r != NULL && r->sums != NULL)
        out = r->sums->outages;
    for (uint32_t i = 0; r != NULL && i < r->count; i++)
        outages_add(&out, &r->waiting[i]);
    outages_end(&out);
    return out;
}

struct round_tries rounds_tries(const struct rounds *r, uint32_t psn)
{
    struct round_tries tries = {.psn = psn};

    if (r != NULL && r->sums != NULL && r->sums->now.psn == psn)
        tries = r->sums->now;
    for (uint32_t i = 0; r != NULL && i < r->count; i++)
        if (r->waiting[i].psn == psn)
            round_tries_add(&tries, &r->waiting[i]);
    return tries;
}
