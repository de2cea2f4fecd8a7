/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Holds a capture against the rules of a policy. What can't be seen is never a pass: an amount of
 * which only a part can be seen may break a limit, but not keep it.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/check/check.h"
#include "analysis/connections.h"

/* One rule on one capture */
struct judge {
    const struct check_policy *policy;
    const struct check_facts *facts;
    const struct check_rule *rule;
    const struct check_measure *measure;
    uint32_t index; /* of the rule */
    struct check_judgement *out;
    GArray *found; /* struct check_violation; endpoints and frames come later */
};

static void judge_rule(struct judge *j);
static void keep_worst(struct judge *j, GArray *violations);
static const char *nothing_to_judge(const struct check_policy *policy,
                                    const struct check_facts *facts);
static const char *nothing_judged(const struct check_policy *policy,
                                  const struct check_capture *out);

void check_judge(const struct check_policy *policy, const struct check_facts *facts,
                 struct check_capture *out)
{
    out->opened = true;
    out->packets = facts->capture->packets;
    out->connections = flow_connection_count(facts->engine);
    out->undecided = nothing_to_judge(policy, facts);
    for (guint i = 0; i < policy->rules->len; i++) {
        struct judge j = {
            .policy = policy,
            .facts = facts,
            .rule = &g_array_index(policy->rules, struct check_rule, i),
            .measure = g_ptr_array_index(policy->measures, i),
            .index = i,
            .out = &out->judgements[i],
            .found = g_array_new(FALSE, TRUE, sizeof(struct check_violation)),
        };

        judge_rule(&j);
        keep_worst(&j, out->violations);
        g_array_free(j.found, TRUE);
    }
    if (out->undecided == NULL)
        out->undecided = nothing_judged(policy, out);
}

/* Rules about PSNs pass on an empty capture: that is no pass */
static const char *nothing_to_judge(const struct check_policy *policy,
                                    const struct check_facts *facts)
{
    bool capture_only = policy->rules->len > 0;
    struct flow_connection c;

    if (facts->capture->rdma_packets == 0 && flow_connection_count(facts->engine) == 0)
        return "there is no RDMA in the capture";
    for (guint i = 0; i < policy->measures->len; i++) {
        const struct check_measure *m = g_ptr_array_index(policy->measures, i);

        capture_only = capture_only && (m->scope == CHECK_CAPTURE || m->scope == CHECK_EVENTS);
    }
    for (size_t i = 0; !capture_only && i < flow_connection_count(facts->engine); i++) {
        bool a = false, b = false;

        flow_connection_get(facts->engine, i, &c);
        a = check_unseen(CHECK_NEEDS_PSN, &c, &c.a_to_b, &c.b_to_a, &a) == NULL && a;
        b = check_unseen(CHECK_NEEDS_PSN, &c, &c.b_to_a, &c.a_to_b, &b) == NULL && b;
        if (a || b)
            return NULL;
    }
    return capture_only ? NULL : "no connection shows sequence numbers that can be followed";
}

/* Default limits of which none could be checked are no pass either. */
static const char *nothing_judged(const struct check_policy *policy,
                                  const struct check_capture *out)
{
    for (guint i = 0; i < policy->rules->len; i++)
        if (out->judgements[i].status != CHECK_NOT_SEEN ||
            check_is_open(&g_array_index(policy->rules, struct check_rule, i), &out->judgements[i]))
            return NULL;
    return policy->rules->len > 0 ? out->judgements[0].unseen : NULL;
}

/* ------------------------------------------------------------------ one rule */

static bool keeps(const struct check_rule *rule, double value)
{
    switch (rule->relation) {
    case CHECK_AT_MOST:
        return value <= rule->limit;
    case CHECK_AT_LEAST:
        return value >= rule->limit;
    case CHECK_EXACTLY:
    case CHECK_ONE_OF:
        break;
    }
    return value >= rule->limit && value <= rule->limit;
}

/* With a part unseen: what may still be kept or broken */
static enum check_status status_of(const struct check_rule *rule, const struct check_amount *amount)
{
    if (amount->unknown == NULL)
        return keeps(rule, amount->value) ? CHECK_PASSED : CHECK_FAILED;
    if (rule->relation == CHECK_AT_LEAST)
        return amount->value >= rule->limit ? CHECK_PASSED : CHECK_NOT_SEEN;
    return amount->value > rule->limit ? CHECK_FAILED : CHECK_NOT_SEEN;
}

static void violation(struct judge *j, uint32_t connection, const struct check_amount *amount)
{
    struct check_violation v = {.rule = j->index,
                                .connection = connection,
                                .value = amount->value,
                                .lower_bound = amount->unknown != NULL};

    g_array_append_val(j->found, v);
}

static void judge_total(struct judge *j, const struct check_amount *amount)
{
    j->out->known = amount->applies && (amount->unknown == NULL || amount->value > 0);
    j->out->value = amount->value;
    j->out->lower_bound = amount->unknown != NULL;
    j->out->unseen = amount->applies ? amount->unknown : "no connection of the capture can show it";
    j->out->status = amount->applies ? status_of(j->rule, amount) : CHECK_NOT_SEEN;
}

/* The sum over all connections. Where some connections break the limit alone, they are named;
 * otherwise it is the capture as a whole. */
static void judge_sum(struct judge *j)
{
    uint64_t elsewhere = check_elsewhere(j->measure, j->facts);
    struct check_amount total = {(double)elsewhere, check_given_up(j->measure, j->facts),
                                 elsewhere > 0};
    struct flow_connection c;

    if (total.unknown == NULL)
        total.unknown = check_missing(j->measure, j->facts, NULL);
    for (size_t i = 0; i < flow_connection_count(j->facts->engine); i++) {
        struct check_amount amount;

        flow_connection_get(j->facts->engine, i, &c);
        amount = check_of_connection(j->measure, j->facts, &c);
        if (!amount.applies)
            continue;
        total.applies = true;
        total.value += amount.value;
        if (amount.unknown != NULL)
            total.unknown = amount.unknown;
        if (j->rule->relation == CHECK_AT_MOST && amount.value > j->rule->limit)
            violation(j, c.id, &amount);
    }
    judge_total(j, &total);
    if (j->out->status != CHECK_FAILED)
        return;
    total.value = j->found->len > 0 ? (double)elsewhere : total.value;
    if (j->found->len == 0 || (double)elsewhere > j->rule->limit)
        violation(j, 0, &total);
}

/* A connection that breaks the limit fails it for all; one that can't be seen leaves it open */
static void judge_each(struct judge *j)
{
    struct flow_connection c;
    bool applies = false, open = check_given_up(j->measure, j->facts) != NULL;
    struct check_judgement *out = j->out;

    for (size_t i = 0; i < flow_connection_count(j->facts->engine); i++) {
        struct check_amount amount;
        enum check_status status;

        flow_connection_get(j->facts->engine, i, &c);
        amount = check_of_connection(j->measure, j->facts, &c);
        if (!amount.applies)
            continue;
        status = status_of(j->rule, &amount);
        if (amount.unknown != NULL)
            out->unseen = amount.unknown;
        if (!applies || (j->rule->relation == CHECK_AT_LEAST ? amount.value < out->value
                                                             : amount.value > out->value)) {
            out->value = amount.value;
            out->lower_bound = amount.unknown != NULL;
            out->known = amount.unknown == NULL || amount.value > 0;
        }
        applies = true;
        open |= status == CHECK_NOT_SEEN;
        if (status == CHECK_FAILED)
            violation(j, c.id, &amount);
    }
    if (!applies)
        out->unseen = "no connection of the capture can show it";
    out->status = j->found->len > 0  ? CHECK_FAILED
                  : open || !applies ? CHECK_NOT_SEEN
                                     : CHECK_PASSED;
}

static void judge_capture(struct judge *j)
{
    struct check_amount amount = {.applies = true};

    if (j->measure->scope == CHECK_CAPTURE)
        amount = j->measure->of_capture(j->facts);
    else
        amount.value = (double)check_watch_events(j->facts->watch, check_event_kind(j->measure));
    if (amount.unknown == NULL)
        amount.unknown = check_given_up(j->measure, j->facts);
    if (amount.unknown == NULL)
        amount.unknown = check_missing(j->measure, j->facts, NULL);
    judge_total(j, &amount);
    if (j->out->status == CHECK_FAILED)
        violation(j, 0, &amount);
}

/* ------------------------------------------------------------------ DSCP and PCP */

struct marks_seen {
    uint64_t set;
    bool unseen; /* packets without such a mark */
};

static struct marks_seen marks_of(bool pcp, const struct flow_connection *c,
                                  const struct flow_counters *n)
{
    if (n == NULL)
        return (struct marks_seen){0};
    if (pcp)
        return (struct marks_seen){n->pcp_seen, n->untagged != 0};
    return (struct marks_seen){n->dscp_seen, c->transport != RDC_TRANSPORT_ROCEV2 &&
                                                 c->transport != RDC_TRANSPORT_IWARP};
}

static void marks_violation(struct judge *j, uint32_t connection, uint64_t wrong)
{
    struct check_violation v = {.rule = j->index, .connection = connection};
    size_t at = 0;

    for (unsigned i = 64; i-- > 0;)
        if ((wrong >> i & 1) != 0)
            v.value = i;
    for (unsigned i = 0; i < 64; i++)
        if ((wrong >> i & 1) != 0 && at + 8 < sizeof(v.seen))
            at +=
                (size_t)g_snprintf(v.seen + at, sizeof(v.seen) - at, "%s%u", at > 0 ? "," : "", i);
    g_array_append_val(j->found, v);
}

static void judge_marks(struct judge *j)
{
    bool pcp = j->measure == check_measure_find("pcp");
    uint64_t allowed = pcp ? j->policy->pcp : j->policy->dscp;
    bool applies = false, unseen = check_given_up(j->measure, j->facts) != NULL;
    const char *missing = NULL;
    struct flow_connection c;

    for (size_t i = 0; i < flow_connection_count(j->facts->engine); i++) {
        struct marks_seen seen[2];
        uint64_t wrong;

        flow_connection_get(j->facts->engine, i, &c);
        seen[0] = marks_of(pcp, &c, c.a_to_b.counters);
        seen[1] = marks_of(pcp, &c, c.b_to_a.counters);
        wrong = (seen[0].set | seen[1].set) & ~allowed;
        applies |= (seen[0].set | seen[1].set) != 0;
        unseen |= seen[0].unseen || seen[1].unseen;
        if (missing == NULL)
            missing = check_missing(j->measure, j->facts, &c);
        if (wrong != 0)
            marks_violation(j, c.id, wrong);
    }
    if (unseen || !applies)
        missing = pcp ? "packets have no VLAN tag: the capture may have taken it away"
                      : "packets have no DSCP: not IP";
    j->out->unseen = missing;
    j->out->status = j->found->len > 0 ? CHECK_FAILED
                     : missing != NULL ? CHECK_NOT_SEEN
                                       : CHECK_PASSED;
}

/* The reason that counts: a look at a part of the capture may decide it */
static void note_given_up(struct judge *j)
{
    const char *why = check_given_up(j->measure, j->facts);

    if (j->out->status != CHECK_NOT_SEEN || why == NULL)
        return;
    j->out->given_up = true;
    j->out->unseen = why;
}

/* Of what was read in a wrong order, no value is even a bound. */
static void take_back(struct judge *j, const char *why)
{
    g_array_set_size(j->found, 0);
    j->out->known = false;
    j->out->lower_bound = false;
    j->out->value = 0;
    j->out->status = CHECK_NOT_SEEN;
    j->out->given_up = true;
    j->out->unseen = why;
}

static void judge_rule(struct judge *j)
{
    const char *disordered = check_disordered(j->measure, j->facts);

    switch (j->measure->scope) {
    case CHECK_SUM:
        judge_sum(j);
        break;
    case CHECK_EACH:
        judge_each(j);
        break;
    case CHECK_EVENTS:
    case CHECK_CAPTURE:
        judge_capture(j);
        break;
    case CHECK_MARKS:
        judge_marks(j);
        break;
    }
    note_given_up(j);
    if (disordered != NULL)
        take_back(j, disordered);
}

/* ------------------------------------------------------------------ what is shown of it */

static int worst_first(const void *a, const void *b)
{
    const struct check_violation *x = a, *y = b;

    if (x->value > y->value || x->value < y->value)
        return x->value > y->value ? -1 : 1;
    return x->connection < y->connection ? -1 : x->connection > y->connection;
}

static size_t frames_of_direction(const struct judge *j, const struct flow_direction *d,
                                  uint64_t *frames, size_t count)
{
    enum check_evidence evidence = j->measure->evidence;

    if (d->counters == NULL)
        return count;
    count = check_watch_frames(j->facts->watch, d->stream, evidence, frames, count, CHECK_FRAMES);
    if (evidence == EVIDENCE_LOST)
        count = check_watch_frames(j->facts->watch, d->stream, EVIDENCE_LOST_BEHIND, frames, count,
                                   CHECK_FRAMES);
    return count;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static size_t marked_frames(const struct judge *j, const struct flow_connection *c,
                            uint64_t *frames)
{
    bool pcp = j->measure == check_measure_find("pcp");
    uint64_t all[2 * CHECK_FRAMES];
    size_t n = check_marks_frames(j->facts->marks, pcp, &c->b, all, CHECK_FRAMES);

    n += check_marks_frames(j->facts->marks, pcp, &c->a, all + n, CHECK_FRAMES);
    qsort(all, n, sizeof(*all), by_number);
    n = MIN(n, CHECK_FRAMES);
    memcpy(frames, all, n * sizeof(*all));
    return n;
}

/* Of the capture as a whole: the first ones of all connections, and of none */
static size_t frames_of_all(const struct judge *j, uint64_t *frames)
{
    struct flow_connection c;
    size_t n = check_watch_frames(j->facts->watch, FLOW_NO_STREAM, j->measure->evidence, frames, 0,
                                  CHECK_FRAMES);

    for (size_t i = 0; i < flow_connection_count(j->facts->engine); i++) {
        flow_connection_get(j->facts->engine, i, &c);
        n = frames_of_direction(j, &c.a_to_b, frames, n);
        n = frames_of_direction(j, &c.b_to_a, frames, n);
    }
    return n;
}

static void complete(const struct judge *j, struct check_violation *v)
{
    struct flow_connection c;
    size_t n;

    if (v->connection == 0) {
        v->frame_count = (uint8_t)frames_of_all(j, v->frames);
        return;
    }
    flow_connection_get(j->facts->engine, v->connection - 1, &c);
    connection_endpoint_text(&c.a, v->a, sizeof(v->a));
    connection_endpoint_text(&c.b, v->b, sizeof(v->b));
    if (j->measure->scope == CHECK_MARKS) {
        n = marked_frames(j, &c, v->frames);
    } else {
        n = frames_of_direction(j, &c.a_to_b, v->frames, 0);
        n = frames_of_direction(j, &c.b_to_a, v->frames, n);
    }
    v->frame_count = (uint8_t)n;
}

static void keep_worst(struct judge *j, GArray *violations)
{
    j->out->violations = j->found->len;
    if (j->rule->relation == CHECK_AT_MOST)
        g_array_sort(j->found, worst_first);
    for (guint i = 0; i < j->found->len && i < CHECK_KEPT; i++) {
        struct check_violation *v = &g_array_index(j->found, struct check_violation, i);

        complete(j, v);
        g_array_append_vals(violations, v, 1);
    }
}
