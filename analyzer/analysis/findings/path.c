/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Findings about the way that packets take: priority, path MTU, TTL, source ports, MAC addresses.
 */
#include "analysis/connections.h"
#include "analysis/findings/rules.h"
#include "analysis/mtu.h"
#include "analysis/paths.h"
#include "analysis/priority.h"

enum {
    QPS_LIMIT = 4,   /* between two hosts: with fewer there is nothing to spread */
    COPIES_PCT = 25, /* of the packets of a direction: both are captured at two places */
};

static struct first_frames one_frame(uint64_t frame)
{
    return (struct first_frames){frame != 0, {frame}};
}

/* ------------------------------------------------------------------ of one direction */

static void priority_changes(const struct sight *s, struct findings *out)
{
    const struct flow_path *p = s->sent->path;
    struct first_frames frames;
    struct finding f;

    if (p == NULL || p->changes == NULL || p->changes->priority_changes == 0)
        return;
    frames = one_frame(p->changes->priority_frame);
    f = sight_finding(s, FINDING_PRIORITY_CHANGES, &frames);
    f.value = report_count(p->changes->priority_changes);
    f.limit = report_count(0);
    f.weight = p->changes->priority_changes;
    f.who = g_strdup_printf("%s, or a device that rewrites its packets", sight_from(s).text);
    f.why = g_strdup_printf("The priority of packets from %s changed %s.", sight_from(s).text,
                            say_many(p->changes->priority_changes, "time").text);
    findings_add(out, &f);
}

static char *priority_text(const struct flow_path *p)
{
    unsigned pcp = p->pcp[FLOW_CLASS_DATA];

    return pcp == FLOW_UNTAGGED ? g_strdup_printf("DSCP %u", p->dscp[FLOW_CLASS_DATA])
                                : g_strdup_printf("PCP %u", pcp);
}

/* A mirror may tag one direction only: PCPs are compared when both have one */
static bool same_priority(const struct flow_path *a, const struct flow_path *b)
{
    if (a->pcp[FLOW_CLASS_DATA] != FLOW_UNTAGGED && b->pcp[FLOW_CLASS_DATA] != FLOW_UNTAGGED &&
        a->pcp[FLOW_CLASS_DATA] != b->pcp[FLOW_CLASS_DATA])
        return false;
    return a->dscp[FLOW_CLASS_DATA] == b->dscp[FLOW_CLASS_DATA];
}

static void mixed_priority(const struct sight *s, struct findings *out)
{
    const struct flow_path *p = s->sent->path, *q = s->back->path;
    struct first_frames frames = one_frame(s->c->first_frame);
    char *mine, *theirs;
    struct finding f;

    if (!s->a_to_b || p == NULL || q == NULL || p->pcp_seen[FLOW_CLASS_DATA] == 0 ||
        q->pcp_seen[FLOW_CLASS_DATA] == 0 || same_priority(p, q))
        return;
    mine = priority_text(p);
    theirs = priority_text(q);
    f = sight_finding(s, FINDING_MIXED_PRIORITY, &frames);
    f.value = report_count(2);
    f.limit = report_count(1);
    f.weight = s->n->packets;
    f.who = g_strdup_printf("the settings of %s or of %s", sight_from(s).text, sight_to(s).text);
    f.why = g_strdup_printf("%s sends data with %s, %s with %s.", sight_from(s).text, mine,
                            sight_to(s).text, theirs);
    findings_add(out, &f);
    g_free(mine);
    g_free(theirs);
}

/* CNPs in the sent direction, about data of the other one */
static void tell_cnp_priority(const struct sight *s, struct finding *f)
{
    f->who = g_strdup_printf("the settings of %s", sight_from(s).text);
    f->why = g_strdup_printf("%s of %s went with the priority of the data of %s.",
                             say_many(s->n->cnps_sent, "CNP").text, sight_from(s).text,
                             sight_to(s).text);
}

static void cnp_priority(const struct sight *s, struct findings *out)
{
    struct finding f;

    if (s->n->cnps_sent == 0 || !priority_cnp_on_data(s->sent, s->back))
        return;
    f = sight_finding(s, FINDING_CNP_ON_DATA_PRIORITY, sight_frames(s, EVIDENCE_CNP));
    f.value = report_count(s->n->cnps_sent);
    f.limit = report_count(0);
    f.weight = s->n->cnps_sent;
    f.tell = tell_cnp_priority;
    findings_add(out, &f);
}

static bool comes_twice(const struct flow_counters *n)
{
    return share_pct(n->duplicates, n->packets) >= COPIES_PCT;
}

/* At two places, maybe on both sides of a router: each has its TTL and its MAC addresses */
static bool captured_twice(const struct sight *s)
{
    struct flow_summary summary;

    flow_summary_get(s->in->engine, &summary);
    return summary.captured_twice || comes_twice(s->n) ||
           (s->back->counters != NULL && comes_twice(s->back->counters));
}

static void path_change(const struct sight *s, struct findings *out)
{
    const struct flow_path_changes *n = s->sent->path != NULL ? s->sent->path->changes : NULL;
    struct first_frames frames;
    struct finding f;

    if (n == NULL || n->ttl_changes == 0 || captured_twice(s))
        return;
    frames = one_frame(n->ttl_frame);
    f = sight_finding(s, FINDING_PATH_CHANGE, &frames);
    f.value = report_count(n->ttl_changes);
    f.limit = report_count(0);
    f.weight = n->ttl_changes;
    f.why = g_strdup_printf("The TTL of packets from %s changed %s, between %u and %u.",
                            sight_from(s).text, say_many(n->ttl_changes, "time").text, n->ttl_min,
                            n->ttl_max);
    findings_add(out, &f);
}

static void second_mac(const struct sight *s, struct findings *out)
{
    const struct flow_path_changes *n = s->sent->path != NULL ? s->sent->path->changes : NULL;
    struct first_frames frames;
    struct finding f;

    if (n == NULL || n->src_mac_frame == 0 || captured_twice(s))
        return;
    frames = one_frame(n->src_mac_frame);
    f = sight_finding(s, FINDING_SECOND_SOURCE_MAC, &frames);
    f.value = report_count(2);
    f.limit = report_count(1);
    f.weight = 1;
    f.why = g_strdup_printf("%s sends from %s too.", sight_from(s).text, say_mac(n->src_mac).text);
    findings_add(out, &f);
}

static void append_mtu(GString *why, bool holds, const char *count, const char *text)
{
    if (holds)
        g_string_append_printf(why, "%s%s%s", why->len > 0 ? "; " : "", count, text);
}

static void mtu_trouble(const struct sight *s, struct findings *out)
{
    struct direction d = {.connection = s->c->id,
                          .sent = s->sent,
                          .other = s->back,
                          .transport = s->c->transport,
                          .service = s->c->service,
                          .pmtu_bytes = s->c->pmtu_bytes};
    struct first_frames frames;
    struct mtu_trouble t;
    struct finding f;
    GString *why;

    if (s->sent->path == NULL || s->v.psn != NULL || !mtu_trouble_of(&d, &t) ||
        (!s->a_to_b && t.larger + t.smaller == 0 && !t.differs_from_cm))
        return;
    frames = one_frame(t.larger_frame != 0    ? t.larger_frame
                       : t.smaller_frame != 0 ? t.smaller_frame
                                              : s->c->first_frame);
    f = sight_finding(s, FINDING_MTU_TROUBLE, &frames);
    f.value = report_count(t.larger + t.smaller);
    f.limit = report_count(0);
    f.weight = t.larger + t.smaller;
    why = g_string_new(NULL);
    append_mtu(why, t.larger > 0, say_many(t.larger, "packet").text, " above the path MTU");
    append_mtu(why, t.smaller > 0, say_many(t.smaller, "packet").text, " that do not fill it");
    append_mtu(why, t.differs_from_cm, "", "other than CM announced");
    append_mtu(why, t.differs_by_direction, "", "the two directions differ");
    f.why = g_strdup_printf("From %s, path MTU %u: %s.", sight_from(s).text, s->c->pmtu_bytes,
                            why->str);
    g_string_free(why, TRUE);
    findings_add(out, &f);
}

/* ------------------------------------------------------------------ of the capture */

static void fragments(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct tally *t = mtu_fragments(in->run);
    struct first_frames frames = {.count = (size_t)MIN(t->count, FIRST_FRAMES)};
    struct finding f;

    (void)gathered;
    if (t->count == 0)
        return;
    memcpy(frames.frames, t->frames, frames.count * sizeof(*frames.frames));
    f = finding_of(FINDING_IP_FRAGMENTS, &frames);
    f.value = report_count(t->count);
    f.limit = report_count(0);
    f.weight = t->count;
    f.why = g_strdup_printf("%s came as IP fragments.", say_many(t->count, "packet").text);
    findings_add(out, &f);
}

static void low_entropy(const struct analysis_input *in, const void *gathered, struct findings *out)
{
    const struct paths *paths = paths_of(in->run);

    (void)gathered;
    for (size_t i = 0; i < paths->pair_count; i++) {
        const struct path_pair *pair = &paths->pairs[i];
        struct flow_endpoint from = {.address_kind = pair->address_kind};
        struct flow_endpoint to = from;
        char texts[2][64];
        struct finding f;

        if (pair->qps < QPS_LIMIT || pair->ports * QPS_LIMIT > pair->qps)
            continue;
        memcpy(from.address, pair->src, sizeof(from.address));
        memcpy(to.address, pair->dst, sizeof(to.address));
        connection_address_text(&from, texts[0], sizeof(texts[0]));
        connection_address_text(&to, texts[1], sizeof(texts[1]));
        f = finding_of(FINDING_LOW_ENTROPY, NULL);
        f.value = report_count(pair->ports);
        f.limit = report_count(pair->qps / QPS_LIMIT);
        f.weight = pair->bytes;
        f.who = g_strdup_printf("the adapter of %s, which chooses the ports", texts[0]);
        f.why = g_strdup_printf("%s from %s to %s use %s: worth %s.",
                                say_many(pair->qps, "queue pair").text, texts[0], texts[1],
                                say_many(pair->ports, "source port").text,
                                pair->effective < 1.5 ? "one path" : "a few paths");
        findings_add(out, &f);
    }
}

static void default_priority(const struct analysis_input *in, const void *gathered,
                             struct findings *out)
{
    struct priority_count n = priority_default_data(priority_counts(in->run));
    struct first_frames frames = one_frame(n.frame);
    struct finding f;

    (void)gathered;
    if (n.packets == 0)
        return;
    f = finding_of(FINDING_DEFAULT_PRIORITY, &frames);
    f.value = report_count(n.packets);
    f.limit = report_count(0);
    f.weight = n.packets;
    f.why = g_strdup_printf("%s %s no priority.", say_many(n.packets, "data packet").text,
                            say_verb(n.packets, "carries", "carry"));
    findings_add(out, &f);
}

const struct direction_rule path_rules[] = {
    {.raise = priority_changes},
    {.raise = mixed_priority},
    {cnp_priority, WITH(cnps_sent)},
    {.raise = path_change},
    {.raise = second_mac},
    {.raise = mtu_trouble},
    {0},
};
const struct capture_rule path_capture_rules[] = {
    {.raise = fragments}, {.raise = low_entropy}, {.raise = default_priority}, {0}};
