/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Timeouts of a requester (see timeouts.h).
 */
#include "analysis/timeouts.h"

#include <glib.h>

enum {
    EXPONENT_MAX = 31,
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
        t.unanswered = before != NULL && before->psn == r->psn ? t.unanswered + 1 : 1;
        if (r->recovery_ns >= 0)
            t.unanswered = 0;
        before = r;
    }
    if (before == NULL)
        t.unanswered = 0;
    t.grow = pairs > 0 && longer == pairs;
    find_exponents(&t);
    return t;
}
