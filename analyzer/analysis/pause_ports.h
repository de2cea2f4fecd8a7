/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The state of an_pause, private to pause.c, which fills it, and pause_rows.c, which tells what
 * came of it: ports that pause, and their links.
 */
#ifndef ANALYSIS_PAUSE_PORTS_H
#define ANALYSIS_PAUSE_PORTS_H

#include <glib.h>

#include "analysis/pause.h"
#include "analysis/pause_clock.h"
#include "analysis/pause_effect.h"

enum {
    PRIORITIES = 8,
    SLOTS = PRIORITIES + 1, /* the last: PAUSE */
    PORTS_WATCHED = 8,      /* of a link, for their effect */
};

struct slot {
    uint64_t xoff, xon;
    struct tally frames;
    uint64_t first_xoff_frame;
    int64_t first_xoff_ns;
    struct tally mutual;
    struct pause_effect effect;
    uint32_t mutual_clocks;      /* set of the clocks by which it is so */
    struct pause_clock clocks[]; /* one where the rate is known, else LINK_RATES */
};

struct source {
    uint8_t mac[6];
    uint32_t link;
    bool rate_known;
    unsigned clock; /* the one to go by so far */
    struct link_rate rate;
    bool is_host;              /* source or destination of data */
    uint32_t peer;             /* the other port of the link */
    struct slot *slots[SLOTS]; /* owned, lazily */
};

/* Ports that pause, of one link */
struct link_ports {
    uint32_t link;
    uint32_t count;
    uint32_t latest; /* source */
    uint32_t sources[PORTS_WATCHED];
    struct pause_hosts hosts;
};

/* A pause that goes on at the end */
struct lasting {
    const struct source *source;
    struct slot *slot;
    unsigned clock;
    int priority;
};

struct pause {
    const struct capture *capture;
    struct load_meter load;
    GArray *sources;                       /* of struct source */
    GArray *links;                         /* of struct link_ports */
    uint16_t *source_places, *link_places; /* owned: hash tables of PLACES, 1 + index, or 0 */
    size_t recent;                         /* source */
    size_t recent_link;
    uint64_t not_counted;  /* frames of more sources than are told apart, or without memory */
    GArray *lasting;       /* owned, of struct lasting; from the first connection that is shown */
    int64_t lasting_since; /* the earliest of them; valid when there is one */
};

static inline struct source *source_at(const struct pause *p, size_t i)
{
    return &g_array_index(p->sources, struct source, i);
}

/* pause.c: those of a link; NULL: none of its ports pauses. */
struct link_ports *pause_link(const struct pause *p, uint32_t link);
/* pause_rows.c: the engine's connections one by one, as struct analysis says it */
void pause_connection(void *state, const struct analysis_input *in,
                      const struct flow_connection *c);

#endif
