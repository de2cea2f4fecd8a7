/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading the held bytes of a run, and letting go of them (see tcp_stream.h).
 */
#include <string.h>

#include "flow/tcp_stream.h"
#include "rdc/crc.h"

enum {
    PIECE_COST = 64, /* what a held piece counts beside its bytes */
    MORE = 9216,     /* block for a piece that others are likely to be joined to */
};

static uint32_t cost(const struct tcp_piece *piece)
{
    return PIECE_COST + piece->captured;
}

static void hold(struct tcp_stream *s, struct tcp_run *run, struct tcp_piece *piece)
{
    piece->held = true;
    run->held += cost(piece);
    s->held += cost(piece);
}

static void drop(struct tcp_stream *s, struct tcp_run *run, struct tcp_piece *piece)
{
    if (piece->held) {
        run->held -= cost(piece);
        s->held -= cost(piece);
    }
    tcp_piece_free(s->pool, piece);
}

static void drop_list(struct tcp_stream *s, struct tcp_run *run, struct tcp_piece **list)
{
    while (*list != NULL) {
        struct tcp_piece *next = (*list)->next;

        drop(s, run, *list);
        *list = next;
    }
}

/* ------------------------------------------------------------------ reading */

const struct tcp_piece *tcp_run_piece_at(const struct tcp_run *run, int64_t pos)
{
    const struct tcp_piece *piece = run->near != NULL ? run->near : run->pieces;

    if (run->last != NULL && run->last->pos - pos < pos - piece->pos)
        piece = run->last;
    while (piece != NULL && piece->pos > pos && piece->before != NULL)
        piece = piece->before;
    while (piece != NULL && piece->pos + piece->size <= pos)
        piece = piece->next;
    return piece != NULL && piece->pos <= pos ? piece : NULL;
}

/* Captured bytes at `pos` within its piece */
static uint32_t stretch(const struct tcp_piece *piece, int64_t pos, uint32_t size,
                        const uint8_t **bytes)
{
    uint32_t skipped = (uint32_t)(pos - piece->pos);
    uint32_t n = piece->captured > skipped ? piece->captured - skipped : 0;

    *bytes = n > 0 ? piece->bytes + skipped : NULL;
    return n < size ? n : size;
}

uint32_t tcp_run_copy(const struct tcp_run *run, int64_t pos, uint8_t *out, uint32_t size)
{
    const struct tcp_piece *piece = tcp_run_piece_at(run, pos);
    uint32_t done = 0;

    while (piece != NULL && done < size) {
        const uint8_t *bytes;
        uint32_t n = stretch(piece, pos + done, size - done, &bytes);

        if (n > 0)
            memcpy(out + done, bytes, n);
        done += n;
        if (pos + done < piece->pos + piece->size)
            break;
        piece = piece->next;
        if (piece != NULL && piece->pos != pos + done)
            break;
    }
    return done;
}

bool tcp_run_is_cut(const struct tcp_run *run, int64_t pos)
{
    for (const struct tcp_piece *p = tcp_run_piece_at(run, pos); p != NULL; p = p->next) {
        if (p->captured < p->size)
            return true;
        pos = p->pos + p->size;
    }
    return pos < run->end;
}

bool tcp_run_crc32c(const struct tcp_run *run, int64_t pos, uint32_t size, uint32_t *crc)
{
    const struct tcp_piece *piece = tcp_run_piece_at(run, pos);

    while (size > 0) {
        const uint8_t *bytes;
        uint32_t n;

        if (piece == NULL || piece->pos > pos)
            return false;
        n = stretch(piece, pos, size, &bytes);
        if (n == 0)
            return false;
        *crc = rdc_crc32c_update(*crc, bytes, n);
        pos += n;
        size -= n;
        if (pos == piece->pos + piece->size)
            piece = piece->next;
    }
    return true;
}

/* ------------------------------------------------------------------ letting go */

/* run->pieces is the first one now, or there is none. */
static void begins_here(struct tcp_run *run)
{
    if (run->pieces != NULL)
        run->pieces->before = NULL;
    else
        run->last = NULL;
}

void tcp_run_consume(struct tcp_stream *s, struct tcp_run *run, int64_t pos)
{
    run->pos = pos;
    while (run->pieces != NULL && run->pieces->pos + run->pieces->size <= pos) {
        struct tcp_piece *piece = run->pieces;

        run->pieces = piece->next;
        drop(s, run, piece);
    }
    begins_here(run);
}

/* Splits the held bytes before `first` off: a piece that covers it is cut into two. */
static struct tcp_piece *cut_before(struct tcp_stream *s, struct tcp_run *run, int64_t first)
{
    struct tcp_piece *list = run->pieces, **link = &list, *before = NULL;

    while (*link != NULL && (*link)->pos + (*link)->size <= first) {
        before = *link;
        link = &(*link)->next;
    }
    run->pieces = *link;
    *link = NULL;
    begins_here(run);
    if (run->pieces != NULL && run->pieces->pos < first) {
        uint32_t size = (uint32_t)(first - run->pieces->pos);
        struct tcp_piece *piece = tcp_piece_new(s->pool, size);
        const uint8_t *bytes;

        if (piece == NULL)
            return list;
        piece->pos = run->pieces->pos;
        piece->size = size;
        piece->starts = run->pieces->starts;
        piece->captured = stretch(run->pieces, piece->pos, size, &bytes);
        if (piece->captured > 0)
            memcpy(piece->data, bytes, piece->captured);
        hold(s, run, piece);
        piece->before = before;
        *link = piece;
    }
    return list;
}

void tcp_run_sync(struct tcp_stream *s, struct tcp_run *run, int64_t first)
{
    struct tcp_piece *head = NULL;

    if (run != s->front) {
        tcp_stream_keep(s, run); /* a head outlives its packet */
        head = cut_before(s, run, first);
    }
    run->head = head;
    run->synced = true;
    run->first = first;
    tcp_run_consume(s, run, first);
}

void tcp_run_behead(struct tcp_stream *s, struct tcp_run *run)
{
    drop_list(s, run, &run->head);
}

void tcp_run_unsync(struct tcp_stream *s, struct tcp_run *run)
{
    drop_list(s, run, &run->head);
    run->synced = false;
    run->start_up = false;
    run->tried = false;
    run->wait_count = 0;
    run->scanned = run->pos + 1;
}

void tcp_run_forget(struct tcp_stream *s, struct tcp_run *run, int64_t pos)
{
    while (run->pieces != NULL && run->pieces->pos < pos) {
        struct tcp_piece *piece = run->pieces;

        s->unheld += piece->captured;
        run->pieces = piece->next;
        drop(s, run, piece);
    }
    begins_here(run);
}

/* Joins bytes to the piece before, where its block has room; only where framing is known or nothing
 * is, since it hides where segments began. */
static bool merge(struct tcp_stream *s, struct tcp_run *run, struct tcp_piece *before,
                  const struct tcp_piece *piece, uint32_t skipped)
{
    const uint8_t *bytes;
    uint32_t size = stretch(piece, piece->pos + skipped, piece->size, &bytes);

    if ((!run->synced && !s->coarse) || before == NULL || !before->held ||
        before->pos + before->size != piece->pos)
        return false;
    if (bytes != NULL) {
        if (before->captured < before->size || before->captured + size > tcp_piece_room(before) ||
            s->held + size > TCP_HELD_MAX)
            return false;
        memcpy(before->data + before->captured, bytes, size);
        before->captured += size;
        run->held += size;
        s->held += size;
    }
    before->size += piece->size - skipped;
    return true;
}

/* An own copy of what is still wanted of a borrowed piece; without its bytes at the bound */
static struct tcp_piece *own(struct tcp_stream *s, const struct tcp_piece *piece, uint32_t skipped,
                             bool more)
{
    const uint8_t *bytes;
    uint32_t size = stretch(piece, piece->pos + skipped, piece->size, &bytes);
    bool room = s->held + size + PIECE_COST <= TCP_HELD_MAX;
    uint32_t block = more && size > 0 && size < MORE ? MORE : size;
    struct tcp_piece *copy = room ? tcp_piece_new(s->pool, block) : NULL;

    if (copy == NULL)
        return NULL;
    copy->pos = piece->pos + skipped;
    copy->size = piece->size - skipped;
    copy->captured = size;
    copy->starts = piece->starts && skipped == 0;
    if (size > 0)
        memcpy(copy->data, bytes, size);
    return copy;
}

void tcp_stream_keep(struct tcp_stream *s, struct tcp_run *run)
{
    struct tcp_piece *last = run->last, *before, *copy;
    uint32_t skipped;

    if (last == NULL || last->held)
        return;
    before = last->before;
    skipped = run->synced && run->pos > last->pos ? (uint32_t)(run->pos - last->pos) : 0;
    if (merge(s, run, before, last, skipped)) {
        before->next = NULL;
        run->last = before;
        tcp_piece_free(s->pool, last);
        return;
    }
    copy = own(s, last, skipped, s->coarse || (run->synced && before != NULL));
    if (copy == NULL) { /* seen, but nobody can read it */
        s->unheld += last->captured;
        last->captured = 0;
        last->bytes = NULL;
        if (merge(s, run, before, last, 0)) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what it was merged with */
            before->next = NULL;
            run->last = before;
            tcp_piece_free(s->pool, last);
            return;
        }
        hold(s, run, last);
    } else {
        if (before != NULL)
            before->next = copy;
        else
            run->pieces = copy;
        copy->before = before;
        run->last = copy;
        hold(s, run, copy);
        tcp_piece_free(s->pool, last);
    }
    if (!run->synced && run->held > TCP_UNREAD_MAX)
        tcp_run_forget(s, run, run->end - TCP_UNREAD_LEFT);
}
