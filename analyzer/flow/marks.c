/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Marks over time (see marks.h).
 */
#include "flow/marks.h"

#include <string.h>

void flow_marks_settle(struct flow_marks *m)
{
    struct flow_mark_bin *bin = &m->bins[m->bin];

    bin->packets += m->now.packets;
    bin->ect += m->now.ect;
    bin->ce += m->now.ce;
    bin->notices += m->now.notices;
    m->now = (struct flow_mark_bin){0};
}

static void halve(struct flow_marks *m)
{
    for (uint32_t i = 0; i < FLOW_MARK_BINS / 2; i++) {
        const struct flow_mark_bin *a = &m->bins[2 * i], *b = &m->bins[2 * i + 1];

        m->bins[i] = (struct flow_mark_bin){a->packets + b->packets, a->ect + b->ect, a->ce + b->ce,
                                            a->notices + b->notices};
    }
    memset(&m->bins[FLOW_MARK_BINS / 2], 0, sizeof(m->bins) / 2);
    m->used = (m->used + 1) / 2;
    m->bin_ns *= 2;
}

struct flow_mark_bin *flow_marks_find(struct flow_marks *m, int64_t time_ns)
{
    int64_t since;

    flow_marks_settle(m);
    if (m->bin_ns == 0) {
        m->start_ns = time_ns;
        m->bin_ns = FLOW_MARK_FIRST_BIN_NS;
    }
    since = time_ns > m->start_ns ? time_ns - m->start_ns : 0;
    while (since / m->bin_ns >= FLOW_MARK_BINS && m->bin_ns < INT64_MAX / 2)
        halve(m);
    m->bin =
        since / m->bin_ns < FLOW_MARK_BINS ? (uint32_t)(since / m->bin_ns) : FLOW_MARK_BINS - 1;
    if (m->bin >= m->used)
        m->used = m->bin + 1;
    m->from_ns = m->start_ns + (since - since % m->bin_ns);
    return &m->now;
}
