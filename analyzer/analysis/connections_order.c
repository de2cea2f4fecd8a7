/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How much connections suffered, and the orders in which a table shows them (see connections.h).
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/connections_row.h"
#include "analysis/page/status.h"

uint64_t connection_lost(const struct flow_connection *c)
{
    return BOTH(c, lost_before_tap) + BOTH(c, lost_after_tap);
}

uint64_t connection_longest_recovery(const struct flow_connection *c)
{
    uint64_t a = c->a_to_b.times != NULL ? c->a_to_b.times->recovery.max : 0;
    uint64_t b = c->b_to_a.times != NULL ? c->b_to_a.times->recovery.max : 0;

    return MAX(a, b);
}

uint64_t connection_harm(const struct flow_connection *c)
{
    uint64_t harm = 0;

    if (c->state == FLOW_STATE_ERROR || c->state == FLOW_STATE_RETRY_EXHAUSTED)
        harm += (uint64_t)1 << 50;
    harm += MIN(connection_longest_recovery(c) / 1000, (uint64_t)1 << 40);
    harm += BOTH(c, rounds[FLOW_TRIGGER_TIMEOUT]) * 100000;
    harm += BOTH(c, rnr_naks) * 10000;
    harm += connection_lost(c) * 1000;
    harm += BOTH(c, retransmitted_packets) * 10 + BOTH(c, out_of_order) + BOTH(c, icrc_bad) * 100;
    return harm;
}

bool connections_order_of(const char *name, enum connections_order *order)
{
    static const char *const names[CONNECTIONS_ORDER_COUNT] = {
        [CONNECTIONS_WORST] = "worst",
        [CONNECTIONS_ID] = "id",
        [CONNECTIONS_BYTES] = "bytes",
        [CONNECTIONS_PACKETS] = "packets",
        [CONNECTIONS_RETRANSMITTED] = "retransmitted",
        [CONNECTIONS_LOST] = "lost",
        [CONNECTIONS_RECOVERY] = "recovery",
    };

    for (unsigned i = 0; i < CONNECTIONS_ORDER_COUNT; i++) {
        if (g_strcmp0(name, names[i]) == 0) {
            *order = (enum connections_order)i;
            return true;
        }
    }
    return false;
}

static uint64_t weight(const struct flow_connection *c, enum connections_order order)
{
    switch (order) {
    case CONNECTIONS_WORST:
        return connection_harm(c);
    case CONNECTIONS_BYTES:
        return BOTH(c, wire_bytes);
    case CONNECTIONS_PACKETS:
        return BOTH(c, packets);
    case CONNECTIONS_RETRANSMITTED:
        return BOTH(c, retransmitted_packets);
    case CONNECTIONS_LOST:
        return connection_lost(c);
    case CONNECTIONS_RECOVERY:
        return connection_longest_recovery(c);
    case CONNECTIONS_ID:
    case CONNECTIONS_ORDER_COUNT:
        break;
    }
    return 0;
}

#define PAUSED_WEIGHT ((uint64_t)1 << 49) /* less than what ended */

static int by_weight(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint64_t weight_at(const struct flow_engine *engine, const struct connections_view *view,
                          size_t index)
{
    struct flow_connection c;

    if (view->weights != NULL)
        return view->weights[index];
    flow_connection_get(engine, index, &c);
    return weight(&c, view->order);
}

/* Those of no weight, as most may be, stay behind the others, in their order. */
static void sort(struct ranked *list, size_t count)
{
    struct ranked *weightless = g_new(struct ranked, count + 1);
    size_t heavy = 0;

    for (size_t i = 0; i < count; i++) {
        if (list[i].weight > 0)
            list[heavy++] = list[i];
        else
            weightless[i - heavy] = list[i];
    }
    memcpy(&list[heavy], weightless, (count - heavy) * sizeof(*list));
    qsort(list, heavy, sizeof(*list), by_weight);
    g_free(weightless);
}

struct ranked *connections_rank(const struct flow_engine *engine,
                                const struct connections_view *view)
{
    size_t count = flow_connection_count(engine);
    struct ranked *list = g_new(struct ranked, count + 1);

    for (size_t i = 0; i < count; i++) {
        list[i] = (struct ranked){weight_at(engine, view, i), i};
        if (view->order == CONNECTIONS_WORST && view->statuses != NULL &&
            view->statuses[i] == FARED_PAUSED)
            list[i].weight += PAUSED_WEIGHT;
        if (i + 1 == view->first)
            list[i].weight = UINT64_MAX;
    }
    sort(list, count);
    return list;
}
