/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See rounds.h.
 */
#include "analysis/rounds.h"

#include <glib.h>
#include <string.h>

enum {
    WAITING_MAX = 128, /* of one stream */
};

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

/* A NAK may prove to be none when a timeout is learned, however long ago it was. */
static bool may_change(const struct flow_round *round, uint32_t newest)
{
    return newest - round->number < FLOW_ROUNDS_OPEN ||
           (round->trigger == FLOW_TRIGGER_NAK && !round->certain);
}

/* Sums the oldest ones up: those that can't change any more. `least`: so many even if they can */
static void settle(struct rounds *r, uint32_t least, uint32_t newest, struct rounds_memory *memory)
{
    uint32_t n = 0;

    if (least == 0 && may_change(&r->waiting[0], newest))
        return;
    if (r->sums == NULL && take(memory, sizeof(*r->sums)))
        r->sums = g_new0(struct round_sums, 1);
    if (r->sums == NULL)
        return;
    for (; n < r->count && (n < least || !may_change(&r->waiting[n], newest)); n++)
        round_sums_add(r->sums, &r->waiting[n]);
    r->settled += n;
    r->count -= n;
    memmove(r->waiting, r->waiting + n, r->count * sizeof(*r->waiting));
}

/* Doubles the room up to the first `FLOW_ROUNDS_OPEN`, then only for those that stay unsettled */
static bool grow(struct rounds *r, struct rounds_memory *memory)
{
    uint32_t more = MAX(r->room, 1);

    if (r->room == WAITING_MAX || !take(memory, more * sizeof(*r->waiting)))
        return false;
    r->room += more;
    r->waiting = g_renew(struct flow_round, r->waiting, r->room);
    return true;
}

static bool make_room(struct rounds *r, uint32_t newest, struct rounds_memory *memory)
{
    if (r->count == r->room && r->count > 0)
        settle(r, 0, newest, memory);
    if (r->count < r->room || grow(r, memory))
        return true;
    if (r->count > 0)
        settle(r, 1, newest, memory);
    return r->count < r->room;
}

/* Rounds of a stream are numbered without holes. */
void rounds_put(struct rounds **rounds, const struct flow_round *round,
                struct rounds_memory *memory)
{
    struct rounds *r = *rounds;
    uint32_t newest = r != NULL ? r->settled + r->count : 0;

    if (r != NULL && round->number > r->settled && round->number <= newest) {
        r->waiting[round->number - r->settled - 1] = *round;
        return;
    }
    if (r == NULL && round->number == 1 && take(memory, sizeof(*r)))
        *rounds = r = g_new0(struct rounds, 1);
    if (r == NULL || round->number != newest + 1 || !make_room(r, round->number, memory)) {
        memory->refused++;
        return;
    }
    r->waiting[r->count++] = *round;
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
