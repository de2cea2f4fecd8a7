/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers for keys of bytes, 0, 1, ... in the order in which they first come. Memory for it may be
 * refused: then a new key gets none.
 */
#ifndef ANALYSIS_NUMBERS_H
#define ANALYSIS_NUMBERS_H

#include <stddef.h>

#include "analysis/try_list.h"
#include "flow/key.h"

#define NO_NUMBER UINT32_MAX

/* All zero but `key_size`: empty. */
struct numbers {
    size_t key_size;
    uint32_t count;
    struct try_list keys; /* one after the other */
    struct flow_table table;
};

void numbers_done(struct numbers *numbers);
/* NO_NUMBER: it is new */
uint32_t numbers_find(const struct numbers *numbers, const void *key);
/* The number of a key that may be new; NO_NUMBER: there is no memory for it. */
uint32_t numbers_of(struct numbers *numbers, const void *key);
/* The same for numbers that are made once all packets were read: without memory the process ends,
 * as it does with GLib's lists. */
uint32_t numbers_surely(struct numbers *numbers, const void *key);

#endif
