/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about what losses cost the requester: timeouts, giving up, repeating what had arrived.
 */
#include "analysis/findings_rules.h"
#include "analysis/timeouts.h"

enum {
    TRIES_LIMIT = 3,
    AMPLIFICATION_LIMIT = 8,
    AMPLIFICATION_PACKETS = 32, /* fewer resends are not worth a word */
    SHARE_LIMIT_PCT = 1,
    SHARE_PACKETS = 10,
    SPURIOUS_LIMIT = 3,
};

static void gave_up(const struct sight *s, struct findings *out)
{
    const struct evidence_retries *r = &s->proof->retries;
    struct evidence_frames frames = {0};
    struct finding f;

    if (r->frame == 0)
        return;
    for (uint32_t i = 0; i < s->proof->round_count; i++)
        if (s->proof->rounds[i].psn == r->psn && frames.count < EVIDENCE_FRAMES - 1)
            frames.frames[frames.count++] = s->proof->rounds[i].first_frame;
    if (frames.count == 0 || frames.frames[frames.count - 1] != r->frame)
        frames.frames[frames.count++] = r->frame;
    f = sight_finding(s, r->rnr ? FINDING_RNR_RETRY_EXHAUSTED : FINDING_RETRY_EXHAUSTED, &frames);
    f.value = report_count(r->tries);
    f.limit = report_count(TRIES_LIMIT - 1);
    f.weight = r->tries;
    f.why = r->rnr ? g_strdup_printf("%s sent PSN %u %u times; %s had no buffer each time, then %s "
                                     "fell silent.",
                                     s->from, r->psn, r->tries, s->to, s->from)
                   : g_strdup_printf("%s sent PSN %u %u times without an answer from %s, then fell "
                                     "silent.",
                                     s->from, r->psn, r->tries, s->to);
    findings_add(out, &f);
}

static struct evidence_frames timeout_frames(const struct evidence_stream *proof)
{
    struct evidence_frames f = {0};

    for (uint32_t i = 0; i < proof->round_count && f.count < EVIDENCE_FRAMES; i++)
        if (proof->rounds[i].trigger == FLOW_TRIGGER_TIMEOUT)
            f.frames[f.count++] = proof->rounds[i].first_frame;
    return f;
}

static char *timeout_text(const struct sight *s, const struct timeouts *t, bool unanswered)
{
    uint64_t count = s->n->rounds[FLOW_TRIGGER_TIMEOUT];
    GString *why = g_string_new(NULL);

    g_string_printf(why, "%s waited for its timeout %s", s->from,
                    count == 1 ? "once" : say_many(count, "time").text);
    if (t->longest_ns > 0)
        g_string_append_printf(why, "; it stood still for up to %s", say_ns(t->longest_ns).text);
    if (t->exponent_low >= 0 && t->exponent_low < t->exponent_high)
        g_string_append_printf(why, " (timeout exponent %d to %d)", t->exponent_low,
                               t->exponent_high);
    else if (t->exponent_low >= 0)
        g_string_append_printf(why, " (timeout exponent %d)", t->exponent_low);
    g_string_append(why, t->grow ? "; each wait is longer than the one before" : "");
    if (unanswered)
        g_string_append_printf(why, "; the last %u, at one PSN, were never answered",
                               t->unanswered);
    g_string_append_c(why, '.');
    return g_string_free(why, FALSE);
}

static void timeout_recovery(const struct sight *s, struct findings *out)
{
    struct timeouts t = timeouts_of(s->proof->rounds, s->proof->round_count);
    struct evidence_frames frames = timeout_frames(s->proof);
    bool unanswered = t.unanswered >= TRIES_LIMIT && s->proof->retries.frame == 0;
    struct finding f;

    if (s->v.psn != NULL || s->n->rounds[FLOW_TRIGGER_TIMEOUT] == 0)
        return;
    f = sight_finding(s, FINDING_TIMEOUT_RECOVERY, &frames);
    if (unanswered) /* it has not given up yet, but nothing gets through */
        f.severity = SEVERITY_ERROR;
    f.value = report_count(s->n->rounds[FLOW_TRIGGER_TIMEOUT]);
    f.limit = report_count(0);
    f.weight = (uint64_t)t.longest_ns;
    f.why = timeout_text(s, &t, unanswered);
    findings_add(out, &f);
}

static void amplification(const struct sight *s, struct findings *out)
{
    uint64_t lost = s->n->lost_before_tap + (s->v.after == NULL ? s->n->lost_after_tap : 0);
    struct finding f;
    double ratio;

    if (s->v.psn != NULL || lost == 0 || s->n->out_of_order >= lost ||
        s->n->retransmitted_packets < AMPLIFICATION_PACKETS)
        return;
    ratio = (double)s->n->retransmitted_packets / (double)lost;
    if (ratio < AMPLIFICATION_LIMIT)
        return;
    f = sight_finding(s, FINDING_AMPLIFICATION, sight_frames(s, EVIDENCE_RESENT));
    f.value = report_real(ratio);
    f.limit = report_real(AMPLIFICATION_LIMIT);
    f.weight = s->n->retransmitted_packets;
    f.why = g_strdup_printf("%s sent %s again for %s lost: %s for each.", s->from,
                            say_many(s->n->retransmitted_packets, "packet").text,
                            say_count(lost).text, say_real(ratio).text);
    findings_add(out, &f);
}

static void retransmission_share(const struct sight *s, struct findings *out)
{
    double share = share_pct(s->n->retransmitted_packets, s->n->data_packets);
    struct finding f;

    if (s->v.psn != NULL || s->n->retransmitted_packets < SHARE_PACKETS || share < SHARE_LIMIT_PCT)
        return;
    f = sight_finding(s, FINDING_RETRANSMISSION_SHARE, sight_frames(s, EVIDENCE_RESENT));
    f.value = report_pct(share);
    f.limit = report_pct(SHARE_LIMIT_PCT);
    f.weight = s->n->retransmitted_packets;
    f.why = g_strdup_printf("%s of the data packets from %s (%s) are repeats.", say_pct(share).text,
                            s->from, say_count(s->n->retransmitted_packets).text);
    findings_add(out, &f);
}

static void spurious(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (s->v.answers != NULL || s->n->spurious < SPURIOUS_LIMIT)
        return;
    f = sight_finding(s, FINDING_SPURIOUS, sight_frames(s, EVIDENCE_SPURIOUS));
    f.value = report_count(s->n->spurious);
    f.limit = report_count(SPURIOUS_LIMIT - 1);
    f.weight = s->n->spurious;
    f.why = g_strdup_printf("%s from %s had been acknowledged before they were sent again.",
                            say_many(s->n->spurious, "packet").text, s->from);
    findings_add(out, &f);
}

direction_rule *const recovery_rules[] = {
    gave_up, timeout_recovery, amplification, retransmission_share, spurious, NULL,
};
