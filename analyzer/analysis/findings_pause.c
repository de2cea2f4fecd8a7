/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about PFC and PAUSE frames: ports that hold others up. Times from an inferred link rate
 * are upper bounds, so they never make an error.
 */
#include "analysis/findings_rules.h"
#include "analysis/pause.h"

enum {
    PAUSED_LIMIT_PCT = 10,
    VICTIMS_SHOWN = 4,
    STORM_LIMIT_NS = 200000000,
};

static struct evidence_frames first_frames(const struct tally *t)
{
    struct evidence_frames f = {.count = MIN(t->count, EVIDENCE_FRAMES)};

    memcpy(f.frames, t->frames, f.count * sizeof(*f.frames));
    return f;
}

static char *mac_text(const uint8_t mac[6])
{
    return g_strdup_printf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4],
                           mac[5]);
}

/* "priority 3 of 00:11:22:33:44:55's link partner": who is stopped, in words */
static char *port_text(const struct pause_row *r)
{
    char *mac = mac_text(r->source);
    char *text = r->priority == PAUSE_GLOBAL ? g_strdup_printf("%s, all priorities", mac)
                                             : g_strdup_printf("%s, priority %d", mac, r->priority);

    g_free(mac);
    return text;
}

static void storm(const struct pause_row *r, struct findings *out)
{
    struct evidence_frames frames = first_frames(&r->frames);
    struct finding f;
    char *port;

    if (r->storms == 0 || (r->estimate && r->xoff_frames < 2))
        return;
    if (r->storm_frame != 0)
        frames = (struct evidence_frames){1, {r->storm_frame}};
    port = port_text(r);
    f = finding_of(FINDING_PFC_STORM, &frames);
    if (r->estimate)
        f.severity = SEVERITY_WARNING;
    f.value = report_count((uint64_t)r->longest_ns);
    f.limit = report_count(STORM_LIMIT_NS);
    f.weight = (uint64_t)r->longest_ns;
    f.why = g_strdup_printf("%s: paused its link partner for up to %s without a break%s.", port,
                            say_ns(r->longest_ns).text,
                            r->estimate ? " (at most: the link rate is inferred)" : "");
    findings_add(out, &f);
    g_free(port);
}

static void mutual(const struct pause_row *r, struct findings *out)
{
    struct evidence_frames frames = first_frames(&r->mutual);
    struct finding f;
    char *port, *other;

    if (!r->has_mutual || memcmp(r->source, r->mutual_with, 6) > 0) /* one finding a pair */
        return;
    port = port_text(r);
    other = mac_text(r->mutual_with);
    f = finding_of(FINDING_MUTUAL_PAUSE, &frames);
    f.value = report_count(r->mutual.count);
    f.limit = report_count(0);
    f.weight = r->mutual.count;
    f.why = g_strdup_printf("%s: paused %s while that paused it.", port, other);
    findings_add(out, &f);
    g_free(port);
    g_free(other);
}

static void link_pause(const struct analysis_input *in, const struct pause_row *r,
                       struct findings *out)
{
    struct evidence_frames frames = first_frames(&r->frames);
    struct finding f;
    char *mac;

    if (r->priority != PAUSE_GLOBAL || in->capture->rdma_packets == 0)
        return;
    mac = mac_text(r->source);
    f = finding_of(FINDING_LINK_PAUSE, &frames);
    f.value = report_count(r->xoff_frames + r->xon_frames);
    f.limit = report_count(0);
    f.weight = r->xoff_frames;
    f.why = g_strdup_printf("%s sent %s, which stop all priorities of a link that carries RDMA.",
                            mac, say_many(r->xoff_frames + r->xon_frames, "PAUSE frame").text);
    findings_add(out, &f);
    g_free(mac);
}

static bool was_first(const void *state, const struct analysis_input *in, const struct pause_row *r)
{
    struct pause_row other;

    for (size_t i = 0; i < pause_row_count(state); i++) {
        pause_row_get(state, in, i, &other);
        if (other.first_xoff_frame != 0 && other.first_xoff_frame < r->first_xoff_frame)
            return false;
    }
    return true;
}

/* Takes the text; NULL adds nothing */
static void append(struct finding *f, char *text)
{
    char *why = text != NULL ? g_strconcat(f->why, text, NULL) : NULL;

    if (why != NULL) {
        g_free(f->why);
        f->why = why;
    }
    g_free(text);
}

/* " Silent by it: connections 1, 4."; a single one is also told in `only` */
static char *victims_text(const struct analysis_input *in, const struct pause_row *r,
                          uint32_t *only)
{
    GString *text = g_string_new(NULL);
    uint32_t index, before = UINT32_MAX, count = 0;
    bool a_to_b;

    for (uint32_t i = 0; i < r->victim_count && i < PAUSE_VICTIMS && count <= VICTIMS_SHOWN; i++) {
        if (!flow_stream_connection(in->engine, r->victims[i], &index, &a_to_b) || index == before)
            continue;
        before = index;
        if (++count <= VICTIMS_SHOWN)
            g_string_append_printf(text, "%s%u", count > 1 ? ", " : "", index + 1);
    }
    if (count == 1)
        *only = before + 1;
    if (count > 0) {
        g_string_prepend(text,
                         count == 1 ? " Silent by it: connection " : " Silent by it: connections ");
        g_string_append(text, count > VICTIMS_SHOWN ? ", ..." : ".");
    }
    return g_string_free(text, FALSE);
}

static void paused(const void *state, const struct analysis_input *in, const struct pause_row *r,
                   struct findings *out)
{
    struct evidence_frames frames = first_frames(&r->frames);
    struct finding f;
    char *port;

    if (r->xoff_frames == 0)
        return;
    port = port_text(r);
    f = finding_of(FINDING_PFC_PAUSE, &frames);
    if (r->paused_pct >= PAUSED_LIMIT_PCT && (!r->estimate || r->xoff_frames > 1))
        f.severity = SEVERITY_WARNING;
    f.value = r->paused_pct >= 0 ? report_pct(r->paused_pct) : report_none();
    f.limit = report_pct(PAUSED_LIMIT_PCT);
    f.weight = (uint64_t)r->paused_ns;
    f.why = g_strdup_printf("%s: %s stopped its link partner for %s in all%s%s%s.", port,
                            say_many(r->xoff_frames, "XOFF frame").text, say_ns(r->paused_ns).text,
                            r->estimate ? " (at most: the link rate is inferred)" : "",
                            r->paused_pct >= 0 ? ", share of the capture " : "",
                            r->paused_pct >= 0 ? say_pct(r->paused_pct).text : "");
    append(&f, was_first(state, in, r) ? g_strdup(" It paused first.") : NULL);
    append(&f, victims_text(in, r, &f.connection));
    findings_add(out, &f);
    g_free(port);
}

static void ignored(const struct pause_row *r, struct findings *out)
{
    struct evidence_frames frames = {r->violations.frame != 0, {r->violations.frame}};
    struct finding f;
    char *port;

    if (r->violations.violations == 0)
        return;
    port = port_text(r);
    f = finding_of(FINDING_PAUSE_IGNORED, &frames);
    f.value = report_count(r->violations.violations);
    f.limit = report_count(0);
    f.weight = r->violations.violations;
    f.why = g_strdup_printf("%s: %s were sent to it while it paused.", port,
                            say_many(r->violations.violations, "packet").text);
    findings_add(out, &f);
    g_free(port);
}

static void pauses(const struct analysis_input *in, struct findings *out)
{
    const void *state = analysis_run_state(in->run, &an_pause);
    struct pause_row row;

    for (size_t i = 0; state != NULL && i < pause_row_count(state); i++) {
        pause_row_get(state, in, i, &row);
        storm(&row, out);
        mutual(&row, out);
        link_pause(in, &row, out);
        ignored(&row, out);
        paused(state, in, &row, out);
    }
}

capture_rule *const pause_rules[] = {pauses, NULL};
