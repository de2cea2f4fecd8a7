/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A conversation in which nothing goes wrong, and then any interleaving of loss, copies and
 * reordering on the way to the capture. Nothing is ever sent again, and IPv4 identifications count
 * up, so a few lines of model tell what the engine has to find: no retransmission, each copy, each
 * late packet, each gap. The books of ledger.h balance besides.
 */
#include "flow/build.h"
#include "flow/ledger.h"
#include "support.h"

enum {
    VARIANTS = 300,
    MESSAGES = 60,
    PACKETS_MAX = MESSAGES * 12,
    CALM = 12, /* packets at the beginning that nothing happens to: identifications are learned */
    STEP_NS = 1000,
};

struct conversation {
    struct build packets[PACKETS_MAX];
    uint32_t span[PACKETS_MAX]; /* PSNs of a request; 0: a response */
    size_t count;
    uint32_t psn;
    uint16_t id[2];
    uint64_t seed;
};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static bool chance(struct conversation *c, uint32_t percent)
{
    return next_random(&c->seed) % 100 < percent;
}

/* ------------------------------------------------------------------ the conversation */

static void say(struct conversation *c, uint8_t opcode, bool back, uint32_t psn, int64_t size,
                uint32_t span)
{
    struct build *b = &c->packets[c->count];

    assert_true(c->count < PACKETS_MAX);
    *b = (struct build){.opcode = opcode,
                        .back = back,
                        .psn = psn & RDC_PSN_MASK,
                        .size = size,
                        .ip_id = ++c->id[back],
                        .aeth_kind = RDC_AETH_ACK,
                        .aeth_value = RDC_CREDITS_INVALID};
    c->span[c->count++] = span;
}

static void write_message(struct conversation *c)
{
    uint32_t packets = 2 + next_random(&c->seed) % 5;

    for (uint32_t i = 0; i < packets; i++)
        say(c,
            i == 0             ? RDC_RC_RDMA_WRITE_FIRST
            : i + 1 == packets ? RDC_RC_RDMA_WRITE_LAST
                               : RDC_RC_RDMA_WRITE_MIDDLE,
            false, c->psn + i, BUILD_DEFAULT_SIZE, 1);
    c->psn += packets;
    say(c, RDC_RC_ACKNOWLEDGE, true, c->psn - 1, BUILD_DEFAULT_SIZE, 0);
}

static void read_message(struct conversation *c)
{
    uint32_t packets = 2 + next_random(&c->seed) % 5;

    say(c, RDC_RC_RDMA_READ_REQUEST, false, c->psn, packets * BUILD_PMTU, packets);
    for (uint32_t i = 0; i < packets; i++)
        say(c,
            i == 0             ? RDC_RC_RDMA_READ_RESPONSE_FIRST
            : i + 1 == packets ? RDC_RC_RDMA_READ_RESPONSE_LAST
                               : RDC_RC_RDMA_READ_RESPONSE_MIDDLE,
            true, c->psn + i, BUILD_PMTU, 0);
    c->psn += packets;
}

static void converse(struct conversation *c)
{
    write_message(c);
    write_message(c);
    write_message(c);
    for (int i = 3; i < MESSAGES; i++) {
        uint32_t what = next_random(&c->seed) % 4;

        if (what == 0) {
            read_message(c);
        } else if (what == 1) {
            say(c, RDC_RC_FETCH_ADD, false, c->psn, 8, 1);
            say(c, RDC_RC_ATOMIC_ACKNOWLEDGE, true, c->psn++, 8, 0);
        } else {
            write_message(c);
        }
    }
}

/* ------------------------------------------------------------------ what happens to it */

static void put_in(struct conversation *c, size_t at, struct build b, uint32_t span)
{
    memmove(&c->packets[at + 1], &c->packets[at], (c->count - at) * sizeof(c->packets[0]));
    memmove(&c->span[at + 1], &c->span[at], (c->count - at) * sizeof(c->span[0]));
    c->packets[at] = b;
    c->span[at] = span;
    c->count++;
}

static void take_out(struct conversation *c, size_t at)
{
    c->count--;
    memmove(&c->packets[at], &c->packets[at + 1], (c->count - at) * sizeof(c->packets[0]));
    memmove(&c->span[at], &c->span[at + 1], (c->count - at) * sizeof(c->span[0]));
}

/* From behind, so that what was moved or copied is not met again. */
static void disturb(struct conversation *c, uint32_t lost, uint32_t copied, uint32_t late)
{
    for (size_t i = c->count; i > CALM; i--) {
        struct build b = c->packets[i - 1];
        uint32_t span = c->span[i - 1];
        size_t later = i - 1 + next_random(&c->seed) % 30;

        if (chance(c, lost)) {
            take_out(c, i - 1);
        } else if (chance(c, late)) {
            take_out(c, i - 1);
            put_in(c, later < c->count ? later : c->count, b, span);
        } else if (chance(c, copied) && c->count < PACKETS_MAX) {
            put_in(c, later + 1 < c->count ? later + 1 : c->count, b, span);
        }
    }
}

/* ------------------------------------------------------------------ what it means */

struct model {
    uint64_t requests, responses, in_sequence, late, copies, gaps, gap_psns;
};

/* PSNs begin at `base`: as numbers that don't wrap, relative to it. */
static struct model judge(const struct conversation *c, uint32_t base)
{
    static bool seen[PACKETS_MAX * 8];
    struct model m = {0};
    uint32_t next = 0;

    memset(seen, 0, sizeof(seen));
    for (size_t i = 0; i < c->count; i++) {
        uint32_t u = (c->packets[i].psn - base) & RDC_PSN_MASK;

        if (c->span[i] == 0) {
            m.responses++;
            continue;
        }
        m.requests++;
        if (u >= next) {
            m.in_sequence++;
            m.gaps += u > next;
            m.gap_psns += u - next;
            next = u + c->span[i];
        } else if (seen[u]) {
            m.copies++;
        } else {
            m.late++;
        }
        seen[u] = true;
    }
    return m;
}

static void feed(struct ledger *l, struct flow_engine *e, const struct conversation *c,
                 size_t preview)
{
    for (size_t i = 0; i < c->count; i++) {
        struct build b = c->packets[i];
        struct rdc_packet pkt;

        b.frame = i + 1;
        b.time_ns = (int64_t)(i + 1) * STEP_NS;
        pkt = build_packet(&b);
        ledger_feed(l, e, &pkt);
        if (preview != 0 && i % preview == 0)
            ledger_preview(l, e);
    }
    ledger_finish(l, e);
}

static void check(const struct conversation *c, uint32_t base, size_t preview)
{
    struct model m = judge(c, base);
    struct ledger l = {0};
    struct flow_sink sink = ledger_sink(&l);
    struct flow_engine *e = flow_engine_new(NULL, &sink);
    struct flow_connection con;
    const struct flow_counters *a, *b;
    const char *complaint;

    assert_non_null(e);
    feed(&l, e, c, preview);
    complaint = ledger_check(&l, e);
    if (complaint != NULL)
        fail_msg("%s", complaint);
    assert_int_equal(flow_connection_count(e), 1);
    flow_connection_get(e, 0, &con);
    a = con.a_to_b.counters;
    b = con.b_to_a.counters;
    assert_int_equal(a->packets, m.requests);
    assert_int_equal(b->packets, m.responses);
    assert_int_equal(a->retransmitted_packets, 0);
    assert_int_equal(b->retransmitted_packets, 0);
    assert_int_equal(a->out_of_order, m.late);
    assert_int_equal(a->duplicates, m.copies);
    assert_int_equal(a->packets, m.in_sequence + a->out_of_order + a->duplicates);
    assert_int_equal(a->gaps, m.gaps);
    assert_int_equal(a->gap_psns, m.gap_psns);
    assert_int_equal(l.round_count, 0);
    flow_engine_free(e);
    ledger_done(&l);
}

static void test_interleavings(void **state)
{
    static const uint32_t percents[] = {0, 1, 5, 30};
    static struct conversation c;

    (void)state;
    for (uint32_t v = 0; v < VARIANTS; v++) {
        uint32_t base = (0x1000000 - v) & RDC_PSN_MASK;

        c = (struct conversation){.psn = base, .seed = 88172645463325252u + v};
        converse(&c);
        disturb(&c, percents[v % 4], percents[v / 4 % 4], percents[v / 16 % 4]);
        check(&c, base, v % 3 == 0 ? 0 : v % 7 + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interleavings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
