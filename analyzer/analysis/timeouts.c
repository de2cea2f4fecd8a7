/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Timeouts of a requester, and outages (see timeouts.h).
 */
#include "analysis/timeouts.h"

#include <glib.h>

enum {
    EXPONENT_MAX = 31,
    OUTAGE_ROUNDS = 2, /* at one PSN: with the first transmission, three tries */
};

#define TIMER_UNIT_NS INT64_C(4096)

static int64_t timer_ns(int exponent)
{
    return TIMER_UNIT_NS << exponent;
}

/* The timer starts with the oldest packet that is not acknowledged, the silence with the latest: so
 * a silence may be a little shorter than the timer. */
bool timeouts_range(int64_t silence_ns, int *low, int *high)
{
    *low = *high = -1;
    for (int n = 1; n <= EXPONENT_MAX; n++) {
        if (silence_ns + silence_ns / 8 < timer_ns(n) || silence_ns > 4 * timer_ns(n))
            continue;
        if (*low < 0)
            *low = n;
        *high = n;
    }
    return *low >= 0;
}

/* Without back-off all silences come from one timer: it must allow the shortest and the longest. */
static void find_exponents(struct timeouts *t)
{
    int low, high;

    if (t->shortest_ns == 0 || !timeouts_range(t->shortest_ns, &t->exponent_low, &t->exponent_high))
        return;
    if (t->grow || !timeouts_range(t->longest_ns, &low, &high))
        return;
    if (low <= t->exponent_high)
        t->exponent_low = low;
}

struct timeouts timeouts_of(const struct flow_round *rounds, size_t count)
{
    struct timeouts t = {.exponent_low = -1, .exponent_high = -1};
    const struct flow_round *before = NULL;
    uint32_t longer = 0, pairs = 0;

    for (size_t i = 0; i < count; i++) {
        const struct flow_round *r = &rounds[i];

        if (r->trigger != FLOW_TRIGGER_TIMEOUT || r->stall_ns <= 0) {
            before = NULL;
            continue;
        }
        t.count++;
        t.longest_ns = MAX(t.longest_ns, r->stall_ns);
        if (t.shortest_ns == 0 || r->stall_ns < t.shortest_ns)
            t.shortest_ns = r->stall_ns;
        if (before != NULL && before->psn == r->psn) {
            pairs++;
            longer += r->stall_ns > before->stall_ns + before->stall_ns / 4;
        }
        before = r;
    }
    t.grow = pairs > 0 && longer == pairs;
    find_exponents(&t);
    return t;
}

/* ------------------------------------------------------------------ outages */

static bool is_of_outage(const struct flow_round *r)
{
    return !r->cancelled && r->trigger == FLOW_TRIGGER_TIMEOUT;
}

static bool is_worse(const struct outage *a, const struct outage *b)
{
    if (b->tries == 0 || a->ended != b->ended)
        return b->tries == 0 || !a->ended;
    return a->to_ns - a->from_ns > b->to_ns - b->from_ns;
}

/* Rounds [first, last] went back to one PSN, and `more` others followed. */
static void add_outage(struct outages *out, const struct flow_round *first,
                       const struct flow_round *last, bool more)
{
    struct outage o = {.tries = (uint32_t)(last - first) + 2,
                       .psn = first->psn,
                       .from_ns = first->start_ns - MAX(first->stall_ns, 0),
                       .to_ns = round_end_ns(last),
                       .ended = last->recovery_ns >= 0 || more};

    out->count++;
    for (const struct flow_round *r = first; r <= last; r++) {
        out->timeouts++;
        out->seen += r->original_seen;
        out->packets += r->packets;
    }
    if (is_worse(&o, &out->worst))
        out->worst = o;
}

struct outages outages_of(const struct flow_round *rounds, size_t count)
{
    struct outages out = {0};

    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        if (!is_of_outage(&rounds[i]))
            continue;
        while (next < count && is_of_outage(&rounds[next]) && rounds[next].psn == rounds[i].psn)
            next++;
        if (next - i >= OUTAGE_ROUNDS)
            add_outage(&out, &rounds[i], &rounds[next - 1], next < count);
    }
    return out;
}
