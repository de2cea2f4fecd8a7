/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Timeouts of a requester (see timeouts.h).
 */
#include "analysis/timeouts.h"

#include <glib.h>

enum {
    EXPONENT_MAX = 31,
};

#define TIMER_UNIT_NS 4096

bool timeouts_range(int64_t silence_ns, int *low, int *high)
{
    *low = *high = -1;
    for (int n = 1; n <= EXPONENT_MAX; n++) {
        int64_t timer = (int64_t)TIMER_UNIT_NS << n;

        if (silence_ns < timer || silence_ns > 4 * timer)
            continue;
        if (*low < 0)
            *low = n;
        *high = n;
    }
    return *low >= 0;
}

/* Without back-off all silences come from one timer: the shortest bounds it from above. */
struct timeouts timeouts_of(const struct evidence_stream *requester)
{
    struct timeouts t = {.exponent_low = -1, .exponent_high = -1};
    const struct flow_round *before = NULL;
    uint32_t longer = 0, pairs = 0;

    for (uint32_t i = 0; i < requester->round_count; i++) {
        const struct flow_round *r = &requester->rounds[i];

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
    if (t.shortest_ns > 0)
        (void)timeouts_range(t.shortest_ns, &t.exponent_low, &t.exponent_high);
    return t;
}
