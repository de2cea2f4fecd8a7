/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The story of a connection: the sentence of a round, and which entries a sequence of packets
 * makes.
 */
#include "support.h"

#include <glib.h>

#include "analysis/event_log.h"
#include "analysis/page/story.h"
#include "flow/sequence.h"

#define MS INT64_C(1000000)

/* ------------------------------------------------------------------ a round */

/* What most rounds here have in common */
#define ROUND .psn = 7, .first_frame = 20, .certain = true, .resend_delay_ns = -1
#define ONE .packets = 1, .last_frame = 20
#define OPEN .recovery_ns = -1

static const struct round_row {
    const char *name;
    struct flow_round round;
    struct story_counts counts;
    const char *text;
} round_rows[] = {
    {"nak",
     {.psn = 7,
      .first_frame = 20,
      .certain = true,
      .trigger = FLOW_TRIGGER_NAK,
      .lost = FLOW_LOST_BEFORE,
      .trigger_frame = 12,
      .resend_delay_ns = 2000,
      .recovery_ns = 9000,
      .packets = 3,
      .last_frame = 22},
     {0},
     "a goes back to PSN 7, because of b's NAK in frame 12, 2.00 us before: 3 packets again, up to "
     "frame 22. The first is new here: it was lost before the capture point. Recovered 9.00 us "
     "after the loss showed."},
    {"rnr",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_RNR, .trigger_frame = 12, .original_seen = true},
     {0},
     "a goes back to PSN 7, because b was not ready in frame 12: 1 packet again. The first had "
     "passed here before. No acknowledgement of all of it is here."},
    {"read",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_READ, .superseded = true, .original_seen = true},
     {.answers = 4},
     "a goes back to PSN 7, because an answer of b was missing: 1 packet again. The first had "
     "passed here before. b sends 4 answers again. The next step back cuts it short."},
    {"timeout",
     {ROUND, ONE, .trigger = FLOW_TRIGGER_TIMEOUT, .stall_ns = 40 * MS, .recovery_ns = MS,
      .original_seen = true},
     {.spurious = 1},
     "a goes back to PSN 7, because its timeout ran out (40.0 ms of silence: exponent 12 to 13): 1 "
     "packet again. The first had passed here before. 1 packet had been acknowledged. Recovered "
     "1.00 ms after the loss showed."},
    {"timeout-no-exponent-fits",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_TIMEOUT, .stall_ns = 5000, .original_seen = true},
     {0},
     "a goes back to PSN 7, because its timeout ran out: 1 packet again. The first had passed here "
     "before. No acknowledgement of all of it is here."},
    /* the first is not here; what is not counted as lost is not called so */
    {"not-known-to-be-lost",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_TIMEOUT, .stall_ns = 5000},
     {0},
     "a goes back to PSN 7, because its timeout ran out: 1 packet again. The first is new here; "
     "nothing tells whether it was lost or sent before the capture began. No acknowledgement of "
     "all of it is here."},
    {"lost-or-missed",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_TIMEOUT, .stall_ns = 5000,
      .lost = FLOW_LOST_BEFORE},
     {.unsure = true},
     "a goes back to PSN 7, because its timeout ran out: 1 packet again. The first is new here: it "
     "was lost before the capture point, or missed by the capture. No acknowledgement of all of it "
     "is here."},
    {"lost-a-nak-says-so",
     {ROUND, ONE, OPEN, .trigger = FLOW_TRIGGER_NAK, .lost = FLOW_LOST_BEFORE},
     {.unsure = true},
     "a goes back to PSN 7, because of b's NAK: 1 packet again. The first is new here, and was "
     "lost: before the capture point, or behind it if the capture missed it. No acknowledgement of "
     "all of it is here."},
    {"unknown",
     {.psn = 7,
      .first_frame = 20,
      ONE,
      OPEN,
      .resend_delay_ns = -1,
      .trigger = FLOW_TRIGGER_UNKNOWN,
      .original_seen = true},
     {0},
     "a goes back to PSN 7, and nothing here shows why (not certain): 1 packet again. The first "
     "had passed here before. No acknowledgement of all of it is here."},
};

static void check_round(void **state)
{
    const struct round_row *row = *state;
    char *text = story_round_text(&row->round, &row->counts, "a", "b");

    assert_string_equal(text, row->text);
    g_free(text);
}

/* ------------------------------------------------------------------ entries */

/* Each as "frame: the first words" */
static const struct row {
    const char *name;
    const char *packets;
    const char *entries[6]; /* begins of what stands there; NULL: no more */
} rows[] = {
    {"nothing", "> 0 w 0..3; < +5 a 3", {0}},
    {"lost-and-sent-again",
     "> 0 w 0; > +1 w 2..5; < +5 nak 1; > +5 w 1..5; < +5 a 5",
     {"2 ", "6 b misses PSN 1: NAK", "7 a goes back to PSN 1, because of b's NAK"}},
    {"gave-up",
     "> 0 w 0..3; < +5 a 1; > 2000 w 2..3; > 4000 w 2..3; > 6000 w 2..3;"
     "> 90000 w 0 A=3 B=4 qpn=0x99; < +5 a 0 A=3 B=4 qpn=0x98",
     {"6 a goes back to PSN 2, because its timeout ran out", "8 a goes back", "10 a goes back",
      "10 a gives up: PSN 2 went out 4 times"}},
    /* the trouble of another connection is not its own */
    {"of-another",
     "> 0 w 0..3; < +5 a 3; > 9 w 0 A=3 B=4 qpn=0x99; > +1 w 2 A=3 B=4 qpn=0x99;"
     "< +5 nak 1 A=3 B=4 qpn=0x98; > +5 w 1..2 A=3 B=4 qpn=0x99; < +5 a 2 A=3 B=4 qpn=0x98",
     {0}},
    {"refused", "> 0 w 0; < +5 access 0", {"2 b refuses PSN 0 of frame 1 (NAK"}},
    {"refused-what-was-resent",
     "> 0 w 0; > +1 w 2; < +5 nak 1; > +5 w 1..2; < +5 access 2",
     {"2 ", "3 b misses PSN 1: NAK", "4 a goes back", "6 b refuses PSN 2 of frame 5 (NAK"}},
    {"refused-in-a-read",
     "> 0 w 0; > +1 r 1 len=4096; < +5 rf 1; < +1 rm 2; < +5 access 3",
     {"5 b refuses PSN 3 of frame 2 (NAK"}},
    {"refused-what-is-not-here", "> 0 w 0; < +5 access 1", {"2 b refuses PSN 1 (NAK"}},
};

static void feed(void *context, const struct rdc_packet *pkt)
{
    flow_packet(context, pkt);
}

static void check_row(void **state)
{
    const struct row *row = *state;
    struct capture capture = {.first_time_ns = 1000000000};
    struct event_log *log = event_log_new();
    struct flow_sink sink = event_log_sink(log);
    struct flow_engine *engine = flow_engine_new(NULL, &sink);
    struct story_input in = {engine, &capture, log, 1, NULL};
    struct flow_connection c;
    GArray *entries;
    guint n = 0;

    sequence_done(sequence_run_each(row->packets, NULL, feed, engine));
    event_log_finishing(log);
    flow_finish(engine);
    flow_connection_get(engine, 0, &c);
    entries = story_entries(&in, &c, NULL);
    assert_non_null(entries);
    for (; n < 6 && row->entries[n] != NULL; n++) {
        const struct story_entry *e = &g_array_index(entries, struct story_entry, n);
        char *text;

        assert_true(n < entries->len);
        text = g_strdup_printf("%u %s", (unsigned)e->frame, e->text);
        if (strncmp(text, row->entries[n], strlen(row->entries[n])) != 0)
            fail_msg("'%s' does not begin with '%s'", text, row->entries[n]);
        g_free(text);
    }
    if (n < entries->len)
        fail_msg("one more: '%s'", g_array_index(entries, struct story_entry, n).text);
    g_array_unref(entries);
    flow_engine_free(engine);
    event_log_free(log);
}

int main(void)
{
    enum { ROUNDS = SUPPORT_COUNT(round_rows) };
    struct CMUnitTest tests[ROUNDS + SUPPORT_COUNT(rows)];

    for (size_t i = 0; i < ROUNDS; i++)
        tests[i] = (struct CMUnitTest){round_rows[i].name, check_round, NULL, NULL,
                                       (void *)(uintptr_t)&round_rows[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        tests[ROUNDS + i] =
            (struct CMUnitTest){rows[i].name, check_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("story", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
