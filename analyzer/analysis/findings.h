/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What went wrong, worst first: findings, each of a kind that finding_list.h explains, with the
 * evidence for it. Rules (findings_*.c) look at the finished analysis and raise them.
 */
#ifndef ANALYSIS_FINDINGS_H
#define ANALYSIS_FINDINGS_H

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/evidence.h"
#include "analysis/finding_list.h"

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

struct finding {
    uint8_t id; /* enum finding_id */
    uint8_t severity;
    uint32_t connection;              /* 0: of the capture */
    uint32_t connections;             /* that show it, where one finding stands for several */
    struct report_value value, limit; /* plain numbers */
    struct evidence_frames frames;
    char *why;       /* owned; what was seen, in a sentence */
    uint64_t weight; /* among those of one kind: the more, the worse */
};

struct findings;

/* Runs all rules; free it before what `in` borrows. */
struct findings *findings_find(const struct analysis_input *in);
void findings_free(struct findings *findings);

size_t findings_count(const struct findings *findings);
const struct finding *findings_get(const struct findings *findings, size_t index); /* worst first */
/* How many of a kind were found; more than are kept when they are many */
uint64_t findings_of(const struct findings *findings, enum finding_id id);
/* Adds the table `findings` for programs. */
void findings_report(const struct findings *findings, struct report_node *root);

/* For rules: takes `finding`, its severity included. */
void findings_add(struct findings *findings, const struct finding *finding);
/* What usually is right: the kind's severity and, when there are any, these frames */
struct finding finding_of(enum finding_id id, const struct evidence_frames *frames);

#endif
