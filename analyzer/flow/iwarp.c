/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which TCP connections are followed as iWARP: the table of them, and what becomes of a connection
 * that looked like it and is not.
 */
#include "flow/iwarp.h"

#include <stdlib.h>
#include <string.h>

#include "flow/stream.h"

enum {
    FIRST_ROOM = 8,
    LOOKS_MAX = 192, /* segments of a followed connection without proof */
};

static struct iwarp_slot *slot_of(struct iwarp *w, const struct flow_key *key, uint64_t hash);
static struct iwarp_slot *new_slot(struct iwarp *w, const struct flow_key *key, uint64_t hash);
static unsigned key_of(const struct rdc_packet *pkt, struct flow_key *key);
static void watched_packet(struct iwarp *w, struct iwarp_slot *slot, const struct flow_key *key,
                           uint64_t hash, unsigned dir);
static void limit_unproved(struct iwarp *w, uint32_t index);
static void give_up(struct iwarp *w, struct iwarp_slot *slot, unsigned dir);

struct iwarp *iwarp_new(struct flow_engine *engine)
{
    struct iwarp *w = calloc(1, sizeof(*w));

    if (w == NULL)
        return NULL;
    w->engine = engine;
    tcp_pool_init(&w->pool, engine->config.max_held_bytes);
    return w;
}

void iwarp_free(struct iwarp *w)
{
    if (w == NULL)
        return;
    for (uint32_t i = 0; i < w->count; i++)
        iwarp_conn_free(w->slots[i].conn);
    free(w->slots);
    free(w->unproved);
    flow_table_done(&w->table);
    tcp_watch_done(&w->watch);
    tcp_pool_done(&w->pool);
    free(w);
}

void iwarp_packet(struct iwarp *w, const struct rdc_packet *pkt)
{
    struct flow_key key;
    unsigned dir = key_of(pkt, &key);
    uint64_t hash = flow_key_hash(&w->engine->hash_key, &key);
    struct iwarp_slot *slot;

    if (pkt->ip.later_fragment || pkt->ip.checksum_bad)
        return;
    w->pkt = pkt;
    slot = w->count > 0 ? slot_of(w, &key, hash) : NULL;
    if (slot == NULL || slot->conn == NULL) {
        watched_packet(w, slot, &key, hash, dir);
        return;
    }
    iwarp_conn_packet(w, slot->conn, dir, pkt);
    if (!slot->conn->mpa.known && slot->conn->looks > LOOKS_MAX)
        give_up(w, slot, dir);
}

void iwarp_finish(struct iwarp *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->slots[i].conn != NULL && w->slots[i].conn->mpa.known)
            iwarp_conn_finish(w, w->slots[i].conn);
}

/* ------------------------------------------------------------------ the table */

/* Both directions have one key; the direction is 1 for packets from its second end. */
static unsigned key_of(const struct rdc_packet *pkt, struct flow_key *key)
{
    struct flow_key one;
    int order = memcmp(pkt->src, pkt->dst, sizeof(pkt->src));
    bool swapped = order > 0 || (order == 0 && pkt->src_port > pkt->dst_port);
    uint32_t low = swapped ? pkt->dst_port : pkt->src_port;
    uint32_t high = swapped ? pkt->src_port : pkt->dst_port;

    flow_key_of(pkt, &one);
    *key = one;
    if (swapped) {
        memcpy(key->src, one.dst, sizeof(key->src));
        memcpy(key->dst, one.src, sizeof(key->dst));
    }
    key->dest_qpn = low << 16 | high;
    key->transport = RDC_TRANSPORT_IWARP;
    return swapped;
}

struct slot_query {
    const struct iwarp *w;
    const struct flow_key *key;
};

static bool slot_equal(const void *context, uint32_t index)
{
    const struct slot_query *q = context;

    return flow_key_equal(&q->w->slots[index].key, q->key);
}

static struct iwarp_slot *slot_of(struct iwarp *w, const struct flow_key *key, uint64_t hash)
{
    struct slot_query q = {w, key};
    uint32_t index = flow_table_find(&w->table, hash, slot_equal, &q);

    return index != UINT32_MAX ? &w->slots[index] : NULL;
}

static struct iwarp_slot *new_slot(struct iwarp *w, const struct flow_key *key, uint64_t hash)
{
    if (w->count >= w->engine->config.max_streams / 2)
        return NULL;
    if (w->count == w->room) {
        uint32_t room = w->room == 0 ? FIRST_ROOM : w->room * 2;
        struct iwarp_slot *slots = realloc(w->slots, room * sizeof(*slots));

        if (slots == NULL)
            return NULL;
        w->slots = slots;
        w->room = room;
    }
    w->slots[w->count] = (struct iwarp_slot){.key = *key, .hash = hash};
    if (!flow_table_add(&w->table, hash, w->count))
        return NULL;
    return &w->slots[w->count++];
}

/* ------------------------------------------------------------------ in and out */

static void watched_packet(struct iwarp *w, struct iwarp_slot *slot, const struct flow_key *key,
                           uint64_t hash, unsigned dir)
{
    struct tcp_watched *row = tcp_watch_get(&w->watch, hash, w->pkt, dir);

    if (row == NULL)
        engine_refused(w->engine);
    if (row == NULL || !tcp_watch_packet(row, w->pkt, dir))
        return;
    if (slot == NULL)
        slot = new_slot(w, key, hash);
    if (slot == NULL) {
        w->engine->summary.untracked_packets++;
        return;
    }
    slot->conn = iwarp_conn_new(w, row, w->pkt, dir);
    if (slot->conn == NULL) {
        engine_refused(w->engine);
        return;
    }
    slot->conn->index = (uint32_t)(slot - w->slots);
    iwarp_conn_packet(w, slot->conn, dir, w->pkt);
    if (!slot->conn->mpa.known)
        limit_unproved(w, slot->conn->index);
}

/* Makes room for one more: most of them never become anything. */
static void limit_unproved(struct iwarp *w, uint32_t index)
{
    struct iwarp_slot *oldest;

    if (w->unproved == NULL)
        w->unproved = calloc(IWARP_UNPROVED_MAX, sizeof(*w->unproved));
    if (w->unproved == NULL) {
        engine_refused(w->engine);
        give_up(w, &w->slots[index], 0);
        return;
    }
    if (w->unproved_count == IWARP_UNPROVED_MAX) {
        oldest = &w->slots[w->unproved[w->unproved_first]];
        if (oldest->conn != NULL && !oldest->conn->mpa.known && oldest->conn->index != index)
            give_up(w, oldest, 0);
        w->unproved_first = (w->unproved_first + 1) % IWARP_UNPROVED_MAX;
        w->unproved_count--;
    }
    w->unproved[(w->unproved_first + w->unproved_count++) % IWARP_UNPROVED_MAX] = index;
}

/* What it counted goes back to the watched ones. */
static void give_up(struct iwarp *w, struct iwarp_slot *slot, unsigned dir)
{
    struct iwarp_conn *conn = slot->conn;
    struct tcp_watched *row = tcp_watch_get(&w->watch, slot->hash, w->pkt, dir);

    if (row != NULL) {
        row->refused = true;
        row->first_frame = conn->first_frame;
        row->first_ns = conn->first_ns;
        row->first_dir = conn->first_dir;
        for (unsigned d = 0; d < 2; d++) {
            row->packets[d] = (uint32_t)conn->dir[d].c.packets;
            row->wire_bytes[d] = conn->dir[d].c.wire_bytes;
            row->data[d] = true;
        }
    }
    iwarp_conn_free(conn);
    slot->conn = NULL;
}
