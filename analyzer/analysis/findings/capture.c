/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about the capture itself: what it can't show, and what it shows wrongly. And about the
 * traffic as a whole.
 */
#include "analysis/findings/rules.h"

#include "analysis/complete.h"
#include "report/frame.h"

enum {
    TRUNCATED_LIMIT_PCT = 1,
};

/* ------------------------------------------------------------------ the files */

static void files_overlap(const struct analysis_input *in, const void *gathered,
                          struct findings *out)
{
    const struct capture *c = in->capture;
    size_t kept = (size_t)MIN(c->overlap_count, CAPTURE_MAX_OVERLAPS);
    struct first_frames frames = {0};
    GString *why;
    struct finding f;

    (void)gathered;
    if (kept == 0)
        return;
    why = g_string_new(NULL);
    for (size_t i = 0; i < kept; i++) {
        const struct capture_overlap *o = &c->overlaps[i];

        g_string_append_printf(why, "%s begins %s before the end of %s",
                               frame_file_label(c->files, c->file_count, frame_file(o->frame)),
                               say_ns(o->ns).text,
                               frame_file_label(c->files, c->file_count, o->earlier));
        g_string_append(why, i + 1 < kept ? "; " : c->overlap_count > kept ? "; ..." : ".");
        frames.count = first_frames_insert(frames.frames, frames.count, FIRST_FRAMES, o->frame);
    }
    f = finding_of(FINDING_FILES_OVERLAP, &frames);
    f.value = report_count(c->overlap_count);
    f.limit = report_count(0);
    f.why = g_string_free(why, FALSE);
    findings_add(out, &f);
}

/* ------------------------------------------------------------------ missing from the capture */

static struct first_frames missing_frames(const struct analysis_input *in,
                                          const struct flow_connection *c)
{
    const uint32_t streams[] = {c->a_to_b.stream, c->b_to_a.stream};
    const unsigned kinds[] = {EVIDENCE_NOT_CAPTURED, EVIDENCE_ACKED_UNSEEN};
    struct first_frames all = {0};

    for (unsigned i = 0; i < 4; i++) {
        const struct first_frames *some =
            evidence_frames(in->evidence, streams[i / 2], kinds[i % 2]);

        for (size_t k = 0; some != NULL && k < some->count; k++)
            all.count = first_frames_insert(all.frames, all.count, FIRST_FRAMES, some->frames[k]);
    }
    return all;
}

static void look_for_missing(void *gathered, const struct analysis_input *in,
                             const struct flow_connection *c)
{
    const struct flow_counters *a = flow_counters_of(c, true), *b = flow_counters_of(c, false);
    uint64_t n = a->not_captured + b->not_captured + a->acked_unseen + b->acked_unseen;
    struct first_frames frames;

    if (n == 0)
        return;
    frames = missing_frames(in, c);
    gather(gathered, c, n, &frames);
}

static void capture_incomplete(const struct analysis_input *in, const void *gathered,
                               struct findings *out)
{
    const struct gathered *g = gathered;
    struct finding f;

    if (g->sum == 0 && (!in->capture->drops_known || in->capture->drops == 0))
        return;
    f = gathered_finding(FINDING_CAPTURE_INCOMPLETE, g);
    if (g->sum == 0)
        f.value = report_count(in->capture->drops);
    f.why = g->sum == 0
                ? g_strdup_printf("The capture says that it dropped %s.",
                                  say_many(in->capture->drops, "packet").text)
                : g_strdup_printf("%s or more were acknowledged and are not here (%s)%s%s.",
                                  say_many(g->sum, "packet").text,
                                  say_many(g->connections, "connection").text,
                                  in->capture->drops > 0 ? "; dropped by the capture: " : "",
                                  in->capture->drops > 0 ? say_count(in->capture->drops).text : "");
    findings_add(out, &f);
}

static void look_for_copies(void *gathered, const struct analysis_input *in,
                            const struct flow_connection *c)
{
    gather(gathered, c,
           flow_counters_of(c, true)->duplicates + flow_counters_of(c, false)->duplicates,
           evidence_frames(in->evidence, c->a_to_b.stream, EVIDENCE_DUPLICATE));
}

static void captured_twice(const struct analysis_input *in, const void *gathered,
                           struct findings *out)
{
    const struct gathered *g = gathered;
    struct flow_summary summary;
    struct finding f;

    flow_summary_get(in->engine, &summary);
    if (!summary.captured_twice)
        return;
    f = gathered_finding(FINDING_CAPTURE_DUPLICATED, g);
    f.why = g_strdup_printf(
        "%s of %s %s.", say_many(g->sum, "packet").text, say_count(in->capture->packets).text,
        say_verb(g->sum, "is an exact copy of another", "are exact copies of others"));
    findings_add(out, &f);
}

static void truncated(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    double share = share_pct(in->capture->truncated, in->capture->packets);
    struct finding f;

    (void)gathered;
    if (share < TRUNCATED_LIMIT_PCT)
        return;
    f = finding_of(FINDING_CAPTURE_TRUNCATED, NULL);
    f.value = report_pct(share);
    f.limit = report_pct(TRUNCATED_LIMIT_PCT);
    f.why = g_strdup_printf("%s (%s) are cut by the snap length.",
                            say_many(in->capture->truncated, "packet").text, say_pct(share).text);
    findings_add(out, &f);
}

struct one_way {
    uint64_t reliable;
    struct gathered alone;
};

/* A direction that exists: reliable services answer, others need not. */
static void look_for_answers(void *gathered, const struct analysis_input *in,
                             const struct flow_connection *c)
{
    struct one_way *all = gathered;

    (void)in;
    if (c->transport != RDC_TRANSPORT_IWARP && c->service != RDC_SERVICE_RC &&
        c->service != RDC_SERVICE_XRC)
        return;
    all->reliable++;
    gather(&all->alone, c, c->b_to_a.counters == NULL, NULL);
}

static void one_way(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct one_way *all = gathered;
    struct finding f;

    (void)in;
    if (all->alone.sum == 0)
        return;
    f = gathered_finding(FINDING_ONE_WAY, &all->alone);
    if (all->reliable == 1)
        f.why = g_strdup("Only one direction of the reliable connection is here.");
    else if (all->alone.sum == all->reliable)
        f.why = g_strdup_printf("Of all %s only one direction is here.",
                                say_many(all->reliable, "reliable connection").text);
    else
        f.why = g_strdup_printf("Of %s of %s only one direction is here.",
                                say_count(all->alone.sum).text,
                                say_many(all->reliable, "reliable connection").text);
    findings_add(out, &f);
}

static bool began_before(const struct analysis_input *in, const struct flow_connection *c)
{
    const struct evidence_first *a = evidence_first_of(in->evidence, c->a_to_b.stream);
    const struct evidence_first *b = evidence_first_of(in->evidence, c->b_to_a.stream);

    if (c->paired_by == FLOW_PAIRED_CM)
        return false;
    if (c->transport == RDC_TRANSPORT_IWARP)
        return c->inferred; /* without its handshake */
    return (a != NULL && (a->midway || a->is_answer)) || (b != NULL && b->midway) ||
           (a != NULL && b != NULL && evidence_counts_older(a, b));
}

static void look_for_starts(void *gathered, const struct analysis_input *in,
                            const struct flow_connection *c)
{
    gather(gathered, c, began_before(in, c), NULL);
}

static void midflow(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct gathered *g = gathered;
    struct finding f;

    if (g->sum == 0)
        return;
    f = gathered_finding(FINDING_MIDFLOW_START, g);
    f.why = g_strdup_printf("%s of %s began before the capture.", say_count(g->sum).text,
                            say_many(flow_connection_count(in->engine), "connection").text);
    findings_add(out, &f);
}

static void time_disorder(const struct analysis_input *in, const void *gathered,
                          struct findings *out)
{
    struct flow_summary summary;
    struct finding f;

    (void)gathered;
    flow_summary_get(in->engine, &summary);
    if (summary.time_disorder == 0)
        return;
    f = finding_of(FINDING_TIME_DISORDER, NULL);
    f.value = report_count(summary.time_disorder);
    f.limit = report_count(0);
    f.why = g_strdup_printf("%s %s older than one before, by up to %s.",
                            say_many(summary.time_disorder, "packet").text,
                            say_verb(summary.time_disorder, "is", "are"),
                            say_span(in->capture, summary.time_disorder_max_ns).text);
    findings_add(out, &f);
}

struct out_of_step {
    struct gathered acks;
    int64_t longest_ns;
};

static void look_for_early(void *gathered, const struct analysis_input *in,
                           const struct flow_connection *c)
{
    const struct flow_counters *a = flow_counters_of(c, true), *b = flow_counters_of(c, false);
    uint32_t more = a->acked_early >= b->acked_early ? c->b_to_a.stream : c->a_to_b.stream;
    struct out_of_step *g = gathered;

    gather(&g->acks, c, a->acked_early + b->acked_early,
           evidence_frames(in->evidence, more, EVIDENCE_ACKED_EARLY));
    g->longest_ns = MAX(g->longest_ns, MAX(a->acked_early_ns, b->acked_early_ns));
}

static void out_of_step(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct out_of_step *g = gathered;
    struct finding f;

    if (g->longest_ns == 0) /* or only the order of the file is wrong */
        return;
    f = gathered_finding(FINDING_DIRECTIONS_OUT_OF_STEP, &g->acks);
    f.why = g_strdup_printf("%s came before what %s, by up to %s (%s).",
                            say_many(g->acks.sum, "acknowledgement").text,
                            say_verb(g->acks.sum, "it acknowledges", "they acknowledge"),
                            say_span(in->capture, g->longest_ns).text,
                            say_many(g->acks.connections, "connection").text);
    findings_add(out, &f);
}

static void times_missing(const struct analysis_input *in, const void *gathered,
                          struct findings *out)
{
    const struct capture *c = in->capture;
    struct first_frames first = {.count = 1};
    struct finding f;

    (void)gathered;
    if (c->untimed == 0)
        return;
    if (c->untimed_span_count > 0)
        first.frames[0] = c->untimed_spans[0].first;
    f = finding_of(FINDING_TIMES_MISSING, c->untimed_span_count > 0 ? &first : NULL);
    f.value = report_count(c->untimed);
    f.limit = report_count(0);
    f.why = g_strdup_printf("%s of %s %s no time.", say_many(c->untimed, "packet").text,
                            say_count(c->packets).text, say_verb(c->untimed, "has", "have"));
    findings_add(out, &f);
}

static void impossible_records(const struct analysis_input *in, const void *gathered,
                               struct findings *out)
{
    const struct capture *c = in->capture;
    struct first_frames frames = {0};
    GString *why;
    struct finding f;

    (void)gathered;
    if (c->odd_count == 0)
        return;
    why = g_string_new(NULL);
    for (size_t i = 0; i < c->odd_count; i++) {
        g_string_append_printf(why, "%s%s.", i > 0 ? " " : "", c->odd[i].text);
        if (c->odd[i].frame != 0)
            frames.count =
                first_frames_insert(frames.frames, frames.count, FIRST_FRAMES, c->odd[i].frame);
    }
    f = finding_of(FINDING_IMPOSSIBLE_RECORDS, frames.count > 0 ? &frames : NULL);
    f.value = report_count(c->odd_records);
    f.limit = report_count(0);
    f.why = g_string_free(why, FALSE);
    findings_add(out, &f);
}

static void icrc_unusable(const struct analysis_input *in, const void *gathered,
                          struct findings *out)
{
    struct flow_summary summary;
    struct finding f;

    (void)gathered;
    flow_summary_get(in->engine, &summary);
    if (summary.icrc_unjudged == 0)
        return;
    f = finding_of(FINDING_ICRC_UNUSABLE, NULL);
    f.value = report_count(summary.icrc_unjudged);
    f.why = g_strdup_printf("%s %s a wrong ICRC: nearly all of a sender at an interface.",
                            say_many(summary.icrc_unjudged, "packet").text,
                            say_verb(summary.icrc_unjudged, "has", "have"));
    findings_add(out, &f);
}

static void limits_reached(const struct analysis_input *in, const void *gathered,
                           struct findings *out)
{
    const struct complete_facts complete = complete_of(in);
    char *left_out = complete_left_out(&complete);
    struct flow_summary summary;
    struct finding f;

    (void)gathered;
    if (left_out == NULL)
        return;
    flow_summary_get(in->engine, &summary);
    f = finding_of(FINDING_LIMITS_REACHED, NULL);
    f.value = report_count(summary.untracked_packets);
    f.limit = report_count(0);
    f.why = left_out;
    findings_add(out, &f);
}

/* ------------------------------------------------------------------ the traffic */

static void look_for_rocev1(void *gathered, const struct analysis_input *in,
                            const struct flow_connection *c)
{
    (void)in;
    if (c->transport == RDC_TRANSPORT_ROCEV1)
        gather(gathered, c,
               flow_counters_of(c, true)->packets + flow_counters_of(c, false)->packets, NULL);
}

static void rocev1(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct gathered *g = gathered;
    struct finding f;

    (void)in;
    if (g->sum == 0)
        return;
    f = gathered_finding(FINDING_ROCEV1_PRESENT, g);
    f.why =
        g_strdup_printf("%s of %s %s RoCEv1.", say_many(g->sum, "packet").text,
                        say_many(g->connections, "connection").text, say_verb(g->sum, "is", "are"));
    findings_add(out, &f);
}

const struct capture_rule capture_rules[] = {
    {.raise = files_overlap},
    {capture_incomplete, look_for_missing, sizeof(struct gathered)},
    {captured_twice, look_for_copies, sizeof(struct gathered)},
    {.raise = truncated},
    {one_way, look_for_answers, sizeof(struct one_way)},
    {midflow, look_for_starts, sizeof(struct gathered)},
    {.raise = time_disorder},
    {out_of_step, look_for_early, sizeof(struct out_of_step)},
    {.raise = times_missing},
    {.raise = impossible_records},
    {.raise = icrc_unusable},
    {.raise = limits_reached},
    {rocev1, look_for_rocev1, sizeof(struct gathered)},
    {0},
};
