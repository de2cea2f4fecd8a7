/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a person asks first: who is at fault as far as the capture shows, since when and for how
 * long, did it recover, and what can't be known from here. Said about the worst finding.
 */
#include "analysis/findings/rules.h"

/* What a kind of finding leaves open; NULL: nothing that matters first */
#define ANSWER                                                                                     \
    ("whether the requests or the answers to them were lost, where, and whether the peer "         \
     "still ran")
#define BUFFER "why it had none"
#define REFUSED "what made the responder refuse it"
#define HOP "at which hop of that way"
#define PORT "why that port is out of buffer, and what others of the fabric do"
#define QUEUE "which queue of which switch fills"
static const char *const questions[FINDING_COUNT] = {
    [FINDING_RETRY_EXHAUSTED] = ANSWER,
    [FINDING_NO_ANSWER] = ANSWER,
    [FINDING_NAK_NOT_FOLLOWED] =
        "whether the NAK reached the requester, and where the packet that it asks for was lost",
    [FINDING_NEVER_ANSWERED] =
        "whether the peer got the requests, and why the requester does not send them again",
    [FINDING_RNR_RETRY_EXHAUSTED] = BUFFER,
    [FINDING_RNR_STALL] = BUFFER,
    [FINDING_RNR_TIMER_LONGEST] = "whether somebody chose this timer or left it at zero",
    [FINDING_REMOTE_ACCESS_ERROR] = "what the responder had registered",
    [FINDING_REMOTE_INVALID_REQUEST] = REFUSED,
    [FINDING_REMOTE_OPERATIONAL_ERROR] = REFUSED,
    [FINDING_LOSS_BEFORE_TAP] = HOP,
    [FINDING_ATOMIC_ANSWER_LOST] = HOP,
    [FINDING_UC_LOSS] = HOP,
    [FINDING_ICRC_BAD] = HOP,
    [FINDING_LOSS_AFTER_TAP] =
        "at which hop, and whether the packets or the answers to them were lost",
    [FINDING_ANSWER_LOST] = "at which hop, and whether the acknowledgements were lost or late",
    [FINDING_REORDERING_RESENDS] = "whether packets were lost besides, behind the capture point",
    [FINDING_PFC_STORM] = PORT,
    [FINDING_PFC_UNRELEASED] = PORT,
    [FINDING_PFC_PAUSE] = PORT,
    [FINDING_LINK_PAUSE] = PORT,
    [FINDING_MUTUAL_PAUSE] = "who else is part of the circle",
    [FINDING_CONGESTION_MARKS] = QUEUE,
    [FINDING_INCAST] = QUEUE,
    [FINDING_CM_ANSWER_LOST] = HOP,
    [FINDING_CM_UNANSWERED] = "whether the request or the answer was lost",
};

static const struct finding *worst_of(const struct findings *findings)
{
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);

        if (finding_is_root(f))
            return f;
    }
    return NULL;
}

/* Of all that is no trouble of the capture: some could be set up better */
static bool any_advice(const struct findings *findings)
{
    for (size_t i = 0; i < findings_count(findings); i++)
        if (finding_is_advice(findings_get(findings, i)))
            return true;
    return false;
}

static bool is_alike(const struct finding *f, const struct finding *worst)
{
    return f->id == worst->id && f->cause == FINDING_NO_CAUSE && f->connection != worst->connection;
}

/* Other connections that have the same trouble, as far as they were kept; a connection may have it
 * both ways */
static uint32_t alike(const struct findings *findings, const struct finding *worst)
{
    uint32_t n = 0;

    for (size_t i = 0; i < findings_count(findings); i++) {
        bool first = is_alike(findings_get(findings, i), worst);

        for (size_t k = 0; k < i && first; k++)
            first = !is_alike(findings_get(findings, k), worst) ||
                    findings_get(findings, k)->connection != findings_get(findings, i)->connection;
        n += first;
    }
    return n;
}

static uint64_t kept(const struct findings *findings, uint8_t id)
{
    uint64_t n = 0;

    for (size_t i = 0; i < findings_count(findings); i++)
        n += findings_get(findings, i)->id == id;
    return n;
}

static void append_place(GString *text, const struct findings *findings, const struct finding *f)
{
    uint32_t more = alike(findings, f);

    if (f->connection == 0 || f->of_victim)
        return;
    g_string_append_printf(text, " (connection %u", f->connection);
    if (more > 0)
        g_string_append_printf(text, "; %s%s alike",
                               findings_of(findings, (enum finding_id)f->id) > kept(findings, f->id)
                                   ? "at least "
                                   : "",
                               say_many(more, "other").text);
    g_string_append_c(text, ')');
}

/* Marks alone: ECN does what it is for, whoever sends too much */
static bool is_congestion(const struct finding *f)
{
    return f->id == FINDING_CONGESTION_MARKS || f->id == FINDING_INCAST;
}

static void append_time(GString *text, const struct finding *f, const struct capture *capture)
{
    static const char *const ends[] = {
        [FINDING_UNSAID] = "",
        [FINDING_RECOVERED] = "; it recovered",
        [FINDING_BROKEN] = "; still so at ",
        [FINDING_ENDED] = "; the connection ended by it",
    };

    if (f->sum_ns > 0 && f->sum_ns < f->to_ns - f->from_ns && capture->untimed == 0)
        g_string_append_printf(text, "; for %s%s in all, within %s from %s on",
                               f->at_most ? "at most " : "", say_ns(f->sum_ns).text,
                               say_ns(f->to_ns - f->from_ns).text,
                               say_since_start(capture, f->from_ns).text);
    else if (f->to_ns > f->from_ns && capture->untimed == 0)
        g_string_append_printf(text, "; for %s, from %s on", say_ns(f->to_ns - f->from_ns).text,
                               say_since_start(capture, f->from_ns).text);
    if (f->doubt == NULL)
        g_string_append(text, is_congestion(f) && f->end == FINDING_RECOVERED
                                  ? "; it ended before the capture did"
                                  : ends[f->end]);
    if (f->doubt == NULL && f->end == FINDING_BROKEN)
        g_string_append(text, capture_end(capture));
    if (f->to_ns <= f->from_ns && f->end == FINDING_UNSAID)
        g_string_append(text, "; for how long can't be told");
    g_string_append_c(text, '.');
}

static bool missed_packets(const struct findings *findings)
{
    return findings_of(findings, FINDING_CAPTURE_INCOMPLETE) > 0;
}

/* What can be said of a fault that the capture can't place */
static void append_doubt(GString *text, const struct findings *findings, const struct finding *f)
{
    g_string_append(text, "No fault can be named");
    append_place(text, findings, f);
    if (f->doubt != NULL)
        g_string_append_printf(text, ": %s", f->doubt);
    else
        g_string_append_printf(text, " for this: %s", finding_kinds[f->id].title);
}

bool findings_say_wrong(const struct findings *findings)
{
    return worst_of(findings) != NULL;
}

uint32_t findings_worst_connection(const struct findings *findings)
{
    const struct finding *f = worst_of(findings);

    return f == NULL || f->severity == SEVERITY_NOTE ? 0
           : f->connection != 0                      ? f->connection
                                                     : f->example;
}

char *findings_verdict(const struct findings *findings, const struct analysis_input *in)
{
    const struct finding *f = worst_of(findings);
    const char *question;
    GString *text;

    if (findings_of(findings, FINDING_FILES_OVERLAP) > 0)
        return g_strdup("No fault can be named: files of the same time were read one behind the "
                        "other, so that what was sent once looks sent again.");
    if (f == NULL && !any_advice(findings))
        return NULL;
    if (f == NULL || (f->severity == SEVERITY_NOTE && f->end != FINDING_BROKEN))
        return g_strdup("Nothing is broken that this capture shows; what follows is good to know.");
    text = g_string_new(f->who == NULL     ? ""
                        : is_congestion(f) ? "Congestion, no fault shown: "
                                           : "At fault, as far as this capture shows: ");
    if (f->who == NULL) {
        append_doubt(text, findings, f);
    } else {
        g_string_append(text, f->who);
        append_place(text, findings, f);
    }
    append_time(text, f, in->capture);
    question = f->doubt != NULL ? NULL : f->question != NULL ? f->question : questions[f->id];
    if (question != NULL)
        g_string_append_printf(text, " Not known: %s.", question);
    if (missed_packets(findings) && f->doubt == NULL)
        g_string_append(text, " The capture missed packets: some of this may be its own fault.");
    return g_string_free(text, FALSE);
}
