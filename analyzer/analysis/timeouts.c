/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Timeouts of a requester, and outages (see timeouts.h).
 */
#include "analysis/timeouts.h"

#include <glib.h>
#include <string.h>

enum {
    EXPONENT_MAX = 31,
    OUTAGE_TRIES = 3,
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
struct timer timeouts_timer(const struct timeouts *t)
{
    struct timer timer = {-1, -1, t->pairs > 0 && t->longer == t->pairs};
    int low, high;

    if (t->shortest_ns == 0 ||
        !timeouts_range(t->shortest_ns, &timer.exponent_low, &timer.exponent_high))
        return timer;
    if (!timer.grow && timeouts_range(t->longest_ns, &low, &high) && low <= timer.exponent_high)
        timer.exponent_low = low;
    return timer;
}

static void count_timeout(struct timeouts *t, int64_t silence_ns)
{
    t->count++;
    t->longest_ns = MAX(t->longest_ns, silence_ns);
    if (t->shortest_ns == 0 || silence_ns < t->shortest_ns)
        t->shortest_ns = silence_ns;
}

void timeouts_add(struct timeouts *t, const struct flow_round *r)
{
    bool pair = t->before && t->before_psn == r->psn;

    t->before = r->trigger == FLOW_TRIGGER_TIMEOUT && r->stall_ns > 0;
    if (!t->before)
        return;
    count_timeout(t, r->stall_ns);
    t->pairs += pair;
    t->longer += pair && r->stall_ns > t->before_ns + t->before_ns / 4;
    t->before_psn = r->psn;
    t->before_ns = r->stall_ns;
}

void timeouts_add_late(struct timeouts *t, const struct flow_round *r)
{
    if (r->stall_ns > 0)
        count_timeout(t, r->stall_ns);
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

/* Tries at one PSN; `more`: others followed, so that the latest of them was answered. */
static void end_run(struct outages *out, bool more)
{
    struct outage o = out->now.outage;

    if (o.tries >= OUTAGE_TRIES) {
        o.ended |= more;
        out->count++;
        out->timeouts += out->now.rounds;
        out->seen += out->now.seen;
        out->packets += out->now.packets;
        out->vain += out->now.vain + (o.ended ? 0 : out->now.latest);
        if (is_worse(&o, &out->worst))
            out->worst = o;
    }
    out->now.outage.tries = 0;
}

/* It begins with the copy before this round, if that is here; where that one was answered, with the
 * round. */
static void begin_run(struct outages *out, const struct flow_round *r)
{
    int64_t before_ns = r->start_ns - MAX(r->stall_ns, 0);

    memset(&out->now, 0, sizeof(out->now));
    out->now.outage = (struct outage){.psn = r->psn,
                                      .tries = r->answered || !r->original_seen ? 0 : 1,
                                      .from_ns = r->answered ? r->start_ns : before_ns};
}

static void add_try(struct outages *out, const struct flow_round *r)
{
    out->now.vain += out->now.latest;
    out->now.latest = r->packets;
    out->now.outage.tries++;
    out->now.outage.to_ns = round_end_ns(r);
    out->now.outage.ended = r->recovery_ns >= 0;
    if (r->answered)
        return;
    out->now.rounds++;
    out->now.seen += r->lost == FLOW_LOST_REQUEST;
    out->now.packets += r->packets;
}

void outages_add(struct outages *out, const struct flow_round *r)
{
    bool timeout = is_of_outage(r);

    if (out->now.outage.tries > 0 && (!timeout || r->answered || out->now.outage.psn != r->psn))
        end_run(out, true);
    if (!timeout)
        return;
    if (out->now.outage.tries == 0)
        begin_run(out, r);
    add_try(out, r);
}

void outages_end(struct outages *out)
{
    end_run(out, false);
}
