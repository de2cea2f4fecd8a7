/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The spread of UDP source ports (see paths.h). A stream that changed its port counts with equal
 * shares of its bytes for each.
 */
#include "analysis/paths.h"

#include <stdlib.h>

#include "analysis/entropy.h"

/* A stream's bytes from one port */
struct path_share {
    uint64_t bytes;
    guint next; /* the one before it of the same pair of hosts; 0: none */
    uint16_t port;
};

struct pair_key {
    uint8_t src[16], dst[16];
};

void path_shares_init(struct path_shares *shares)
{
    const struct path_share none = {0};

    shares->numbers = (struct numbers){.key_size = sizeof(struct pair_key)};
    shares->pairs = g_array_new(FALSE, FALSE, sizeof(struct path_pair));
    shares->list = g_array_new(FALSE, FALSE, sizeof(struct path_share));
    g_array_append_val(shares->list, none);
}

void path_shares_done(struct path_shares *shares)
{
    numbers_done(&shares->numbers);
    g_array_free(shares->pairs, TRUE);
    g_array_free(shares->list, TRUE);
}

/* The pair of hosts of a direction, made when it is new */
static struct path_pair *pair_of(struct path_shares *shares, const struct direction *d)
{
    struct path_pair pair = {.address_kind = d->from->address_kind};
    struct pair_key key;
    uint32_t number;

    memcpy(key.src, d->from->address, sizeof(key.src));
    memcpy(key.dst, d->to->address, sizeof(key.dst));
    number = numbers_surely(&shares->numbers, &key);
    if (number == shares->pairs->len) {
        memcpy(pair.src, key.src, sizeof(pair.src));
        memcpy(pair.dst, key.dst, sizeof(pair.dst));
        g_array_append_val(shares->pairs, pair);
    }
    return &g_array_index(shares->pairs, struct path_pair, number);
}

void path_shares_add(struct path_shares *shares, const struct direction *d)
{
    const struct flow_counters *n = d->sent->counters;
    struct path_pair *pair;

    if (d->transport != RDC_TRANSPORT_ROCEV2 || n->packets == n->cnps_sent ||
        d->sent->port_count == 0)
        return;
    pair = pair_of(shares, d);
    pair->qps++;
    for (unsigned i = 0; i < d->sent->port_count; i++) {
        struct path_share share = {n->wire_bytes / d->sent->port_count, pair->shares,
                                   d->sent->ports[i]};

        pair->shares = shares->list->len;
        g_array_append_val(shares->list, share);
    }
}

static int by_bytes(const void *a, const void *b)
{
    const struct path_pair *x = a, *y = b;
    int order = x->bytes > y->bytes ? -1 : x->bytes < y->bytes;

    if (order == 0)
        order = memcmp(x->src, y->src, sizeof(x->src));
    return order != 0 ? order : memcmp(x->dst, y->dst, sizeof(x->dst));
}

/* The ports of one pair. Adds each port's bytes to `tuples` and `ports`. */
static void sum_pair(struct path_pair *pair, const struct path_share *list, struct entropy *tuples,
                     uint64_t ports[65536], uint64_t of_pair[65536])
{
    struct entropy spread = {0};

    for (guint i = pair->shares; i != 0; i = list[i].next) {
        pair->ports += of_pair[list[i].port] == 0;
        of_pair[list[i].port] += list[i].bytes;
    }
    for (guint i = pair->shares; i != 0; i = list[i].next) {
        uint64_t *bytes = &of_pair[list[i].port];

        pair->bytes += *bytes;
        ports[list[i].port] += *bytes;
        entropy_add(&spread, *bytes);
        entropy_add(tuples, *bytes);
        *bytes = 0; /* that of a port counts once */
    }
    pair->effective = entropy_effective(&spread);
}

static void spread_of_ports(struct paths *p, const uint64_t ports[65536])
{
    struct entropy e = {0};

    for (unsigned i = 0; i < 65536; i++) {
        p->ports += ports[i] > 0;
        entropy_add(&e, ports[i]);
    }
    p->port_bits = entropy_bits(&e);
    p->effective_ports = entropy_effective(&e);
}

void paths_find(struct paths *p, const struct path_shares *shares)
{
    const struct path_share *list = (const struct path_share *)(const void *)shares->list->data;
    uint64_t *ports = g_new0(uint64_t, 65536), *of_pair = g_new0(uint64_t, 65536);
    struct entropy tuples = {0};

    *p = (struct paths){.pair_count = shares->pairs->len};
    p->pairs = g_memdup2(shares->pairs->data, p->pair_count * sizeof(*p->pairs));
    for (size_t i = 0; i < p->pair_count; i++) {
        struct path_pair *pair = &p->pairs[i];

        sum_pair(pair, list, &tuples, ports, of_pair);
        p->tuples += pair->ports;
        p->several_qp_pairs += pair->qps > 1;
        p->one_port_pairs += pair->qps > 1 && pair->ports == 1;
    }
    spread_of_ports(p, ports);
    p->effective_flows = entropy_effective(&tuples);
    if (p->pair_count > 1)
        qsort(p->pairs, p->pair_count, sizeof(*p->pairs), by_bytes);
    g_free(ports);
    g_free(of_pair);
}

void paths_done(struct paths *p)
{
    g_free(p->pairs);
    *p = (struct paths){0};
}
