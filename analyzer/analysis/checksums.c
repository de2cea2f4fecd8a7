/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Was anything damaged on its way to the tap? ICRC, VCRC, IPv4 header checksum. What could not be
 * checked is counted as such, never as good.
 */
#include <glib.h>

#include "analysis/analyses.h"

struct checksum {
    uint64_t good;
    struct tally bad;
    uint64_t unchecked;
};

struct checksums {
    struct checksum icrc;
    struct checksum vcrc;
    struct checksum ip; /* good ones are not counted: the decoder only tells of bad ones */
};

static void count(struct checksum *c, uint8_t check, const struct alike *group)
{
    if (check == RDC_CHECK_OK)
        c->good += group->packets;
    else if (check == RDC_CHECK_BAD)
        tally_add_group(&c->bad, group);
    else if (check != RDC_CHECK_ABSENT)
        c->unchecked += group->packets;
}

static void alike(void *state, const struct alike *group)
{
    struct checksums *c = state;

    if (group->kind == RDC_KIND_BTH) {
        count(&c->icrc, group->icrc_check, group);
        count(&c->vcrc, group->vcrc_check, group);
    }
    if (group->ip_checksum_bad)
        tally_add_group(&c->ip.bad, group);
}

static void put_row(struct report_node *table, const char *name, const struct checksum *c,
                    bool all_known)
{
    struct report_value none = report_none();

    if (c->good + c->bad.count + c->unchecked == 0)
        return;
    report_row(table, (struct report_value[]){
                          report_text(name), all_known ? report_count(c->good) : none,
                          report_mood(report_count(c->bad.count),
                                      c->bad.count > 0 ? REPORT_BAD : REPORT_PLAIN),
                          all_known ? report_mood(report_count(c->unchecked),
                                                  c->unchecked > 0 ? REPORT_WARNING : REPORT_PLAIN)
                                    : none,
                          tally_frames(&c->bad)});
}

static void report(const void *state, const struct analysis_input *in, struct report_node *root)
{
    static const struct report_column columns[] = {
        {"name", "Checksum", false},
        {"ok", "Good", false},
        {"bad", "Bad", false},
        {"not_checked", "Not checked", false},
        {"bad_frames", "First bad frames", false},
    };
    const struct checksums *c = state;
    struct report_node *table =
        report_table(root, "checksums", "Checksums", REPORT_KEYED, columns, G_N_ELEMENTS(columns));

    (void)in;
    put_row(table, "icrc", &c->icrc, true);
    put_row(table, "vcrc", &c->vcrc, true);
    put_row(table, "ip", &c->ip, false);
}

const struct analysis an_checksums = {
    .name = "checksums",
    .summary = "packets damaged on their way to the capture point",
    .state_size = sizeof(struct checksums),
    .alike = alike,
    .report = report,
};
