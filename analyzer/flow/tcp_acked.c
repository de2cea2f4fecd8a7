/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What acknowledgements say of the segments that one side sent (see tcp_track.h): round trips, and
 * which resends were needed.
 */
#include "flow/tcp_track.h"
#include "rdc/wire.h"

enum {
    RTTS_TRUSTED = 8, /* samples before the shortest one is believed */
};

void tcp_track_doubt(struct tcp_track *t)
{
    if (t->count == 0)
        return;
    tcp_track_sent(t, t->count - 1)->need = TCP_NEED_WAITS;
    t->waiting++;
}

/* The copy of the first byte in question that an acknowledgement answers, by its time stamp; NULL
 * when several copies have that one, or none. */
static const struct tcp_sent *answered(const struct tcp_track *t, int64_t pos, uint32_t echo)
{
    const struct tcp_sent *found = NULL;

    for (uint64_t i = tcp_track_oldest(t); i < t->count; i++) {
        const struct tcp_sent *sent = tcp_track_sent(t, i);

        if (sent->pos > pos || sent->pos + sent->size <= pos || sent->ts != echo)
            continue;
        if (found != NULL)
            return NULL;
        found = sent;
    }
    return found;
}

/* An acknowledgement that answers an earlier copy (RFC 3522), or comes sooner than the way to the
 * receiver and back takes (RFC 8985, 6.2), says that the earlier copy arrived. */
static bool is_needless(const struct tcp_track *t, const struct tcp_sent *sent,
                        const struct tcp_acked *ack)
{
    bool first = sent->pos <= t->acked && t->acked < sent->pos + sent->size;

    if (first && ack->has_echo && ack->echo != 0 && sent->ts != 0 && sent->ts != ack->echo)
        return rdc_seq_diff(ack->echo, sent->ts) < 0;
    return t->rtts >= RTTS_TRUSTED && ack->time_ns - sent->time_ns < t->min_rtt_ns / 2;
}

static uint32_t settle(struct tcp_track *t, const struct tcp_acked *ack)
{
    uint32_t needless = 0;

    t->waiting = 0;
    for (uint64_t i = tcp_track_oldest(t); i < t->count; i++) {
        struct tcp_sent *sent = tcp_track_sent(t, i);

        if (sent->need != TCP_NEED_WAITS)
            continue;
        if (sent->pos + sent->size > ack->pos) {
            t->waiting++;
            continue;
        }
        sent->need = is_needless(t, sent, ack) ? TCP_NOT_ASKED : TCP_NEEDED;
        needless += sent->need == TCP_NOT_ASKED;
    }
    return needless;
}

static void note_rtt(struct tcp_track *t, int64_t sample)
{
    sample = sample < INT64_MAX / 8 ? sample : INT64_MAX / 8;
    t->srtt_ns = t->srtt_ns == 0 ? sample : (7 * t->srtt_ns + sample) / 8;
    if (t->rtts == 0 || sample < t->min_rtt_ns)
        t->min_rtt_ns = sample;
    t->rtts++;
}

struct tcp_answer tcp_track_acked(struct tcp_track *t, const struct tcp_acked *ack)
{
    struct tcp_answer answer = {.rtt_ns = -1};
    const struct tcp_sent *one;
    int64_t first = t->acked;
    bool again = false;

    if (ack->pos <= t->acked)
        return answer;
    if (t->unacked < tcp_track_oldest(t))
        t->unacked = tcp_track_oldest(t);
    if (t->acked == 0 && t->unacked < t->count)
        first = tcp_track_sent(t, t->unacked)->pos;
    if (t->waiting > 0)
        answer.needless = settle(t, ack);
    t->acked = ack->pos;
    for (; t->unacked < t->count; t->unacked++) {
        const struct tcp_sent *sent = tcp_track_sent(t, t->unacked);

        if (sent->pos + sent->size > ack->pos)
            break;
        again = sent->again;
        answer.rtt_ns = again ? -1 : ack->time_ns - sent->time_ns;
    }
    if (again && ack->has_echo && ack->echo != 0) {
        one = answered(t, first, ack->echo);
        answer.rtt_ns = one != NULL ? ack->time_ns - one->time_ns : -1;
    }
    if (answer.rtt_ns >= 0)
        note_rtt(t, answer.rtt_ns);
    return answer;
}

uint32_t tcp_track_twice(struct tcp_track *t, int64_t begin, int64_t end)
{
    uint32_t needless = 0;

    for (uint64_t i = t->count; i > tcp_track_oldest(t); i--) {
        struct tcp_sent *sent = tcp_track_sent(t, i - 1);

        if (sent->need == TCP_NOT_ASKED || sent->pos < begin || sent->pos + sent->size > end)
            continue;
        sent->need = TCP_NOT_ASKED;
        end = sent->pos; /* of several copies one was needless */
        needless++;
    }
    return needless;
}
