/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` found, before anybody knows who will read it: the rules that were judged, and for
 * each capture what each rule came to. Made by analysis/check/judge.c, walked by render/check_*.c.
 */
#ifndef REPORT_CHECK_RESULT_H
#define REPORT_CHECK_RESULT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CHECK_FRAMES = 3, /* named by a violation */
    CHECK_KEPT = 100, /* violations of one rule in one capture that are listed */
};

enum check_relation {
    CHECK_AT_MOST,
    CHECK_AT_LEAST,
    CHECK_EXACTLY,
    CHECK_ONE_OF, /* `allowed` */
};

/* Strings but `allowed` are static */
struct check_rule {
    const char *id; /* "psn_gaps" */
    const char *unit;
    const char *meaning;
    enum check_relation relation;
    double limit;
    char *allowed; /* "26,48"; owned by the policy */
    bool named;    /* the user asked for it: it must be decided */
};

enum check_status {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_NOT_SEEN, /* the capture can't show it */
};

/* What one rule came to */
struct check_judgement {
    enum check_status status;
    bool known;         /* `value` is */
    bool lower_bound;   /* `value` counts only what can be seen */
    double value;       /* total, or the worst connection's */
    const char *unseen; /* why not all can be seen; a static string, or NULL */
    bool given_up;      /* CHECK_NOT_SEEN because it was not followed, or read in a wrong order: the
                         * capture might show it */
    uint64_t violations; /* of which CHECK_KEPT are listed at the most */
};

struct check_violation {
    uint32_t rule;       /* index */
    uint32_t connection; /* 0: the capture as a whole */
    char a[96], b[96];   /* endpoints of the connection */
    double value;
    bool lower_bound;
    char seen[64]; /* CHECK_ONE_OF: the values that are not allowed */
    uint64_t frames[CHECK_FRAMES];
    uint8_t frame_count;
};

enum check_outcome {
    CHECK_CAPTURE_PASSED,
    CHECK_CAPTURE_FAILED,
    CHECK_CAPTURE_UNDECIDED, /* nothing failed, and something that was asked can't be seen */
    CHECK_CAPTURE_DAMAGED,   /* can't be read to its end; may have violations too */
    CHECK_CAPTURE_UNREADABLE,
    CHECK_CAPTURE_OUTCOMES, /* number of them */
};

/* One timeline: a file, or several that were joined */
struct check_capture {
    char **files; /* in the order of the timeline: the file index of frame references */
    size_t file_count;
    enum check_outcome outcome;
    uint64_t packets;
    uint64_t connections;
    bool opened;                        /* false: could not even be opened, nothing was judged */
    GPtrArray *damage;                  /* sentences */
    const char *undecided;              /* why nothing can be decided; NULL */
    struct check_judgement *judgements; /* one a rule; NULL unless opened */
    GArray *violations;                 /* struct check_violation, in order of rules */
};

struct check_report {
    const char *tool_version;
    const char *policy; /* name of its file; NULL: none */
    const struct check_rule *rules;
    size_t rule_count;
    GPtrArray *captures; /* struct check_capture, owned */
    int exit_status;
};

struct check_capture *check_capture_new(const char *const *files, size_t rule_count);
/* NULL is accepted */
void check_capture_free(struct check_capture *capture);
/* Settles `outcome` from the judgements, `undecided` and `damage` */
void check_capture_settle(struct check_capture *capture, const struct check_rule *rules,
                          size_t rule_count);
/* Rules that came to a status */
size_t check_capture_count(const struct check_capture *capture, size_t rule_count,
                           enum check_status status);
/* Whether a rule had to be decided and could not be: the user asked for it, or it was not the
 * capture that did not show it, but we that did not look at all of it */
bool check_is_open(const struct check_rule *rule, const struct check_judgement *judgement);
const char *check_outcome_name(enum check_outcome outcome); /* "passed", ... */

#endif
