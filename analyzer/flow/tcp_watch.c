/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Unknown TCP connections (see tcp_watch.h).
 */
#include "flow/tcp_watch.h"

#include <stdlib.h>

#include "flow/mpa_lock.h"

enum {
    FIRST_SIZE = 1 << 10,
    WAYS = 4, /* places of a hash */
};

static struct tcp_watched *find(const struct tcp_watch *w, uint64_t hash);
static struct tcp_watched *place_for(struct tcp_watch *w, uint64_t hash);
static bool grow(struct tcp_watch *w);
static bool worth_following(struct tcp_watched *row, const struct rdc_tcp *tcp, unsigned dir);

void tcp_watch_done(struct tcp_watch *w)
{
    free(w->rows);
    *w = (struct tcp_watch){0};
}

struct tcp_watched *tcp_watch_get(struct tcp_watch *w, uint64_t hash, const struct rdc_packet *pkt,
                                  unsigned dir)
{
    struct tcp_watched *row;

    if (hash == 0)
        hash = 1;
    row = find(w, hash);
    if (row != NULL)
        return row;
    if (w->size < TCP_WATCH_MAX && w->used * 2 >= w->size && !grow(w) && w->size == 0)
        return NULL;
    row = place_for(w, hash);
    w->used += row->hash == 0;
    *row = (struct tcp_watched){.hash = hash,
                                .first_frame = pkt->frame,
                                .first_ns = pkt->time_ns,
                                .first_dir = (uint8_t)dir};
    return row;
}

static struct tcp_watched *bucket(const struct tcp_watch *w, uint64_t hash)
{
    return &w->rows[hash & (w->size - 1) & ~(uint64_t)(WAYS - 1)];
}

static struct tcp_watched *find(const struct tcp_watch *w, uint64_t hash)
{
    struct tcp_watched *rows;

    if (w->size == 0)
        return NULL;
    rows = bucket(w, hash);
    for (unsigned i = 0; i < WAYS; i++)
        if (rows[i].hash == hash)
            return &rows[i];
    return NULL;
}

/* A free row, else one that was refused, else the oldest */
static struct tcp_watched *place_for(struct tcp_watch *w, uint64_t hash)
{
    struct tcp_watched *rows = bucket(w, hash), *best = &rows[0];

    for (unsigned i = 0; i < WAYS; i++) {
        if (rows[i].hash == 0)
            return &rows[i];
        if (rows[i].refused > best->refused ||
            (rows[i].refused == best->refused && rows[i].first_frame < best->first_frame))
            best = &rows[i];
    }
    return best;
}

static bool grow(struct tcp_watch *w)
{
    struct tcp_watch bigger = {.size = w->size == 0 ? FIRST_SIZE : w->size * 4};

    bigger.rows = calloc(bigger.size, sizeof(*bigger.rows));
    if (bigger.rows == NULL)
        return false;
    for (uint32_t i = 0; i < w->size; i++) {
        struct tcp_watched *row;

        if (w->rows[i].hash == 0)
            continue;
        row = place_for(&bigger, w->rows[i].hash);
        bigger.used += row->hash == 0;
        *row = w->rows[i];
    }
    free(w->rows);
    *w = bigger;
    return true;
}

/* ------------------------------------------------------------------ packets */

static void new_life(struct tcp_watched *row, const struct rdc_packet *pkt, unsigned dir)
{
    *row = (struct tcp_watched){.hash = row->hash,
                                .first_frame = pkt->frame,
                                .first_ns = pkt->time_ns,
                                .first_dir = (uint8_t)dir};
}

bool tcp_watch_packet(struct tcp_watched *row, const struct rdc_packet *pkt, unsigned dir)
{
    const struct rdc_tcp *tcp = &pkt->tcp;

    if ((tcp->flags & RDC_TCP_SYN) != 0) {
        bool again = row->syn[dir] && row->first_seq[dir] == tcp->seq + 1;

        if ((tcp->flags & RDC_TCP_ACK) == 0 && !again)
            new_life(row, pkt, dir);
        row->syn[dir] = true;
        row->data[dir] = false;
        row->first_seq[dir] = tcp->seq + 1;
    }
    row->packets[dir]++;
    row->wire_bytes[dir] += pkt->wire_size;
    return tcp->payload_size > 0 && worth_following(row, tcp, dir);
}

/* The first bytes of a connection whose start is captured decide; of others, a number of segments
 * is looked at. */
static bool worth_following(struct tcp_watched *row, const struct rdc_tcp *tcp, unsigned dir)
{
    uint32_t seq = tcp->seq + ((tcp->flags & RDC_TCP_SYN) != 0);
    bool first = row->syn[dir] && seq == row->first_seq[dir];

    if (tcp->payload_captured == 0)
        return false;
    if (mpa_lock_starts_up(tcp->payload, tcp->payload_captured, first))
        return true;
    row->data[dir] = true;
    if (row->refused)
        return false;
    if (first || row->looks >= TCP_WATCH_LOOKS) {
        row->refused = true;
        return false;
    }
    row->looks++;
    return mpa_lock_looks_like(tcp->payload, tcp->payload_captured, tcp->payload_size,
                               row->looks <= TCP_WATCH_ANYWHERE);
}
