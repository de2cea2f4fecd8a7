/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Finding FPDUs (see mpa_sync.h). Most places are refused by two bytes of control fields; a CRC is
 * computed only where they can be DDP's.
 */
#include "flow/mpa_sync.h"

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

/* Is the segment that `pos` stands in cut, and does it begin there? */
static bool cut_segment_at(const struct tcp_run *run, int64_t pos)
{
    for (const struct tcp_piece *p = run->pieces; p != NULL && p->pos <= pos; p = p->next)
        if (p->pos == pos)
            return p->starts && p->captured < p->size;
    return false;
}

static bool ends_segment(const struct tcp_run *run, int64_t pos)
{
    for (const struct tcp_piece *p = run->pieces; p != NULL && p->pos < pos; p = p->next)
        if (p->pos + p->size == pos)
            return true;
    return false;
}

static bool counts(const struct mpa_found *f, const struct mpa_layout *layout, struct count *n)
{
    if (f->crc == FPDU_CRC_OK) {
        n->crcs++;
        return true;
    }
    if (!f->plausible || f->header_size < CONTROL_LEN)
        return false;
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
                         const struct mpa_proof *proof)
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
            break;
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
    return MPA_WAIT;
}

/* Bit by bit what mpa_plausible() asks of a control field */
static bool can_be_control(const uint8_t *p)
{
    return (p[0] & 0x3f) == 1 && (p[1] & 0xb0) == 0;
}

struct search {
    const struct tcp_run *run;
    const struct mpa_layout *layout;
    const struct mpa_proof *proof;
    int64_t first; /* found */
    int64_t open;  /* the first place that waits */
};

static bool try_place(struct search *q, int64_t pos)
{
    enum mpa_fit fit = mpa_sync_at(q->run, pos, q->layout, q->proof);

    if (fit == MPA_WAIT && pos < q->open)
        q->open = pos;
    q->first = pos;
    return fit == MPA_FIT;
}

/* Places in [from, to) where control fields could follow, tried in order */
static bool search_stretch(struct search *q, int64_t from, int64_t to)
{
    const uint32_t ahead = RDC_FPDU_LENGTH_LEN + CONTROL_LEN;
    uint8_t window[WINDOW];

    while (from < to) {
        uint32_t n = tcp_run_copy(q->run, from, window, WINDOW);

        for (uint32_t i = 0; i + ahead <= n && from + i < to; i++)
            if (can_be_control(window + i + RDC_FPDU_LENGTH_LEN) &&
                mpa_plausible(window + i + RDC_FPDU_LENGTH_LEN, n - i - RDC_FPDU_LENGTH_LEN,
                              rdc_be16(window + i)) &&
                try_place(q, from + i))
                return true;
        if (n < WINDOW)
            return false;
        from += n - (ahead - 1);
    }
    return false;
}

bool mpa_sync_search(const struct tcp_run *run, int64_t *from, const struct mpa_layout *layout,
                     const struct mpa_proof *proof, int64_t *first)
{
    struct search q = {run, layout, proof, 0, run->end - RDC_FPDU_LENGTH_LEN - CONTROL_LEN + 1};
    bool found = false;

    for (const struct tcp_piece *p = run->pieces; p != NULL && !found; p = p->next)
        found = p->starts && p->pos >= *from && p->captured > 0 && try_place(&q, p->pos);
    for (const struct tcp_piece *p = run->pieces; p != NULL && !found; p = p->next) {
        int64_t start = p->pos > *from ? p->pos : *from;

        found = search_stretch(&q, start, p->pos + p->captured);
    }
    *first = q.first;
    if (!found && q.open > *from)
        *from = q.open;
    return found;
}
