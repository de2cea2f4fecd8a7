/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about packets that did not arrive, arrived late, damaged or twice.
 */
#include "analysis/findings/rules.h"

enum {
    COPIES_LIMIT = 3, /* of one connection: fewer are no pattern */
};

static bool is_reliable(const struct sight *s)
{
    return s->c->transport == RDC_TRANSPORT_IWARP || s->c->service == RDC_SERVICE_RC ||
           s->c->service == RDC_SERVICE_XRC;
}

static bool capture_missed_some(const struct sight *s)
{
    return s->n->not_captured + s->n->acked_unseen > 0 || s->in->capture->drops > 0;
}

/* What is not here may be lost, or only missed: nothing tells */
static char *missed_text(const struct sight *s, uint64_t n)
{
    return g_strdup_printf("the capture misses packets that %s, so %s may be missing from it, too",
                           s->n->not_captured + s->n->acked_unseen > 0 ? "were acknowledged"
                                                                       : "it dropped itself",
                           n == 1 ? "this one" : "these");
}

/* Some may be missing at the end although others recovered */
static void set_loss_span(const struct sight *s, struct finding *f)
{
    sight_span(s, s->rounds, SPAN_ALL, f);
    if (f->to_ns <= f->from_ns) /* of lost READ responses the requester's rounds tell */
        sight_span(s, s->rounds_back, SPAN_READ, f);
    if (s->n->holes_open > 0 && f->end != FINDING_UNSAID)
        f->end = FINDING_BROKEN;
}

/* Most resends of TCP are of no round. Where some proved needless, it is not known which. */
static void set_tcp_span(const struct sight *s, const struct evidence_resends *resends,
                         uint64_t lost, struct finding *f)
{
    if (resends->count == lost) {
        f->from_ns = resends->from_ns;
        f->to_ns = resends->to_ns;
    }
    if (s->back->counters != NULL)
        f->end = s->sent->iwarp->resends_wait || s->n->holes_open > 0 ? FINDING_UNSAID
                                                                      : FINDING_RECOVERED;
}

/* Resends whose original is not here; the gap frames where nothing filled the hole */
static void tell_loss_before_tap(const struct sight *s, struct finding *f)
{
    if (capture_missed_some(s))
        f->doubt = missed_text(s, s->n->lost_before_tap);
    else
        f->who = g_strdup_printf("the way from %s to the capture point", sight_from(s).text);
    f->why = g_strdup_printf("%s from %s never came here (%s of what it sent)%s%s.",
                             say_many(s->n->lost_before_tap, "packet").text, sight_from(s).text,
                             say_pct(share_pct(s->n->lost_before_tap, s->n->packets)).text,
                             f->doubt != NULL ? "; " : "", f->doubt != NULL ? f->doubt : "");
    f->brief = g_strdup_printf("%s lost before the capture point%s",
                               say_many(s->n->lost_before_tap, "packet").text,
                               f->doubt != NULL ? ", or missed by the capture" : "");
}

static void loss_before_tap(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (!is_reliable(s) || s->v.psn != NULL || s->n->lost_before_tap <= s->n->holes_open)
        return; /* what is still missing has a finding of its own */
    f = sight_finding(s, FINDING_LOSS_BEFORE_TAP, sight_frames(s, EVIDENCE_RESENT_UNSEEN));
    f.value = report_count(s->n->lost_before_tap);
    f.limit = report_count(0);
    f.weight = s->n->lost_before_tap;
    if (s->sent->iwarp != NULL)
        set_tcp_span(s, &s->proof->filling, s->n->lost_before_tap, &f);
    else
        set_loss_span(s, &f);
    f.tell = tell_loss_before_tap;
    findings_add(out, &f);
}

/* What the responder to atomics sent; lost_before_tap leaves it out */
static void atomic_answer_lost(const struct sight *s, struct findings *out)
{
    uint64_t lost = evidence_count(s->in->evidence, s->sent->stream, EVIDENCE_ATOMIC_AGAIN);
    struct finding f;

    if (!is_reliable(s) || s->v.psn != NULL || lost == 0)
        return;
    f = sight_finding(s, FINDING_ATOMIC_ANSWER_LOST, sight_frames(s, EVIDENCE_ATOMIC_AGAIN));
    f.target = s->stream_back;
    f.value = report_count(lost);
    f.limit = report_count(0);
    f.weight = lost;
    sight_span(s, s->rounds_back, SPAN_READ, &f);
    if (capture_missed_some(s))
        f.doubt = missed_text(s, lost);
    else
        f.who = g_strdup_printf("the way from %s to the capture point", sight_from(s).text);
    f.why = g_strdup_printf("%s from %s to atomics never came here before %s went out again%s%s.",
                            say_many(lost, "answer").text, sight_from(s).text,
                            lost == 1 ? "its atomic" : "their atomics", f.doubt != NULL ? "; " : "",
                            f.doubt != NULL ? f.doubt : "");
    f.brief = g_strdup_printf("%s to atomics lost before the capture point%s",
                              say_many(lost, "answer").text,
                              f.doubt != NULL ? ", or missed by the capture" : "");
    findings_add(out, &f);
}

/* Where requests went out again, or the READs whose responses got lost; most resends of TCP are of
 * no round */
static const struct first_frames *frames_of_losses(const struct sight *s)
{
    return s->c->transport == RDC_TRANSPORT_IWARP      ? sight_frames(s, EVIDENCE_RESENT)
           : s->rounds->request_frames.count > 0       ? &s->rounds->request_frames
           : s->rounds_back->response_frames.count > 0 ? &s->rounds_back->response_frames
                                                       : sight_frames(s, EVIDENCE_RESENT);
}

/* All that tells is silence behind packets that want no answer */
static bool is_only_silence(const struct sight *s)
{
    return s->rounds->requests > 0 && s->rounds->requests_short == s->rounds->requests &&
           s->rounds_back->response_frames.count == 0;
}

/* A NAK says that the packet is missing; a timeout does not tell it from the answer to it. Of READ
 * responses the ones that passed here are missing. TCP has no NAKs. */
static const char *open_question(const struct sight *s)
{
    uint64_t told = s->rounds->requests_missed;
    uint64_t untold = s->rounds->requests - told;
    uint64_t silent = MIN(untold, (uint64_t)s->rounds->outages.seen);

    if (s->c->transport == RDC_TRANSPORT_IWARP || told + s->rounds_back->response_frames.count == 0)
        return NULL;
    if (untold > silent)
        return "at which hop, and, of what went out again by timeout, whether the packets or the "
               "answers to them were lost";
    return s->n->out_of_order > 0 ? "at which hop, and which of them were merely late"
                                  : "at which hop";
}

static void name_after_tap(const struct sight *s, struct finding *f)
{
    f->question = open_question(s);
    if (is_only_silence(s))
        f->doubt =
            g_strdup("what came before the silence asks for no acknowledgement, so that what "
                     "followed it may have been lost before the capture point");
    else
        f->who = g_strdup_printf("the way from the capture point to %s, or %s itself",
                                 sight_to(s).text, sight_to(s).text);
}

static void tell_loss_after_tap(const struct sight *s, struct finding *f)
{
    name_after_tap(s, f);
    f->why = g_strdup_printf(
        "About %s from %s passed here and did not get through to %s (estimate%s%s%s).",
        say_many(f->weight, "packet").text, sight_from(s).text, sight_to(s).text,
        s->n->out_of_order > 0 ? "; with reordering, some may only have been late" : "",
        f->doubt != NULL ? "; " : "", f->doubt != NULL ? f->doubt : "");
    f->brief = g_strdup_printf("about %s taken for lost behind the capture point",
                               say_many(f->weight, "packet").text);
}

static void loss_after_tap(const struct sight *s, struct findings *out)
{
    uint64_t lost = sight_lost_after(s);
    struct finding f;

    if (!is_reliable(s) || lost == 0)
        return;
    f = sight_finding(s, FINDING_LOSS_AFTER_TAP, frames_of_losses(s));
    f.value = report_count(lost);
    f.limit = report_count(0);
    f.weight = lost;
    if (s->n->out_of_order > 0)
        f.severity = SEVERITY_NOTE;
    if (s->sent->iwarp != NULL)
        set_tcp_span(s, &s->proof->repeating, lost, &f);
    else
        set_loss_span(s, &f);
    f.tell = tell_loss_after_tap;
    findings_add(out, &f);
}

/* A requester went back to what had been acknowledged: what it missed went the other way. */
static void answer_lost(const struct sight *s, struct findings *out)
{
    uint64_t lost = s->rounds->answers;
    struct finding f;

    if (s->v.answers != NULL || lost == 0)
        return;
    f = sight_finding(s, FINDING_ANSWER_LOST, &s->rounds->answer_frames);
    f.target = subject_host(s->a_to_b ? s->c->a.address_kind : s->c->b.address_kind,
                            s->a_to_b ? s->c->a.address : s->c->b.address);
    f.value = report_count(lost);
    f.limit = report_count(0);
    f.weight = lost;
    sight_span(s, s->rounds, SPAN_ALL, &f);
    f.who = g_strdup_printf("the way from the capture point to %s, or %s itself",
                            sight_from(s).text, sight_from(s).text);
    f.why = g_strdup_printf("%s went back %s to what %s had acknowledged here: the acknowledgement "
                            "did not get through to it, or came too late.",
                            sight_from(s).text, say_how_often(lost).text, sight_to(s).text);
    f.brief =
        g_strdup_printf("%s lost behind the capture point", say_many(lost, "acknowledgement").text);
    findings_add(out, &f);
}

/* Of messages that are missing whole, nobody knows how many there are. */
static void uc_loss(const struct sight *s, struct findings *out)
{
    uint64_t broken = MAX(s->n->dropped_messages, 1);
    struct finding f;

    if (s->c->service != RDC_SERVICE_UC || s->v.psn != NULL || s->n->lost_before_tap == 0)
        return;
    f = sight_finding(s, FINDING_UC_LOSS, sight_frames(s, EVIDENCE_GAP));
    f.value = report_count(broken);
    f.limit = report_count(0);
    f.weight = broken;
    f.why = g_strdup_printf("%s from %s never came here; at least %s can't be whole.",
                            say_many(s->n->lost_before_tap, "packet").text, sight_from(s).text,
                            say_many(broken, "message").text);
    if (capture_missed_some(s))
        f.doubt = missed_text(s, s->n->lost_before_tap);
    else if (!s->in->capture->drops_known)
        f.doubt = g_strdup("nobody acknowledges packets of this service, and the capture counts no "
                           "drops: nothing tells a loss from a packet that it missed");
    else
        f.who = g_strdup_printf("the way from %s to the capture point", sight_from(s).text);
    findings_add(out, &f);
}

static void holes_open(const struct sight *s, struct findings *out)
{
    const char *end = capture_end(s->in->capture);
    struct finding f;

    if (!is_reliable(s) || s->v.psn != NULL || s->n->holes_open == 0)
        return;
    f = sight_finding(s, FINDING_HOLES_OPEN, sight_frames(s, EVIDENCE_LOST));
    f.value = report_count(s->n->holes_open);
    f.limit = report_count(0);
    f.weight = s->n->holes_open;
    f.end = FINDING_BROKEN;
    f.doubt =
        capture_missed_some(s)
            ? missed_text(s, s->n->holes_open)
            : g_strdup_printf("no resend or acknowledgement tells a loss from a packet that the "
                              "capture missed before %s",
                              end);
    f.why = g_strdup_printf("%s from %s %s not here, nor sent again before %s: lost, or missed by "
                            "the capture.",
                            say_many(s->n->holes_open, "packet").text, sight_from(s).text,
                            s->n->holes_open == 1 ? "is" : "are", end);
    f.brief = g_strdup_printf("%s missing at the end", say_many(s->n->holes_open, "packet").text);
    findings_add(out, &f);
}

static void reordering(const struct sight *s, struct findings *out)
{
    bool resends = s->n->retransmitted_packets > 0;
    bool and_time = s->proof->late_ns_max != 0 || s->in->capture->untimed > 0;
    struct finding f;
    char *by;

    if (s->v.psn != NULL || s->n->out_of_order == 0)
        return;
    f = sight_finding(s, resends ? FINDING_REORDERING_RESENDS : FINDING_REORDERING,
                      sight_frames(s, EVIDENCE_LATE));
    if (resends && s->n->out_of_order < s->n->lost_before_tap)
        f.severity = SEVERITY_NOTE; /* the losses are the reason */
    f.value = report_count(s->n->out_of_order);
    f.limit = report_count(0);
    f.weight = s->n->out_of_order;
    by = s->proof->late_packets_max == 0
             ? g_strdup(" behind the resend") /* what showed it missing is forgotten */
             : g_strdup_printf(
                   ", by up to %s%s%s", say_many(s->proof->late_packets_max, "packet").text,
                   and_time ? " and " : "",
                   and_time ? say_span(s->in->capture, s->proof->late_ns_max).text : "");
    f.why = g_strdup_printf("%s from %s came late%s%s.",
                            say_many(s->n->out_of_order, "packet").text, sight_from(s).text, by,
                            resends ? "; others were sent again" : "; none was sent again");
    g_free(by);
    f.brief = g_strdup_printf("%s that came late", say_many(s->n->out_of_order, "packet").text);
    if (resends) {
        sight_span(s, s->rounds, SPAN_ALL, &f);
        f.who =
            g_strdup_printf("the way from %s to the capture point, which reorders, or %s, which "
                            "takes late packets for lost",
                            sight_from(s).text, sight_to(s).text);
    }
    findings_add(out, &f);
}

static void copies(const struct sight *s, struct findings *out)
{
    struct flow_summary summary;
    struct finding f;

    flow_summary_get(s->in->engine, &summary);
    if (summary.captured_twice || s->v.psn != NULL || s->n->duplicates < COPIES_LIMIT)
        return;
    f = sight_finding(s, FINDING_NETWORK_COPIES, sight_frames(s, EVIDENCE_DUPLICATE));
    f.value = report_count(s->n->duplicates);
    f.limit = report_count(COPIES_LIMIT - 1);
    f.weight = s->n->duplicates;
    f.why = g_strdup_printf("%s from %s are exact copies of packets just before them.",
                            say_many(s->n->duplicates, "packet").text, sight_from(s).text);
    findings_add(out, &f);
}

/* iWARP has none: an FPDU with a wrong CRC is a finding of its own. */
static void icrc_bad(const struct sight *s, struct findings *out)
{
    struct flow_summary summary;
    struct finding f;

    flow_summary_get(s->in->engine, &summary);
    if (s->c->transport == RDC_TRANSPORT_IWARP || summary.icrc_unjudged > 0 || s->v.icrc != NULL ||
        s->n->icrc_bad == 0)
        return;
    f = sight_finding(s, FINDING_ICRC_BAD, sight_frames(s, EVIDENCE_ICRC_BAD));
    f.value = report_count(s->n->icrc_bad);
    f.limit = report_count(0);
    f.weight = s->n->icrc_bad;
    set_loss_span(s, &f);
    f.who =
        g_strdup_printf("a switch or adapter between %s and the capture point", sight_from(s).text);
    f.why = g_strdup_printf("%s from %s came damaged: %s ICRC is wrong.",
                            say_many(s->n->icrc_bad, "packet").text, sight_from(s).text,
                            say_verb(s->n->icrc_bad, "its", "their"));
    findings_add(out, &f);
}

const struct direction_rule loss_rules[] = {
    {loss_before_tap, WITH(lost_before_tap)},
    {.raise = atomic_answer_lost},
    {loss_after_tap, WITH(lost_after_tap)},
    {.raise = answer_lost},
    {uc_loss, WITH(lost_before_tap)},
    {holes_open, WITH(holes_open)},
    {reordering, WITH(out_of_order)},
    {copies, WITH(duplicates)},
    {0},
};

const struct direction_rule damage_rules[] = {
    {icrc_bad, WITH(icrc_bad)},
    {0},
};
