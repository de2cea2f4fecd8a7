/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What events of iWARP connections say beyond what all events have.
 */
#ifndef RENDER_EVENT_IWARP_H
#define RENDER_EVENT_IWARP_H

#include "render/event_record.h"
#include "render/json_writer.h"

/* Members of the event's object */
void event_iwarp_json(struct json_writer *w, const struct event_record *r);
void event_iwarp_sentence(struct buffer *out, const struct event_record *r);

#endif
