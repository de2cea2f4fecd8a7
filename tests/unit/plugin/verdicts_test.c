/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the Wireshark plugin keeps of each frame: links between requests and answers, messages,
 * outstanding bytes; and that looking at frames early changes nothing that is said later. The
 * packets are written as sequence.h says.
 */
#include "plugin/verdicts.h"

#include "flow/sequence.h"

/* What is expected of each frame that has something to say: "FRAME: m MESSAGE/FIRST-LAST, by
 * ANSWER, to REQUEST, again RESENT, out PSNS/BYTES, rtt US" */
static const struct sequence_row rows[] = {
    {"acknowledgement-covers-several", "> 0 w 0..2; < 10 a 2; > 20 w 3",
     "1: m1/1-1 by4; 2: m2/2-2 by4; 3: m3/3-3 by4; 4: to3 rtt8; 5: m4/5-5 out1/64"},
    {"message-of-three", "> 0 wf 0; > 1 wm 1; > 2 wl 2; < 10 a 2",
     "1: m1/1-3 by4; 2: m1/1-3 by4; 3: m1/1-3 by4; 4: to3 rtt8"},
    {"message-cut-by-a-gap", "> 0 wf 0; > 2 wl 2", "1: m1/1-0; 2: m0/0-0"},
    {"message-resent", "> 0 wf 0; > 1 wl 1; < 5 nak 0; > 20 wf 0; > 21 wl 1; < 30 a 1",
     "1: m1/1-2 by6 again4; 2: m1/1-2 by6 again5; 3: to1 again4; 4: m1/1-2 by6 out2/1088; "
     "5: m1/1-2 by6 out2/1088; 6: to5"},
    {"message-whose-start-comes-late", "> 0 w 0; > 2 wl 2; < 5 nak 1; > 20 wf 1; > 21 wl 2",
     "1: m1/1-1 by3; 2: m0/0-0 again5; 3: again4; 4: m2/4-5 out2/64; 5: m2/4-5 out2/64"},
    {"read-and-its-responses", "> 0 r 0 len=2048; < 10 rf 0; < 11 rl 1",
     "1: m1/1-3 by3; 2: m1/1-3 to1; 3: m1/1-3 to1"},
    {"atomic", "> 0 fa 0; < 10 aa 0", "1: m1/1-2 by2; 2: m1/1-2 to1"},
    {"uc", "> 0 usf 0; > 1 usl 1; > 2 us 2", "1: m1/1-2; 2: m1/1-2; 3: m2/3-3"},
    {"outstanding", "> 0 w 0; < 5 a 0; > 10 wf 1; > 11 wm 2; < 15 a 1; > 20 wl 3; < 30 a 3",
     "1: m1/1-1 by2; 2: to1 rtt5; 3: m2/3-6 by5 out1/1024; 4: m2/3-6 by7 out2/2048; 5: to3; "
     "6: m2/3-6 by7 out2/1088; 7: to6 rtt10"},
};

/* The same packets go to the verdicts; `early`: frames are looked at while the capture grows. */
struct watch {
    struct verdicts *verdicts;
    bool early;
    char text[8192];
    size_t used;
};

static void on_packet(void *context, const struct rdc_packet *pkt)
{
    struct watch *w = context;
    uint64_t cursor = 0;

    verdicts_packet(w->verdicts, pkt);
    verdicts_packet(w->verdicts, pkt); /* a frame that was taken is not taken again */
    if (!w->early)
        return;
    verdicts_settle(w->verdicts);
    assert_true(verdicts_settled(w->verdicts));
    while (verdicts_event(w->verdicts, (uint32_t)pkt->frame, &cursor) != NULL)
        continue;
}

__attribute__((format(printf, 2, 3))) static void say(struct watch *w, const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    /* clang-tidy forgets va_start() where it looks at several files in one go.
     * NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    size = vsnprintf(w->text + w->used, sizeof(w->text) - w->used, format, args);
    va_end(args);
    assert_true(size >= 0 && (size_t)size < sizeof(w->text) - w->used);
    w->used += (size_t)size;
}

static void say_frame(struct watch *w, uint32_t frame)
{
    const struct frame_verdict *f = verdicts_frame(w->verdicts, frame);
    const struct frame_verdict *first = verdicts_frame(w->verdicts, f->message_first);

    say(w, "%s%u:", w->used > 0 ? "; " : "", frame);
    if (f->message != 0 || f->psn_expected)
        say(w, " m%u/%u-%u", f->message, f->message_first,
            f->message != 0 ? first->message_last : 0);
    if (!f->psn_expected && f->request != 0)
        say(w, " to%u", f->request);
    if (f->answer != 0)
        say(w, " by%u", f->answer);
    if (f->resent_in != 0)
        say(w, " again%u", f->resent_in);
    if (f->psn_expected && f->outstanding_psns != 0)
        say(w, " out%u/%u", f->outstanding_psns, f->outstanding_bytes);
    if (f->has_rtt)
        say(w, " rtt%d", (int)(frame_rtt_ns(f) / 1000));
}

/* Events too, those of the capture's end among them */
static void say_events(struct watch *w, uint32_t frame)
{
    const struct flow_event *e;
    uint64_t cursor = 0;

    while ((e = verdicts_event(w->verdicts, frame, &cursor)) != NULL) {
        const struct flow_round *round = verdicts_round(w->verdicts, e);

        assert_int_equal(e->frame, frame);
        say(w, " %s %u %u %s", flow_event_name(e->kind), e->psn, e->count,
            round != NULL ? flow_trigger_name(round->trigger) : "");
    }
}

/* Reads the packets as sequence_run() does */
static void play(struct sequence *q, const char *packets)
{
    char *copy = strdup(packets), *rest = NULL;
    struct flow_sink sink = ledger_sink(&q->ledger);

    assert_non_null(copy);
    q->engine = flow_engine_new(NULL, &sink);
    assert_non_null(q->engine);
    for (char *one = strtok_r(copy, ";", &rest); one != NULL; one = strtok_r(NULL, ";", &rest))
        sequence_packet(q, one + strspn(one, " \n"));
    free(copy);
}

static void watch_sequence(struct watch *w, const char *packets, uint32_t base, bool early,
                           bool events)
{
    struct sequence *q = calloc(1, sizeof(*q));

    assert_non_null(q);
    *w = (struct watch){.verdicts = verdicts_new(NULL), .early = early};
    assert_non_null(w->verdicts);
    q->options.base = base;
    q->each = on_packet;
    q->context = w;
    play(q, packets);
    verdicts_settle(w->verdicts);
    for (uint32_t frame = 1; frame <= q->frame; frame++) {
        say_frame(w, frame);
        if (events)
            say_events(w, frame);
    }
    sequence_done(q);
    verdicts_free(w->verdicts);
}

static void test_links(void **state)
{
    const struct sequence_row *row = *state;
    static struct watch w;

    for (uint32_t base = 0; base < 3; base++) { /* the last: around the end of the PSN space */
        watch_sequence(&w, row->packets, base * 0x7fffff, false, false);
        assert_string_equal(w.text, row->expect);
    }
}

static void test_early_looks(void **state)
{
    const struct sequence_row *row = *state;
    static struct watch once, often;

    watch_sequence(&once, row->packets, 0, false, true);
    watch_sequence(&often, row->packets, 0, true, true);
    assert_string_equal(once.text, often.text);
}

/* Beside the rows above: what the end of a capture decides */
static const struct sequence_row ends[] = {
    {"hole-open", "> 0 w 0; > 1 w 3; > 2 w 4", NULL},
    {"hole-covered", "> 0 w 0; > 1 w 3; < 5 a 3; > 9 w 7; < 12 a 2", NULL},
    {"given-up", "> 0 w 0; > 1000 w 0; > 2000 w 0; > 3000 w 0; > 9000 us 5", NULL},
    {"lost-response", "> 0 r 0 len=2048; < 10 rl 1; > 20 w 2", NULL},
};

int main(void)
{
    enum {
        ROWS = SUPPORT_COUNT(rows),
        ENDS = SUPPORT_COUNT(ends),
    };
    struct CMUnitTest tests[2 * ROWS + ENDS];
    size_t count = 0;

    for (size_t i = 0; i < ROWS; i++)
        tests[count++] = (struct CMUnitTest){.name = rows[i].name,
                                             .test_func = test_links,
                                             .initial_state = (void *)(uintptr_t)&rows[i]};
    for (size_t i = 0; i < ROWS + ENDS; i++) {
        const struct sequence_row *row = i < ROWS ? &rows[i] : &ends[i - ROWS];

        tests[count++] = (struct CMUnitTest){.name = row->name,
                                             .test_func = test_early_looks,
                                             .initial_state = (void *)(uintptr_t)row};
    }
    return _cmocka_run_group_tests("verdicts", tests, count, NULL, NULL);
}
