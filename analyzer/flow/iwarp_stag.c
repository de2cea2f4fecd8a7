/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which STags the messages of one side name, and for what (RFC 5040, 5; RFC 5041, 3). The table is
 * small and fixed: most connections use few STags at a time, and the one named last is named again.
 */
#include <stdlib.h>

#include "flow/iwarp.h"

enum {
    FIRST_ROOM = 4,
};

static struct flow_stag *stag_of(struct iwarp_dir *d, uint32_t stag, bool own, uint64_t frame);
static struct flow_stag *new_stag(struct iwarp_dir *d);
static struct flow_stag *name(struct iwarp_dir *d, uint32_t stag, bool own, uint64_t frame);

static void note_request(struct iwarp_dir *d, const struct rdc_rdmap *rdmap, uint64_t frame)
{
    const struct rdc_rdmap_read_request *read = &rdmap->read_request;
    struct flow_stag *s;

    if (!rdmap->header)
        return;
    if (rdmap->opcode == RDC_RDMAP_ATOMIC_REQUEST) {
        s = name(d, rdmap->atomic_request.stag, false, frame);
        if (s != NULL)
            s->atomics++;
        return;
    }
    if (read->size == 0) /* touches no buffer (RFC 5040, 5.2.1) */
        return;
    s = name(d, read->source_stag, false, frame);
    if (s != NULL) {
        s->reads++;
        s->read_bytes += read->size;
    }
    s = name(d, read->sink_stag, true, frame);
    if (s != NULL) {
        s->reads++;
        s->read_bytes += read->size;
    }
}

static void note_invalidate(struct iwarp_dir *d, uint32_t stag, uint64_t frame)
{
    struct flow_stag *s = name(d, stag, false, frame);

    if (s == NULL)
        return;
    s->used_after = 0;
    s->invalidates++;
    s->invalidated_frame = frame;
}

void iwarp_note_stags(struct iwarp_dir *d, const struct flow_fpdu *f, uint64_t frame)
{
    uint32_t payload = f->rdmap_set ? f->rdmap.payload_size : 0;
    struct flow_stag *s;

    switch (f->ddp.opcode) {
    case RDC_RDMAP_WRITE:
    case RDC_RDMAP_READ_RESPONSE:
        s = f->ddp.tagged && payload > 0 ? name(d, f->ddp.stag, false, frame) : NULL;
        if (s != NULL && f->ddp.opcode == RDC_RDMAP_WRITE)
            s->write_bytes += payload;
        else if (s != NULL)
            s->read_answer_bytes += payload;
        break;
    case RDC_RDMAP_READ_REQUEST:
    case RDC_RDMAP_ATOMIC_REQUEST:
        if (f->rdmap_set)
            note_request(d, &f->rdmap, frame);
        break;
    case RDC_RDMAP_SEND_INV:
    case RDC_RDMAP_SEND_SE_INV:
        if (f->ddp.last && !f->ddp.tagged) /* all segments of the message have it */
            note_invalidate(d, f->ddp.invalidate_stag, frame);
        break;
    default:
        break;
    }
}

/* ------------------------------------------------------------------ the table */

/* Counts that it is named; NULL when memory is refused. */
static struct flow_stag *name(struct iwarp_dir *d, uint32_t stag, bool own, uint64_t frame)
{
    struct flow_stag *s = stag_of(d, stag, own, frame);

    if (s == NULL)
        return NULL;
    d->stag_latest = (uint32_t)(s - d->w.stags);
    s->segments++;
    s->used_after += s->invalidates > 0;
    s->last_frame = frame;
    return s;
}

static struct flow_stag *stag_of(struct iwarp_dir *d, uint32_t stag, bool own, uint64_t frame)
{
    struct flow_stag *s = d->w.stags;

    if (s != NULL && s[d->stag_latest].stag == stag && s[d->stag_latest].own == own)
        return &s[d->stag_latest];
    for (uint32_t i = 0; i < d->w.stag_count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): none is counted that is not there */
        if (s[i].stag == stag && s[i].own == own)
            return &s[i];
    s = new_stag(d);
    if (s != NULL)
        *s = (struct flow_stag){.stag = stag, .own = own, .first_frame = frame};
    return s;
}

/* Room for one more; when all is taken, that of the one that was named longest ago */
static struct flow_stag *new_stag(struct iwarp_dir *d)
{
    struct flow_stag *oldest = d->w.stags, *more;
    uint32_t room = d->stag_room == 0 ? FIRST_ROOM : d->stag_room * 2;

    if (d->w.stag_count < d->stag_room)
        return &d->w.stags[d->w.stag_count++];
    if (room <= FLOW_STAGS_MAX && (more = realloc(d->w.stags, room * sizeof(*more))) != NULL) {
        d->w.stags = more;
        d->stag_room = room;
        return &more[d->w.stag_count++];
    }
    for (uint32_t i = 1; i < d->w.stag_count; i++)
        if (d->w.stags[i].last_frame < oldest->last_frame)
            oldest = &d->w.stags[i];
    d->w.stags_forgotten += oldest != NULL;
    return oldest;
}
