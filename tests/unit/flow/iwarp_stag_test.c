/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What messages say of STags, what of it is kept, and by which names messages are counted.
 */
#include "tcp_sim.h"

static struct sim *make(void)
{
    struct sim *s = sim_new();

    sim_start_up(s, SIM_SENDER, false, true, false, 0);
    sim_start_up(s, SIM_PEER, false, true, false, 0);
    return s;
}

static void tagged(struct sim_bytes *b, uint8_t opcode, uint32_t stag, uint16_t size, bool last)
{
    uint8_t u[RDC_DDP_TAGGED_LEN + 2000] = {0};

    u[0] = last ? 0xc1 : 0x81;
    u[1] = (uint8_t)(0x40 | opcode);
    sim_be(u + 2, stag, 4);
    sim_fpdu(b, u, (uint16_t)(RDC_DDP_TAGGED_LEN + size));
}

static void read_request(struct sim_bytes *b, uint32_t msn, uint32_t sink, uint32_t source,
                         uint32_t size)
{
    uint8_t read[RDC_RDMAP_READ_REQUEST_LEN] = {0};

    sim_be(read, sink, 4);
    sim_be(read + 12, size, 4);
    sim_be(read + 16, source, 4);
    sim_untagged(b, RDC_RDMAP_READ_REQUEST, 1, msn, 0, read, sizeof(read), true);
}

static void atomic(struct sim_bytes *b, uint32_t msn, uint8_t operation, uint32_t stag)
{
    uint8_t request[RDC_RDMAP_ATOMIC_REQUEST_LEN] = {0};

    request[3] = operation;
    sim_be(request + 4, msn, 4);
    sim_be(request + 8, stag, 4);
    sim_untagged(b, RDC_RDMAP_ATOMIC_REQUEST, 1, msn, 0, request, sizeof(request), true);
}

static void invalidate(struct sim_bytes *b, uint8_t opcode, uint32_t stag, uint32_t mo, bool last)
{
    uint8_t u[RDC_DDP_UNTAGGED_LEN + 100] = {0};

    u[0] = last ? 0x41 : 0x01;
    u[1] = (uint8_t)(0x40 | opcode);
    sim_be(u + 2, stag, 4);
    sim_be(u + 10, b->msn, 4);
    sim_be(u + 14, mo, 4);
    b->msn += last;
    sim_fpdu(b, u, sizeof(u));
}

/* Each FPDU goes in a packet of its own: the sender's first one in frame 5. */
static struct flow_connection run(struct sim *s)
{
    struct flow_connection c;

    sim_restart(s);
    sim_handshake(s);
    for (unsigned dir = 0; dir < 2; dir++)
        for (uint32_t i = 0; i < s->sides[dir].count; i++)
            sim_segment(s, dir, s->sides[dir].fpdus[i].at, s->sides[dir].fpdus[i].total);
    flow_finish(s->engine);
    assert_int_equal(flow_connection_count(s->engine), 1);
    flow_connection_get(s->engine, 0, &c);
    return c;
}

static const struct flow_stag *find(const struct flow_iwarp *w, uint32_t stag, bool own)
{
    for (uint32_t i = 0; i < w->stag_count; i++)
        if (w->stags[i].stag == stag && w->stags[i].own == own)
            return &w->stags[i];
    return NULL;
}

static void check_uses(void **state)
{
    struct sim *s = make();
    struct sim_bytes *b = &s->sides[0];
    const struct flow_stag *x;
    struct flow_connection c;

    (void)state;
    tagged(b, RDC_RDMAP_WRITE, 0x10, 1000, false);
    tagged(b, RDC_RDMAP_WRITE, 0x20, 5, true);
    tagged(b, RDC_RDMAP_WRITE, 0x10, 300, true);
    read_request(b, 1, 0x10, 0x20, 700);
    read_request(b, 2, 0x30, 0x40, 0); /* touches no buffer */
    tagged(b, RDC_RDMAP_WRITE, 0x40, 0, true);
    atomic(b, 3, RDC_RDMAP_SWAP, 0x20);
    tagged(&s->sides[1], RDC_RDMAP_READ_RESPONSE, 0x10, 400, false);
    tagged(&s->sides[1], RDC_RDMAP_READ_RESPONSE, 0x10, 300, true);
    c = run(s);
    assert_int_equal(c.a_to_b.iwarp->stag_count, 3);
    assert_int_equal(c.b_to_a.iwarp->stag_count, 1);
    x = find(c.a_to_b.iwarp, 0x10, false);
    assert_non_null(x);
    assert_int_equal(x->write_bytes, 1300);
    assert_int_equal(x->segments, 2);
    assert_int_equal(x->reads + x->atomics + x->invalidates + x->invalidated_frame, 0);
    assert_int_equal(x->first_frame, 5);
    assert_int_equal(x->last_frame, 7);
    x = find(c.a_to_b.iwarp, 0x10, true);
    assert_non_null(x);
    assert_int_equal(x->reads, 1);
    assert_int_equal(x->read_bytes, 700);
    assert_int_equal(x->write_bytes, 0);
    x = find(c.a_to_b.iwarp, 0x20, false);
    assert_non_null(x);
    assert_int_equal(x->write_bytes, 5);
    assert_int_equal(x->reads, 1);
    assert_int_equal(x->read_bytes, 700);
    assert_int_equal(x->atomics, 1);
    assert_int_equal(x->segments, 3);
    assert_int_equal(x->last_frame, 11);
    x = find(c.b_to_a.iwarp, 0x10, false);
    assert_non_null(x);
    assert_int_equal(x->read_answer_bytes, 700);
    assert_int_equal(x->write_bytes, 0);
    sim_free(s);
}

static void check_invalidate(void **state)
{
    struct sim *s = make();
    struct sim_bytes *b = &s->sides[0];
    const struct flow_stag *x;
    struct flow_connection c;

    (void)state;
    tagged(b, RDC_RDMAP_WRITE, 0x10, 100, true);
    invalidate(b, RDC_RDMAP_SEND_INV, 0x10, 0, false); /* one message */
    invalidate(b, RDC_RDMAP_SEND_INV, 0x10, 100, true);
    tagged(b, RDC_RDMAP_WRITE, 0x10, 100, true);
    tagged(b, RDC_RDMAP_WRITE, 0x10, 100, true);
    invalidate(b, RDC_RDMAP_SEND_SE_INV, 0x20, 0, true);
    tagged(b, RDC_RDMAP_WRITE, 0x30, 100, true);
    for (unsigned i = 0; i < 2; i++) {
        invalidate(b, RDC_RDMAP_SEND_INV, 0x30, 0, true);
        tagged(b, RDC_RDMAP_WRITE, 0x30, 100, true);
    }
    sim_send(b, 30);
    c = run(s);
    assert_int_equal(c.a_to_b.iwarp->stag_count, 3);
    x = find(c.a_to_b.iwarp, 0x10, false);
    assert_non_null(x);
    assert_int_equal(x->invalidates, 1);
    assert_int_equal(x->invalidated_frame, 7);
    assert_int_equal(x->used_after, 2);
    assert_int_equal(x->write_bytes, 300);
    x = find(c.a_to_b.iwarp, 0x20, false);
    assert_non_null(x);
    assert_int_equal(x->invalidates, 1);
    assert_int_equal(x->used_after, 0);
    x = find(c.a_to_b.iwarp, 0x30, false); /* registered again between, perhaps */
    assert_non_null(x);
    assert_int_equal(x->invalidates, 2);
    assert_int_equal(x->used_after, 1);
    sim_free(s);
}

/* More STags than are kept, and one that is used all the time */
static void check_bound(void **state)
{
    enum {
        STAGS = 3 * FLOW_STAGS_MAX,
    };
    struct sim *s = make();
    struct flow_connection c;

    (void)state;
    for (uint32_t i = 0; i < STAGS; i++) {
        tagged(&s->sides[0], RDC_RDMAP_WRITE, 7, 10, true);
        tagged(&s->sides[0], RDC_RDMAP_WRITE, 1000 + i, 10, true);
    }
    c = run(s);
    assert_int_equal(c.a_to_b.iwarp->stag_count, FLOW_STAGS_MAX);
    assert_int_equal(c.a_to_b.iwarp->stags_forgotten, STAGS + 1 - FLOW_STAGS_MAX);
    assert_int_equal(find(c.a_to_b.iwarp, 7, false)->write_bytes, 10 * STAGS);
    assert_non_null(find(c.a_to_b.iwarp, 1000 + STAGS - 1, false));
    assert_non_null(find(c.a_to_b.iwarp, 1000 + STAGS - FLOW_STAGS_MAX + 1, false));
    assert_null(find(c.a_to_b.iwarp, 1000 + STAGS - FLOW_STAGS_MAX, false));
    sim_free(s);
}

/* A damaged FPDU says nothing. */
static void check_damaged(void **state)
{
    struct sim *s = make();
    struct sim_bytes *b = &s->sides[0];
    struct flow_connection c;

    (void)state;
    tagged(b, RDC_RDMAP_WRITE, 0x10, 100, true);
    tagged(b, RDC_RDMAP_WRITE, 0x20, 100, true);
    tagged(b, RDC_RDMAP_WRITE, 0x10, 100, true);
    b->bytes[b->fpdus[1].at + 40] ^= 1;
    c = run(s);
    assert_int_equal(c.a_to_b.iwarp->crc_bad, 1);
    assert_int_equal(c.a_to_b.iwarp->stag_count, 1);
    assert_int_equal(c.a_to_b.iwarp->stags[0].write_bytes, 200);
    sim_free(s);
}

/* Immediate Data and atomics (RFC 7306, 5 and 6) */
static void check_operations(void **state)
{
    static const uint8_t immediate[RDC_RDMAP_IMMEDIATE_LEN] = {0};
    struct sim *s = make();
    struct sim_bytes *b = &s->sides[0];
    const uint64_t *messages;
    struct flow_connection c;

    (void)state;
    sim_untagged(b, RDC_RDMAP_IMMEDIATE, 0, b->msn++, 0, immediate, sizeof(immediate), true);
    sim_untagged(b, RDC_RDMAP_IMMEDIATE_SE, 0, b->msn++, 0, immediate, sizeof(immediate), true);
    sim_send(b, 10);
    for (uint8_t i = 0; i < 4; i++) /* the last one is reserved */
        for (uint8_t k = 0; k <= i; k++)
            atomic(b, 1 + i * (i + 1u) / 2 + k, i, 0x10);
    c = run(s);
    messages = c.a_to_b.counters->messages;
    assert_int_equal(messages[RDC_OP_IMMEDIATE_DATA], 2);
    assert_int_equal(messages[RDC_OP_SEND], 1);
    assert_int_equal(messages[RDC_OP_FETCH_ADD], 1);
    assert_int_equal(messages[RDC_OP_SWAP], 2);
    assert_int_equal(messages[RDC_OP_CMP_SWAP], 3);
    assert_int_equal(messages[RDC_OP_ATOMIC], 4);
    assert_int_equal(messages[RDC_OP_SEND_WITH_IMMEDIATE], 0);
    assert_int_equal(c.a_to_b.iwarp->msn_gaps, 0);
    sim_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_uses),       cmocka_unit_test(check_invalidate),
        cmocka_unit_test(check_bound),      cmocka_unit_test(check_damaged),
        cmocka_unit_test(check_operations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
