/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events in the words of the command line.
 */
#ifndef PLUGIN_SENTENCE_H
#define PLUGIN_SENTENCE_H

#include "plugin/state.h"

/* "resends PSN 7 of frame 4, after a NAK (frame 6), round 1" */
const char *sentence_of(wmem_allocator_t *pool, const struct shown_packet *p,
                        const struct flow_event *event);

/* What may be said of a retransmission now: in the first pass only what later packets don't change
 */
struct resend_facts {
    uint8_t trigger; /* enum flow_trigger */
    bool trigger_known;
    uint64_t trigger_frame; /* 0: none, or not known */
    bool certain;
    bool certain_known;
    bool spurious;
    bool spurious_known;
};
struct resend_facts resend_facts(const struct shown_packet *p, const struct flow_event *event);

#endif
