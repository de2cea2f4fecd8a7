/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Traffic that is made to cost the analyzer time and memory: both stay within bounds, and what was
 * given up is told. Times and sizes are generous; what they catch is growth with the square of
 * something, and memory without end.
 */
#include <sys/resource.h>
#include <time.h>

#include "flow/build.h"
#include "flow/flow.h"
#include "rdc/wire.h"
#include "support.h"

enum {
    STREAMS = 200000,
    MANY = 200000, /* packets */
    CONNECTIONS = 20000,
    BUSY = 6000,
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOWNESS = 8, HONEST_MEMORY = 0 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SLOWNESS = 8, HONEST_MEMORY = 0 };
#else
enum { SLOWNESS = 2, HONEST_MEMORY = 1 };
#endif
#else
enum { SLOWNESS = 2, HONEST_MEMORY = 1 };
#endif

struct bench {
    struct flow_engine *engine;
    struct flow_summary sum;
    uint64_t frame;
    int64_t time_ns;
    struct timespec begin;
    long begin_kib;
};

static long peak_kib(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static double cpu_seconds(void)
{
    struct timespec now;

    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double started;

static void open_bench(struct bench *b, const struct flow_config *config)
{
    *b = (struct bench){.time_ns = 1000000000, .begin_kib = peak_kib()};
    b->engine = flow_engine_new(config, NULL);
    assert_non_null(b->engine);
    started = cpu_seconds();
}

static void feed(struct bench *b, struct build build)
{
    struct rdc_packet pkt;

    build.frame = ++b->frame;
    build.time_ns = b->time_ns += 1000;
    if (build.size == 0)
        build.size = BUILD_DEFAULT_SIZE;
    pkt = build_packet(&build);
    flow_packet(b->engine, &pkt);
}

/* `seconds` on a slow machine without sanitizers, `mib` at the most beyond what was there before */
static void close_bench(struct bench *b, const char *name, double seconds, long mib)
{
    double took;
    long grown;

    flow_finish(b->engine);
    flow_summary_get(b->engine, &b->sum);
    took = cpu_seconds() - started;
    grown = (peak_kib() - b->begin_kib) / 1024;
    print_message("%s: %.2f s, %ld MiB\n", name, took, grown);
    if (took > seconds * SLOWNESS)
        fail_msg("%s took %.2f s", name, took);
    if (HONEST_MEMORY && grown > mib)
        fail_msg("%s took %ld MiB", name, grown);
    assert_int_equal(b->sum.packets, b->frame);
}

static const struct flow_counters *first_counters(const struct bench *b)
{
    struct flow_connection c;

    flow_connection_get(b->engine, 0, &c);
    return c.a_to_b.counters;
}

/* ------------------------------------------------------------------ many streams */

static void test_many_streams(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < STREAMS; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY,
                                .dest_qpn = 2 + i / 100,
                                .host_a = (uint8_t)(1 + i % 10),
                                .host_b = (uint8_t)(101 + i / 10 % 10),
                                .psn = i});
    close_bench(&b, "many streams", 2, 900);
    assert_int_equal(flow_connection_count(b.engine), STREAMS);
    assert_int_equal(b.sum.untracked_packets, 0);
    flow_engine_free(b.engine);
}

static void test_more_streams_than_allowed(void **state)
{
    const struct flow_config config = {.max_streams = 1000};
    struct bench b;

    (void)state;
    open_bench(&b, &config);
    for (uint32_t i = 0; i < STREAMS; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .dest_qpn = 2 + i % 2000});
    close_bench(&b, "more streams than allowed", 2, 10);
    assert_int_equal(flow_connection_count(b.engine), 1000);
    assert_int_equal(b.sum.untracked_packets, STREAMS / 2);
    flow_engine_free(b.engine);
}

/* Both directions of very many queue pairs between two hosts, all with the same PSNs: nothing tells
 * which belong together. */
static void test_streams_that_look_alike(void **state)
{
    struct bench b;
    struct flow_connection c;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t psn = 0; psn < 4; psn++)
        for (uint32_t i = 0; i < BUSY; i++)
            feed(&b, (struct build){
                         .opcode = RDC_RC_RDMA_WRITE_ONLY, .dest_qpn = 0x1000 + i, .psn = psn});
    for (uint32_t psn = 0; psn < 4; psn++)
        for (uint32_t i = 0; i < BUSY; i++)
            feed(&b, (struct build){.opcode = RDC_RC_ACKNOWLEDGE,
                                    .back = true,
                                    .dest_qpn = 0x10000 + i,
                                    .psn = psn});
    close_bench(&b, "streams that look alike", 5, 200);
    for (size_t i = 0; i < flow_connection_count(b.engine); i++) {
        flow_connection_get(b.engine, i, &c);
        assert_int_equal(c.paired_by, FLOW_UNPAIRED);
    }
    flow_engine_free(b.engine);
}

/* One stream of answers that answers none of many streams of requests */
static void test_answers_to_nobody(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < BUSY; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .dest_qpn = 0x1000 + i});
    for (uint32_t i = 0; i < MANY; i++)
        feed(&b, (struct build){
                     .opcode = RDC_RC_ACKNOWLEDGE, .back = true, .psn = 0x700000 + i % 1000});
    close_bench(&b, "answers to nobody", 5, 100);
    flow_engine_free(b.engine);
}

static void cm(struct bench *b, uint8_t message, uint32_t number, bool back)
{
    static uint8_t mad[BUILD_MAD_SIZE];
    const struct build_cm fields = {.cid = back ? 0x80000000u + number : 1 + number,
                                    .rid = back ? 1 + number : 0x80000000u + number,
                                    .qpn = (back ? 0x100000 : 0x1000) + number};
    const struct build build = {.opcode = RDC_UD_SEND_ONLY,
                                .back = back,
                                .psn = number,
                                .size = BUILD_DEFAULT_SIZE,
                                .frame = ++b->frame,
                                .time_ns = b->time_ns += 1000};
    struct rdc_packet pkt = build_packet(&build);

    build_cm_message(&pkt, mad, message, &fields);
    flow_packet(b->engine, &pkt);
}

static void test_many_announced_connections(void **state)
{
    struct bench b;
    struct flow_connection c;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        cm(&b, 0x10, i, false);
        cm(&b, 0x13, i, true);
    }
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        feed(&b,
             (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .dest_qpn = 0x100000 + i, .psn = i});
        feed(&b, (struct build){
                     .opcode = RDC_RC_ACKNOWLEDGE, .back = true, .dest_qpn = 0x1000 + i, .psn = i});
    }
    for (uint32_t i = 0; i < CONNECTIONS; i++)
        cm(&b, 0x15, i, false);
    close_bench(&b, "many announced connections", 10, 300);
    assert_int_equal(flow_connection_count(b.engine), CONNECTIONS);
    for (size_t i = 0; i < CONNECTIONS; i++) {
        flow_connection_get(b.engine, i, &c);
        assert_int_equal(c.paired_by, FLOW_PAIRED_CM);
        assert_int_equal(c.state, FLOW_STATE_CLOSED);
        assert_int_equal(c.a_to_b.counters->gaps, 0);
    }
    flow_engine_free(b.engine);
}

/* ------------------------------------------------------------------ one stream without end */

static void test_holes_without_end(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < MANY; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = i * 2});
    for (uint32_t i = 0; i < MANY; i++) /* back over all of it */
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = (MANY - i) * 2 - 1});
    close_bench(&b, "holes without end", 3, 20);
    assert_true(first_counters(&b)->gap_psns >= MANY - 1);
    flow_engine_free(b.engine);
}

static void test_nothing_is_acknowledged(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = 5});
    feed(&b, (struct build){.opcode = RDC_RC_ACKNOWLEDGE, .back = true, .psn = 5});
    for (uint32_t i = 0; i < MANY; i++)
        feed(&b, (struct build){.opcode = i % 2 != 0 ? RDC_RC_RDMA_READ_REQUEST : RDC_RC_SEND_FIRST,
                                .psn = 6 + i});
    for (uint32_t i = 0; i < MANY; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_READ_RESPONSE_FIRST,
                                .back = true,
                                .psn = 6 + MANY / 2 + i % (MANY / 2)});
    close_bench(&b, "nothing is acknowledged", 4, 40);
    flow_engine_free(b.engine);
}

static void test_reads_of_4_gib(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_FIRST, .size = 256});
    feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_LAST, .psn = 1});
    for (uint32_t i = 0; i < MANY; i++) {
        feed(&b,
             (struct build){.opcode = RDC_RC_RDMA_READ_REQUEST, .psn = 2 + i, .size = UINT32_MAX});
        if (i % 3 == 0)
            feed(&b, (struct build){.opcode = RDC_RC_RDMA_READ_RESPONSE_MIDDLE,
                                    .back = true,
                                    .psn = i * 77,
                                    .size = 256});
        if (i % 5 == 0)
            feed(&b, (struct build){.opcode = RDC_RC_ACKNOWLEDGE, .back = true, .psn = i});
    }
    close_bench(&b, "reads of 4 GiB", 4, 40);
    assert_int_equal(first_counters(&b)->gap_psns, 0);
    flow_engine_free(b.engine);
}

static void test_jumps(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        b.time_ns += i % 7 == 0 ? -900000000 : 1000000;
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = i * 5000011});
        feed(&b, (struct build){.opcode = RDC_RC_ACKNOWLEDGE,
                                .back = true,
                                .psn = i * 5000011,
                                .aeth_kind = i % 4});
    }
    close_bench(&b, "jumps", 3, 20);
    assert_int_equal(first_counters(&b)->packets, MANY);
    flow_engine_free(b.engine);
}

/* Each packet steps back, so each begins a round. */
static void test_rounds_without_end(void **state)
{
    struct bench b;
    uint64_t rounds = 0;

    (void)state;
    open_bench(&b, NULL);
    for (uint32_t i = 0; i < 1000; i++)
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = i});
    for (uint32_t i = 0; i < MANY; i++) {
        b.time_ns += i % 2 == 0 ? 5000000 : 10;
        feed(&b, (struct build){.opcode = RDC_RC_ACKNOWLEDGE,
                                .back = true,
                                .aeth_kind = RDC_AETH_NAK,
                                .psn = 999 - i % 999});
        feed(&b, (struct build){.opcode = RDC_RC_RDMA_WRITE_ONLY, .psn = 999 - i % 999});
    }
    close_bench(&b, "rounds without end", 4, 20);
    for (int t = 0; t < FLOW_TRIGGER_COUNT; t++)
        rounds += first_counters(&b)->rounds[t];
    assert_int_equal(rounds, MANY);
    flow_engine_free(b.engine);
}

/* Each packet is of two other hosts. When there is no memory for their streams, nothing else is
 * kept of them either. Runs first: what it takes must be seen. */
static void test_hosts_without_end(void **state)
{
    const struct flow_config config = {.max_state_bytes = 1 << 20};
    struct bench b;

    (void)state;
    open_bench(&b, &config);
    for (uint32_t i = 0; i < MANY; i++) {
        struct build build = {.opcode = RDC_RC_RDMA_WRITE_ONLY,
                              .size = BUILD_DEFAULT_SIZE,
                              .frame = ++b.frame,
                              .time_ns = b.time_ns += 1000};
        struct rdc_packet pkt = build_packet(&build);

        memcpy(pkt.src, &i, sizeof(i));
        flow_packet(b.engine, &pkt);
    }
    close_bench(&b, "hosts without end", 2, 4);
    assert_true(b.sum.state_refused > MANY / 2);
    flow_engine_free(b.engine);
}

static void test_little_memory_for_histories(void **state)
{
    const struct flow_config config = {.max_state_bytes = 1 << 20};
    struct bench b;

    (void)state;
    open_bench(&b, &config);
    for (uint32_t i = 0; i < MANY; i++)
        feed(&b, (struct build){
                     .opcode = RDC_RC_RDMA_WRITE_ONLY, .dest_qpn = 2 + i % 5000, .psn = i / 5000});
    close_bench(&b, "little memory for histories", 2, 60);
    assert_true(b.sum.state_refused > 0);
    assert_int_equal(first_counters(&b)->retransmitted_packets, 0);
    assert_int_equal(first_counters(&b)->gaps, 0);
    flow_engine_free(b.engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts_without_end),
        cmocka_unit_test(test_more_streams_than_allowed),
        cmocka_unit_test(test_streams_that_look_alike),
        cmocka_unit_test(test_answers_to_nobody),
        cmocka_unit_test(test_holes_without_end),
        cmocka_unit_test(test_nothing_is_acknowledged),
        cmocka_unit_test(test_reads_of_4_gib),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_rounds_without_end),
        cmocka_unit_test(test_little_memory_for_histories),
        cmocka_unit_test(test_many_announced_connections),
        cmocka_unit_test(test_many_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
