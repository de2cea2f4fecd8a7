/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who a packet belongs to: the key of a stream, the key of a pair of hosts, and the tables that
 * find them. Tables use a keyed hash, so that a capture can't be made to fill one chain.
 */
#ifndef FLOW_KEY_H
#define FLOW_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rdc/packet.h"

/* Both keys are compared as bytes: no padding, all of it set. */
struct flow_key {
    uint8_t src[16];
    uint8_t dst[16];
    uint32_t tunnel_id;
    uint32_t dest_qpn;
    uint8_t transport;
    uint8_t address_kind;
    uint8_t tunnel_kind; /* enum rdc_tunnel_kind + 1; 0: none */
    uint8_t zero[5];
};

struct flow_hash_key {
    uint64_t k[2];
};

void flow_hash_key_init(struct flow_hash_key *key);

/* Key of the packet's stream */
void flow_key_of(const struct rdc_packet *pkt, struct flow_key *key);
uint64_t flow_key_hash(const struct flow_hash_key *hk, const struct flow_key *key);

static inline bool flow_key_equal(const struct flow_key *a, const struct flow_key *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* Whether it is the key of the packet's stream */
static inline bool flow_key_fits(const struct flow_key *key, const struct rdc_packet *pkt)
{
    struct flow_key whole;

    if (pkt->tunnel_count > 0) {
        flow_key_of(pkt, &whole);
        return flow_key_equal(key, &whole);
    }
    return key->dest_qpn == pkt->ib.bth.dest_qpn && memcmp(key->src, pkt->src, 16) == 0 &&
           memcmp(key->dst, pkt->dst, 16) == 0 && key->transport == pkt->transport &&
           key->address_kind == pkt->address_kind && key->tunnel_kind == 0;
}

/* The same two hosts whatever the direction: smaller address first, QPN 0. Returns whether the
 * addresses were swapped. */
bool flow_key_pair(const struct flow_key *key, struct flow_key *pair);
uint64_t flow_hash_words(const struct flow_hash_key *hk, uint64_t a, uint64_t b);

/* An open-addressing table from hashes to 32-bit indexes; the caller compares keys. */
struct flow_table {
    struct flow_table_entry *entries; /* owned */
    uint32_t mask;
    uint32_t used;
};

struct flow_table_entry {
    uint32_t tag;   /* low half of the hash, which tells its place in a table of any size, too */
    uint32_t index; /* index + 1; 0: empty */
};

/* Calls `equal(context, index)` on each candidate; UINT32_MAX when none is equal. */
static inline uint32_t flow_table_find(const struct flow_table *table, uint64_t hash,
                                       bool (*equal)(const void *context, uint32_t index),
                                       const void *context)
{
    uint32_t tag = (uint32_t)hash;

    if (table->entries == NULL)
        return UINT32_MAX;
    for (uint32_t i = tag & table->mask;; i = (i + 1) & table->mask) {
        const struct flow_table_entry *e = &table->entries[i];

        if (e->index == 0)
            return UINT32_MAX;
        if (e->tag == tag && equal(context, e->index - 1))
            return e->index - 1;
    }
}

/* Asks for the memory where a hash will be looked for. */
static inline void flow_table_fetch(const struct flow_table *table, uint64_t hash)
{
    if (table->entries != NULL)
        __builtin_prefetch(&table->entries[(uint32_t)hash & table->mask]);
}

/* false when memory is refused; the table is then as before */
bool flow_table_add(struct flow_table *table, uint64_t hash, uint32_t index);
void flow_table_done(struct flow_table *table);

#endif
