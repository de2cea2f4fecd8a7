/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings that only iWARP has: damaged FPDUs, lost framing and messages, Terminate
 * messages, closed windows. Losses and
 * resends of its TCP are found by the rules that all transports share.
 */
#include "analysis/findings/rules.h"
#include "analysis/terminate.h"

#define ZERO_WINDOW_LIMIT_NS INT64_C(1000000)

enum {
    READABLE_MIN = 4, /* characters in a row that are no accident */
};

static void crc_bad(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;
    struct finding f;

    if (w == NULL || w->crc_bad == 0)
        return;
    f = sight_finding(s, FINDING_CRC_BAD, sight_frames(s, EVIDENCE_CRC_BAD));
    f.value = report_count(w->crc_bad);
    f.limit = report_count(0);
    f.weight = w->crc_bad;
    f.who = g_strdup_printf("%s, or a device between it and the capture point", sight_from(s).text);
    f.why = g_strdup_printf("%s from %s %s a wrong CRC.", say_many(w->crc_bad, "FPDU").text,
                            sight_from(s).text, say_verb(w->crc_bad, "has", "have"));
    findings_add(out, &f);
}

/* With its reason, and where the STag comes from that it is about */
static void put_reason(const struct sight *s, struct finding *f)
{
    const struct flow_terminate *t = &s->proof->terminate;
    uint64_t frame = terminate_stag_frame(t, s->back->iwarp);
    char *reason;

    if (!s->proof->terminate_known) {
        f->why =
            g_strdup_printf("%s terminated it; the reason was not captured.", sight_from(s).text);
        return;
    }
    if (frame != 0)
        f->frames.count =
            first_frames_insert(f->frames.frames, f->frames.count, FIRST_FRAMES, frame);
    reason = terminate_text(t);
    f->why = g_strdup_printf("%s terminated it: %s.", sight_from(s).text, reason);
    g_free(reason);
}

static void terminated(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;
    struct finding f;

    if (w == NULL || w->terminates == 0)
        return;
    f = sight_finding(s, FINDING_TERMINATE, sight_frames(s, EVIDENCE_TERMINATE));
    f.value = report_count(w->terminates);
    f.limit = report_count(0);
    f.weight = w->terminates;
    f.end = FINDING_ENDED;
    f.who = g_strdup_printf("the request of %s, or what %s had set up for it", sight_to(s).text,
                            sight_from(s).text);
    put_reason(s, &f);
    findings_add(out, &f);
}

static void zero_window(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;
    struct first_frames frames = {1, {s->c->last_frame}};
    struct finding f;
    uint64_t longest;

    if (w == NULL)
        return;
    longest = MAX(w->longest_zero_window_ns, w->open_zero_window_ns);
    if (longest < ZERO_WINDOW_LIMIT_NS)
        return;
    if (sight_frames(s, EVIDENCE_ZERO_WINDOW) != NULL)
        frames = *sight_frames(s, EVIDENCE_ZERO_WINDOW);
    f = sight_finding(s, FINDING_ZERO_WINDOW, &frames);
    f.value = report_count(longest);
    f.limit = report_count(ZERO_WINDOW_LIMIT_NS);
    f.weight = w->zero_window_ns + w->open_zero_window_ns;
    f.who = g_strdup_printf("%s, which took no data", sight_from(s).text);
    f.why = g_strdup_printf("%s took nothing %s, for up to %s%s.", sight_from(s).text,
                            say_many(w->zero_windows, "time").text,
                            say_span(s->in->capture, (int64_t)longest).text,
                            w->open_zero_window_ns > 0 ? "; its window is closed at the end" : "");
    findings_add(out, &f);
}

/* What can be read in the private data, where a program may say why */
static char *readable(const struct flow_iwarp *w)
{
    GString *text = g_string_new(NULL);
    unsigned run = 0;

    for (unsigned i = 0; i < w->private_kept; i++) {
        uint8_t byte = w->private_data[i];

        run = byte < ' ' || byte > '~' || byte == '"' ? 0 : run + 1;
        if (run == READABLE_MIN) {
            g_string_append(text, text->len > 0 ? " ... " : "");
            g_string_append_len(text, (const char *)&w->private_data[i + 1 - run], (gssize)run);
        } else if (run > READABLE_MIN) {
            g_string_append_c(text, (char)byte);
        }
    }
    return g_string_free(text, FALSE);
}

static void rejected(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;
    struct first_frames frames = {1, {s->c->first_frame}};
    struct finding f;
    char *text;

    if (w == NULL || !w->mpa_seen || w->mpa.frame != FLOW_MPA_REPLY || !w->mpa.reject)
        return;
    if (sight_frames(s, EVIDENCE_MPA) != NULL)
        frames = *sight_frames(s, EVIDENCE_MPA);
    f = sight_finding(s, FINDING_MPA_REJECT, &frames);
    f.value = report_count(1);
    f.limit = report_count(0);
    f.weight = 1;
    f.end = FINDING_ENDED;
    f.who = g_strdup_printf("%s, or the request that it rejected", sight_from(s).text);
    text = readable(w);
    f.why = g_strdup_printf("%s rejected %s in its MPA reply, with %s of private data%s%s%s.",
                            sight_from(s).text, sight_to(s).text,
                            say_many(w->mpa.private_bytes, "byte").text,
                            text[0] != '\0' ? ": \"" : "", text, text[0] != '\0' ? "\"" : "");
    g_free(text);
    findings_add(out, &f);
}

static void counted(const struct sight *s, struct findings *out, enum finding_id id,
                    unsigned evidence, uint64_t n, char *why)
{
    struct finding f = sight_finding(s, id, sight_frames(s, evidence));

    f.value = report_count(n);
    f.limit = report_count(0);
    f.weight = n;
    f.why = why;
    if (id == FINDING_MSN_GAP)
        f.who = g_strdup_printf("%s, which numbers its messages", sight_from(s).text);
    else if (id != FINDING_CRC_OFF)
        f.who = g_strdup_printf("%s, or a device that changed its bytes", sight_from(s).text);
    findings_add(out, &f);
}

static void messages_missing(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;

    if (w != NULL && w->msn_gaps > 0)
        counted(s, out, FINDING_MSN_GAP, EVIDENCE_MSN_GAP, w->msn_gaps,
                g_strdup_printf("The message numbers of %s jump, %s.", sight_from(s).text,
                                say_many(w->msn_gaps, "time").text));
}

static void framing_lost(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;

    if (w != NULL && w->framing_lost > 0)
        counted(s, out, FINDING_FRAMING_LOST, EVIDENCE_FRAMING, w->framing_lost,
                g_strdup_printf("In the stream of %s, bytes can't be an FPDU, %s.",
                                sight_from(s).text, say_many(w->framing_lost, "time").text));
}

static void crc_off(const struct sight *s, struct findings *out)
{
    const struct flow_iwarp *w = s->sent->iwarp;
    uint64_t lost = s->n->lost_before_tap + s->n->lost_after_tap;

    if (w != NULL && w->crc_off > 0 && lost > 0)
        counted(s, out, FINDING_CRC_OFF, EVIDENCE_RESENT, w->crc_off,
                g_strdup_printf("%s from %s went without a CRC, and %s lost.",
                                say_many(w->crc_off, "FPDU").text, sight_from(s).text,
                                lost == 1 ? "a segment was" : "segments were"));
}

const struct direction_rule iwarp_rules[] = {
    {.raise = rejected},         {.raise = crc_bad},
    {.raise = terminated},       {.raise = zero_window},
    {.raise = messages_missing}, {.raise = framing_lost},
    {.raise = crc_off},          {0},
};
