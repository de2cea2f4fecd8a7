/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The spread of UDP source ports (see paths.h). A stream that changed its port counts with equal
 * shares of its bytes for each.
 */
#include "analysis/paths.h"

#include <stdlib.h>

#include "analysis/entropy.h"

void paths_add(GArray *shares, const struct direction *d)
{
    const struct flow_counters *n = d->sent->counters;
    struct path_share s = {.address_kind = d->from->address_kind, .stream = d->sent->stream};

    if (d->transport != RDC_TRANSPORT_ROCEV2 || n->packets == n->cnps_sent)
        return;
    memcpy(s.src, d->from->address, sizeof(s.src));
    memcpy(s.dst, d->to->address, sizeof(s.dst));
    for (unsigned i = 0; i < d->sent->port_count; i++) {
        s.port = d->sent->ports[i];
        s.bytes = n->wire_bytes / d->sent->port_count;
        g_array_append_val(shares, s);
    }
}

static int by_pair(const void *a, const void *b)
{
    const struct path_share *x = a, *y = b;
    int order = memcmp(x->src, y->src, sizeof(x->src));

    if (order == 0)
        order = memcmp(x->dst, y->dst, sizeof(x->dst));
    if (order == 0)
        order = x->port < y->port ? -1 : x->port > y->port;
    return order != 0 ? order : x->stream < y->stream ? -1 : x->stream > y->stream;
}

static int by_bytes(const void *a, const void *b)
{
    const struct path_pair *x = a, *y = b;
    int order = x->bytes > y->bytes ? -1 : x->bytes < y->bytes;

    if (order == 0)
        order = memcmp(x->src, y->src, sizeof(x->src));
    return order != 0 ? order : memcmp(x->dst, y->dst, sizeof(x->dst));
}

static bool same_pair(const struct path_share *a, const struct path_share *b)
{
    return memcmp(a->src, b->src, sizeof(a->src)) == 0 &&
           memcmp(a->dst, b->dst, sizeof(a->dst)) == 0;
}

/* The ports of one pair: shares [0, n) are in order of port. Adds each port's bytes to `tuples`. */
static struct path_pair sum_pair(const struct path_share *shares, guint n, struct entropy *tuples,
                                 uint64_t ports[65536])
{
    struct path_pair pair = {.address_kind = shares[0].address_kind};
    struct entropy spread = {0};

    memcpy(pair.src, shares[0].src, sizeof(pair.src));
    memcpy(pair.dst, shares[0].dst, sizeof(pair.dst));
    for (guint i = 0; i < n;) {
        uint64_t bytes = 0;
        guint first = i;

        for (; i < n && shares[i].port == shares[first].port; i++)
            bytes += shares[i].bytes;
        pair.ports++;
        pair.bytes += bytes;
        ports[shares[first].port] += bytes;
        entropy_add(&spread, bytes);
        entropy_add(tuples, bytes);
    }
    pair.effective = entropy_effective(&spread);
    return pair;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static uint64_t count_streams(const struct path_share *shares, guint n)
{
    uint32_t *list = g_new(uint32_t, n);
    uint64_t count = 1;

    for (guint i = 0; i < n; i++)
        list[i] = shares[i].stream;
    qsort(list, n, sizeof(*list), by_number);
    for (guint i = 1; i < n; i++)
        count += list[i] != list[i - 1];
    g_free(list);
    return count;
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

void paths_find(struct paths *p, GArray *shares)
{
    struct path_share *list = (struct path_share *)(void *)shares->data;
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct path_pair));
    uint64_t *ports = g_new0(uint64_t, 65536);
    struct entropy tuples = {0};

    *p = (struct paths){0};
    if (shares->len > 1)
        qsort(list, shares->len, sizeof(*list), by_pair);
    for (guint i = 0; i < shares->len;) {
        struct path_pair pair;
        guint first = i;

        while (i < shares->len && same_pair(&list[i], &list[first]))
            i++;
        pair = sum_pair(&list[first], i - first, &tuples, ports);
        pair.qps = count_streams(&list[first], i - first);
        p->tuples += pair.ports;
        p->several_qp_pairs += pair.qps > 1;
        p->one_port_pairs += pair.qps > 1 && pair.ports == 1;
        g_array_append_val(pairs, pair);
    }
    spread_of_ports(p, ports);
    p->effective_flows = entropy_effective(&tuples);
    p->pair_count = pairs->len;
    p->pairs = (struct path_pair *)(void *)g_array_free(pairs, FALSE);
    if (p->pair_count > 1)
        qsort(p->pairs, p->pair_count, sizeof(*p->pairs), by_bytes);
    g_free(ports);
}

void paths_done(struct paths *p)
{
    g_free(p->pairs);
    *p = (struct paths){0};
}
