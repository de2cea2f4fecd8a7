/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where to look next: the commands at the end of the page (page.c), about the connection that a
 * person will want to see first.
 */
#include "analysis/page/page.h"

#include <string.h>

#include "report/frame.h"

#include "analysis/connections.h"

enum {
    FILES_SHOWN = 2,
    FRAMES_NAMED = 3,
};

/* As a shell takes them; a name that begins with a dash is no option behind "--" */
static char *file_arguments(const struct capture *capture)
{
    GString *text = g_string_new(NULL);
    bool dashes = false;

    for (size_t i = 0; i < capture->file_count && i < FILES_SHOWN; i++)
        dashes |= capture->files[i][0] == '-' && capture->files[i][1] != '\0';
    g_string_append(text, dashes ? " --" : "");
    for (size_t i = 0; i < capture->file_count && i < FILES_SHOWN; i++) {
        const char *name =
            strcmp(capture->files[i], "standard input") == 0 ? "-" : capture->files[i];
        bool plain = name[strcspn(name, " '\"$&()*;<>?[]\\`{}|~!#")] == '\0';
        char *quoted = g_shell_quote(name);

        g_string_append_printf(text, " %s", plain ? name : quoted);
        g_free(quoted);
    }
    if (capture->file_count > FILES_SHOWN)
        g_string_append(text, " ...");
    return g_string_free(text, FALSE);
}

/* "100G" is given as such */
static char *link_rate_argument(uint64_t bps)
{
    static const struct {
        uint64_t bps;
        const char *unit;
    } units[] = {{1000000000, "G"}, {1000000, "M"}, {1, ""}};
    size_t i = 0;

    if (bps == 0)
        return g_strdup("");
    while (bps % units[i].bps != 0)
        i++;
    return g_strdup_printf(" --link-rate %" G_GUINT64_FORMAT "%s", bps / units[i].bps,
                           units[i].unit);
}

/* With the options by which the same packets are read, so that connections have the same numbers */
static void put_command(struct report_node *section, const struct capture *capture,
                        const char *command, const char *more)
{
    char *files = file_arguments(capture);
    char *text = g_strdup_printf("rdmapcap %s%s%s%s", command, more,
                                 capture->options != NULL ? capture->options : "", files);

    report_line(section, text);
    g_free(files);
    g_free(text);
}

static void put_commands(struct report_node *section, const struct capture *capture,
                         uint32_t connection, bool any_events)
{
    char *which = g_strdup_printf(" --connection %u", connection);
    char *rate = link_rate_argument(capture->link_rate_bps);
    char *both = g_strconcat(which, rate, NULL); /* a pause lasts as long as the rate says */

    if (connection != 0) {
        put_command(section, capture, "flows", both);
        if (any_events)
            put_command(section, capture, "events", which);
    }
    put_command(section, capture, "stats --all", rate);
    report_line(section, "rdmapcap findings --list");
    g_free(both);
    g_free(which);
    g_free(rate);
}

static uint64_t marks(const struct flow_connection *c, bool a_to_b)
{
    const struct flow_counters *n = flow_counters_of(c, a_to_b);

    return n->ce_packets + n->cnps_sent + n->gaps + n->duplicates;
}

/* Whether `events` has anything to say of it */
static bool has_events(const struct analysis_input *in, uint32_t connection)
{
    struct flow_connection c;

    if (connection == 0)
        return false;
    flow_connection_get(in->engine, connection - 1, &c);
    return connection_harm(&c) + marks(&c, true) + marks(&c, false) > 0 ||
           c.transport == RDC_TRANSPORT_IWARP || c.paired_by == FLOW_PAIRED_CM;
}

/* The worst that happened, with its frames; NULL: nothing did */
static const struct finding *worst_of(const struct findings *findings)
{
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);

        if (finding_is_root(f) && f->frames.count > 0)
            return f;
    }
    return NULL;
}

/* In several files, the same numbers are other frames. */
static void put_frames(struct report_node *section, const struct capture *capture,
                       const struct finding *f)
{
    GString *which;

    if (f == NULL || capture->file_count != 1)
        return;
    which = g_string_new(" --frames ");
    for (size_t i = 0; i < f->frames.count && i < FRAMES_NAMED; i++)
        g_string_append_printf(which, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "",
                               frame_number(f->frames.frames[i]));
    put_command(section, capture, "dump -v", which->str);
    g_string_free(which, TRUE);
}

void page_next(struct report_node *root, const struct analysis_input *in,
               const struct findings *findings, uint32_t connection)
{
    struct report_node *section = report_section(root, NULL, "Where to look next");

    put_frames(section, in->capture, worst_of(findings));
    put_commands(section, in->capture, connection, has_events(in, connection));
}
