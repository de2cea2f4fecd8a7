/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A hash of bytes with a key (see keyed_hash.h). GHashFunc has no context, so the key is one for
 * the process.
 */
#include "analysis/keyed_hash.h"

#include <string.h>

#include "flow/key.h"

static const struct flow_hash_key *process_key(void)
{
    static struct flow_hash_key key;
    static gsize ready;

    if (g_once_init_enter(&ready)) {
        flow_hash_key_init(&key);
        g_once_init_leave(&ready, 1);
    }
    return &key;
}

guint64 keyed_words_hash(guint64 a, guint64 b)
{
    return flow_hash_words(process_key(), a, b);
}

guint64 keyed_hash(gconstpointer bytes, gsize size)
{
    const struct flow_hash_key *key = process_key();
    const uint8_t *at = bytes;
    uint64_t hash = size;

    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word;

        memcpy(&word, at, sizeof(word));
        hash = flow_hash_words(key, hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;

        memcpy(&word, at, size);
        hash = flow_hash_words(key, hash, word);
    }
    return hash;
}

guint keyed_bytes_hash(gconstpointer bytes)
{
    gsize size;
    gconstpointer at = g_bytes_get_data((GBytes *)(uintptr_t)bytes, &size);
    uint64_t hash = keyed_hash(at, size);

    return (guint)(hash ^ hash >> 32);
}
