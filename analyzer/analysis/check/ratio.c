/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Shares and times that `check` can limit: of each connection's worse direction.
 */
#include "analysis/check/measure.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* ------------------------------------------------------------------ shares */

static double retransmitted(const struct check_measure *self, const struct check_facts *facts,
                            const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return share(d->counters->retransmitted_packets, d->counters->data_packets);
}

struct check_amount check_retransmitted_pct(const struct check_measure *self,
                                            const struct check_facts *facts,
                                            const struct flow_connection *c)
{
    return check_both(self, facts, c, retransmitted, true);
}

static double loss(const struct check_measure *self, const struct check_facts *facts,
                   const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return share(d->counters->lost_before_tap + d->counters->lost_after_tap,
                 d->counters->data_packets);
}

struct check_amount check_loss_pct(const struct check_measure *self,
                                   const struct check_facts *facts, const struct flow_connection *c)
{
    return check_both(self, facts, c, loss, true);
}

static double icrc_bad(const struct check_measure *self, const struct check_facts *facts,
                       const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    if (d->iwarp != NULL)
        return share(d->counters->icrc_bad, d->iwarp->fpdus);
    return share(d->counters->icrc_bad, d->counters->packets);
}

struct check_amount check_icrc_bad_pct(const struct check_measure *self,
                                       const struct check_facts *facts,
                                       const struct flow_connection *c)
{
    struct check_amount amount = check_both(self, facts, c, icrc_bad, true);
    struct check_amount count = check_icrc_bad(self, facts, c);

    amount.unknown = count.unknown;
    if (count.value == 0)
        amount.value = 0;
    return amount;
}

static double ce(const struct check_measure *self, const struct check_facts *facts,
                 const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return share(d->counters->ce_packets, d->counters->data_packets);
}

struct check_amount check_ce_pct(const struct check_measure *self, const struct check_facts *facts,
                                 const struct flow_connection *c)
{
    return check_both(self, facts, c, ce, true);
}

/* ------------------------------------------------------------------ times */

/* The longer; unknown where packets have no time */
static struct check_amount check_time(const struct check_measure *self,
                                      const struct check_facts *facts,
                                      const struct flow_connection *c, check_direction_fn *time)
{
    const char *untimed = capture_untimed_reason(facts->capture);

    struct check_amount amount = check_both(self, facts, c, time, true);

    if (untimed != NULL) {
        amount.value = 0;
        amount.unknown = untimed;
    }
    return amount;
}

static double recovery(const struct check_measure *self, const struct check_facts *facts,
                       const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return d->times != NULL ? (double)d->times->recovery.max / 1e6 : 0;
}

static bool recovered(const struct flow_direction *d)
{
    uint64_t rounds;

    if (d->counters == NULL)
        return true;
    rounds = d->iwarp != NULL ? d->counters->lost_before_tap : 0;
    for (unsigned k = 0; k < FLOW_TRIGGER_COUNT; k++)
        rounds += d->counters->rounds[k];
    return rounds == 0 || (d->state != FLOW_STATE_RETRY_EXHAUSTED && d->times != NULL &&
                           d->times->recovery.count > 0);
}

struct check_amount check_recovery(const struct check_measure *self,
                                   const struct check_facts *facts, const struct flow_connection *c)
{
    struct check_amount amount = check_time(self, facts, c, recovery);

    if (amount.unknown == NULL && !(recovered(&c->a_to_b) && recovered(&c->b_to_a)))
        amount.unknown = "a loss was not recovered on the capture";
    return amount;
}

static double p99_us(const struct flow_histogram *h)
{
    return (double)flow_histogram_quantile(h, 990) / 1e3;
}

static double rtt(const struct check_measure *self, const struct check_facts *facts,
                  const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return d->times != NULL ? p99_us(&d->times->rtt) : 0;
}

struct check_amount check_rtt(const struct check_measure *self, const struct check_facts *facts,
                              const struct flow_connection *c)
{
    const struct flow_times *a = c->a_to_b.times, *b = c->b_to_a.times;
    struct check_amount amount = check_time(self, facts, c, rtt);

    if (amount.unknown == NULL && (a == NULL || a->rtt.count == 0) &&
        (b == NULL || b->rtt.count == 0))
        amount.unknown = "no request with its acknowledgement is on the capture";
    return amount;
}

static double latency(const struct check_measure *self, const struct check_facts *facts,
                      const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return d->times != NULL ? p99_us(&d->times->message_latency) : 0;
}

struct check_amount check_latency(const struct check_measure *self, const struct check_facts *facts,
                                  const struct flow_connection *c)
{
    const struct flow_times *a = c->a_to_b.times, *b = c->b_to_a.times;
    struct check_amount amount = check_time(self, facts, c, latency);

    if (amount.unknown == NULL && (a == NULL || a->message_latency.count == 0) &&
        (b == NULL || b->message_latency.count == 0))
        amount.unknown = "no message with its acknowledgement is on the capture";
    return amount;
}
