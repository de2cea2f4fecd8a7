/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading start-up frames and FPDUs from the runs of a connection (see mpa_stream.h).
 */
#include "flow/mpa_stream.h"

#include "flow/mpa_sync.h"

enum {
    START_UP_MAX = RDC_MPA_HEADER_LEN + RDC_MPA_PRIVATE_MAX,
    UNMARKED_PROOF = 2 * RDC_MARKER_SPACING, /* consecutive bytes without a marker */
};

/* The run at hand */
struct place {
    struct mpa *m;
    const struct mpa_reader *reader;
    unsigned dir;
    struct tcp_run *run;
};

static struct place place_of(struct mpa *m, unsigned dir, struct tcp_run *run,
                             const struct mpa_reader *reader);
static void grown(const struct place *p);
static void join_next(const struct place *p);
static void read_run(const struct place *p);
static bool read_start_up(const struct place *p);
static bool read_fpdu(const struct place *p);
static bool find_framing(const struct place *p);
static void heed_front(const struct place *p);
static void become_known(const struct place *p, bool inferred);

void mpa_init(struct mpa *m, struct tcp_pool *pool)
{
    *m = (struct mpa){0};
    for (unsigned d = 0; d < 2; d++) {
        tcp_stream_init(&m->dir[d].tcp, pool);
        m->dir[d].tcp.coarse = true;
        m->dir[d].markers = MPA_MARKERS_UNKNOWN;
        m->dir[d].credit = MPA_CREDIT_FIRST;
    }
}

void mpa_done(struct mpa *m)
{
    for (unsigned d = 0; d < 2; d++)
        tcp_stream_done(&m->dir[d].tcp);
}

void mpa_restart(struct mpa *m)
{
    m->inferred = false;
    m->crc = MPA_CRC_UNKNOWN;
    for (unsigned d = 0; d < 2; d++) {
        struct mpa_dir *dir = &m->dir[d];

        dir->tcp.started = false;
        dir->start_seen = dir->wants_markers = dir->wants_crc = dir->rejects = false;
        dir->markers = MPA_MARKERS_UNKNOWN;
        dir->unmarked = 0;
    }
}

void mpa_expect_start_up(struct mpa *m, unsigned dir)
{
    struct tcp_stream *s = &m->dir[dir].tcp;

    tcp_run_sync(s, s->front, s->front->begin);
    s->front->start_up = true;
}

uint8_t mpa_crc_in_use(const struct mpa *m)
{
    const struct mpa_dir *a = &m->dir[0], *b = &m->dir[1];

    if ((a->start_seen && a->wants_crc) || (b->start_seen && b->wants_crc))
        return MPA_CRC_ON;
    return a->start_seen && b->start_seen ? MPA_CRC_OFF : m->crc;
}

/* Markers stand where the receiver asked for them. */
static struct mpa_layout layout_of(struct mpa *m, unsigned d)
{
    struct mpa_dir *dir = &m->dir[d], *peer = &m->dir[1 - d];
    struct mpa_layout layout = {dir->markers, mpa_crc_in_use(m), dir->origin, &dir->credit};

    if (peer->start_seen && !peer->wants_markers)
        layout.markers = MPA_MARKERS_NONE;
    else if (peer->start_seen && dir->start_seen)
        layout.markers = MPA_MARKERS_SET;
    return layout;
}

void mpa_segment(struct mpa *m, unsigned dir, const struct tcp_segment *seg,
                 const struct mpa_reader *reader)
{
    struct tcp_stream *s = &m->dir[dir].tcp;
    int64_t from = seg->pos;
    struct tcp_run *run;

    mpa_sync_earn(&m->dir[dir].credit, seg->captured);
    while ((run = tcp_stream_add(s, seg, &from)) != NULL) {
        struct place p = place_of(m, dir, run, reader);

        grown(&p);
        tcp_stream_keep(s, run);
        if (tcp_run_touches_next(run))
            join_next(&p);
    }
}

static struct place place_of(struct mpa *m, unsigned dir, struct tcp_run *run,
                             const struct mpa_reader *reader)
{
    return (struct place){m, reader, dir, run};
}

void mpa_skip_hole(struct mpa *m, unsigned dir, const struct mpa_reader *reader, int64_t *first,
                   uint64_t *size)
{
    struct tcp_stream *s = &m->dir[dir].tcp;
    struct place p = place_of(m, dir, s->front->next, reader);

    *first = s->front->end;
    *size = (uint64_t)(p.run->begin - s->front->end);
    if (!p.run->synced && m->known)
        heed_front(&p);
    tcp_stream_skip_front(s);
}

static void grown(const struct place *p)
{
    if (p->run->synced)
        tcp_run_consume(&p->m->dir[p->dir].tcp, p->run, p->run->pos);
    if (p->run->synced || find_framing(p))
        read_run(p);
}

/* ------------------------------------------------------------------ reading */

static void read_run(const struct place *p)
{
    do {
        while (p->run->synced && p->run->pos < p->run->end) {
            if (!(p->run->start_up ? read_start_up(p) : read_fpdu(p)))
                return;
        }
    } while (!p->run->synced && find_framing(p));
}

static void lose_framing(const struct place *p, bool cut)
{
    struct mpa_dir *dir = &p->m->dir[p->dir];

    if (!cut && p->m->known && p->reader->framing != NULL)
        p->reader->framing(p->reader->context, p->dir, false, p->run->pos);
    tcp_run_unsync(&dir->tcp, p->run);
    p->run->lost = !cut && p->m->known;
    p->run->pos++;
}

/* Returns false when more bytes are needed. */
static bool read_start_up(const struct place *p)
{
    struct mpa_dir *dir = &p->m->dir[p->dir];
    struct tcp_run *run = p->run;
    size_t there = (size_t)(run->end - run->pos);
    uint8_t bytes[START_UP_MAX];
    uint32_t n = tcp_run_copy(run, run->pos, bytes, START_UP_MAX);
    struct rdc_cursor cur = {bytes, n, there};
    struct rdc_mpa frame;
    enum rdc_status st;

    if (there < RDC_MPA_HEADER_LEN && rdc_mpa_is_start(bytes, n))
        return false;
    st = rdc_mpa_decode(&cur, &frame);
    if (st == RDC_MALFORMED && rdc_be16(bytes + RDC_MPA_KEY_LEN + 2) <= RDC_MPA_PRIVATE_MAX)
        return false;
    if (st != RDC_OK) {
        if (st == RDC_TRUNCATED && n >= RDC_MPA_KEY_LEN / 2)
            become_known(p, true);
        lose_framing(p, true);
        return true;
    }
    dir->start_seen = true;
    dir->wants_markers = frame.markers;
    dir->wants_crc = frame.crc;
    dir->rejects = frame.reject;
    dir->origin = run->pos + RDC_MPA_HEADER_LEN + frame.private_size;
    run->start_up = false;
    become_known(p, false);
    p->reader->start_up(p->reader->context, p->dir, &frame, run->pos);
    tcp_run_consume(&dir->tcp, run, dir->origin);
    return true;
}

/* What to make of an FPDU whose bytes are all there */
static bool believe(const struct place *p, const struct mpa_layout *layout,
                    const struct mpa_found *f)
{
    const struct mpa_dir *dir = &p->m->dir[p->dir];
    bool bad = f->crc == FPDU_CRC_BAD || (f->crc == FPDU_CRC_ZERO && layout->crc == MPA_CRC_ON);

    if (f->crc == FPDU_CRC_OK)
        return true;
    if (f->length == 0 && f->pos == dir->origin && dir->start_seen)
        return !bad; /* the first message between peers may be empty (RFC 6581, 9.2) */
    if (!f->plausible)
        return false;
    if (bad && layout->crc != MPA_CRC_OFF) /* damaged, or is this no FPDU? */
        return mpa_begins_next(p->run, f->pos + f->total, p->run->end);
    return true;
}

static void deliver(const struct place *p, const struct mpa_found *f)
{
    struct mpa_dir *dir = &p->m->dir[p->dir];

    if (dir->markers == MPA_MARKERS_UNKNOWN && f->markers == 0 && f->crc != FPDU_CRC_UNSEEN) {
        dir->unmarked += f->total;
        if (dir->unmarked >= UNMARKED_PROOF)
            dir->markers = MPA_MARKERS_NONE;
    }
    if (f->crc == FPDU_CRC_OK)
        p->m->crc = MPA_CRC_ON;
    else if (f->crc == FPDU_CRC_ZERO && p->m->crc == MPA_CRC_UNKNOWN)
        p->m->crc = MPA_CRC_OFF;
    p->reader->fpdu(p->reader->context, p->dir, f);
}

static bool read_fpdu(const struct place *p)
{
    struct mpa_layout layout = layout_of(p->m, p->dir);
    struct tcp_run *run = p->run;
    struct mpa_found f;
    uint8_t length[RDC_FPDU_LENGTH_LEN];

    switch (mpa_fpdu_at(run, run->pos, run->end, &layout, &f)) {
    case MPA_WAIT:
        if (f.total != 0 && f.header_size > 0 && f.plausible && p->m->known &&
            tcp_run_is_cut(run, run->pos)) {
            f.crc = FPDU_CRC_UNSEEN; /* what is still to come does not make it whole */
            break;
        }
        if (f.plausible || layout.crc == MPA_CRC_ON || run->end - run->pos < MPA_HEADER_MAX)
            return false;
        lose_framing(p, false);
        return true;
    case MPA_NO:
        lose_framing(p, tcp_run_copy(run, run->pos, length, sizeof(length)) < sizeof(length));
        return true;
    case MPA_FIT:
        break;
    }
    if (!believe(p, &layout, &f)) {
        lose_framing(p, false);
        return true;
    }
    deliver(p, &f);
    tcp_run_consume(&p->m->dir[p->dir].tcp, run, run->pos + f.total);
    return true;
}

/* ------------------------------------------------------------------ finding framing */

static struct tcp_run *run_before(const struct place *p)
{
    struct tcp_run *before = p->m->dir[p->dir].tcp.front;

    if (before == p->run)
        return NULL;
    while (before->next != p->run)
        before = before->next;
    return before;
}

/* The FPDU that the run before the hole ends with says where the next one begins. */
static bool foretold(const struct place *p, const struct mpa_layout *layout, int64_t *first)
{
    const struct tcp_run *before = run_before(p);
    struct mpa_found f;

    if (before == NULL || !before->synced || before->start_up)
        return false;
    *first = before->pos;
    if (before->pos > before->end)
        return *first >= p->run->begin && *first <= p->run->end && *first >= p->run->pos;
    if (before->pos == before->end || layout->markers == MPA_MARKERS_UNKNOWN ||
        mpa_fpdu_at(before, before->pos, before->end, layout, &f) != MPA_WAIT || f.total == 0 ||
        f.header_size < 2 || !f.plausible)
        return false;
    *first = before->pos + f.total;
    return *first >= p->run->begin && *first <= p->run->end && *first >= p->run->pos;
}

/* The run before goes: the last chance to learn from it where FPDUs begin */
static void heed_front(const struct place *p)
{
    struct mpa_layout layout = layout_of(p->m, p->dir);
    int64_t first;

    if (!foretold(p, &layout, &first))
        return;
    tcp_run_sync(&p->m->dir[p->dir].tcp, p->run, first);
    read_run(p);
}

/* A start-up frame where a segment begins */
static bool find_start_up(const struct place *p, int64_t *first)
{
    const struct tcp_piece *piece = p->run->last;
    uint8_t key[RDC_MPA_KEY_LEN];

    if (p->m->dir[p->dir].start_seen || piece == NULL || !piece->starts ||
        piece->pos < p->run->pos || tcp_run_copy(p->run, piece->pos, key, sizeof(key)) == 0 ||
        piece->captured < sizeof(key) || !rdc_mpa_is_start(key, sizeof(key)))
        return false;
    *first = piece->pos;
    return true;
}

static bool find_framing(const struct place *p)
{
    struct mpa_layout layout = layout_of(p->m, p->dir);
    struct mpa_dir *dir = &p->m->dir[p->dir];
    struct tcp_run *run = p->run;
    bool start_up = false, found;
    int64_t first;

    if (run->tried)
        return false;
    run->tried = true;
    if (p->m->known && foretold(p, &layout, &first)) {
        found = true;
    } else if (find_start_up(p, &first)) {
        found = start_up = true;
    } else {
        found = mpa_sync_search(run, &layout, p->m->known ? &mpa_proof_known : &mpa_proof_unknown,
                                &first);
        dir->searched++;
    }
    if (!found)
        return false;
    tcp_run_sync(&dir->tcp, run, first);
    run->start_up = start_up;
    if (!start_up)
        become_known(p, true);
    if (run->lost && p->reader->framing != NULL)
        p->reader->framing(p->reader->context, p->dir, true, first);
    run->lost = false;
    return true;
}

/* What could not be proved before may be now, in both directions. */
static void become_known(const struct place *p, bool inferred)
{
    if (p->m->known)
        return;
    p->m->known = true;
    p->m->inferred = inferred;
    for (unsigned d = 0; d < 2; d++) {
        struct tcp_run *run = p->m->dir[d].tcp.front;

        p->m->dir[d].tcp.coarse = false;
        for (; run != NULL; run = run->next) {
            struct place other = place_of(p->m, d, run, p->reader);

            if (run == p->run || run->synced)
                continue;
            run->tried = false;
            run->scanned = run->begin;
            run->wait_count = 0;
            grown(&other);
        }
    }
}

/* ------------------------------------------------------------------ closing holes */

/* The hole behind p->run is closed. What was read behind it stays; what is between is read now. */
static void join_next(const struct place *p)
{
    struct tcp_stream *s = &p->m->dir[p->dir].tcp;
    struct tcp_run *run = p->run;
    struct tcp_run from;

    tcp_stream_join(s, run, &from);
    if (!from.synced) {
        grown(p);
        return;
    }
    run->end = from.first;
    grown(p);
    if (!run->synced) {
        tcp_run_sync(s, run, from.first);
        run->lost = false;
    } else if (run->pos != from.first && p->reader->framing != NULL) {
        p->reader->framing(p->reader->context, p->dir, false, run->pos);
        p->reader->framing(p->reader->context, p->dir, true, from.first);
    }
    tcp_run_consume(s, run, from.first);
    run->end = from.end;
    run->start_up = from.start_up;
    tcp_run_consume(s, run, from.pos);
    tcp_run_append(run, from.pieces, from.last);
    read_run(p);
}
