/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Packets in brief against whole ones: every opcode, at every cut, of every length, and with every
 * bit turned; which frames are of a context; which contexts there are.
 */
#include "rdc/brief.h"

#include "dissector/link/plain_frame.h"
#include "dissector/same.h"
#include "link/peel.h"

enum {
    SHAPES = 4,
    FRAME = 77,
    WAYS = 8, /* contexts that one hash may have */
};

static const struct rdc_config checking, skipping = {.skip_checksums = true};

static int new_contexts(void **state)
{
    *state = calloc(1, rdc_contexts_size());
    return *state == NULL;
}

static int free_contexts(void **state)
{
    free(*state);
    return 0;
}

static struct frame shaped(uint8_t opcode, int shape)
{
    return build(opcode, shape % 2 != 0, shape / 2 != 0);
}

static uint32_t learn(struct rdc_contexts *contexts, const struct rdc_input *in)
{
    struct rdc_packet pkt;

    memset(&pkt, 0xa5, sizeof pkt);
    rdc_decode(&checking, in, &pkt);
    pkt.frame = 1;
    return rdc_contexts_learn(contexts, in, &pkt);
}

static uint32_t learn_frame(struct rdc_contexts *contexts, const struct frame *f)
{
    const struct rdc_input in = input(f->bytes, f->size, f->size);

    return learn(contexts, &in);
}

/* Contexts of the frames of all shapes */
static void learn_shapes(struct rdc_contexts *contexts)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        struct frame f = shaped(RDC_RC_SEND_ONLY, shape);

        assert_int_equal(learn_frame(contexts, &f), shape + 1);
    }
}

/* What may be brief, but for its context */
static bool is_brief(const struct rdc_config *config, const struct rdc_input *in)
{
    struct rdc_packet pkt;

    if (!rdc_plain_decode(config, in, &pkt) || pkt.notes != 0)
        return false;
    return rdc_opcode_table[pkt.ib.bth.opcode].service == RDC_SERVICE_RC &&
           rdc_opcode_table[pkt.ib.bth.opcode].ext_size <= RDC_BRIEF_EXTS;
}

/* Decodes in brief, which must be possible where `expected` says so, and says then what decoding
 * says. */
static void check(const struct rdc_contexts *contexts, const struct rdc_config *config,
                  const struct rdc_input *in, bool expected)
{
    struct rdc_packet whole, decoded;
    struct rdc_brief brief;
    const char *differs;

    memset(&brief, 0xa5, sizeof brief);
    memset(&whole, 0x5a, sizeof whole);
    memset(&decoded, 0xa5, sizeof decoded);
    assert_int_equal(rdc_brief_decode_now(contexts, config, in, &brief), expected);
    assert_int_equal(brief.context != RDC_NO_CONTEXT, expected);
    if (!expected)
        return;
    brief.frame = FRAME;
    rdc_brief_whole(contexts, &brief, &whole);
    rdc_decode(config, in, &decoded);
    assert_int_equal(whole.frame, FRAME);
    assert_null(whole.ib.payload);
    decoded.ib.payload = NULL;
    differs = same_packet(&whole, &decoded);
    if (differs != NULL)
        fail_msg("%s differs", differs);
    assert_int_equal(rdc_brief_opcode(&brief), decoded.ib.bth.opcode);
    assert_int_equal(rdc_brief_psn(&brief), decoded.ib.bth.psn);
    assert_int_equal(rdc_brief_asks(&brief), decoded.ib.bth.ack_req);
}

/* Frames of one connection have one context, whatever their opcode is: those of another service
 * have none. */
static void opcodes(void **state)
{
    struct rdc_contexts *contexts = *state;
    size_t brief = 0;

    learn_shapes(contexts);
    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (int shape = 0; shape < SHAPES; shape++) {
            struct frame f = shaped((uint8_t)opcode, shape);
            uint8_t *copy = support_copy(f.bytes, f.size);
            struct rdc_input in = input(copy, f.size, f.size);

            assert_int_equal(learn(contexts, &in), shape + 1);
            check(contexts, &checking, &in, is_brief(&checking, &in));
            check(contexts, &skipping, &in, is_brief(&skipping, &in));
            brief += is_brief(&checking, &in);
            in.time_ns = -1;
            check(contexts, &checking, &in, false);
            in.time_ns = RDC_TIME_LAST_NS;
            check(contexts, &checking, &in, is_brief(&checking, &in));
            in.time_ns = RDC_TIME_LAST_NS + 1;
            check(contexts, &checking, &in, false);
            support_free(copy, f.size);
        }
    assert_int_equal(brief,
                     SHAPES * 21); /* RC's 25, but WRITE ONLY WITH IMMEDIATE, atomics, FLUSH */
}

static void each_rc(struct rdc_contexts *contexts,
                    void (*each)(const struct rdc_contexts *contexts, const struct frame *f))
{
    learn_shapes(contexts);
    for (uint8_t opcode = 0; opcode < RDC_UC_SEND_FIRST; opcode++)
        for (int shape = 0; shape < SHAPES; shape++) {
            struct frame f = shaped(opcode, shape);

            each(contexts, &f);
        }
}

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct rdc_contexts *contexts = arg;

    static const int8_t fcs[] = {-1, 0, 1, 4, TRAILER, TRAILER + 1, 100, INT8_MAX};

    for (size_t i = 0; i < SUPPORT_COUNT(fcs); i++) {
        struct rdc_input in = input(bytes, captured, wire);

        in.fcs_size = fcs[i];
        check(contexts, &checking, &in, is_brief(&checking, &in));
        check(contexts, &skipping, &in, is_brief(&skipping, &in));
        in.wire = (uint32_t)captured;
        check(contexts, &checking, &in, is_brief(&checking, &in));
        in.wire = captured > 0 ? (uint32_t)captured - 1 : 0; /* counts as what is captured */
        check(contexts, &checking, &in, false);
        in.wire = (uint32_t)wire;
        in.linktype = RDC_LINKTYPE_NULL;
        check(contexts, &checking, &in, false);
    }
}

static void check_cuts(const struct rdc_contexts *contexts, const struct frame *f)
{
    struct rdc_contexts *arg;

    memcpy(&arg, &contexts, sizeof arg);
    support_each_cut(f->bytes, f->size, check_cut, arg);
}

static void cuts(void **state)
{
    each_rc(*state, check_cuts);
}

/* That IP and UDP agree on, and that they don't */
static void check_lengths(const struct rdc_contexts *contexts, const struct frame *f)
{
    for (size_t udp = 0; udp < f->size; udp++)
        for (int differ = 0; differ < 2; differ++) {
            struct frame other = *f;
            struct rdc_input in = input(other.bytes, other.size, other.size);

            set_length(&other, udp);
            other.bytes[other.transport - 3] ^= (uint8_t)differ;
            sign(&other);
            check(contexts, &skipping, &in, is_brief(&skipping, &in));
        }
}

static void lengths(void **state)
{
    each_rc(*state, check_lengths);
}

/* Bits that are not compared */
static bool is_free(const struct frame *f, size_t bit)
{
    size_t byte = bit / 8, ip = byte - f->ip, bth = byte - f->transport;
    unsigned mask = 1u << bit % 8;

    if (byte < f->ip)
        return false;
    if (byte >= f->transport)
        return bth == 0 || (bth == 1 && (mask & 0xb0) != 0) || bth >= 8;
    if (byte + 4 >= f->transport) /* UDP length and checksum */
        return true;
    if (f->v6)
        return (ip == 1 && (mask & 0x30) != 0) || ip == 4 || ip == 5;
    return (ip == 1 && (mask & 0x03) != 0) || (ip >= 2 && ip <= 5) || ip == 10 || ip == 11;
}

static void check_turned(const struct frame *turned, size_t bit, const void *contexts)
{
    const struct rdc_input in = input(turned->bytes, turned->size, turned->size);
    bool same = is_free(turned, bit);

    check(contexts, &checking, &in, same && is_brief(&checking, &in));
    check(contexts, &skipping, &in, same && is_brief(&skipping, &in));
}

static void check_bits(const struct rdc_contexts *contexts, const struct frame *f)
{
    each_bit(f, f->size * 8, check_turned, contexts);
}

static void bits(void **state)
{
    each_rc(*state, check_bits);
}

/* Adapters that compute the header's checksum behind the capture leave it empty. */
static void empty_checksum(void **state)
{
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);
    const struct rdc_input in = input(f.bytes, f.size, f.size);

    learn_shapes(*state);
    f.bytes[f.ip + 10] = f.bytes[f.ip + 11] = 0;
    check(*state, &checking, &in, true);
}

/* The context of another interface is another one; what the packet says of it is the caller's. */
static void interfaces(void **state)
{
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);
    struct rdc_input in = input(f.bytes, f.size, f.size);
    struct rdc_packet pkt;
    struct rdc_brief brief;

    learn_shapes(*state);
    in.interface = 4;
    check(*state, &checking, &in, false);
    rdc_decode(&checking, &in, &pkt);
    pkt.interface = 40;
    assert_int_equal(rdc_contexts_learn(*state, &in, &pkt), SHAPES + 1);
    assert_true(rdc_brief_decode_now(*state, &checking, &in, &brief));
    assert_int_equal(brief.context, SHAPES + 1);
    rdc_brief_whole(*state, &brief, &pkt);
    assert_int_equal(pkt.interface, 40);
    in.interface = 3;
    check(*state, &checking, &in, true);
}

static void not_learned(struct rdc_contexts *contexts, const struct frame *f)
{
    assert_int_equal(learn_frame(contexts, f), RDC_NO_CONTEXT);
}

/* Nothing is learned of what is not plain, not of a reliable connection or would be noted. */
static void odd(void **state)
{
    static const struct {
        uint8_t at, value;
    } rows[] = {
        {13, 0x06},          /* ARP */
        {14, 0x46},          /* options */
        {14, 0x65},          /* another version */
        {14 + 6, 0x60},      /* a fragment */
        {14 + 9, 6},         /* TCP */
        {14 + 20 + 3, 0xb8}, /* another port */
        {42, RDC_UC_SEND_ONLY},
        {42, RDC_CNP},
        {42, RDC_XRC_ACKNOWLEDGE},
        {42, 0x1f}, /* reserved */
        {43, 0x31}, /* another version of the BTH */
        {46, 0x20}, /* reserved */
        {49, 1},    /* a management QPN */
        {50, 0x10}, /* reserved */
    };
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);
    struct rdc_input in = input(f.bytes, f.size, f.size);

    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct frame other = f;

        other.bytes[rows[i].at] = rows[i].value;
        sign(&other);
        not_learned(*state, &other);
    }
    f.bytes[f.size - TRAILER - 1] ^= 1; /* a wrong ICRC */
    not_learned(*state, &f);
    f = shaped(RDC_RC_ACKNOWLEDGE, 0);
    f.bytes[f.transport + RDC_BTH_LEN] = 0x40; /* a reserved syndrome */
    sign(&f);
    not_learned(*state, &f);
    f = shaped(RDC_RC_SEND_ONLY, 0);
    in.time_ns = -1;
    assert_int_equal(learn(*state, &in), RDC_NO_CONTEXT);
    in.time_ns = 0;
    in.wire = 0;
    assert_int_equal(learn(*state, &in), RDC_NO_CONTEXT);
    assert_int_equal(learn_frame(*state, &f), 1);
}

/* Only ACK, RNR NAK and specified NAKs are brief: others are noted. */
static void syndromes(void **state)
{
    for (unsigned syndrome = 0; syndrome < 256; syndrome++) {
        struct frame f = shaped(RDC_RC_ACKNOWLEDGE, 0);
        const struct rdc_input in = input(f.bytes, f.size, f.size);

        assert_int_equal(learn_frame(*state, &f), 1);
        f.bytes[f.transport + RDC_BTH_LEN] = (uint8_t)syndrome;
        sign(&f);
        check(*state, &checking, &in, syndrome < 0x40 || (syndrome >= 0x60 && syndrome <= 0x64));
    }
}

static struct frame to_qpn(uint32_t qpn)
{
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);

    f.bytes[f.transport + 5] = (uint8_t)(qpn >> 16);
    f.bytes[f.transport + 6] = (uint8_t)(qpn >> 8);
    f.bytes[f.transport + 7] = (uint8_t)qpn;
    sign(&f);
    return f;
}

/* The oldest makes way; some that will be next are kept for those who have packets of them; all
 * others are found. */
static void make_way(void **state)
{
    enum {
        KEPT = RDC_CONTEXTS - 1,
        COUNT = KEPT + 1000,
    };
    struct rdc_contexts *contexts = *state;

    for (uint32_t i = 0; i < COUNT; i++) {
        struct frame f = to_qpn(i + 2);
        uint32_t number = learn_frame(contexts, &f);

        assert_int_equal(number, i % KEPT + 1);
        assert_int_equal(learn_frame(contexts, &f), number);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        struct frame f = to_qpn(i + 2);
        struct rdc_input in = input(f.bytes, f.size, f.size);

        check(contexts, &checking, &in, i >= COUNT - KEPT + RDC_BRIEFS_LENT);
    }
}

/* Frames that differ only in what is not hashed: the latest are found. */
static void one_hash(void **state)
{
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);
    struct rdc_input in = input(f.bytes, f.size, f.size);

    for (uint8_t i = 0; i < 2 * WAYS; i++) {
        f.bytes[0] = i;
        assert_int_equal(learn_frame(*state, &f), i + 1);
    }
    for (uint8_t i = 0; i < 2 * WAYS; i++) {
        f.bytes[0] = i;
        check(*state, &checking, &in, i >= WAYS);
    }
    f.bytes[0] = 0;
    assert_int_equal(learn_frame(*state, &f), 2 * WAYS + 1);
}

static uint32_t route_of(struct rdc_contexts *contexts, const struct frame *f)
{
    const struct rdc_input in = input(f->bytes, f->size, f->size);
    struct rdc_brief brief;

    assert_int_not_equal(learn_frame(contexts, f), RDC_NO_CONTEXT);
    assert_true(rdc_brief_decode_now(contexts, &checking, &in, &brief));
    return brief.route;
}

/* Connections between the same hosts have one route; another priority or mark is another one. */
static void routes(void **state)
{
    for (int shape = 0; shape < SHAPES; shape++) {
        struct frame f = shaped(RDC_RC_SEND_ONLY, shape);
        uint32_t route = route_of(*state, &f);

        f.bytes[f.transport + 7] ^= 1; /* another QPN */
        sign(&f);
        assert_int_equal(route_of(*state, &f), route);
        f.bytes[f.ip + 1] ^= f.v6 ? 0x20 : 0x02; /* ECN */
        sign(&f);
        assert_int_equal(route_of(*state, &f), route);
        f.bytes[f.ip + 3] ^= f.v6 ? 0x01 : 0; /* flow label */
        sign(&f);
        assert_int_equal(route_of(*state, &f), route);
        f.bytes[f.ip + 1] ^= f.v6 ? 0x40 : 0x04; /* DSCP */
        sign(&f);
        assert_int_not_equal(route_of(*state, &f), route);
        f.bytes[f.ip + 1] ^= f.v6 ? 0x40 : 0x04;
        f.bytes[f.transport + 4] ^= 0x40; /* BECN */
        sign(&f);
        assert_int_not_equal(route_of(*state, &f), route);
    }
}

/* Frames of one route too many have no context; those of all others have. */
static void many_routes(void **state)
{
    struct frame f = shaped(RDC_RC_SEND_ONLY, 0);

    for (uint32_t i = 0; i < RDC_ROUTES; i++) {
        f.bytes[10] = (uint8_t)(i >> 8);
        f.bytes[11] = (uint8_t)i;
        assert_int_equal(learn_frame(*state, &f), i < RDC_ROUTES - 1 ? i + 1 : RDC_NO_CONTEXT);
    }
    f.bytes[11]--;
    assert_int_equal(route_of(*state, &f), RDC_ROUTES - 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_contexts, free_contexts)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(opcodes),        TEST(cuts),       TEST(lengths), TEST(bits),
        TEST(empty_checksum), TEST(interfaces), TEST(odd),     TEST(make_way),
        TEST(syndromes),      TEST(one_hash),   TEST(routes),  TEST(many_routes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
