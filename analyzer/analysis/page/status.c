/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See status.h.
 */
#include "analysis/page/status.h"

#include <glib.h>

#include "analysis/connections.h"
#include "analysis/evidence.h"
#include "analysis/page/visibility.h"
#include "analysis/pause.h"

static const struct {
    const char *name, *meaning; /* NULL: the name says it */
    uint8_t mood;
} statuses[FARED_COUNT] = {
    [FARED_OK] = {"ok", NULL, REPORT_PLAIN},
    [FARED_ONE_WAY] = {"one way", "the other direction is not here", REPORT_PLAIN},
    [FARED_FINDING] = {"finding", "named in what went wrong", REPORT_WARNING},
    [FARED_LATE] = {"late", "packets out of order", REPORT_PLAIN},
    [FARED_CONGESTED] = {"congested", "marked CE, or CNPs", REPORT_WARNING},
    [FARED_UNCERTAIN] = {"uncertain", "lost, or missed by the capture", REPORT_WARNING},
    [FARED_RECOVERED] = {"recovered", "no answer for a time", REPORT_WARNING},
    [FARED_RESENT] = {"resent", "packets sent again, no loss shows", REPORT_PLAIN},
    [FARED_LOSSY] = {"lossy", "packets lost", REPORT_WARNING},
    [FARED_RNR] = {"RNR", "receiver not ready", REPORT_WARNING},
    [FARED_PAUSED] = {"paused", "silent while a port paused it", REPORT_WARNING},
    [FARED_STALLED] = {"stalled", "its TCP window was closed", REPORT_WARNING},
    [FARED_NO_ANSWER] = {"no answer", "none seen to the end", REPORT_BAD},
    [FARED_ERROR] = {"error", "refused or torn down", REPORT_BAD},
};

/* ------------------------------------------------------------------ what it is */

#define BOTH(c, member) (flow_counters_of(c, true)->member + flow_counters_of(c, false)->member)

/* How the requests of a connection were answered, both directions together */
struct answers {
    bool gave_up;     /* a requester did, without an answer */
    bool none;        /* to the end */
    bool none_a_time; /* then there were some */
    bool refused;     /* for want of a buffer */
    uint64_t seen;    /* resends of what nobody answered, which are no losses one by one */
};

static void add_answers(struct answers *a, const struct analysis_input *in,
                        const struct flow_direction *d)
{
    const struct evidence_stream *proof = evidence_of(in->evidence, d->stream);
    struct outages outages;

    if (d->counters == NULL || proof == NULL)
        return;
    outages = evidence_outages(in->evidence, d->stream);
    a->gave_up |= proof->retries.frame != 0 && !proof->retries.rnr;
    a->refused |= proof->retries.frame != 0 && proof->retries.rnr;
    a->none |= outages.count > 0 && !outages.worst.ended;
    a->none_a_time |= outages.count > 0;
    a->seen += MIN(outages.seen, d->counters->lost_after_tap);
}

static bool window_closed(const struct flow_direction *d)
{
    return d->iwarp != NULL && d->iwarp->zero_windows > 0;
}

static uint8_t status_of_losses(const struct analysis_input *in, const struct flow_connection *c,
                                const struct answers *answers)
{
    uint64_t behind = BOTH(c, lost_after_tap) - answers->seen;
    uint64_t lost = BOTH(c, lost_before_tap) + behind;

    if (behind == 0 && connection_loss_uncertain(c, in->capture))
        return FARED_UNCERTAIN;
    if (lost == 0 && answers->none_a_time)
        return FARED_RECOVERED;
    if (lost + BOTH(c, retransmitted_packets) > 0)
        return BOTH(c, out_of_order) > lost ? FARED_LATE : lost > 0 ? FARED_LOSSY : FARED_RESENT;
    if (BOTH(c, ce_packets) + BOTH(c, cnps_sent) > 0)
        return FARED_CONGESTED;
    return BOTH(c, out_of_order) > 0 ? FARED_LATE : FARED_OK;
}

static bool is_reliable(const struct flow_connection *c)
{
    return c->transport == RDC_TRANSPORT_IWARP || c->service == RDC_SERVICE_RC ||
           c->service == RDC_SERVICE_XRC;
}

/* What a connection fared like holds without the order of its packets, or is not known. */
static uint8_t without_order(uint8_t status)
{
    switch (status) {
    case FARED_LATE:
    case FARED_RECOVERED:
    case FARED_RESENT:
    case FARED_LOSSY:
    case FARED_STALLED:
    case FARED_NO_ANSWER:
        return FARED_UNCERTAIN;
    default:
        return status;
    }
}

static uint8_t status_in_order(const struct analysis_input *in, const struct flow_connection *c)
{
    bool both = c->a_to_b.counters != NULL && c->b_to_a.counters != NULL;
    struct answers answers = {0};
    uint8_t status;

    add_answers(&answers, in, &c->a_to_b);
    add_answers(&answers, in, &c->b_to_a);
    if (c->state == FLOW_STATE_ERROR)
        return FARED_ERROR;
    if (answers.gave_up || (answers.none && both))
        return FARED_NO_ANSWER;
    if (window_closed(&c->a_to_b) || window_closed(&c->b_to_a))
        return FARED_STALLED;
    if (answers.refused || BOTH(c, rnr_naks) > 0)
        return FARED_RNR;
    answers.none_a_time &= both;
    status = status_of_losses(in, c, &answers);
    return status == FARED_OK && is_reliable(c) && !both ? FARED_ONE_WAY : status;
}

static uint8_t status_of(const struct analysis_input *in, const struct flow_connection *c)
{
    uint8_t status = status_in_order(in, c);

    return in->capture->overlap_count > 0 ? without_order(status) : status;
}

/* ------------------------------------------------------------------ of all */

/* By index of the connection */
struct fared {
    uint8_t *statuses;
    uint64_t *harm, *bytes;
    size_t reliable; /* connections */
};

static void make_room(struct fared *f, size_t count)
{
    f->statuses = g_new(uint8_t, count);
    f->harm = g_new(uint64_t, count);
    f->bytes = g_new(uint64_t, count);
}

static void connection(void *state, const struct analysis_input *in,
                       const struct flow_connection *c)
{
    struct fared *f = state;

    if (c == NULL)
        return;
    if (f->statuses == NULL)
        make_room(f, flow_connection_count(in->engine));
    f->statuses[c->id - 1] = status_of(in, c);
    f->harm[c->id - 1] = connection_harm(c);
    f->bytes[c->id - 1] = BOTH(c, wire_bytes);
    f->reliable += is_reliable(c);
}

static void done(void *state)
{
    struct fared *f = state;

    g_free(f->statuses);
    g_free(f->harm);
    g_free(f->bytes);
}

const struct analysis an_status = {
    .name = "status",
    .summary = "how each connection fared",
    .state_size = sizeof(struct fared),
    .connection = connection,
    .done = done,
};

const uint64_t *status_harm(const struct analysis_run *run)
{
    const struct fared *f = analysis_run_state(run, &an_status);

    return f->harm;
}

const uint64_t *status_bytes(const struct analysis_run *run)
{
    const struct fared *f = analysis_run_state(run, &an_status);

    return f->bytes;
}

size_t status_reliable(const struct analysis_run *run)
{
    const struct fared *f = analysis_run_state(run, &an_status);

    return f->reliable;
}

struct marking {
    const struct analysis_input *in;
    uint8_t *list;
};

static void mark_victims(void *context, const struct pause_row *r)
{
    struct marking *m = context;
    uint32_t index;
    bool a_to_b;

    for (uint32_t i = 0; i < r->victim_count && i < PAUSE_VICTIMS; i++)
        if (flow_stream_connection(m->in->engine, r->victims[i], &index, &a_to_b))
            m->list[index] = MAX(m->list[index], FARED_PAUSED);
}

/* No connection is fine that the findings name for something else */
static void mark_named(struct marking *m, const struct findings *findings)
{
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);

        if (f->connection != 0 && f->severity >= SEVERITY_WARNING && !finding_is_about_capture(f) &&
            !finding_is_advice(f))
            m->list[f->connection - 1] = MAX(m->list[f->connection - 1], FARED_FINDING);
    }
}

uint8_t *statuses_find(const struct analysis_input *in, const struct findings *findings)
{
    const void *pauses = analysis_run_state(in->run, &an_pause);
    const struct fared *f = analysis_run_state(in->run, &an_status);
    struct marking m = {in, g_memdup2(f->statuses, flow_connection_count(in->engine))};

    if (pauses != NULL && in->capture->overlap_count == 0)
        pause_rows(pauses, in, mark_victims, &m);
    mark_named(&m, findings);
    return m.list;
}

/* ------------------------------------------------------------------ for people */

struct report_value status_value(uint8_t status)
{
    return report_mood(report_text(statuses[status].name), statuses[status].mood);
}

static void append(GString *text, const char *code, const char *meaning)
{
    g_string_append_printf(text, "%s%s: %s", text->len > 0 ? "; " : "", code, meaning);
}

void status_legend(struct report_node *root, uint32_t set, bool unsure, const char *disordered,
                   const char *no_qp)
{
    const char *doubt = disordered != NULL ? disordered : statuses[FARED_UNCERTAIN].meaning;
    GString *text = g_string_new(NULL);

    for (unsigned i = FARED_COUNT; i-- > 0;)
        if ((set >> i & 1) != 0 && statuses[i].meaning != NULL)
            append(text, unsure && i == FARED_UNCERTAIN ? "uncertain, N?" : statuses[i].name,
                   i == FARED_UNCERTAIN ? doubt : statuses[i].meaning);
    if (unsure && (set >> FARED_UNCERTAIN & 1) == 0)
        append(text, "N?", doubt);
    if (no_qp != NULL)
        append(text, "qp ?", no_qp);
    if (text->len > 0) {
        g_string_append_c(text, '.');
        report_line(root, text->str);
    }
    g_string_free(text, TRUE);
}
