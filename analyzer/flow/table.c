/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The engine's tables: which stream and which pair of hosts a packet belongs to.
 */
#include <string.h>

#include "flow/key.h"
#include "flow/stream.h"

enum {
    PAIRS_FIRST_ROOM = 16,
    STREAMS_FIRST_ROOM = 64,
};

/* ------------------------------------------------------------------ pairs of hosts */

struct pair_query {
    const struct flow_engine *engine;
    const struct flow_key *key;
};

static bool pair_equal(const void *context, uint32_t index)
{
    const struct pair_query *q = context;

    return flow_key_equal(&q->engine->pairs[index].key, q->key);
}

bool engine_pair(struct flow_engine *e, const struct flow_key *key, uint32_t *pair, uint8_t *side)
{
    struct flow_key k;
    struct pair_query q = {e, &k};
    struct host_pair *pairs;
    uint64_t hash;

    *side = flow_key_pair(key, &k);
    hash = flow_key_hash(&e->hash_key, &k);
    *pair = flow_table_find(&e->pair_table, hash, pair_equal, &q);
    if (*pair != UINT32_MAX)
        return true;
    pairs = flow_arena_room(&e->arena, e->pairs, sizeof(*pairs), e->pair_count, &e->pair_room,
                            PAIRS_FIRST_ROOM);
    if (pairs == NULL)
        return false;
    e->pairs = pairs;
    e->pairs[e->pair_count] =
        (struct host_pair){.key = k, .streams = {FLOW_NO_STREAM, FLOW_NO_STREAM}};
    if (!flow_table_add(&e->pair_table, hash, e->pair_count))
        return false;
    *pair = e->pair_count++;
    return true;
}

/* ------------------------------------------------------------------ streams */

struct stream_query {
    const struct flow_engine *engine;
    const struct flow_key *key;
};

static bool stream_equal(const void *context, uint32_t index)
{
    const struct stream_query *q = context;

    return flow_key_equal(&q->engine->streams[index]->key, q->key);
}

static struct stream *new_stream(struct flow_engine *e, const struct flow_key *key, uint64_t hash,
                                 const struct rdc_packet *pkt)
{
    struct stream *s, **streams;
    uint32_t pair;
    uint8_t side;

    if (e->stream_count >= e->config.max_streams)
        return NULL;
    streams = flow_arena_room(&e->arena, e->streams, sizeof(struct stream *), e->stream_count,
                              &e->stream_room, STREAMS_FIRST_ROOM);
    if (streams == NULL)
        return NULL;
    e->streams = streams;
    s = flow_arena_new(&e->arena, sizeof(*s));
    if (s == NULL)
        return NULL;
    if (!engine_pair(e, key, &pair, &side)) {
        flow_arena_drop(&e->arena, s, sizeof(*s));
        return NULL;
    }
    e->streams[e->stream_count] = s;
    *s = (struct stream){.key = *key,
                         .index = e->stream_count,
                         .peer = FLOW_NO_STREAM,
                         .pair = pair,
                         .side = side,
                         .next_in_pair = e->pairs[pair].streams[side],
                         .next_of_port = FLOW_NO_STREAM,
                         .service = RDC_SERVICE_RESERVED,
                         .epochs = 1,
                         .torn_down_ns = NEVER,
                         .last_data_ns = NEVER,
                         .first_frame = pkt->frame,
                         .first_ns = pkt->time_ns,
                         .interface = pkt->interface};
    if (pkt->tunnel_count > 0)
        s->tunnel = pkt->tunnels[pkt->tunnel_count - 1];
    if (!flow_table_add(&e->stream_table, hash, e->stream_count)) {
        flow_arena_drop(&e->arena, s, sizeof(*s));
        return NULL;
    }
    e->pairs[pair].streams[side] = e->stream_count++;
    if (e->sink.stream != NULL)
        e->sink.stream(e->sink.context, s->index, pkt);
    return s;
}

uint64_t engine_hash(const struct flow_engine *e, const struct rdc_packet *pkt)
{
    struct flow_key key;

    flow_key_of(pkt, &key);
    return flow_key_hash(&e->hash_key, &key);
}

static bool any(const void *context, uint32_t index)
{
    (void)context;
    (void)index;
    return true;
}

uint32_t engine_expected(const struct flow_engine *e, uint64_t hash)
{
    return flow_table_find(&e->stream_table, hash, any, NULL);
}

struct stream *engine_stream(struct flow_engine *e, const struct rdc_packet *pkt, bool create)
{
    struct flow_key key;
    struct stream_query q = {e, &key};
    uint64_t hash;
    uint32_t index;

    if (e->likely != NULL && flow_key_fits(&e->likely->key, pkt))
        return e->likely;
    flow_key_of(pkt, &key);
    hash = flow_key_hash(&e->hash_key, &key);
    index = flow_table_find(&e->stream_table, hash, stream_equal, &q);
    if (index != UINT32_MAX)
        return e->streams[index];
    return create ? new_stream(e, &key, hash, pkt) : NULL;
}

uint32_t flow_stream_of(const struct flow_engine *e, const struct flow_key *key)
{
    struct stream_query q = {e, key};
    uint32_t index =
        flow_table_find(&e->stream_table, flow_key_hash(&e->hash_key, key), stream_equal, &q);

    return index != UINT32_MAX ? index : FLOW_NO_STREAM;
}

struct stream *engine_stream_to(const struct flow_engine *e, uint32_t pair, uint8_t side,
                                uint32_t qpn)
{
    const struct flow_key *hosts = &e->pairs[pair].key;
    struct flow_key key = *hosts;
    uint32_t index;

    if (side != 0) {
        memcpy(key.src, hosts->dst, sizeof(key.src));
        memcpy(key.dst, hosts->src, sizeof(key.dst));
    }
    key.dest_qpn = qpn;
    index = flow_stream_of(e, &key);
    return index != FLOW_NO_STREAM ? e->streams[index] : NULL;
}
