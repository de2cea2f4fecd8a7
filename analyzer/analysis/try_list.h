/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A list by number that grows while packets come, and may be refused the memory for it: then it
 * stays as it is, and its user counts what it could not keep. GLib's own lists would end the
 * process.
 */
#ifndef ANALYSIS_TRY_LIST_H
#define ANALYSIS_TRY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
struct try_list {
    void *entries; /* `room` of one size, zero until they are written */
    uint32_t room;
};

/* Makes room for number `at`; false: there is no memory. `size`: of an entry, always the same. */
bool try_list_reach(struct try_list *list, uint32_t at, size_t size);
void try_list_done(struct try_list *list);

/* Lists of pointers */
static inline void *try_list_pointer(const struct try_list *list, uint32_t at)
{
    return at < list->room ? ((void **)list->entries)[at] : NULL;
}

/* The pointer at a number, which leads to `size` zero bytes where it was NULL. NULL: no memory. */
void *try_list_made(struct try_list *list, uint32_t at, size_t size);

#endif
