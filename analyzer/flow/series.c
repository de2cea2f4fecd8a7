/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rate of a stream (see series.h).
 */
#include "flow/series.h"

static void step_window(struct flow_series *s, int64_t time_ns, uint32_t bytes);
static void step_part(struct flow_series *s, int64_t time_ns, uint32_t bytes);

/* How far a stream's next packet is cannot be foretold: so as little as may be depends on a
 * condition. */
void flow_series_step(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    if (s->peak_bytes == 0) {
        s->window_ns = time_ns;
        s->begun = 1;
    }
    if (time_ns >= s->window_ns)
        step_window(s, time_ns, bytes);
    if (time_ns >= 0)
        step_part(s, time_ns, bytes);
}

static void step_window(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t windows = (time_ns - s->window_ns) / FLOW_WINDOW_NS;

    s->window_ns += windows * FLOW_WINDOW_NS;
    s->window_bytes &= windows > 0 ? 0 : UINT32_MAX;
    flow_series_sum(&s->window_bytes, bytes);
    if (s->window_bytes > s->peak_bytes)
        s->peak_bytes = s->window_bytes;
}

/* Index of the part that is so many before the newest one */
static inline uint32_t part_before(const struct flow_series *s, uint32_t age)
{
    return s->newest + (s->newest >= age ? 0u : FLOW_PARTS) - age;
}

static inline bool is_begun(const struct flow_series *s, uint32_t age)
{
    return (s->begun >> age & 1) != 0;
}

static inline void add_to_part(struct flow_series *s, uint32_t age, uint32_t bytes)
{
    uint32_t *part = &s->parts[part_before(s, age)];

    *part &= is_begun(s, age) ? UINT32_MAX : 0;
    s->begun |= (uint16_t)(1u << age);
    flow_series_sum(part, bytes);
}

/* The part that is so many behind the newest one is the newest then. */
static inline void go_on(struct flow_series *s, int64_t parts)
{
    uint32_t steps = parts < FLOW_PARTS ? (uint32_t)parts : FLOW_PARTS;
    uint32_t newest = s->newest + steps;

    s->part_ns += parts * FLOW_PART_NS;
    s->begun = (uint16_t)((uint32_t)s->begun << steps & ((1u << FLOW_PARTS) - 1));
    s->newest = (uint16_t)(newest - (newest >= FLOW_PARTS ? FLOW_PARTS : 0u));
}

static void step_part(struct flow_series *s, int64_t time_ns, uint32_t bytes)
{
    int64_t ahead = time_ns / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;

    if (ahead >= 0) {
        go_on(s, ahead);
        add_to_part(s, 0, bytes);
    } else if (ahead > -FLOW_PARTS) {
        add_to_part(s, (uint32_t)-ahead, bytes);
    }
}

uint64_t flow_series_recent(const struct flow_series *s, int64_t now)
{
    int64_t ahead = now / FLOW_PART_NS - s->part_ns / FLOW_PART_NS;
    uint64_t sum = 0;

    for (int64_t i = 0; i < FLOW_PARTS; i++) {
        int64_t age = i + ahead; /* in parts, of the one that is i before the newest */
        uint64_t part = s->parts[part_before(s, (uint32_t)i)];

        if (age < 0 || age >= FLOW_PARTS || !is_begun(s, (uint32_t)i))
            continue;
        sum += age == FLOW_PARTS - 1
                   ? part * (uint64_t)(FLOW_PART_NS - now % FLOW_PART_NS) / (uint64_t)FLOW_PART_NS
                   : part;
    }
    return sum;
}
