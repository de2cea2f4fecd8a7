/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An event as text, JSON or CSV: one record an event.
 */
#ifndef RENDER_EVENT_RECORD_H
#define RENDER_EVENT_RECORD_H

#include "flow/flow.h"
#include "render/buffer.h"

/* An event with what is known beside it. Borrowed. */
struct event_record {
    const struct flow_event *event;
    const struct flow_round *round; /* of a retransmission; NULL: none */
    /* Frames and the files they are in. 0: no such frame; NULL: there is only one file. */
    uint64_t frame, original_frame, trigger_frame;
    const char *file, *original_file, *trigger_file;
    bool untimed;        /* there is no time of its frame: its times mean nothing */
    bool lacks_times;    /* some packets have none: times between them are unknown */
    int64_t rel_ns;      /* from the capture's first packet */
    uint32_t connection; /* 0: none */
    bool a_to_b;
    bool one_way; /* the other direction is not on the capture */
};

void event_json(struct buffer *out, const struct event_record *record);
void event_text(struct buffer *out, const struct event_record *record);
void event_csv_header(struct buffer *out);
void event_csv(struct buffer *out, const struct event_record *record);
/* " of frame FILE:7" with `before` and `after`; nothing for frame 0 */
void event_say_frame(struct buffer *out, const char *before, uint64_t frame, const char *file,
                     const char *after);
/* What happened, in words, without frame and connection: "resends PSN 7 (frame 4), ..." */
void event_sentence(struct buffer *out, const struct event_record *record);

#endif
