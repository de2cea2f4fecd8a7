/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See numbers.h.
 */
#include "analysis/numbers.h"

#include <glib.h>
#include <string.h>

#include "analysis/keyed_hash.h"

struct wanted {
    const struct numbers *numbers;
    const void *key;
};

static const void *key_at(const struct numbers *n, uint32_t number)
{
    return (const uint8_t *)n->keys.entries + number * n->key_size;
}

static bool is_wanted(const void *context, uint32_t number)
{
    const struct wanted *w = context;

    return memcmp(key_at(w->numbers, number), w->key, w->numbers->key_size) == 0;
}

void numbers_done(struct numbers *n)
{
    try_list_done(&n->keys);
    flow_table_done(&n->table);
}

uint32_t numbers_find(const struct numbers *n, const void *key)
{
    struct wanted w = {n, key};

    return flow_table_find(&n->table, keyed_hash(key, n->key_size), is_wanted, &w);
}

static bool add(struct numbers *n, const void *key)
{
    if (!flow_table_add(&n->table, keyed_hash(key, n->key_size), n->count))
        return false;
    memcpy((uint8_t *)n->keys.entries + n->count * n->key_size, key, n->key_size);
    n->count++;
    return true;
}

uint32_t numbers_of(struct numbers *n, const void *key)
{
    uint32_t number = numbers_find(n, key);

    if (number != NO_NUMBER)
        return number;
    return try_list_reach(&n->keys, n->count, n->key_size) && add(n, key) ? n->count - 1
                                                                          : NO_NUMBER;
}

uint32_t numbers_surely(struct numbers *n, const void *key)
{
    uint32_t number = numbers_find(n, key);

    if (number != NO_NUMBER)
        return number;
    if (n->count == n->keys.room) {
        n->keys.room = MAX(n->keys.room * 2, 4);
        n->keys.entries = g_realloc_n(n->keys.entries, n->keys.room, n->key_size);
    }
    if (!add(n, key))
        g_error("no memory for %u numbers", n->count);
    return n->count - 1;
}
