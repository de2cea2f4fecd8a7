/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every packet that is followed adds to its stream, and to the whole capture.
 */
#ifndef FLOW_NOTE_H
#define FLOW_NOTE_H

#include "flow/stream.h"

enum {
    NOTE_ID_STEP = 4096, /* larger steps of IPv4 identifications are not near */
};

/* A packet that is not older than all before it */
static inline void note_time(struct flow_summary *sum, int64_t time_ns)
{
    sum->packets++;
    sum->last_ns = time_ns;
}

static inline void note_packet(struct stream *s, uint64_t frame, int64_t time_ns,
                               uint32_t wire_size, uint32_t payload_size, bool truncated)
{
    s->last_frame = frame;
    if (s->c.packets == 0 || time_ns > s->last_ns)
        s->last_ns = time_ns;
    s->c.packets++;
    s->c.wire_bytes += wire_size;
    s->c.payload_bytes += payload_size;
    s->c.truncated += truncated;
}

/* engine.c: the throughput of a stream is followed from now on. */
void note_rate_begin(struct flow_engine *e, struct stream *s);

/* After note_packet() */
static inline void note_rate(struct flow_engine *e, struct stream *s, int64_t time_ns,
                             uint32_t wire_size)
{
    if (s->series != NULL)
        flow_series_add(s->series, time_ns, wire_size);
    else if (s->c.packets == SERIES_FROM)
        note_rate_begin(e, s);
}

/* `id`: IPv4 identification; 0: none */
static inline void note_id(struct stream *s, uint16_t id)
{
    if (id == 0)
        return;
    if (s->ids.any) {
        int32_t step = rdc_id_diff(id, s->ids.last);

        s->ids.steps += step != 0;
        s->ids.near += step != 0 && step <= NOTE_ID_STEP && step >= -NOTE_ID_STEP;
        s->ids.sum += step;
        s->ids.step = step;
    }
    s->ids.any = true;
    s->ids.last = id;
}

/* A packet of data; `ect`: it may be marked, or is. Returns the time since the one before it in the
 * stream; -1: there is none, or time ran back. */
static inline int64_t note_data(struct stream *s, int64_t time_ns, bool ect)
{
    int64_t silence =
        s->last_data_ns != NEVER && time_ns >= s->last_data_ns ? time_ns - s->last_data_ns : -1;

    s->c.data_packets++;
    s->c.ect_packets += ect;
    s->last_data_ns = time_ns;
    return silence;
}

#endif
