/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about what losses cost the requester: timeouts, giving up, repeating what had arrived.
 */
#include <string.h>

#include "analysis/findings/rules.h"

enum {
    TRIES_LIMIT = 3,
    AMPLIFICATION_LIMIT = 8,
    AMPLIFICATION_PACKETS = 32, /* fewer resends are not worth a word */
    SHARE_LIMIT_PCT = 1,
    SHARE_PACKETS = 10,
    SPURIOUS_LIMIT = 3,
    RTT_PATIENCE = 8,
    RESEND_PATIENCE = 16,
    TIMEOUT_PATIENCE = 16, /* the timer may fire at four times its value */
    OTHERS_LIMIT = 1024, /* connections; a capture may hold many, and each may have fallen silent */
};

#define PATIENCE_NS INT64_C(1000000000)
#define NAK_PATIENCE_NS INT64_C(100000000)

/* Times at which the PSN went out again */
static struct first_frames tries_frames(const struct round_tries *tries)
{
    struct first_frames frames = {.count = MIN(tries->rounds, TRIES_SHOWN)};

    memcpy(frames.frames, tries->frames, frames.count * sizeof(tries->frames[0]));
    return frames;
}

/* Without an outage it is not known since when: time runs back, or its rounds were not kept */
static bool knows_since(const struct sight *s)
{
    return s->rounds->outages.worst.tries > 0;
}

static void set_silent(const struct sight *s, struct finding *f)
{
    if (knows_since(s)) {
        f->from_ns = s->rounds->outages.worst.from_ns;
        f->to_ns = s->in->capture->last_time_ns;
    }
    f->end = FINDING_BROKEN;
    f->who =
        g_strdup_printf("%s, or the way between %s and it", sight_to(s).text, sight_from(s).text);
}

/* What a try repeats */
static struct say tried(const struct sight *s, uint32_t psn)
{
    struct say say;

    g_snprintf(say.text, sizeof(say.text),
               s->c->transport == RDC_TRANSPORT_IWARP ? "one segment (TCP sequence number %u)"
                                                      : "one packet (PSN %u)",
               psn);
    return say;
}

/* What each try at a PSN repeats: go-back-N sends all that follows, too */
static char *window_text(const struct sight *s, const struct round_tries *tries)
{
    return tries->most > 1
               ? g_strdup_printf(" Each try sends the window from %s on again, %s%s.",
                                 s->c->transport == RDC_TRANSPORT_IWARP ? "there" : "that PSN",
                                 tries->least < tries->most ? "up to " : "",
                                 say_many(tries->most, "packet").text)
               : g_strdup("");
}

static bool same_host(const struct flow_endpoint *a, const struct flow_endpoint *b)
{
    return a->address_kind == b->address_kind &&
           memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

/* When another connection of the same two hosts last brought a packet of the silent one: `id` of
 * the latest; 0: there is none among the first OTHERS_LIMIT. */
static uint32_t alive_until(const struct sight *s, int64_t *last_ns)
{
    const struct flow_endpoint *from = s->a_to_b ? &s->c->a : &s->c->b;
    const struct flow_endpoint *to = s->a_to_b ? &s->c->b : &s->c->a;
    size_t count = MIN(flow_connection_count(s->in->engine), (size_t)OTHERS_LIMIT);
    struct flow_connection c;
    uint32_t id = 0;

    for (size_t i = 0; i < count; i++) {
        const struct flow_direction *d;

        flow_connection_get(s->in->engine, i, &c);
        d = same_host(&c.a, to) && same_host(&c.b, from)   ? &c.a_to_b
            : same_host(&c.b, to) && same_host(&c.a, from) ? &c.b_to_a
                                                           : NULL;
        if (c.id == s->c->id || d == NULL || d->counters == NULL || d->counters->packets == 0 ||
            (id != 0 && d->last_ns <= *last_ns))
            continue;
        id = c.id;
        *last_ns = d->last_ns;
    }
    return id;
}

/* Was the peer alive meanwhile, as another connection shows? */
static char *neighbour_text(const struct sight *s)
{
    int64_t began = s->rounds->outages.worst.from_ns, last = 0;
    uint32_t id = knows_since(s) ? alive_until(s, &last) : 0;

    if (id == 0)
        return g_strdup("");
    return g_strdup_printf(
        " On connection %u, between the same hosts, the last packet from %s "
        "came %s %s this began.",
        id, sight_to(s).text,
        say_span(s->in->capture, last > began ? last - began : began - last).text,
        last > began ? "after" : "before");
}

/* Takes `why` over */
static char *with_details(const struct sight *s, const struct round_tries *tries, char *why)
{
    char *window = window_text(s, tries), *neighbour = neighbour_text(s);
    char *text = g_strconcat(why, window, neighbour, NULL);

    g_free(why);
    g_free(window);
    g_free(neighbour);
    return text;
}

/* It heard nothing of the answers that came past here. */
static void say_unheard(const struct sight *s, const struct evidence_retries *r, struct finding *f)
{
    sight_span(s, s->rounds, SPAN_TIMEOUT, f);
    f->end = FINDING_BROKEN;
    f->who = g_strdup_printf("the way from the capture point to %s, or %s itself",
                             sight_from(s).text, sight_from(s).text);
    f->why = g_strdup_printf("%s sent one packet (PSN %u) %u times, then gave up. %s answered it "
                             "here, at least %s; these answers did not get through.",
                             sight_from(s).text, r->psn, r->tries, sight_to(s).text,
                             say_how_often(r->rounds->answered).text);
}

static void say_silent(const struct sight *s, const struct evidence_retries *r, uint32_t tries,
                       struct finding *f)
{
    bool answers_here = s->back->counters != NULL;

    set_silent(s, f);
    if (!answers_here)
        f->end = FINDING_UNSAID;
    f->why = g_strdup_printf("%s sent one packet (PSN %u) %u times without an answer from %s, "
                             "then gave up. %s%s.",
                             sight_from(s).text, r->psn, tries, sight_to(s).text,
                             answers_here ? "Still broken at "
                                          : "But what it answers is not on this capture",
                             answers_here ? capture_end(s->in->capture) : "");
    f->why = with_details(s, r->rounds, f->why);
}

static void say_refused(const struct sight *s, const struct evidence_retries *r, struct finding *f)
{
    sight_span(s, s->rounds, SPAN_RNR, f);
    f->end = FINDING_ENDED;
    f->who = g_strdup_printf("%s, which had no receive buffer", sight_to(s).text);
    f->why = g_strdup_printf(
        "%s sent one packet (PSN %u) %u times; %s had no buffer each time, then %s fell "
        "silent.",
        sight_from(s).text, r->psn, r->tries, sight_to(s).text, sight_from(s).text);
}

static void gave_up(const struct sight *s, struct findings *out)
{
    const struct evidence_retries *r = &s->proof->retries;
    struct first_frames frames;
    struct finding f;
    uint32_t tries;

    if (r->frame == 0)
        return;
    tries = r->rnr || r->rounds->answered == 0 ? r->tries : r->rounds->rounds;
    frames = tries_frames(r->rounds);
    if (frames.count == 0 || frames.frames[frames.count - 1] != r->frame)
        frames.frames[frames.count++] = r->frame;
    f = sight_finding(s, r->rnr ? FINDING_RNR_RETRY_EXHAUSTED : FINDING_RETRY_EXHAUSTED, &frames);
    if (r->rnr)
        say_refused(s, r, &f);
    else if (tries < TRIES_LIMIT)
        say_unheard(s, r, &f);
    else
        say_silent(s, r, tries, &f);
    f.value = report_count(tries < TRIES_LIMIT ? r->tries : tries);
    f.limit = report_count(TRIES_LIMIT - 1);
    f.weight = r->tries;
    findings_add(out, &f);
}

/* It has not given up, or it recovered. */
static void no_answer(const struct sight *s, struct findings *out)
{
    const struct outage *o = &s->rounds->outages.worst;
    struct first_frames frames = tries_frames(&s->rounds->worst);
    struct finding f;

    if (s->v.answers != NULL || s->v.psn != NULL || o->tries == 0 || s->proof->retries.frame != 0)
        return;
    f = sight_finding(s, FINDING_NO_ANSWER, &frames);
    f.value = report_count(o->tries);
    f.limit = report_count(TRIES_LIMIT - 1);
    f.weight = (uint64_t)(o->to_ns - o->from_ns);
    set_silent(s, &f);
    if (o->ended) {
        f.severity = SEVERITY_WARNING;
        f.end = FINDING_RECOVERED;
        f.to_ns = o->to_ns;
    }
    f.why =
        o->ended
            ? g_strdup_printf("%s sent %s %u times before %s answered. It recovered.",
                              sight_from(s).text, tried(s, o->psn).text, o->tries, sight_to(s).text)
            : g_strdup_printf("%s sent %s %u times without an answer from %s. Still broken at %s.",
                              sight_from(s).text, tried(s, o->psn).text, o->tries, sight_to(s).text,
                              capture_end(s->in->capture));
    f.why = with_details(s, &s->rounds->worst, f.why);
    findings_add(out, &f);
}

/* How long an answer may take to come, by all that is known of this connection */
static int64_t patience_ns(const struct sight *s, const struct flow_unanswered *u)
{
    int64_t ns = MAX(PATIENCE_NS, u->timeout_ns * TIMEOUT_PATIENCE);

    if (s->sent->times != NULL)
        ns =
            MAX(ns, (int64_t)MIN(s->sent->times->rtt.max, INT64_MAX / RTT_PATIENCE) * RTT_PATIENCE);
    return ns;
}

/* Nothing was sent again, so that no other rule sees it. A capture that misses packets may have
 * missed what was to come. */
static bool shows_silence(const struct sight *s)
{
    const struct capture *capture = s->in->capture;

    return s->back->counters != NULL && s->v.answers == NULL && s->v.psn == NULL &&
           s->rounds->outages.worst.tries == 0 && s->proof->retries.frame == 0 &&
           capture->drops == 0 && capture->untimed == 0 &&
           s->n->not_captured + s->n->acked_unseen + s->back->counters->acked_unseen == 0;
}

static int64_t nak_patience_ns(const struct sight *s)
{
    const struct flow_times *times = s->sent->times;
    int64_t ns = NAK_PATIENCE_NS;

    if (times == NULL)
        return ns;
    ns = MAX(ns, (int64_t)MIN(times->rtt.max, INT64_MAX / RTT_PATIENCE) * RTT_PATIENCE);
    return MAX(ns, (int64_t)MIN(times->resend_delay.max, INT64_MAX / RESEND_PATIENCE) *
                       RESEND_PATIENCE);
}

static char *nak_text(const struct sight *s, const struct flow_open_nak *nak, int64_t ns)
{
    const struct flow_times *times = s->sent->times;
    GString *why = g_string_new(NULL);

    g_string_printf(why, "%s asked for PSN %u again (NAK), and it did not go out again in the %s ",
                    sight_to(s).text, nak->psn, say_span(s->in->capture, ns).text);
    g_string_append_printf(why, "to %s. ", capture_end(s->in->capture));
    g_string_append(why, nak->packet_frame != 0
                             ? "That packet had passed here: it was lost behind the capture point."
                             : "That packet never came here.");
    if (times != NULL && times->resend_delay.count > 0)
        g_string_append_printf(why, " Before, %s followed such a NAK within %s.",
                               sight_from(s).text,
                               say_span(s->in->capture, (int64_t)times->resend_delay.max).text);
    g_string_append_printf(why,
                           " The NAK was lost on its way, or %s hangs; with a longer timeout it "
                           "may still come.",
                           sight_from(s).text);
    return g_string_free(why, FALSE);
}

static void nak_not_followed(const struct sight *s, struct findings *out)
{
    int64_t end = s->in->capture->last_time_ns;
    struct first_frames frames = {0};
    struct flow_open_nak nak;
    struct finding f;

    if (!shows_silence(s) || !flow_open_nak_get(s->in->engine, s->sent->stream, &nak) ||
        end - nak.time_ns < nak_patience_ns(s))
        return;
    if (nak.packet_frame != 0)
        frames.frames[frames.count++] = nak.packet_frame;
    frames.frames[frames.count++] = nak.frame;
    f = sight_finding(s, FINDING_NAK_NOT_FOLLOWED, &frames);
    f.value = report_count(1);
    f.limit = report_count(0);
    f.weight = (uint64_t)(end - nak.time_ns);
    f.from_ns = nak.time_ns;
    f.to_ns = end;
    f.end = FINDING_BROKEN;
    f.who = g_strdup_printf("%s, or the way from %s to it", sight_from(s).text, sight_to(s).text);
    f.why = nak_text(s, &nak, end - nak.time_ns);
    findings_add(out, &f);
}

static void never_answered(const struct sight *s, struct findings *out)
{
    const struct capture *capture = s->in->capture;
    struct flow_open_nak nak;
    struct flow_unanswered u;
    struct first_frames frames;
    struct finding f;

    if (!shows_silence(s) || flow_open_nak_get(s->in->engine, s->sent->stream, &nak) ||
        !flow_unanswered_get(s->in->engine, s->sent->stream, &u) ||
        capture->last_time_ns - u.from_ns < patience_ns(s, &u))
        return;
    frames = (struct first_frames){.count = (size_t)MIN(u.count, FLOW_UNANSWERED_FRAMES)};
    memcpy(frames.frames, u.frames, frames.count * sizeof(u.frames[0]));
    f = sight_finding(s, FINDING_NEVER_ANSWERED, &frames);
    f.value = report_count(u.count);
    f.limit = report_count(0);
    f.weight = (uint64_t)(capture->last_time_ns - u.from_ns);
    f.from_ns = u.from_ns;
    f.to_ns = capture->last_time_ns;
    f.end = FINDING_BROKEN;
    f.who =
        g_strdup_printf("%s or %s, or the way between them", sight_to(s).text, sight_from(s).text);
    f.why = g_strdup_printf("%s from %s (PSN %u on) got no answer from %s in the %s to the end of "
                            "the capture, and %s not sent again.",
                            say_many(u.count, "request packet").text, sight_from(s).text, u.psn,
                            sight_to(s).text, say_ns(f.to_ns - f.from_ns).text,
                            u.count == 1 ? "was" : "were");
    findings_add(out, &f);
}

static char *timeout_text(const struct sight *s, const struct timeouts *t)
{
    struct timer timer = timeouts_timer(t);
    uint64_t count = s->n->rounds[FLOW_TRIGGER_TIMEOUT];
    GString *why = g_string_new(NULL);

    g_string_printf(why, "%s waited for its timeout %s", sight_from(s).text,
                    say_how_often(count).text);
    if (t->longest_ns > 0)
        g_string_append_printf(why, "; it stood still for up to %s",
                               say_span(s->in->capture, t->longest_ns).text);
    if (timer.exponent_low >= 0 && timer.exponent_low < timer.exponent_high)
        g_string_append_printf(why, " (timeout exponent %d to %d)", timer.exponent_low,
                               timer.exponent_high);
    else if (timer.exponent_low >= 0)
        g_string_append_printf(why, " (timeout exponent %d)", timer.exponent_low);
    g_string_append(why, timer.grow ? "; each wait is longer than the one before" : "");
    g_string_append_c(why, '.');
    return g_string_free(why, FALSE);
}

static void tell_timeout_recovery(const struct sight *s, struct finding *f)
{
    const struct timeouts *t = &s->rounds->timeouts;
    uint64_t count = s->n->rounds[FLOW_TRIGGER_TIMEOUT];

    f->why = timeout_text(s, t);
    f->brief = g_strdup_printf("%s, standing still for up to %s", say_many(count, "timeout").text,
                               say_span(s->in->capture, t->longest_ns).text);
}

static void timeout_recovery(const struct sight *s, struct findings *out)
{
    const struct timeouts *t = &s->rounds->timeouts;
    uint64_t count = s->n->rounds[FLOW_TRIGGER_TIMEOUT];
    struct finding f;

    if (s->v.psn != NULL || count == 0)
        return;
    f = sight_finding(s, FINDING_TIMEOUT_RECOVERY, &s->rounds->timeout_frames);
    f.resends = s->rounds->outages.timeouts == count ? FINDING_OF_SILENCE : FINDING_OF_LOSS;
    f.value = report_count(count);
    f.limit = report_count(0);
    f.weight = (uint64_t)t->longest_ns;
    sight_span(s, s->rounds, SPAN_TIMEOUT, &f);
    f.tell = tell_timeout_recovery;
    findings_add(out, &f);
}

static void tell_amplification(const struct sight *s, struct finding *f)
{
    uint64_t lost = s->n->lost_before_tap + sight_lost_after(s);
    double ratio = (double)s->n->retransmitted_packets / (double)lost;

    f->why = g_strdup_printf("%s sent %s again for %s lost: %s for each.", sight_from(s).text,
                             say_many(s->n->retransmitted_packets, "packet").text,
                             say_count(lost).text, say_real(ratio).text);
    f->brief = g_strdup_printf("go-back-N: %s resends for each lost packet", say_real(ratio).text);
}

static void amplification(const struct sight *s, struct findings *out)
{
    uint64_t lost = s->n->lost_before_tap + sight_lost_after(s);
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
    f.tell = tell_amplification;
    findings_add(out, &f);
}

static void tell_retransmission_share(const struct sight *s, struct finding *f)
{
    double share = share_pct(s->n->retransmitted_packets, s->n->data_packets);

    f->why =
        g_strdup_printf("%s of the data packets from %s (%s) are repeats.", say_pct(share).text,
                        sight_from(s).text, say_count(s->n->retransmitted_packets).text);
    f->brief =
        g_strdup_printf("%s sent again", say_many(s->n->retransmitted_packets, "packet").text);
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
    f.tell = tell_retransmission_share;
    findings_add(out, &f);
}

static void tell_spurious(const struct sight *s, struct finding *f)
{
    bool behind_reads = s->n->rounds[FLOW_TRIGGER_READ] > 0;

    f->why =
        g_strdup_printf("%s from %s had been acknowledged before they were sent again%s.",
                        say_many(s->n->spurious, "packet").text, sight_from(s).text,
                        behind_reads ? "; behind a READ whose answer was lost that has to be" : "");
    f->brief =
        g_strdup_printf("%s that had arrived already", say_many(s->n->spurious, "resend").text);
}

static void spurious(const struct sight *s, struct findings *out)
{
    bool behind_reads = s->n->rounds[FLOW_TRIGGER_READ] > 0;
    struct finding f;
    uint64_t rounds = 0;

    if (s->v.needless != NULL || s->n->spurious < SPURIOUS_LIMIT)
        return;
    for (unsigned i = 0; i < FLOW_TRIGGER_COUNT; i++)
        rounds += s->n->rounds[i];
    f = sight_finding(s, FINDING_SPURIOUS, sight_frames(s, EVIDENCE_SPURIOUS));
    f.value = report_count(s->n->spurious);
    f.limit = report_count(SPURIOUS_LIMIT - 1);
    f.weight = s->n->spurious;
    if (behind_reads && s->n->rounds[FLOW_TRIGGER_READ] == rounds)
        f.severity = SEVERITY_NOTE;
    f.tell = tell_spurious;
    findings_add(out, &f);
}

const struct direction_rule recovery_rules[] = {
    {.raise = gave_up},
    {.raise = no_answer},
    {.raise = nak_not_followed},
    {.raise = never_answered},
    {timeout_recovery, WITH(rounds[FLOW_TRIGGER_TIMEOUT])},
    {amplification, WITH(retransmitted_packets)},
    {retransmission_share, WITH(retransmitted_packets)},
    {spurious, WITH(spurious)},
    {0},
};
