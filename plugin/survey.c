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
    GArray *interfaces; /* struct capture_interface */
    bool finished;
};

static const char *const file_names[] = {"FILE"};

static void forget_interface(void *interface)
{
    g_free((char *)(uintptr_t)((struct capture_interface *)interface)->name);
}

struct survey *survey_new(const struct survey_options *options)
{
    struct survey *s = g_new0(struct survey, 1);
    struct flow_config config = {.reorder_window_ns = options->reorder_window_ns};

    s->flows = options->flows;
    s->interfaces = g_array_new(FALSE, FALSE, sizeof(struct capture_interface));
    g_array_set_clear_func(s->interfaces, forget_interface);
    s->capture.silent = "Wireshark does not tell plugins";
    s->capture.files = file_names;
    s->capture.file_count = 1;
    s->capture.link_rate_bps = options->link_rate_bps;
    s->capture.reorder_window_ns = options->reorder_window_ns;
    if (s->flows)
        s->engine = flow_engine_new(&config, NULL);
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
    g_array_free(s->interfaces, TRUE);
    g_free(s);
}

bool survey_knows_interface(const struct survey *s, const struct rdc_packet *pkt)
{
    return pkt->interface < s->interfaces->len &&
           g_array_index(s->interfaces, struct capture_interface, pkt->interface).linktype !=
               CAPTURE_LINKTYPE_UNKNOWN;
}

void survey_interface(struct survey *s, const struct rdc_packet *pkt, const char *name)
{
    struct capture_interface *own;

    for (uint32_t i = s->interfaces->len; i <= pkt->interface; i++) {
        struct capture_interface unseen = {
            .file = file_names[0], .linktype = CAPTURE_LINKTYPE_UNKNOWN, .drops = UINT64_MAX};

        g_array_append_val(s->interfaces, unseen);
    }
    own = &g_array_index(s->interfaces, struct capture_interface, pkt->interface);
    own->name = g_strdup(name);
    own->linktype = pkt->linktype;
    s->capture.interfaces = (const struct capture_interface *)(const void *)s->interfaces->data;
    s->capture.interface_count = s->interfaces->len;
}

void survey_packet(struct survey *s, const struct rdc_packet *pkt)
{
    struct flow_batch batch;

    if (s->finished)
        return;
    flow_batch_init(&batch, pkt, 1);
    if (capture_count(&s->capture, &batch) > 0)
        capture_count_other(&s->capture, protocol_name(pkt), pkt->wire_size);
    if (s->overview != NULL) {
        overview_ahead(s->overview, &batch);
        overview_batch(s->overview, &batch);
    } else if (s->engine != NULL) {
        flow_packet(s->engine, pkt);
    }
}

/* ------------------------------------------------------------------ the text */

static struct report *connections(struct survey *s)
{
    struct report *report =
        report_new("rdmapcap.flows/1", RDMAPCAP_VERSION, s->capture.files, s->capture.file_count);

    flow_finish(s->engine);
    connections_table(&report->root, s->engine, &(struct connections_view){.capture = &s->capture});
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
