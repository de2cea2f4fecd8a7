/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * rdmapcap findings: every kind of finding, what it means and what to look at next.
 */
#include "analysis/findings/findings.h"

#include "cmd/message.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "render/report_render.h"

static void put_texts(struct report_node *root)
{
    static const enum report_mood moods[SEVERITY_COUNT] = {
        [SEVERITY_NOTE] = REPORT_PLAIN,
        [SEVERITY_WARNING] = REPORT_WARNING,
        [SEVERITY_ERROR] = REPORT_BAD,
    };

    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_kind *kind = &finding_kinds[i];
        struct report_node *section = report_section(root, NULL, kind->id);
        char *next = g_strdup_printf("-> %s", kind->next);

        report_paragraph(section, finding_severities[kind->severity], moods[kind->severity],
                         kind->title);
        report_paragraph(section, "", REPORT_PLAIN, kind->meaning);
        report_paragraph(section, "", REPORT_PLAIN, next);
        g_free(next);
    }
}

static void put_table(struct report_node *root)
{
    static const struct report_column columns[] = {
        {"id", NULL, false},      {"severity", NULL, false},  {"title", NULL, false},
        {"meaning", NULL, false}, {"next_step", NULL, false},
    };
    struct report_node *table =
        report_table(root, "findings", NULL, REPORT_ARRAY, columns, G_N_ELEMENTS(columns));

    for (size_t i = 0; i < FINDING_COUNT; i++) {
        const struct finding_kind *kind = &finding_kinds[i];

        report_row(table,
                   (struct report_value[]){report_text(kind->id),
                                           report_text(finding_severities[kind->severity]),
                                           report_text(kind->title), report_text(kind->meaning),
                                           report_text(kind->next)});
    }
}

static enum exit_status list(const struct options *o)
{
    struct report *report = report_new("rdmapcap.findings/1", RDMAPCAP_VERSION, NULL, 0);
    struct output out;

    put_texts(&report->root);
    put_table(&report->root);
    output_open(&out);
    if (o->format == FORMAT_JSON)
        report_render_json(&out.buffer, report);
    else
        report_render_text(&out.buffer, report, &(struct text_style){o->width, o->color, o->all});
    report_free(report);
    return output_close(&out, STATUS_OK);
}

static enum exit_status run(const struct command *self, int argc, char **argv)
{
    enum exit_status status;
    struct options options;

    if (options_parse(&options, self, NULL, argc, argv, &status)) {
        if (!options.list) {
            message_error(
                "findings: say --list; those of a capture are part of: rdmapcap stats FILE");
            status = STATUS_USAGE;
        } else {
            status = list(&options);
        }
    }
    options_done(&options);
    return status;
}

const struct command cmd_findings = {
    .name = "findings",
    .summary = "Every kind of finding, what it means, what to look at next.",
    .usage = "--list",
    .options = OPTIONS_WIDTH | OPTIONS_COLOR,
    .formats = "text json",
    .list = "Every kind of finding",
    .details = "stats says what went wrong in a capture as findings. This explains them all; it\n"
               "reads no file.\n",
    .example = "  rdmapcap findings --list\n"
               "  rdmapcap findings --list -f json | jq -r '.findings[].id'\n",
    .run = run,
};
