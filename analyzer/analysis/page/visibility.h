/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a capture can't show of a connection, and why. Unknown is not zero: whoever reports or
 * judges a counter asks here first.
 */
#ifndef ANALYSIS_PAGE_VISIBILITY_H
#define ANALYSIS_PAGE_VISIBILITY_H

#include "analysis/capture.h"
#include "flow/flow.h"

/* Of what one side sent: NULL where the capture shows it, else the reason, a static string */
struct visibility {
    const char *all;      /* anything */
    const char *psn;      /* PSNs */
    const char *answers;  /* what the other side says about these requests */
    const char *aeth;     /* what these responses say */
    const char *needless; /* whether what was sent again had arrived already */
    const char *after;    /* losses behind the tap */
    const char *icrc;
    const char *roce; /* what only RoCE and InfiniBand have: NAKs, rounds, PSNs as such */
    const char *cnps; /* CNPs that told this side to slow down */
};

/* Why ICRCs are not judged where nearly all are wrong */
extern const char visibility_icrcs_meaningless[];

/* Of `d`, whose opposite is `other`; both are directions of `c`. */
struct visibility visibility_of(const struct flow_connection *c, const struct flow_direction *d,
                                const struct flow_direction *other);

/* Whether packets that a direction of `c` lost before the capture point may only be missing from
 * the capture, or, read in a wrong order, any that it lost; the same of both directions */
bool direction_loss_uncertain(const struct flow_connection *c, const struct flow_counters *sent,
                              const struct capture *capture);
bool connection_loss_uncertain(const struct flow_connection *c, const struct capture *capture);

#endif
