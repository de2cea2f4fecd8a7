/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The interval machine of pauses (see pause_clock.h). A storm is a pause of at least 200 ms, or
 * more than half of any second paused.
 */
#include "analysis/pause_clock.h"

enum {
    QUANTUM_BITS = 512,
    EVENLY = 2,     /* no gap is longer than so many times the mean */
    HELD_LEAST = 4, /* packets that can show it */
};

#define SECOND_NS INT64_C(1000000000)
#define BIN_NS (SECOND_NS / PAUSE_BINS)
#define STORM_NS INT64_C(200000000)
#define STORM_HALF (SECOND_NS / 2)

static void close_pause(struct pause_clock *c, int64_t end);

int64_t pause_quanta_ns(uint16_t quanta, uint64_t rate_bps)
{
    uint64_t bits_ns = (uint64_t)quanta * QUANTUM_BITS * (uint64_t)SECOND_NS;

    return rate_bps == 0 ? 0 : (int64_t)((bits_ns + rate_bps / 2) / rate_bps);
}

void pause_clock_init(struct pause_clock *c, uint64_t rate_bps, bool estimate)
{
    *c = (struct pause_clock){.rate_bps = rate_bps, .estimate = estimate, .latest_ns = INT64_MIN};
}

void pause_clock_frame(struct pause_clock *c, uint64_t frame, int64_t time_ns, uint16_t quanta)
{
    if (time_ns < c->latest_ns)
        time_ns = c->latest_ns;
    c->latest_ns = time_ns;
    if (c->paused && c->until < time_ns)
        close_pause(c, c->until);
    if (quanta == 0) {
        if (c->paused)
            close_pause(c, time_ns);
        return;
    }
    if (!c->paused) {
        c->paused = true;
        c->since = time_ns;
        c->since_frame = frame;
        c->xoffs = 0;
        c->held = 0;
        c->widest_ns = 0;
        c->pauses++;
    }
    c->xoffs++;
    c->until = time_ns + pause_quanta_ns(quanta, c->rate_bps);
}

/* Packets came evenly from the XOFF on: nothing was held back. Else the silence between them is the
 * pause, at most. */
void pause_clock_packet(struct pause_clock *c, int64_t time_ns, int64_t gap_ns, int64_t grace_ns)
{
    int64_t ns = time_ns - c->since;

    if (!c->estimate || !pause_clock_paused(c, time_ns))
        return;
    c->held++;
    c->widest_ns = gap_ns > c->widest_ns ? gap_ns : c->widest_ns;
    if (ns <= grace_ns)
        return;
    if (c->held < HELD_LEAST || c->widest_ns > EVENLY * ns / c->held) {
        close_pause(c, time_ns);
        return;
    }
    c->in_vain++;
    c->paused = false;
    c->until = time_ns;
}

void pause_clock_finish(struct pause_clock *c, int64_t end_ns)
{
    if (c->paused)
        close_pause(c, c->until < end_ns || end_ns < c->since ? c->until : end_ns);
}

/* ------------------------------------------------------------------ storms */

/* Forgets what is older than a second */
static void advance(struct pause_clock *c, int64_t bin)
{
    for (int64_t i = 0; c->bin < bin && i < PAUSE_BINS; i++) {
        int64_t *oldest = &c->bins[(bin - i) % PAUSE_BINS];

        if (bin - i <= c->bin)
            break;
        c->bins_sum -= *oldest;
        *oldest = 0;
    }
    if (bin > c->bin)
        c->bin = bin;
    if (c->bins_sum <= STORM_HALF)
        c->in_storm = false;
}

static int64_t bin_of(int64_t time_ns)
{
    return time_ns > 0 ? time_ns / BIN_NS : 0;
}

/* Whether it made more than half of a second */
static bool add_to_window(struct pause_clock *c, int64_t from, int64_t to)
{
    bool over = false;

    if (to - from > 2 * SECOND_NS)
        from = to - 2 * SECOND_NS;
    while (from < to) {
        int64_t end = (bin_of(from) + 1) * BIN_NS;

        if (end > to || end <= from)
            end = to;
        advance(c, bin_of(from));
        c->bins[c->bin % PAUSE_BINS] += end - from;
        c->bins_sum += end - from;
        over = over || c->bins_sum > STORM_HALF;
        from = end;
    }
    c->in_storm = c->bins_sum > STORM_HALF;
    return over;
}

static void close_pause(struct pause_clock *c, int64_t end)
{
    int64_t ns = end - c->since;
    bool going_on, over;

    c->paused = false;
    c->until = end;
    c->paused_ns += ns;
    if (ns > c->longest_ns) {
        c->longest_ns = ns;
        c->longest_frame = c->since_frame;
    }
    if (c->estimate && c->xoffs == 1)
        return;
    advance(c, bin_of(c->since));
    going_on = c->in_storm;
    over = add_to_window(c, c->since, end);
    if (going_on || !(over || ns >= STORM_NS))
        return;
    if (c->storms++ == 0)
        c->storm_frame = c->since_frame;
}
