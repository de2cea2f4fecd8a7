/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * All analyses of `stats` where memory for what they keep is refused while packets come: they go
 * on, count the packets that they would have counted, and the report says that something is
 * missing.
 */
#include "report/analysis/refusing.h"

#include "analysis/complete.h"
#include "analysis/incast.h"
#include "analysis/setup.h"
#include "report/analysis/looked.h"

static const char packets[] =
    "> 0 req 5 cid=1 qpn=0x11; > 1 req 5 cid=2 qpn=0x12; > 2 req 5 cid=3 qpn=0x13;"
    "> 3 req 5 cid=4 qpn=0x14; > 4 req 5 cid=5 qpn=0x15; < 9 rep 9 cid=7 rid=1 qpn=0x22;"
    "> 10 w 0..1; > 13 w 4; < 16 nak 2; > 40 w 2..4; < 50 a 4; > 60 w 0 qpn=0x99; < 70 a 0;"
    "> 5000 w 5; > 9000 w 5; > 13000 w 5";

static void run(struct looked *l, unsigned grants)
{
    granted = grants;
    refusals = 0;
    looked_start(l, NULL);
    looked_pause(l, 1, 0, 9, 3, 100);
    looked_pause(l, 2, 1000, 8, 4, 100);
    looked_feed(l, packets);
    looked_finish(l);
    granted = WITHOUT_END;
}

static uint64_t missing(const struct looked *l)
{
    struct complete_facts facts = complete_of(&l->input);

    return facts.rounds + facts.counts;
}

static void all_analyses(void **state)
{
    struct looked whole, l;
    unsigned grants = 0;

    (void)state;
    run(&whole, WITHOUT_END);
    assert_int_equal(missing(&whole), 0);
    assert_int_equal(findings_of(whole.findings, FINDING_LIMITS_REACHED), 0);
    assert_int_equal(setup_count(whole.run), 5);
    assert_int_equal(incast_count(whole.run), 1);
    for (;; grants++) {
        run(&l, grants);
        if (refusals == 0)
            break;
        assert_true(missing(&l) > 0);
        assert_int_equal(findings_of(l.findings, FINDING_LIMITS_REACHED), 1);
        assert_int_equal(l.capture.packets, whole.capture.packets);
        assert_true(setup_count(l.run) + setup_not_counted(l.run) == 5);
        assert_true(incast_count(l.run) <= incast_count(whole.run));
        looked_done(&l);
    }
    assert_true(grants > 10);
    assert_int_equal(missing(&l), 0);
    looked_done(&l);
    looked_done(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_analyses)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
