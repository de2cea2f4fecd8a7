/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * First frames by stream and kind (see first_frames.h). Memory is bounded by the streams: ten
 * frames for each kind that a stream has.
 */
#include "analysis/first_frames.h"

#include <glib.h>
#include <string.h>

#include "analysis/try_list.h"
#include "flow/flow.h"

enum {
    ROCE, /* and InfiniBand */
    IWARP,
    NOBODY,
    SPACES, /* of stream numbers */
};

/* The kinds of a stream are in a chain: most have one, or none. */
struct node {
    struct frame_list list;
    struct node *next;
    unsigned kind;
};

struct frame_index {
    uint64_t refused;
    struct try_list streams[SPACES]; /* by stream: of struct node *, the first of its chain */
};

size_t first_frames_insert(uint64_t *frames, size_t count, size_t room, uint64_t frame)
{
    size_t at = count;

    while (at > 0 && frames[at - 1] > frame)
        at--;
    if (at == room || (at > 0 && frames[at - 1] == frame))
        return count;
    if (count == room)
        count--;
    memmove(frames + at + 1, frames + at, (count - at) * sizeof(*frames));
    frames[at] = frame;
    return count + 1;
}

struct frame_index *frame_index_new(void)
{
    return g_new0(struct frame_index, 1);
}

static void chain_free(struct node *node)
{
    while (node != NULL) {
        struct node *next = node->next;

        g_free(node);
        node = next;
    }
}

void frame_index_free(struct frame_index *index)
{
    if (index == NULL)
        return;
    for (unsigned i = 0; i < SPACES; i++) {
        for (uint32_t k = 0; k < index->streams[i].room; k++)
            chain_free(try_list_pointer(&index->streams[i], k));
        try_list_done(&index->streams[i]);
    }
    g_free(index);
}

uint64_t frame_index_refused(const struct frame_index *index)
{
    return index->refused;
}

static unsigned space_of(uint32_t stream, uint32_t *at)
{
    *at = stream == FLOW_NO_STREAM ? 0 : stream & ~FLOW_IWARP_STREAM;
    return stream == FLOW_NO_STREAM ? NOBODY : flow_stream_is_iwarp(stream) ? IWARP : ROCE;
}

static struct frame_list *list_of(const struct frame_index *index, uint32_t stream, unsigned kind)
{
    uint32_t at;
    unsigned space = space_of(stream, &at);
    struct node *node = try_list_pointer(&index->streams[space], at);

    while (node != NULL && node->kind != kind)
        node = node->next;
    return node != NULL ? &node->list : NULL;
}

const struct frame_list *frame_index_find(const struct frame_index *index, uint32_t stream,
                                          unsigned kind)
{
    return list_of(index, stream, kind);
}

/* NULL: there is no memory for it, which is counted */
static struct frame_list *list_made(struct frame_index *index, uint32_t stream, unsigned kind)
{
    struct frame_list *list = list_of(index, stream, kind);
    struct node *node = NULL, **first;
    uint32_t at;
    unsigned space = space_of(stream, &at);

    if (list != NULL)
        return list;
    if (try_list_reach(&index->streams[space], at, sizeof(node)))
        node = g_try_new0(struct node, 1);
    if (node == NULL) {
        index->refused++;
        return NULL;
    }
    first = (struct node **)index->streams[space].entries + at;
    node->kind = kind;
    node->next = *first;
    *first = node;
    return &node->list;
}

static void remember(struct first_frames *f, uint64_t frame)
{
    f->count = first_frames_insert(f->frames, f->count, FIRST_FRAMES, frame);
}

static void forget(struct first_frames *f, uint64_t frame)
{
    size_t at = 0;

    while (at < f->count && f->frames[at] != frame)
        at++;
    if (at == f->count)
        return;
    f->count--;
    memmove(f->frames + at, f->frames + at + 1, (f->count - at) * sizeof(*f->frames));
}

void frame_index_add(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame)
{
    struct frame_list *list = list_made(index, stream, kind);

    if (list == NULL)
        return;
    list->count++;
    if (frame != 0)
        remember(&list->first, frame);
}

void frame_index_take_out(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame)
{
    struct frame_list *list = list_of(index, stream, kind);

    if (list == NULL)
        return;
    list->count -= list->count > 0;
    forget(&list->first, frame);
}

void frame_index_mark(struct frame_index *index, uint32_t stream, unsigned kind, uint64_t frame,
                      bool there)
{
    struct frame_list *list = there ? list_made(index, stream, kind) : list_of(index, stream, kind);

    if (list != NULL && there)
        remember(&list->first, frame);
    else if (list != NULL)
        forget(&list->first, frame);
}
