/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs the rules, keeps what they raise, and puts it into order (see findings.h).
 */
#include "analysis/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/connections.h"
#include "analysis/findings/rules.h"

enum {
    KEPT_OF_A_KIND = 64, /* the worst of each */
};

const struct finding_kind finding_kinds[FINDING_COUNT] = {
#define FINDING_ROW(name, id, severity, title, meaning, next)                                      \
    [FINDING_##name] = {id, title, meaning, next, SEVERITY_##severity},
    FINDING_LIST(FINDING_ROW)
#undef FINDING_ROW
};

const char *const finding_severities[SEVERITY_COUNT] = {
    [SEVERITY_NOTE] = "note", [SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

struct findings {
    GArray *list; /* of struct finding */
    uint64_t counts[FINDING_COUNT];
    guint kept[FINDING_COUNT]
              [KEPT_OF_A_KIND]; /* where they stand in the list, until it is sorted */
    const struct analysis_input *in;
    GArray *gatherings;      /* of struct gathering; until all is found */
    struct findings *of_one; /* of the connection that is looked at; the same */
};

static const struct direction_rule *const direction_rules[] = {
    loss_rules,       recovery_rules, damage_rules, refusal_rules,
    congestion_rules, path_rules,     iwarp_rules};
enum {
    RULES_OF_ORDER = 2, /* the first so many tell nothing where packets are not in order */
    RULES_OF_ALL = G_N_ELEMENTS(direction_rules) - 1, /* those behind are for iWARP only */
};
static const struct capture_rule *const whole_rules[] = {capture_rules, pause_rules, ecn_rules,
                                                         path_capture_rules, fabric_rules};

static void look(struct findings *f, const struct flow_connection *c);
static void take_over(struct findings *of_one, struct findings *out);
static void put_in_order(GArray *list);
static void finding_clear(struct finding *f);

/* A rule about the whole capture, and what it gathers of the connections */
struct gathering {
    const struct capture_rule *rule;
    void *gathered;
};

static GArray *gatherings_new(void)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(struct gathering));

    for (size_t k = 0; k < G_N_ELEMENTS(whole_rules); k++) {
        for (const struct capture_rule *rule = whole_rules[k]; rule->raise != NULL; rule++) {
            struct gathering g = {rule, g_malloc0(rule->gathered_size)};

            g_array_append_val(list, g);
        }
    }
    return list;
}

static struct findings *list_new(const struct analysis_input *in)
{
    struct findings *f = g_new0(struct findings, 1);

    f->in = in;
    f->list = g_array_new(FALSE, FALSE, sizeof(struct finding));
    return f;
}

struct findings *findings_new(const struct analysis_input *in)
{
    struct findings *f = list_new(in);

    f->of_one = list_new(in);
    f->gatherings = gatherings_new();
    return f;
}

void findings_look(struct findings *f, const struct flow_connection *c)
{
    look(f, c);
    for (guint k = 0; k < f->gatherings->len; k++) {
        const struct gathering *g = &g_array_index(f->gatherings, struct gathering, k);

        if (g->rule->look != NULL)
            g->rule->look(g->gathered, f->in, c);
    }
}

void findings_end(struct findings *f)
{
    for (guint k = 0; k < f->gatherings->len; k++) {
        const struct gathering *g = &g_array_index(f->gatherings, struct gathering, k);

        g->rule->raise(f->in, g->gathered, f);
        g_free(g->gathered);
    }
    g_array_free(f->gatherings, TRUE);
    findings_free(f->of_one);
    f->of_one = NULL;
    put_in_order(f->list);
}

void findings_free(struct findings *findings)
{
    if (findings == NULL)
        return;
    for (guint i = 0; i < findings->list->len; i++)
        finding_clear(&g_array_index(findings->list, struct finding, i));
    g_array_free(findings->list, TRUE);
    g_free(findings);
}

static void finding_clear(struct finding *f)
{
    g_free(f->why);
    g_free(f->who);
    g_free(f->doubt);
    g_free(f->brief);
}

/* What the rounds say about the reason of resends; TCP has some only where nobody answered */
static uint8_t class_of_resends(const struct sight *s)
{
    const struct round_sums *rounds = s->rounds;
    uint64_t packets =
        s->c->transport == RDC_TRANSPORT_IWARP ? s->n->retransmitted_packets : rounds->packets;

    return rounds->outages.packets * 2 > packets   ? FINDING_OF_SILENCE
           : rounds->packets_refused * 2 > packets ? FINDING_OF_REFUSAL
                                                   : FINDING_OF_LOSS;
}

/* What one direction shows beside its counters */
struct shown {
    struct round_sums room;
    const struct round_sums *rounds;
    const struct evidence_stream *proof;
};

static void show(const struct analysis_input *in, uint32_t stream, struct shown *shown)
{
    static const struct evidence_stream no_proof;
    static const struct round_sums no_rounds;

    shown->proof = evidence_of(in->evidence, stream);
    shown->rounds = evidence_rounds(in->evidence, stream, &shown->room);
    if (shown->proof == NULL)
        shown->proof = &no_proof;
    if (shown->rounds == NULL)
        shown->rounds = &no_rounds;
}

static void look_at_direction(const struct sight *s, struct findings *out)
{
    size_t first = s->in->capture->overlap_count > 0 ? RULES_OF_ORDER : 0;
    size_t end = s->sent->iwarp != NULL ? G_N_ELEMENTS(direction_rules) : RULES_OF_ALL;

    for (size_t k = first; k < end; k++)
        for (const struct direction_rule *rule = direction_rules[k]; rule->raise != NULL; rule++)
            if (*(const uint64_t *)(const void *)((const char *)s->n + rule->counter) != 0)
                rule->raise(s, out);
}

static void look(struct findings *f, const struct flow_connection *c)
{
    const struct analysis_input *in = f->in;
    const struct flow_direction *const directions[2] = {&c->a_to_b, &c->b_to_a};
    struct shown shown[2];
    struct sight sights[2];

    show(in, c->a_to_b.stream, &shown[0]);
    show(in, c->b_to_a.stream, &shown[1]);
    for (unsigned k = 0; k < 2; k++) {
        const struct flow_direction *sent = directions[k], *back = directions[1 - k];
        const struct flow_endpoint *to = k == 0 ? &c->b : &c->a;

        if (sent->counters == NULL)
            continue;
        sights[k] = (struct sight){.in = in,
                                   .c = c,
                                   .sent = sent,
                                   .back = back,
                                   .n = sent->counters,
                                   .proof = shown[k].proof,
                                   .proof_back = shown[1 - k].proof,
                                   .rounds = shown[k].rounds,
                                   .rounds_back = shown[1 - k].rounds,
                                   .v = visibility_of(c, sent, back),
                                   .stream = subject_stream(sent->stream),
                                   .stream_back = subject_stream(back->stream),
                                   .receiver = subject_host(to->address_kind, to->address),
                                   .a_to_b = k == 0};
        sights[k].resends = class_of_resends(&sights[k]);
        look_at_direction(&sights[k], f->of_one);
    }
    if (f->of_one->list->len > 0)
        take_over(f->of_one, f);
}

/* ------------------------------------------------------------------ what rules raise */

static struct say say_address(const struct flow_endpoint *end)
{
    struct say say = {""};

    connection_address_text(end, say.text, sizeof(say.text));
    return say;
}

struct say sight_from(const struct sight *s)
{
    return say_address(s->a_to_b ? &s->c->a : &s->c->b);
}

struct say sight_to(const struct sight *s)
{
    return say_address(s->a_to_b ? &s->c->b : &s->c->a);
}

struct finding finding_of(enum finding_id id, const struct first_frames *frames)
{
    struct finding f = {.id = (uint8_t)id,
                        .severity = finding_kinds[id].severity,
                        .connections = 1,
                        .cause = FINDING_NO_CAUSE,
                        .value = report_none(),
                        .limit = report_none()};

    if (frames != NULL)
        f.frames = *frames;
    return f;
}

struct finding sight_finding(const struct sight *s, enum finding_id id,
                             const struct first_frames *frames)
{
    struct finding f = finding_of(id, frames);

    f.connection = s->c->id;
    f.subject = s->stream;
    f.target = s->receiver;
    f.resends = s->resends;
    f.sight = s;
    return f;
}

void sight_span(const struct sight *s, const struct round_sums *requester, enum round_spans which,
                struct finding *f)
{
    const struct flow_direction *sent = requester == s->rounds ? s->sent : s->back;
    const struct round_span *span = &requester->spans[which];
    bool known = span->rounds > 0 && s->c->transport != RDC_TRANSPORT_IWARP;

    if (known) {
        f->from_ns = span->from_ns;
        f->to_ns = span->to_ns;
    }
    if (s->c->a_to_b.counters == NULL || s->c->b_to_a.counters == NULL)
        return;
    if (!known) { /* TCP has none but where nobody answered */
        if (s->sent->times != NULL && s->sent->times->recovery.count > 0)
            f->end = FINDING_RECOVERED;
        return;
    }
    if (span->recovered)
        f->end = FINDING_RECOVERED;
    else if (sent->last_ns <= span->last_ns && span->trigger != FLOW_TRIGGER_READ)
        f->end = FINDING_BROKEN; /* it sent nothing since; a READ may be answered behind here */
    if (f->end == FINDING_BROKEN || f->to_ns > s->in->capture->last_time_ns)
        f->to_ns = s->in->capture->last_time_ns;
}

struct finding_subject subject_stream(uint32_t stream)
{
    struct finding_subject subject = {.kind = 1};

    memcpy(subject.bytes, &stream, sizeof(stream));
    return subject;
}

struct finding_subject subject_port(const uint8_t mac[6], int priority, uint32_t link)
{
    struct finding_subject subject = {.kind = 2, .bytes = {[6] = (uint8_t)priority}};

    memcpy(subject.bytes, mac, 6);
    memcpy(subject.bytes + 7, &link, sizeof(link));
    return subject;
}

struct finding_subject subject_host(uint8_t address_kind, const uint8_t address[16])
{
    struct finding_subject subject = {.kind = 3, .bytes = {address_kind}};

    memcpy(subject.bytes + 1, address, 16);
    return subject;
}

void gather(struct gathered *g, const struct flow_connection *c, uint64_t n,
            const struct first_frames *frames)
{
    if (n == 0)
        return;
    g->sum += n;
    g->connections++;
    if (n <= g->most)
        return;
    g->most = n;
    g->worst = c->id;
    g->frames = frames != NULL ? *frames : (struct first_frames){1, {c->first_frame}};
}

struct finding gathered_finding(enum finding_id id, const struct gathered *g)
{
    struct finding f = finding_of(id, &g->frames);

    f.connections = g->connections;
    f.connection = g->connections == 1 ? g->worst : 0;
    f.example = g->worst;
    f.value = report_count(g->sum);
    f.limit = report_count(0);
    f.weight = g->sum;
    return f;
}

static bool is_lighter(const struct finding *a, const struct finding *b)
{
    return a->severity != b->severity ? a->severity < b->severity : a->weight < b->weight;
}

/* Of a kind that is found very often only the worst are kept: where this one is to stand, or NULL
 */
static struct finding *place_for(struct findings *findings, const struct finding *finding)
{
    struct finding *list, *lightest;
    guint *kept = findings->kept[finding->id];

    if (findings->counts[finding->id] < KEPT_OF_A_KIND) {
        kept[findings->counts[finding->id]++] = findings->list->len;
        g_array_set_size(findings->list, findings->list->len + 1);
        return &g_array_index(findings->list, struct finding, findings->list->len - 1);
    }
    findings->counts[finding->id]++;
    list = (struct finding *)(void *)findings->list->data;
    lightest = &list[kept[0]];
    for (unsigned i = 1; i < KEPT_OF_A_KIND; i++)
        if (is_lighter(&list[kept[i]], lightest))
            lightest = &list[kept[i]];
    if (!is_lighter(lightest, finding))
        return NULL;
    finding_clear(lightest);
    return lightest;
}

void findings_add(struct findings *findings, const struct finding *finding)
{
    struct finding *place = place_for(findings, finding), refused;

    if (place == NULL)
        place = &refused;
    *place = *finding;
    if (place == &refused)
        finding_clear(&refused);
}

/* By kind; losses on either side of the capture point are alike */
static unsigned rank(const struct finding *f)
{
    return f->id == FINDING_LOSS_AFTER_TAP ? FINDING_LOSS_BEFORE_TAP : f->id;
}

static int by_harm(gconstpointer a, gconstpointer b)
{
    const struct finding *x = a, *y = b;

    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (rank(x) != rank(y))
        return rank(x) < rank(y) ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->connection != y->connection)
        return x->connection < y->connection ? -1 : 1;
    return x->serial < y->serial ? -1 : x->serial > y->serial;
}

static void keep(struct finding *f, struct findings *out)
{
    struct finding *place = place_for(out, f);

    if (place == NULL) {
        finding_clear(f);
        return;
    }
    if (f->tell != NULL)
        f->tell(f->sight, f);
    f->tell = NULL;
    f->sight = NULL; /* it ends with its connection */
    *place = *f;
}

/* All that one connection shows. What has its cause there is marked: the cause may be dropped when
 * many connections show the same, and its effects then must not stand as causes. */
static void take_over(struct findings *of_one, struct findings *out)
{
    struct finding *f = (struct finding *)(void *)of_one->list->data;

    findings_link(f, of_one->list->len);
    for (guint i = 0; i < of_one->list->len; i++) {
        f[i].explained = f[i].cause != FINDING_NO_CAUSE;
        f[i].cause = FINDING_NO_CAUSE;
        keep(&f[i], out);
    }
    g_array_set_size(of_one->list, 0);
    memset(of_one->counts, 0, sizeof(of_one->counts));
}

static bool is_orphan(const struct finding *f)
{
    return f->explained && f->cause == FINDING_NO_CAUSE;
}

/* Orphans last */
static int by_place(gconstpointer a, gconstpointer b)
{
    bool x = is_orphan(a), y = is_orphan(b);

    return x != y ? (x ? 1 : -1) : by_harm(a, b);
}

/* Causes are named by their place: they are found first, and renamed when all have their places. */
static void put_in_order(GArray *list)
{
    struct finding *f = (struct finding *)(void *)list->data;
    size_t *place = g_new(size_t, list->len + 1);

    findings_link(f, list->len);
    for (guint i = 0; i < list->len; i++) {
        f[i].serial = i;
        if (f[i].cause != FINDING_NO_CAUSE && is_orphan(&f[f[i].cause]))
            f[i].cause = FINDING_NO_CAUSE;
    }
    g_array_sort(list, by_place);
    for (guint i = 0; i < list->len; i++)
        place[f[i].serial] = i;
    for (guint i = 0; i < list->len; i++)
        f[i].cause = f[i].cause != FINDING_NO_CAUSE ? place[f[i].cause] : FINDING_NO_CAUSE;
    g_free(place);
    while (list->len > 0 && is_orphan(&f[list->len - 1])) {
        finding_clear(&f[list->len - 1]);
        g_array_set_size(list, list->len - 1);
    }
}

size_t findings_count(const struct findings *findings)
{
    return findings->list->len;
}

const struct finding *findings_get(const struct findings *findings, size_t index)
{
    return &g_array_index(findings->list, struct finding, index);
}

uint8_t findings_gravest(const struct findings *findings)
{
    uint8_t gravest = SEVERITY_NOTE;

    for (size_t i = 0; i < findings_count(findings); i++)
        if (!finding_is_about_capture(findings_get(findings, i)))
            gravest = MAX(gravest, findings_get(findings, i)->severity);
    return gravest;
}

uint64_t findings_of(const struct findings *findings, enum finding_id id)
{
    return findings->counts[id];
}

const char *finding_next(const struct finding *f, const struct capture *capture)
{
    return f->id == FINDING_HOLES_OPEN && capture_is_limited(capture)
               ? "Read on, without --limit or with a higher one."
               : finding_kinds[f->id].next;
}

/* ------------------------------------------------------------------ for programs */

void findings_report(const struct findings *findings, const struct analysis_input *in,
                     struct report_node *root)
{
    static const char *const ends[] = {[FINDING_UNSAID] = NULL,
                                       [FINDING_RECOVERED] = "recovered",
                                       [FINDING_BROKEN] = "broken_at_the_end",
                                       [FINDING_ENDED] = "connection_ended"};
    const struct report_value none = report_none();
    static const struct report_column columns[] = {
        {"id", NULL, false},          {"severity", NULL, false},    {"title", NULL, false},
        {"connection", NULL, false},  {"connections", NULL, false}, {"frames", NULL, false},
        {"value", NULL, false},       {"limit", NULL, false},       {"why", NULL, false},
        {"next_step", NULL, false},   {"at_fault", NULL, false},    {"rel_ns", NULL, false},
        {"duration_ns", NULL, false}, {"ended", NULL, false},       {"follows_from", NULL, false},
    };
    struct report_node *table =
        report_table(root, "findings", NULL, REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);
        const struct finding_kind *kind = &finding_kinds[f->id];
        bool timed = f->to_ns > f->from_ns;

        report_row(table,
                   (struct report_value[]){
                       report_text(kind->id), report_text(finding_severities[f->severity]),
                       report_text(kind->title),
                       f->connection != 0 ? report_number(f->connection) : report_none(),
                       report_count(f->connections),
                       report_frames(f->frames.frames, f->frames.count), f->value, f->limit,
                       report_text(f->why), report_text(finding_next(f, in->capture)),
                       f->who != NULL ? report_text(f->who) : report_none(),
                       timed ? report_ns(f->from_ns - in->capture->first_time_ns) : none,
                       timed ? report_ns(f->to_ns - f->from_ns) : none,
                       ends[f->end] != NULL ? report_text(ends[f->end]) : report_none(),
                       f->cause != FINDING_NO_CAUSE
                           ? report_text(finding_kinds[findings_get(findings, f->cause)->id].id)
                           : report_none()});
    }
}
