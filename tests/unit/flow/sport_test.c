/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pairing by UDP source ports that follow from both QPNs: many queue pairs between two hosts that
 * all start at the same PSN, so that nothing else tells them apart.
 */
#include "flow/pairing.h"

#include "flow/build.h"
#include "flow/ledger.h"
#include "support.h"

enum {
    PAIRS = 300,
};

/* As rdma_calc_flow_label() and rdma_flow_label_to_udp_sport() of Linux compute them; the ports of
 * 40 and 90 are those of a capture of Soft-RoCE, the others are worked out apart from this program.
 */
static void test_formula(void **state)
{
    static const struct {
        uint32_t a, b;
        uint16_t port;
    } rows[] = {
        {0x11, 0x22, 0xc242},
        {0x22, 0x11, 0xc242},
        {1, 1, 0xc001},
        {0, 5, 0xc000},
        {0x3fff, 1, 0xffff},
        {0x4000, 1, 0xc001},
        {0xffffff, 0xffffff, 0xff21},
        {40, 90, 52752},
        {0x12345, 0x6789a, 0xfa58},
    };

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++)
        assert_int_equal(pairing_hashed_port(rows[i].a, rows[i].b), rows[i].port);
}

static uint32_t qpn(uint32_t i, bool back)
{
    return 0x100 + i * (back ? 7919 : 104729) % 0xfffe00;
}

struct ports {
    bool shared; /* all of them use one port */
    bool second; /* each stream goes on with another port */
};

static struct flow_engine *run(struct ledger *l, struct ports ports)
{
    struct flow_sink sink = ledger_sink(l);
    struct flow_engine *e = flow_engine_new(NULL, &sink);

    assert_non_null(e);
    for (uint32_t psn = 0; psn < 3; psn++) {
        for (uint32_t k = 0; k < 2 * PAIRS; k++) {
            uint32_t i = k % PAIRS;
            bool back = k >= PAIRS;
            uint64_t frame = 1 + psn * 2 * PAIRS + k;
            struct build b = {.frame = frame,
                              .time_ns = (int64_t)frame * 1000,
                              .opcode = back ? RDC_RC_ACKNOWLEDGE : RDC_RC_SEND_ONLY,
                              .back = back,
                              .dest_qpn = qpn(i, !back),
                              .psn = psn,
                              .size = BUILD_DEFAULT_SIZE,
                              .port = ports.shared
                                          ? BUILD_PORT
                                          : pairing_hashed_port(qpn(i, false), qpn(i, true))};
            struct rdc_packet pkt;

            if (ports.second && psn == 2)
                b.port = (uint16_t)(b.port ^ 1);
            pkt = build_packet(&b);
            ledger_feed(l, e, &pkt);
        }
    }
    ledger_finish(l, e);
    assert_null(ledger_check(l, e));
    return e;
}

static void test_hashed_ports(void **state)
{
    struct ledger l = {0};
    struct flow_engine *e = run(&l, (struct ports){0});

    (void)state;
    assert_int_equal(flow_connection_count(e), PAIRS);
    for (uint32_t i = 0; i < PAIRS; i++) {
        struct flow_connection c;

        flow_connection_get(e, i, &c);
        assert_int_equal(c.paired_by, FLOW_PAIRED_SPORT);
        assert_int_equal(c.a.qpn, qpn(i, false));
        assert_int_equal(c.b.qpn, qpn(i, true));
    }
    flow_engine_free(e);
    ledger_done(&l);
}

/* One port for all: that it fits some of the QPNs is chance, and proves nothing. */
static void test_shared_port(void **state)
{
    struct ledger l = {0};
    struct flow_engine *e = run(&l, (struct ports){.shared = true});

    (void)state;
    assert_int_equal(flow_connection_count(e), 2 * PAIRS);
    flow_engine_free(e);
    ledger_done(&l);
}

/* The port changes: that both sides had one port was chance, or is none of the proof any more. */
static void test_second_port(void **state)
{
    struct ledger l = {0};
    struct flow_engine *e = run(&l, (struct ports){.second = true});

    (void)state;
    for (uint32_t i = 0; i < flow_connection_count(e); i++) {
        struct flow_connection c;

        flow_connection_get(e, i, &c);
        assert_int_equal(c.a_to_b.port_count, 2);
        if (c.paired_by != FLOW_UNPAIRED)
            assert_int_equal(c.b.qpn, qpn(i, true));
    }
    flow_engine_free(e);
    ledger_done(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formula),
        cmocka_unit_test(test_hashed_ports),
        cmocka_unit_test(test_shared_port),
        cmocka_unit_test(test_second_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
