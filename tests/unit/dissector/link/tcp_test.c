/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dissector/link/layer.h"

/* ports, sequence, acknowledgement; then offset and flags, window, checksum, urgent */
#define START "c000 14b5 80000001 7fffffff "

static const struct row {
    const char *name;
    const char *hex;
    uint8_t flags;
    int8_t window_scale;
    bool has_timestamps;
    uint32_t payload;
} rows[] = {
    {"plain", START "5018 0200 0000 0000 010203", RDC_TCP_PSH | RDC_TCP_ACK, -1, false, 3},
    {"all flags", START "50ff 0200 0000 0000", 0xff, -1, false, 0},
    {"timestamps", START "8010 0200 0000 0000 0101 080a 11111111 22222222 0102", RDC_TCP_ACK, -1,
     true, 2},
    {"SYN", START "a002 0200 0000 0000 020405b4 0402 080a 11111111 22222222 01 030307", RDC_TCP_SYN,
     7, true, 0},
    {"scale beyond 14", START "6002 0200 0000 0000 01 0303ff", RDC_TCP_SYN, 14, false, 0},
    {"scale without SYN", START "6010 0200 0000 0000 01 030307", RDC_TCP_ACK, -1, false, 0},
    {"nothing behind the end", START "7002 0200 0000 0000 00 030307 030307 00", RDC_TCP_SYN, -1,
     false, 0},
    {"option of size 0", START "7002 0200 0000 0000 0500 030307 030307", RDC_TCP_SYN, -1, false, 0},
    {"option too long", START "7002 0200 0000 0000 01010101 01 0304 07", RDC_TCP_SYN, -1, false, 0},
    {"option of another size", START "7002 0200 0000 0000 03040707 01010101", RDC_TCP_SYN, -1,
     false, 0},
    {"option without size", START "6002 0200 0000 0000 01010103", RDC_TCP_SYN, -1, false, 0},
};

static void each_row(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct layer run = layer_decode(rdc_tcp_decode, &before, rows[i].hex, 0);
        const struct rdc_tcp *tcp = &run.pkt.tcp;

        print_message("%s\n", rows[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.pkt.kind, RDC_KIND_TCP);
        assert_int_equal(run.pkt.src_port, 0xc000);
        assert_int_equal(run.pkt.dst_port, 5301);
        assert_int_equal(tcp->seq, 0x80000001);
        assert_int_equal(tcp->ack, 0x7fffffff);
        assert_int_equal(tcp->window, 0x200);
        assert_int_equal(tcp->flags, rows[i].flags);
        assert_int_equal(tcp->window_scale, rows[i].window_scale);
        assert_int_equal(tcp->has_timestamps, rows[i].has_timestamps);
        if (tcp->has_timestamps) {
            assert_int_equal(tcp->ts_value, 0x11111111);
            assert_int_equal(tcp->ts_echo, 0x22222222);
        }
        assert_false(tcp->has_dsack);
        assert_int_equal(tcp->payload_size, rows[i].payload);
        assert_int_equal(tcp->payload_captured, rows[i].payload);
        assert_int_equal(tcp->payload != NULL, rows[i].payload != 0);
        assert_int_equal(run.pkt.notes, 0);
        assert_int_equal(run.next.space, RDC_SPACE_NONE);
        assert_int_equal(run.pkt.layers, layer_bit(RDC_LAYER_TCP));
    }
}

/* Cut anywhere, the packet keeps its sequence numbers and sizes from 20 bytes on. */
static void cut(const uint8_t *bytes, size_t captured, size_t wire, void *arg)
{
    const struct rdc_packet before = layer_packet();
    struct layer run = {.decode = rdc_tcp_decode, .before = &before, .header = 20};

    (void)arg;
    if (captured == wire)
        return;
    layer_run(&run, bytes, captured, wire);
    if (captured < 20)
        return;
    assert_int_equal(run.status, RDC_OK);
    assert_int_equal(run.pkt.tcp.payload_size, 5);
    assert_int_equal(run.pkt.tcp.has_timestamps, captured >= 32);
    assert_int_equal(run.pkt.notes, captured < 32 ? RDC_NOTE_BIT(HEADER_TRUNCATED) : 0);
    assert_int_equal(run.pkt.tcp.payload_captured, captured < 32 ? 0 : captured - 32);
    assert_ptr_equal(run.pkt.tcp.payload, captured > 32 ? bytes + 32 : NULL);
}

static void cuts(void **state)
{
    uint8_t bytes[64];
    size_t size = support_hex(START "8010 0200 0000 0000 0101 080a 11111111 22222222 0102030405",
                              bytes, sizeof(bytes));

    (void)state;
    support_each_cut(bytes, size, cut, NULL);
}

static void wrong_offsets(void **state)
{
    static const char *const wrong[] = {
        START "4010 0200 0000 0000 00000000",
        START "7010 0200 0000 0000 00000000",
    };
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(wrong); i++) {
        struct layer run = layer_decode(rdc_tcp_decode, &before, wrong[i], 0);

        assert_int_equal(run.status, RDC_MALFORMED);
        assert_int_equal(run.taken, 0);
        assert_int_equal(run.pkt.kind, RDC_KIND_OTHER);
    }
}

/* Bytes that came twice (RFC 2883, 4); the acknowledgement is 7fffffff. */
static const struct twice {
    const char *name;
    const char *hex;
    uint32_t begin, end; /* 0: none */
} twices[] = {
    {"ahead", START "8010 0200 0000 0000 0101 050a 80000010 80000020", 0, 0},
    {"acknowledged", START "8010 0200 0000 0000 0101 050a 7ffffff0 7fffffff", 0x7ffffff0,
     0x7fffffff},
    {"in part acknowledged", START "8010 0200 0000 0000 0101 050a 7ffffff0 80000000", 0, 0},
    {"in the second block",
     START "a010 0200 0000 0000 0101 0512 80000010 80000020 80000008 80000020", 0x80000010,
     0x80000020},
    {"before the second block",
     START "a010 0200 0000 0000 0101 0512 80000010 80000020 80000011 80000030", 0, 0},
    {"behind the second block",
     START "a010 0200 0000 0000 0101 0512 80000010 80000020 80000008 8000001f", 0, 0},
    {"turned round", START "8010 0200 0000 0000 0101 050a 7fffffff 7ffffff0", 0, 0},
    {"cut short", START "7010 0200 0000 0000 0101 0506 7ffffff0", 0, 0},
};

static void each_twice(void **state)
{
    struct rdc_packet before = layer_packet();

    (void)state;
    for (size_t i = 0; i < SUPPORT_COUNT(twices); i++) {
        struct layer run = layer_decode(rdc_tcp_decode, &before, twices[i].hex, 0);

        print_message("%s\n", twices[i].name);
        assert_int_equal(run.status, RDC_OK);
        assert_int_equal(run.pkt.tcp.has_dsack, twices[i].begin != 0);
        assert_int_equal(run.pkt.tcp.dsack_begin, twices[i].begin);
        assert_int_equal(run.pkt.tcp.dsack_end, twices[i].end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row),
        cmocka_unit_test(each_twice),
        cmocka_unit_test(cuts),
        cmocka_unit_test(wrong_offsets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
