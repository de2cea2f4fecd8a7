/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which segments count as sent again: those that wait for an acknowledgement behind one that was.
 * The plain rule, which walks all of them each time, must say the same; the real one must not walk.
 */
#include <time.h>

#include "flow/tcp_track.h"
#include "support.h"

enum {
    SIZE = 100,
    STEPS = 20000,
    MANY = 300000,
    SECONDS_MAX = 8, /* a walk of all that wait would take a minute */
};

#define WINDOW_NS ((int64_t)3000000)

static struct tcp_pool pool;
static struct tcp_stream stream;
static struct tcp_track track;
static uint64_t number;

static int begin(void **state)
{
    (void)state;
    number = 0;
    tcp_pool_init(&pool, 64 << 20);
    tcp_stream_init(&stream, &pool);
    return tcp_stream_start(&stream, 1000) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    tcp_track_done(&track);
    tcp_stream_done(&stream);
    tcp_pool_done(&pool);
    return 0;
}

static enum tcp_class segment(int64_t pos)
{
    static const uint8_t bytes[SIZE];
    struct tcp_segment seg = {.pos = pos,
                              .size = SIZE,
                              .captured = SIZE,
                              .bytes = bytes,
                              .frame = number + 1,
                              .time_ns = (int64_t)number * 1000,
                              .number = number};
    struct tcp_verdict v = tcp_track_segment(&track, &stream, &seg, WINDOW_NS);
    int64_t from = pos;
    struct tcp_run *run = tcp_stream_add(&stream, &seg, &from);

    number++;
    if (run != NULL) {
        tcp_stream_keep(&stream, run);
        tcp_run_forget(&stream, run, run->end);
    }
    return v.class;
}

static bool is_again(uint64_t i)
{
    return track.ring[i % track.room].again;
}

/* Random new segments, resends and acknowledgements, in stretches longer than what is remembered */
static void test_same_as_the_plain_rule(void **state)
{
    static bool again[STEPS];
    int64_t first = stream.high;
    uint32_t random = 1;

    (void)state;
    for (uint64_t i = 0; i < STEPS; i++) {
        bool acks, resends;

        random = random * 1664525 + 1013904223;
        acks = i / 1000 % 2 == 0 && (random >> 16) % 4 == 0;
        resends = i > 0 && (random >> 20) % 5 == 0;
        if (resends)
            assert_int_equal(segment(stream.high - SIZE), TCP_RESENT);
        else
            assert_int_equal(segment(stream.high), TCP_IN_ORDER);
        assert_int_equal(track.count, i + 1);
        for (uint64_t k = resends ? track.unacked : i + 1; k <= i; k++)
            again[k] = true;
        for (uint64_t k = track.count < TCP_SENT_MAX ? 0 : track.count - TCP_SENT_MAX; k <= i; k++)
            assert_int_equal(is_again(k), again[k]);
        if (acks)
            tcp_track_acked(&track, &(struct tcp_acked){.pos = stream.high - (random >> 28) * SIZE,
                                                        .time_ns = (int64_t)number * 1000});
    }
    assert_true(stream.high - first > STEPS / 2 * SIZE);
}

static void test_resends_that_nobody_acknowledges(void **state)
{
    clock_t start = clock();

    (void)state;
    segment(stream.high);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(segment(stream.high - SIZE), TCP_RESENT);
    assert_true(clock() - start < (clock_t)SECONDS_MAX * CLOCKS_PER_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_as_the_plain_rule, begin, end),
        cmocka_unit_test_setup_teardown(test_resends_that_nobody_acknowledges, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
