/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An arena for each test of a file, which must have got back all that it gave.
 */
#ifndef FLOW_TEST_BOUNDED_H
#define FLOW_TEST_BOUNDED_H

#include "flow/arena.h"
#include "support.h"

#define BOUND (UINT64_C(64) << 20)

static struct flow_arena arena;

static inline int arena_begin(void **state)
{
    (void)state;
    flow_arena_init(&arena, BOUND);
    return 0;
}

static inline int arena_end(void **state)
{
    (void)state;
    flow_arena_done(&arena);
    return arena.left == BOUND && arena.refused == 0 ? 0 : -1;
}

#endif
