/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One connection in full: its rounds for programs, and for people the story of what happened to
 * it, in order: frame, time, what.
 */
#ifndef ANALYSIS_PAGE_STORY_H
#define ANALYSIS_PAGE_STORY_H

#include <glib.h>

#include "analysis/capture.h"
#include "analysis/event_log.h"
#include "report/report.h"

/* What a story is told from; borrowed, after flow_finish() */
struct story_input {
    const struct flow_engine *engine;
    const struct capture *capture;
    struct event_log *log;
    uint32_t connection; /* id */
    const void *pauses;  /* what an_pause keeps (analysis_run_state()); NULL: not looked for */
};

/* Adds the table `rounds`, and the sections for people. False and `error` when the log can't be
 * read back. Nothing is added when there is no such connection. */
bool story_report(struct report_node *root, const struct story_input *in, GError **error);

/* ---- the parts of it */

/* One thing that happened */
struct story_entry {
    uint64_t frame; /* 0: at the end */
    uint64_t order; /* of entries of one frame */
    int64_t time_ns;
    char *text; /* owned */
    uint8_t mood;
};

/* story_events.c: entries from the events of both directions, in order of frames; free with
 * g_array_unref(). NULL and `error` when the log can't be read. */
GArray *story_entries(const struct story_input *in, const struct flow_connection *c,
                      GError **error);

/* story_pause.c: adds the pauses during which the connection fell silent */
void story_pauses(const struct story_input *in, const struct flow_connection *c, GArray *entries);

/* What became of a round besides its own record */
struct story_counts {
    uint64_t spurious; /* of its packets */
    uint64_t answers;  /* sent again because of it */
    bool unsure;       /* the capture misses packets: one that is not here need not be lost */
};

/* story_round.c: a round in words; `who`, `other`: "a", "b". Owned by the caller. */
char *story_round_text(const struct flow_round *round, const struct story_counts *counts,
                       const char *who, const char *other);
/* The table `rounds` */
void story_rounds_table(struct report_node *root, const struct event_log *log,
                        const struct flow_connection *c);

#endif
