/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `stats` and `events` keep, where memory for it is refused.
 */
#include "report/analysis/refusing.h"

#include "analysis/event_log.h"
#include "analysis/evidence.h"

static struct outcome tell_evidence(unsigned grants)
{
    struct evidence *evidence = evidence_new();
    struct flow_sink sink = evidence_sink(evidence);
    struct outcome out = {0};
    struct round_sums room;

    granted = grants;
    tell(&sink);
    granted = WITHOUT_END;
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        const struct evidence_stream *s = evidence_of(evidence, stream);
        const struct first_frames *resent = evidence_frames(evidence, stream, EVIDENCE_RESENT);

        out.there += s != NULL && s->retries.frame != 0;
        out.there += resent != NULL ? resent->count : 0;
        if (evidence_rounds(evidence, stream, &room) != NULL)
            out.there += room.packets;
    }
    out.refused = evidence_refused(evidence) + evidence_rounds_refused(evidence);
    evidence_free(evidence);
    return out;
}

static struct outcome tell_log(unsigned grants)
{
    struct event_log *log = event_log_new();
    struct flow_sink sink = event_log_sink(log);
    struct outcome out = {0};

    granted = grants;
    tell(&sink);
    granted = WITHOUT_END;
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        const struct flow_event ev = {.round = 2, .round_stream = stream};
        const struct flow_round *round = event_log_round(log, &ev);
        GPtrArray *rounds = event_log_rounds(log, stream);

        assert_true(round == NULL || (round->number == 2 && round->stream == stream));
        out.there += rounds->len;
        g_ptr_array_unref(rounds);
    }
    out.refused = event_log_refused(log);
    event_log_free(log);
    return out;
}

static const struct keeper keepers[] = {
    {"evidence", tell_evidence, STREAMS *(1 + 1 + ROUNDS)},
    {"event-log", tell_log, STREAMS *ROUNDS},
};

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(keepers)];

    for (size_t i = 0; i < SUPPORT_COUNT(keepers); i++)
        tests[i] = (struct CMUnitTest){keepers[i].name, refused_everywhere, NULL, NULL,
                                       (void *)(uintptr_t)&keepers[i]};
    return _cmocka_run_group_tests("refusal", tests, SUPPORT_COUNT(tests), NULL, NULL);
}
