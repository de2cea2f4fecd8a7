/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See try_list.h.
 */
#include "analysis/try_list.h"

#include <glib.h>
#include <string.h>

enum {
    FIRST_ROOM = 4,
};

bool try_list_reach(struct try_list *list, uint32_t at, size_t size)
{
    uint32_t room = MAX(list->room, FIRST_ROOM);
    void *entries;

    if (at < list->room)
        return true;
    while (room <= at && room <= UINT32_MAX / 2)
        room *= 2;
    entries = room > at ? g_try_realloc_n(list->entries, room, size) : NULL;
    if (entries == NULL)
        return false;
    memset((char *)entries + list->room * size, 0, (room - list->room) * size);
    *list = (struct try_list){entries, room};
    return true;
}

void try_list_done(struct try_list *list)
{
    g_free(list->entries);
    *list = (struct try_list){0};
}

void *try_list_made(struct try_list *list, uint32_t at, size_t size)
{
    void **slot;

    if (!try_list_reach(list, at, sizeof(void *)))
        return NULL;
    slot = (void **)list->entries + at;
    if (*slot == NULL)
        *slot = g_try_malloc0(size);
    return *slot;
}
