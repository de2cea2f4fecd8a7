/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Judgements of `check` on packet sequences, written as tests/unit/flow/sequence.h says. A row's
 * policy is a list of words: "psn_gaps<=0", "packets>=3", "gap=1", "dscp:26"; "" are the defaults.
 * What it must come to: the outcome, then each rule that did not pass, with its violations
 * ("VALUE cCONNECTION @FRAMES") or "?" where it can't be seen.
 */
#include "flow/sequence.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "analysis/check/check.h"
#include "render/check_words.h"

/* Before packets: no more than two streams are followed */
#define FEW "few; "
/* The capture says that it dropped packets */
#define DROPS "drops; "
/* A connection, and one with a gap */
#define BEYOND                                                                                     \
    "> 0 w 0..3; < 10 a 3; > 20 w 0 A=3 qpn=0x99; > 30 w 2 A=3 qpn=0x99; < 40 a 0 A=3 qpn=0x98; "  \
    "> 50 w 3 A=3 qpn=0x99"

static const struct row {
    const char *name;
    const char *packets;
    const char *policy;
    const char *want;
} rows[] = {
    {"clean", "> 0 w 0..3; < 10 a 3", "", "passed"},
    {"gap", "> 0 w 0..1; > 3 w 4; < 6 nak 2; > 30 w 2..4; < 50 a 4", "",
     "failed; psn_gaps 1 c1 @3; retransmitted_packets 3 c1 @5,6,7; naks 1 c1 @4"},
    {"two-gaps", "> 0 w 0; > 3 w 2; > 4 w 4; < 6 nak 1; > 30 w 1..4; < 50 a 4", "psn_gaps<=1",
     "failed; psn_gaps 2 c1 @2,3"},
    {"at-the-limit", "> 0 w 0; > 3 w 2; > 4 w 4; < 6 nak 1; > 30 w 1..4; < 50 a 4", "psn_gaps<=2",
     "passed"},
    {"late-is-no-gap", "> 0 w 0..1; > 3 w 3; > 4 w 2; > 5 w 4; < 20 a 4", "", "passed"},
    {"late-has-its-own-name", "> 0 w 0..1; > 3 w 3; > 4 w 2; > 5 w 4; < 20 a 4", "out_of_order<=0",
     "failed; out_of_order 1 c1 @4"},
    {"missed-by-the-capture", "> 0 w 0..1; > 3 w 3..4; < 10 a 4; > 20 w 5; < 30 a 5", "psn_gaps<=0",
     "passed"},
    {"missed-has-its-own-name", "> 0 w 0..1; > 3 w 3..4; < 10 a 4; > 20 w 5; < 30 a 5",
     "not_captured<=0", "failed; not_captured 1 c1 @3"},
    {"half-late-half-lost",
     "ids; > 0 w 0; > 3 w 3 #4; > 4 w 2 #3; < 6 nak 1; > 30 w 1..3 #5; < 50 a 3", "psn_gaps<=0",
     "failed; psn_gaps 1 c1 @2"},
    {"still-open", "> 0 w 0..1; > 3 w 4; > 4 w 5; < 9 a 1", "psn_gaps<=0",
     "failed; psn_gaps 1 c1 @3"},
    {"uc-gap", "> 0 us 0..1; > 3 us 4", "psn_gaps<=0", "failed; psn_gaps 1 c1 @3"},
    {"uc-messages-missing-whole", "> 0 us 0..1; > 3 us 4", "dropped_messages<=0",
     "failed; dropped_messages 1 c1 @3"},
    {"uc-messages-missing-whole-or-more", "> 0 us 0..1; > 3 us 4", "dropped_messages<=1",
     "undecided; dropped_messages ?"},
    {"uc-none-missing", "> 0 us 0..4", "dropped_messages<=0", "passed"},
    {"wrap", "> 0 w 0xfffffe; > 3 w 1; < 6 nak 0xffffff; > 30 w 0xffffff; > 31 w 0..1; < 50 a 1",
     "psn_gaps<=0", "failed; psn_gaps 1 c1 @2"},

    /* totals and connections */
    {"total-names-who-breaks-it",
     "> 0 w 0; < 2 nak 0; > 10 w 0 A=3; < 12 nak 0 A=3; < 13 nak 0 A=3; < 14 nak 0 A=3", "naks<=1",
     "failed; naks 3 c2 @4,5,6"},
    {"total-breaks-it-alone", "> 0 w 0; < 2 nak 0; > 10 w 0 A=3; < 12 nak 0 A=3", "naks<=1",
     "failed; naks 2 c0 @2,4"},
    {"worst-first", "> 0 w 0; < 2 nak 0; > 10 w 0 A=3; < 12 nak 0 A=3; < 13 nak 0 A=3", "naks<=0",
     "failed; naks 2 c2 @4,5 1 c1 @2"},
    /* of a loss, what filled the hole or began the round: not all that was sent again with it */
    {"lost-before", "> 0 w 0..1; > 3 w 4; < 6 nak 2; > 30 w 2..4; < 50 a 4", "lost_packets<=0",
     "failed; lost_packets 2 c1 @5,6"},
    {"lost-behind", "> 0 w 0..3; < 6 nak 1; > 30 w 1..3; < 50 a 3", "lost_packets<=0",
     "failed; lost_packets 1 c1 @6"},
    {"lost-both", "> 0 w 0..3; < 6 nak 1; > 30 w 1..3; > 33 w 6; < 36 nak 4; > 60 w 4..6; < 80 a 6",
     "loss_pct<=0", "failed; loss_pct 27.2727 c1 @6,11,12"},
    {"lost-for-good", "> 0 w 0; > 3 w 2; > 4 w 3; < 6 nak 1", "lost_packets<=0",
     "failed; lost_packets 1 c1 @3"},
    {"share-of-each", "> 0 w 0..3; < 5 nak 3; > 30 w 3; < 40 a 3; > 50 w 0..9 A=3; < 70 a 9 A=3",
     "retransmitted_pct<=19", "failed; retransmitted_pct 20 c1 @6"},
    {"share-kept", "> 0 w 0..3; < 5 nak 3; > 30 w 3; < 40 a 3", "retransmitted_pct<=20", "passed"},
    {"minimum-kept", "> 0 w 0..3; < 10 a 3", "connections>=1 packets>=5", "passed"},
    {"minimum-broken", "> 0 w 0..3; < 10 a 3", "connections>=2 packets>=6",
     "failed; connections 1 c0; packets 5 c0"},
    {"exactly", "> 0 w 0..1; > 3 w 4; < 6 nak 2; > 30 w 2..4; < 50 a 4",
     "psn_gaps=1 gap=1 retransmission=3 nak=1 hole_closed=2 packets=8", "passed"},
    {"exactly-fewer", "> 0 w 0..3; < 10 a 3", "naks=1 nak=1", "failed; naks 0 c0; nak 0 c0"},
    {"exactly-more", "> 0 w 0; < 2 nak 0", "naks=0", "failed; naks 1 c0 @2"},

    /* what can't be seen is no pass */
    {"one-way-defaults", "> 0 w 0..3", "", "passed; naks ?; rnr_naks ?"},
    {"one-way-named", "> 0 w 0..3", "naks<=0", "undecided; naks ?"},
    {"one-way-gap-is-seen", "> 0 w 0..1; > 3 w 4", "",
     "failed; psn_gaps 1 c1 @3; naks ?; "
     "rnr_naks ?"},
    {"one-way-minimum", "> 0 w 0..3", "naks>=1", "undecided; naks ?"},
    {"one-way-exactly", "> 0 w 0..3", "naks=0", "undecided; naks ?"},
    {"one-way-answers", "> 0 rm 5..6; > 2 rm 8", "psn_gaps<=0", "undecided; psn_gaps ?"},
    {"one-way-resends", "> 0 w 0..3; > 900 w 2..3", "timeouts<=1 retransmitted_packets<=2",
     "passed"},
    {"seen-part-breaks-the-limit", "> 0 w 0; < 2 nak 0; > 10 w 0..3 A=3", "naks<=0",
     "failed; naks 1 c1 @2"},
    {"seen-part-keeps-the-limit", "> 0 w 0; < 2 nak 0; > 10 w 0..3 A=3", "naks<=1",
     "undecided; naks ?"},
    {"seen-part-reaches-the-minimum", "> 0 w 0; < 2 nak 0; > 10 w 0..3 A=3", "naks>=1", "passed"},
    {"icrc-cut-off", "> 0 w 0..3 cut; < 10 a 3", "", "passed; icrc_bad ?"},
    {"icrc-cut-off-named", "> 0 w 0..3 cut; < 10 a 3", "icrc_bad<=0", "undecided; icrc_bad ?"},
    {"icrc-cut-off-in-part", "> 0 w 0..3; > 5 w 4..6 cut; < 10 a 6", "icrc_bad<=0",
     "undecided; icrc_bad ?"},
    {"icrc-bad", "> 0 w 0..1; > 3 w 2 bad; > 4 w 3; < 6 nak 2; > 30 w 2..3; < 50 a 3",
     "icrc_bad<=0 icrc_bad_pct<=10", "failed; icrc_bad 1 c1 @3; icrc_bad_pct 16.6667 c1 @3"},
    {"icrc-bad-of-no-stream", "> 0 w 0 if=1; > 1 w 5 bad if=1 qpn=0x77; < 9 a 0 if=1",
     "icrc_bad<=0", "failed; icrc_bad 1 c0 @2"},
    {"icrc-unusable", "> 0 w 0..19 bad; < 30 a 19 bad", "icrc_bad<=100", "undecided; icrc_bad ?"},
    {"aeth-cut-off", "> 0 w 0..3; < 10 a 3 noexts", "naks<=0", "undecided; naks ?"},
    {"aeth-cut-off-in-part", "> 0 w 0..3; < 10 a 1; < 11 a 2; < 12 a 3 noexts", "naks<=0",
     "undecided; naks ?"},
    {"datagrams", "> 0 ud 7..9", "packets>=1", "passed"},
    {"datagrams-have-no-psns", "> 0 ud 7..9", "",
     "undecided; psn_gaps ?; retransmitted_packets ?; naks ?; rnr_naks ?; timeouts ?"},
    {"uc-has-no-naks", "> 0 us 0..3", "naks<=0", "undecided; naks ?"},
    {"rtt-unseen", "> 0 w 0..3", "rtt_p99_us<=100", "undecided; rtt_p99_us ?"},
    {"rtt", "> 0 w 0 ar; < 10 a 0", "rtt_p99_us<=9", "failed; rtt_p99_us 10 c1"},
    {"not-recovered", "> 0 w 0..3; < 5 nak 2; > 30 w 2..3", "recovery_max_ms<=1",
     "undecided; recovery_max_ms ?"},
    {"nothing-to-recover", "> 0 w 0..3; < 5 a 3", "recovery_max_ms<=1", "passed"},

    /* missing from the capture: by its own count, or acknowledged and never seen */
    {"dropped-defaults", DROPS "> 0 w 0..3; < 10 a 3", "",
     "undecided; psn_gaps ?; retransmitted_packets ?; naks ?; rnr_naks ?; timeouts ?; icrc_bad ?"},
    {"dropped-named", DROPS "> 0 w 0..3; < 10 a 3", "naks<=0 ce_packets<=0 not_captured<=0",
     "undecided; naks ?; ce_packets ?; not_captured ?"},
    {"dropped-shares", DROPS "> 0 w 0..3 ar; < 10 a 3", "retransmitted_pct<=5 rtt_p99_us<=20",
     "undecided; retransmitted_pct ?; rtt_p99_us ?"},
    {"dropped-of-the-capture", DROPS "> 0 w 0..3; < 10 a 3", "pause_frames<=0 gap=0 dscp:0",
     "undecided; pause_frames ?; gap ?; dscp ?"},
    {"dropped-dscp-wrong", DROPS "> 0 w 0..1; < 5 a 1", "dscp:26,48", "failed; dscp 0 c1 @1,2,3"},
    {"dropped-of-the-file", DROPS "> 0 w 0..3; < 10 a 3",
     "packets>=5 connections<=1 truncated_packets<=0 unpaired_streams<=0", "passed"},
    {"dropped-and-broken-all-the-same", DROPS "> 0 w 0; < 2 nak 0", "naks<=0",
     "failed; naks 1 c1 @2"},
    {"dropped-and-not-yet-broken", DROPS "> 0 w 0; < 2 nak 0", "naks<=1", "undecided; naks ?"},
    {"dropped-and-reached", DROPS "> 0 w 0; < 2 nak 0", "naks>=1", "passed"},
    {"missed-defaults", "> 0 w 0..1; > 3 w 3..4; < 10 a 4; > 20 w 5; < 30 a 5", "",
     "passed; retransmitted_packets ?; naks ?; rnr_naks ?; timeouts ?; icrc_bad ?"},
    {"missed-named", "> 0 w 0..1; > 3 w 3..4; < 10 a 4", "naks<=0 retransmitted_pct<=1",
     "undecided; naks ?; retransmitted_pct ?"},
    {"missed-marks", "> 0 w 0..1; > 3 w 3..4; < 10 a 4", "dscp:0", "undecided; dscp ?"},
    {"missed-only-for-a-while", "> 0 w 0..1; < 3 a 2; > 4 w 2; < 10 a 2", "naks<=0", "passed"},
    {"missed-at-the-end", "> 0 w 0..1; < 10 a 2", "naks<=0 acked_unseen<=1", "undecided; naks ?"},
    {"missed-and-broken-all-the-same", "> 0 w 0..1; > 3 w 3..4; < 10 a 4; < 12 nak 4", "naks<=0",
     "failed; naks 1 c1 @6"},
    {"missed-of-another", "> 0 w 0..1; < 10 a 2; > 20 w 0 A=3; < 30 a 0 A=3", "naks<=0",
     "undecided; naks ?"},

    /* congestion, marks */
    {"cnps", "> 0 w 0..1 ecn=2; > 3 w 2 ecn=3; < 5 a 2; < 6 cnp 0", "ce_packets<=0 cnps<=0",
     "failed; ce_packets 1 c1 @3; cnps 1 c1 @5"},
    {"pcp", "> 0 w 0..1 vlan=4; < 5 a 1 vlan=4", "pcp:3", "passed"},
    {"pcp-wrong", "> 0 w 0..1 vlan=4; < 5 a 1 vlan=6", "pcp:3", "failed; pcp 5 c1 @3"},
    {"pcp-untagged", "> 0 w 0..1 vlan=4; < 5 a 1", "pcp:3", "undecided; pcp ?"},
    {"dscp", "> 0 w 0..1; < 5 a 1", "dscp:0", "passed"},
    {"dscp-wrong", "> 0 w 0..1; < 5 a 1", "dscp:26,48", "failed; dscp 0 c1 @1,2,3"},
    {"dscp-unseen", "> 0 w 0..1 encap=2; < 5 a 1 encap=2", "dscp:26", "undecided; dscp ?"},

    /* captured, but not followed */
    {"given-up-defaults", FEW BEYOND, "",
     "undecided; psn_gaps ?; retransmitted_packets ?; naks ?; rnr_naks ?; timeouts ?; icrc_bad ?"},
    {"all-followed", BEYOND, "", "failed; psn_gaps 1 c2 @7"},
    {"given-up-of-the-file", FEW BEYOND, "packets>=9 truncated_packets<=0", "passed"},
    {"given-up-counts", FEW BEYOND, "connections<=9 ce_packets<=0 psn_gaps=0 gap=0 dscp:0",
     "undecided; connections ?; ce_packets ?; psn_gaps ?; gap ?; dscp ?"},
    {"given-up-peers", FEW "> 0 w 0..3; > 20 w 0 A=3 qpn=0x99; < 30 a 3", "unpaired_streams<=0",
     "undecided; unpaired_streams ?"},
    {"given-up-of-those-with-peers", FEW "> 0 w 0..3; < 10 a 3; > 20 w 0 A=3 qpn=0x99",
     "unpaired_streams<=0", "undecided; unpaired_streams ?"},
    {"unpaired", "> 0 w 0..3; > 20 w 0 A=3 qpn=0x99; < 30 a 3", "unpaired_streams<=0",
     "failed; unpaired_streams 1 c2"},
    {"given-up-share", FEW BEYOND, "retransmitted_pct<=1", "undecided; retransmitted_pct ?"},
    {"given-up-minimum", FEW BEYOND, "connections>=1 cnps>=1", "undecided; cnps ?"},
    {"given-up-seen-part-breaks-the-limit", FEW "> 0 w 0; < 2 nak 0; > 10 w 0..3 A=3 qpn=0x99",
     "naks<=0", "failed; naks 1 c1 @2"},
};

/* ------------------------------------------------------------------ reading a row */

static struct check_policy *policy_of(const char *text)
{
    struct check_policy *p = check_policy_new();
    char **words = g_strsplit(text, " ", -1);
    GString *expect = g_string_new("[expect]\n");
    char *path = NULL;

    for (size_t i = 0; words[i] != NULL && text[0] != '\0'; i++) {
        char *sign = strpbrk(words[i], "<>");
        bool most = sign != NULL && *sign == '<';

        if (sign == NULL) {
            g_string_append_printf(expect, "%s\n", g_strdelimit(words[i], ":", '='));
            continue;
        }
        memmove(sign, sign + 1, strlen(sign));
        assert_true(check_policy_limit(p, most ? CHECK_AT_MOST : CHECK_AT_LEAST, words[i], NULL));
    }
    if (strchr(expect->str, '=') != NULL) {
        close(g_file_open_tmp("policy-XXXXXX", &path, NULL));
        assert_true(g_file_set_contents(path, expect->str, -1, NULL));
        assert_true(check_policy_read(p, path, NULL));
        unlink(path);
        g_free(path);
    }
    if (p->rules->len == 0)
        check_policy_defaults(p);
    g_string_free(expect, TRUE);
    g_strfreev(words);
    return p;
}

/* An engine with the watch, in place of the sequence's own */
struct run {
    struct sequence sequence;
    struct check_watch *watch;
    struct check_marks *marks;
    struct capture capture;
};

static void each_packet(void *context, const struct rdc_packet *pkt)
{
    struct flow_batch batch;

    flow_batch_init(&batch, pkt, 1);
    check_marks_batch(context, &batch);
}

static void replay(struct run *r, const char *packets)
{
    char *copy = g_strdup(packets), *rest = NULL;

    for (char *part = strtok_r(copy, ";", &rest); part != NULL; part = strtok_r(NULL, ";", &rest)) {
        part = g_strstrip(part);
        if (strcmp(part, "few") == 0)
            continue;
        if (strcmp(part, "drops") == 0)
            r->capture.drops = 3;
        else if (strcmp(part, "ids") == 0)
            r->sequence.ids = true;
        else
            sequence_packet(&r->sequence, part);
    }
    flow_finish(r->sequence.engine);
    check_watch_settle(r->watch);
    r->capture.packets = r->capture.rdma_packets = r->sequence.frame;
    g_free(copy);
}

/* ------------------------------------------------------------------ saying what came out */

static void say_rule(struct buffer *out, const struct check_capture *c,
                     const struct check_policy *p, guint rule)
{
    buffer_printf(out, "; %s", g_array_index(p->rules, struct check_rule, rule).id);
    if (c->judgements[rule].status == CHECK_NOT_SEEN)
        buffer_string(out, " ?");
    for (guint i = 0; i < c->violations->len; i++) {
        const struct check_violation *v = &g_array_index(c->violations, struct check_violation, i);

        if (v->rule != rule)
            continue;
        buffer_char(out, ' ');
        check_number(out, v->value);
        buffer_printf(out, " c%u", v->connection);
        for (unsigned k = 0; k < v->frame_count; k++)
            buffer_printf(out, "%s%u", k > 0 ? "," : " @", (unsigned)v->frames[k]);
    }
}

static void check_row(void **state)
{
    static const char *const files[] = {"a.pcap", NULL};
    const struct row *row = *state;
    struct check_policy *p = policy_of(row->policy);
    const struct check_rule *rules = (const struct check_rule *)(void *)p->rules->data;
    struct run *r = g_new0(struct run, 1);
    struct check_capture *c = check_capture_new(files, p->rules->len);
    struct buffer text = {0};
    struct flow_config config = {.max_streams = g_str_has_prefix(row->packets, FEW) ? 2 : 0};
    struct flow_sink sink;

    r->watch = check_watch_new();
    r->marks = check_marks_new(p->dscp, p->pcp);
    sink = check_watch_sink(r->watch);
    r->sequence.each = each_packet;
    r->sequence.context = r->marks;
    r->sequence.engine = flow_engine_new(&config, &sink);
    replay(r, row->packets);
    check_judge(p, &(struct check_facts){&r->capture, r->sequence.engine, r->watch, r->marks}, c);
    check_capture_settle(c, rules, p->rules->len);
    buffer_string(&text, check_outcome_name(c->outcome));
    for (guint i = 0; i < p->rules->len; i++)
        if (c->judgements[i].status != CHECK_PASSED)
            say_rule(&text, c, p, i);
    buffer_char(&text, '\0');
    assert_string_equal(text.data, row->want);
    buffer_done(&text);
    check_capture_free(c);
    flow_engine_free(r->sequence.engine);
    check_marks_free(r->marks);
    check_watch_free(r->watch);
    check_policy_free(p);
    g_free(r);
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("check_judge", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
