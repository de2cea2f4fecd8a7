/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What evidence keeps of events and rounds that are given to it by hand: which list an event goes
 * to, amendments, rounds told again, and how a stream began.
 */
#include "support.h"

#include <stdio.h>

#include "analysis/evidence.h"

enum {
    STREAM = 7,
};

struct fixture {
    struct evidence *evidence;
    struct flow_sink sink;
};

static void start(struct fixture *f)
{
    f->evidence = evidence_new();
    f->sink = evidence_sink(f->evidence);
}

static void expect(const struct fixture *f, unsigned kind, const char *frames)
{
    const struct first_frames *first = evidence_frames(f->evidence, STREAM, kind);
    char text[100] = "";

    for (size_t i = 0; first != NULL && i < first->count; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i > 0 ? " " : "",
                 (unsigned)first->frames[i]);
    assert_string_equal(text, frames);
}

static const struct event_row {
    const char *name;
    struct flow_event event;
    unsigned kind; /* EVIDENCE_KIND_COUNT: it goes to none */
} event_rows[] = {
    {"gap", {.kind = FLOW_GAP}, EVIDENCE_GAP},
    {"copy", {.kind = FLOW_DUPLICATE}, EVIDENCE_DUPLICATE},
    {"late", {.kind = FLOW_OUT_OF_ORDER}, EVIDENCE_LATE},
    {"late-tcp", {.kind = FLOW_TCP_OUT_OF_ORDER}, EVIDENCE_LATE},
    {"resent-unseen", {.kind = FLOW_RETRANSMISSION}, EVIDENCE_RESENT_UNSEEN},
    {"resent-seen", {.kind = FLOW_RETRANSMISSION, .original_frame = 3}, EVIDENCE_RESENT},
    {"spurious",
     {.kind = FLOW_RETRANSMISSION, .original_frame = 3, .spurious = true},
     EVIDENCE_SPURIOUS},
    {"not-captured",
     {.kind = FLOW_HOLE_CLOSED, .as = FLOW_HOLE_NOT_CAPTURED},
     EVIDENCE_NOT_CAPTURED},
    {"tcp-gap", {.kind = FLOW_TCP_GAP}, EVIDENCE_NOT_CAPTURED},
    {"lost", {.kind = FLOW_HOLE_CLOSED, .as = FLOW_HOLE_LOST}, EVIDENCE_LOST},
    {"open", {.kind = FLOW_HOLE_CLOSED, .as = FLOW_HOLE_OPEN}, EVIDENCE_LOST},
    {"filled", {.kind = FLOW_HOLE_CLOSED, .as = FLOW_HOLE_RETRANSMITTED}, EVIDENCE_KIND_COUNT},
    {"acked-unseen", {.kind = FLOW_ACKED_UNSEEN}, EVIDENCE_ACKED_UNSEEN},
    {"acked-early", {.kind = FLOW_ACKED_EARLY}, EVIDENCE_ACKED_EARLY},
    {"rnr", {.kind = FLOW_RNR_NAK, .timer_ns = 5}, EVIDENCE_RNR_NAK},
    {"nak", {.kind = FLOW_NAK, .code = 2}, EVIDENCE_NAK + 2},
    {"nak-reserved", {.kind = FLOW_NAK, .code = 31}, EVIDENCE_NAK + FLOW_NAK_RESERVED},
    {"ce", {.kind = FLOW_CE}, EVIDENCE_CE},
    {"cnp", {.kind = FLOW_CNP}, EVIDENCE_CNP},
    {"icrc", {.kind = FLOW_ICRC_BAD}, EVIDENCE_ICRC_BAD},
    {"crc", {.kind = FLOW_CRC_BAD}, EVIDENCE_CRC_BAD},
    {"terminate", {.kind = FLOW_TERMINATE}, EVIDENCE_TERMINATE},
    {"zero-window", {.kind = FLOW_ZERO_WINDOW}, EVIDENCE_ZERO_WINDOW},
    {"mpa", {.kind = FLOW_MPA}, EVIDENCE_MPA},
    {"framing", {.kind = FLOW_FRAMING}, EVIDENCE_FRAMING},
    {"msn-gap", {.kind = FLOW_MSN_GAP}, EVIDENCE_MSN_GAP},
};

/* Into its list, and into no other but those of all resends */
static void check_event(void **state)
{
    const struct event_row *row = *state;
    struct flow_event ev = row->event;
    struct fixture f;

    start(&f);
    ev.frame = 12;
    ev.stream = STREAM;
    f.sink.event(f.sink.context, &ev);
    for (unsigned kind = 0; kind < EVIDENCE_KIND_COUNT; kind++)
        expect(&f, kind,
               kind == row->kind || (kind == EVIDENCE_RESENT && ev.kind == FLOW_RETRANSMISSION)
                   ? "12"
                   : "");
    ev.stream = FLOW_NO_STREAM; /* must not matter */
    f.sink.event(f.sink.context, &ev);
    evidence_free(f.evidence);
}

static void amended(void **state)
{
    struct flow_event ev = {.kind = FLOW_RETRANSMISSION, .frame = 5, .stream = STREAM};
    struct fixture f;
    uint64_t number;

    (void)state;
    start(&f);
    number = f.sink.event(f.sink.context, &ev);
    expect(&f, EVIDENCE_RESENT_UNSEEN, "5");
    ev.kind = FLOW_OUT_OF_ORDER;
    ev.late = (struct flow_late){3, 700};
    f.sink.amend(f.sink.context, number, &ev);
    expect(&f, EVIDENCE_RESENT, "");
    expect(&f, EVIDENCE_RESENT_UNSEEN, "");
    expect(&f, EVIDENCE_LATE, "5");
    assert_int_equal(evidence_of(f.evidence, STREAM)->late_packets_max, 3);
    assert_int_equal(evidence_of(f.evidence, STREAM)->late_ns_max, 700);
    evidence_free(f.evidence);
}

/* A frame of another kind that is amended takes nothing else away */
static void amended_alone(void **state)
{
    struct flow_event late = {.kind = FLOW_OUT_OF_ORDER, .frame = 5, .stream = STREAM};
    struct flow_event again = {
        .kind = FLOW_RETRANSMISSION, .frame = 5, .original_frame = 1, .stream = STREAM};
    struct fixture f;
    uint64_t number;

    (void)state;
    start(&f);
    f.sink.event(f.sink.context, &again);
    number = f.sink.event(f.sink.context, &late);
    late.kind = FLOW_DUPLICATE;
    f.sink.amend(f.sink.context, number, &late);
    expect(&f, EVIDENCE_RESENT, "5");
    expect(&f, EVIDENCE_LATE, "");
    expect(&f, EVIDENCE_DUPLICATE, "5");
    evidence_free(f.evidence);
}

/* The request that a NAK refuses for good stands beside it */
static void refused(void **state)
{
    struct flow_event ev = {
        .kind = FLOW_NAK, .code = 2, .frame = 9, .stream = STREAM, .request_frame = 4};
    struct fixture f;

    (void)state;
    start(&f);
    f.sink.event(f.sink.context, &ev);
    expect(&f, EVIDENCE_NAK + 2, "4 9");
    evidence_free(f.evidence);
}

/* A Terminate message whose reason was cut off says nothing, and takes nothing back */
static void terminates(void **state)
{
    struct flow_event ev = {.kind = FLOW_TERMINATE, .frame = 9, .stream = STREAM};
    struct fixture f;

    (void)state;
    start(&f);
    f.sink.event(f.sink.context, &ev);
    assert_false(evidence_of(f.evidence, STREAM)->terminate_known);
    ev.certain = true;
    ev.terminate = (struct flow_terminate){.layer = 1, .type = 1};
    f.sink.event(f.sink.context, &ev);
    ev.certain = false;
    ev.terminate = (struct flow_terminate){0};
    f.sink.event(f.sink.context, &ev);
    assert_true(evidence_of(f.evidence, STREAM)->terminate_known);
    assert_int_equal(evidence_of(f.evidence, STREAM)->terminate.layer, 1);
    evidence_free(f.evidence);
}

static void timers(void **state)
{
    static const uint64_t ns[] = {640, 655360000, 20};
    struct fixture f;

    (void)state;
    start(&f);
    for (size_t i = 0; i < SUPPORT_COUNT(ns); i++) {
        struct flow_event ev = {
            .kind = FLOW_RNR_NAK, .frame = i + 1, .timer_ns = ns[i], .stream = STREAM};

        f.sink.event(f.sink.context, &ev);
    }
    assert_int_equal(evidence_of(f.evidence, STREAM)->rnr_timer_max_ns, 655360000);
    assert_int_equal(evidence_of(f.evidence, STREAM)->rnr_timer_min_ns, 20);
    evidence_free(f.evidence);
}

/* A round is told again when it changes; one whose predecessor is missing can't be kept */
static void rounds(void **state)
{
    struct flow_round round = {.stream = STREAM, .number = 1, .packets = 2};
    struct round_sums room;
    struct fixture f;

    (void)state;
    start(&f);
    f.sink.round(f.sink.context, &round);
    round.packets = 9;
    f.sink.round(f.sink.context, &round);
    round = (struct flow_round){.stream = STREAM, .number = 2, .packets = 4};
    f.sink.round(f.sink.context, &round);
    round.number = 4;
    f.sink.round(f.sink.context, &round);
    assert_ptr_equal(evidence_rounds(f.evidence, STREAM, &room), &room);
    assert_int_equal(room.packets, 13);
    assert_int_equal(evidence_rounds_refused(f.evidence), 1);
    assert_null(evidence_of(f.evidence, STREAM + 1));
    assert_null(evidence_rounds(f.evidence, STREAM + 1, &room));
    assert_null(evidence_of(f.evidence, FLOW_NO_STREAM));
    evidence_free(f.evidence);
}

/* Of a requester that gives up: the rounds of its last tries, whatever comes later */
static void gave_up(void **state)
{
    struct flow_event ev = {.kind = FLOW_RETRY_EXHAUSTED, .frame = 30, .psn = 5, .stream = STREAM};
    struct flow_round round = {.stream = STREAM, .number = 1, .psn = 4, .first_frame = 10};
    const struct evidence_retries *r;
    struct fixture f;

    (void)state;
    start(&f);
    f.sink.round(f.sink.context, &round);
    for (round.number = 2; round.number <= 3; round.number++) {
        round.psn = 5;
        round.first_frame = round.number * 10;
        round.packets = round.number;
        f.sink.round(f.sink.context, &round);
    }
    f.sink.event(f.sink.context, &ev);
    f.sink.round(f.sink.context, &round);
    r = &evidence_of(f.evidence, STREAM)->retries;
    assert_int_equal(r->rounds->rounds, 2);
    assert_int_equal(r->rounds->frames[0], 20);
    assert_int_equal(r->rounds->frames[1], 30);
    assert_int_equal(r->rounds->least, 2);
    assert_int_equal(r->rounds->most, 3);
    evidence_free(f.evidence);
}

static const struct first_row {
    const char *name;
    uint8_t opcode;
    uint32_t msn;
    bool midway, answer;
} first_rows[] = {
    {"begins-a-message", RDC_RC_RDMA_WRITE_FIRST, 0, false, false},
    {"within-a-message", RDC_RC_RDMA_WRITE_MIDDLE, 0, true, false},
    {"ends-a-message", RDC_RC_SEND_LAST, 0, true, false},
    {"early-answer", RDC_RC_ACKNOWLEDGE, 64, false, true},
    {"late-answer", RDC_RC_ACKNOWLEDGE, 65, true, true},
};

static void check_first(void **state)
{
    const struct first_row *row = *state;
    struct rdc_packet pkt = {.kind = RDC_KIND_BTH};
    struct fixture f;

    start(&f);
    pkt.ib.bth.opcode = row->opcode;
    pkt.ib.ext.present = rdc_opcode_table[row->opcode].ext;
    pkt.ib.ext.aeth.msn = row->msn;
    evidence_first_packet(f.evidence, 0, &pkt);
    assert_int_equal(evidence_first_of(f.evidence, 0)->midway, row->midway);
    assert_int_equal(evidence_first_of(f.evidence, 0)->is_answer, row->answer);
    evidence_free(f.evidence);
}

/* Requests from a first PSN on; the first answer to them */
static const struct older_row {
    const char *name;
    uint32_t first_psn, psn, msn;
    uint8_t opcode; /* of the answer */
    bool older;
} older_rows[] = {
    {"msn-of-all-that-was-sent", 100, 106, 7, RDC_RC_ACKNOWLEDGE, false},
    {"msn-of-a-few-more", 100, 106, 15, RDC_RC_ACKNOWLEDGE, false},
    {"msn-of-more", 100, 106, 16, RDC_RC_ACKNOWLEDGE, true},
    {"msn-across-the-wrap", 0xfffffe, 4, 16, RDC_RC_ACKNOWLEDGE, true},
    {"msn-of-an-older-psn", 100, 90, 9, RDC_RC_ACKNOWLEDGE, true},
    {"no-msn", 100, 106, 40, RDC_RC_RDMA_READ_RESPONSE_MIDDLE, false},
    {"msn-in-a-read-response", 100, 106, 40, RDC_RC_RDMA_READ_RESPONSE_ONLY, true},
};

static void check_older(void **state)
{
    const struct older_row *row = *state;
    struct rdc_packet request = {0}, answer = {0};
    struct fixture f;

    start(&f);
    request.ib.bth.opcode = RDC_RC_RDMA_WRITE_ONLY;
    request.ib.bth.psn = row->first_psn;
    answer.ib.bth.opcode = row->opcode;
    answer.ib.bth.psn = row->psn;
    answer.ib.ext.present = rdc_opcode_table[row->opcode].ext;
    answer.ib.ext.aeth.msn = row->msn;
    evidence_first_packet(f.evidence, 0, &request);
    evidence_first_packet(f.evidence, 1, &answer);
    assert_int_equal(
        evidence_counts_older(evidence_first_of(f.evidence, 0), evidence_first_of(f.evidence, 1)),
        row->older);
    evidence_free(f.evidence);
}

int main(void)
{
    const struct CMUnitTest single[] = {
        {"amended", amended, NULL, NULL, NULL}, {"amended-alone", amended_alone, NULL, NULL, NULL},
        {"refused", refused, NULL, NULL, NULL}, {"terminates", terminates, NULL, NULL, NULL},
        {"timers", timers, NULL, NULL, NULL},   {"rounds", rounds, NULL, NULL, NULL},
        {"gave-up", gave_up, NULL, NULL, NULL},
    };
    enum { ONE = SUPPORT_COUNT(single), EVENTS = SUPPORT_COUNT(event_rows) };
    enum { FIRST = SUPPORT_COUNT(first_rows), OLDER = SUPPORT_COUNT(older_rows) };
    struct CMUnitTest tests[ONE + EVENTS + FIRST + OLDER];

    memcpy(tests, single, sizeof(single));
    for (size_t i = 0; i < EVENTS; i++)
        tests[ONE + i] = (struct CMUnitTest){event_rows[i].name, check_event, NULL, NULL,
                                             (void *)(uintptr_t)&event_rows[i]};
    for (size_t i = 0; i < OLDER; i++)
        tests[ONE + EVENTS + FIRST + i] = (struct CMUnitTest){
            older_rows[i].name, check_older, NULL, NULL, (void *)(uintptr_t)&older_rows[i]};
    for (size_t i = 0; i < FIRST; i++)
        tests[ONE + EVENTS + i] = (struct CMUnitTest){first_rows[i].name, check_first, NULL, NULL,
                                                      (void *)(uintptr_t)&first_rows[i]};
    return _cmocka_run_group_tests("evidence", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
