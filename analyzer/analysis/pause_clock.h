/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long was one priority of one port paused? The interval machine of PFC (IEEE 802.1Qbb) and
 * PAUSE (IEEE 802.3 annex 31B): an XOFF starts the timer or replaces what is left of it, quanta 0
 * (XON) ends it, and it ends by itself. Pauses that touch are one. Where the rate is an estimate,
 * so is that end: packets that go on to the port tell that it is over.
 */
#ifndef ANALYSIS_PAUSE_CLOCK_H
#define ANALYSIS_PAUSE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PAUSE_BINS = 10, /* parts of the latest second */
};

/* A plain value: a copy goes its own way. Times in ns. */
struct pause_clock {
    uint64_t rate_bps;
    bool estimate;        /* the rate is a lower bound: a pause of one XOFF never makes a storm */
    bool paused;          /* until `until` */
    bool in_storm;        /* more than half of the latest second */
    uint32_t xoffs;       /* of the pause at hand */
    int64_t since, until; /* of the latest pause */
    int64_t latest_ns;    /* of the latest frame: time never runs back */
    uint64_t since_frame;
    uint32_t held;     /* packets since then that it should hold back */
    int64_t widest_ns; /* the longest time between two of them */
    uint64_t pauses;
    uint64_t
        in_vain; /* of these, while packets went on as before: how long they were is not known */
    int64_t paused_ns;
    int64_t longest_ns;
    uint64_t longest_frame; /* the XOFF that began it */
    uint64_t storms;
    uint64_t storm_frame; /* the XOFF that began the first one */
    int64_t bin;          /* number of the newest part */
    int64_t bins[PAUSE_BINS];
    int64_t bins_sum;
};

/* Pause quanta are 512 bit times */
int64_t pause_quanta_ns(uint16_t quanta, uint64_t rate_bps);

void pause_clock_init(struct pause_clock *c, uint64_t rate_bps, bool estimate);
void pause_clock_frame(struct pause_clock *c, uint64_t frame, int64_t time_ns, uint16_t quanta);
/* A packet that the pause should hold back came, `gap_ns` after the one before. A sender that obeys
 * sends none later than `grace_ns` after the XOFF. */
void pause_clock_packet(struct pause_clock *c, int64_t time_ns, int64_t gap_ns, int64_t grace_ns);
/* The capture ends: what of a pause lies behind that is not known, and not counted. */
void pause_clock_finish(struct pause_clock *c, int64_t end_ns);

static inline bool pause_clock_paused(const struct pause_clock *c, int64_t time_ns)
{
    return c->paused && time_ns >= c->since && time_ns < c->until;
}

#endif
