/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See terminate.h.
 */
#include "analysis/terminate.h"

#include <glib.h>

#include "rdc/iwarp.h"

static bool names_stag(const struct flow_terminate *t)
{
    return t->has_read_request || (t->has_ddp && t->tagged);
}

char *terminate_text(const struct flow_terminate *t)
{
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s, %s, %s", rdc_terminate_layer_name(t->layer),
                    rdc_terminate_type_name(t->layer, t->type),
                    rdc_terminate_code_text(t->layer, t->type, t->code));
    if (t->has_ddp)
        g_string_append_printf(text, "; about %s", rdc_rdmap_name(t->opcode));
    if (names_stag(t))
        g_string_append_printf(text, " of STag 0x%08x", t->stag);
    return g_string_free(text, FALSE);
}

/* What it is about is a buffer of the side that gives up: not one that the other offered. */
uint64_t terminate_stag_frame(const struct flow_terminate *t, const struct flow_iwarp *other)
{
    for (uint32_t i = 0; names_stag(t) && other != NULL && i < other->stag_count; i++)
        if (other->stags[i].stag == t->stag && !other->stags[i].own)
            return other->stags[i].first_frame;
    return 0;
}
