/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Senders to one destination at once, set-up, spread of source ports, priorities by kind: what
 * these analyses make of sequences of packets.
 */
#include "support.h"

#include <math.h>

#include "analysis/incast.h"
#include "analysis/paths.h"
#include "analysis/priority.h"
#include "analysis/setup.h"
#include "looked.h"

/* ------------------------------------------------------------------ incast */

/* Windows of 100 us; the first packet is at a whole one */
static const struct incast_row {
    const char *name, *packets;
    uint64_t max_senders, max_frame, windows, p50, p99;
    uint64_t peak_bytes, peak_senders;
} incast_rows[] = {
    {"one", "> 0 w 0..3", 1, 1, 1, 1, 1, 4 * 138, 1},
    {"two-at-once", "> 0 w 0; > 50 w 0 A=3 qpn=0x91", 2, 2, 1, 2, 2, 2 * 138, 2},
    {"two-after-each-other", "> 0 w 0; > 100 w 0 A=3 qpn=0x91", 1, 1, 2, 1, 1, 138, 1},
    {"just-in-time", "> 0 w 0; > 99.9 w 0 A=3 qpn=0x91", 2, 2, 1, 2, 2, 2 * 138, 2},
    {"two-queue-pairs-of-one-host", "> 0 w 0; > 50 w 0 qpn=0x91", 1, 1, 1, 1, 1, 2 * 138, 1},
    {"another-destination", "> 0 w 0; > 50 w 0 A=3 B=9 qpn=0x91", 1, 1, 1, 1, 1, 138, 1},
    {"acknowledgements-are-no-data", "> 0 w 0; < 10 a 0; > 20 a 5 A=3 qpn=0x91", 1, 1, 1, 1, 1, 138,
     1},
    {"a-damaged-address-is-no-sender", "> 0 w 0; > 50 w 0 A=3 qpn=0x91 badip", 1, 1, 1, 1, 1, 138,
     1},
    /* one sender in three windows, three in one: half the windows see one */
    {"quantiles",
     "> 0 w 0; > 100 w 1; > 200 w 2; > 300 w 3; > 310 w 0 A=3 qpn=0x91; > 320 w 0 A=4 qpn=0x92", 3,
     6, 4, 1, 3, 3 * 138, 3},
};

static void check_incast(void **state)
{
    const struct incast_row *row = *state;
    struct incast_target t;
    struct looked l;

    looked_at(&l, row->packets);
    incast_get(l.run, 0, &t);
    assert_int_equal(t.max_senders, row->max_senders);
    assert_int_equal(t.max_frame, row->max_frame);
    assert_int_equal(t.windows, row->windows);
    assert_int_equal(incast_quantile(&t, 500), row->p50);
    assert_int_equal(incast_quantile(&t, 990), row->p99);
    assert_int_equal(t.peak_bytes, row->peak_bytes);
    assert_int_equal(t.peak_senders, row->peak_senders);
    looked_done(&l);
}

/* ------------------------------------------------------------------ set-up */

static const struct setup_row {
    const char *name, *packets;
    unsigned count;
    uint8_t state;
    uint32_t tries;
    bool unanswered, reply_missed;
    uint32_t teardowns;     /* DREQ messages */
    uint64_t first, second; /* frames of a request that the finding names */
    int64_t answer_after;   /* that: ns after the first; 0: not told */
} setup_rows[] = {
    {"established", "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 w 0", 1,
     SETUP_REPLIED, 1, false, false, 0, 0, 0, 0},
    {"torn-down",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 dreq 0 cid=1 rid=2;"
     "< 30 drep 0 cid=2 rid=1",
     1, SETUP_CLOSED, 1, false, false, 1, 0, 0, 0},
    {"torn-down-by-the-second",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 dreq 0 cid=1 rid=2;"
     "> 4000020 dreq 0 cid=1 rid=2; < 4000030 drep 0 cid=2 rid=1",
     1, SETUP_CLOSED, 1, false, false, 2, 3, 4, 4000010000},
    {"torn-down-by-both",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 dreq 0 cid=1 rid=2;"
     "< 21 dreq 0 cid=2 rid=1",
     1, SETUP_CLOSED, 1, false, false, 1, 0, 0, 0},
    {"asked-twice", "> 0 req 5 cid=1 qpn=0x11; > 4000000 req 5 cid=1 qpn=0x11", 1, SETUP_REQUESTED,
     2, true, false, 0, 1, 2, 0},
    {"asked-twice-then-answered",
     "> 0 req 5 cid=1 qpn=0x11; > 4000000 req 5 cid=1 qpn=0x11;"
     "< 4000010 rep 9 cid=2 rid=1 qpn=0x22",
     1, SETUP_REPLIED, 2, false, false, 0, 1, 2, 4000010000},
    {"two-attempts", "> 0 req 5 cid=1 qpn=0x11; > 3 req 5 cid=7 qpn=0x12", 2, SETUP_REQUESTED, 1,
     false, false, 0, 0, 0, 0},
    {"reply-not-here", "> 0 req 5 cid=1 qpn=0x11; > 20 dreq 0 cid=1 rid=2", 1, SETUP_CLOSED, 1,
     false, true, 1, 0, 0, 0},
    {"reply-shown-by-rtu",
     "> 0 req 5 cid=1 qpn=0x11; > 4000000 req 5 cid=1 qpn=0x11; > 4000020 rtu 0 cid=1 rid=2", 1,
     SETUP_ESTABLISHED, 2, false, true, 0, 1, 2, 4000020000},
    {"reply-shown-by-packets",
     "> 0 req 5 cid=1 qpn=0x11; > 4000000 req 5 cid=1 qpn=0x11; < 4000030 w 0 qpn=0x11", 1,
     SETUP_ESTABLISHED, 2, false, true, 0, 1, 2, 4000030000},
    {"older-packets-show-nothing", "< 0 w 0 qpn=0x11; > 10 req 5 cid=1 qpn=0x11; < 20 w 1 qpn=0x11",
     1, SETUP_REQUESTED, 1, true, false, 0, 0, 0, 0},
    {"packets-to-others-show-nothing", "> 0 req 5 cid=1 qpn=0x11; < 5 w 0 qpn=0x12", 1,
     SETUP_REQUESTED, 1, true, false, 0, 0, 0, 0},
    /* the caller allows 4.096 us */
    {"never-answered", "> 0 req 5 cid=1 qpn=0x11; > 5 w 0", 1, SETUP_REQUESTED, 1, true, false, 0,
     0, 0, 0},
    {"answer-to-nobody", "< 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 w 0", 0, 0, 0, false, false, 0, 0,
     0, 0},
};

static void check_unanswered(const struct finding *f, const struct setup_row *row)
{
    assert_int_equal(f->severity, row->unanswered ? SEVERITY_WARNING : SEVERITY_NOTE);
    if (row->first != 0) {
        assert_int_equal(f->frames.count, 2);
        assert_int_equal(f->frames.frames[0], row->first);
        assert_int_equal(f->frames.frames[1], row->second);
    }
    if (row->answer_after != 0)
        assert_int_equal(f->to_ns - f->from_ns, row->answer_after);
}

static void check_setup(void **state)
{
    const struct setup_row *row = *state;
    const struct setup_exchange *x;
    struct looked l;

    looked_at(&l, row->packets);
    assert_int_equal(setup_count(l.run), row->count);
    if (row->count > 0) {
        x = setup_get(l.run, 0);
        assert_int_equal(x->state, row->state);
        assert_int_equal(x->connect.tries, row->tries);
        assert_int_equal(x->disconnect.tries, row->teardowns);
        assert_int_equal(x->reply_missed, row->reply_missed);
        assert_int_equal(x->connect.frames[0], row->packets[0] == '>' ? 1 : 2);
        assert_int_equal(x->caller[3], 1);
        assert_int_equal(x->called[3], 2);
    }
    assert_int_equal(findings_of(l.findings, FINDING_CM_UNANSWERED),
                     row->unanswered || row->tries > 1 || row->teardowns > 1);
    for (size_t i = 0; i < findings_count(l.findings); i++)
        if (findings_get(l.findings, i)->id == FINDING_CM_UNANSWERED)
            check_unanswered(findings_get(l.findings, i), row);
    looked_done(&l);
}

/* Asked again behind an answer that came past, so that it got lost on its way back */
static const struct heard_row {
    const char *name, *packets;
    unsigned unanswered; /* findings of the kind that asks whether the host answers at all */
    unsigned lost;       /* of those that say that answers got lost, */
    uint64_t times;      /* and what they say: asked again so often, */
    uint64_t frames[3];
    uint32_t connection;
    enum finding_end end;
    const char *at_fault, *why;
} heard_rows[] = {
    {"teardown-answered-each-time",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 w 0 qpn=0x22; > 30 w 0 A=7;"
     "> 40 w 1 qpn=0x22; > 1000 dreq 0 cid=1 rid=2; < 1010 drep 0 cid=2 rid=1;"
     "> 4000000 dreq 0 cid=1 rid=2; < 4000010 drep 0 cid=2 rid=1;"
     "> 8000000 dreq 0 cid=1 rid=2; < 8000010 drep 0 cid=2 rid=1",
     0,
     1,
     2,
     {6, 7, 8},
     1,
     FINDING_RECOVERED,
     "the way from the capture point to 10.0.0.1, or",
     "10.0.0.1 asked 10.0.0.2 3 times to end their connection, 2 times although it had been "
     "answered here, first after 10.0 us"},
    /* of the called side, over a connection of which only its data is here */
    {"teardown-by-the-called-side",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 w 0 A=7; < 30 w 0 qpn=0x11;"
     "< 1000 dreq 0 cid=2 rid=1; > 1010 drep 0 cid=1 rid=2; < 4000000 dreq 0 cid=2 rid=1",
     0,
     1,
     1,
     {5, 6, 7},
     2,
     FINDING_UNSAID,
     "the way from the capture point to 10.0.0.2, or",
     "10.0.0.2 asked 10.0.0.1 2 times to end their connection, once"},
    {"reply-lost",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; < 2000000 rep 9 cid=2 rid=1 "
     "qpn=0x22; > 4000000 req 5 cid=1 qpn=0x11; < 4000010 rep 9 cid=2 rid=1 qpn=0x22",
     0,
     1,
     1,
     {1, 2, 4},
     0,
     FINDING_RECOVERED,
     "the way from the capture point to 10.0.0.1, or",
     "2 times for a connection, once although"},
    {"refusal-lost",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rej 0 cid=2 rid=1; > 4000000 req 5 cid=1 qpn=0x11;"
     "< 4000010 rej 0 cid=2 rid=1",
     0,
     1,
     1,
     {1, 2, 3},
     0,
     FINDING_RECOVERED,
     "the way from the capture point to 10.0.0.1, or",
     "2 times for a connection, once although"},
    /* the next try was on its way when the answer came past */
    {"answered-late",
     "> 0 req 5 cid=1 qpn=0x11; < 3999990 rep 9 cid=2 rid=1 qpn=0x22; > 4000000 req 5 cid=1 "
     "qpn=0x11",
     1,
     0,
     0,
     {0},
     0,
     FINDING_RECOVERED,
     "10.0.0.2, or the way between 10.0.0.1 and it",
     "2 times for a connection; the answer came 4.00 s after the first."},
    /* one try got none, one was answered */
    {"both",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 4000000 req 5 cid=1 qpn=0x11;"
     "> 8000000 req 5 cid=1 qpn=0x11",
     1,
     1,
     1,
     {1, 2, 3},
     0,
     FINDING_UNSAID,
     "the way from the capture point to 10.0.0.1, or",
     "3 times for a connection, once although"},
    /* what the other capture point saw may not have come to this one */
    {"answered-elsewhere",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22 if=1; > 4000000 req 5 cid=1 "
     "qpn=0x11",
     1,
     0,
     0,
     {0},
     0,
     FINDING_RECOVERED,
     "10.0.0.2, or the way between",
     "2 times"},
    /* a DREQ of its own does not tell that it got the other one */
    {"torn-down-by-both",
     "> 0 req 5 cid=1 qpn=0x11; < 10 rep 9 cid=2 rid=1 qpn=0x22; > 20 dreq 0 cid=1 rid=2;"
     "< 21 dreq 0 cid=2 rid=1; > 4000000 dreq 0 cid=1 rid=2",
     1,
     0,
     0,
     {0},
     0,
     FINDING_RECOVERED,
     "10.0.0.2, or the way between",
     "2 times"},
};

static void check_heard(void **state)
{
    const struct heard_row *row = *state;
    struct looked l;

    looked_at(&l, row->packets);
    assert_int_equal(setup_count(l.run), 1);
    assert_int_equal(findings_of(l.findings, FINDING_CM_UNANSWERED), row->unanswered);
    assert_int_equal(findings_of(l.findings, FINDING_CM_ANSWER_LOST), row->lost);
    for (size_t i = 0; i < findings_count(l.findings); i++) {
        const struct finding *f = findings_get(l.findings, i);

        if (f->id != (row->lost > 0 ? FINDING_CM_ANSWER_LOST : FINDING_CM_UNANSWERED))
            continue;
        assert_int_equal(f->severity, row->lost > 0 ? SEVERITY_WARNING : SEVERITY_NOTE);
        assert_int_equal(f->end, row->end);
        assert_non_null(strstr(f->who, row->at_fault));
        assert_non_null(strstr(f->why, row->why));
        assert_int_equal(f->connection, row->connection);
        for (unsigned k = 0; k < 3 && row->lost > 0; k++)
            assert_int_equal(f->frames.frames[k], row->frames[k]);
        if (row->lost > 0)
            assert_int_equal(f->value.count, row->times);
    }
    looked_done(&l);
}

/* ------------------------------------------------------------------ source ports */

static const struct paths_row {
    const char *name, *packets;
    uint64_t pairs, qps, ports, tuples;
    double effective; /* of the first pair */
    uint64_t one_port_pairs;
} paths_rows[] = {
    {"one", "> 0 w 0..3", 1, 1, 1, 1, 1, 0},
    {"two-on-one-port", "> 0 w 0..3; > 10 w 0..3 qpn=0x91", 1, 2, 1, 1, 1, 1},
    {"two-ports-alike", "> 0 w 0..3; > 10 w 0..3 qpn=0x91 port=51000", 1, 2, 2, 2, 2, 0},
    /* bytes weigh: shares of 3/4 and 1/4 are worth 2^0.8113 flows */
    {"one-busier", "> 0 w 0..5; > 10 w 0..1 qpn=0x91 port=51000", 1, 2, 2, 2, 1.7548, 0},
    {"each-way-counts", "> 0 w 0..3; < 10 w 0..3", 2, 1, 1, 2, 1, 0},
    {"cnps-make-no-path", "> 0 w 0..3; < 10 cnp 0", 1, 1, 1, 1, 1, 0},
};

static void check_paths(void **state)
{
    const struct paths_row *row = *state;
    struct looked l;
    const struct paths *p;

    looked_at(&l, row->packets);
    p = paths_of(l.run);
    assert_int_equal(p->pair_count, row->pairs);
    assert_int_equal(p->pairs[0].qps, row->qps);
    assert_int_equal(p->pairs[0].ports, row->ports);
    assert_int_equal(p->tuples, row->tuples);
    assert_int_equal(p->one_port_pairs, row->one_port_pairs);
    if (fabs(p->pairs[0].effective - row->effective) > 0.001)
        fail_msg("%f flows, not %f", p->pairs[0].effective, row->effective);
    looked_done(&l);
}

/* ------------------------------------------------------------------ priorities */

static const struct priority_row {
    const char *name, *packets;
    enum priority_kind kind;
    unsigned pcp; /* 8: no tag */
    uint64_t count, frame;
    uint64_t on_default; /* data packets */
} priority_rows[] = {
    {"untagged", "> 0 w 0..3", PRIORITY_DATA, 8, 4, 1, 4},
    {"tagged", "> 0 w 0..3 vlan=4", PRIORITY_DATA, 3, 4, 1, 0},
    {"tagged-zero", "> 0 w 0..3 vlan=1", PRIORITY_DATA, 0, 4, 1, 4},
    {"acks", "> 0 w 0..3 vlan=4; < 10 a 3 vlan=6", PRIORITY_ACK, 5, 1, 5, 0},
    {"responses-are-data", "> 0 r 0 len=64; < 10 ro 0 vlan=6", PRIORITY_DATA, 5, 1, 2, 1},
    {"cnps", "> 0 w 0..3 vlan=4; < 10 cnp 0 vlan=7", PRIORITY_CNP, 6, 1, 5, 0},
    {"set-up", "> 0 w 0 vlan=4; > 10 req 5 cid=1 qpn=0x11 vlan=2", PRIORITY_CM, 1, 1, 2, 0},
};

static void check_priority(void **state)
{
    const struct priority_row *row = *state;
    const struct priority_counts *n;
    struct looked l;

    looked_at(&l, row->packets);
    n = priority_counts(l.run);
    assert_int_equal(n->of[row->kind][0][row->pcp].packets, row->count);
    assert_int_equal(n->of[row->kind][0][row->pcp].frame, row->frame);
    assert_int_equal(priority_default_data(n).packets, row->on_default);
    assert_int_equal(findings_of(l.findings, FINDING_DEFAULT_PRIORITY), row->on_default > 0);
    looked_done(&l);
}

#define ADD(rows, check)                                                                           \
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)                                               \
        tests[count++] = (struct CMUnitTest)                                                       \
        {                                                                                          \
            rows[i].name, check, NULL, NULL, (void *)(uintptr_t)&rows[i]                           \
        }

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(incast_rows) + SUPPORT_COUNT(setup_rows) +
                            SUPPORT_COUNT(heard_rows) + SUPPORT_COUNT(paths_rows) +
                            SUPPORT_COUNT(priority_rows)];
    size_t count = 0;

    ADD(incast_rows, check_incast);
    ADD(setup_rows, check_setup);
    ADD(heard_rows, check_heard);
    ADD(paths_rows, check_paths);
    ADD(priority_rows, check_priority);
    return _cmocka_run_group_tests("fabric", tests, count, NULL, NULL);
}
