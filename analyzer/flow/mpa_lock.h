/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Could this TCP segment, of a connection of which nothing is known, carry iWARP? A cheap first
 * look that keeps nothing; what it lets through must still prove itself (mpa_stream.h).
 */
#ifndef FLOW_MPA_LOCK_H
#define FLOW_MPA_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Looks where the segment begins; `anywhere`: at all its bytes. `size`: bytes on the wire. */
bool mpa_lock_looks_like(const uint8_t *bytes, uint32_t captured, uint32_t size, bool anywhere);
/* Does the payload begin with a start-up frame? A prefix of its key is enough where `first`: these
 * are the connection's first bytes. */
bool mpa_lock_starts_up(const uint8_t *bytes, uint32_t captured, bool first);

#endif
