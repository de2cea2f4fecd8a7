/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `check` keeps, where memory for it is refused.
 */
#include "report/analysis/refusing.h"

#include "analysis/check/watch.h"

static struct outcome tell_watch(unsigned grants)
{
    struct check_watch *watch = check_watch_new();
    struct flow_sink sink = check_watch_sink(watch);
    struct outcome out = {0};

    granted = grants;
    tell(&sink);
    check_watch_settle(watch);
    granted = WITHOUT_END;
    for (uint32_t stream = 0; stream < STREAMS; stream++)
        out.there += check_watch_count(watch, stream, EVIDENCE_GAP) +
                     check_watch_count(watch, stream, EVIDENCE_RETRANSMISSION) +
                     check_watch_count(watch, stream, EVIDENCE_RETRY_EXHAUSTED);
    assert_int_equal(check_watch_events(watch, FLOW_GAP), STREAMS);
    out.refused = check_watch_refused(watch);
    check_watch_free(watch);
    return out;
}

static const struct keeper keepers[] = {
    {"check-watch", tell_watch, STREAMS * 3 - 1},
};

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(keepers)];

    for (size_t i = 0; i < SUPPORT_COUNT(keepers); i++)
        tests[i] = (struct CMUnitTest){keepers[i].name, refused_everywhere, NULL, NULL,
                                       (void *)(uintptr_t)&keepers[i]};
    return _cmocka_run_group_tests("check_refusal", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
