/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about what the receiver refused: no buffer, or an error that ends the connection
 * (IBTA vol. 1, 9.7.5.2). The refused requests are those of the sent direction.
 */
#include "analysis/findings/rules.h"

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
        {FLOW_NAK_RESERVED, FINDING_NAK_RESERVED},
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
        f.who = i == 2 ? g_strdup(sight_from(s).text)
                       : g_strdup_printf("the request of %s, or what %s had set up for it",
                                         sight_to(s).text, sight_from(s).text);
        f.why = g_strdup_printf("%s refused a request of %s and ended the connection.",
                                sight_from(s).text, sight_to(s).text);
        findings_add(out, &f);
    }
}

/* "21 RNR NAKs in 5 episodes, the first ... into the capture, the last ..." */
static char *refusals_text(const struct sight *s, const struct round_refusals *all)
{
    GString *text = g_string_new(NULL);
    int64_t begin = s->in->capture->first_time_ns;
    bool spans = all->last_ns > all->first_ns;

    g_string_printf(text, "%s had no buffer for %s: %s", sight_from(s).text, sight_to(s).text,
                    say_many(s->n->rnr_naks, "RNR NAK").text);
    if (all->episodes > 0)
        g_string_append_printf(
            text, " in %s, %s %s", say_many(all->episodes, "episode").text, spans ? "from" : "at",
            spans && all->first_ns >= begin ? say_span(s->in->capture, all->first_ns - begin).text
                                            : say_since_start(s->in->capture, all->first_ns).text);
    if (all->episodes > 0 && spans)
        g_string_append_printf(text, " to %s", say_since_start(s->in->capture, all->last_ns).text);
    g_string_append_printf(text, " (timer %s)", say_ns((int64_t)s->proof->rnr_timer_max_ns).text);
    if (all->longest_ns > 0)
        g_string_append_printf(text, "; longest wait %s",
                               say_span(s->in->capture, all->longest_ns).text);
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}

static void rnr_stall(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (s->n->rnr_naks == 0)
        return;
    f = sight_finding(s, FINDING_RNR_STALL, sight_frames(s, EVIDENCE_RNR_NAK));
    f.value = report_count(s->n->rnr_naks);
    f.limit = report_count(0);
    f.weight = s->n->rnr_naks;
    f.subject = s->stream_back;
    sight_span(s, s->rounds_back, SPAN_RNR, &f);
    f.who = g_strdup_printf("%s, which had no receive buffer", sight_from(s).text);
    f.brief = g_strdup(say_many(s->n->rnr_naks, "RNR NAK").text);
    f.why = refusals_text(s, &s->rounds_back->refusals);
    findings_add(out, &f);
}

static void rnr_timer(const struct sight *s, struct findings *out)
{
    bool mixed = s->proof->rnr_timer_min_ns < RNR_LONGEST_NS;
    struct finding f;

    if (s->proof->rnr_timer_max_ns < RNR_LONGEST_NS)
        return;
    f = sight_finding(s, FINDING_RNR_TIMER_LONGEST, sight_frames(s, EVIDENCE_RNR_LONGEST));
    f.value = report_count(s->proof->rnr_timer_max_ns);
    f.limit = report_count(RNR_LONGEST_NS - 1);
    f.weight = s->n->rnr_naks;
    f.subject = s->stream_back;
    sight_span(s, s->rounds_back, SPAN_RNR, &f);
    f.who = g_strdup_printf("%s, which asks for so long a wait", sight_from(s).text);
    f.brief = g_strdup("an RNR timer of 655.36 ms");
    f.why =
        g_strdup_printf("%s of the refusals by %s %s %s to wait for 655.36 ms (timer code 0)%s.",
                        mixed ? "Some" : "Each", sight_from(s).text, mixed ? "ask" : "asks",
                        sight_to(s).text, mixed ? ", others for less" : "");
    findings_add(out, &f);
}

const struct direction_rule refusal_rules[] = {
    {.raise = remote_error},
    {rnr_stall, WITH(rnr_naks)},
    {rnr_timer, WITH(rnr_naks)},
    {0},
};
