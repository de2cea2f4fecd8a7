/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page for an incident review (see page.h). It must fit on a screen of 80 columns and 50 lines,
 * so findings of one kind share an entry and the list stops where the room ends.
 */
#include "analysis/page.h"

#include <string.h>

#include "analysis/connections.h"
#include "analysis/say.h"
#include "report/frame.h"

enum {
    LINES_OF_FINDINGS = 19, /* at 80 columns */
    COLUMNS_OF_TEXT = 64,   /* of a page of 80, behind the label, where words break */
    CONNECTIONS_SHOWN = 4,
    FRAMES_SHOWN = 3,
    FILES_SHOWN = 2,
    OTHERS_SHOWN = 4,
};

static void put_trust(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings);
static void put_wrong(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings, bool all);
static void put_connections(struct report_node *root, const struct analysis_input *in, bool all);
static void put_next(struct report_node *root, const struct analysis_input *in,
                     const struct findings *findings);

void page_report(struct report_node *root, const struct analysis_input *in,
                 const struct findings *findings, bool all)
{
    put_trust(root, in, findings);
    page_contents(root, in);
    put_wrong(root, in, findings, all);
    put_connections(root, in, all);
    put_next(root, in, findings);
}

static enum report_mood mood_of(uint8_t severity)
{
    return severity == SEVERITY_ERROR     ? REPORT_BAD
           : severity == SEVERITY_WARNING ? REPORT_WARNING
                                          : REPORT_PLAIN;
}

/* ", frames 12, 94, ..." */
static void append_frames(GString *text, const struct analysis_input *in, const struct finding *f)
{
    if (f->frames.count == 0)
        return;
    g_string_append(text, f->frames.count == 1 ? " Frame" : " Frames");
    for (size_t i = 0; i < f->frames.count && i < FRAMES_SHOWN; i++) {
        size_t file = frame_file(f->frames.frames[i]);

        g_string_append(text, i > 0 ? ", " : " ");
        if (in->capture->file_count > 1 && file < in->capture->file_count)
            g_string_append_printf(text, "%s:", in->capture->files[file]);
        g_string_append_printf(text, "%" G_GUINT64_FORMAT, frame_number(f->frames.frames[i]));
    }
    g_string_append(text, f->frames.count > FRAMES_SHOWN ? ", ..." : ".");
}

/* ------------------------------------------------------------------ can it be trusted? */

static bool is_about_capture(const struct finding *f)
{
    return f->id >= FINDING_CAPTURE_INCOMPLETE && f->id <= FINDING_LIMITS_REACHED;
}

static void put_verdict(struct report_node *section, const struct analysis_input *in, int worst)
{
    const char *drops = in->capture->drops_known
                            ? ""
                            : " The file does not say whether the capture dropped packets.";
    char *text;

    if (flow_connection_count(in->engine) == 0) {
        report_paragraph(section, "unknown", REPORT_WARNING,
                         "There is no RDMA connection in it that could tell.");
        return;
    }
    text = g_strconcat(worst < 0 ? "Nothing speaks against it: both directions are here, no "
                                   "acknowledgement covers a packet that is missing, time runs "
                                   "forward."
                       : worst == SEVERITY_NOTE ? "with these limits:"
                                                : "Not in all:",
                       worst < 0 ? drops : "", NULL);
    report_paragraph(section,
                     worst < 0                ? "yes"
                     : worst == SEVERITY_NOTE ? "yes, but"
                                              : "no",
                     worst < 0                ? REPORT_GOOD
                     : worst == SEVERITY_NOTE ? REPORT_PLAIN
                                              : REPORT_WARNING,
                     text);
    g_free(text);
}

static void put_trust(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings)
{
    struct report_node *section = report_section(root, NULL, "Can this capture be trusted?");
    int worst = -1;

    for (size_t i = 0; i < findings_count(findings); i++)
        if (is_about_capture(findings_get(findings, i)))
            worst = MAX(worst, (int)findings_get(findings, i)->severity);
    if (in->capture->damage[0] != NULL)
        report_paragraph(section, "no", REPORT_WARNING,
                         "Not in all: a file can't be read, or not to its end. What follows is about "
                         "what could be read.");
    else
        put_verdict(section, in, worst);
    for (const char *const *damage = in->capture->damage; *damage != NULL; damage++)
        report_paragraph(section, "damage", REPORT_WARNING, *damage);
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);
        GString *text;

        if (!is_about_capture(f))
            continue;
        text = g_string_new(NULL);
        g_string_printf(text, "%s: %s", finding_kinds[f->id].title, f->why);
        append_frames(text, in, f);
        report_paragraph(section, finding_severities[f->severity], mood_of(f->severity), text->str);
        g_string_free(text, TRUE);
    }
}

/* ------------------------------------------------------------------ what went wrong? */

static size_t lines_of(const char *text)
{
    return strlen(text) / COLUMNS_OF_TEXT + 1;
}

static bool holds(const uint32_t *list, size_t size, uint32_t x)
{
    for (size_t i = 0; i < size; i++)
        if (list[i] == x)
            return true;
    return false;
}

/* Other connections that show the same */
static void append_others(GString *text, const struct findings *findings, size_t at)
{
    const struct finding *first = findings_get(findings, at);
    uint32_t seen[OTHERS_SHOWN + 1] = {first->connection};
    size_t count = 1;

    for (size_t i = at + 1; i < findings_count(findings) && first->connection != 0; i++) {
        const struct finding *f = findings_get(findings, i);

        if (f->id != first->id || holds(seen, count, f->connection))
            continue;
        if (count == G_N_ELEMENTS(seen)) {
            g_string_append(text, ", ...");
            return;
        }
        g_string_append_printf(text, "%s%u", count == 1 ? " Also: " : ", ", f->connection);
        seen[count++] = f->connection;
    }
    if (count > 1)
        g_string_append_c(text, '.');
}

static char *entry_text(const struct analysis_input *in, const struct findings *findings, size_t at)
{
    const struct finding *f = findings_get(findings, at);
    GString *text = g_string_new(finding_kinds[f->id].title);

    if (f->connection != 0)
        g_string_append_printf(text, ", connection %u", f->connection);
    g_string_append_printf(text, ": %s", f->why);
    append_frames(text, in, f);
    append_others(text, findings, at);
    return g_string_free(text, FALSE);
}

static bool is_first_of_its_kind(const struct findings *findings, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (findings_get(findings, i)->id == findings_get(findings, at)->id)
            return false;
    return true;
}

static void put_wrong(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings, bool all)
{
    struct report_node *section = report_section(root, NULL, "What went wrong, worst first");
    size_t lines = 0, left_out = 0;
    bool any = false;

    findings_report(findings, section);
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);
        char *text, *next;

        if (is_about_capture(f) || (!all && !is_first_of_its_kind(findings, i)))
            continue;
        text = entry_text(in, findings, i);
        next = g_strdup_printf("-> %s", finding_kinds[f->id].next);
        lines += lines_of(text) + lines_of(next);
        if (!all && any && (left_out > 0 || lines > LINES_OF_FINDINGS)) {
            left_out++;
        } else {
            report_paragraph(section, finding_severities[f->severity], mood_of(f->severity), text);
            report_paragraph(section, "", REPORT_PLAIN, next);
        }
        any = true;
        g_free(text);
        g_free(next);
    }
    if (!any && in->capture->rdma_packets == 0 && flow_connection_count(in->engine) == 0)
        report_paragraph(section, "unknown", REPORT_WARNING, "There is no RDMA in this capture.");
    else if (!any)
        report_paragraph(section, "nothing", REPORT_GOOD, "that this capture could show.");
    if (left_out > 0) {
        char *text = g_strdup_printf("%s more: --all shows them.", say_count(left_out).text);

        report_paragraph(section, "...", REPORT_PLAIN, text);
        g_free(text);
    }
}

/* ------------------------------------------------------------------ the connections */

static uint32_t worst_connection(const struct flow_engine *engine, uint64_t *harm)
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

static void put_connections(struct report_node *root, const struct analysis_input *in, bool all)
{
    uint64_t harm;
    size_t count = flow_connection_count(in->engine);

    if (worst_connection(in->engine, &harm) == 0)
        return;
    connections_table(
        root, in->engine,
        &(struct connections_view){.page = true,
                                   .order = harm > 0 ? CONNECTIONS_WORST : CONNECTIONS_BYTES,
                                   .top = all ? 0 : CONNECTIONS_SHOWN,
                                   .title = harm > 0 ? "The connections that hurt, worst first"
                                                     : "The connections, busiest first"});
    if (!all && count > CONNECTIONS_SHOWN) {
        char *text = g_strdup_printf("... and %s more: rdmapcap flows shows all.",
                                     say_count(count - CONNECTIONS_SHOWN).text);

        report_line(root, text);
        g_free(text);
    }
}

/* ------------------------------------------------------------------ where to look next? */

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

static void put_next(struct report_node *root, const struct analysis_input *in,
                     const struct findings *findings)
{
    struct report_node *section = report_section(root, NULL, "Where to look next");
    char *files = file_arguments(in->capture);
    const struct finding *worst = NULL;
    uint64_t harm;
    uint32_t connection = worst_connection(in->engine, &harm);
    char *command;

    for (size_t i = 0; i < findings_count(findings) && worst == NULL; i++)
        if (findings_get(findings, i)->connection != 0)
            worst = findings_get(findings, i);
    if (worst != NULL && worst->severity != SEVERITY_NOTE)
        connection = worst->connection;
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
