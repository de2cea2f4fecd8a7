/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See complete.h.
 */
#include "analysis/complete.h"

#include <glib.h>

#include "analysis/analyses.h"
#include "analysis/evidence.h"
#include "analysis/incast.h"
#include "analysis/pause.h"
#include "analysis/say.h"
#include "analysis/setup.h"

struct complete_facts complete_of(const struct analysis_input *in)
{
    const void *pause = analysis_run_state(in->run, &an_pause);
    uint64_t counts = evidence_refused(in->evidence) + incast_not_counted(in->run) +
                      setup_not_counted(in->run) + pause_not_counted(pause);

    return (struct complete_facts){in->capture, in->engine, evidence_rounds_refused(in->evidence),
                                   counts};
}

static bool is_left_out(const struct complete_facts *facts, const struct flow_summary *s)
{
    return s->untracked_packets + s->state_refused + facts->rounds + facts->counts > 0;
}

static void append_kept(GString *text, uint64_t n, const char *noun)
{
    if (n > 0)
        g_string_append_printf(text, ", %s not kept", say_many(n, noun).text);
}

char *complete_left_out(const struct complete_facts *facts)
{
    struct flow_summary s;
    GString *text;

    flow_summary_get(facts->engine, &s);
    if (!is_left_out(facts, &s))
        return NULL;
    text = g_string_new(NULL);
    g_string_printf(text, "%s of connections beyond the limit, %s without memory for their past",
                    say_many(s.untracked_packets, "packet").text,
                    say_many(s.state_refused, "place").text);
    append_kept(text, facts->rounds, "round");
    append_kept(text, facts->counts, "count");
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}

/* What is strange about the files, and what of them was not asked for */
static void put_warnings(struct report_node *section, const struct capture *c)
{
    GPtrArray *texts = g_ptr_array_new();
    char *chosen = capture_chosen(c);

    for (const char *const *warning = c->warnings; *warning != NULL; warning++)
        g_ptr_array_add(texts, (gpointer)(uintptr_t)*warning);
    if (chosen != NULL)
        g_ptr_array_add(texts, chosen);
    g_ptr_array_add(texts, NULL);
    report_item(section, "warnings", NULL, report_texts((const char *const *)texts->pdata));
    g_ptr_array_free(texts, TRUE);
    g_free(chosen);
}

void complete_items(struct report_node *section, const struct complete_facts *facts,
                    const char *title)
{
    const char *const *damage = facts->capture->damage;
    struct flow_summary s;

    flow_summary_get(facts->engine, &s);
    report_item(section, "partial", NULL,
                report_bool(damage[0] != NULL || capture_is_limited(facts->capture)));
    report_item(section, "damage", damage[0] != NULL ? title : NULL, report_texts(damage));
    put_warnings(section, facts->capture);
    report_item(section, "odd_records", NULL, report_count(facts->capture->odd_records));
    report_item(section, "limits_reached", NULL, report_bool(is_left_out(facts, &s)));
    report_item(section, "not_followed_packets", NULL, report_count(s.untracked_packets));
    report_item(section, "untimed_packets", NULL, report_count(facts->capture->untimed));
}

static void put_untimed(struct report_node *section, const struct capture *c)
{
    char *text = g_strdup_printf("%s of %s have no time. What would be computed from times is "
                                 "unknown; where a sentence names a time, they count as being as "
                                 "old as the packet before.",
                                 say_many(c->untimed, "packet").text, say_count(c->packets).text);

    report_paragraph(section, "no times", REPORT_WARNING, text);
    g_free(text);
}

void complete_paragraphs(struct report_node *root, const struct complete_facts *facts)
{
    char *left_out = complete_left_out(facts), *chosen = capture_chosen(facts->capture);
    struct report_node *section;

    if (left_out == NULL && facts->capture->damage[0] == NULL && facts->capture->untimed == 0 &&
        facts->capture->odd_count == 0 && chosen == NULL)
        return;
    section = report_section(root, NULL, "Not all of it is here");
    for (const char *const *damage = facts->capture->damage; *damage != NULL; damage++)
        report_paragraph(section, "damage", REPORT_WARNING, *damage);
    for (size_t i = 0; i < facts->capture->odd_count; i++)
        report_paragraph(section, "strange", REPORT_WARNING, facts->capture->odd[i].text);
    if (facts->capture->untimed > 0)
        put_untimed(section, facts->capture);
    if (chosen != NULL)
        report_paragraph(section, "chosen", REPORT_WARNING, chosen);
    if (left_out != NULL)
        report_paragraph(section, "not followed", REPORT_WARNING, left_out);
    g_free(left_out);
    g_free(chosen);
}
