/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Keeps an engine's events and rounds until all of them are settled, then gives them back in frame
 * order. Only the latest events are in memory; the rest wait in a temporary file that has no name.
 */
#ifndef ANALYSIS_EVENT_LOG_H
#define ANALYSIS_EVENT_LOG_H

#include <glib.h>
#include <stdbool.h>

#include "flow/flow.h"

struct event_log;

struct event_log *event_log_new(void);
/* NULL is accepted */
void event_log_free(struct event_log *log);
/* The sink that an engine writes to; borrows the log. */
struct flow_sink event_log_sink(struct event_log *log);
/* Call before flow_finish(): what the engine says from here on may belong between earlier frames.
 */
void event_log_finishing(struct event_log *log);
/* Gives all events in frame order. False and `error` when the temporary file failed. */
bool event_log_walk(struct event_log *log, void (*visit)(void *context, const struct flow_event *),
                    void *context, GError **error);
/* Rounds, and changes of them, that there was no memory for */
uint64_t event_log_refused(const struct event_log *log);
/* The settled round of a retransmission, or NULL when it has none. Borrowed. */
const struct flow_round *event_log_round(const struct event_log *log,
                                         const struct flow_event *event);
/* All rounds of one stream, in order; free the array, not the rounds. */
GPtrArray *event_log_rounds(const struct event_log *log, uint32_t stream);

#endif
