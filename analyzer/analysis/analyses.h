/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The analyses by name, and what several of them need.
 */
#ifndef ANALYSIS_ANALYSES_H
#define ANALYSIS_ANALYSES_H

#include "analysis/analysis.h"
#include "analysis/first_frames.h"

extern const struct analysis an_capture_quality; /* how good is the capture itself? */
extern const struct analysis an_transports;      /* what is in it, by protocol? */
extern const struct analysis an_opcodes;         /* which operations? */
extern const struct analysis an_congestion;      /* CE marks and CNPs */
extern const struct analysis an_pause;           /* PFC and PAUSE, by source and priority */
extern const struct analysis an_credits;         /* credits of InfiniBand lanes */
extern const struct analysis an_priority;        /* PCP and DSCP by kind of packet */
extern const struct analysis an_paths;           /* spread of source ports, changes of the way */
extern const struct analysis an_mtu;             /* packets against the path MTU */
extern const struct analysis an_incast;          /* many senders, one destination */
extern const struct analysis an_setup;           /* set-up and teardown by CM */
extern const struct analysis an_checksums;       /* bad ICRCs, VCRCs, IP checksums */
extern const struct analysis an_stags;           /* STags of iWARP */
extern const struct analysis an_notes;           /* what is odd, and what was not believed */
extern const struct analysis an_totals;          /* sums over all connections */
extern const struct analysis an_contents;        /* what a person wants to know first */
extern const struct analysis an_status;          /* how each connection fared */

/* A count of the whole capture, and where it happened first; frames come in order */
struct tally {
    uint64_t count;
    uint64_t frames[FIRST_FRAMES];
};

static inline void tally_add(struct tally *t, uint64_t frame)
{
    if (t->count < FIRST_FRAMES)
        t->frames[t->count] = frame;
    t->count++;
}

static inline void tally_add_group(struct tally *t, const struct alike *group)
{
    size_t kept = t->count < FIRST_FRAMES ? (size_t)t->count : FIRST_FRAMES;

    for (size_t i = 0; i < group->first.count; i++)
        kept = first_frames_insert(t->frames, kept, FIRST_FRAMES, group->first.frames[i]);
    t->count += group->packets;
}

static inline struct report_value tally_frames(const struct tally *t)
{
    return report_frames(t->frames, t->count < FIRST_FRAMES ? (size_t)t->count : FIRST_FRAMES);
}

#endif
