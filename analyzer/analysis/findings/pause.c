/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about PFC and PAUSE frames: ports that hold others up. Times from an inferred link rate
 * are upper bounds, so they never make an error; from one that no load told they make no share.
 */
#include "analysis/pause.h"
#include "analysis/connections.h"
#include "analysis/directions.h"
#include "analysis/findings/rules.h"
#include "analysis/keyed_hash.h"

enum {
    PAUSED_LIMIT_PCT = 10,
    VICTIMS_SHOWN = 4,
    STORM_LIMIT_NS = 200000000,
    UNRELEASED_LIMIT_NS = 1000000, /* a pause that just happens to last at the end is shorter */
};

static struct first_frames frames_of(const struct tally *t)
{
    struct first_frames f = {.count = (size_t)MIN(t->count, FIRST_FRAMES)};

    memcpy(f.frames, t->frames, f.count * sizeof(*f.frames));
    return f;
}

/* ------------------------------------------------------------------ which host is a port? */

/* What rules about pauses look at */
struct ports {
    const struct analysis_input *in;
    struct findings *out;
    GHashTable *hosts;    /* subject of a port, whatever its priority (GBytes) -> struct host */
    bool several;         /* more than one port paused */
    uint8_t any[6];       /* one of them */
    uint64_t first_frame; /* the first XOFF of all; 0: none */
};

/* Whose packets go through a port */
struct host {
    struct flow_endpoint end;
    bool several;
};

static GBytes *port_key(const uint8_t mac[6], uint32_t link)
{
    struct finding_subject port = subject_port(mac, 0, link);

    return g_bytes_new(&port, sizeof(port));
}

static void add_host(struct ports *p, const uint8_t mac[6], uint32_t link,
                     const struct flow_endpoint *end)
{
    GBytes *key = port_key(mac, link);
    struct host *host = g_hash_table_lookup(p->hosts, key);

    if (host == NULL) {
        host = g_new0(struct host, 1);
        host->end = *end;
        g_hash_table_insert(p->hosts, g_bytes_ref(key), host);
    }
    if (memcmp(host->end.address, end->address, sizeof(end->address)) != 0)
        host->several = true;
    g_bytes_unref(key);
}

static void look_for_hosts(void *context, const struct direction *d)
{
    const struct flow_path *path = d->sent->path;
    struct ports *p = context;

    if (!path->has_mac)
        return;
    add_host(p, path->src_mac, path->interface, d->from);
    add_host(p, path->dst_mac, path->interface, d->to);
}

static const struct host *host_of(const struct ports *p, const uint8_t mac[6], uint32_t link)
{
    GBytes *key = port_key(mac, link);
    const struct host *host = g_hash_table_lookup(p->hosts, key);

    g_bytes_unref(key);
    return host;
}

/* "00:11:22:33:44:55 (10.0.0.1)": the port, and the host behind it where data shows that */
static char *port_text(const struct ports *p, const struct pause_row *r)
{
    const struct host *host = host_of(p, r->source, r->link);
    struct say mac = say_mac(r->source);
    char address[64];

    if (host != NULL)
        connection_address_text(&host->end, address, sizeof(address));
    return host == NULL ? g_strdup_printf("%s (no data names it: a switch, or a host that is not "
                                          "here)",
                                          mac.text)
           : host->several ? g_strdup_printf("%s (several addresses use it: a router)", mac.text)
                           : g_strdup_printf("%s (%s)", mac.text, address);
}

/* Whom it paused: the one that sends to a host, or the host at a switch's port */
static char *partner_text(const struct ports *p, const struct pause_row *r)
{
    GString *text = g_string_new("its link partner");

    for (unsigned i = 0; i < r->partners; i++) {
        const struct host *host = host_of(p, r->partner[i], r->link);
        char address[64];

        if (host != NULL && !host->several)
            connection_address_text(&host->end, address, sizeof(address));
        g_string_append_printf(text, "%s%s",
                               i > 0             ? " or "
                               : r->partners > 1 ? ", either "
                                                 : " ",
                               host != NULL && !host->several ? address
                                                              : say_mac(r->partner[i]).text);
    }
    g_string_append(text, r->partners > 1 ? "," : "");
    return g_string_free(text, FALSE);
}

static char *priority_text(const struct pause_row *r)
{
    return r->priority == PAUSE_GLOBAL ? g_strdup("all priorities")
                                       : g_strdup_printf("priority %d", r->priority);
}

/* "priority 3 of its link partner 10.0.0.1" */
static char *paused_text(const struct ports *p, const struct pause_row *r)
{
    char *priority = priority_text(r), *partner = partner_text(p, r);
    char *text = g_strdup_printf("%s of %s", priority, partner);

    g_free(priority);
    g_free(partner);
    return text;
}

/* A finding about a port: at fault is the port; it lasts from its first XOFF on. */
static struct finding port_finding(const struct ports *p, const struct pause_row *r,
                                   enum finding_id id, const struct first_frames *frames)
{
    struct finding f = finding_of(id, frames);
    char *port = port_text(p, r);

    f.subject = subject_port(r->source, r->priority, r->link);
    f.who = g_strdup_printf("port %s, or what keeps it from taking packets", port);
    f.from_ns = r->first_xoff_ns;
    f.to_ns = r->paused_at_end ? p->in->capture->last_time_ns : r->last_end_ns;
    f.sum_ns = r->paused_ns;
    f.at_most = r->estimate;
    f.end = r->paused_at_end ? FINDING_BROKEN : FINDING_RECOVERED;
    if (r->in_vain || (r->estimate && r->paused_at_end &&
                       !r->refreshed)) { /* how long a single XOFF lasts is not known */
        f.end = FINDING_UNSAID;
        f.to_ns = f.from_ns;
    }
    g_free(port);
    return f;
}

/* No load here is more than the slowest link carries: the rate is that one's, which is a guess. */
static bool rate_is_guess(const struct pause_row *r)
{
    return r->estimate && r->rate.bps <= link_rates[0];
}

/* To stand behind a time */
static struct say at_most(const struct pause_row *r)
{
    struct say s = {.text = ""};

    if (rate_is_guess(r))
        g_strlcpy(s.text, " (at most: the link rate is a guess)", sizeof(s.text));
    else if (r->estimate)
        g_snprintf(s.text, sizeof(s.text), " (at most: rate inferred, %s or more)",
                   say_rate((double)r->rate.bps).text);
    return s;
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

/* How the host behind a port is known */
static char *proof_text(const struct ports *p, const struct pause_row *r)
{
    const struct host *host = host_of(p, r->source, r->link);
    char address[64];

    if (host == NULL || host->several)
        return g_strdup("");
    connection_address_text(&host->end, address, sizeof(address));
    return g_strdup_printf(" Data with that MAC address is of %s (behind a router it would be the "
                           "router's).",
                           address);
}

/* ------------------------------------------------------------------ rules */

static void storm(struct ports *p, const struct pause_row *r)
{
    struct first_frames frames = frames_of(&r->frames);
    char *port, *paused;
    struct finding f;

    if (r->storms == 0 || (r->estimate && r->xoff_frames < 2))
        return;
    if (r->storm_frame != 0)
        frames = (struct first_frames){1, {r->storm_frame}};
    port = port_text(p, r);
    paused = paused_text(p, r);
    f = port_finding(p, r, FINDING_PFC_STORM, &frames);
    if (r->estimate)
        f.severity = SEVERITY_WARNING;
    f.value = report_count((uint64_t)r->longest_ns);
    f.limit = report_count(STORM_LIMIT_NS);
    f.weight = (uint64_t)r->longest_ns;
    f.why = g_strdup_printf("%s paused %s for up to %s without a break%s.%s", port, paused,
                            say_span(p->in->capture, r->longest_ns).text, at_most(r).text,
                            r->paused_at_end ? " It was still paused at the end." : "");
    append(&f, proof_text(p, r));
    findings_add(p->out, &f);
    g_free(port);
    g_free(paused);
}

static void unreleased(struct ports *p, const struct pause_row *r)
{
    int64_t ns = p->in->capture->last_time_ns - r->paused_since_ns;
    struct first_frames frames = {1, {r->paused_since_frame}};
    char *port, *paused;
    struct finding f;

    if (!r->paused_at_end || !r->refreshed || ns < UNRELEASED_LIMIT_NS)
        return;
    port = port_text(p, r);
    paused = paused_text(p, r);
    f = port_finding(p, r, FINDING_PFC_UNRELEASED, &frames);
    f.from_ns = r->paused_since_ns;
    f.sum_ns = 0;
    f.value = report_count((uint64_t)ns);
    f.limit = report_count(UNRELEASED_LIMIT_NS - 1);
    f.weight = (uint64_t)ns;
    f.brief = g_strdup("not released at the end");
    f.why = g_strdup_printf("%s paused %s without a break for the last %s%s, "
                            "up to %s%s.",
                            port, paused, say_span(p->in->capture, ns).text, at_most(r).text,
                            capture_end(p->in->capture),
                            ns < STORM_LIMIT_NS ? "; as it goes on, this becomes a PFC storm (200 "
                                                  "ms)"
                                                : "");
    append(&f, proof_text(p, r));
    findings_add(p->out, &f);
    g_free(port);
    g_free(paused);
}

static void mutual(struct ports *p, const struct pause_row *r)
{
    struct first_frames frames = frames_of(&r->mutual);
    char *port, *priority;
    struct finding f;

    if (!r->has_mutual || memcmp(r->source, r->mutual_with, 6) > 0) /* one finding a pair */
        return;
    port = port_text(p, r);
    priority = priority_text(r);
    f = port_finding(p, r, FINDING_MUTUAL_PAUSE, &frames);
    f.target = subject_port(r->mutual_with, r->priority, r->link);
    g_free(f.who);
    f.who = g_strdup_printf("ports %s and %s together", port, say_mac(r->mutual_with).text);
    f.value = report_count(r->mutual.count);
    f.limit = report_count(0);
    f.weight = r->mutual.count;
    f.why = g_strdup_printf("%s paused %s of %s while that paused it.", port, priority,
                            say_mac(r->mutual_with).text);
    findings_add(p->out, &f);
    g_free(port);
    g_free(priority);
}

static void link_pause(struct ports *p, const struct pause_row *r)
{
    struct first_frames frames = frames_of(&r->frames);
    struct finding f;
    char *port;

    if (r->priority != PAUSE_GLOBAL || p->in->capture->rdma_packets == 0)
        return;
    port = port_text(p, r);
    f = port_finding(p, r, FINDING_LINK_PAUSE, &frames);
    f.value = report_count(r->xoff_frames + r->xon_frames);
    f.limit = report_count(0);
    f.weight = r->xoff_frames;
    f.why = g_strdup_printf("%s sent %s, which stop all priorities of a link that carries RDMA.",
                            port, say_many(r->xoff_frames + r->xon_frames, "PAUSE frame").text);
    findings_add(p->out, &f);
    g_free(port);
}

static int64_t silence_ns(const struct pause_row *r, uint32_t victim)
{
    return r->victim_to_ns[victim] - r->victim_from_ns[victim];
}

/* "connections 1, 4 fell silent (longest ...)"; a single one is also told in `only` */
static char *victims_text(const struct analysis_input *in, const struct pause_row *r,
                          uint32_t *only)
{
    GString *text = g_string_new(NULL);
    uint32_t index, before = UINT32_MAX, count = 0, longest = 0;
    bool a_to_b;

    for (uint32_t i = 0; i < r->victim_count && i < PAUSE_VICTIMS && count <= VICTIMS_SHOWN; i++) {
        if (!flow_stream_connection(in->engine, r->victims[i], &index, &a_to_b) || index == before)
            continue;
        before = index;
        if (silence_ns(r, i) > silence_ns(r, longest))
            longest = i;
        if (++count <= VICTIMS_SHOWN)
            g_string_append_printf(text, "%s%u", count > 1 ? ", " : "", index + 1);
    }
    if (count == 1)
        *only = before + 1;
    if (count > 0) {
        g_string_prepend(text, count == 1 ? "connection " : "connections ");
        g_string_append(text, count > VICTIMS_SHOWN ? " and more fell silent" : " fell silent");
        g_string_append_printf(text, "%s %s, from %s on", count > 1 ? ", one of them for" : " for",
                               say_span(in->capture, silence_ns(r, longest)).text,
                               say_since_start(in->capture, r->victim_from_ns[longest]).text);
    }
    return g_string_free(text, FALSE);
}

/* A pause of a priority that no data here names: which one the hosts and switches give to data is
 * their configuration */
static char *unseen_text(const struct ports *p, const struct pause_row *r)
{
    if (r->priority == PAUSE_GLOBAL || r->priority_from != NULL ||
        p->in->capture->rdma_packets == 0)
        return NULL;
    return g_strdup_printf(" No data here is marked for priority %d; whether any was held back is "
                           "not known.",
                           r->priority);
}

/* Of the capture it was paused for so much; negative: not known */
static double paused_share(const struct pause_row *r)
{
    return rate_is_guess(r) ? -1 : r->paused_pct;
}

/* Behind the frames that pause */
static char *paused_time_text(const struct ports *p, const struct pause_row *r)
{
    double share = paused_share(r);

    if (r->in_vain)
        return g_strdup("; how long is not known: packets of that priority to that port went on as "
                        "before, so it was over at once, or not meant for their sender");
    if (r->paused_ns == 0)
        return g_strdup("; the capture ends with it");
    return g_strdup_printf(" for %s in all%s%s%s%s", say_span(p->in->capture, r->paused_ns).text,
                           share >= 0 ? ", " : "", share >= 0 ? say_pct(share).text : "",
                           share >= 0 ? " of the capture" : "", at_most(r).text);
}

static void paused(struct ports *p, const struct pause_row *r)
{
    struct first_frames frames = frames_of(&r->frames);
    char *port, *paused, *victims, *lasted;
    struct finding f;

    if (r->xoff_frames == 0)
        return;
    port = port_text(p, r);
    paused = paused_text(p, r);
    f = port_finding(p, r, FINDING_PFC_PAUSE, &frames);
    if (paused_share(r) > PAUSED_LIMIT_PCT && (!r->estimate || r->xoff_frames > 1))
        f.severity = SEVERITY_WARNING;
    f.value = paused_share(r) >= 0 ? report_pct(paused_share(r)) : report_none();
    f.limit = report_pct(PAUSED_LIMIT_PCT);
    f.weight = (uint64_t)r->paused_ns;
    lasted = paused_time_text(p, r);
    f.why = g_strdup_printf("%s paused %s by %s%s.", port, paused,
                            say_many(r->xoff_frames, "XOFF frame").text, lasted);
    g_free(lasted);
    append(&f, p->several && r->first_xoff_frame == p->first_frame ? g_strdup(" It paused first.")
                                                                   : NULL);
    victims = victims_text(p->in, r, &f.connection);
    lasted = r->in_vain
                 ? g_strdup("a pause that held nothing up")
                 : g_strdup_printf("%s of pause", say_span(p->in->capture, r->paused_ns).text);
    f.brief =
        g_strdup_printf("%s by %s of %s%s%s", lasted, say_many(r->xoff_frames, "XOFF frame").text,
                        say_mac(r->source).text, victims[0] != '\0' ? "; " : "", victims);
    g_free(lasted);
    append(&f, victims[0] != '\0' ? g_strdup_printf(" Meanwhile %s.", victims) : NULL);
    g_free(victims);
    append(&f, proof_text(p, r));
    append(&f, unseen_text(p, r));
    f.of_victim = true;
    findings_add(p->out, &f);
    g_free(port);
    g_free(paused);
}

static void ignored(struct ports *p, const struct pause_row *r)
{
    struct first_frames frames = {r->violations.frame != 0, {r->violations.frame}};
    struct finding f;
    char *port;

    if (r->violations.violations == 0)
        return;
    port = port_text(p, r);
    f = port_finding(p, r, FINDING_PAUSE_IGNORED, &frames);
    g_free(f.who);
    f.who = g_strdup_printf("the link partner of %s, which does not stop", port);
    f.value = report_count(r->violations.violations);
    f.limit = report_count(0);
    f.weight = r->violations.violations;
    f.why = g_strdup_printf("%s %s sent to %s while it paused.",
                            say_many(r->violations.violations, "packet").text,
                            say_verb(r->violations.violations, "was", "were"), port);
    findings_add(p->out, &f);
    g_free(port);
}

static void look_who_was_first(void *context, const struct pause_row *r)
{
    struct ports *p = context;

    if (r->first_xoff_frame == 0)
        return;
    if (p->first_frame == 0)
        memcpy(p->any, r->source, 6);
    p->several = p->several || memcmp(p->any, r->source, 6) != 0;
    if (p->first_frame == 0 || r->first_xoff_frame < p->first_frame)
        p->first_frame = r->first_xoff_frame;
}

static void look_at_port(void *context, const struct pause_row *r)
{
    storm(context, r);
    unreleased(context, r);
    mutual(context, r);
    link_pause(context, r);
    ignored(context, r);
    paused(context, r);
}

static void pauses(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    struct ports p = {.in = in, .out = out};
    const void *state = analysis_run_state(in->run, &an_pause);

    (void)gathered;
    if (state == NULL || pause_row_count(state) == 0)
        return;
    p.hosts = g_hash_table_new_full(keyed_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                                    g_free);
    directions_visit(in->engine, look_for_hosts, &p);
    pause_rows(state, in, look_who_was_first, &p);
    pause_rows(state, in, look_at_port, &p);
    g_hash_table_destroy(p.hosts);
}

const struct capture_rule pause_rules[] = {{.raise = pauses}, {0}};
