/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See status.h.
 */
#include "analysis/status.h"

#include <glib.h>

#include "analysis/connections.h"
#include "analysis/evidence.h"
#include "analysis/pause.h"
#include "analysis/timeouts.h"

static const struct {
    const char *name, *meaning; /* NULL: the name says it */
    uint8_t mood;
} statuses[FARED_COUNT] = {
    [FARED_OK] = {"ok", NULL, REPORT_PLAIN},
    [FARED_ONE_WAY] = {"one way", "the other direction is not here", REPORT_PLAIN},
    [FARED_LATE] = {"late", "packets out of order", REPORT_PLAIN},
    [FARED_CONGESTED] = {"congested", "marked CE, or CNPs", REPORT_WARNING},
    [FARED_UNCERTAIN] = {"uncertain", "lost, or missed by the capture", REPORT_WARNING},
    [FARED_LOSSY] = {"lossy", "packets lost or sent again", REPORT_WARNING},
    [FARED_RNR] = {"RNR", "receiver not ready", REPORT_WARNING},
    [FARED_PAUSED] = {"paused", "silent while a port paused it", REPORT_WARNING},
    [FARED_STALLED] = {"stalled", "its TCP window was closed", REPORT_WARNING},
    [FARED_NO_ANSWER] = {"no answer", "none by the end of the capture", REPORT_BAD},
    [FARED_ERROR] = {"error", "refused or torn down", REPORT_BAD},
};

/* ------------------------------------------------------------------ what it is */

#define BOTH(c, member) (flow_counters_of(c, true)->member + flow_counters_of(c, false)->member)

/* It repeats in vain to the end; also: for want of a buffer? */
static bool waits_in_vain(const struct analysis_input *in, const struct flow_direction *d,
                          bool *refused)
{
    const struct evidence_stream *proof = evidence_of(in->evidence, d->stream);
    struct outages outages;

    if (proof == NULL)
        return false;
    *refused |= proof->retries.frame != 0 && proof->retries.rnr;
    outages = outages_of(proof->rounds, proof->round_count);
    return proof->retries.frame != 0 ? !proof->retries.rnr
                                     : outages.count > 0 && !outages.worst.ended;
}

static bool window_closed(const struct flow_direction *d)
{
    return d->iwarp != NULL && d->iwarp->zero_windows > 0;
}

static uint8_t status_of_losses(const struct analysis_input *in, const struct flow_connection *c)
{
    uint64_t lost = BOTH(c, lost_before_tap) + BOTH(c, lost_after_tap);

    if (lost > 0 && BOTH(c, retransmitted_packets) == 0 &&
        connection_loss_uncertain(c, in->capture->drops > 0))
        return FARED_UNCERTAIN;
    if (lost + BOTH(c, retransmitted_packets) > 0)
        return BOTH(c, out_of_order) > lost ? FARED_LATE : FARED_LOSSY;
    if (BOTH(c, ce_packets) + BOTH(c, cnps_sent) > 0)
        return FARED_CONGESTED;
    return BOTH(c, out_of_order) > 0 ? FARED_LATE : FARED_OK;
}

static uint8_t status_of(const struct analysis_input *in, const struct flow_connection *c)
{
    bool reliable = c->transport == RDC_TRANSPORT_IWARP || c->service == RDC_SERVICE_RC ||
                    c->service == RDC_SERVICE_XRC;
    bool both = c->a_to_b.counters != NULL && c->b_to_a.counters != NULL;
    bool refused = BOTH(c, rnr_naks) > 0, vain;
    uint8_t status;

    vain = waits_in_vain(in, &c->a_to_b, &refused);
    vain |= waits_in_vain(in, &c->b_to_a, &refused);
    if (c->state == FLOW_STATE_ERROR)
        return FARED_ERROR;
    if (vain && both)
        return FARED_NO_ANSWER;
    if (window_closed(&c->a_to_b) || window_closed(&c->b_to_a))
        return FARED_STALLED;
    if (refused)
        return FARED_RNR;
    status = status_of_losses(in, c);
    return status == FARED_OK && reliable && !both ? FARED_ONE_WAY : status;
}

/* ------------------------------------------------------------------ of all */

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

uint8_t *statuses_find(const struct analysis_input *in)
{
    const void *pauses = analysis_run_state(in->run, &an_pause);
    size_t count = flow_connection_count(in->engine);
    struct marking m = {in, g_new0(uint8_t, count + 1)};
    struct flow_connection c;

    for (size_t i = 0; i < count; i++) {
        flow_connection_get(in->engine, i, &c);
        m.list[i] = status_of(in, &c);
    }
    if (pauses != NULL)
        pause_rows(pauses, in, mark_victims, &m);
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

void status_legend(struct report_node *root, uint32_t set, bool unsure, bool no_qp)
{
    GString *text = g_string_new(NULL);

    for (unsigned i = FARED_COUNT; i-- > 0;)
        if ((set >> i & 1) != 0 && statuses[i].meaning != NULL)
            append(text, unsure && i == FARED_UNCERTAIN ? "uncertain, N?" : statuses[i].name,
                   statuses[i].meaning);
    if (unsure && (set >> FARED_UNCERTAIN & 1) == 0)
        append(text, "N?", statuses[FARED_UNCERTAIN].meaning);
    if (no_qp)
        append(text, "qp ?", "no packet names it");
    if (text->len > 0) {
        g_string_append_c(text, '.');
        report_line(root, text->str);
    }
    g_string_free(text, TRUE);
}
