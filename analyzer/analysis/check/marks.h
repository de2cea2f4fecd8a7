/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The first frames whose DSCP or PCP is not one of those that `check` expects. Which connections
 * have such packets is what the engine counts; this only finds frames to show.
 */
#ifndef ANALYSIS_CHECK_MARKS_H
#define ANALYSIS_CHECK_MARKS_H

#include "flow/flow.h"
#include "rdc/packet.h"

struct check_marks;

/* Sets of allowed values; 0: any */
struct check_marks *check_marks_new(uint64_t dscp, uint8_t pcp);
/* NULL is accepted */
void check_marks_free(struct check_marks *marks);
void check_marks_batch(struct check_marks *marks, const struct flow_batch *batch);
/* Frames towards an endpoint, in ascending order, at most `room` */
size_t check_marks_frames(const struct check_marks *marks, bool pcp, const struct flow_endpoint *to,
                          uint64_t *frames, size_t room);

#endif
