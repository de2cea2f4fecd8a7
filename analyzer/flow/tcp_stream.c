/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs of a TCP stream and their growing together (see tcp_stream.h). Reading them is tcp_run.c's.
 */
#include "flow/tcp_stream.h"

#include <stdlib.h>
#include <string.h>

#include "rdc/wire.h"

#define FIRST_POS ((int64_t)1 << 33) /* room below for bytes before the first one seen */

static struct tcp_run *new_run(struct tcp_stream *s, int64_t begin);
static void free_run(struct tcp_stream *s, struct tcp_run *run);
static struct tcp_run *run_before(const struct tcp_stream *s, int64_t pos);
static struct tcp_run *open_run(struct tcp_stream *s, struct tcp_run *before,
                                const struct tcp_segment *seg, int64_t pos);
static bool extend(struct tcp_stream *s, struct tcp_run *run, const struct tcp_segment *seg,
                   int64_t pos, uint32_t size);

void tcp_stream_init(struct tcp_stream *s, struct tcp_pool *pool)
{
    *s = (struct tcp_stream){.pool = pool};
}

static void clear(struct tcp_stream *s)
{
    while (s->front != NULL) {
        struct tcp_run *run = s->front;

        s->front = run->next;
        free_run(s, run);
    }
    s->back = NULL;
    s->started = false;
}

void tcp_stream_done(struct tcp_stream *s)
{
    clear(s);
    while (s->free != NULL) {
        struct tcp_run *run = s->free;

        s->free = run->next;
        free(run);
    }
}

bool tcp_stream_start(struct tcp_stream *s, uint32_t seq)
{
    clear(s);
    s->front = s->back = new_run(s, FIRST_POS + seq);
    if (s->front == NULL)
        return false;
    s->high = s->front->begin;
    s->started = true;
    return true;
}

int64_t tcp_stream_pos(const struct tcp_stream *s, uint32_t seq)
{
    return s->high + rdc_seq_diff(seq, (uint32_t)s->high);
}

uint32_t tcp_stream_seen(const struct tcp_stream *s, int64_t pos, uint32_t size,
                         struct tcp_run **hole)
{
    int64_t end = pos + size, at = pos;
    uint32_t seen = 0;

    *hole = NULL;
    for (struct tcp_run *run = s->front; run != NULL && at < end; run = run->next) {
        int64_t from = run->begin > at ? run->begin : at;
        int64_t to = run->end < end ? run->end : end;

        if (*hole == NULL && at < run->begin)
            *hole = run;
        if (to <= from)
            continue;
        seen += (uint32_t)(to - from);
        at = to;
    }
    return seen;
}

/* ------------------------------------------------------------------ growing */

struct tcp_run *tcp_stream_add(struct tcp_stream *s, const struct tcp_segment *seg, int64_t *from)
{
    int64_t pos = *from, end = seg->pos + seg->size;
    struct tcp_run *run = run_before(s, pos);

    if (run != NULL && pos < run->end)
        pos = run->end;
    while (run != NULL && tcp_run_touches_next(run)) { /* an empty run at the stream's start */
        run = run->next;
        /* cppcheck-suppress nullPointerRedundantCheck ; a run that touches the next has a next */
        pos = pos > run->end ? pos : run->end;
    }
    if (pos >= end)
        return NULL;
    if (run == NULL || run->end < pos)
        run = open_run(s, run, seg, pos);
    if (run == NULL)
        return NULL;
    if (run->next != NULL && run->next->begin < end)
        end = run->next->begin;
    if (end - pos > TCP_PIECE_MAX)
        end = pos + TCP_PIECE_MAX;
    if (!extend(s, run, seg, pos, (uint32_t)(end - pos)))
        return NULL;
    *from = end;
    if (end > s->high)
        s->high = end;
    return run;
}

/* The last run that begins at or before `pos`; mostly the one at the back */
static struct tcp_run *run_before(const struct tcp_stream *s, int64_t pos)
{
    struct tcp_run *before = NULL;

    if (s->back != NULL && s->back->begin <= pos)
        return s->back;
    for (struct tcp_run *run = s->front; run != NULL && run->begin <= pos; run = run->next)
        before = run;
    return before;
}

static struct tcp_run *open_run(struct tcp_stream *s, struct tcp_run *before,
                                const struct tcp_segment *seg, int64_t pos)
{
    struct tcp_run *run = new_run(s, pos);

    if (run == NULL)
        return NULL;
    run->opened = (struct tcp_mark){seg->time_ns, seg->number, seg->has_ts ? seg->ts : 0,
                                    seg->has_id ? seg->id : 0};
    run->next = before != NULL ? before->next : s->front;
    if (before != NULL)
        before->next = run;
    else
        s->front = run;
    if (run->next == NULL)
        s->back = run;
    return run;
}

static bool extend(struct tcp_stream *s, struct tcp_run *run, const struct tcp_segment *seg,
                   int64_t pos, uint32_t size)
{
    struct tcp_piece *piece = tcp_piece_new(s->pool, 0);
    uint32_t skipped = (uint32_t)(pos - seg->pos);

    if (piece == NULL)
        return false;
    piece->pos = pos;
    piece->size = size;
    piece->captured = seg->captured > skipped ? seg->captured - skipped : 0;
    if (piece->captured > size)
        piece->captured = size;
    piece->bytes = piece->captured > 0 ? seg->bytes + skipped : NULL;
    piece->starts = skipped == 0;
    tcp_run_append(run, piece, piece);
    run->end = pos + size;
    run->tried = false;
    return true;
}

void tcp_run_append(struct tcp_run *run, struct tcp_piece *list, struct tcp_piece *last)
{
    if (list == NULL)
        return;
    if (run->last != NULL)
        run->last->next = list;
    else
        run->pieces = list;
    list->before = run->last;
    run->last = last;
}

static struct tcp_piece *list_end(struct tcp_piece *list)
{
    while (list != NULL && list->next != NULL)
        list = list->next;
    return list;
}

void tcp_stream_join(struct tcp_stream *s, struct tcp_run *run, struct tcp_run *from)
{
    struct tcp_run *behind = run->next;

    *from = *behind;
    run->next = behind->next;
    if (run->next == NULL)
        s->back = run;
    run->end = behind->end;
    run->held += behind->held;
    run->tried = false;
    tcp_run_append(run, behind->head, list_end(behind->head));
    from->head = NULL;
    if (!behind->synced) {
        tcp_run_append(run, behind->pieces, behind->last);
        from->pieces = from->last = NULL;
    }
    behind->head = behind->pieces = behind->last = NULL;
    behind->held = 0;
    free_run(s, behind);
}

void tcp_stream_skip_front(struct tcp_stream *s)
{
    struct tcp_run *run = s->front;

    s->front = run->next;
    free_run(s, run);
    tcp_run_behead(s, s->front);
}

/* ------------------------------------------------------------------ runs */

static struct tcp_run *new_run(struct tcp_stream *s, int64_t begin)
{
    struct tcp_run *run = s->free;

    if (run != NULL)
        s->free = run->next;
    else
        run = malloc(sizeof(*run));
    if (run == NULL)
        return NULL;
    *run = (struct tcp_run){
        .begin = begin, .end = begin, .first = begin, .pos = begin, .scanned = begin};
    s->run_count++;
    return run;
}

static void free_run(struct tcp_stream *s, struct tcp_run *run)
{
    tcp_pieces_free(s->pool, run->head);
    tcp_pieces_free(s->pool, run->pieces);
    s->held -= run->held;
    s->run_count--;
    run->next = s->free;
    s->free = run;
}
