/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why did a side of an iWARP connection give it up, and because of what?
 */
#ifndef ANALYSIS_TERMINATE_H
#define ANALYSIS_TERMINATE_H

#include "flow/flow.h"

/* "DDP, tagged buffer error, invalid STag; about Write of STag 0x00000007"; owned by the caller */
char *terminate_text(const struct flow_terminate *t);
/* The frame in which the other side named the STag that it is about for the first time; 0: it is
 * about none, or that is not known. `other`: what that side sent, or NULL. */
uint64_t terminate_stag_frame(const struct flow_terminate *t, const struct flow_iwarp *other);

#endif
