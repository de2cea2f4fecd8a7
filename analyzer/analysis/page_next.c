/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where to look next: the commands at the end of the page (page.c), about the connection that a
 * person will want to see first.
 */
#include "analysis/page.h"

#include <string.h>

enum {
    FILES_SHOWN = 2,
};

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
               const struct findings *findings, uint32_t worst)
{
    struct report_node *section = report_section(root, NULL, "Where to look next");
    char *files = file_arguments(in->capture);
    const struct finding *shown = NULL;
    uint32_t connection = worst;
    char *command;

    for (size_t i = 0; i < findings_count(findings) && shown == NULL; i++)
        if (findings_get(findings, i)->connection + findings_get(findings, i)->example != 0)
            shown = findings_get(findings, i);
    if (shown != NULL && shown->severity != SEVERITY_NOTE)
        connection = shown->connection != 0 ? shown->connection : shown->example;
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
