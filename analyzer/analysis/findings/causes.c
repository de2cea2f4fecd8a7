/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One fault, one headline: which finding follows from which other. A finding that only counts what
 * another one explains (packets sent again because the receiver was not ready, marks that an incast
 * made) is told with its cause, which is as grave as the gravest of what follows from it.
 *
 * Nothing here knows a rule; it knows that findings are about the same stream, connection, port or
 * host, and which kinds explain which.
 */
#include <string.h>

#include "analysis/findings/rules.h"

enum same {
    SAME_SUBJECT, /* stream or port; a port may also be the cause's second one */
    SAME_CONNECTION,
    SAME_TARGET, /* host */
};

enum {
    ANY_CLASS = UINT8_MAX,
};

/* What a cause must be */
enum needs {
    NOTHING,
    WEIGHT,  /* at least as heavy as the effect */
    WARNING, /* more than a note */
};

struct link {
    uint8_t effect, cause; /* enum finding_id */
    uint8_t same;
    uint8_t resends; /* enum finding_class of the effect; ANY_CLASS */
    uint8_t needs;   /* enum needs */
};

/* Findings that count resends follow from what made most of them. */
#define RESENDS(effect)                                                                            \
    {FINDING_##effect, FINDING_RETRY_EXHAUSTED, SAME_SUBJECT, FINDING_OF_SILENCE, NOTHING},        \
        {FINDING_##effect, FINDING_NO_ANSWER, SAME_SUBJECT, FINDING_OF_SILENCE, NOTHING},          \
        {FINDING_##effect, FINDING_RNR_RETRY_EXHAUSTED, SAME_SUBJECT, FINDING_OF_REFUSAL,          \
         NOTHING},                                                                                 \
        {FINDING_##effect, FINDING_RNR_TIMER_LONGEST, SAME_SUBJECT, FINDING_OF_REFUSAL, NOTHING},  \
        {FINDING_##effect, FINDING_RNR_STALL, SAME_SUBJECT, FINDING_OF_REFUSAL, NOTHING},          \
        {FINDING_##effect, FINDING_REORDERING_RESENDS, SAME_SUBJECT, FINDING_OF_LOSS, WARNING},    \
        {FINDING_##effect, FINDING_LOSS_BEFORE_TAP, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING},       \
        {FINDING_##effect, FINDING_LOSS_AFTER_TAP, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING},        \
        {FINDING_##effect, FINDING_ANSWER_LOST, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING},           \
        {FINDING_##effect, FINDING_ATOMIC_ANSWER_LOST, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING},    \
        {FINDING_##effect, FINDING_ICRC_BAD, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING},              \
    {                                                                                              \
        FINDING_##effect, FINDING_REORDERING_RESENDS, SAME_SUBJECT, FINDING_OF_LOSS, NOTHING       \
    }

#define DEAD(effect, cause)                                                                        \
    {                                                                                              \
        FINDING_##effect, FINDING_##cause, SAME_CONNECTION, ANY_CLASS, NOTHING                     \
    }
#define PORT(effect, cause)                                                                        \
    {                                                                                              \
        FINDING_##effect, FINDING_##cause, SAME_SUBJECT, ANY_CLASS, NOTHING                        \
    }
#define HOST(effect, cause)                                                                        \
    {                                                                                              \
        FINDING_##effect, FINDING_##cause, SAME_TARGET, ANY_CLASS, NOTHING                         \
    }

/* Of several causes the first that is there. There are no circles. */
static const struct link links[] = {
    RESENDS(AMPLIFICATION),
    RESENDS(RETRANSMISSION_SHARE),
    RESENDS(SPURIOUS),
    RESENDS(TIMEOUT_RECOVERY),
    {FINDING_RNR_STALL, FINDING_RNR_RETRY_EXHAUSTED, SAME_SUBJECT, ANY_CLASS, NOTHING},
    {FINDING_RNR_STALL, FINDING_RNR_TIMER_LONGEST, SAME_SUBJECT, ANY_CLASS, NOTHING},
    {FINDING_RNR_TIMER_LONGEST, FINDING_RNR_RETRY_EXHAUSTED, SAME_SUBJECT, ANY_CLASS, NOTHING},
    {FINDING_LOSS_BEFORE_TAP, FINDING_ICRC_BAD, SAME_SUBJECT, ANY_CLASS, WEIGHT},
    {FINDING_LOSS_AFTER_TAP, FINDING_REORDERING_RESENDS, SAME_SUBJECT, ANY_CLASS, WEIGHT},
    {FINDING_HOLES_OPEN, FINDING_RETRY_EXHAUSTED, SAME_SUBJECT, ANY_CLASS, NOTHING},
    {FINDING_HOLES_OPEN, FINDING_NO_ANSWER, SAME_SUBJECT, ANY_CLASS, NOTHING},
    DEAD(HOLES_OPEN, REMOTE_ACCESS_ERROR),
    DEAD(HOLES_OPEN, REMOTE_INVALID_REQUEST),
    DEAD(HOLES_OPEN, REMOTE_OPERATIONAL_ERROR),
    DEAD(TERMINATE, CRC_BAD),
    DEAD(TERMINATE, MSN_GAP),
    DEAD(TERMINATE, FRAMING_LOST),
    PORT(PFC_UNRELEASED, PFC_STORM),
    PORT(PFC_PAUSE, PFC_STORM),
    PORT(PFC_PAUSE, PFC_UNRELEASED),
    PORT(PFC_PAUSE, MUTUAL_PAUSE),
    PORT(PFC_PAUSE, LINK_PAUSE),
    HOST(CONGESTION_MARKS, CE_WITHOUT_CNP),
    HOST(CONGESTION_MARKS, INCAST),
    HOST(CONGESTION_MARKS, CNP_WITHOUT_EFFECT),
};

static bool same_subject(const struct finding_subject *a, const struct finding_subject *b)
{
    return a->kind != 0 && memcmp(a, b, sizeof(*a)) == 0;
}

static bool about_the_same(const struct link *l, const struct finding *effect,
                           const struct finding *cause)
{
    switch ((enum same)l->same) {
    case SAME_CONNECTION:
        return effect->connection != 0 && effect->connection == cause->connection;
    case SAME_TARGET:
        return same_subject(&effect->target, &cause->target);
    case SAME_SUBJECT:
        break;
    }
    return same_subject(&effect->subject, &cause->subject) ||
           (cause->target.kind == effect->subject.kind &&
            same_subject(&effect->subject, &cause->target));
}

static bool explains(const struct link *l, const struct finding *effect,
                     const struct finding *cause)
{
    return (l->resends == ANY_CLASS || l->resends == effect->resends) &&
           (l->needs != WEIGHT || cause->weight >= effect->weight) &&
           (l->needs != WARNING || cause->severity >= SEVERITY_WARNING) &&
           about_the_same(l, effect, cause);
}

/* The findings of a list by kind, in its order */
struct by_kind {
    size_t first[FINDING_COUNT]; /* FINDING_NO_CAUSE: there is none */
    size_t *next;
};

static void sort(const struct finding *list, size_t count, struct by_kind *kinds)
{
    kinds->next = g_new(size_t, count + 1);
    for (size_t id = 0; id < FINDING_COUNT; id++)
        kinds->first[id] = FINDING_NO_CAUSE;
    for (size_t i = count; i-- > 0;) {
        kinds->next[i] = kinds->first[list[i].id];
        kinds->first[list[i].id] = i;
    }
}

static size_t cause_of(const struct finding *list, const struct by_kind *kinds, size_t effect)
{
    for (size_t k = 0; k < G_N_ELEMENTS(links); k++) {
        if (links[k].effect != list[effect].id)
            continue;
        for (size_t i = kinds->first[links[k].cause]; i != FINDING_NO_CAUSE; i = kinds->next[i])
            if (i != effect && explains(&links[k], &list[effect], &list[i]))
                return i;
    }
    return FINDING_NO_CAUSE;
}

/* What has no cause itself */
static size_t root_of(const struct finding *list, size_t at)
{
    for (unsigned steps = 0; steps < FINDING_COUNT && list[at].cause != FINDING_NO_CAUSE; steps++)
        at = list[at].cause;
    return at;
}

void findings_link(struct finding *list, size_t count)
{
    struct by_kind kinds;

    sort(list, count, &kinds);
    for (size_t i = 0; i < count; i++)
        list[i].cause = cause_of(list, &kinds, i);
    g_free(kinds.next);
    for (size_t i = 0; i < count; i++) {
        size_t root = root_of(list, i);

        if (root == i)
            continue;
        list[i].cause = root;
        if (list[i].severity > list[root].severity)
            list[root].severity = list[i].severity;
        if (list[root].to_ns <= list[root].from_ns) {
            list[root].from_ns = list[i].from_ns;
            list[root].to_ns = list[i].to_ns;
            if (list[root].end == FINDING_UNSAID)
                list[root].end = list[i].end;
        }
    }
}
