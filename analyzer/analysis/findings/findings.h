/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What went wrong, worst first: findings, each of a kind that list.h explains, with the
 * evidence for it. Rules (findings_*.c) look at the finished analysis and raise them.
 */
#ifndef ANALYSIS_FINDINGS_FINDINGS_H
#define ANALYSIS_FINDINGS_FINDINGS_H

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/evidence.h"
#include "analysis/findings/list.h"

enum finding_id {
#define FINDING_ENUM(name, id, severity, title, meaning, next) FINDING_##name,
    FINDING_LIST(FINDING_ENUM)
#undef FINDING_ENUM
        FINDING_COUNT,
};

enum finding_severity {
    SEVERITY_NOTE,
    SEVERITY_WARNING,
    SEVERITY_ERROR,
    SEVERITY_COUNT,
};

struct finding_kind {
    const char *id;
    const char *title;
    const char *meaning;
    const char *next;
    uint8_t severity; /* that it usually has */
};

extern const struct finding_kind finding_kinds[FINDING_COUNT];
extern const char *const finding_severities[SEVERITY_COUNT];

/* How what was found stood when the capture ended */
enum finding_end {
    FINDING_UNSAID,
    FINDING_RECOVERED,
    FINDING_BROKEN,
    FINDING_ENDED, /* the connection ended by it */
};

/* What was resent: why, mostly? Findings that only count resends follow from a finding of this. */
enum finding_class {
    FINDING_OF_LOSS,
    FINDING_OF_SILENCE,
    FINDING_OF_REFUSAL,
};

/* Whom a finding is about, so that those about one fault can be brought together: a stream of
 * requests, a port that pauses, a host. All zero: nobody in particular. */
struct finding_subject {
    uint8_t kind;
    uint8_t bytes[19];
};

#define FINDING_NO_CAUSE SIZE_MAX

struct sight;

struct finding {
    uint8_t id; /* enum finding_id */
    uint8_t severity;
    uint8_t end;                      /* enum finding_end */
    uint8_t resends;                  /* enum finding_class, of findings that count resends */
    uint32_t example;                 /* a connection that shows it; 0: `connection` */
    bool of_victim;                   /* `connection` suffers from it and does nothing wrong */
    uint32_t connection;              /* 0: of the capture */
    uint32_t connections;             /* that show it, where one finding stands for several */
    struct report_value value, limit; /* plain numbers */
    struct first_frames frames;
    int64_t from_ns, to_ns; /* while it was so; equal: not known */
    int64_t sum_ns;         /* of that time, when it was so with breaks; 0: without */
    bool at_most;           /* that is an upper bound */
    char *why;              /* owned; what was seen, in a sentence */
    char *who;              /* owned; at fault as far as the capture shows; NULL: it does not */
    const char *question;   /* static; what it leaves open; NULL: what its kind does */
    char *doubt;     /* owned; why who is at fault can't be told; NULL: it can, or `who` is */
    char *brief;     /* owned; a few words where it follows from another; NULL: the title */
    uint64_t weight; /* among those of one kind: the more, the worse */
    struct finding_subject subject, target;
    bool explained; /* its connection has a cause for it, kept or not */
    size_t serial;  /* of its rule, before all are in order */
    size_t cause;   /* index of the finding that this one follows from; FINDING_NO_CAUSE */
    /* Puts its texts when it is kept: of a kind that is found very often most are not. NULL: they
     * stand here already. `sight`: what raised it, while its connection is looked at. */
    void (*tell)(const struct sight *sight, struct finding *finding);
    const struct sight *sight;
};

/* It tells what the capture can't show, rather than what went wrong. */
static inline bool finding_is_about_capture(const struct finding *f)
{
    return f->id >= FINDING_FILES_OVERLAP && f->id <= FINDING_LIMITS_REACHED;
}

/* It tells what could be set up better; nothing went wrong by it alone. */
static inline bool finding_is_advice(const struct finding *f)
{
    return f->severity < SEVERITY_ERROR &&
           (f->id == FINDING_NOT_ECT || f->id == FINDING_DEFAULT_PRIORITY ||
            f->id == FINDING_ROCEV1_PRESENT || f->id == FINDING_LOW_ENTROPY ||
            f->id == FINDING_MIXED_PRIORITY || f->id == FINDING_CNP_ON_DATA_PRIORITY);
}

/* What to do next. What was not read may tell more, before another capture does. */
const char *finding_next(const struct finding *f, const struct capture *capture);

/* It went wrong, and not because of another finding. */
static inline bool finding_is_root(const struct finding *f)
{
    return f->cause == FINDING_NO_CAUSE && !finding_is_about_capture(f) && !finding_is_advice(f);
}

struct findings;

/* `in` is borrowed. */
struct findings *findings_new(const struct analysis_input *in);
/* Each connection, as they are numbered */
void findings_look(struct findings *findings, const struct flow_connection *c);
/* Then: what all of it shows. Only now is there anything to get. */
void findings_end(struct findings *findings);
void findings_free(struct findings *findings);

size_t findings_count(const struct findings *findings);
const struct finding *findings_get(const struct findings *findings, size_t index); /* worst first */
/* Severity of the gravest that is about what went wrong; a note where there is none */
uint8_t findings_gravest(const struct findings *findings);
/* How many of a kind were found; more than are kept when they are many */
uint64_t findings_of(const struct findings *findings, enum finding_id id);
/* Adds the table `findings` for programs. */
void findings_report(const struct findings *findings, const struct analysis_input *in,
                     struct report_node *root);

/* causes.c: which finding follows from which; sets `cause` (an index into the list) and
 * makes causes as grave as what follows from them. */
void findings_link(struct finding *list, size_t count);
/* verdict.c: who is at fault, for how long, how it ended and what can't be known, about
 * the worst of all; owned by the caller. NULL: nothing is wrong. */
char *findings_verdict(const struct findings *findings, const struct analysis_input *in);
/* Whether it names anything: more than advice, and more than what the capture can't show */
bool findings_say_wrong(const struct findings *findings);
/* The connection that the verdict is about, or that shows it; 0: none does, or nothing is broken */
uint32_t findings_worst_connection(const struct findings *findings);

/* For rules: takes `finding`, its severity and texts included. */
void findings_add(struct findings *findings, const struct finding *finding);
/* What usually is right: the kind's severity and, when there are any, these frames */
struct finding finding_of(enum finding_id id, const struct first_frames *frames);

#endif
