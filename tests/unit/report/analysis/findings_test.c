/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which findings a sequence of packets raises, which of them is the headline and which follow from
 * it, how it ended, and what the verdict says.
 */
#include "support.h"

#include "looked.h"

/* A finding as text: "id severity end <- cause"; those about how hosts are set up are left out. */
static char *told(const struct looked *l)
{
    static const char *const ends[] = {"", " recovered", " broken", " ended"};
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < findings_count(l->findings); i++) {
        const struct finding *f = findings_get(l->findings, i);

        if (f->id >= FINDING_CAPTURE_INCOMPLETE && f->id != FINDING_LIMITS_REACHED &&
            f->id != FINDING_CAPTURE_INCOMPLETE)
            continue;
        g_string_append_printf(text, "%s%s %s%s", text->len > 0 ? "; " : "",
                               finding_kinds[f->id].id, finding_severities[f->severity],
                               ends[f->end]);
        if (f->cause != FINDING_NO_CAUSE)
            g_string_append_printf(text, " <- %s",
                                   finding_kinds[findings_get(l->findings, f->cause)->id].id);
    }
    return g_string_free(text, FALSE);
}

static const struct row {
    const char *name;
    const char *packets;
    const char *findings;
    const char *verdict; /* that it must hold */
} rows[] = {
    {"clean", "> 0 w 0..3 ecn=2; < +5 a 3", "", "Nothing is broken"},
    /* the first timeout is answered: a lost tail */
    {"tail-lost", "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; < +5 a 3",
     "loss-after-tap warning recovered; timeout-recovery warning recovered <- loss-after-tap",
     "the way from the capture point to 10.0.0.2"},
    /* what a NAK asks for is missing; behind a timeout it may be the answer that is */
    {"lost-behind-by-nak", "> 0 w 0..3 ecn=2; < +5 nak 2; > +5 w 2..3 ecn=2; < +5 a 3",
     "loss-after-tap warning recovered", "recovered. Not known: at which hop."},
    {"lost-behind-nak-unheard",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; < +5 a 3; > +5 w 4..5 ecn=2; < +5 nak 5; "
     "> 9000 w 5 ecn=2; < +5 a 5",
     "loss-after-tap warning recovered; timeout-recovery warning recovered <- loss-after-tap",
     "at which hop, and, of what went out again by timeout, whether the packets"},
    {"lost-behind-by-both",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; < +5 a 3; > +5 w 4..6 ecn=2; < +5 nak 5; "
     "> +5 w 5..6 ecn=2; < +5 a 6",
     "loss-after-tap warning recovered; timeout-recovery warning recovered <- loss-after-tap",
     "at which hop, and, of what went out again by timeout, whether the packets"},
    {"lost-behind-silently", "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; < +5 a 3",
     "loss-after-tap warning recovered; timeout-recovery warning recovered <- loss-after-tap",
     "recovered. Not known: at which hop, and whether the packets or the answers"},
    {"response-lost-behind",
     "> 0 r 0 ecn=2; > 1 r 1 ecn=2; < 10 ro 0 ecn=2; < 11 ro 1 ecn=2; > 40 r 0 ecn=2; > 41 r 1 "
     "ecn=2; < 50 ro 0 ecn=2; < 51 ro 1 ecn=2",
     "loss-after-tap warning recovered", "recovered. Not known: at which hop."},
    {"atomic-answer-lost-before",
     "> 0 cs 0 ecn=2; > 1 fa 1 ecn=2; < 11 aa 1 ecn=2; > 600 cs 0 ecn=2; > 601 fa 1 ecn=2;"
     "< 610 aa 0 ecn=2; < 611 aa 1 ecn=2",
     "atomic-answer-lost warning recovered",
     "the way from 10.0.0.2 to the capture point (connection 1)"},
    {"atomic-answer-lost-behind",
     "> 0 cs 0 ecn=2; > 1 fa 1 ecn=2; < 10 aa 0 ecn=2; < 11 aa 1 ecn=2; > 600 cs 0 ecn=2; "
     "> 601 fa 1 ecn=2; < 610 aa 0 ecn=2; < 611 aa 1 ecn=2",
     "answer-lost warning recovered", "the way from the capture point to 10.0.0.1, or 10.0.0.1"},
    /* three tries, no answer in between, then one */
    {"silence-that-ends",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; > 4000 w 2..3 ecn=2; < +5 a 3",
     "no-answer warning recovered; timeout-recovery warning recovered <- no-answer",
     "10.0.0.2, or the way between 10.0.0.1 and it (connection 1); for 4.00 ms"},
    /* as many tries, but each was answered here */
    {"answers-lost-behind",
     "> 0 w 0..3 ecn=2; < +5 a 3; > 2000 w 2..3 ecn=2; < +5 a 3; > 4000 w 2..3 ecn=2; < +5 a 3",
     "answer-lost warning recovered; timeout-recovery warning recovered <- answer-lost; "
     "spurious-retransmission warning <- answer-lost",
     "the way from the capture point to 10.0.0.1, or 10.0.0.1 itself"},
    {"naks-lost-behind",
     "> 0 w 0 ecn=2; > 1000 w 0 ecn=2; < +5 a 0; > +5 w 1..3 ecn=2; < +5 nak 2; > 4000 w 2..3 "
     "ecn=2; "
     "< +5 nak 2; > 8000 w 2..3 ecn=2; < +5 a 3",
     "loss-after-tap warning recovered; timeout-recovery warning recovered <- loss-after-tap",
     "the way from the capture point to 10.0.0.2"},
    /* three times at the sender, but the first never came here */
    {"two-tries-here",
     "> 0 w 0 ecn=2; > +1 w 2 ecn=2; > 2000 w 1..2 ecn=2; > 4000 w 1..2 ecn=2; < +5 a 2",
     "loss-before-tap warning recovered; loss-after-tap warning recovered; timeout-recovery "
     "warning recovered <- loss-before-tap",
     "the way from 10.0.0.1 to the capture point"},
    /* as many tries, and the capture ends before it is sure that the requester gave up */
    {"silence",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; > 4000 w 2..3 ecn=2; > 6000 w 2..3 ecn=2",
     "no-answer error broken; timeout-recovery warning broken <- no-answer",
     "still so at the end of the capture"},
    {"gave-up",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; > 4000 w 2..3 ecn=2; > 6000 w 2..3 ecn=2;"
     "> 90000 w 0 A=3 B=4 qpn=0x99 ecn=2; < +5 a 0 A=3 B=4 qpn=0x98",
     "retry-exhausted error broken; timeout-recovery warning broken <- retry-exhausted",
     "still so at the end of the capture"},
    /* the same, but all tries were answered here: the peer is not silent */
    {"gave-up-unheard",
     "> 0 w 0..3 ecn=2; < +5 a 3; > 2000 w 2..3 ecn=2; < +5 a 3; > 4000 w 2..3 ecn=2; < +5 a 3;"
     "> 6000 w 2..3 ecn=2; < +5 a 3;"
     "> 90000 w 0 A=3 B=4 qpn=0x99 ecn=2; < +5 a 0 A=3 B=4 qpn=0x98",
     "retry-exhausted error broken; answer-lost warning recovered; timeout-recovery warning "
     "recovered <- answer-lost; spurious-retransmission warning <- answer-lost",
     "the way from the capture point to 10.0.0.1, or 10.0.0.1 itself"},
    /* the same, but answers could not be seen */
    {"gave-up-one-way",
     "> 0 w 0..3 ecn=2; > 2000 w 2..3 ecn=2; > 4000 w 2..3 ecn=2; > 6000 w 2..3 ecn=2;"
     "> 90000 w 0 A=3 B=4 qpn=0x99 ecn=2; < +5 a 0 A=3 B=4 qpn=0x98",
     "retry-exhausted error; timeout-recovery warning <- retry-exhausted", "10.0.0.2, or the way"},
    /* a silence elsewhere explains nothing here */
    {"loss-beside-silence",
     "> 0 w 0..3 ecn=2; < +5 a 1; > 2000 w 2..3 ecn=2; > 4000 w 2..3 ecn=2; > 6000 w 2..3 ecn=2;"
     "> 6100 w 0 A=3 B=4 qpn=0x99 ecn=2; > +1 w 2 A=3 B=4 qpn=0x99 ecn=2;"
     "< +5 nak 1 A=3 B=4 qpn=0x98; > +5 w 1..2 A=3 B=4 qpn=0x99 ecn=2;"
     "< +5 a 2 A=3 B=4 qpn=0x98",
     "no-answer error broken; loss-before-tap warning recovered;"
     " timeout-recovery warning broken <- no-answer",
     "10.0.0.2, or"},
    {"lost-before", "> 0 w 0 ecn=2; > +1 w 2..30 ecn=2; < +5 nak 1; > +5 w 1..30 ecn=2; < +5 a 30",
     "loss-before-tap warning recovered; retransmission-share warning <- loss-before-tap",
     "the way from 10.0.0.1 to the capture point (connection 1); for 72.0 us, from 1.00 us"},
    {"lost-before-and-open", "> 0 w 0 ecn=2; > +1 w 2..3 ecn=2", "missing-at-the-end note broken",
     "No fault can be named (connection 1): no resend or acknowledgement tells a loss from a "
     "packet "
     "that the capture missed before the end of the capture."},
    /* 16 resends for want of a buffer are that, and no loss */
    {"not-ready", "> 0 s 0..15 ecn=2; < +1 rnr 0; > +1000 s 0..15 ecn=2; < +1 a 15",
     "rnr-stall warning recovered; retransmission-share warning <- rnr-stall",
     "10.0.0.2, which had no receive buffer (connection 1); for"},
    {"not-ready-longest", "> 0 s 0..15 ecn=2; < +1 rnr0 0; > +655400 s 0..15 ecn=2; < +1 a 15",
     "rnr-timer-longest warning recovered; rnr-stall warning recovered <- rnr-timer-longest;"
     " retransmission-share warning <- rnr-timer-longest",
     "10.0.0.2, which asks for so long a wait"},
    /* of two kinds of trouble in one stream, resends belong to the one that made most of them */
    {"mostly-not-ready",
     "> 0 s 0..15 ecn=2; < +1 rnr 0; > +1000 s 0..15 ecn=2; < +1 a 15;"
     "> +10 s 16 ecn=2; > +1 s 18 ecn=2; < +5 nak 17; > +5 s 17..18 ecn=2; < +5 a 18",
     "loss-before-tap warning recovered; rnr-stall warning recovered;"
     " retransmission-share warning <- rnr-stall",
     "the way from 10.0.0.1"},
    {"mostly-lost",
     "> 0 s 0..1 ecn=2; < +1 rnr 0; > +1000 s 0..1 ecn=2; < +1 a 1;"
     "> +10 s 3..30 ecn=2; < +5 nak 2; > +5 s 2..30 ecn=2; < +5 a 30",
     "loss-before-tap warning recovered; rnr-stall warning recovered;"
     " retransmission-share warning <- loss-before-tap",
     "the way from 10.0.0.1"},
    {"damaged",
     "> 0 w 0 ecn=2; > +1 w 1 bad ecn=2; > +1 w 2 ecn=2; < +5 nak 1; > +5 w 1..2 ecn=2; < +5 a 2;"
     "> +9 w 3..60 ecn=2; < +1 a 60",
     "icrc-bad error recovered; loss-before-tap warning recovered <- icrc-bad",
     "a switch or adapter between 10.0.0.1"},
    /* one packet damaged, but two lost: the losses are not all explained */
    {"damaged-and-lost",
     "> 0 w 0 ecn=2; > +1 w 1 bad ecn=2; > +1 w 4 ecn=2; < +5 nak 1; > +5 w 1..4 ecn=2; < +5 a 4;"
     "> +9 w 5..60 ecn=2; < +1 a 60",
     "icrc-bad error recovered; loss-before-tap warning recovered", "a switch or adapter"},
    {"refused", "> 0 w 0 ecn=2; < +5 access 0", "remote-access-error error ended",
     "the connection ended by it"},
    {"missed-by-the-capture", "> 0 w 0 ecn=2; > +1 w 2 ecn=2; < +5 a 2",
     "capture-incomplete warning", "Nothing is broken"},
    {"missed-and-lost",
     "> 0 w 0 ecn=2; > +1 w 2 ecn=2; < +5 a 2; > +1 w 4 ecn=2; < +5 nak 3; > +5 w 3..4 ecn=2;"
     "< +5 a 4",
     "loss-before-tap warning recovered; capture-incomplete warning",
     "No fault can be named (connection 1): the capture misses packets"},
    {"not-marked", "> 0 w 0..3; < +5 a 3", "", "Nothing is broken"},
    {"marked-and-told", "> 0 w 0..19 ecn=3 vlan=4; < +1 cnp 0 vlan=7; < +1 a 19",
     "congestion-marks warning broken", "a queue on the way to 10.0.0.2"},
    {"marked-and-not-told", "> 0 w 0..19 ecn=3 vlan=4; < +1 a 19",
     "ce-without-cnp warning broken; congestion-marks warning broken <- ce-without-cnp",
     "10.0.0.2, which does not tell"},
    /* marks on the way to one host are one finding, whatever connections carry them */
    {"marked-by-two",
     "> 0 w 0..9 ecn=3 vlan=4; < +1 cnp 0 vlan=7; < +1 a 9;"
     "> +1 w 0..9 ecn=3 vlan=4 A=3 qpn=0x99; < +1 cnp 0 vlan=7 A=3 qpn=0x98; < +1 a 9 A=3 qpn=0x98",
     "congestion-marks warning broken", "2 senders that share the way to 10.0.0.2"},
    {"incast",
     "> 0 w 0..5 ecn=3 vlan=4; > 0 w 0..5 ecn=3 vlan=4 A=3 qpn=0x91; > 0 w 0..5 ecn=3 vlan=4 A=4 "
     "qpn=0x92;"
     "> 0 w 0..5 ecn=3 vlan=4 A=5 qpn=0x93; < 20 cnp 0 vlan=7; < +1 a 5; < +1 cnp 0 vlan=7 A=3 "
     "qpn=0x81;"
     "< +1 a 5 A=3 qpn=0x81; < +1 cnp 0 vlan=7 A=4 qpn=0x82; < +1 a 5 A=4 qpn=0x82;"
     "< +1 cnp 0 vlan=7 A=5 qpn=0x83; < +1 a 5 A=5 qpn=0x83",
     "incast warning broken; congestion-marks warning broken <- incast",
     "4 hosts that send to 10.0.0.2 at the same time; for"},
};

static void check_row(void **state)
{
    const struct row *row = *state;
    struct looked l;
    char *text, *verdict;

    looked_at(&l, row->packets);
    text = told(&l);
    assert_string_equal(text, row->findings);
    verdict = findings_verdict(l.findings, &l.input);
    if (strstr(verdict, row->verdict) == NULL)
        fail_msg("'%s' is not in '%s'", row->verdict, verdict);
    g_free(text);
    g_free(verdict);
    looked_done(&l);
}

/* ------------------------------------------------------------------ limits */

static void check_limits(void **state)
{
    static const struct {
        uint32_t streams;
        uint64_t found;
    } limits[] = {{2, 1}, {4, 0}};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(limits); i++) {
        struct flow_config config = {.max_streams = limits[i].streams};
        struct looked l;

        looked_start(&l, &config);
        looked_feed(&l, "> 0 w 0..3; < +5 a 3; > +1 w 0 A=3 B=4 qpn=0x99; < +5 a 0 A=3 B=4 qpn=5");
        looked_finish(&l);
        assert_int_equal(findings_of(l.findings, FINDING_LIMITS_REACHED), limits[i].found);
        looked_done(&l);
    }
}

/* ------------------------------------------------------------------ pauses */

#define US INT64_C(1000)
#define QUANTA_1MS_10G 19531

/* Host 2 pauses priority 3 (PCP), host 1 has more to send */
static const struct pause_row {
    const char *name;
    unsigned xoffs; /* a millisecond apart */
    bool released;
    const char *findings, *verdict;
} pause_rows_[] = {
    {"short", 1, true, "pfc-pause warning recovered", "it recovered"},
    {"not-released", 3, false,
     "pfc-not-released warning broken; pfc-pause warning broken <- pfc-not-released",
     "port 00:00:00:00:00:02 (10.0.0.2)"},
    {"storm", 300, false,
     "pfc-storm error broken; pfc-not-released warning broken <- pfc-storm;"
     " pfc-pause warning broken <- pfc-storm",
     "still so at the end"},
    {"storm-released", 300, true,
     "pfc-storm error recovered; pfc-pause warning recovered <- pfc-storm", "it recovered"},
};

static void check_pauses(void **state)
{
    const struct pause_row *row = *state;
    const int64_t start = 1000000000 + 10 * US;
    char *text, *verdict;
    struct looked l;

    looked_start(&l, NULL);
    l.capture.link_rate_bps = UINT64_C(10000000000);
    looked_feed(&l, "> 0 w 0..3 ecn=2 vlan=4; < +1 a 3 vlan=4");
    for (unsigned i = 0; i < row->xoffs; i++)
        looked_pause(&l, 100 + i, start + i * 1000 * US, 2, 3, QUANTA_1MS_10G + 1);
    if (row->released)
        looked_pause(&l, 9000, start + (row->xoffs - 1) * 1000 * US + 500 * US, 2, 3, 0);
    else
        looked_pause(&l, 9000, start + (row->xoffs - 1) * 1000 * US + 500 * US, 7, 5, 0);
    looked_finish(&l);
    text = told(&l);
    assert_string_equal(text, row->findings);
    verdict = findings_verdict(l.findings, &l.input);
    if (strstr(verdict, row->verdict) == NULL)
        fail_msg("'%s' is not in '%s'", row->verdict, verdict);
    g_free(text);
    g_free(verdict);
    looked_done(&l);
}

/* More connections with the same trouble than are kept: the later ones repeat more, so that other
 * connections are kept as the worst repeaters than as the least ready */
static void check_many(void **state)
{
    GString *packets = g_string_new(NULL);
    struct looked l;
    char *verdict;

    (void)state;
    for (unsigned i = 0; i < 70; i++)
        g_string_append_printf(packets,
                               "> %u s 0..%u A=%u B=%u ecn=2; < +1 rnr 0 A=%u B=%u;"
                               "> +1000 s 0..%u A=%u B=%u ecn=2; < +1 a %u A=%u B=%u;",
                               i * 3000, 20 + i, 10 + i, 100 + i, 10 + i, 100 + i, 20 + i, 10 + i,
                               100 + i, 20 + i, 10 + i, 100 + i);
    looked_at(&l, packets->str);
    assert_int_equal(findings_of(l.findings, FINDING_RNR_STALL), 70);
    assert_int_equal(findings_of(l.findings, FINDING_RETRANSMISSION_SHARE), 70);
    for (size_t i = 0; i < findings_count(l.findings); i++) {
        const struct finding *f = findings_get(l.findings, i);

        if (f->id != FINDING_RETRANSMISSION_SHARE)
            continue;
        assert_int_not_equal(f->cause, FINDING_NO_CAUSE);
        assert_int_equal(findings_get(l.findings, f->cause)->id, FINDING_RNR_STALL);
        assert_int_equal(findings_get(l.findings, f->cause)->connection, f->connection);
    }
    verdict = findings_verdict(l.findings, &l.input);
    assert_non_null(strstr(verdict, "; at least 63 others alike)"));
    g_free(verdict);
    looked_done(&l);
    g_string_free(packets, TRUE);
}

/* Whom a switch pauses: the one host that takes part in all packets of the link */
static void check_partner(void **state)
{
    const struct finding *f;
    struct looked l;

    (void)state;
    looked_start(&l, NULL);
    l.capture.link_rate_bps = UINT64_C(10000000000);
    looked_pause(&l, 100, 999990000, 0x99, 3, 1);
    looked_pause(&l, 101, 999991000, 0x99, 3, 0);
    looked_feed(&l, "> 0 w 0..3 ecn=2 vlan=4; < +1 a 3 vlan=4; > +1 w 0 B=3 qpn=0x91 ecn=2 vlan=4");
    looked_finish(&l);
    f = findings_get(l.findings, 0);
    assert_int_equal(f->id, FINDING_PFC_PAUSE);
    assert_non_null(strstr(f->why, "00:00:00:00:00:99 (no data names it"));
    assert_non_null(strstr(f->why, "paused priority 3 of its link partner 10.0.0.1 by 1 XOFF"));
    looked_done(&l);
}

int main(void)
{
    enum { ROWS = SUPPORT_COUNT(rows), PAUSES = SUPPORT_COUNT(pause_rows_) };
    struct CMUnitTest tests[ROWS + PAUSES + 3];

    for (size_t i = 0; i < ROWS; i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    for (size_t i = 0; i < PAUSES; i++)
        tests[ROWS + i] = (struct CMUnitTest){pause_rows_[i].name, check_pauses, NULL, NULL,
                                              (void *)(uintptr_t)&pause_rows_[i]};
    tests[ROWS + PAUSES] = (struct CMUnitTest){"limits", check_limits, NULL, NULL, NULL};
    tests[ROWS + PAUSES + 2] = (struct CMUnitTest){"many", check_many, NULL, NULL, NULL};
    tests[ROWS + PAUSES + 1] = (struct CMUnitTest){"partner", check_partner, NULL, NULL, NULL};
    return _cmocka_run_group_tests("findings", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
