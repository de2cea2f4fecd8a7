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
    int64_t previous_ns;
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

/* ------------------------------------------------------------------ the capture as a whole */

static void count_linktype(struct capture *c, uint32_t linktype)
{
    for (size_t i = 0; i < c->linktype_count; i++)
        if (c->linktypes[i] == linktype)
            return;
    if (c->linktype_count < CAPTURE_MAX_LINKTYPES)
        c->linktypes[c->linktype_count++] = linktype;
}

static void count_protocol(struct capture *c, const char *name, uint32_t bytes)
{
    size_t i = 0;

    while (i < c->protocol_count && g_strcmp0(c->protocols[i].name, name) != 0)
        i++;
    if (i == CAPTURE_MAX_PROTOCOLS)
        return;
    if (i == c->protocol_count)
        c->protocols[c->protocol_count++].name = name;
    c->protocols[i].packets++;
    c->protocols[i].bytes += bytes;
}

static void count(struct survey *s, const struct rdc_packet *pkt)
{
    struct capture *c = &s->capture;

    if (c->packets == 0)
        c->first_time_ns = c->last_time_ns = s->previous_ns = pkt->time_ns;
    c->packets++;
    c->bytes += pkt->wire_size;
    c->truncated += pkt->truncated;
    c->time_runs_back += pkt->time_ns < s->previous_ns;
    s->previous_ns = pkt->time_ns;
    c->last_time_ns = MAX(c->last_time_ns, pkt->time_ns);
    count_linktype(c, pkt->linktype);
    if (pkt->transport != RDC_TRANSPORT_NONE)
        c->rdma_packets++;
    else
        count_protocol(c, protocol_name(pkt), pkt->wire_size);
}

void survey_packet(struct survey *s, const struct rdc_packet *pkt)
{
    if (s->finished)
        return;
    count(s, pkt);
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
    report = s->flows ? connections(s) : overview_report(s->overview, RDMAPCAP_VERSION, true);
    report_render_text(&out, report, &style);
    report_free(report);
    text = g_strndup(out.data, out.used);
    buffer_done(&out);
    return text;
}
