/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stream keys, their keyed hash, and the table of indexes (see key.h).
 */
#include "flow/key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "rdc/wide.h"

enum {
    FIRST_SIZE = 64,
};

void flow_hash_key_init(struct flow_hash_key *key)
{
    if (getrandom(key->k, sizeof(key->k), GRND_NONBLOCK) != (ssize_t)sizeof(key->k)) {
        key->k[0] = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
        key->k[1] = ~key->k[0];
    }
}

void flow_key_of(const struct rdc_packet *pkt, struct flow_key *key)
{
    memcpy(key->src, pkt->src, sizeof(key->src));
    memcpy(key->dst, pkt->dst, sizeof(key->dst));
    key->tunnel_id = 0;
    key->tunnel_kind = 0;
    if (pkt->tunnel_count > 0) {
        const struct rdc_tunnel *tunnel = &pkt->tunnels[pkt->tunnel_count - 1];

        key->tunnel_kind = (uint8_t)(tunnel->kind + 1);
        key->tunnel_id = tunnel->has_id ? tunnel->id : 0;
    }
    key->dest_qpn = pkt->ib.bth.dest_qpn;
    key->transport = pkt->transport;
    key->address_kind = pkt->address_kind;
    memset(key->zero, 0, sizeof(key->zero));
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    struct rdc_wide m = rdc_wide_product(a, b);

    return m.low ^ m.high;
}

static uint64_t half(const uint8_t *address, int which)
{
    uint64_t v;

    memcpy(&v, address + which * 8, sizeof(v));
    return v;
}

/* Of an IPv4 address all but four bytes are zero. */
static uint64_t ipv4_pair(const struct flow_key *key)
{
    uint32_t src, dst;

    memcpy(&src, key->src, sizeof(src));
    memcpy(&dst, key->dst, sizeof(dst));
    return (uint64_t)src << 32 | dst;
}

uint64_t flow_key_hash(const struct flow_hash_key *hk, const struct flow_key *key)
{
    uint64_t numbers = (uint64_t)key->dest_qpn << 32 | key->tunnel_id;
    uint64_t kinds =
        (uint64_t)key->transport << 16 | (uint64_t)key->address_kind << 8 | key->tunnel_kind;
    uint64_t hosts;

    if (key->address_kind == RDC_ADDRESS_IPV4)
        hosts = ipv4_pair(key);
    else
        hosts = mix(half(key->src, 0) ^ hk->k[0], half(key->dst, 0) ^ hk->k[1]) ^
                mix(half(key->src, 1) ^ hk->k[1], half(key->dst, 1) ^ hk->k[0]);
    return mix(mix(hosts ^ hk->k[0], numbers ^ hk->k[1]) ^ kinds, hk->k[0]);
}

uint64_t flow_hash_words(const struct flow_hash_key *hk, uint64_t a, uint64_t b)
{
    return mix(mix(a ^ hk->k[0], b ^ hk->k[1]) ^ hk->k[1], hk->k[0]);
}

bool flow_key_pair(const struct flow_key *key, struct flow_key *pair)
{
    bool swapped = memcmp(key->src, key->dst, sizeof(key->src)) > 0;

    *pair = *key;
    pair->dest_qpn = 0;
    if (swapped) {
        memcpy(pair->src, key->dst, sizeof(pair->src));
        memcpy(pair->dst, key->src, sizeof(pair->dst));
    }
    return swapped;
}

static void put(struct flow_table *table, struct flow_table_entry entry)
{
    uint32_t i = entry.tag & table->mask;

    while (table->entries[i].index != 0)
        i = (i + 1) & table->mask;
    table->entries[i] = entry;
}

static bool grow(struct flow_table *table)
{
    uint32_t size = table->entries == NULL ? FIRST_SIZE : (table->mask + 1) * 2;
    struct flow_table old = *table;

    table->entries = calloc(size, sizeof(*table->entries));
    if (table->entries == NULL) {
        *table = old;
        return false;
    }
    table->mask = size - 1;
    for (uint32_t i = 0; old.entries != NULL && i <= old.mask; i++)
        if (old.entries[i].index != 0)
            put(table, old.entries[i]);
    free(old.entries);
    return true;
}

bool flow_table_add(struct flow_table *table, uint64_t hash, uint32_t index)
{
    if (table->entries == NULL || table->used > table->mask / 2)
        if (!grow(table) && (table->entries == NULL || table->used >= table->mask))
            return false;
    put(table, (struct flow_table_entry){(uint32_t)hash, index + 1});
    table->used++;
    return true;
}

void flow_table_done(struct flow_table *table)
{
    free(table->entries);
    *table = (struct flow_table){0};
}
