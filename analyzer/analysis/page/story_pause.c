/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The pauses during which a connection fell silent, as entries of its story: each where the port
 * began to pause. Who is a victim, pause.c decides.
 */
#include "analysis/page/story.h"
#include "analysis/pause.h"
#include "analysis/say.h"

struct telling {
    const struct story_input *in;
    const struct flow_connection *c;
    GArray *entries;
};

static void append_pause(GString *text, const struct capture *capture, const struct pause_row *r)
{
    g_string_append_printf(text, "port %s begins to pause ", say_mac(r->source).text);
    if (r->priority == PAUSE_GLOBAL)
        g_string_append(text, "all priorities");
    else
        g_string_append_printf(text, "priority %d", r->priority);
    g_string_append_printf(text, ": %s", say_many(r->xoff_frames, "XOFF frame").text);
    if (r->paused_ns > 0)
        g_string_append_printf(text, ", %s in all%s", say_span(capture, r->paused_ns).text,
                               r->estimate ? " (at most: the link rate is inferred)" : "");
}

static void append_silence(GString *text, const struct telling *t, const struct pause_row *r,
                           uint32_t victim)
{
    const struct capture *capture = t->in->capture;
    int64_t from = r->victim_from_ns[victim], to = r->victim_to_ns[victim];

    g_string_append_printf(text, "; meanwhile %s falls silent, the longest time for %s",
                           r->victims[victim] == t->c->a_to_b.stream ? "a" : "b",
                           say_span(capture, to - from).text);
    g_string_append_printf(text, ", from %s on", say_since_start(capture, from).text);
}

static void tell(void *context, const struct pause_row *r)
{
    const struct telling *t = context;
    GString *silences = g_string_new(NULL);
    struct story_entry e = {.frame = r->first_xoff_frame,
                            .order = t->entries->len,
                            .time_ns = r->first_xoff_ns,
                            .mood = REPORT_WARNING};

    for (uint32_t i = 0; i < r->victim_count && i < PAUSE_VICTIMS; i++)
        if (r->victims[i] == t->c->a_to_b.stream || r->victims[i] == t->c->b_to_a.stream)
            append_silence(silences, t, r, i);
    if (silences->len > 0) {
        GString *text = g_string_new(NULL);

        append_pause(text, t->in->capture, r);
        g_string_append(text, silences->str);
        e.text = g_string_free(text, FALSE);
        g_array_append_val(t->entries, e);
    }
    g_string_free(silences, TRUE);
}

void story_pauses(const struct story_input *in, const struct flow_connection *c, GArray *entries)
{
    struct telling t = {in, c, entries};

    if (in->pauses != NULL)
        pause_rows(in->pauses,
                   &(struct analysis_input){.capture = in->capture, .engine = in->engine}, tell,
                   &t);
}
