/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts that `check` can limit, and what of them a capture can't show.
 */
#include "analysis/check/measure.h"

#include "analysis/page/visibility.h"

/* ------------------------------------------------------------------ what can be seen */

static bool is_iwarp(const struct flow_connection *c)
{
    return c->transport == RDC_TRANSPORT_IWARP;
}

static bool is_rc(const struct flow_connection *c)
{
    return c->service == RDC_SERVICE_RC || c->service == RDC_SERVICE_XRC;
}

static const char *reason(enum check_need need, const struct visibility *v)
{
    switch (need) {
    case CHECK_NEEDS_PSN:
    case CHECK_NEEDS_ROUNDS:
        return v->psn;
    case CHECK_NEEDS_ICRC:
        return v->icrc;
    case CHECK_NEEDS_ANSWERS:
        return v->answers;
    case CHECK_NEEDS_STEP:
        return v->needless;
    case CHECK_NEEDS_AFTER:
        return v->after;
    case CHECK_NEEDS_AETH:
    case CHECK_NEEDS_REFUSALS:
        return v->aeth;
    case CHECK_NEEDS_STREAM:
    case CHECK_NEEDS_CNPS:
        break;
    }
    return v->all;
}

/* Whether the service has such a thing at all */
static bool has(enum check_need need, const struct flow_connection *c,
                const struct flow_direction *d)
{
    switch (need) {
    case CHECK_NEEDS_STREAM:
    case CHECK_NEEDS_ICRC:
        return d->counters != NULL;
    case CHECK_NEEDS_PSN:
        return d->counters != NULL && (d->psn_tracked || is_iwarp(c));
    case CHECK_NEEDS_ROUNDS:
        return d->counters != NULL && d->psn_tracked;
    case CHECK_NEEDS_ANSWERS:
    case CHECK_NEEDS_STEP:
    case CHECK_NEEDS_AFTER:
    case CHECK_NEEDS_REFUSALS:
        return is_rc(c) || is_iwarp(c);
    case CHECK_NEEDS_AETH:
        return is_rc(c);
    case CHECK_NEEDS_CNPS:
        return !is_iwarp(c) && c->service != RDC_SERVICE_UD && c->service != RDC_SERVICE_RD;
    }
    return false;
}

static const char crc_cut[] = "not every CRC could be checked: packets were cut by the snap length";

/* Why a packet's ICRC could not be checked: `unchecked` of them, of which some were cut */
static const char *icrc_unseen(uint64_t unchecked, uint64_t cut)
{
    return unchecked == 0    ? NULL
           : cut == 0        ? "not every CRC could be checked: packets came as IP fragments"
           : cut < unchecked ? "not every CRC could be checked: packets were cut by the snap "
                               "length, or came as IP "
                               "fragments"
                             : crc_cut;
}

/* ICRCs of packets, CRCs of FPDUs. The engine does not count the packet that makes a stream as
 * checked. */
static const char *crc_unseen(const struct flow_direction *d)
{
    const struct flow_counters *n = d->counters;

    if (d->iwarp == NULL)
        return icrc_unseen(n->packets - MIN(n->icrc_checked + 1, n->packets), n->truncated);
    if (d->iwarp->crc_off > 0)
        return "the CRCs of iWARP are not in use";
    if (d->iwarp->framing_lost > 0)
        return "the framing of iWARP was lost: not every CRC could be found";
    return d->iwarp->crc_unseen > 0 ? crc_cut : NULL;
}

const char *check_unseen(enum check_need need, const struct flow_connection *c,
                         const struct flow_direction *d, const struct flow_direction *other,
                         bool *applies)
{
    struct visibility v = visibility_of(c, d, other);

    if (!has(need, c, d))
        return NULL;
    *applies = true;
    if (d->counters == NULL)
        return "one direction of a connection is not on the capture";
    if ((need == CHECK_NEEDS_AETH || need == CHECK_NEEDS_REFUSALS) && d->counters->aeth_unseen > 0)
        return "some responses were cut by the snap length before their AETH";
    if ((need == CHECK_NEEDS_PSN || need == CHECK_NEEDS_ROUNDS) && other->counters == NULL &&
        d->counters->reads_unknown > 0)
        return "READ responses can't be followed without their requests";
    if (need == CHECK_NEEDS_ICRC && v.icrc == NULL)
        return crc_unseen(d);
    return reason(need, &v);
}

struct check_amount check_both(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_connection *c, check_direction_fn *amount,
                               bool larger)
{
    const struct flow_direction *d[2] = {&c->a_to_b, &c->b_to_a};
    struct check_amount sum = {0};

    for (unsigned i = 0; i < 2; i++) {
        const char *unseen = check_unseen(self->need, c, d[i], d[1 - i], &sum.applies);
        double value = d[i]->counters != NULL ? amount(self, facts, d[i]) : 0;

        sum.value = larger ? MAX(sum.value, value) : sum.value + value;
        if (unseen != NULL)
            sum.unknown = unseen;
    }
    return sum;
}

static double counter(const struct check_measure *self, const struct check_facts *facts,
                      const struct flow_direction *d)
{
    (void)facts;
    return (double)*(const uint64_t *)(const void *)((const char *)d->counters + self->counter);
}

/* What is of the file, or of frames that belong to no stream */
static bool needs_no_stream(const struct check_measure *m)
{
    return m->scope == CHECK_EVENTS
               ? check_event_kind(m) == FLOW_PAUSE
               : m->scope == CHECK_CAPTURE && m->of_capture != check_connections;
}

/* Counters of a stream's packets hold without memory for its past */
static bool needs_no_past(const struct check_measure *m)
{
    return m->scope != CHECK_EVENTS && m->need == CHECK_NEEDS_STREAM;
}

static const char not_followed[] = "more streams or PSNs than fit in memory: not all were followed";

const char *check_given_up(const struct check_measure *measure, const struct check_facts *facts)
{
    struct flow_summary s;

    flow_summary_get(facts->engine, &s);
    if (needs_no_stream(measure))
        return NULL;
    return s.untracked_packets > 0 || (s.state_refused + check_watch_refused(facts->watch) > 0 &&
                                       !needs_no_past(measure))
               ? not_followed
               : NULL;
}

static bool event_needs_order(uint8_t kind)
{
    switch (kind) {
    case FLOW_GAP:
    case FLOW_RETRANSMISSION:
    case FLOW_OUT_OF_ORDER:
    case FLOW_DUPLICATE:
    case FLOW_HOLE_CLOSED:
    case FLOW_ACKED_UNSEEN:
    case FLOW_ACKED_EARLY:
    case FLOW_RETRY_EXHAUSTED:
    case FLOW_TCP_RETRANSMISSION:
    case FLOW_TCP_GAP:
        return true;
    default:
        return false;
    }
}

/* Counts of what single packets say do not. */
static bool needs_order(const struct check_measure *m)
{
    if (m->scope == CHECK_EVENTS)
        return event_needs_order(check_event_kind(m));
    return m->need == CHECK_NEEDS_PSN || m->need == CHECK_NEEDS_ROUNDS ||
           m->need == CHECK_NEEDS_ANSWERS || m->need == CHECK_NEEDS_STEP ||
           m->need == CHECK_NEEDS_AFTER || m->evidence == EVIDENCE_GAP ||
           m->evidence == EVIDENCE_RETRY_EXHAUSTED;
}

const char *check_disordered(const struct check_measure *measure, const struct check_facts *facts)
{
    return facts->capture->overlap_count > 0 && needs_order(measure)
               ? "files of the same time were read one behind the other: judge each alone, or "
                 "merge "
                 "them by time first"
               : NULL;
}

/* What is of the file: what the file lacks is not of it. But a pause may be missing as any frame.
 */
static bool is_of_file(const struct check_measure *m)
{
    return (m->scope == CHECK_CAPTURE && m->evidence != EVIDENCE_PAUSE) ||
           m->connection == check_unpaired;
}

/* Counts of what was delivered and is missing, and of gaps, which leave that out, know of it. */
static bool counts_missing(const struct check_measure *m)
{
    return m->evidence == EVIDENCE_NOT_CAPTURED || m->evidence == EVIDENCE_ACKED_UNSEEN ||
           m->connection == check_gaps;
}

static uint64_t missing_from(const struct flow_counters *n)
{
    return n->not_captured + n->tail_missing;
}

const char *check_missing(const struct check_measure *measure, const struct check_facts *facts,
                          const struct flow_connection *c)
{
    if (is_of_file(measure))
        return NULL;
    if (facts->capture->drops > 0)
        return "the capture dropped packets: what they were is not known";
    if (c == NULL || counts_missing(measure))
        return NULL;
    return missing_from(flow_counters_of(c, true)) + missing_from(flow_counters_of(c, false)) > 0
               ? "the capture misses packets that were acknowledged, and may miss others"
               : NULL;
}

struct check_amount check_of_connection(const struct check_measure *measure,
                                        const struct check_facts *facts,
                                        const struct flow_connection *c)
{
    struct check_amount amount = measure->connection != NULL
                                     ? measure->connection(measure, facts, c)
                                     : check_both(measure, facts, c, counter, false);

    if (amount.unknown == NULL)
        amount.unknown = check_given_up(measure, facts);
    if (amount.unknown == NULL)
        amount.unknown = check_missing(measure, facts, c);
    return amount;
}

uint64_t check_elsewhere(const struct check_measure *measure, const struct check_facts *facts)
{
    struct flow_summary s;

    flow_summary_get(facts->engine, &s);
    if (measure->evidence != EVIDENCE_ICRC_BAD || s.icrc_unjudged > 0)
        return 0;
    return check_watch_count(facts->watch, FLOW_NO_STREAM, EVIDENCE_ICRC_BAD);
}

/* ------------------------------------------------------------------ of connections */

/* As the watch counts them */
static double watched(const struct check_measure *self, const struct check_facts *facts,
                      const struct flow_direction *d)
{
    return (double)check_watch_count(facts->watch, d->stream, self->evidence);
}

/* Of TCP, holes that nothing filled or acknowledged before the end */
static double gaps(const struct check_measure *self, const struct check_facts *facts,
                   const struct flow_direction *d)
{
    return d->iwarp != NULL ? (double)d->counters->holes_open : watched(self, facts, d);
}

struct check_amount check_gaps(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_connection *c)
{
    return check_both(self, facts, c, gaps, false);
}

struct check_amount check_retry_exhausted(const struct check_measure *self,
                                          const struct check_facts *facts,
                                          const struct flow_connection *c)
{
    return check_both(self, facts, c, watched, false);
}

static double fatal_naks(const struct check_measure *self, const struct check_facts *facts,
                         const struct flow_direction *d)
{
    double sum = d->iwarp != NULL ? (double)d->iwarp->terminates : 0;

    (void)self;
    (void)facts;
    for (unsigned k = RDC_NAK_SEQUENCE + 1; k < FLOW_NAK_RESERVED; k++)
        sum += (double)d->counters->naks[k];
    return sum;
}

static double all_naks(const struct check_measure *self, const struct check_facts *facts,
                       const struct flow_direction *d)
{
    return fatal_naks(self, facts, d) + (double)d->counters->naks[RDC_NAK_SEQUENCE] +
           (double)d->counters->naks[FLOW_NAK_RESERVED];
}

struct check_amount check_naks(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_connection *c)
{
    return check_both(self, facts, c, all_naks, false);
}

struct check_amount check_remote_errors(const struct check_measure *self,
                                        const struct check_facts *facts,
                                        const struct flow_connection *c)
{
    return check_both(self, facts, c, fatal_naks, false);
}

static double timeout_rounds(const struct check_measure *self, const struct check_facts *facts,
                             const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return (double)d->counters->rounds[FLOW_TRIGGER_TIMEOUT];
}

/* Without the answers nobody knows what a round of unknown cause was */
struct check_amount check_timeouts(const struct check_measure *self,
                                   const struct check_facts *facts, const struct flow_connection *c)
{
    struct check_amount amount = check_both(self, facts, c, timeout_rounds, false);
    bool one_way = c->a_to_b.counters == NULL || c->b_to_a.counters == NULL;

    if (one_way && c->service != RDC_SERVICE_UC && amount.applies && amount.unknown == NULL &&
        (c->a_to_b.counters != NULL ? c->a_to_b.counters : c->b_to_a.counters)
                ->rounds[FLOW_TRIGGER_UNKNOWN] > 0)
        amount.unknown = "without the other direction it is not known what packets were resent for";
    return amount;
}

static double bad_icrcs(const struct check_measure *self, const struct check_facts *facts,
                        const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return (double)d->counters->icrc_bad;
}

/* Nearly all bad: the ICRC says nothing, and neither do the few that were counted before that
 * showed */
struct check_amount check_icrc_bad(const struct check_measure *self,
                                   const struct check_facts *facts, const struct flow_connection *c)
{
    struct check_amount amount = check_both(self, facts, c, bad_icrcs, false);
    struct flow_summary s;

    flow_summary_get(facts->engine, &s);
    if (s.icrc_unjudged > 0)
        amount = (struct check_amount){0, visibility_icrcs_meaningless, amount.applies};
    return amount;
}

static double lost(const struct check_measure *self, const struct check_facts *facts,
                   const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return (double)(d->counters->lost_before_tap + d->counters->lost_after_tap);
}

struct check_amount check_lost(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_connection *c)
{
    return check_both(self, facts, c, lost, false);
}

static double dropped_messages(const struct check_measure *self, const struct check_facts *facts,
                               const struct flow_direction *d)
{
    (void)self;
    (void)facts;
    return (double)d->counters->dropped_messages;
}

/* How many messages a gap holds, only its sender knows. */
struct check_amount check_dropped_messages(const struct check_measure *self,
                                           const struct check_facts *facts,
                                           const struct flow_connection *c)
{
    struct check_amount amount = check_both(self, facts, c, dropped_messages, false);

    if (c->service == RDC_SERVICE_UC && amount.unknown == NULL &&
        flow_counters_of(c, true)->lost_before_tap + flow_counters_of(c, false)->lost_before_tap >
            0)
        amount.unknown = "a gap may hold whole messages: how many is not known";
    return amount;
}

/* The other direction may be among what there was no memory to follow */
struct check_amount check_unpaired(const struct check_measure *self,
                                   const struct check_facts *facts, const struct flow_connection *c)
{
    bool one_way = c->a_to_b.counters == NULL || c->b_to_a.counters == NULL;
    bool alone = one_way && (is_rc(c) || is_iwarp(c));
    struct flow_summary s;

    (void)self;
    flow_summary_get(facts->engine, &s);
    if (alone && s.untracked_packets + s.state_refused > 0)
        return (struct check_amount){0, not_followed, true};
    return (struct check_amount){alone, NULL, true};
}

/* ------------------------------------------------------------------ of the capture */

static struct check_amount known(uint64_t value)
{
    return (struct check_amount){(double)value, NULL, true};
}

struct check_amount check_pause_frames(const struct check_facts *facts)
{
    return known(check_watch_events(facts->watch, FLOW_PAUSE));
}

struct check_amount check_capture_drops(const struct check_facts *facts)
{
    return (struct check_amount){
        (double)facts->capture->drops,
        facts->capture->drops_known ? NULL : "the file does not count them", true};
}

struct check_amount check_truncated(const struct check_facts *facts)
{
    return known(facts->capture->truncated);
}

struct check_amount check_time_disorder(const struct check_facts *facts)
{
    return known(facts->capture->time_runs_back);
}

struct check_amount check_connections(const struct check_facts *facts)
{
    return known(flow_connection_count(facts->engine));
}

struct check_amount check_packets(const struct check_facts *facts)
{
    return known(facts->capture->packets);
}

struct check_amount check_rdma_packets(const struct check_facts *facts)
{
    return known(facts->capture->rdma_packets);
}
