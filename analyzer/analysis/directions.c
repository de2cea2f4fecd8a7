/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See directions.h.
 */
#include "analysis/directions.h"

void directions_of(const struct flow_connection *c,
                   void (*visit)(void *context, const struct direction *d), void *context)
{
    for (unsigned k = 0; k < 2; k++) {
        struct direction d = {
            .connection = c->id,
            .name = k == 0 ? "a_to_b" : "b_to_a",
            .from = k == 0 ? &c->a : &c->b,
            .to = k == 0 ? &c->b : &c->a,
            .sent = k == 0 ? &c->a_to_b : &c->b_to_a,
            .other = k == 0 ? &c->b_to_a : &c->a_to_b,
            .transport = c->transport,
            .service = c->service,
            .pmtu_bytes = c->pmtu_bytes,
        };

        if (d.sent->counters != NULL && d.sent->path != NULL)
            visit(context, &d);
    }
}

void directions_visit(const struct flow_engine *engine,
                      void (*visit)(void *context, const struct direction *d), void *context)
{
    struct flow_connection c;

    for (size_t i = 0; i < flow_connection_count(engine); i++) {
        flow_connection_get(engine, i, &c);
        directions_of(&c, visit, context);
    }
}
