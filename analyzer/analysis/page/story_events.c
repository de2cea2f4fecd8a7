/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the events of one connection to the entries of its story. Packets that are marked, late,
 * copied or damaged come in runs, and a run is one entry; all packets of a round are one entry.
 */
#include <string.h>

#include "analysis/loss_signs.h"
#include "analysis/page/story.h"
#include "analysis/page/visibility.h"
#include "analysis/say.h"
#include "analysis/terminate.h"
#include "rdc/cm.h"
#include "rdc/ib.h"
#include "report/frame.h"

/* Events that are folded: the same of one direction until something else happens to it */
enum run_kind {
    RUN_LATE,
    RUN_COPIES,
    RUN_DAMAGED,
    RUN_CE,
    RUN_CNP,
    RUN_NAK, /* the same one again */
    RUN_ANSWERS,
    RUN_TCP,
    RUN_KINDS,
};

struct run {
    uint64_t count;
    uint64_t first_frame;
    int64_t first_ns;
    uint64_t last_frame;
    uint64_t late_packets; /* the most */
    int64_t late_ns;
    uint64_t unseen, spurious; /* of segments sent again */
    uint32_t psn;
};

struct side {
    uint32_t stream;
    const struct capture *capture;
    const char *name, *other;
    const struct flow_iwarp *asker; /* what the other side sent; NULL: no iWARP */
    bool unsure;                    /* what it lost may only be missing from the capture */
    struct run runs[RUN_KINDS];
    struct story_counts *counts; /* owned: by round number - 1 */
    uint32_t rounds;
    uint32_t naked_psn;        /* of the latest NAK or RNR NAK */
    bool naked, refused;       /* which of both it was; none: none yet */
    struct flow_event gave_up; /* frame 0: it did not */
};

struct teller {
    struct side sides[2];
    GArray *entries;
};

static void tell_event(void *context, const struct flow_event *ev);
static void tell_rounds(struct teller *t, const struct event_log *log);
static void end_runs(struct teller *t, struct side *s);
static void tell_end(struct teller *t, const struct side *s);
static int by_frame(gconstpointer a, gconstpointer b);

static void entry_clear(gpointer data)
{
    g_free(((struct story_entry *)data)->text);
}

static void side_init(struct side *s, const struct story_input *in, const struct flow_connection *c,
                      bool a_to_b)
{
    const struct flow_direction *d = a_to_b ? &c->a_to_b : &c->b_to_a;
    GPtrArray *rounds = event_log_rounds(in->log, d->stream);

    *s = (struct side){.stream = d->stream,
                       .capture = in->capture,
                       .name = a_to_b ? "a" : "b",
                       .other = a_to_b ? "b" : "a",
                       .asker = a_to_b ? c->b_to_a.iwarp : c->a_to_b.iwarp,
                       .unsure = direction_loss_uncertain(c, d->counters, in->capture)};
    for (guint i = 0; i < rounds->len; i++)
        s->rounds = MAX(s->rounds, ((const struct flow_round *)rounds->pdata[i])->number);
    s->counts = g_new0(struct story_counts, s->rounds + 1);
    g_ptr_array_unref(rounds);
}

GArray *story_entries(const struct story_input *in, const struct flow_connection *c, GError **error)
{
    struct teller t = {.entries = g_array_new(FALSE, FALSE, sizeof(struct story_entry))};
    bool ok;

    g_array_set_clear_func(t.entries, entry_clear);
    side_init(&t.sides[0], in, c, true);
    side_init(&t.sides[1], in, c, false);
    ok = event_log_walk(in->log, tell_event, &t, error);
    tell_rounds(&t, in->log);
    for (unsigned i = 0; i < 2; i++) {
        end_runs(&t, &t.sides[i]);
        tell_end(&t, &t.sides[i]);
    }
    story_pauses(in, c, t.entries);
    g_array_sort(t.entries, by_frame);
    for (unsigned i = 0; i < 2; i++)
        g_free(t.sides[i].counts);
    if (ok)
        return t.entries;
    g_array_unref(t.entries);
    return NULL;
}

/* ------------------------------------------------------------------ entries */

/* Takes the text */
/* NOLINTBEGIN(readability-non-const-parameter): the entry owns it */
static void add(struct teller *t, uint64_t frame, int64_t time_ns, enum report_mood mood,
                char *text)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct story_entry e = {.frame = frame,
                            .order = t->entries->len,
                            .time_ns = time_ns,
                            .text = text,
                            .mood = (uint8_t)mood};

    g_array_append_val(t->entries, e);
}

static int by_frame(gconstpointer a, gconstpointer b)
{
    const struct story_entry *x = a, *y = b;

    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void tell_rounds(struct teller *t, const struct event_log *log)
{
    for (unsigned i = 0; i < 2; i++) {
        struct side *s = &t->sides[i];
        GPtrArray *rounds = event_log_rounds(log, s->stream);

        for (guint k = 0; k < rounds->len; k++) {
            const struct flow_round *r = rounds->pdata[k];

            s->counts[r->number - 1].unsure = s->unsure;
            if (!r->cancelled)
                add(t, r->first_frame, r->start_ns,
                    r->trigger == FLOW_TRIGGER_TIMEOUT ? REPORT_BAD : REPORT_WARNING,
                    story_round_text(r, &s->counts[r->number - 1], s->name, s->other));
        }
        g_ptr_array_unref(rounds);
    }
}

/* Behind the round that its last try is part of */
static void tell_end(struct teller *t, const struct side *s)
{
    const struct flow_event *ev = &s->gave_up;

    if (ev->frame != 0)
        add(t, ev->frame, ev->time_ns, REPORT_BAD,
            g_strdup_printf("%s gives up: PSN %u went out %u times%s", s->name, ev->psn, ev->count,
                            ev->code == 1 ? "; the receiver was never ready" : ""));
}

/* ------------------------------------------------------------------ runs */

/* "All of them are", "3 of them are", "It had": of so many of a run */
static void append_part(GString *text, uint64_t n, const struct run *r, const char *one,
                        const char *many)
{
    if (r->count == 1)
        g_string_append_printf(text, " It %s", one);
    else
        g_string_append_printf(text, " %s of them %s", n == r->count ? "All" : say_count(n).text,
                               n == 1 ? one : many);
}

/* Like the sentence of a round (story_round.c), which TCP does not have */
static char *tcp_text(const struct side *s, const struct run *r)
{
    GString *text = g_string_new(NULL);

    g_string_printf(text, "%s sends %s of TCP again", s->name, say_many(r->count, "segment").text);
    if (r->last_frame != r->first_frame)
        g_string_append_printf(text, ", up to frame %" G_GUINT64_FORMAT,
                               frame_number(r->last_frame));
    g_string_append_c(text, '.');
    if (r->unseen > 0) {
        append_part(text, r->unseen, r, "is", "are");
        g_string_append_printf(text, " new here: lost before the capture point%s.",
                               s->unsure ? ", or missed by the capture" : "");
    }
    if (r->unseen < r->count) {
        append_part(text, r->count - r->unseen, r, "had", "had");
        g_string_append(text, " passed here before.");
    }
    if (r->spurious > 0) {
        append_part(text, r->spurious, r, "had", "had");
        g_string_append(text, " been acknowledged.");
    }
    return g_string_free(text, FALSE);
}

static char *run_text(const struct side *s, unsigned kind, const struct run *r)
{
    bool and_time = r->late_ns != 0 || s->capture->untimed > 0;

    switch ((enum run_kind)kind) {
    case RUN_LATE:
        if (r->late_packets == 0)
            return g_strdup_printf("%s of %s late, behind the resend",
                                   say_many(r->count, "packet").text, s->name);
        return g_strdup_printf("%s of %s late, by up to %s%s%s", say_many(r->count, "packet").text,
                               s->name, say_many(r->late_packets, "packet").text,
                               and_time ? " and " : "",
                               and_time ? say_span(s->capture, r->late_ns).text : "");
    case RUN_COPIES:
        return g_strdup_printf("%s of %s here twice", say_many(r->count, "packet").text, s->name);
    case RUN_DAMAGED:
        return g_strdup_printf("%s of %s damaged: bad ICRC", say_many(r->count, "packet").text,
                               s->name);
    case RUN_CE:
        return g_strdup_printf("%s of %s marked CE: congestion on the way",
                               say_many(r->count, "packet").text, s->name);
    case RUN_CNP:
        return g_strdup_printf("%s from %s: %s shall slow down", say_many(r->count, "CNP").text,
                               s->name, s->other);
    case RUN_NAK:
        return g_strdup_printf("%s repeats the NAK of PSN %u, %s", s->name, r->psn,
                               say_many(r->count, "time").text);
    case RUN_ANSWERS:
        return g_strdup_printf("%s sends %s again, and nothing here asks for it", s->name,
                               say_many(r->count, "answer").text);
    case RUN_TCP:
        return tcp_text(s, r);
    case RUN_KINDS:
        break;
    }
    return g_strdup("");
}

static void end_runs(struct teller *t, struct side *s)
{
    for (unsigned kind = 0; kind < RUN_KINDS; kind++) {
        struct run *r = &s->runs[kind];

        if (r->count > 0)
            add(t, r->first_frame, r->first_ns,
                kind == RUN_DAMAGED || kind == RUN_CE ? REPORT_WARNING : REPORT_PLAIN,
                run_text(s, kind, r));
        *r = (struct run){0};
    }
}

static struct run *run_add(struct side *s, enum run_kind kind, const struct flow_event *ev)
{
    struct run *r = &s->runs[kind];

    if (r->count++ == 0) {
        r->first_frame = ev->frame;
        r->first_ns = ev->time_ns;
        r->psn = ev->psn;
    }
    r->last_frame = ev->frame;
    return r;
}

/* Whether the event is part of a run */
static bool fold(struct side *s, const struct flow_event *ev)
{
    static const uint8_t runs[FLOW_EVENT_KIND_COUNT] = {
        [FLOW_OUT_OF_ORDER] = RUN_LATE + 1,
        [FLOW_DUPLICATE] = RUN_COPIES + 1,
        [FLOW_ICRC_BAD] = RUN_DAMAGED + 1,
        [FLOW_CE] = RUN_CE + 1,
        [FLOW_CNP] = RUN_CNP + 1,
        [FLOW_TCP_RETRANSMISSION] = RUN_TCP + 1,
        [FLOW_TCP_OUT_OF_ORDER] = RUN_LATE + 1,
    };
    struct run *r;

    if (runs[ev->kind] != 0) {
        r = run_add(s, (enum run_kind)(runs[ev->kind] - 1), ev);
        if (ev->kind == FLOW_OUT_OF_ORDER || ev->kind == FLOW_TCP_OUT_OF_ORDER) {
            r->late_packets = MAX(r->late_packets, ev->late.packets);
            r->late_ns = MAX(r->late_ns, ev->late.ns);
        }
        r->unseen += loss_shows_in_resend(ev);
        r->spurious += ev->kind == FLOW_TCP_RETRANSMISSION && ev->spurious;
        return true;
    }
    if (ev->kind == FLOW_NAK && ev->code == RDC_NAK_SEQUENCE && s->naked &&
        s->naked_psn == ev->psn) {
        run_add(s, RUN_NAK, ev);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ single events */

static void tell_resend(struct teller *t, struct side *s, const struct flow_event *ev)
{
    struct side *asked = &t->sides[ev->round_stream == t->sides[0].stream ? 0 : 1];

    if (ev->round == 0 || ev->round > asked->rounds || ev->round_stream != asked->stream) {
        run_add(s, RUN_ANSWERS, ev);
        return;
    }
    if (asked != s)
        asked->counts[ev->round - 1].answers++;
    else if (ev->spurious)
        asked->counts[ev->round - 1].spurious++;
}

static char *psns_text(const struct flow_event *ev)
{
    return ev->count == 1
               ? g_strdup_printf("PSN %u", ev->psn)
               : g_strdup_printf("%s from %u on", say_many(ev->count, "PSN").text, ev->psn);
}

static void tell_hole_end(struct teller *t, const struct flow_event *ev)
{
    char *psns = psns_text(ev);

    if (ev->as == FLOW_HOLE_NOT_CAPTURED)
        add(t, ev->frame, ev->time_ns, REPORT_WARNING,
            g_strdup_printf("%s acknowledged, though not here: the capture missed it", psns));
    else if (ev->as == FLOW_HOLE_LOST)
        add(t, ev->frame, ev->time_ns, REPORT_BAD, g_strdup_printf("%s never came", psns));
    else if (ev->as == FLOW_HOLE_OPEN)
        add(t, ev->frame, ev->time_ns, REPORT_WARNING,
            g_strdup_printf("%s still missing at %s", psns, capture_end(t->sides[0].capture)));
    g_free(psns);
}

static char *nak_text(const struct side *s, const struct flow_event *ev)
{
    if (ev->kind == FLOW_RNR_NAK)
        return g_strdup_printf("%s is not ready for PSN %u: come back in %s", s->name, ev->psn,
                               say_ns((int64_t)ev->timer_ns).text);
    if (ev->code == RDC_NAK_SEQUENCE && s->refused && s->naked_psn == ev->psn)
        return g_strdup_printf(
            "%s still waits for PSN %u, which it was not ready for: NAK, sequence "
            "error, nothing is lost",
            s->name, ev->psn);
    if (ev->code == RDC_NAK_SEQUENCE)
        return g_strdup_printf("%s misses PSN %u: NAK, sequence error", s->name, ev->psn);
    if (ev->request_frame == 0)
        return g_strdup_printf("%s refuses PSN %u (NAK, %s): the connection is dead", s->name,
                               ev->psn, rdc_nak_name(ev->code));
    return g_strdup_printf(
        "%s refuses PSN %u of frame %" G_GUINT64_FORMAT " (NAK, %s): the connection is dead",
        s->name, ev->psn, frame_number(ev->request_frame), rdc_nak_name(ev->code));
}

static char *terminated_text(const struct side *s, const struct flow_event *ev)
{
    uint64_t frame = terminate_stag_frame(&ev->terminate, s->asker);
    char *reason, *text;

    if (!ev->certain)
        return g_strdup_printf("%s terminates the connection; the reason was not captured",
                               s->name);
    reason = terminate_text(&ev->terminate);
    text = frame == 0 ? g_strdup_printf("%s terminates the connection: %s", s->name, reason)
                      : g_strdup_printf("%s terminates the connection: %s, first named in "
                                        "frame %" G_GUINT64_FORMAT,
                                        s->name, reason, frame_number(frame));
    g_free(reason);
    return text;
}

static char *plain_text(const struct side *s, const struct flow_event *ev)
{
    char *psns = psns_text(ev), *text = NULL;

    switch ((int)ev->kind) {
    case FLOW_GAP:
        text = g_strdup_printf("a gap in what %s sends: %s missing", s->name, psns);
        break;
    case FLOW_ACKED_UNSEEN:
        text = g_strdup_printf("%s acknowledges PSN %u, which is not here: the capture missed it",
                               s->name, ev->psn);
        break;
    case FLOW_CM:
        text = g_strdup_printf("%s: %s", s->name, rdc_cm_message_name(ev->code));
        break;
    case FLOW_TEARDOWN:
        text = g_strdup("the connection is torn down");
        break;
    case FLOW_TCP_GAP:
        text = g_strdup_printf("%s bytes of TCP from %s never seen", say_count(ev->gap_bytes).text,
                               s->name);
        break;
    case FLOW_ZERO_WINDOW:
        text = g_strdup_printf("%s took nothing for %s (zero window)", s->name,
                               say_span(s->capture, (int64_t)ev->timer_ns).text);
        break;
    case FLOW_FRAMING:
        text = g_strdup_printf("FPDU framing of %s %s", s->name,
                               ev->code == 0 ? "lost" : "found again");
        break;
    case FLOW_CRC_BAD:
        text = g_strdup_printf("an FPDU of %s has a bad CRC", s->name);
        break;
    case FLOW_MSN_GAP:
        text = g_strdup_printf("%s of %s left out (MSN)",
                               say_many(ev->count, "message number").text, s->name);
        break;
    case FLOW_TERMINATE:
        text = terminated_text(s, ev);
        break;
    default:
        break;
    }
    g_free(psns);
    return text;
}

static void tell_event(void *context, const struct flow_event *ev)
{
    struct teller *t = context;
    struct side *s = ev->stream == t->sides[0].stream   ? &t->sides[0]
                     : ev->stream == t->sides[1].stream ? &t->sides[1]
                                                        : NULL;
    char *text;

    if (s == NULL || ev->stream == FLOW_NO_STREAM || fold(s, ev))
        return;
    if (ev->kind == FLOW_RETRANSMISSION) {
        t->sides[s == &t->sides[0]].refused = false;
        tell_resend(t, s, ev);
        return;
    }
    if (ev->kind == FLOW_RETRY_EXHAUSTED) {
        s->gave_up = *ev;
        return;
    }
    end_runs(t, &t->sides[0]);
    end_runs(t, &t->sides[1]);
    if (ev->kind == FLOW_HOLE_CLOSED) {
        tell_hole_end(t, ev);
        return;
    }
    if (ev->kind == FLOW_NAK || ev->kind == FLOW_RNR_NAK) {
        text = nak_text(s, ev);
        s->naked = ev->kind == FLOW_NAK;
        s->refused = ev->kind == FLOW_RNR_NAK || (s->refused && s->naked_psn == ev->psn);
        s->naked_psn = ev->psn;
    } else {
        text = plain_text(s, ev);
    }
    if (text != NULL)
        add(t, ev->frame, ev->time_ns,
            (ev->kind == FLOW_NAK && ev->code != RDC_NAK_SEQUENCE) || ev->kind == FLOW_TERMINATE
                ? REPORT_BAD
                : REPORT_PLAIN,
            text);
}
