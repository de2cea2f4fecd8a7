/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whom a pause hits and who sends in spite of it: grace, direction, priority, silence.
 */
#include "support.h"

#include "analysis/pause_effect.h"

#define RATE UINT64_C(100000000000)
#define US INT64_C(1000)

enum {
    HOST_A = 0xa,
    HOST_B = 0xb,
    HOST_C = 0xc,
    PORT = 0x99, /* of a switch */
};

static struct rdc_packet from_to(uint8_t src, uint8_t dst, int64_t time_ns)
{
    return (struct rdc_packet){.frame = 7,
                               .time_ns = time_ns,
                               .has_mac = true,
                               .transport = RDC_TRANSPORT_ROCEV2,
                               .vlan_count = 1,
                               .vlans = {{.pcp = 3}},
                               .src_mac = {src},
                               .dst_mac = {dst}};
}

/* At 100 Gbit/s the grace is 394 quanta (2017 ns) and a frame of 9236 bytes (738 ns). */
static const struct sent_row {
    const char *name;
    uint8_t port, src, dst;
    int64_t time_ns; /* since the XOFF; the pause lasts 20 us */
    uint64_t violations;
} sent_rows[] = {
    {"before", HOST_B, HOST_A, HOST_B, -1, 0},
    {"within-the-grace", HOST_B, HOST_A, HOST_B, 2754, 0},
    {"after-the-grace", HOST_B, HOST_A, HOST_B, 2757, 1},
    {"at-the-end", HOST_B, HOST_A, HOST_B, 19999, 1},
    {"after-the-end", HOST_B, HOST_A, HOST_B, 20000, 0},
    {"the-pausing-side-may-send", HOST_B, HOST_B, HOST_A, 9000, 0},
    {"to-another-host", HOST_B, HOST_A, HOST_C, 9000, 0},
};

static void check_sent(void **state)
{
    const struct sent_row *row = *state;
    struct rdc_packet pkt = from_to(row->src, row->dst, 1000 * US + row->time_ns);
    uint8_t mac[6] = {row->port};
    struct pause_hosts hosts = {0};
    struct pause_effect e = {0};
    struct pause_judgement j;
    struct pause_clock c;

    pause_clock_init(&c, RATE, false);
    pause_clock_frame(&c, 1, 1000 * US, 3906); /* 20 us */
    c.until = 1020 * US;
    pause_effect_packet(&e, &c, mac, &pkt);
    pause_hosts_packet(&hosts, &pkt);
    j = pause_effect_judge(&e, &hosts, true);
    if (row->src != row->port) {
        assert_null(j.unknown);
        assert_int_equal(j.frame, row->violations > 0 ? 7 : 0);
    }
    assert_int_equal(j.violations, row->violations);
}

/* A switch's port pauses: which host is behind the tap? */
static const struct switch_row {
    const char *name;
    struct {
        uint8_t src, dst;
    } packets[6]; /* all in spite of the pause */
    unsigned count;
    bool known;
    uint64_t violations;
} switch_rows[] = {
    {"one-host-sends", {{HOST_A, HOST_B}, {HOST_A, HOST_C}, {HOST_A, HOST_B}}, 3, true, 3},
    {"one-host-receives", {{HOST_B, HOST_A}, {HOST_C, HOST_A}}, 2, true, 0},
    {"one-host-both", {{HOST_A, HOST_B}, {HOST_C, HOST_A}, {HOST_A, HOST_C}}, 3, true, 2},
    {"two-hosts-one-way", {{HOST_A, HOST_B}, {HOST_A, HOST_B}}, 2, false, 0},
    {"two-hosts-both-ways", {{HOST_A, HOST_B}, {HOST_B, HOST_A}, {HOST_A, HOST_B}}, 3, true, 1},
    {"several-links", {{HOST_A, HOST_B}, {HOST_B, HOST_C}, {HOST_C, HOST_A}}, 3, false, 0},
};

static void check_switch(void **state)
{
    const struct switch_row *row = *state;
    uint8_t mac[6] = {PORT};
    struct pause_hosts hosts = {0};
    struct pause_effect e = {0};
    struct pause_judgement j;
    struct pause_clock c;

    pause_clock_init(&c, RATE, false);
    pause_clock_frame(&c, 1, 1000 * US, 65535);
    for (unsigned i = 0; i < row->count; i++) {
        struct rdc_packet pkt =
            from_to(row->packets[i].src, row->packets[i].dst, (1010 + (int64_t)i) * US);

        pause_effect_packet(&e, &c, mac, &pkt);
        pause_hosts_packet(&hosts, &pkt);
    }
    j = pause_effect_judge(&e, &hosts, false);
    assert_int_equal(j.unknown == NULL, row->known);
    assert_int_equal(j.violations, row->violations);
}

static void check_no_packets(void **state)
{
    struct pause_hosts hosts = {0};
    struct pause_effect e = {0};

    (void)state;
    assert_non_null(pause_effect_judge(&e, &hosts, true).unknown);
}

/* A pause from 100 us to 200 us; a silence of a stream from A to B */
static const struct silence_row {
    const char *name;
    uint8_t port;
    int64_t from_us, to_us;
    unsigned victims;
} silence_rows[] = {
    {"just-the-pause", HOST_B, 100, 200, 1}, {"half-of-it", HOST_B, 50, 250, 1},
    {"less-than-half", HOST_B, 40, 250, 0},  {"within", HOST_B, 120, 180, 1},
    {"too-short", HOST_B, 120, 129, 0},      {"before", HOST_B, 10, 100, 0},
    {"after", HOST_B, 200, 400, 0},          {"of-the-pausing-side", HOST_A, 100, 200, 0},
    {"behind-a-switch", PORT, 100, 200, 1},
};

static void check_silence(void **state)
{
    const struct silence_row *row = *state;
    const uint8_t mac[6] = {row->port}, a[6] = {HOST_A}, b[6] = {HOST_B};
    struct pause_effect e = {0};
    struct pause_clock c;

    pause_clock_init(&c, RATE, false);
    pause_clock_frame(&c, 1, 100 * US, 65535);
    pause_clock_frame(&c, 2, 200 * US, 0);
    for (unsigned i = 0; i < 2; i++) /* counts once */
        pause_effect_silence(&e, &c, mac, a, b, 5, row->from_us * US, row->to_us * US);
    assert_int_equal(e.victim_count, row->victims);
    if (row->victims > 0) {
        struct rdc_packet ab = from_to(HOST_A, HOST_B, 0), cb = from_to(HOST_C, HOST_B, 0);
        struct pause_hosts hosts = {0};

        assert_int_equal(e.victims[0].stream, 5);
        pause_hosts_packet(&hosts, &ab);
        assert_true(pause_effect_hits(&e.victims[0], &hosts, row->port != PORT, 0));
        pause_hosts_packet(&hosts, &cb); /* now it is B that is behind the tap */
        assert_int_equal(pause_effect_hits(&e.victims[0], &hosts, row->port != PORT, 0),
                         row->port != PORT);
    }
}

/* The pause is from 100 us to 200 us, the stream's first silence 80 us of that; others follow. */
static const struct usual_row {
    const char *name;
    int64_t others_us[3];
    int64_t usual_us;
    bool hit;
} usual_rows[] = {
    {"never-silent-else", {0}, 0, true},          {"once-as-long", {80}, 0, true},
    {"often-but-shorter", {79, 70, 60}, 0, true}, {"often-as-long", {80, 200}, 0, false},
    {"longer-than-usual", {0}, 26, true},         {"a-usual-gap", {0}, 27, false},
};

static void check_usual(void **state)
{
    const struct usual_row *row = *state;
    const uint8_t mac[6] = {HOST_B}, a[6] = {HOST_A}, b[6] = {HOST_B};
    struct pause_hosts hosts = {0};
    struct pause_effect e = {0};
    struct pause_clock c;

    pause_clock_init(&c, RATE, false);
    pause_clock_frame(&c, 1, 100 * US, 65535);
    pause_clock_frame(&c, 2, 200 * US, 0);
    pause_effect_silence(&e, &c, mac, a, b, 5, 110 * US, 190 * US);
    for (unsigned i = 0; i < 3; i++)
        pause_effect_silence(&e, &c, mac, a, b, 5, 1000 * US, (1000 + row->others_us[i]) * US);
    assert_int_equal(e.victim_count, 1);
    assert_int_equal(e.victims[0].paused_ns, 80 * US);
    assert_int_equal(pause_effect_hits(&e.victims[0], &hosts, true, row->usual_us * US), row->hit);
}

/* A rate that is an estimate, 10 Mbit/s, at which a pause of 65535 quanta lasts 3.4 s and the grace
 * is 7.44 ms (a quantum and a frame). Then packets to the port, evenly but for what a row says. */
static const struct went_on_row {
    const char *name;
    uint8_t dst;
    int64_t first_us, every_us; /* of them, since the XOFF */
    bool estimate;
    uint64_t in_vain;
    int64_t until_us;
} went_on_rows[] = {
    {"as-before", HOST_B, 500, 1000, true, 1, 7500},
    {"after-a-silence", HOST_B, 20000, 1000, true, 0, 20000},
    {"after-a-silence-within-the-grace", HOST_B, 5000, 500, true, 0, 7500},
    {"too-few-to-tell", HOST_B, 4000, 4000, true, 0, 8000},
    {"to-another-host", HOST_C, 500, 1000, true, 0, 3355392},
    {"the-rate-is-known", HOST_B, 500, 1000, false, 0, 3355392},
};

static void check_went_on(void **state)
{
    const struct went_on_row *row = *state;
    const uint8_t mac[6] = {HOST_B};
    struct pause_effect e = {0};
    struct pause_clock c;

    pause_clock_init(&c, UINT64_C(10000000), row->estimate);
    pause_clock_frame(&c, 1, 1000 * US, 65535);
    for (int64_t i = 0; i < 30; i++) {
        struct rdc_packet pkt =
            from_to(HOST_A, row->dst, (1000 + row->first_us + i * row->every_us) * US);

        pause_effect_clocks(&e, &c, 1, mac, &pkt, row->first_us * US);
    }
    assert_int_equal(c.in_vain, row->in_vain);
    assert_int_equal((c.until - c.since) / US, row->until_us);
    pause_clock_finish(&c, INT64_MAX);
    assert_int_equal(c.paused_ns / US, row->in_vain > 0 ? 0 : row->until_us);
}

static void check_priority(void **state)
{
    struct rdc_packet pkt = from_to(HOST_A, HOST_B, 0);

    (void)state;
    assert_int_equal(pause_priority_of(&pkt), 3);
    pkt.vlan_count = 0;
    pkt.ip.dscp = 26;
    assert_int_equal(pause_priority_of(&pkt), 3);
    pkt.ip.dscp = 63;
    assert_int_equal(pause_priority_of(&pkt), 7);
    pkt.transport = RDC_TRANSPORT_ROCEV1;
    assert_int_equal(pause_priority_of(&pkt), 0);
}

static struct CMUnitTest row_test(const char *name, CMUnitTestFunction check, const void *row)
{
    return (struct CMUnitTest){name, check, NULL, NULL, (void *)(uintptr_t)row};
}

int main(void)
{
    struct CMUnitTest tests[SUPPORT_COUNT(sent_rows) + SUPPORT_COUNT(switch_rows) +
                            SUPPORT_COUNT(silence_rows) + SUPPORT_COUNT(usual_rows) +
                            SUPPORT_COUNT(went_on_rows) + 2] = {
        cmocka_unit_test(check_no_packets),
        cmocka_unit_test(check_priority),
    };
    size_t n = 2;

    for (size_t i = 0; i < SUPPORT_COUNT(sent_rows); i++)
        tests[n++] = row_test(sent_rows[i].name, check_sent, &sent_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(switch_rows); i++)
        tests[n++] = row_test(switch_rows[i].name, check_switch, &switch_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(silence_rows); i++)
        tests[n++] = row_test(silence_rows[i].name, check_silence, &silence_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(usual_rows); i++)
        tests[n++] = row_test(usual_rows[i].name, check_usual, &usual_rows[i]);
    for (size_t i = 0; i < SUPPORT_COUNT(went_on_rows); i++)
        tests[n++] = row_test(went_on_rows[i].name, check_went_on, &went_on_rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
