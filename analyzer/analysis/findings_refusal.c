/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about what the receiver refused: no buffer, or an error that ends the connection
 * (IBTA vol. 1, 9.7.5.2). The refused requests are those of the sent direction.
 */
#include "analysis/findings_rules.h"

#define RNR_LONGEST_NS 655360000 /* IBTA vol. 1, table 45: code 0 */

static void remote_error(const struct sight *s, struct findings *out)
{
    static const struct {
        uint8_t code;
        uint8_t id;
    } errors[] = {
        {RDC_NAK_INVALID_REQUEST, FINDING_REMOTE_INVALID_REQUEST},
        {RDC_NAK_REMOTE_ACCESS, FINDING_REMOTE_ACCESS_ERROR},
        {RDC_NAK_REMOTE_OPERATIONAL, FINDING_REMOTE_OPERATIONAL_ERROR},
        {RDC_NAK_INVALID_RD_REQUEST, FINDING_REMOTE_INVALID_RD},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
        uint64_t n = s->n->naks[errors[i].code];
        struct finding f;

        if (n == 0)
            continue;
        f = sight_finding(s, (enum finding_id)errors[i].id,
                          sight_frames(s, EVIDENCE_NAK + (unsigned)errors[i].code));
        f.value = report_count(n);
        f.limit = report_count(0);
        f.weight = n;
        f.end = FINDING_ENDED;
        f.who = i == 2 ? g_strdup(s->from)
                       : g_strdup_printf("the request of %s, or what %s had set up for it", s->to,
                                         s->from);
        f.why =
            g_strdup_printf("%s refused a request of %s and ended the connection.", s->from, s->to);
        findings_add(out, &f);
    }
}

/* What the waiting cost the requester */
static int64_t longest_rnr_stall(const struct evidence_stream *requester, uint64_t *rounds)
{
    int64_t longest = 0;

    for (uint32_t i = 0; i < requester->round_count; i++) {
        const struct flow_round *r = &requester->rounds[i];

        if (r->trigger != FLOW_TRIGGER_RNR)
            continue;
        (*rounds)++;
        longest = MAX(longest, r->resend_delay_ns);
    }
    return longest;
}

static void rnr_stall(const struct sight *s, struct findings *out)
{
    uint64_t rounds = 0;
    int64_t stall = longest_rnr_stall(s->proof_back, &rounds);
    struct finding f;

    if (s->n->rnr_naks == 0)
        return;
    f = sight_finding(s, FINDING_RNR_STALL, sight_frames(s, EVIDENCE_RNR_NAK));
    f.value = report_count(s->n->rnr_naks);
    f.limit = report_count(0);
    f.weight = s->n->rnr_naks;
    f.subject = s->stream_back;
    sight_span(s, s->proof_back, FLOW_TRIGGER_RNR, &f);
    f.who = g_strdup_printf("%s, which had no receive buffer", s->from);
    f.brief = g_strdup_printf("%s refused", say_many(s->n->rnr_naks, "packet").text);
    f.why = stall > 0 ? g_strdup_printf(
                            "%s refused %s of %s for want of a buffer (timer %s); longest wait %s.",
                            s->from, say_many(s->n->rnr_naks, "packet").text, s->to,
                            say_ns((int64_t)s->proof->rnr_timer_max_ns).text, say_ns(stall).text)
                      : g_strdup_printf("%s refused %s of %s for want of a buffer (timer %s).",
                                        s->from, say_many(s->n->rnr_naks, "packet").text, s->to,
                                        say_ns((int64_t)s->proof->rnr_timer_max_ns).text);
    findings_add(out, &f);
}

static void rnr_timer(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (s->proof->rnr_timer_max_ns < RNR_LONGEST_NS)
        return;
    f = sight_finding(s, FINDING_RNR_TIMER_LONGEST, sight_frames(s, EVIDENCE_RNR_NAK));
    f.value = report_count(s->proof->rnr_timer_max_ns);
    f.limit = report_count(RNR_LONGEST_NS - 1);
    f.weight = s->n->rnr_naks;
    f.subject = s->stream_back;
    sight_span(s, s->proof_back, FLOW_TRIGGER_RNR, &f);
    f.who = g_strdup_printf("%s, which asks for so long a wait", s->from);
    f.brief = g_strdup("an RNR timer of 655.36 ms");
    f.why = g_strdup_printf("Each of the refusals by %s stops %s for 655.36 ms (timer code 0).",
                            s->from, s->to);
    findings_add(out, &f);
}

direction_rule *const refusal_rules[] = {remote_error, rnr_stall, rnr_timer, NULL};
