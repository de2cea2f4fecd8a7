/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finding FPDUs (see mpa_sync.h). Most places are refused by two bytes of control fields; a CRC is
 * computed only where they can be DDP's.
 */
#include "flow/mpa_sync.h"

#include <string.h>

#include "rdc/iwarp.h"

const struct mpa_proof mpa_proof_known = {1, 2, 1};
const struct mpa_proof mpa_proof_unknown = {2, 4, 4};

enum {
    WINDOW = 4096, /* bytes looked at in one go */
    CONTROL_LEN = 2,
};

struct count {
    unsigned crcs, zeros, cut;
};

static bool enough(const struct count *n, const struct mpa_proof *proof)
{
    return n->crcs >= proof->crcs || n->crcs + n->zeros >= proof->zeros ||
           n->crcs + n->zeros + n->cut >= (proof->cut > proof->zeros ? proof->cut : proof->zeros);
}

/* Is the segment that begins at `pos` cut? */
static bool cut_segment_at(const struct tcp_run *run, int64_t pos)
{
    const struct tcp_piece *p = tcp_run_piece_at(run, pos);

    return p != NULL && p->pos == pos && p->starts && p->captured < p->size;
}

static bool ends_segment(const struct tcp_run *run, int64_t pos)
{
    const struct tcp_piece *p = tcp_run_piece_at(run, pos - 1);

    return p != NULL && p->pos + p->size == pos;
}

static bool counts(const struct mpa_found *f, const struct mpa_layout *layout, struct count *n)
{
    if (f->crc == FPDU_CRC_OK) {
        n->crcs++;
        return true;
    }
    if (!f->plausible || f->header_size < CONTROL_LEN || f->marker_bad)
        return false; /* a CRC of 0 before an FPDU looks like a marker at its start */
    if (f->crc == FPDU_CRC_UNSEEN) {
        n->cut++;
        return true;
    }
    if (layout->crc == MPA_CRC_ON || (f->crc == FPDU_CRC_BAD && layout->crc != MPA_CRC_OFF))
        return false;
    n->zeros++;
    return true;
}

enum mpa_fit mpa_sync_at(const struct tcp_run *run, int64_t pos, const struct mpa_layout *layout,
                         const struct mpa_proof *proof, int64_t *need)
{
    struct count n = {0};
    int64_t at = pos;

    for (;;) {
        struct mpa_found f;
        enum mpa_fit fit = mpa_fpdu_at(run, at, run->end, layout, &f);

        if (fit == MPA_NO) /* what is cut can't be followed further */
            return n.crcs > 0 && proof->crcs == 1 ? MPA_FIT : MPA_NO;
        if (fit == MPA_WAIT) {
            if (at + RDC_FPDU_LENGTH_LEN + CONTROL_LEN <= run->end && !f.plausible)
                return MPA_NO;
            *need = f.total != 0 ? at + f.total : at + RDC_FPDU_LENGTH_LEN + CONTROL_LEN;
            return MPA_WAIT;
        }
        if (!counts(&f, layout, &n))
            return MPA_NO;
        at += f.total;
        if (enough(&n, proof))
            return MPA_FIT;
        if (proof->cut == 1 && n.cut + n.zeros > 0 && ends_segment(run, at) &&
            (n.zeros > 0 || cut_segment_at(run, pos)))
            return MPA_FIT;
    }
}

/* ------------------------------------------------------------------ searching */

struct search {
    struct tcp_run *run;
    const struct mpa_layout *layout;
    const struct mpa_proof *proof;
    int64_t from;
    int64_t first; /* found */
};

/* Remembers a place that waits; when there are too many, the one that waits longest goes. */
static void wait_at(struct tcp_run *run, int64_t pos, int64_t need)
{
    struct tcp_wait *longest = &run->waits[0];

    for (unsigned i = 0; i < run->wait_count; i++) {
        if (run->waits[i].pos == pos)
            return;
        if (run->waits[i].need > longest->need)
            longest = &run->waits[i];
    }
    if (run->wait_count < TCP_WAITS_MAX)
        run->waits[run->wait_count++] = (struct tcp_wait){pos, need};
    else if (need < longest->need)
        *longest = (struct tcp_wait){pos, need};
}

static bool try_place(struct search *q, int64_t pos)
{
    int64_t need;
    enum mpa_fit fit;

    if (*q->layout->credit <= 0)
        return false;
    *q->layout->credit -= MPA_CREDIT_PLACE;
    fit = mpa_sync_at(q->run, pos, q->layout, q->proof, &need);
    if (fit == MPA_WAIT)
        wait_at(q->run, pos, need);
    q->first = pos;
    return fit == MPA_FIT;
}

static bool try_waiting(struct search *q)
{
    struct tcp_run *run = q->run;

    for (unsigned i = 0; i < run->wait_count;) {
        struct tcp_wait *w = &run->waits[i];
        enum mpa_fit fit = MPA_WAIT;

        if (w->need <= run->end && *q->layout->credit > 0)
            fit = mpa_sync_at(run, w->pos, q->layout, q->proof, &w->need);
        q->first = w->pos;
        if (fit == MPA_FIT)
            return true;
        if (fit == MPA_NO)
            *w = run->waits[--run->wait_count];
        else
            i++;
    }
    return false;
}

/* A length field can be at `pos`: the FPDU begins there, or with a marker before it. */
static bool try_length(struct search *q, int64_t pos)
{
    const struct mpa_layout *layout = q->layout;
    int64_t marker = pos - RDC_MARKER_LEN;
    bool marked = layout->markers == MPA_MARKERS_SET &&
                  (uint64_t)(marker - layout->origin) % RDC_MARKER_SPACING == 0;

    if (!marked && try_place(q, pos))
        return true;
    return (marked || layout->markers == MPA_MARKERS_UNKNOWN) && marker >= q->run->begin &&
           try_place(q, marker);
}

/* Bit by bit what mpa_plausible() asks of a control field */
static bool can_be_control(const uint8_t *p)
{
    return (p[0] & 0x3f) == 1 && (p[1] & 0xb0) == 0;
}

/* The `n` bytes at `pos`: all places whose control field is among them */
static bool search_window(struct search *q, const uint8_t *window, uint32_t n, int64_t pos,
                          uint32_t places)
{
    for (uint32_t i = 0; i < places; i++) {
        const uint8_t *control = window + i + RDC_FPDU_LENGTH_LEN;

        if (i % 8 == 0 && i + RDC_FPDU_LENGTH_LEN + 8 <= n && !mpa_any_control(control))
            i += 7;
        else if (can_be_control(control) &&
                 mpa_plausible(control, n - i - RDC_FPDU_LENGTH_LEN, rdc_be16(window + i)) &&
                 try_length(q, pos + i))
            return true;
        else if (*q->layout->credit <= 0)
            return false;
    }
    return false;
}

/* Places in [from, to) */
static bool search_stretch(struct search *q, int64_t from, int64_t to)
{
    const uint32_t ahead = RDC_FPDU_LENGTH_LEN + CONTROL_LEN;
    uint8_t window[WINDOW];

    while (from < to) {
        uint32_t n = tcp_run_copy(q->run, from, window, WINDOW);
        uint32_t places = n < ahead ? 0 : n - (ahead - 1);

        if (places > to - from)
            places = (uint32_t)(to - from);
        if (places == 0)
            return false;
        if (search_window(q, window, n, from, places))
            return true;
        from += places;
    }
    return false;
}

bool mpa_sync_search(struct tcp_run *run, const struct mpa_layout *layout,
                     const struct mpa_proof *proof, int64_t *first)
{
    struct search q = {run, layout, proof, run->scanned, 0};
    bool found = try_waiting(&q);
    const struct tcp_piece *fresh = tcp_run_piece_at(run, q.from), *p;

    if (fresh == NULL) /* what was scanned up to there is not held any more */
        fresh = run->pieces;
    for (p = fresh; p != NULL && !found; p = p->next) {
        run->near = p;
        found = p->starts && p->pos >= q.from && p->captured > 0 && try_place(&q, p->pos);
    }
    for (p = fresh; p != NULL && !found; p = p->next) {
        int64_t start = p->pos > q.from ? p->pos : q.from;

        run->near = p;
        found = search_stretch(&q, start, p->pos + p->captured);
    }
    run->near = NULL;
    run->scanned = run->end - (RDC_FPDU_LENGTH_LEN + CONTROL_LEN - 1);
    if (run->scanned < q.from)
        run->scanned = q.from;
    *first = q.first;
    return found;
}
