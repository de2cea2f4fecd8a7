/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Does a capture meet a policy? The measures that can be limited (names.c, measure.c,
 * ratio.c), policies (policy.c, policy_file.c), the judgement (judge.c).
 */
#ifndef ANALYSIS_CHECK_CHECK_H
#define ANALYSIS_CHECK_CHECK_H

#include <glib.h>

#include "analysis/capture.h"
#include "analysis/check/marks.h"
#include "analysis/check/watch.h"
#include "flow/flow.h"
#include "report/check_result.h"

/* What the judgement looks at, after flow_finish() and check_watch_settle(). Borrowed. */
struct check_facts {
    const struct capture *capture;
    const struct flow_engine *engine;
    const struct check_watch *watch;
    const struct check_marks *marks;
};

/* An amount, as far as it can be seen */
struct check_amount {
    double value;        /* with `unknown`: at least this */
    const char *unknown; /* why not all can be seen; a static string, or NULL */
    bool applies;        /* there is something to measure */
};

enum check_scope {
    CHECK_EVENTS,  /* number of events of a kind, for fixtures */
    CHECK_SUM,     /* of all connections */
    CHECK_EACH,    /* connection by connection */
    CHECK_CAPTURE, /* of the capture itself */
    CHECK_MARKS,   /* DSCP or PCP */
};

/* What a counter needs to be seen; see visibility.h */
enum check_need {
    CHECK_NEEDS_STREAM, /* a captured direction; one that was not captured has nothing to judge */
    CHECK_NEEDS_PSN,    /* or the sequence numbers of TCP */
    CHECK_NEEDS_ROUNDS,
    CHECK_NEEDS_ICRC,
    CHECK_NEEDS_ANSWERS, /* both directions */
    CHECK_NEEDS_STEP,    /* and in step with each other */
    CHECK_NEEDS_AFTER,
    CHECK_NEEDS_AETH,
    CHECK_NEEDS_REFUSALS, /* NAKs, or Terminate messages of iWARP */
    CHECK_NEEDS_CNPS,
};

/* A row of zeros stands for a kind of event: CHECK_EVENTS */
struct check_measure {
    const char *name;
    enum check_scope scope;
    const char *unit;
    const char *meaning;
    bool by_default; /* at most 0 where no policy says more */
    enum check_need need;
    enum check_evidence evidence; /* its frames; EVIDENCE_NONE */
    size_t counter;               /* offset in struct flow_counters, where `connection` is NULL */
    struct check_amount (*connection)(const struct check_measure *self,
                                      const struct check_facts *facts,
                                      const struct flow_connection *c);
    struct check_amount (*of_capture)(const struct check_facts *facts);
};

extern const struct check_measure check_measures[];
extern const size_t check_measure_count;
/* NULL when there is none of that name */
const struct check_measure *check_measure_find(const char *name);
/* A kind of event, as `events` names it */
const struct check_measure *check_event_find(const char *kind);
/* The kind of event of a CHECK_EVENTS measure */
uint8_t check_event_kind(const struct check_measure *measure);

/* The amount on one connection, and of one measure of the capture */
struct check_amount check_of_connection(const struct check_measure *measure,
                                        const struct check_facts *facts,
                                        const struct flow_connection *c);
/* What a CHECK_SUM measure counts on no connection: damaged packets of none */
uint64_t check_elsewhere(const struct check_measure *measure, const struct check_facts *facts);
/* Why a measure leaves out part of what is captured: packets or state for which there was no
 * memory. A static string; NULL when nothing was left out that it could count. */
const char *check_given_up(const struct check_measure *measure, const struct check_facts *facts);
/* Why a measure counts too little: packets are missing from the capture, by its own count or, of a
 * connection (NULL: of none), because they were acknowledged and never seen; they may be any. A
 * static string, or NULL. */
const char *check_missing(const struct check_measure *measure, const struct check_facts *facts,
                          const struct flow_connection *c);
/* Why nothing that it says can be believed: the files of the timeline overlap, and it depends on
 * the order of packets. A static string, or NULL. */
const char *check_disordered(const struct check_measure *measure, const struct check_facts *facts);
/* Why something can't be seen of a direction, a static string; NULL where it can. Sets *applies
 * where the service has such a thing at all. */
const char *check_unseen(enum check_need need, const struct flow_connection *c,
                         const struct flow_direction *d, const struct flow_direction *other,
                         bool *applies);

/* ------------------------------------------------------------------ policies */

struct check_policy {
    char *path;          /* NULL: none was read */
    GArray *rules;       /* struct check_rule */
    GPtrArray *measures; /* const struct check_measure, one a rule */
    uint64_t dscp;       /* values that are allowed; 0: any */
    uint8_t pcp;
};

#define CHECK_ERROR check_error_quark()
GQuark check_error_quark(void);
enum check_error {
    CHECK_ERROR_POLICY,
};

struct check_policy *check_policy_new(void);
/* NULL is accepted */
void check_policy_free(struct check_policy *policy);
/* "psn_gaps=0", of --max (CHECK_AT_MOST) or --min (CHECK_AT_LEAST) */
bool check_policy_limit(struct check_policy *policy, enum check_relation relation, const char *text,
                        GError **error);
/* "26,48" */
bool check_policy_dscp(struct check_policy *policy, const char *list, GError **error);
bool check_policy_pcp(struct check_policy *policy, const char *list, GError **error);
/* Reads a policy file: a GLib key file with the groups limits, minimum, expect */
bool check_policy_read(struct check_policy *policy, const char *path, GError **error);
/* Adds the default limits of what has no limit yet */
void check_policy_defaults(struct check_policy *policy);

/* ------------------------------------------------------------------ judgement */

/* Judges every rule; fills in all but `files`, `damage` and `outcome`. */
void check_judge(const struct check_policy *policy, const struct check_facts *facts,
                 struct check_capture *out);

#endif
