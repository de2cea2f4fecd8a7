/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reports as text (see survey.h).
 */
#include "plugin/survey.h"

#include <glib.h>

#include "analysis/connections.h"
#include "analysis/overview.h"
#include "render/protocol.h"
#include "render/report_render.h"

struct survey {
    bool flows;
    struct flow_engine *engine; /* flows */
    struct overview *overview;  /* stats */
    struct capture capture;
    bool finished;
};

static const char *const file_names[] = {"FILE"};

struct survey *survey_new(bool flows, uint64_t link_rate_bps)
{
    struct survey *s = g_new0(struct survey, 1);

    s->flows = flows;
    s->capture.files = file_names;
    s->capture.file_count = 1;
    s->capture.link_rate_bps = link_rate_bps;
    if (flows)
        s->engine = flow_engine_new(NULL, NULL);
    else
        s->overview = overview_new(&s->capture);
    return s;
}

void survey_free(struct survey *s)
{
    if (s == NULL)
        return;
    flow_engine_free(s->engine);
    overview_free(s->overview);
    g_free(s);
}

void survey_packet(struct survey *s, const struct rdc_packet *pkt)
{
    if (s->finished)
        return;
    capture_count(&s->capture, pkt,
                  pkt->transport == RDC_TRANSPORT_NONE ? protocol_name(pkt) : NULL);
    if (s->overview != NULL)
        overview_packet(s->overview, pkt);
    else if (s->engine != NULL)
        flow_packet(s->engine, pkt);
}

/* ------------------------------------------------------------------ the text */

static struct report *connections(struct survey *s)
{
    struct report *report =
        report_new("rdmapcap.flows/1", RDMAPCAP_VERSION, s->capture.files, s->capture.file_count);

    flow_finish(s->engine);
    connections_table(&report->root, s->engine, &(struct connections_view){0});
    return report;
}

char *survey_text(struct survey *s, size_t width)
{
    struct text_style style = {.width = width, .all = true};
    struct buffer out = {0};
    struct report *report;
    char *text;

    if (s->finished || (s->flows && s->engine == NULL))
        return NULL;
    s->finished = true;
    capture_saw_iwarp(&s->capture, s->flows ? s->engine : overview_engine(s->overview));
    report = s->flows ? connections(s) : overview_report(s->overview, RDMAPCAP_VERSION, true);
    report_render_text(&out, report, &style);
    report_free(report);
    text = g_strndup(out.data, out.used);
    buffer_done(&out);
    return text;
}
