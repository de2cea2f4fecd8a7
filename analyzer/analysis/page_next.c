/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where to look next: the commands at the end of the page (page.c), about the connection that a
 * person will want to see first.
 */
#include "analysis/page.h"

#include <string.h>

#include "analysis/connections.h"

enum {
    FILES_SHOWN = 2,
};

uint32_t page_worst_connection(const struct flow_engine *engine, uint64_t *harm)
{
    uint32_t worst = 0;
    struct flow_connection c;

    *harm = 0;
    for (size_t i = 0; i < flow_connection_count(engine); i++) {
        flow_connection_get(engine, i, &c);
        if (worst == 0 || connection_harm(&c) > *harm) {
            *harm = connection_harm(&c);
            worst = c.id;
        }
    }
    return worst;
}

/* As a shell takes them */
static char *file_arguments(const struct capture *capture)
{
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < capture->file_count && i < FILES_SHOWN; i++) {
        bool plain =
            capture->files[i][strcspn(capture->files[i], " '\"$&()*;<>?[]\\`{}|~!#")] == '\0';
        char *quoted = g_shell_quote(capture->files[i]);

        g_string_append_printf(text, " %s", plain ? capture->files[i] : quoted);
        g_free(quoted);
    }
    if (capture->file_count > FILES_SHOWN)
        g_string_append(text, " ...");
    return g_string_free(text, FALSE);
}

static void put_command(struct report_node *section, const char *files, const char *command)
{
    char *text = g_strdup_printf("rdmapcap %s%s", command, files);

    report_line(section, text);
    g_free(text);
}

void page_next(struct report_node *root, const struct analysis_input *in,
               const struct findings *findings)
{
    struct report_node *section = report_section(root, NULL, "Where to look next");
    char *files = file_arguments(in->capture);
    const struct finding *worst = NULL;
    uint64_t harm;
    uint32_t connection = page_worst_connection(in->engine, &harm);
    char *command;

    for (size_t i = 0; i < findings_count(findings) && worst == NULL; i++)
        if (findings_get(findings, i)->connection + findings_get(findings, i)->example != 0)
            worst = findings_get(findings, i);
    if (worst != NULL && worst->severity != SEVERITY_NOTE)
        connection = worst->connection != 0 ? worst->connection : worst->example;
    if (connection != 0 && findings_count(findings) > 0) {
        command = g_strdup_printf("flows --connection %u", connection);
        put_command(section, files, command);
        g_free(command);
        command = g_strdup_printf("events --connection %u", connection);
        put_command(section, files, command);
        g_free(command);
    }
    put_command(section, files, "stats --all");
    put_command(section, "", "findings --list");
    g_free(files);
}
