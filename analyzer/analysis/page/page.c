/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page for an incident review (see page.h). It must fit on a screen of 80 columns and 50 lines,
 * so findings of one kind share an entry and the list stops where the room ends.
 */
#include "analysis/page/page.h"

#include <string.h>

#include "analysis/connections.h"
#include "analysis/page/status.h"
#include "analysis/say.h"
#include "report/frame.h"

enum {
    LINES_OF_PAGE = 50,   /* at 80 columns */
    LINES_OF_OTHERS = 16, /* headings, where to look next, what is said about connections */
    COLUMNS_OF_TEXT = 69, /* of a page of 80, behind the label */
    COLUMNS_OF_ITEM = 52, /* behind the title of an item */
    CONNECTIONS_SHOWN = 4,
    FRAMES_SHOWN = 3,
    OTHERS_SHOWN = 4,
};

/* The connection to look at first */
struct first {
    uint32_t id; /* 0: there is none */
    bool hurt;   /* something went wrong there; else it is the busiest */
};

static struct first find_first(const struct analysis_input *in, const struct findings *findings);
static void put_trust(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings);
static void put_wrong(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings, bool all);
static void put_connections(struct report_node *root, const struct analysis_input *in,
                            const struct findings *findings, bool all,
                            const struct first *shown_first);

void page_report(struct report_node *root, const struct analysis_input *in,
                 const struct findings *findings, bool all)
{
    struct first first = find_first(in, findings);

    put_trust(root, in, findings);
    page_contents(root, in);
    put_wrong(root, in, findings, all);
    put_connections(root, in, findings, all, &first);
    page_next(root, in, findings, findings_count(findings) > 0 ? first.id : 0);
}

static uint32_t heaviest(const uint64_t *weights, size_t count)
{
    size_t best = 0;

    for (size_t i = 1; i < count; i++)
        if (weights[i] > weights[best])
            best = i;
    return count > 0 ? (uint32_t)best + 1 : 0;
}

/* That of the verdict; else the one that suffered most, where anything is worth a finding */
static struct first find_first(const struct analysis_input *in, const struct findings *findings)
{
    size_t count = flow_connection_count(in->engine);
    uint32_t named = findings_worst_connection(findings);
    uint32_t worst = heaviest(status_harm(in->run), count);

    if (named != 0)
        return (struct first){named, true};
    if (worst != 0 && status_harm(in->run)[worst - 1] > 0 && findings_say_wrong(findings))
        return (struct first){worst, true};
    return (struct first){heaviest(status_bytes(in->run), count), false};
}

static enum report_mood mood_of(uint8_t severity)
{
    return severity == SEVERITY_ERROR     ? REPORT_BAD
           : severity == SEVERITY_WARNING ? REPORT_WARNING
                                          : REPORT_PLAIN;
}

/* " Frames 12, 94, ..."; a file is named in front of the first of its frames */
static void append_frames(GString *text, const struct analysis_input *in, const struct finding *f)
{
    const struct capture *c = in->capture;
    size_t before = SIZE_MAX;

    if (f->frames.count == 0)
        return;
    g_string_append(text, f->frames.count == 1 ? " Frame" : " Frames");
    for (size_t i = 0; i < f->frames.count && i < FRAMES_SHOWN; i++) {
        size_t file = frame_file(f->frames.frames[i]);

        g_string_append(text, i > 0 ? ", " : " ");
        if (c->file_count > 1 && file < c->file_count && file != before)
            g_string_append_printf(text, "%s:", frame_file_label(c->files, c->file_count, file));
        g_string_append_printf(text, "%" G_GUINT64_FORMAT, frame_number(f->frames.frames[i]));
        before = file;
    }
    g_string_append(text, f->frames.count > FRAMES_SHOWN ? ", ..." : ".");
}

/* ------------------------------------------------------------------ can it be trusted? */

/* Where nothing speaks against the capture: is that a yes? Only answers show what it missed. */
static void put_no_doubt(struct report_node *section, const struct analysis_input *in)
{
    const struct capture *capture = in->capture;
    size_t answered = status_reliable(in->run);
    bool all = answered == flow_connection_count(in->engine);
    char *reasons =
        answered == 0
            ? g_strdup("No connection here acknowledges what it gets, so nothing shows whether the "
                       "capture missed packets; time runs forward")
            : g_strdup_printf("Both directions %sare here, no acknowledgement covers a packet that "
                              "is missing, time runs forward",
                              all ? "" : "of all that is acknowledged ");
    char *text = capture->drops_known
                     ? g_strdup_printf("%s, and it counts no dropped packets.", reasons)
                     : g_strdup_printf("%s. (%s of packets that the capture dropped.)", reasons,
                                       capture->silent != NULL ? "Wireshark tells plugins no count"
                                                               : "The file has no count");

    if (answered > 0 || capture->drops_known)
        report_paragraph(section, capture->drops_known ? "yes" : "likely", REPORT_GOOD, text);
    else
        report_paragraph(section, "unknown", REPORT_PLAIN, text);
    g_free(reasons);
    g_free(text);
}

/* What holds although the capture has this fault, the worst of them first */
static const char *still_believed(const struct findings *findings)
{
    if (findings_of(findings, FINDING_FILES_OVERLAP) > 0)
        return "What the packets say holds; nothing that depends on their order or time does:";
    if (findings_of(findings, FINDING_CAPTURE_INCOMPLETE) > 0)
        return "What is here did happen; that a packet is missing proves nothing:";
    if (findings_of(findings, FINDING_CAPTURE_DUPLICATED) > 0)
        return "What happened and when holds; counts and rates of packets are doubled:";
    return "What was followed holds; there is more that nobody judged:";
}

static void put_verdict(struct report_node *section, const struct analysis_input *in,
                        const struct findings *findings, int worst, const char *chosen)
{
    if (flow_connection_count(in->engine) == 0)
        report_paragraph(section, "unknown", REPORT_WARNING,
                         "There is no RDMA connection in it that could tell.");
    else if (worst <= SEVERITY_NOTE && chosen != NULL)
        report_paragraph(section, "in part", REPORT_WARNING, chosen);
    else if (worst < 0)
        put_no_doubt(section, in);
    else if (worst == SEVERITY_NOTE)
        report_paragraph(section, "yes, but", REPORT_PLAIN, "with these limits:");
    else
        report_paragraph(section, "in part", REPORT_WARNING, still_believed(findings));
}

static void put_trust(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings)
{
    struct report_node *section = report_section(root, NULL, "Can this capture be trusted?");
    char *chosen = capture_chosen(in->capture);
    int worst = -1;

    for (size_t i = 0; i < findings_count(findings); i++)
        if (finding_is_about_capture(findings_get(findings, i)))
            worst = MAX(worst, (int)findings_get(findings, i)->severity);
    if (in->capture->damage[0] != NULL)
        report_paragraph(
            section, "in part", REPORT_WARNING,
            "A file can't be read, or not to its end. What follows holds for what could be "
            "read.");
    else
        put_verdict(section, in, findings, worst, chosen);
    if (chosen != NULL && (in->capture->damage[0] != NULL || worst > SEVERITY_NOTE ||
                           flow_connection_count(in->engine) == 0))
        report_paragraph(section, "note", REPORT_PLAIN, chosen);
    g_free(chosen);
    for (const char *const *damage = in->capture->damage; *damage != NULL; damage++)
        report_paragraph(section, "damage", REPORT_WARNING, *damage);
    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);
        GString *text;

        if (!finding_is_about_capture(f))
            continue;
        text = g_string_new(NULL);
        g_string_printf(text, "%s: %s", finding_kinds[f->id].title, f->why);
        append_frames(text, in, f);
        report_paragraph(section, finding_severities[f->severity], mood_of(f->severity), text->str);
        if (f->severity != SEVERITY_NOTE) {
            g_string_printf(text, "-> %s", finding_kinds[f->id].next);
            report_paragraph(section, "", REPORT_PLAIN, text->str);
        }
        g_string_free(text, TRUE);
    }
}

/* ------------------------------------------------------------------ what went wrong? */

/* Broken between words, as the page will be */
static size_t lines_in(const char *text, size_t columns)
{
    size_t lines = 1, column = 0;

    while (*text != '\0') {
        size_t word = strcspn(text, " ");

        if (column > 0 && column + 1 + word > columns) {
            lines++;
            column = word;
        } else {
            column += (column > 0) + word;
        }
        text += word + (text[word] == ' ');
    }
    return lines;
}

static size_t lines_of(const char *text)
{
    return lines_in(text, COLUMNS_OF_TEXT);
}

/* Of a section that is finished, its heading included */
static size_t lines_of_section(const struct report_node *section)
{
    size_t lines = 2;

    for (const struct report_node *n = section->first; n != NULL; n = n->next)
        lines += n->value.type != REPORT_TEXT ? 1
                 : n->kind == REPORT_LINE     ? lines_of(n->value.text)
                                              : lines_in(n->value.text, COLUMNS_OF_ITEM);
    return lines;
}

/* What the sections before leave for findings */
static size_t lines_left(const struct report_node *root, size_t connections)
{
    size_t used = LINES_OF_OTHERS + MIN(connections, CONNECTIONS_SHOWN);

    for (const struct report_node *n = root->first; n != NULL; n = n->next)
        used += n->kind == REPORT_SECTION ? lines_of_section(n) : 0;
    return used < LINES_OF_PAGE ? LINES_OF_PAGE - used : 0;
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

        if (f->id != first->id || f->cause != FINDING_NO_CAUSE || holds(seen, count, f->connection))
            continue;
        if (count == G_N_ELEMENTS(seen)) {
            g_string_append(text, " and more");
            break;
        }
        g_string_append_printf(text, "%s%u", count == 1 ? " Connections with the same: " : ", ",
                               f->connection);
        seen[count++] = f->connection;
    }
    if (count > 1)
        g_string_append_c(text, '.');
}

static char *brief_text(const struct finding *f)
{
    char *text;

    if (f->brief != NULL)
        return g_strdup(f->brief);
    text = g_strdup(finding_kinds[f->id].title);
    if (!g_ascii_isupper(text[1])) /* "CNPs" stay as they are */
        text[0] = g_ascii_tolower(text[0]);
    return text;
}

/* What follows from it */
static void append_effects(GString *text, const struct findings *findings, size_t at)
{
    bool any = false;

    for (size_t i = 0; i < findings_count(findings); i++) {
        const struct finding *f = findings_get(findings, i);
        char *brief;

        if (f->cause != at)
            continue;
        brief = brief_text(f);
        g_string_append_printf(text, "%s%s", any ? "; " : " Consequences: ", brief);
        any = true;
        g_free(brief);
    }
    g_string_append(text, any ? "." : "");
}

/* `all`: others have entries of their own */
static char *entry_text(const struct analysis_input *in, const struct findings *findings, size_t at,
                        bool all)
{
    const struct finding *f = findings_get(findings, at);
    GString *text = g_string_new(finding_kinds[f->id].title);

    if (f->connection != 0 && !f->of_victim)
        g_string_append_printf(text, ", connection %u", f->connection);
    g_string_append_printf(text, ": %s", f->why);
    append_frames(text, in, f);
    append_effects(text, findings, at);
    if (!f->of_victim && !all)
        append_others(text, findings, at);
    return g_string_free(text, FALSE);
}

/* An entry of its own: it follows from nothing else, and is the first of its kind or all are
 * wanted */
static bool is_entry(const struct findings *findings, size_t at, bool all)
{
    const struct finding *f = findings_get(findings, at);

    if (finding_is_about_capture(f) || f->cause != FINDING_NO_CAUSE)
        return false;
    for (size_t i = 0; i < at && !all; i++)
        if (findings_get(findings, i)->id == f->id &&
            findings_get(findings, i)->cause == FINDING_NO_CAUSE)
            return false;
    return true;
}

/* Says in one sentence what a person asks first; returns how many lines that takes */
static size_t put_who(struct report_node *section, const struct analysis_input *in,
                      const struct findings *findings)
{
    char *verdict = findings_verdict(findings, in);
    size_t lines = 0;

    if (verdict != NULL) {
        report_paragraph(section, "verdict", mood_of(findings_gravest(findings)), verdict);
        lines = lines_of(verdict);
    } else if (in->capture->rdma_packets == 0 && flow_connection_count(in->engine) == 0) {
        report_paragraph(section, "unknown", REPORT_WARNING,
                         in->capture->packets == 0
                             ? "There are no packets, or none that were asked for."
                             : "There is no RDMA in this capture.");
    } else {
        report_paragraph(section, "nothing", REPORT_GOOD, "that this capture could show.");
    }
    g_free(verdict);
    return lines;
}

/* Entries while there is room */
struct listing {
    struct report_node *section;
    const struct analysis_input *in;
    const struct findings *findings;
    bool all, any;
    size_t room, lines, left_out;
};

static void put_entry(struct listing *l, size_t at)
{
    const struct finding *f = findings_get(l->findings, at);
    char *text = entry_text(l->in, l->findings, at, l->all);
    char *next = g_strdup_printf("-> %s", finding_next(f, l->in->capture));

    l->lines += lines_of(text) + lines_of(next);
    if (!l->all && l->any && (l->left_out > 0 || l->lines > l->room)) {
        l->left_out++;
    } else {
        report_paragraph(l->section,
                         finding_is_advice(f) ? "advice" : finding_severities[f->severity],
                         finding_is_advice(f) ? REPORT_PLAIN : mood_of(f->severity), text);
        report_paragraph(l->section, "", REPORT_PLAIN, next);
    }
    l->any = true;
    g_free(text);
    g_free(next);
}

static void put_wrong(struct report_node *root, const struct analysis_input *in,
                      const struct findings *findings, bool all)
{
    size_t room = lines_left(root, flow_connection_count(in->engine));
    struct listing l = {.in = in, .findings = findings, .all = all, .room = room};

    l.section = report_section(root, NULL, "What went wrong, worst first");
    findings_report(findings, in, l.section);
    l.lines = put_who(l.section, in, findings);
    for (unsigned advice = 0; advice < 2; advice++) /* advice last */
        for (size_t i = 0; i < findings_count(findings); i++)
            if (is_entry(findings, i, all) &&
                finding_is_advice(findings_get(findings, i)) == (advice == 1))
                put_entry(&l, i);
    if (l.left_out > 0) {
        char *text = g_strdup_printf("%s more: --all shows them.", say_count(l.left_out).text);

        report_paragraph(l.section, "...", REPORT_PLAIN, text);
        g_free(text);
    }
}

/* ------------------------------------------------------------------ the connections */

static void put_connections(struct report_node *root, const struct analysis_input *in,
                            const struct findings *findings, bool all,
                            const struct first *shown_first)
{
    size_t count = flow_connection_count(in->engine);
    uint8_t *statuses;
    bool hurt;

    if (count == 0)
        return;
    statuses = statuses_find(in, findings);
    hurt = shown_first->hurt || memchr(statuses, FARED_PAUSED, count) != NULL;
    connections_table(
        root, in->engine,
        &(struct connections_view){.page = true,
                                   .evidence = in->evidence,
                                   .statuses = statuses,
                                   .weights = hurt ? status_harm(in->run) : status_bytes(in->run),
                                   .first = shown_first->id,
                                   .capture = in->capture,
                                   .order = hurt ? CONNECTIONS_WORST : CONNECTIONS_BYTES,
                                   .top = all ? 0 : CONNECTIONS_SHOWN,
                                   .title = hurt ? "The connections that hurt, worst first"
                                                 : "The connections, most bytes first"});
    g_free(statuses);
    if (!all && count > CONNECTIONS_SHOWN) {
        char *text = g_strdup_printf("... and %s more: rdmapcap flows shows all.",
                                     say_count(count - CONNECTIONS_SHOWN).text);

        report_line(root, text);
        g_free(text);
    }
}
