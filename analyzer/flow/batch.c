/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See batch.h.
 */
#include "flow/batch.h"

const struct rdc_packet *flow_batch_packet(struct flow_batch *b, size_t index)
{
    if ((b->whole >> index & 1) == 0) {
        rdc_brief_whole(b->contexts, &b->briefs[index], &b->packets[index]);
        b->whole |= (uint64_t)1 << index;
    }
    return &b->packets[index];
}
