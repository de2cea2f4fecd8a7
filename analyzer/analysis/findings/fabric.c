/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about setting connections up, about many senders at once, and about InfiniBand credits.
 */
#include "analysis/connections.h"
#include "analysis/credits.h"
#include "analysis/findings/rules.h"
#include "analysis/incast.h"
#include "analysis/pause.h"
#include "analysis/setup.h"
#include "rdc/cm.h"

enum {
    SENDERS_LIMIT = 3,
};

static struct first_frames two_frames(uint64_t first, uint64_t second)
{
    return first == second ? (struct first_frames){1, {first}}
                           : (struct first_frames){2, {first, second}};
}

static void address(uint8_t kind, const uint8_t bytes[16], char *text, size_t size)
{
    struct flow_endpoint end = {.address_kind = kind};

    memcpy(end.address, bytes, sizeof(end.address));
    connection_address_text(&end, text, size);
}

/* ------------------------------------------------------------------ set-up */

static void rejected(const struct setup_exchange *x, struct findings *out)
{
    struct first_frames frames = two_frames(x->connect.frames[0], x->last_frame);
    struct finding f = finding_of(FINDING_CM_REJECT, &frames);
    char from[64], to[64];

    address(x->address_kind, x->caller, from, sizeof(from));
    address(x->address_kind, x->called, to, sizeof(to));
    f.value = report_count(x->reason);
    f.end = FINDING_ENDED;
    f.who = g_strdup_printf("%s, or the request that it refused", to);
    f.weight = x->connect.tries;
    f.why = g_strdup_printf("%s refused a connection from %s: %s (reason %u).", to, from,
                            rdc_cm_reason_text(x->reason), x->reason);
    findings_add(out, &f);
}

static bool is_answered(const struct setup_asked *asked)
{
    return asked->answer_ns != INT64_MIN;
}

static bool is_shown(const struct setup_exchange *x, const struct setup_asked *asked)
{
    return asked == &x->connect && x->reply_missed;
}

/* A request of one side of an exchange, and what is said of it */
struct request {
    const struct setup_exchange *x;
    const struct setup_asked *asked;
    bool failed; /* it never got through */
    struct say from, to;
    const char *what;
};

static struct request request_of(const struct setup_exchange *x, const struct setup_asked *asked)
{
    bool connect = asked == &x->connect;
    struct request r = {.x = x,
                        .asked = asked,
                        .failed = connect && x->state == SETUP_REQUESTED,
                        .what = connect ? "for a connection" : "to end their connection"};

    address(x->address_kind, asked->by_caller ? x->caller : x->called, r.from.text,
            sizeof(r.from.text));
    address(x->address_kind, asked->by_caller ? x->called : x->caller, r.to.text,
            sizeof(r.to.text));
    return r;
}

static struct finding request_finding(const struct analysis_input *in, const struct request *r,
                                      enum finding_id id)
{
    struct first_frames frames = {.count = MIN(r->asked->tries, SETUP_FRAMES)};
    struct finding f;
    uint32_t index;
    bool a_to_b;

    memcpy(frames.frames, r->asked->frames, sizeof(r->asked->frames));
    f = finding_of(id, &frames);
    if (flow_stream_connection(in->engine, setup_stream(in->engine, r->x), &index, &a_to_b))
        f.connection = index + 1;
    f.from_ns = r->asked->first_ns;
    return f;
}

/* "10.0.0.1 asked 10.0.0.2 2 times for a connection; the answer came 4.84 s after the first." */
static char *asked_text(const struct analysis_input *in, const struct request *r)
{
    const struct setup_asked *asked = r->asked;
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s asked %s %s %s", r->from.text, r->to.text,
                    say_how_often(asked->tries).text, r->what);
    if (asked->unheard > 0)
        g_string_append_printf(text, "; %s no answer came here before it asked again.",
                               say_how_often(asked->tries - 1 - asked->unheard).text);
    else if (is_answered(asked))
        g_string_append_printf(text, "; the answer came %s after the first.",
                               say_span(in->capture, asked->answer_ns - asked->first_ns).text);
    else if (is_shown(r->x, asked))
        g_string_append_printf(
            text,
            "; the answer is not on this capture, but what follows it is, %s after the "
            "first.",
            say_span(in->capture, r->x->shown_ns - asked->first_ns).text);
    else
        g_string_append(text, " and got no answer here.");
    return g_string_free(text, FALSE);
}

/* A request that was repeated, though answered in the end, is a note. */
static void unanswered(const struct analysis_input *in, const struct request *r,
                       struct findings *out)
{
    const struct setup_asked *asked = r->asked;
    struct finding f = request_finding(in, r, FINDING_CM_UNANSWERED);

    if (!r->failed)
        f.severity = SEVERITY_NOTE;
    f.value = report_count(asked->tries - asked->unheard);
    f.limit = report_count(1);
    f.weight = asked->tries;
    f.end = r->failed                                     ? FINDING_BROKEN
            : is_answered(asked) || is_shown(r->x, asked) ? FINDING_RECOVERED
                                                          : FINDING_UNSAID;
    f.to_ns = is_answered(asked)      ? asked->answer_ns
              : is_shown(r->x, asked) ? r->x->shown_ns
              : r->failed             ? in->capture->last_time_ns
                                      : asked->latest_ns;
    f.who = g_strdup_printf("%s, or the way between %s and it", r->to.text, r->from.text);
    f.why = asked_text(in, r);
    findings_add(out, &f);
}

/* It asked again although the answer had come past here long before. */
static void unheard(const struct analysis_input *in, const struct request *r, struct findings *out)
{
    const struct setup_asked *asked = r->asked;
    struct finding f = request_finding(in, r, FINDING_CM_ANSWER_LOST);

    f.frames.count =
        first_frames_insert(f.frames.frames, f.frames.count, FIRST_FRAMES, asked->answer_frame);
    f.value = report_count(asked->unheard);
    f.limit = report_count(0);
    f.weight = asked->unheard;
    f.end = asked->heard_ns != INT64_MIN ? FINDING_RECOVERED : FINDING_UNSAID;
    f.to_ns = MAX(asked->heard_ns, asked->latest_ns);
    f.who = g_strdup_printf("the way from the capture point to %s, or %s itself", r->from.text,
                            r->from.text);
    f.why = g_strdup_printf("%s asked %s %s %s, %s although it had been answered here, first after "
                            "%s: the answer did not get through to %s.",
                            r->from.text, r->to.text, say_how_often(asked->tries).text, r->what,
                            say_how_often(asked->unheard).text,
                            say_span(in->capture, asked->answer_ns - asked->first_ns).text,
                            r->from.text);
    findings_add(out, &f);
}

static void look_at_request(const struct analysis_input *in, const struct setup_exchange *x,
                            const struct setup_asked *asked, struct findings *out)
{
    struct request r = request_of(x, asked);

    if (asked->unheard > 0)
        unheard(in, &r, out);
    if (x->state == SETUP_REJECTED)
        return; /* that is said of it */
    if (asked->tries > asked->unheard + 1 || (r.failed && setup_unanswered(x, in->capture)))
        unanswered(in, &r, out);
}

static void setups(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    (void)gathered;
    for (size_t i = 0; i < setup_count(in->run); i++) {
        const struct setup_exchange *x = setup_get(in->run, i);

        if (x->state == SETUP_REJECTED)
            rejected(x, out);
        look_at_request(in, x, &x->connect, out);
        look_at_request(in, x, &x->disconnect, out);
    }
}

/* ------------------------------------------------------------------ incast, credits */

/* The sum against the link; a rate that only the load tells says nothing of how full it was */
static char *against_link(const struct analysis_input *in, const struct incast_target *t)
{
    struct link_rate rate = pause_link_rate(in->run, in->capture, t->interface);
    double peak = incast_peak_bps(t);

    if (rate.source == LINK_RATE_INFERRED)
        return g_strdup_printf("%s; the link has %s or more, by its load: --link-rate would tell "
                               "how full it was",
                               say_rate(peak).text, say_rate((double)rate.bps).text);
    return g_strdup_printf(
        "%s, %s of the link's %s (%s)", say_rate(peak).text,
        say_pct(100.0 * peak / (double)rate.bps).text, say_rate((double)rate.bps).text,
        rate.source == LINK_RATE_GIVEN ? "as given by --link-rate" : "as the capture file says");
}

/* Of the windows that had data, those with more senders than the limit */
static double crowded_pct(const struct incast_target *t)
{
    uint64_t n = 0;

    for (unsigned i = SENDERS_LIMIT + 1; i <= INCAST_COUNTED; i++)
        n += t->of_senders[i];
    return share_pct(n, t->windows);
}

static void incast(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    for (size_t i = 0; i < incast_count(in->run); i++) {
        struct first_frames frames;
        struct incast_target t;
        struct finding f;
        char to[64], *rate;

        (void)gathered;
        incast_get(in->run, i, &t);
        if (t.max_senders <= SENDERS_LIMIT)
            continue;
        frames = (struct first_frames){1, {t.max_frame}};
        address(t.address_kind, t.address, to, sizeof(to));
        f = finding_of(FINDING_INCAST, &frames);
        f.value = report_count(t.max_senders);
        f.limit = report_count(SENDERS_LIMIT);
        f.weight = t.max_senders;
        f.target = subject_host(t.address_kind, t.address);
        f.who = g_strdup_printf("%s that send to %s at the same time",
                                say_many(t.max_senders, "host").text, to);
        rate = against_link(in, &t);
        f.why = g_strdup_printf("Up to %s sent to %s within the same 100 us; more than %u did in "
                                "%s of all spans of 100 us with data. The busiest span: %s.",
                                say_many(t.max_senders, "host").text, to, (unsigned)SENDERS_LIMIT,
                                say_pct(crowded_pct(&t)).text, rate);
        findings_add(out, &f);
        g_free(rate);
    }
}

static void credits(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct credits *c = credits_of(in->run);

    (void)gathered;
    for (unsigned vl = 0; vl < CREDIT_LANES; vl++) {
        for (unsigned i = 0; i < CREDIT_PORTS; i++) {
            const struct credit_port *p = &c->lanes[vl].ports[i];
            struct first_frames frames = {1, {p->zero_frame}};
            struct finding f;

            if (p->zeros == 0)
                continue;
            f = finding_of(FINDING_CREDITS_AT_ZERO, &frames);
            f.value = report_count((uint64_t)p->at_zero_ns);
            f.limit = report_count(0);
            f.weight = (uint64_t)p->at_zero_ns;
            f.who = g_strdup("the receiving side of this link, or what is behind it");
            f.why = g_strdup_printf("Virtual lane %u had no credits %s, for %s in all.", vl,
                                    say_many(p->zeros, "time").text,
                                    say_span(in->capture, p->at_zero_ns).text);
            findings_add(out, &f);
        }
    }
}

/* Of streams: packets that made none, for they all were damaged, are what is left of the sum. */
static void look_for_damage(void *gathered, const struct analysis_input *in,
                            const struct flow_connection *c)
{
    uint64_t *damaged = gathered;

    (void)in;
    if (c->transport != RDC_TRANSPORT_IWARP)
        *damaged += flow_counters_of(c, true)->icrc_bad + flow_counters_of(c, false)->icrc_bad;
}

static void damaged_elsewhere(const struct analysis_input *in, const void *gathered,
                              struct findings *out)
{
    const uint64_t *damaged = gathered;
    struct flow_summary summary;
    struct finding f;
    uint64_t n;

    flow_summary_get(in->engine, &summary);
    if (summary.icrc_unjudged > 0 || summary.icrc_bad <= *damaged)
        return;
    n = summary.icrc_bad - *damaged;
    f = finding_of(FINDING_ICRC_BAD,
                   evidence_frames(in->evidence, FLOW_NO_STREAM, EVIDENCE_ICRC_BAD));
    f.value = report_count(n);
    f.limit = report_count(0);
    f.weight = n;
    f.who = g_strdup("a switch or adapter in front of the capture point");
    f.why = g_strdup_printf("%s of no connection that could be followed came damaged: %s ICRC or "
                            "IPv4 header checksum is wrong.",
                            say_many(n, "packet").text, n == 1 ? "its" : "their");
    findings_add(out, &f);
}

const struct capture_rule fabric_rules[] = {{damaged_elsewhere, look_for_damage, sizeof(uint64_t)},
                                            {.raise = setups},
                                            {.raise = incast},
                                            {.raise = credits},
                                            {0}};
