/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What acknowledgements say of segments that were sent twice: which copy they answer, whether the
 * first one was lost behind the tap, and how long the way was.
 */
#include "tcp_sim.h"

enum {
    FPDUS = 40,
};

static struct sim *make(void)
{
    struct sim *s = sim_new();

    sim_start_up(s, SIM_SENDER, false, true, false, 0);
    sim_start_up(s, SIM_PEER, false, true, false, 0);
    for (unsigned i = 0; i < FPDUS; i++)
        sim_send(&s->sides[0], 100);
    sim_restart(s);
    sim_handshake(s);
    s->now_ns += 2000000;
    sim_ack(s, s->sides[0].origin);
    return s;
}

static void send_fpdu(struct sim *s, uint32_t i)
{
    sim_segment(s, 0, s->sides[0].fpdus[i].at, s->sides[0].fpdus[i].total);
}

static void ack_before(struct sim *s, uint32_t i)
{
    sim_ack(s, s->sides[0].fpdus[i].at);
}

/* FPDU 0 goes out, 1 and 2 too, then 0 again. */
static void resend_first(struct sim *s, uint32_t first_ts, uint32_t again_ts)
{
    s->ts[0] = first_ts;
    send_fpdu(s, 0);
    send_fpdu(s, 1);
    send_fpdu(s, 2);
    s->ts[0] = again_ts;
    send_fpdu(s, 0);
}

static struct flow_connection finish(struct sim *s)
{
    struct flow_connection c;

    flow_finish(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->retransmitted_packets, 1);
    assert_int_equal(c.a_to_b.counters->spurious, 0);
    return c;
}

static const struct row {
    const char *name;
    uint32_t first_ts, again_ts, echo;
    uint64_t lost;
    int64_t rtt_ns;
} rows[] = {
    {"the resend is answered", 100, 103, 103, 1, 20000},
    {"the first copy is answered", 100, 103, 100, 0, 50000},
    {"the first copy is answered, time stamps wrap", 0xfffffffe, 1, 0xfffffffe, 0, 50000},
    {"both have one time stamp", 100, 100, 100, 1, -1},
    {"no time stamps", 0, 0, 0, 1, -1},
};

static void check_echo(void **state)
{
    const struct row *row = *state;
    struct sim *s = make();
    struct flow_connection c;

    resend_first(s, row->first_ts, row->again_ts);
    s->ts[0] = row->echo; /* which is what the peer echoes */
    s->ts[1] = row->echo != 0 ? 7 : 0;
    s->now_ns += 10000;
    ack_before(s, 3);
    assert_int_equal(flow_latest_facts(s->engine)->rtt_ns, row->rtt_ns);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, row->lost);
    sim_free(s);
}

/* Only the first resend is what an echo can be about. */
static void check_second_resend(void **state)
{
    struct sim *s = make();
    struct flow_connection c;

    (void)state;
    s->ts[0] = 100;
    send_fpdu(s, 0);
    send_fpdu(s, 1);
    s->ts[0] = 103;
    send_fpdu(s, 0);
    s->ts[0] = 105;
    send_fpdu(s, 1);
    s->ts[0] = 103;
    s->ts[1] = 7;
    ack_before(s, 2);
    flow_finish(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->retransmitted_packets, 2);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, 2);
    sim_free(s);
}

/* The receiver says that it has them twice: one resend of each was needless. */
static void check_twice(void **state)
{
    struct sim *s = make();
    const struct sim_bytes *b = &s->sides[0];
    struct flow_connection c;

    (void)state;
    resend_first(s, 0, 0);
    ack_before(s, 3);
    flow_preview(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, 1);
    s->dsack_at = b->fpdus[0].at;
    s->dsack_size = b->fpdus[0].total - 1;
    ack_before(s, 3);
    flow_preview(s->engine);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, 1); /* not all of it */
    s->dsack_size++;
    ack_before(s, 3);
    ack_before(s, 3);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, 0);
    sim_free(s);
}

static void check_twice_of_three(void **state)
{
    struct sim *s = make();
    const struct sim_bytes *b = &s->sides[0];
    struct flow_connection c;

    (void)state;
    resend_first(s, 0, 0);
    send_fpdu(s, 0);
    s->dsack_at = b->fpdus[0].at;
    s->dsack_size = b->fpdus[0].total;
    ack_before(s, 3);
    flow_finish(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->retransmitted_packets, 2);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, 1);
    sim_free(s);
}

/* Round trips of 1 ms; an acknowledgement 0.1 ms behind a resend can't be its answer. */
static void check_too_soon(void **state)
{
    const int64_t *wait_ns = *state;
    struct sim *s = make();
    struct flow_connection c;
    uint32_t i;

    for (i = 0; i < 10; i++) {
        send_fpdu(s, i);
        s->now_ns += 990000;
        ack_before(s, i + 1);
    }
    send_fpdu(s, i);
    send_fpdu(s, i + 1);
    s->now_ns += 5000000;
    send_fpdu(s, i);
    s->now_ns += *wait_ns - 10000;
    ack_before(s, i + 2);
    c = finish(s);
    assert_int_equal(c.a_to_b.counters->lost_after_tap, *wait_ns > 500000);
    assert_int_equal(c.a_to_b.times->rtt.count, 1 + 10); /* none from what was sent twice */
    sim_free(s);
}

/* FPDU 1 goes out again; then all before FPDU `acked` is acknowledged. Does what was sent again
 * still wait for that? `for_nothing`: it goes out once more then. */
static bool resends_wait(uint32_t acked, bool for_nothing)
{
    struct sim *s = make();
    struct flow_connection c;
    bool wait;

    send_fpdu(s, 0);
    send_fpdu(s, 1);
    s->now_ns += 5000000;
    send_fpdu(s, 1);
    assert_int_equal(sim_event(s, FLOW_TCP_RETRANSMISSION)->late.ns, 5010000);
    ack_before(s, acked);
    if (for_nothing)
        send_fpdu(s, 1);
    flow_finish(s->engine);
    flow_connection_get(s->engine, 0, &c);
    assert_int_equal(c.a_to_b.counters->spurious, for_nothing);
    wait = c.a_to_b.iwarp->resends_wait;
    sim_free(s);
    return wait;
}

static void check_waits(void **state)
{
    (void)state;
    assert_true(resends_wait(1, false));
    assert_false(resends_wait(2, false));
    assert_false(resends_wait(2, true));
}

#define ROW(i)                                                                                     \
    {                                                                                              \
        rows[i].name, check_echo, NULL, NULL, (void *)(uintptr_t)&rows[i]                          \
    }

int main(void)
{
    static int64_t soon = 100000, later = 900000;
    const struct CMUnitTest tests[] = {
        ROW(0),
        ROW(1),
        ROW(2),
        ROW(3),
        ROW(4),
        cmocka_unit_test(check_second_resend),
        cmocka_unit_test(check_twice),
        cmocka_unit_test(check_twice_of_three),
        cmocka_unit_test(check_waits),
        {"too soon", check_too_soon, NULL, NULL, &soon},
        {"not too soon", check_too_soon, NULL, NULL, &later},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
