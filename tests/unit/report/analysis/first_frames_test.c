/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * First frames: in order, each once, the first ten; by stream and kind, counted, taken back.
 */
#include "support.h"

#include <stdio.h>

#include "analysis/first_frames.h"
#include "flow/flow.h"

static void expect(const struct frame_index *index, uint32_t stream, unsigned kind, uint64_t count,
                   const char *frames)
{
    const struct frame_list *list = frame_index_find(index, stream, kind);
    char text[200] = "";

    for (size_t i = 0; list != NULL && i < list->first.count; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i > 0 ? " " : "",
                 (unsigned)list->first.frames[i]);
    assert_string_equal(text, frames);
    assert_int_equal(list != NULL ? list->count : 0, count);
}

static void in_order(void **state)
{
    struct frame_index *index = frame_index_new();

    (void)state;
    for (uint64_t frame = 120; frame > 0; frame -= 10)
        frame_index_add(index, 5, 1, frame);
    frame_index_add(index, 5, 1, 30); /* known already */
    frame_index_add(index, 5, 1, 0);  /* no frame */
    frame_index_add(index, 5, 1, 500);
    expect(index, 5, 1, 15, "10 20 30 40 50 60 70 80 90 100");
    expect(index, 5, 0, 0, "");
    expect(index, 5, 2, 0, "");
    expect(index, 4, 1, 0, "");
    expect(index, 6, 1, 0, "");
    frame_index_free(index);
}

/* iWARP's streams and what belongs to none have numbers of their own */
static void spaces(void **state)
{
    struct frame_index *index = frame_index_new();

    (void)state;
    frame_index_add(index, 0, 0, 1);
    frame_index_add(index, FLOW_IWARP_STREAM, 0, 2);
    frame_index_add(index, FLOW_NO_STREAM, 0, 3);
    expect(index, 0, 0, 1, "1");
    expect(index, FLOW_IWARP_STREAM, 0, 1, "2");
    expect(index, FLOW_NO_STREAM, 0, 1, "3");
    frame_index_free(index);
    frame_index_free(NULL);
}

static void taken_back(void **state)
{
    struct frame_index *index = frame_index_new();

    (void)state;
    frame_index_take_out(index, 9, 0, 1); /* nothing is there */
    expect(index, 9, 0, 0, "");
    for (uint64_t frame = 1; frame <= 3; frame++)
        frame_index_add(index, 9, 0, frame);
    frame_index_take_out(index, 9, 0, 2);
    expect(index, 9, 0, 2, "1 3");
    frame_index_take_out(index, 9, 0, 77); /* counted, but no longer among the first */
    expect(index, 9, 0, 1, "1 3");
    frame_index_mark(index, 9, 0, 2, true);
    frame_index_mark(index, 9, 0, 1, false);
    frame_index_mark(index, 8, 0, 1, false);
    expect(index, 9, 0, 1, "2 3");
    frame_index_free(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"in-order", in_order, NULL, NULL, NULL},
        {"spaces", spaces, NULL, NULL, NULL},
        {"taken-back", taken_back, NULL, NULL, NULL},
    };

    return _cmocka_run_group_tests("first_frames", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
