/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` remembers of events, given to it by hand: amendments, holes that close twice, frames
 * that come late, lists that are full.
 */
#include "support.h"

#include <stdio.h>

#include "analysis/check/watch.h"
#include "rdc/wire.h"

struct fixture {
    struct check_watch *watch;
    struct flow_sink sink;
};

static void start(struct fixture *f)
{
    f->watch = check_watch_new();
    f->sink = check_watch_sink(f->watch);
}

static uint64_t say(struct fixture *f, uint8_t kind, uint64_t frame, uint32_t psn, uint32_t count)
{
    struct flow_event ev = {.kind = kind, .frame = frame, .psn = psn, .count = count, .stream = 7};

    return f->sink.event(f->sink.context, &ev);
}

static void close_hole(struct fixture *f, uint32_t psn, uint32_t count, enum flow_hole_end as)
{
    struct flow_event ev = {.kind = FLOW_HOLE_CLOSED,
                            .frame = 99,
                            .psn = psn & RDC_PSN_MASK,
                            .count = count,
                            .as = (uint8_t)as,
                            .stream = 7};

    f->sink.event(f->sink.context, &ev);
}

static void expect(struct fixture *f, enum check_evidence evidence, uint64_t count,
                   const char *frames)
{
    uint64_t list[3];
    size_t n = check_watch_frames(f->watch, 7, evidence, list, 0, 3);
    char text[80] = "";

    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i > 0 ? "," : "",
                 (unsigned)list[i]);
    assert_int_equal(check_watch_count(f->watch, 7, evidence), count);
    assert_string_equal(text, frames);
    assert_int_equal(check_watch_count(f->watch, 8, evidence), 0);
}

/* ------------------------------------------------------------------ gaps */

struct closing {
    uint32_t psn;
    uint32_t count;
    enum flow_hole_end as;
};

/* A gap of four PSNs from 0xfffffe, frame 5; what becomes of it */
static const struct gap_row {
    const char *name;
    struct closing closings[4];
    unsigned gaps, not_captured;
} gap_rows[] = {
    {"open", {{0}}, 1, 0},
    {"resent", {{0xfffffe, 4, FLOW_HOLE_RETRANSMITTED}}, 1, 0},
    {"lost", {{0xfffffe, 4, FLOW_HOLE_LOST}}, 1, 0},
    {"late", {{0xfffffe, 4, FLOW_HOLE_REORDERED}}, 0, 0},
    {"late-one-by-one",
     {{0, 2, FLOW_HOLE_REORDERED},
      {0xffffff, 1, FLOW_HOLE_REORDERED},
      {0xfffffe, 1, FLOW_HOLE_REORDERED}},
     0,
     0},
    {"late-but-one", {{0xfffffe, 3, FLOW_HOLE_REORDERED}, {1, 1, FLOW_HOLE_RETRANSMITTED}}, 1, 0},
    {"not-captured", {{0xfffffe, 4, FLOW_HOLE_NOT_CAPTURED}}, 0, 1},
    {"not-captured-and-late",
     {{0xfffffe, 2, FLOW_HOLE_NOT_CAPTURED}, {0, 2, FLOW_HOLE_REORDERED}},
     0,
     1},
    {"late-after-all",
     {{0xfffffe, 4, FLOW_HOLE_NOT_CAPTURED}, {0xfffffe, 4, FLOW_HOLE_REORDERED}},
     0,
     0},
    {"resent-after-all",
     {{0xfffffe, 4, FLOW_HOLE_NOT_CAPTURED}, {0, 1, FLOW_HOLE_RETRANSMITTED}},
     1,
     1},
    {"another-hole", {{2, 4, FLOW_HOLE_REORDERED}, {0xfffffd, 1, FLOW_HOLE_REORDERED}}, 1, 0},
};

static void check_gap(void **state)
{
    const struct gap_row *row = *state;
    struct fixture f;

    start(&f);
    say(&f, FLOW_GAP, 5, 0xfffffe, 4);
    for (size_t i = 0; i < SUPPORT_COUNT(row->closings) && row->closings[i].count > 0; i++)
        close_hole(&f, row->closings[i].psn, row->closings[i].count, row->closings[i].as);
    check_watch_settle(f.watch);
    expect(&f, EVIDENCE_GAP, row->gaps, row->gaps > 0 ? "5" : "");
    expect(&f, EVIDENCE_NOT_CAPTURED, row->not_captured, row->not_captured > 0 ? "5" : "");
    check_watch_free(f.watch);
}

/* More than are kept waiting: the oldest are decided early, none is forgotten */
static void many_gaps(void **state)
{
    struct fixture f;

    (void)state;
    start(&f);
    for (uint32_t i = 0; i < 10000; i++) {
        say(&f, FLOW_GAP, i + 1, 2 * i, 1);
        if (i % 2 == 0)
            close_hole(&f, 2 * i, 1, FLOW_HOLE_REORDERED);
    }
    check_watch_settle(f.watch);
    expect(&f, EVIDENCE_GAP, 5000, "2,4,6");
    assert_int_equal(check_watch_events(f.watch, FLOW_GAP), 10000);
    check_watch_free(f.watch);
}

/* ------------------------------------------------------------------ amendments and rounds */

static void amended(void **state)
{
    struct fixture f;
    struct flow_event ev = {.kind = FLOW_OUT_OF_ORDER, .frame = 11, .psn = 4, .stream = 7};
    uint64_t number;

    (void)state;
    start(&f);
    say(&f, FLOW_GAP, 10, 4, 1);
    number = say(&f, FLOW_RETRANSMISSION, 11, 4, 0);
    close_hole(&f, 4, 1, FLOW_HOLE_RETRANSMITTED);
    for (uint32_t i = 0; i < 4; i++)
        say(&f, FLOW_RETRANSMISSION, 20 + i, 4 + i, 0);
    expect(&f, EVIDENCE_RETRANSMISSION, 5, "11,20,21");
    f.sink.amend(f.sink.context, number, &ev);
    check_watch_settle(f.watch);
    expect(&f, EVIDENCE_RETRANSMISSION, 4, "20,21,22");
    expect(&f, EVIDENCE_OUT_OF_ORDER, 1, "11");
    expect(&f, EVIDENCE_GAP, 0, "");
    assert_int_equal(check_watch_events(f.watch, FLOW_RETRANSMISSION), 4);
    assert_int_equal(check_watch_events(f.watch, FLOW_OUT_OF_ORDER), 1);
    check_watch_free(f.watch);
}

static uint64_t say_resend(struct fixture *f, uint64_t frame, uint64_t original)
{
    struct flow_event ev = {.kind = FLOW_RETRANSMISSION,
                            .frame = frame,
                            .psn = 4,
                            .stream = 7,
                            .original_frame = original};

    return f->sink.event(f->sink.context, &ev);
}

/* What fills a hole was lost; a late original was not, after all. Behind the capture point it is
 * what began a round; the others of the round may have come through. */
static void losses(void **state)
{
    struct flow_round round = {.stream = 7, .first_frame = 30, .lost = FLOW_LOST_REQUEST};
    struct flow_event late = {.kind = FLOW_OUT_OF_ORDER, .frame = 20, .psn = 4, .stream = 7};
    struct fixture f;
    uint64_t number;

    (void)state;
    start(&f);
    number = say_resend(&f, 20, 0);
    say_resend(&f, 21, 11);
    say_resend(&f, 22, 0);
    close_hole(&f, 4, 1, FLOW_HOLE_RETRANSMITTED);
    close_hole(&f, 9, 1, FLOW_HOLE_OPEN);
    expect(&f, EVIDENCE_LOST, 3, "20,22,99");
    f.sink.amend(f.sink.context, number, &late);
    expect(&f, EVIDENCE_LOST, 2, "22,99");
    f.sink.round(f.sink.context, &round);
    expect(&f, EVIDENCE_LOST_BEHIND, 0, "30");
    round.lost = FLOW_LOST_ANSWER;
    f.sink.round(f.sink.context, &round);
    expect(&f, EVIDENCE_LOST_BEHIND, 0, "");
    check_watch_free(f.watch);
}

static void rounds(void **state)
{
    struct flow_round round = {.stream = 7, .trigger = FLOW_TRIGGER_TIMEOUT, .first_frame = 30};
    struct fixture f;

    (void)state;
    start(&f);
    f.sink.round(f.sink.context, &round);
    f.sink.round(f.sink.context, &round);
    round.first_frame = 20;
    f.sink.round(f.sink.context, &round);
    expect(&f, EVIDENCE_TIMEOUT, 0, "20,30");
    round.trigger = FLOW_TRIGGER_NAK;
    f.sink.round(f.sink.context, &round);
    expect(&f, EVIDENCE_TIMEOUT, 0, "30");
    round = (struct flow_round){
        .stream = 7, .trigger = FLOW_TRIGGER_TIMEOUT, .first_frame = 30, .cancelled = true};
    f.sink.round(f.sink.context, &round);
    expect(&f, EVIDENCE_TIMEOUT, 0, "");
    check_watch_free(f.watch);
}

static void kinds_of_naks(void **state)
{
    struct flow_event ev = {
        .kind = FLOW_NAK, .code = RDC_NAK_REMOTE_ACCESS, .frame = 3, .stream = 7};
    struct fixture f;

    (void)state;
    start(&f);
    say(&f, FLOW_NAK, 1, 0, 0);
    say(&f, FLOW_RNR_NAK, 2, 0, 0);
    f.sink.event(f.sink.context, &ev);
    expect(&f, EVIDENCE_NAK, 2, "1,3");
    expect(&f, EVIDENCE_REMOTE_ERROR, 1, "3");
    expect(&f, EVIDENCE_RNR_NAK, 1, "2");
    say(&f, FLOW_TERMINATE, 4, 0, 0);
    expect(&f, EVIDENCE_NAK, 3, "1,3,4");
    expect(&f, EVIDENCE_REMOTE_ERROR, 2, "3,4");
    check_watch_free(f.watch);
}

/* Events of the end of the capture belong before others */
static void frames_ascend(void **state)
{
    static const uint64_t frames[] = {50, 60, 70, 80, 90, 100, 40, 30, 200};
    struct fixture f;

    (void)state;
    start(&f);
    for (size_t i = 0; i < SUPPORT_COUNT(frames); i++)
        say(&f, FLOW_CE, frames[i], 0, 0);
    expect(&f, EVIDENCE_CE, 9, "30,40,50");
    check_watch_free(f.watch);
}

int main(void)
{
    const struct CMUnitTest single[] = {
        {"many-gaps", many_gaps, NULL, NULL, NULL},
        {"amended", amended, NULL, NULL, NULL},
        {"losses", losses, NULL, NULL, NULL},
        {"rounds", rounds, NULL, NULL, NULL},
        {"kinds-of-naks", kinds_of_naks, NULL, NULL, NULL},
        {"frames-ascend", frames_ascend, NULL, NULL, NULL},
    };
    struct CMUnitTest tests[SUPPORT_COUNT(single) + SUPPORT_COUNT(gap_rows)];

    memcpy(tests, single, sizeof(single));
    for (size_t i = 0; i < SUPPORT_COUNT(gap_rows); i++)
        tests[SUPPORT_COUNT(single) + i] = (struct CMUnitTest){
            gap_rows[i].name, check_gap, NULL, NULL, (void *)(uintptr_t)&gap_rows[i]};
    return _cmocka_run_group_tests("check_watch", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
