/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `-z rdmapcap,stats` and `-z rdmapcap,flows`, and the same as windows of the GUI: the command
 * line's reports about the packets that a display filter lets through. They have an engine of their
 * own, since other packets than the file's may be asked for.
 */
#include "plugin/frame.h"
#include "plugin/plugin.h"
#include "plugin/state.h"
#include "plugin/survey.h"

#include <stdio.h>
#include <string.h>

#include <epan/funnel.h>
#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

enum {
    PAGE_WIDTH = 100,
    WINDOW_WIDTH = 72, /* of a text window as it opens */
};

struct report_tap {
    bool flows; /* else: stats */
    struct survey *survey;
    funnel_text_window_t *window; /* NULL: standard output */
};

/* ------------------------------------------------------------------ the tap */

static struct survey *new_survey(bool flows)
{
    return survey_new(
        &(struct survey_options){.flows = flows,
                                 .link_rate_bps = (uint64_t)preferences.link_rate_gbps * 1000000000,
                                 .reorder_window_ns = preferences_reorder_window_ns()});
}

static void on_reset(void *data)
{
    struct report_tap *t = data;

    survey_free(t->survey);
    t->survey = new_survey(t->flows);
}

static tap_packet_status on_packet(void *data, packet_info *pinfo, epan_dissect_t *edt,
                                   const void *packet, tap_flags_t flags)
{
    struct report_tap *t = data;
    const struct shown_packet *p = packet;

    (void)edt;
    (void)flags;
    if (!survey_knows_interface(t->survey, p->pkt))
        survey_interface(t->survey, p->pkt, frame_interface_name(pinfo));
    survey_packet(t->survey, p->pkt);
    return TAP_PACKET_REDRAW;
}

static void on_draw(void *data)
{
    struct report_tap *t = data;
    char *text = survey_text(t->survey, t->window != NULL ? WINDOW_WIDTH : PAGE_WIDTH);

    if (text == NULL)
        return; /* it was drawn, and nothing changed */
    if (t->window != NULL)
        funnel_get_funnel_ops()->set_text(t->window, text);
    else
        fputs(text, stdout);
    g_free(text);
}

static void on_finish(void *data)
{
    struct report_tap *t = data;

    survey_free(t->survey);
    g_free(t);
}

static struct report_tap *listen(bool flows, const char *filter)
{
    struct report_tap *t = g_new0(struct report_tap, 1);
    GString *error;

    t->flows = flows;
    t->survey = new_survey(flows);
    error = register_tap_listener("rdmapcap", t, filter, TL_REQUIRES_NOTHING, on_reset, on_packet,
                                  on_draw, on_finish);
    if (error == NULL)
        return t;
    fprintf(stderr, "rdmapcap: %s\n", error->str);
    g_string_free(error, TRUE);
    on_finish(t);
    return NULL;
}

/* ------------------------------------------------------------------ tshark */

/* "rdmapcap,stats" or "rdmapcap,stats,FILTER" */
static bool start(bool flows, const char *argument)
{
    const char *comma = strchr(argument, ',');

    comma = comma != NULL ? strchr(comma + 1, ',') : NULL;
    return listen(flows, comma != NULL && comma[1] != '\0' ? comma + 1 : NULL) != NULL;
}

#if WS_AT_LEAST(4, 6)
static bool start_stats(const char *argument, void *data)
{
    (void)data;
    return start(false, argument);
}

static bool start_flows(const char *argument, void *data)
{
    (void)data;
    return start(true, argument);
}
#else
static void start_stats(const char *argument, void *data)
{
    (void)data;
    if (!start(false, argument))
        exit(1);
}

static void start_flows(const char *argument, void *data)
{
    (void)data;
    if (!start(true, argument))
        exit(1);
}
#endif

/* ------------------------------------------------------------------ the GUI */

static void on_close(void *data)
{
    remove_tap_listener(data);
}

static void open_window(bool flows)
{
    const funnel_ops_t *ops = funnel_get_funnel_ops();
    struct report_tap *t;

    if (ops == NULL || ops->new_text_window == NULL)
        return;
    t = listen(flows, NULL);
    if (t == NULL)
        return;
    t->window = ops->new_text_window(ops->ops_id, flows ? "RDMA connections" : "RDMA summary");
    ops->set_close_cb(t->window, on_close, t);
    ops->retap_packets(ops->ops_id);
}

static void open_stats(gpointer data)
{
    (void)data;
    open_window(false);
}

static void open_flows(gpointer data)
{
    (void)data;
    open_window(true);
}

/* ------------------------------------------------------------------ registration */

void statistics_register(void)
{
    static tap_param filter[] = {{PARAM_FILTER, "filter", "Filter", NULL, TRUE}};
    static stat_tap_ui stats = {
        REGISTER_PACKET_STAT_GROUP_UNSORTED, NULL, "rdmapcap,stats", start_stats, 1, filter};
    static stat_tap_ui flows = {
        REGISTER_PACKET_STAT_GROUP_UNSORTED, NULL, "rdmapcap,flows", start_flows, 1, filter};

    register_stat_tap_ui(&stats, NULL);
    register_stat_tap_ui(&flows, NULL);
    funnel_register_menu("RDMA summary", REGISTER_PACKET_STAT_GROUP_UNSORTED, open_stats, NULL,
                         NULL, FALSE);
    funnel_register_menu("RDMA connections", REGISTER_PACKET_STAT_GROUP_UNSORTED, open_flows, NULL,
                         NULL, FALSE);
    tree_statistics_register();
    conversations_register();
}
