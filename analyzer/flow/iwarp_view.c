/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The iWARP connections as reports see them.
 */
#include <stdlib.h>
#include <string.h>

#include "flow/iwarp.h"
#include "flow/stream.h"

static int by_first_frame(const void *a, const void *b)
{
    const struct iwarp_conn *x = *(struct iwarp_conn *const *)a;
    const struct iwarp_conn *y = *(struct iwarp_conn *const *)b;

    return (x->first_frame > y->first_frame) - (x->first_frame < y->first_frame);
}

struct iwarp_conn **iwarp_in_order(const struct iwarp *w, uint32_t *count)
{
    struct iwarp_conn **list = malloc((w->count + 1) * sizeof(struct iwarp_conn *));

    *count = 0;
    for (uint32_t i = 0; list != NULL && i < w->count; i++)
        if (w->slots[i].conn != NULL && w->slots[i].conn->mpa.known)
            list[(*count)++] = w->slots[i].conn;
    if (list != NULL)
        qsort(list, *count, sizeof(struct iwarp_conn *), by_first_frame);
    return list;
}

bool iwarp_stream_connection(const struct iwarp *w, uint32_t stream, uint32_t *index, bool *a_to_b)
{
    const struct iwarp_conn *conn;

    if (w == NULL || (stream & ~FLOW_IWARP_STREAM) >> 1 >= w->count)
        return false;
    conn = iwarp_slot_of(w, stream)->conn;
    if (conn == NULL || !conn->mpa.known)
        return false;
    *index = conn->number;
    *a_to_b = (stream & 1) == conn->first_dir;
    return true;
}

struct flow_iwarp_traffic iwarp_traffic(const struct iwarp *w)
{
    struct flow_iwarp_traffic sum = {0};

    for (uint32_t i = 0; i < w->count; i++) {
        const struct iwarp_conn *conn = w->slots[i].conn;

        if (conn == NULL || !conn->mpa.known)
            continue;
        sum.connections++;
        for (unsigned d = 0; d < 2; d++) {
            sum.packets += conn->dir[d].c.packets;
            sum.wire_bytes += conn->dir[d].c.wire_bytes;
            for (unsigned op = 0; op < 16; op++)
                sum.fpdus[op] += conn->dir[d].w.opcodes[op];
        }
    }
    return sum;
}

static struct flow_endpoint endpoint(const struct iwarp_slot *slot, unsigned dir)
{
    struct flow_endpoint end = {.address_kind = slot->key.address_kind,
                                .has_port = true,
                                .port = slot->conn->dir[dir].port};

    memcpy(end.address, dir == 0 ? slot->key.src : slot->key.dst, sizeof(end.address));
    return end;
}

static struct flow_direction direction(const struct iwarp_conn *conn, unsigned dir)
{
    const struct iwarp_dir *d = &conn->dir[dir];

    if (d->c.packets == 0)
        return (struct flow_direction){.stream = FLOW_NO_STREAM};
    return (struct flow_direction){.stream = iwarp_stream(conn, dir),
                                   .counters = &d->c,
                                   .times = d->times,
                                   .iwarp = &d->w,
                                   .throughput = d->series,
                                   .first_ns = d->first_ns,
                                   .last_ns = d->last_ns,
                                   .state = conn->state};
}

void iwarp_connection_get(const struct iwarp *w, uint32_t stream, struct flow_connection *out)
{
    const struct iwarp_slot *slot = iwarp_slot_of(w, stream);
    const struct iwarp_conn *conn = slot->conn;
    unsigned a = conn->first_dir;

    *out = (struct flow_connection){
        .transport = RDC_TRANSPORT_IWARP,
        .service = RDC_SERVICE_RESERVED,
        .inferred = conn->mpa.inferred,
        .state = conn->state,
        .has_tunnel = slot->key.tunnel_kind != 0,
        .tunnel = conn->tunnel,
        .a = endpoint(slot, a),
        .b = endpoint(slot, 1 - a),
        .a_to_b = direction(conn, a),
        .b_to_a = direction(conn, 1 - a),
        .epochs = conn->epochs,
        .first_frame = conn->first_frame,
        .last_frame = conn->last_frame,
        .first_ns = conn->first_ns,
        .last_ns = conn->last_ns,
    };
}
