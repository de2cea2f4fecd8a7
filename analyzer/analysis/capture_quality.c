/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How good is the capture itself? What it can't show is the first thing to know about it.
 */
#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/complete.h"
#include "analysis/evidence.h"

enum {
    INTERFACES_SHOWN = 8,
};

static void put_files(const struct capture *c, struct report_node *section)
{
    const char **files = g_new0(const char *, c->file_count + 1);

    for (size_t i = 0; i < c->file_count; i++)
        files[i] = c->files[i];
    report_item(section, "files", "Files", report_texts(files));
    g_free(files);
}

/* By packets that have a time, whatever others lack */
static struct report_value stated(struct report_value value)
{
    return report_from(value, REPORT_STATED);
}

static void put_times(const struct capture *c, struct report_node *section)
{
    if (c->packets == 0) {
        report_item(section, "first_time_ns", NULL, report_unknown("there are no packets"));
        report_item(section, "last_time_ns", NULL, report_unknown("there are no packets"));
        return;
    }
    if (!capture_has_times(c)) {
        report_item(section, "first_time_ns", NULL, report_time(0));
        report_item(section, "last_time_ns", NULL, report_time(0));
        report_item(section, "duration_ns", NULL, report_ns(0));
        return;
    }
    report_item(section, "first_time_ns", "First packet", stated(report_time(c->first_time_ns)));
    report_item(section, "last_time_ns", "Last packet", stated(report_time(c->last_time_ns)));
    report_item(section, "duration_ns", "Duration",
                stated(report_ns(c->last_time_ns - c->first_time_ns)));
}

static void put_linktypes(const struct capture *c, struct report_node *section)
{
    const char *names[CAPTURE_MAX_LINKTYPES + 1] = {NULL};
    char numbers[CAPTURE_MAX_LINKTYPES][sizeof("linktype 4294967295")];

    for (size_t i = 0; i < c->linktype_count; i++) {
        names[i] = rdc_linktype_name(c->linktypes[i]);
        if (names[i] == NULL) {
            g_snprintf(numbers[i], sizeof(numbers[i]), "linktype %u", c->linktypes[i]);
            names[i] = numbers[i];
        }
    }
    report_item(section, "link_types", "Link types", report_texts(names));
}

static void put_interfaces(const struct capture *c, struct report_node *section)
{
    static const struct report_column columns[] = {
        {"name", "Interface", false}, {"file", "File", true},
        {"link_type", "Link", false}, {"snaplen", "Snap length", false},
        {"speed_bps", "Speed", true}, {"dropped", "Dropped", false},
    };
    bool named = false;
    struct report_node *table;

    for (size_t i = 0; i < c->interface_count; i++)
        named |= c->interfaces[i].name != NULL;
    table = report_table(section, "interfaces", named ? "Interfaces" : NULL, REPORT_ARRAY, columns,
                         G_N_ELEMENTS(columns));
    table->text_rows = INTERFACES_SHOWN;
    for (size_t i = 0; i < c->interface_count; i++) {
        const struct capture_interface *f = &c->interfaces[i];
        const char *link = rdc_linktype_name(f->linktype);
        struct report_value unknown =
            report_unknown(c->silent != NULL ? c->silent : "the file does not say");

        report_row(table,
                   (struct report_value[]){
                       f->name != NULL ? report_text(f->name) : unknown, report_text(f->file),
                       link != NULL                              ? report_text(link)
                       : f->linktype == CAPTURE_LINKTYPE_UNKNOWN ? unknown
                                                                 : report_number(f->linktype),
                       f->snaplen > 0 ? report_number(f->snaplen) : report_none(),
                       f->speed_bps > 0 ? stated(report_bps((double)f->speed_bps)) : unknown,
                       f->drops != UINT64_MAX ? report_count(f->drops) : unknown});
    }
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    const struct capture *c = in->capture;
    const struct complete_facts complete = complete_of(in);
    struct report_node *section = report_section(root, "capture", "Capture");

    (void)state;
    put_files(c, section);
    report_item(section, "packets", "Packets", report_count(c->packets));
    report_item(section, "bytes", "Bytes on the wire", report_bytes(c->bytes));
    put_times(c, section);
    put_linktypes(c, section);
    complete_items(section, &complete, "Damaged");
    report_item(
        section, "snaplen_truncated_packets", "Cut by the snap length",
        report_mood(report_count(c->truncated), c->truncated > 0 ? REPORT_WARNING : REPORT_PLAIN));
    report_item(
        section, "dropped_by_capture", "Dropped by the capture",
        c->drops_known
            ? report_mood(report_count(c->drops), c->drops > 0 ? REPORT_BAD : REPORT_PLAIN)
            : report_unknown(c->silent != NULL ? c->silent : "the file does not count them"));
    report_item(section, "time_runs_back",
                c->time_runs_back > 0 ? "Older than the one before" : NULL,
                report_mood(report_count(c->time_runs_back), REPORT_WARNING));
    put_interfaces(c, section);
}

const struct analysis an_capture_quality = {
    .name = "capture",
    .summary = "how good is the capture itself",
    .report = report,
};
