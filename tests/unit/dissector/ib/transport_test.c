/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the BTH on: which bytes are believed to be a packet, what is noted about it, its payload, at
 * every cut. Packets are built here, RoCEv2 over IPv4, with or without a good ICRC.
 */
#include "ib/transport.h"

#include "rdc/crc.h"
#include "support.h"

enum {
    OUTER = 28, /* IPv4 and UDP */
    ROOM = 256,
};

struct frame {
    uint8_t bytes[ROOM];
    size_t size;
};

static const struct rdc_config checking;
static const struct rdc_config skipping = {.skip_checksums = true};

static void sign(struct frame *f);

/* A packet of `opcode` with `area` bytes between BTH and ICRC */
static struct frame build(uint8_t opcode, uint8_t flags, size_t area, bool good)
{
    struct frame f = {.size = OUTER + RDC_BTH_LEN + area + RDC_ICRC_LEN};

    support_hex("4500 0000 1234 4000 4011 0000 0a000001 0a000002 c001 12b7 0000 0000", f.bytes,
                ROOM);
    f.bytes[3] = (uint8_t)f.size;
    f.bytes[25] = (uint8_t)(f.size - 20);
    support_hex("0000 ffff 00 000011 80 000102", f.bytes + OUTER, ROOM - OUTER);
    f.bytes[OUTER] = opcode;
    f.bytes[OUTER + 1] = flags;
    for (size_t i = 0; i < area; i++)
        f.bytes[OUTER + RDC_BTH_LEN + i] = (uint8_t)(i + 1);
    sign(&f);
    if (!good)
        f.bytes[f.size - 1] ^= 0x10;
    return f;
}

static void sign(struct frame *f)
{
    static const uint8_t variant[] = {1, 8, 10, 11, 26, 27, OUTER + 4};
    uint8_t ones[8];
    struct frame masked = *f;
    uint32_t crc;

    memset(ones, 0xff, sizeof ones);
    for (size_t i = 0; i < SUPPORT_COUNT(variant); i++)
        masked.bytes[variant[i]] = 0xff;
    crc = rdc_crc32_update(RDC_CRC32_INIT, ones, sizeof ones);
    crc = rdc_crc32_done(rdc_crc32_update(crc, masked.bytes, f->size - RDC_ICRC_LEN));
    for (int i = 0; i < RDC_ICRC_LEN; i++)
        f->bytes[f->size - RDC_ICRC_LEN + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

/* Decodes the first `captured` bytes of a frame, at least those before the BTH */
static struct rdc_packet decode_cut(const struct rdc_config *config, const uint8_t *bytes,
                                    size_t captured, size_t wire)
{
    struct rdc_envelope env = {.transport = RDC_TRANSPORT_ROCEV2, .ip = bytes, .udp = bytes + 20};
    struct rdc_cursor cur = {bytes + OUTER, captured - OUTER, wire - OUTER};
    struct rdc_packet pkt;

    memset(&pkt, 0xa5, sizeof pkt);
    pkt.notes = 0;
    rdc_transport_decode(config, &cur, &env, &pkt);
    return pkt;
}

static struct rdc_packet decode(const struct rdc_config *config, const struct frame *f)
{
    return decode_cut(config, f->bytes, f->size, f->size);
}

#define NOTE(name) RDC_NOTE_BIT(name)

/* What is believed, with a bad and with a good ICRC */
static struct belief {
    const char *name;
    uint8_t opcode, flags; /* the first two bytes of the BTH */
    uint8_t area;
    uint8_t refusal; /* with a bad ICRC */
    rdc_notes notes; /* when believed, beside that of a bad ICRC */
    uint8_t payload; /* when believed */
} beliefs[] = {
    {"send only", 0x04, 0x00, 8, RDC_REFUSAL_NONE, 0, 8},
    {"send only, empty", 0x04, 0x00, 0, RDC_REFUSAL_NONE, 0, 0},
    {"send only, padded", 0x04, 0x30, 8, RDC_REFUSAL_NONE, 0, 5},
    {"send only, nothing but pad", 0x04, 0x20, 2, RDC_REFUSAL_NONE, 0, 0},
    {"pad larger than payload", 0x04, 0x30, 2, RDC_REFUSAL_LENGTH, NOTE(PAD_TOO_LARGE), 0},
    {"pad behind headers", 0x06, 0x10, 16, RDC_REFUSAL_LENGTH, NOTE(PAD_TOO_LARGE), 0},
    {"write first", 0x06, 0x00, 20, RDC_REFUSAL_NONE, 0, 4},
    {"write first, no room for RETH", 0x06, 0x00, 15, RDC_REFUSAL_LENGTH, NOTE(HEADER_MALFORMED),
     0},
    {"RETH must not take the ICRC", 0x06, 0x00, 12, RDC_REFUSAL_LENGTH, NOTE(HEADER_MALFORMED), 0},
    {"version 1", 0x04, 0x01, 8, RDC_REFUSAL_VERSION, NOTE(BTH_VERSION), 8},
    {"version 15", 0x04, 0x0f, 8, RDC_REFUSAL_VERSION, NOTE(BTH_VERSION), 8},
    {"reserved opcode", 0x18, 0x00, 8, RDC_REFUSAL_RESERVED, NOTE(OPCODE_RESERVED), 8},
    {"reserved opcode beside CNP", 0x82, 0x00, 8, RDC_REFUSAL_RESERVED, NOTE(OPCODE_RESERVED), 8},
    {"vendor opcode", 0xc0, 0x00, 8, RDC_REFUSAL_NONE, NOTE(OPCODE_VENDOR), 8},
    {"vendor opcode, padded", 0xff, 0x10, 8, RDC_REFUSAL_NONE, NOTE(OPCODE_VENDOR), 7},
    {"cnp without becn", 0x81, 0x00, 16, RDC_REFUSAL_NONE, NOTE(CNP_NO_BECN), 0},
    {"cnp of the annex", 0x80, 0x00, 16, RDC_REFUSAL_NONE, NOTE(CNP_NO_BECN), 0},
};

static void believe(void **state)
{
    const struct belief *b = *state;

    for (int good = 0; good < 2; good++) {
        struct frame f = build(b->opcode, b->flags, b->area, good);
        struct rdc_packet pkt = decode(&checking, &f);

        if (!good && b->refusal != RDC_REFUSAL_NONE) {
            assert_int_equal(pkt.kind, RDC_KIND_OTHER);
            assert_int_equal(pkt.transport, RDC_TRANSPORT_NONE);
            assert_int_equal(pkt.refusal, b->refusal);
            continue;
        }
        assert_int_equal(pkt.kind, RDC_KIND_BTH);
        assert_int_equal(pkt.transport, RDC_TRANSPORT_ROCEV2);
        assert_int_equal(pkt.refusal, RDC_REFUSAL_NONE);
        assert_true(pkt.notes == (b->notes | (good ? 0 : NOTE(ICRC_BAD))));
        assert_int_equal(pkt.ib.icrc_check, good ? RDC_CHECK_OK : RDC_CHECK_BAD);
        assert_int_equal(pkt.ib.icrc, rdc_be32(f.bytes + f.size - RDC_ICRC_LEN));
        assert_true(pkt.ib.icrc_captured);
        assert_int_equal(pkt.ib.vcrc_check, RDC_CHECK_ABSENT);
        assert_int_equal(pkt.ib.complete, (b->notes & NOTE(HEADER_MALFORMED)) == 0);
        assert_int_equal(pkt.ib.payload_size, b->payload);
        assert_int_equal(pkt.ib.payload_captured, b->payload);
    }
}

static void too_short(void **state)
{
    struct frame f = build(0x04, 0, 0, true);

    (void)state;
    for (size_t wire = OUTER; wire <= f.size; wire++) {
        struct rdc_packet pkt = decode_cut(&checking, f.bytes, wire, wire);

        assert_int_equal(pkt.kind, wire < f.size ? RDC_KIND_OTHER : RDC_KIND_BTH);
        assert_int_equal(pkt.refusal, wire < f.size ? RDC_REFUSAL_SHORT : RDC_REFUSAL_NONE);
        assert_int_equal(pkt.transport, wire < f.size ? RDC_TRANSPORT_NONE : RDC_TRANSPORT_ROCEV2);
    }
}

/* Which packets are believed does not depend on whether checksums are asked for */
static void skipped_checksums(void **state)
{
    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(beliefs); i++)
        for (int good = 0; good < 2; good++) {
            const struct belief *b = &beliefs[i];
            struct frame f = build(b->opcode, b->flags, b->area, good);
            struct rdc_packet pkt = decode(&skipping, &f);

            assert_int_equal(pkt.refusal, good ? RDC_REFUSAL_NONE : b->refusal);
            if (pkt.refusal == RDC_REFUSAL_NONE) {
                assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_SKIPPED);
                assert_true(pkt.notes == b->notes);
            }
        }
}

/* Bytes of the BTH and of the AETH that are worth a note */
static struct oddity {
    const char *name;
    uint8_t opcode, offset, value;
    rdc_notes notes;
} oddities[] = {
    {"fecn", 0x04, 4, 0x80, 0},
    {"becn", 0x04, 4, 0x40, 0},
    {"reserved bits beside becn", 0x04, 4, 0x01, NOTE(BTH_RESERVED)},
    {"all reserved bits beside becn", 0x04, 4, 0x3f, NOTE(BTH_RESERVED)},
    {"reserved bits beside ack_req", 0x04, 8, 0x40, NOTE(BTH_RESERVED)},
    {"cnp with becn", 0x81, 4, 0x40, 0},
    {"ack", 0x11, 12, 0x1f, 0},
    {"rnr nak", 0x11, 12, 0x2e, 0},
    {"reserved kind", 0x11, 12, 0x40, NOTE(AETH_RESERVED)},
    {"nak sequence", 0x11, 12, 0x60, 0},
    {"nak invalid rd", 0x11, 12, 0x64, 0},
    {"nak reserved", 0x11, 12, 0x65, NOTE(AETH_RESERVED)},
    {"reserved syndrome bit", 0x11, 12, 0x80, NOTE(AETH_RESERVED)},
    {"read response with reserved aeth", 0x0d, 12, 0x9f, NOTE(AETH_RESERVED)},
};

static void note_oddity(void **state)
{
    const struct oddity *o = *state;
    struct frame f = build(o->opcode, 0, 16, true);
    struct rdc_packet pkt;

    f.bytes[OUTER + 12] = 0;
    f.bytes[OUTER + o->offset] = o->value;
    sign(&f);
    pkt = decode(&checking, &f);
    assert_int_equal(pkt.kind, RDC_KIND_BTH);
    assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_OK);
    assert_true(pkt.notes == o->notes);
}

static uint16_t headers_before(uint16_t mask, size_t size)
{
    static const uint8_t sizes[] = {4, 8, 4, 4, 16, 28, 4, 8, 4, 4};
    uint16_t there = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(sizes); i++)
        if (mask & 1u << i) {
            if (sizes[i] > size)
                break;
            size -= sizes[i];
            there |= (uint16_t)(1u << i);
        }
    return there;
}

static void check_cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const uint8_t *opcode = arg;
    const struct rdc_opcode_info *info = &rdc_opcode_table[*opcode];
    size_t headers = OUTER + RDC_BTH_LEN + (size_t)info->ext_size;
    size_t payload = info->service == RDC_SERVICE_CNP ? 0 : wire - headers - 1 - RDC_ICRC_LEN;
    size_t there = captured > headers ? captured - headers : 0;
    struct rdc_packet pkt;

    if (captured < OUTER)
        return;
    pkt = decode_cut(&checking, bytes, captured, wire);
    if (captured < OUTER + RDC_BTH_LEN) {
        assert_int_equal(pkt.kind, RDC_KIND_OTHER);
        assert_int_equal(pkt.transport, RDC_TRANSPORT_ROCEV2);
        assert_int_equal(pkt.refusal, RDC_REFUSAL_NONE);
        assert_true(pkt.notes == NOTE(HEADER_TRUNCATED));
        return;
    }
    if (captured < wire && info->service == RDC_SERVICE_RESERVED) {
        assert_int_equal(pkt.refusal, RDC_REFUSAL_RESERVED);
        return;
    }
    assert_int_equal(pkt.kind, RDC_KIND_BTH);
    assert_int_equal(pkt.ib.bth.opcode, *opcode);
    assert_int_equal(pkt.ib.complete, captured >= headers);
    assert_int_equal((pkt.notes & NOTE(HEADER_TRUNCATED)) != 0, captured < headers);
    assert_int_equal(pkt.ib.ext.present, headers_before(info->ext, captured - OUTER - RDC_BTH_LEN));
    assert_int_equal(pkt.ib.icrc_check, captured < wire ? RDC_CHECK_TRUNCATED : RDC_CHECK_OK);
    assert_int_equal(pkt.ib.icrc_captured, captured == wire);
    assert_int_equal(pkt.ib.payload_size, payload);
    assert_int_equal(pkt.ib.payload_captured, there < payload ? there : payload);
    assert_ptr_equal(pkt.ib.payload, pkt.ib.payload_captured > 0 ? bytes + headers : NULL);
}

static void every_opcode_at_every_cut(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 256; i++) {
        uint8_t opcode = (uint8_t)i;
        struct frame f = build(opcode, 0x10, (size_t)rdc_opcode_table[opcode].ext_size + 9, true);

        support_each_cut(f.bytes, f.size, check_cut, &opcode);
    }
}

/* The fingerprint knows every header bit but FECN and BECN, and nothing behind the headers */
static void headers_hash(void **state)
{
    struct frame f = build(0x0b, 0, 24, true);
    uint32_t hash = decode(&checking, &f).ib.headers_hash;

    (void)state;
    for (size_t bit = 16; bit < (RDC_BTH_LEN + 24) * 8; bit++) {
        size_t byte = OUTER + bit / 8;
        bool same = bit / 8 >= RDC_BTH_LEN + 20 || (bit / 8 == 4 && bit % 8 >= 6);

        f.bytes[byte] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(decode(&checking, &f).ib.headers_hash == hash, same);
        f.bytes[byte] ^= (uint8_t)(1u << bit % 8);
    }
}

/* A first fragment: the UDP length is the packet's, the rest of it is in other frames */
static void fragment(void **state)
{
    struct frame f = build(0x06, 0, 80, true);
    struct rdc_envelope env = {
        .transport = RDC_TRANSPORT_ROCEV2, .ip = f.bytes, .udp = f.bytes + 20, .fragment = true};
    struct rdc_cursor cur = {f.bytes + OUTER, 44, 44};
    struct rdc_packet pkt = {0};

    (void)state;
    rdc_transport_decode(&checking, &cur, &env, &pkt);
    assert_int_equal(pkt.kind, RDC_KIND_BTH);
    assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_FRAGMENT);
    assert_false(pkt.ib.icrc_captured);
    assert_int_equal(pkt.ib.payload_size, 64);
    assert_int_equal(pkt.ib.payload_captured, 16);
    assert_true(pkt.ib.complete);
}

/* The FLUSH of Soft-RoCE counts its headers twice */
static void soft_roce_flush(void **state)
{
    struct frame f = {0};
    struct rdc_packet pkt;

    (void)state;
    f.size = support_hex("45000040 3a144000 4011ec96 0a000001 0a000002 de9f12b7002c0000"
                         "1c00ffff0000007580310025 00000001 00007f7ac2bcb0000000255500001000"
                         "0ea23953",
                         f.bytes, ROOM);
    pkt = decode(&checking, &f);
    assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_OK);
    assert_true(pkt.notes == NOTE(ICRC_SOFT_ROCE));
    assert_int_equal(pkt.ib.ext.feth.plt, 1);
    assert_int_equal(pkt.ib.ext.reth.length, 0x1000);
    sign(&f);
    pkt = decode(&checking, &f);
    assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_OK);
    assert_true(pkt.notes == 0);
}

/* Native InfiniBand: the VCRC is judged where it was captured */
static void variant_crc(void **state)
{
    uint8_t bytes[ROOM];
    size_t size = support_hex("00020011 00070012 1140ffff00011e8b00759350 1f000001 ce960c31 5b31",
                              bytes, sizeof bytes);
    static const uint8_t want[] = {RDC_CHECK_OK, RDC_CHECK_BAD, RDC_CHECK_TRUNCATED,
                                   RDC_CHECK_ABSENT, RDC_CHECK_SKIPPED};

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(want); i++) {
        struct rdc_envelope env = {.transport = RDC_TRANSPORT_IB, .lrh = bytes};
        struct rdc_cursor cur = {bytes + 8, size - 10, size - 10};
        struct rdc_packet pkt = {.truncated = want[i] == RDC_CHECK_TRUNCATED};

        env.vcrc = i == 2 || i == 3 ? NULL : bytes + size - 2;
        bytes[0] = i == 1 ? 0x10 : 0x00; /* another VL */
        rdc_transport_decode(i == 4 ? &skipping : &checking, &cur, &env, &pkt);
        assert_int_equal(pkt.ib.vcrc_check, want[i]);
        assert_int_equal(pkt.ib.icrc_check, i == 4 ? RDC_CHECK_SKIPPED : RDC_CHECK_OK);
        assert_true(pkt.notes == (i == 1 ? NOTE(VCRC_BAD) : 0));
    }
}

/* An envelope without the headers that the ICRC covers: nothing to check, nothing to prove */
static void bare_envelope(void **state)
{
    struct frame f = build(0x04, 0, 8, true);
    struct rdc_envelope env = {.transport = RDC_TRANSPORT_ROCEV1};
    struct rdc_cursor cur = {f.bytes + OUTER, f.size - OUTER, f.size - OUTER};
    struct rdc_packet pkt = {0};

    (void)state;
    rdc_transport_decode(&checking, &cur, &env, &pkt);
    assert_int_equal(pkt.kind, RDC_KIND_BTH);
    assert_int_equal(pkt.ib.icrc_check, RDC_CHECK_ABSENT);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(too_short),    cmocka_unit_test(skipped_checksums),
        cmocka_unit_test(headers_hash), cmocka_unit_test(every_opcode_at_every_cut),
        cmocka_unit_test(fragment),     cmocka_unit_test(soft_roce_flush),
        cmocka_unit_test(variant_crc),  cmocka_unit_test(bare_envelope),
    };
    struct CMUnitTest
        tests[SUPPORT_COUNT(beliefs) + SUPPORT_COUNT(oddities) + SUPPORT_COUNT(others)];
    size_t n = 0;

    for (size_t i = 0; i < SUPPORT_COUNT(beliefs); i++)
        tests[n++] = (struct CMUnitTest){beliefs[i].name, believe, NULL, NULL, &beliefs[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(oddities); i++)
        tests[n++] = (struct CMUnitTest){oddities[i].name, note_oddity, NULL, NULL, &oddities[i]};
    for (size_t i = 0; i < SUPPORT_COUNT(others); i++)
        tests[n++] = others[i];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
